// The structures of the page: which have what, and which remain under suppositions.
import { and, type Bits, common, count, empty, full, has, or, positions, unpacked, without, words } from "./bits";
import { ARROW, Graph, TAIL } from "./graph";
import type { Holds, Pair, Symbol, View } from "./view";

export type Topic = "causes" | "adjacent" | "confounded" | "edge";

/** Something that is supposed of two variables. */
export interface Supposition {
  topic: Topic;
  x: number;
  y: number;
  holds: boolean;
  /** For an edge: which, read from x. */
  symbol?: Symbol;
}

export function key(one: Supposition): string {
  return [one.topic, one.x, one.y, one.holds, one.symbol ?? ""].join(" ");
}

export function opposite(one: Supposition): Supposition {
  return { ...one, holds: !one.holds };
}

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
  readonly symbols: Symbol[];
  /** For each class the position of its first structure, and at the end the number of structures. */
  readonly classStarts: Uint32Array;
  private unpackedColumns: Bits | null = null;
  private readonly length: number;
  private readonly pagMarks: Uint8Array;
  private readonly edgeColumns = new Map<string, Bits>();
  private readonly confounding: Map<number, { can: string; can_lack: string }>;
  private readonly commonCauses = new Map<string, Bits>();
  private ancestors: (Bits | null)[] | null = null;

  constructor(readonly view: View) {
    this.size = view.variables.length;
    this.number = view.graphs.mags;
    this.complete = view.graphs.complete;
    this.symbols = view.graphs.planes === 3 ? ["->", "<-", "<->", "--", ""] : ["->", "<-", "<->", ""];
    this.all = full(this.number);
    this.length = this.all.length;
    this.pagMarks = unpacked(view.graphs.pag_marks);
    this.classStarts = new Uint32Array(view.graphs.class_sizes.length + 1);
    view.graphs.class_sizes.forEach((size, i) => (this.classStarts[i + 1] = this.classStarts[i]! + size));
    this.confounding = new Map(view.graphs.confounding.map((one) => [one.pair, one]));
  }

  /** The position of a pair among the pairs. */
  place(x: number, y: number): number {
    const [a, b] = x < y ? [x, y] : [y, x];
    return a * this.size - (a * (a + 1)) / 2 + (b - a - 1);
  }

  pair(x: number, y: number): Pair {
    return this.view.pairs[this.place(x, y)]!;
  }

  /** Unpacked when first needed: the page opens without. */
  private get columns(): Bits {
    return (this.unpackedColumns ??= words(unpacked(this.view.graphs.columns)));
  }

  private plane(place: number, plane: number): Bits {
    const start = (place * this.view.graphs.planes + plane) * this.length;
    return this.columns.subarray(start, start + this.length);
  }

  /** Where a pair has an edge, read from its first variable. */
  edge(place: number, symbol: Symbol): Bits {
    const name = `${place} ${symbol}`;
    let found = this.edgeColumns.get(name);
    if (found === undefined) this.edgeColumns.set(name, (found = this.edgeColumn(place, symbol)));
    return found;
  }

  private edgeColumn(place: number, symbol: Symbol): Bits {
    const [atY, atX] = [this.plane(place, 0), this.plane(place, 1)];
    if (symbol === "->") return without(atY, atX);
    if (symbol === "<-") return without(atX, atY);
    if (symbol === "<->") return and(atX, atY);
    const undirected = this.view.graphs.planes === 3 ? this.plane(place, 2) : empty(this.number);
    return symbol === "--" ? undirected : without(this.all, or(or(atX, atY), undirected));
  }

  /** Where a is an ancestor of b. */
  causes(a: number, b: number): Bits {
    this.ancestors ??= this.allAncestors();
    return this.ancestors[a * this.size + b] ?? empty(this.number);
  }

  /** Warshall's algorithm in all structures at once; null where it is so in none. */
  private allAncestors(): (Bits | null)[] {
    const size = this.size;
    const above: (Bits | null)[] = new Array<Bits | null>(size * size).fill(null);
    for (let a = 0; a < size; a++) {
      for (let b = a + 1; b < size; b++) {
        const there = this.edge(this.place(a, b), "->");
        const back = this.edge(this.place(a, b), "<-");
        if (there.some(Boolean)) above[a * size + b] = there.slice();
        if (back.some(Boolean)) above[b * size + a] = back.slice();
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

  /** What the view itself says of it, which holds also where not all structures are here. */
  said(one: Supposition): Holds {
    const pair = this.pair(one.x, one.y);
    const forth = one.x === pair.x;
    const turned: Symbol = one.symbol === "->" ? "<-" : one.symbol === "<-" ? "->" : (one.symbol ?? "");
    const found = {
      causes: forth ? pair.causes : pair.caused,
      confounded: pair.confounded,
      adjacent: reversed(pair.edges[""] ?? "none"),
      edge: pair.edges[forth ? (one.symbol ?? "") : turned] ?? "none",
    }[one.topic];
    return one.holds ? found : reversed(found);
  }

  /** Whether the page has what it takes to suppose this. */
  decidable(one: Supposition): boolean {
    return one.topic !== "confounded" || this.confounded(one) !== null;
  }

  private confounded(one: Supposition): Bits | null {
    const place = this.place(one.x, one.y);
    const holds = this.view.pairs[place]!.confounded;
    if (holds === "all" || holds === "none") return (holds === "all") === one.holds ? this.all : empty(this.number);
    const found = this.confounding.get(place);
    if (found === undefined) return null;
    const name = `${place} ${one.holds}`;
    let bits = this.commonCauses.get(name);
    if (bits === undefined) this.commonCauses.set(name, (bits = words(unpacked(one.holds ? found.can : found.can_lack))));
    return bits;
  }

  /** The structures in which it can be so. */
  column(one: Supposition): Bits {
    if (one.topic === "confounded") return this.confounded(one) ?? this.all;
    const place = this.place(one.x, one.y);
    if (one.topic === "adjacent") return one.holds ? without(this.all, this.edge(place, "")) : this.edge(place, "");
    const found = one.topic === "causes" ? this.causes(one.x, one.y) : this.edge(place, one.symbol ?? "");
    return one.holds ? found : without(this.all, found);
  }

  /**
   * What remains under suppositions.
   *
   * A structure may allow models with and without a common cause. Of one supposed common cause (or lack of one) the
   * columns tell exactly whether a model fits; of two they tell it only where the structure leaves no choice in one of
   * them, since both must be so in the same model. Structures with two open ones count as "may remain".
   *
   * The classes are counted unless it is said that they are not wanted, which is quicker.
   */
  rest(suppositions: readonly Supposition[], classes = true): Rest {
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

  mag(position: number): Graph {
    const graph = new Graph(this.view.variables);
    this.view.pairs.forEach((pair, place) => {
      const [atY, atX] = [has(this.plane(place, 0), position), has(this.plane(place, 1), position)];
      if (atY || atX) graph.join(pair.x, atX ? ARROW : TAIL, atY ? ARROW : TAIL, pair.y);
      else if (this.view.graphs.planes === 3 && has(this.plane(place, 2), position)) graph.join(pair.x, TAIL, TAIL, pair.y);
    });
    return graph;
  }

  pag(number: number): Graph {
    const graph = new Graph(this.view.variables);
    const start = number * this.view.pairs.length;
    this.view.pairs.forEach((pair, place) => {
      const marks = this.pagMarks[start + place]!;
      if (marks) graph.join(pair.x, marks >> 2, marks & 3, pair.y);
    });
    return graph;
  }

  /** How many of the remaining structures have an edge, or a cause. */
  counted(rest: Rest, fact: { place: number; symbol: Symbol } | { cause: number; effect: number }): number {
    return common(rest.bits, "place" in fact ? this.edge(fact.place, fact.symbol) : this.causes(fact.cause, fact.effect));
  }
}

function reversed(holds: Holds): Holds {
  return holds === "all" ? "none" : holds === "none" ? "all" : holds;
}

/** In which of the structures something holds, from how many have it. */
export function holdsOf(number: number, total: number): Holds {
  return total === 0 ? "unknown" : number === total ? "all" : number === 0 ? "none" : "some";
}
