// Boxes and lines as SVG. Sizes and marks are those of the figures (weft.report.scene, weft.report.canvas).
import { s } from "./dom";
import { ARROW, CIRCLE } from "./graph";
import { distance, from, outside, type Places } from "./places";
import type { Box, Point, Study } from "./view";

/** A line between two variables. */
export interface Line {
  id: string;
  x: number;
  y: number;
  markX: number;
  markY: number;
  width: number;
  /** 0 to 1: how much of the ground shines through. */
  faint: number;
  dashed: boolean;
  /** In words, for those who do not see it. */
  text: string;
  pair: number;
}

type Look = Pick<Line, "width" | "faint" | "dashed">;

/** A line of the union: the wider, the surer (0 to 1) it is; dashed and fainter if not all structures have it. */
export function unionLook(sure: number, share: number, inAll: boolean): Look {
  return { width: 0.9 + 1.9 * sure, faint: inAll ? 0 : 0.3 + 0.3 * (1 - share), dashed: !inAll };
}

/** From a confidence to how wide a line is: one that is as likely as not is as thin as can be. */
export function sureness(confidence: number): number {
  return Math.max(0, 2 * confidence - 1);
}

/** A line of one structure: dark and wide if all structures have it. */
export function structureLook(certain: boolean): Look {
  return { width: certain ? 2.2 : 1.3, faint: certain ? 0 : 0.3, dashed: false };
}

const NAME = 10; // size of a name
const LINE = 12.5; // from one line of it to the next
const BADGE = 10;
const [BADGE_STEP, BADGE_ROW, BADGES_IN_ROW] = [12, 12.5, 8];
const BORDER = 0.6; // half of the line around a box

/** What a study is called in pictures: A, B, ..., Z, then 27, 28. */
export function letter(study: number): string {
  return study < 26 ? String.fromCharCode(65 + study) : String(study + 1);
}

// -- boxes ---------------------------------------------------------------------------------------------------------------

/** A box around (0, 0): the name, and a square with a letter for each study, white where the experimenter set it. */
export function boxElement(v: number, box: Box, studies: readonly Study[], scale: number): SVGGElement {
  const [width, height] = [box.width / scale, box.height / scale];
  const own = studies.flatMap((study, i) => (study.variables.includes(v) ? [i] : []));
  const top = -height / 2 + 5;
  const names = box.lines.map((line, i) => s("text", { class: "name", x: 0, y: top + (i + 0.5) * LINE, "font-size": NAME }, line));
  const badges = own.flatMap((study, i) => {
    const row = Math.floor(i / BADGES_IN_ROW);
    const inRow = Math.min(BADGES_IN_ROW, own.length - row * BADGES_IN_ROW);
    const x = BADGE_STEP * ((i % BADGES_IN_ROW) - (inRow - 1) / 2);
    return badge(x, top + box.lines.length * LINE + 1 + BADGE / 2 + BADGE_ROW * row, study, studies[study]!.was_set.includes(v));
  });
  const frame = s("rect", { class: "frame", x: -width / 2, y: -height / 2, width, height, rx: 4 });
  return s("g", { class: "box", "data-v": v }, s("g", { transform: `scale(${scale})` }, frame, ...names, ...badges));
}

function badge(x: number, y: number, study: number, outlined: boolean): SVGElement {
  return s(
    "g",
    { class: `mark study-${study % 8}${outlined ? " outlined" : ""}` },
    s("rect", { x: x - BADGE / 2, y: y - BADGE / 2, width: BADGE, height: BADGE, rx: 2 }),
    s("text", { x, y, "font-size": 7 }, letter(study)),
  );
}

// -- lines ---------------------------------------------------------------------------------------------------------------

/** A line, the k-th of several of its pair. */
export function lineElement(line: Line, k: number, several: number, places: Places): SVGGElement {
  const { pen } = places;
  const [a, b] = [places.boxes[line.x]!, places.boxes[line.y]!];
  const first = ended(places.way(line.x, line.y, k, several), a, line.markX, line.width, pen);
  const second = ended([...first.rest].reverse(), b, line.markY, line.width, pen);
  const shape = path(second.rest);
  const width = pen * line.width;
  const both = line.markX === ARROW && line.markY === ARROW;
  return s(
    "g",
    { class: `line${both ? " both" : ""}`, "data-id": line.id, "data-pair": line.pair, opacity: 1 - line.faint },
    s("path", { class: "reach", d: shape, "stroke-width": width + 7 * pen }),
    s("path", { class: "shaft", d: shape, "stroke-width": width, "stroke-dasharray": line.dashed ? `${4.5 * pen} ${3.2 * pen}` : null }),
    mark(first, line.markX, line.width, pen),
    mark(second, line.markY, line.width, pen),
  );
}

interface End {
  /** A circle's middle, an arrowhead's tip. */
  at: Point;
  /** The line without what its mark takes. */
  rest: Point[];
}

function ended(way: Point[], box: Box, kind: number, width: number, pen: number): End {
  const length = pen * taken(kind, width);
  // A circle stands beside the box as a whole, an arrowhead touches its border.
  const back = kind === CIRCLE ? length / 2 : 0;
  const clear = from(way, (point) => outside(box, point) >= back + BORDER);
  const at = clear[0]!;
  return { at, rest: from(clear, (point) => distance(at, point) >= length - back) };
}

/** What a mark takes of a line. */
function taken(kind: number, width: number): number {
  return kind === ARROW ? 5.5 + 1.7 * width : kind === CIRCLE ? 5.6 + 0.7 * width : 0;
}

function mark(end: End, kind: number, width: number, pen: number): SVGElement | null {
  const [[x, y], [bx, by]] = [end.at, end.rest[0]!];
  if (kind === ARROW) {
    const [nx, ny] = [0.42 * (by - y), 0.42 * (x - bx)];
    return s("path", { class: "head", d: `${path([[x, y], [bx + nx, by + ny], [bx - nx, by - ny]])}Z` });
  }
  if (kind !== CIRCLE) return null;
  const line = pen * Math.min(1.6, 0.9 + 0.2 * width);
  return s("circle", { class: "circle", cx: round(x), cy: round(y), r: (pen * taken(kind, width) - line) / 2, "stroke-width": line });
}

function path(way: readonly Point[]): string {
  return `M${way.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
