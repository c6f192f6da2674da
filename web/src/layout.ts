// Where the variables stand: computed once from the union of all structures, so that graphs can be compared.
import { Graph as Layered, layout } from "@dagrejs/dagre";
import type { State } from "./state";
import { shown } from "./dom";

export interface Box {
  lines: string[];
  width: number;
  height: number;
  /** How much larger it is drawn than usual, so that names can be read when all of a large picture is shown. */
  scale: number;
}

export interface Place extends Box {
  x: number;
  y: number;
}

export const FONT = 14;
const LINE = 17;
const WIDEST = [20, 30]; // characters on a line
const MOST_LINES = 4;
export const BADGE = 14; // height of the row that shows the studies
const SCALES = [1, 1.8, 3.2];
const READABLE = 12; // pixels of a letter on a usual screen
const USUAL = { width: 780, height: 420 }; // of a picture on it

/** A name on a few lines; a very long one is cut, and the page says it in full elsewhere. */
function wrapped(text: string, widest: number): string[] {
  const lines: string[] = [];
  let rest = shown(text).replaceAll(/\s+/g, " ");
  while (rest.length > widest && lines.length < MOST_LINES) {
    const window = rest.slice(0, widest + 1);
    const breaks = Math.max(window.lastIndexOf(" "), window.lastIndexOf("_") + 1, window.lastIndexOf("-") + 1, window.lastIndexOf("/") + 1);
    const at = breaks > widest / 3 ? Math.min(breaks, widest) : widest;
    lines.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trimStart();
  }
  if (lines.length < MOST_LINES) lines.push(rest);
  else if (rest) lines[MOST_LINES - 1] = `${lines[MOST_LINES - 1]!.slice(0, widest - 1)}…`;
  return lines.filter((line) => line !== "");
}

function box(text: string, measure: CanvasRenderingContext2D | null, studies: number, { scale, widest }: Shape): Box {
  const lines = wrapped(text, widest);
  const wide = (line: string) => measure?.measureText(line).width ?? line.length * FONT * 0.6;
  const width = Math.max(44, 20 + Math.max(...lines.map(wide)), 12 + studies * (BADGE + 2));
  return { lines, width: Math.ceil(scale * width), height: scale * (18 + lines.length * LINE + BADGE), scale };
}

/** How the boxes are made. */
interface Shape {
  scale: number;
  widest: number;
}

/** The places, with boxes such that the names can be read when everything is in sight. */
export function places(state: State, family: string): Place[] {
  let best: { places: Place[]; letters: number } | null = null;
  const long = state.view.variables.some((text) => text.length > WIDEST[0]!);
  const shapes = SCALES.flatMap((scale) => (long ? WIDEST : WIDEST.slice(0, 1)).map((widest) => ({ scale, widest })));
  for (const shape of shapes) {
    const found = placed(state, family, shape);
    const letters = FONT * shape.scale * shrunk(found);
    if (!best || letters > best.letters) best = { places: found, letters };
    if (letters >= READABLE) break;
  }
  return best!.places;
}

/** By how much a picture must be made smaller to fit. */
function shrunk(all: Place[]): number {
  const extent = (at: (one: Place) => number, size: (one: Place) => number) =>
    Math.max(...all.map((one) => at(one) + size(one) / 2)) - Math.min(...all.map((one) => at(one) - size(one) / 2));
  return Math.min(USUAL.width / extent((one) => one.x, (one) => one.width), USUAL.height / extent((one) => one.y, (one) => one.height));
}

function placed(state: State, family: string, shape: Shape): Place[] {
  const { view } = state;
  const { scale } = shape;
  const measure = document.createElement("canvas").getContext("2d");
  if (measure) measure.font = `${FONT}px ${family}`;
  const memberships = view.variables.map((_, v) => view.studies.filter((study) => study.variables.includes(v)).length);
  const boxes = view.variables.map((text, v) => box(text, measure, memberships[v]!, shape));
  const graph = new Layered();
  graph.setGraph({ rankdir: "TB", nodesep: 36 / scale, ranksep: 56 / Math.sqrt(scale), edgesep: 14 / scale, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  boxes.forEach((one, v) => graph.setNode(String(v), { width: one.width, height: one.height }));
  for (const line of telling(state)) graph.setEdge(String(line.from), String(line.to), { weight: line.weight });
  layout(graph);
  const found = folded(
    boxes.map((one, v) => {
      const { x, y } = graph.node(String(v)) as { x: number; y: number };
      return { ...one, x, y };
    }),
  );
  stretched(found);
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

/** A layer that is far wider than the rest would allow is laid in several rows, so that names stay readable. */
function folded(all: Place[]): Place[] {
  const area = all.reduce((sum, one) => sum + (one.width + 60) * (one.height + 90), 0);
  const widest = Math.max(700, 1.5 * Math.sqrt(area));
  const layers = new Map<number, Place[]>();
  for (const one of all) layers.set(Math.round(one.y), [...(layers.get(Math.round(one.y)) ?? []), one]);
  let down = 0;
  for (const [, layer] of [...layers].sort(([a], [b]) => a - b)) {
    layer.sort((a, b) => a.x - b.x);
    const needed = layer.reduce((sum, one) => sum + one.width + 36, 0);
    const rows = Math.ceil(needed / widest);
    const step = 64 + Math.max(...layer.map((one) => one.height));
    layer.forEach((one, i) => (one.y += down + (i % rows) * step));
    if (rows > 1) {
      // Neighbours go to different rows and close ranks.
      const each = Math.ceil(layer.length / rows);
      const pitch = Math.max(...layer.map((one) => one.width)) + 36;
      layer.forEach((one, i) => (one.x = (Math.floor(i / rows) + 0.5 + (i % rows) / rows - each / 2) * pitch + middle(all)));
    }
    down += (rows - 1) * step;
  }
  return all;
}

/** A flat picture is drawn out, since what it is shown on is not flat. */
function stretched(all: Place[]): void {
  const extent = (values: number[]) => Math.max(...values) - Math.min(...values);
  const [width, height] = [extent(all.map((one) => one.x)), extent(all.map((one) => one.y))];
  if (height === 0 || width < 900) return;
  const factor = Math.min(2, Math.max(1, (0.52 * width) / height));
  for (const one of all) one.y *= factor;
}

function middle(all: Place[]): number {
  return (Math.min(...all.map((one) => one.x)) + Math.max(...all.map((one) => one.x))) / 2;
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
