// The structures of the page: which have what, and which remain under suppositions.
import { and, type Bits, common, count, empty, full, has, or, positions, unpacked, without, words } from "./bits";
import { type Claim, claimOf, edgeClaim, Findings, key, opposite, subject } from "./findings";
import { ARROW, Graph, TAIL } from "./graph";
import { pairsOf, placeOf } from "./pairs";
import type { Holds, View } from "./view";

/** What remains: the structures that may, how many of them certainly do, and how many classes they are in. */
export interface Rest {
  bits: Bits;
  most: number;
  least: number;
  classes: number;
}

export class Solutions {
  readonly size: number;
  readonly number: number;
  readonly complete: boolean;
  readonly all: Bits;
  /** Whether edges without arrowheads are possible. */
  readonly selection: boolean;
  readonly findings: Findings;
  /** For each class the position of its first structure, and at the end the number of structures. */
  readonly classStarts: Uint32Array;
  private unpackedColumns: Bits | null = null;
  private readonly length: number;
  private readonly pagMarks: Uint8Array;
  private readonly known = new Map<string, Bits>();
  private readonly confounding: Map<string, { can: string; can_lack: string }>;
  private ancestors: (Bits | null)[] | null = null;

  constructor(readonly view: View) {
    this.size = view.variables.length;
    this.number = view.graphs.mags;
    this.complete = view.graphs.complete;
    this.selection = view.graphs.planes === 3;
    this.findings = new Findings(view);
    this.all = full(this.number);
    this.length = this.all.length;
    this.pagMarks = unpacked(view.graphs.pag_marks);
    this.classStarts = new Uint32Array(view.graphs.class_sizes.length + 1);
    view.graphs.class_sizes.forEach((size, i) => (this.classStarts[i + 1] = this.classStarts[i]! + size));
    this.confounding = new Map(view.graphs.confounding.map((one) => [subject({ ...one, topic: "confounded" }), one]));
  }

  // -- where something is so -------------------------------------------------------------------------------------------

  /** Unpacked when first needed: the page opens without. */
  private get columns(): Bits {
    return (this.unpackedColumns ??= words(unpacked(this.view.graphs.columns)));
  }

  private plane(place: number, plane: number): Bits {
    const start = (place * this.view.graphs.planes + plane) * this.length;
    return this.columns.subarray(start, start + this.length);
  }

  /** What takes some work is done once. */
  private once(name: string, work: () => Bits): Bits {
    let found = this.known.get(name);
    if (found === undefined) this.known.set(name, (found = work()));
    return found;
  }

  /** Where there is an edge of any kind, or (with a symbol) that edge. */
  private edgeColumn({ x, y, symbol }: Claim): Bits {
    const place = placeOf(x, y, this.size);
    const [atY, atX] = x < y ? [this.plane(place, 0), this.plane(place, 1)] : [this.plane(place, 1), this.plane(place, 0)];
    if (symbol === "->") return without(atY, atX);
    if (symbol === "<->") return and(atX, atY);
    const undirected = this.selection ? this.plane(place, 2) : empty(this.number);
    return symbol === "--" ? undirected : or(or(atX, atY), undirected);
  }

  /** Where a is an ancestor of b. */
  private causes(a: number, b: number): Bits {
    this.ancestors ??= this.allAncestors();
    return this.ancestors[a * this.size + b] ?? empty(this.number);
  }

  /** Warshall's algorithm in all structures at once; null where it is so in none. */
  private allAncestors(): (Bits | null)[] {
    const size = this.size;
    const above: (Bits | null)[] = new Array<Bits | null>(size * size).fill(null);
    for (let a = 0; a < size; a++) {
      for (let b = a + 1; b < size; b++) {
        const there = this.edgeColumn(edgeClaim(a, "->", b));
        const back = this.edgeColumn(edgeClaim(b, "->", a));
        if (there.some(Boolean)) above[a * size + b] = there;
        if (back.some(Boolean)) above[b * size + a] = back;
      }
    }
    for (let middle = 0; middle < size; middle++) {
      for (let a = 0; a < size; a++) {
        const first = above[a * size + middle];
        if (!first) continue;
        for (let b = 0; b < size; b++) {
          const second = above[middle * size + b];
          if (!second || a === b) continue;
          const through = (above[a * size + b] ??= empty(this.number));
          for (let i = 0; i < through.length; i++) through[i]! |= first[i]! & second[i]!;
        }
      }
    }
    return above;
  }

