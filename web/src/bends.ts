// How far each line bends: so much that lines of one pair are told apart and none runs behind a third variable.
import type { Place } from "./layout";

interface Ends {
  x: number;
  y: number;
}

const STEP = 34; // between the lines of one pair
const TRIES = [0, 36, -36, 72, -72, 110, -110, 160, -160, 220, -220];
const SAMPLES = 24;
const ROOM = 5;

/** The bend of each line, to the right of its direction. */
export function bent(lines: readonly Ends[], places: readonly Place[]): number[] {
  const groups = new Map<string, number[]>();
  lines.forEach((line, i) => {
    const name = `${Math.min(line.x, line.y)} ${Math.max(line.x, line.y)}`;
    const group = groups.get(name);
    if (group) group.push(i);
    else groups.set(name, [i]);
  });
  const found = new Array<number>(lines.length).fill(0);
  for (const group of groups.values()) {
    const { x, y } = lines[group[0]!]!;
    const [a, b] = x < y ? [x, y] : [y, x];
    const spread = group.map((_, k) => (k - (group.length - 1) / 2) * STEP);
    const base = TRIES.find((one) => spread.every((more) => free(a, b, one + more, places))) ?? 0;
    group.forEach((i, k) => (found[i] = (base + spread[k]!) * (lines[i]!.x < lines[i]!.y ? 1 : -1)));
  }
  return found;
}

/** Whether the curve from a to b with that bend keeps clear of every other variable. */
function free(a: number, b: number, bend: number, places: readonly Place[]): boolean {
  const [from, to] = [places[a]!, places[b]!];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  // Cytoscape puts the control point at this distance from the middle, towards (-dy, dx) for a positive bend.
  const control = { x: (from.x + to.x) / 2 - (dy / length) * bend, y: (from.y + to.y) / 2 + (dx / length) * bend };
  return places.every((place, v) => {
    if (v === a || v === b) return true;
    for (let i = 1; i < SAMPLES; i++) {
      const t = i / SAMPLES;
      const [p, q, r] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
      const x = p * from.x + q * control.x + r * to.x;
      const y = p * from.y + q * control.y + r * to.y;
      if (Math.abs(x - place.x) < place.width / 2 + ROOM && Math.abs(y - place.y) < place.height / 2 + ROOM) return false;
    }
    return true;
  });
}
