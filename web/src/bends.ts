// How far each line bends: so much that lines of one pair are told apart and none runs behind a third variable.
import type { Place } from "./layout";

interface Ends {
  x: number;
  y: number;
}

const STEP = 34; // between the lines of one pair
const TRIES = [0, 36, -36, 72, -72, 110, -110, 160, -160, 220, -220, 300, -300];
const SAMPLES = 24;
const ROOM = 5;

/** Finds bends, and remembers them for as long as nothing moves. */
export class Bends {
  private readonly known = new Map<string, number>();

  private readonly scale: number;

  constructor(private readonly places: readonly Place[]) {
    this.scale = places[0]?.scale ?? 1;
  }

  /** Something was moved. */
  forget(): void {
    this.known.clear();
  }

  /** The bend of each line, to the right of its direction. */
  of(lines: readonly Ends[]): number[] {
    const groups = new Map<string, number[]>();
    lines.forEach((line, i) => {
      const name = `${Math.min(line.x, line.y)} ${Math.max(line.x, line.y)}`;
      const group = groups.get(name);
      if (group) group.push(i);
      else groups.set(name, [i]);
    });
    const found = new Array<number>(lines.length).fill(0);
    for (const [name, group] of groups) {
      const { x, y } = lines[group[0]!]!;
      const spread = group.map((_, k) => (k - (group.length - 1) / 2) * STEP * this.scale);
      const base = this.base(`${name} ${group.length}`, Math.min(x, y), Math.max(x, y), spread);
      group.forEach((i, k) => (found[i] = (base + spread[k]!) * (lines[i]!.x < lines[i]!.y ? 1 : -1)));
    }
    return found;
  }

  private base(name: string, a: number, b: number, spread: readonly number[]): number {
    let found = this.known.get(name);
    if (found === undefined) {
      const tries = TRIES.map((one) => one * this.scale);
      found = tries.find((one) => spread.every((more) => free(a, b, one + more, this.places))) ?? 0;
      this.known.set(name, found);
    }
    return found;
  }
}

/** Whether the curve from a to b with that bend keeps clear of every other variable. */
function free(a: number, b: number, bend: number, places: readonly Place[]): boolean {
  const [from, to] = [places[a]!, places[b]!];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  // Cytoscape puts the control point at this distance from the middle, towards (-dy, dx) for a positive bend.
  const control = { x: (from.x + to.x) / 2 - (dy / length) * bend, y: (from.y + to.y) / 2 + (dx / length) * bend };
  const [left, right] = [Math.min(from.x, to.x, control.x), Math.max(from.x, to.x, control.x)];
  const [top, bottom] = [Math.min(from.y, to.y, control.y), Math.max(from.y, to.y, control.y)];
  return places.every((place, v) => {
    if (v === a || v === b) return true;
    const [far, high] = [place.width / 2 + ROOM, place.height / 2 + ROOM];
    if (place.x + far < left || place.x - far > right || place.y + high < top || place.y - high > bottom) return true;
    for (let i = 1; i < SAMPLES; i++) {
      const t = i / SAMPLES;
      const [p, q, r] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
      const x = p * from.x + q * control.x + r * to.x;
      const y = p * from.y + q * control.y + r * to.y;
      if (Math.abs(x - place.x) < far && Math.abs(y - place.y) < high) return false;
    }
    return true;
  });
}