  /** Whether the page has what it takes to suppose this. */
  decidable(one: Claim): boolean {
    return one.topic !== "confounded" || this.confounded(one) !== null;
  }

  private confounded(one: Claim): Bits | null {
    const { holds } = this.findings.of(claimOf("confounded", one.x, one.y));
    if (holds === "all" || holds === "none") return (holds === "all") === one.holds ? this.all : empty(this.number);
    const found = this.confounding.get(subject(one));
    return found === undefined ? null : this.once(key(one), () => words(unpacked(one.holds ? found.can : found.can_lack)));
  }

  /** The structures in which it can be so. */
  column(one: Claim): Bits {
    if (one.topic === "confounded") return this.confounded(one) ?? this.all;
    const found = one.topic === "causes" ? this.causes(one.x, one.y) : this.once(subject(one), () => this.edgeColumn(one));
    return one.holds ? found : without(this.all, found);
  }

  /** How many of the remaining structures have it. */
  counted(rest: Rest, one: Claim): number {
    return common(rest.bits, this.column(one));
  }

  // -- what remains ----------------------------------------------------------------------------------------------------

  /**
   * What remains under suppositions.
   *
   * A structure may allow models with and without a common cause. Of one supposed common cause (or lack of one) the
   * columns tell exactly whether a model fits; of two they tell it only where the structure leaves no choice in one of
   * them, since both must be so in the same model. Structures with two open ones count as "may remain".
   *
   * The classes are counted unless it is said that they are not wanted, which is quicker.
   */
  rest(suppositions: readonly Claim[], classes = true): Rest {
    if (suppositions.length === 0) return { bits: this.all, most: this.number, least: this.number, classes: this.view.graphs.pags };
    let bits = this.all;
    for (const one of suppositions) bits = and(bits, this.column(one));
    const most = count(bits);
    const common = suppositions.filter((one) => one.topic === "confounded");
    let least = most;
    if (common.length > 1) {
      let once = empty(this.number);
      let twice = empty(this.number);
      for (const one of common) {
        const open = this.column(opposite(one));
        twice = or(twice, and(once, open));
        once = or(once, open);
      }
      least = count(without(bits, twice));
    }
    return { bits, most, least, classes: classes ? this.classesOf(bits).length : -1 };
  }

  /** The classes that have a structure among these. */
  classesOf(bits: Bits): number[] {
    const found: number[] = [];
    let current = -1;
    for (const position of positions(bits)) {
      while (position >= (this.classStarts[current + 1] ?? Infinity)) {
        current++;
        if (position < this.classStarts[current + 1]!) found.push(current);
      }
    }
    return found;
  }

  classOf(position: number): number {
    let [low, high] = [0, this.classStarts.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.classStarts[middle]! <= position) low = middle;
      else high = middle;
    }
    return low;
  }

  /** How many structures a class holds. */
  classSize(number: number): number {
    return this.classStarts[number + 1]! - this.classStarts[number]!;
  }

  /** The bits of one class. */
  classBits(number: number): Bits {
    const bits = empty(this.number);
    for (let i = this.classStarts[number]!; i < this.classStarts[number + 1]!; i++) bits[i >>> 5]! |= 1 << (i & 31);
    return bits;
  }

  // -- one by one ------------------------------------------------------------------------------------------------------

  mag(position: number): Graph {
    const graph = new Graph(this.view.variables);
    for (const { place, x, y } of pairsOf(this.size)) {
      const [atY, atX] = [has(this.plane(place, 0), position), has(this.plane(place, 1), position)];
      if (atY || atX) graph.join(x, atX ? ARROW : TAIL, atY ? ARROW : TAIL, y);
      else if (this.selection && has(this.plane(place, 2), position)) graph.join(x, TAIL, TAIL, y);
    }
    return graph;
  }

  pag(number: number): Graph {
    const graph = new Graph(this.view.variables);
    const pairs = pairsOf(this.size);
    for (const { place, x, y } of pairs) {
      const marks = this.pagMarks[number * pairs.length + place]!;
      if (marks) graph.join(x, marks >> 2, marks & 3, y);
    }
    return graph;
  }
}

/** In which of the structures something holds, from how many have it. */
export function holdsOf(number: number, total: number): Holds {
  return total === 0 ? "unknown" : number === total ? "all" : number === 0 ? "none" : "some";
}
