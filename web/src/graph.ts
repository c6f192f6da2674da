// A graph with a mark at either end of each edge, as weft.graphs.mixed has it.
import type { Symbol } from "./view";

export const NONE = 0;
export const CIRCLE = 1;
export const ARROW = 2;
export const TAIL = 3;

export interface Edge {
  x: number;
  markX: number;
  markY: number;
  y: number;
}

export class Graph {
  /** Entry (a, b) is the mark at b of the edge between a and b. */
  readonly marks: Uint8Array;

  constructor(readonly names: readonly string[]) {
    this.marks = new Uint8Array(names.length * names.length);
  }

  get size(): number {
    return this.names.length;
  }

  join(x: number, markX: number, markY: number, y: number): void {
    this.marks[y * this.size + x] = markX;
    this.marks[x * this.size + y] = markY;
  }

  mark(x: number, y: number): number {
    return this.marks[x * this.size + y]!;
  }

  /** Every edge once, in the order of the names; an edge with one arrowhead is read towards it. */
  edges(): Edge[] {
    const found: Edge[] = [];
    for (let a = 0; a < this.size; a++) {
      for (let b = a + 1; b < this.size; b++) {
        const [markA, markB] = [this.mark(b, a), this.mark(a, b)];
        if (markA === NONE) continue;
        if (markA === ARROW && markB !== ARROW) found.push({ x: b, markX: markB, markY: markA, y: a });
        else found.push({ x: a, markX: markA, markY: markB, y: b });
      }
    }
    return found;
  }

  isolated(): number[] {
    return [...this.names.keys()].filter((a) => this.names.every((_, b) => this.mark(a, b) === NONE));
  }

  uses(mark: number): boolean {
    return this.marks.includes(mark);
  }
}

const LEFT = ["", "o", "<", "-"];
const RIGHT = ["", "o", ">", "-"];

/** ``->``, ``<->``, ``o->`` and so on. */
export function symbol(edge: Edge): string {
  const plain = edge.markX !== CIRCLE && edge.markY !== CIRCLE;
  if (plain && edge.markX === TAIL) return edge.markY === ARROW ? "->" : "--";
  if (plain && edge.markY === TAIL) return "<-";
  return `${LEFT[edge.markX]}-${RIGHT[edge.markY]}`;
}

/** The edge in three signs: ``-->``, ``---``, ``o->``. */
export function longSymbol(edge: Edge): string {
  return `${LEFT[edge.markX]}-${RIGHT[edge.markY]}`;
}

/** The marks at x and at y. */
export const MARKS: Record<Symbol, [number, number]> = {
  "->": [TAIL, ARROW],
  "<->": [ARROW, ARROW],
  "--": [TAIL, TAIL],
};

// What Python's \w and \d mean. Letters are all that \w has beyond digits and the underscore.
const PLAIN = /^(?:[\p{L}\p{Nl}\p{No}](?:[\p{L}\p{N}_./:+]|-(?![->]))*|\p{Nd}[\p{L}\p{N}_./:+]*|_[\p{L}\p{N}_]*)(?<![-:])$/u;
const MISREAD = new Set(["o-o", "nothing", "no", "among"]);
const UNPRINTABLE = /(?! )[\p{C}\p{Z}]/gu;

/** A name as text spells it: in double quotes if it could be misread. The same as weft.reading.names.quote. */
export function quote(name: string): string {
  if (PLAIN.test(name) && !MISREAD.has(name)) return name;
  return `"${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replace(UNPRINTABLE, escaped)}"`;
}

function escaped(character: string): string {
  if (character === "\n") return "\\n";
  const number = character.codePointAt(0)!.toString(16);
  return number.length > 4 ? `\\U${number.padStart(8, "0")}` : `\\u${number.padStart(4, "0")}`;
}
