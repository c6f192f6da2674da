// Where the variables stand: computed once from the union of all structures, so that graphs can be compared.
import { Graph as Layered, layout } from "@dagrejs/dagre";
import type { State } from "./state";
import { shown } from "./dom";

export interface Box {
  lines: string[];
  width: number;
  height: number;
}

export interface Place extends Box {
  x: number;
  y: number;
}

export const FONT = 14;
const LINE = 17;
const WIDEST = 20; // characters on a line
const MOST_LINES = 4;
export const BADGE = 14; // height of the row that shows the studies

/** A name on a few lines; a very long one is cut, and the page says it in full elsewhere. */
export function wrapped(text: string, most = MOST_LINES): string[] {
  const lines: string[] = [];
  let rest = shown(text).replaceAll(/\s+/g, " ");
  while (rest.length > WIDEST && lines.length < most) {
    const window = rest.slice(0, WIDEST + 1);
    const breaks = Math.max(window.lastIndexOf(" "), window.lastIndexOf("_") + 1, window.lastIndexOf("-") + 1, window.lastIndexOf("/") + 1);
    const at = breaks > WIDEST / 3 ? Math.min(breaks, WIDEST) : WIDEST;
    lines.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trimStart();
  }
  if (lines.length < most) lines.push(rest);
  else if (rest) lines[most - 1] = `${lines[most - 1]!.slice(0, WIDEST - 1)}…`;
  return lines.filter((line) => line !== "");
}

function box(text: string, measure: CanvasRenderingContext2D | null, studies: number): Box {
  const lines = wrapped(text);
  const wide = (line: string) => measure?.measureText(line).width ?? line.length * FONT * 0.6;
  const width = Math.max(44, 20 + Math.max(...lines.map(wide)), 12 + studies * (BADGE + 2));
  return { lines, width: Math.ceil(width), height: 18 + lines.length * LINE + BADGE };
}

export function places(state: State, family: string): Place[] {
  const { view } = state;
  const measure = document.createElement("canvas").getContext("2d");
  if (measure) measure.font = `${FONT}px ${family}`;
  const memberships = view.variables.map((_, v) => view.studies.filter((study) => study.variables.includes(v)).length);
  const boxes = view.variables.map((text, v) => box(text, measure, memberships[v]!));
  const graph = new Layered();
  graph.setGraph({ rankdir: "TB", nodesep: 36, ranksep: 56, edgesep: 14, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  boxes.forEach((one, v) => graph.setNode(String(v), { width: one.width, height: one.height }));
  for (const line of telling(state)) graph.setEdge(String(line.from), String(line.to), { weight: line.weight });
  layout(graph);
  const found = boxes.map((one, v) => {
    const { x, y } = graph.node(String(v)) as { x: number; y: number };
    return { ...one, x, y };
  });
  return packed(found, new Set(view.pairs.flatMap((pair) => ((pair.edges[""] ?? "none") !== "all" ? [pair.x, pair.y] : []))));
}

/** The lines that shape the picture: the most frequent, so many that layers can still show something. */
function telling(state: State): { from: number; to: number; weight: number }[] {
  const lines = state.pairs.flatMap(({ pair, shares, holds }) => {
    if (holds.get("") === "all") return [];
    const adjacent = shares ? 1 - (shares.get("") ?? 0) : holds.get("") === "none" ? 1 : 0.3;
    if (adjacent === 0) return [];
    const forth = (shares?.get("->") ?? 0) >= (shares?.get("<-") ?? 0) || pair.edges["->"] === "all";
    return [{ from: forth ? pair.x : pair.y, to: forth ? pair.y : pair.x, weight: 1 + Math.round(9 * adjacent) }];
  });
  return lines.sort((a, b) => b.weight - a.weight).slice(0, Math.max(12, 2 * state.view.variables.length));
}

/** Variables without any edge go below in rows, instead of one endless row. */
function packed(all: Place[], joined: Set<number>): Place[] {
  const apart = all.filter((_, v) => !joined.has(v));
  const rest = all.filter((_, v) => joined.has(v));
  const width = Math.max(600, ...rest.map((one) => one.x + one.width / 2));
  let top = 30 + Math.max(0, ...rest.map((one) => one.y + one.height / 2));
  let left = 0;
  let tallest = 0;
  for (const one of apart) {
    if (left > 0 && left + one.width > width) {
      [left, top, tallest] = [0, top + tallest + 20, 0];
    }
    one.x = left + one.width / 2;
    one.y = top + one.height / 2;
    left += one.width + 24;
    tallest = Math.max(tallest, one.height);
  }
  return all;
}
