// Where the variables stand and how lines run: the layout that the view comes with, and what the reader moves.
import type { Box, Layout, Point } from "./view";

const SAMPLES = 20; // points on each curve
const APART = 11; // between lines of one pair

/** The rest of a way, from where it first is that far. */
export function from(way: readonly Point[], far: (point: Point) => boolean): Point[] {
  const first = way.findIndex(far);
  if (first <= 0) return first === 0 ? [...way] : way.slice(-1);
  let [low, high] = [way[first - 1]!, way[first]!];
  for (let i = 0; i < 12; i++) {
    const middle: Point = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    if (far(middle)) high = middle;
    else low = middle;
  }
  return [high, ...way.slice(first)];
}

/** How far a point is from a box; 0 inside. */
export function outside(box: Box, [x, y]: Point): number {
  return Math.hypot(Math.max(0, Math.abs(x - box.x) - box.width / 2), Math.max(0, Math.abs(y - box.y) - box.height / 2));
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/** The places of one page: all its pictures share them. */
export class Places {
  readonly boxes: Box[];
  readonly scale: number;
  /** How much larger lines and their marks are drawn. */
  readonly pen: number;
  private readonly courses: ReadonlyMap<string, readonly Point[]>;

  constructor(private readonly layout: Layout) {
    this.boxes = layout.boxes.map((box) => ({ ...box }));
    this.scale = layout.scale;
    this.pen = Math.sqrt(layout.scale);
    this.courses = new Map(layout.courses.map((course) => [`${course.x} ${course.y}`, course.points]));
  }

  /** The way of a line from x to y, the k-th of several of its pair, from inside one box to inside the other. */
  way(x: number, y: number, k = 0, several = 1): Point[] {
    if (x > y) return this.way(y, x, k, several).reverse();
    const way = this.sampled(x, y);
    const aside = (k - (several - 1) / 2) * APART * this.pen;
    if (aside === 0) return way;
    const shifted = way.map((point, i) => shift(point, way[Math.max(0, i - 1)]!, way[Math.min(way.length - 1, i + 1)]!, aside));
    shifted[0] = within(this.boxes[x]!, shifted[0]!);
    shifted[shifted.length - 1] = within(this.boxes[y]!, shifted.at(-1)!);
    return shifted;
  }

  /** What the boxes and all courses take: left, top, right, bottom. */
  extent(): [number, number, number, number] {
    const found: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
    const take = ([x, y]: Point) => {
      found.splice(0, 4, Math.min(found[0], x), Math.min(found[1], y), Math.max(found[2], x), Math.max(found[3], y));
    };
    for (const { x, y, width, height } of this.boxes) {
      take([x - width / 2, y - height / 2]);
      take([x + width / 2, y + height / 2]);
    }
    for (const { x, y } of this.layout.courses) this.sampled(x, y).forEach(take);
    return this.boxes.length ? found : [0, 0, 1, 1];
  }

  private sampled(x: number, y: number): Point[] {
    const control = this.control(x, y);
    const way: Point[] = [control[0]!];
    for (let i = 3; i < control.length; i += 3) {
      const [a, b, c, d] = [control[i - 3]!, control[i - 2]!, control[i - 1]!, control[i]!];
      for (let k = 1; k <= SAMPLES; k++) way.push(cubic(a, b, c, d, k / SAMPLES));
    }
    return way;
  }

  /** The control points; where a box was moved, its end of the line goes along. */
  private control(x: number, y: number): readonly Point[] {
    const [a, b, atHome, otherAtHome] = [this.boxes[x]!, this.boxes[y]!, this.layout.boxes[x]!, this.layout.boxes[y]!];
    const course = this.courses.get(`${x} ${y}`) ?? [0, 1 / 3, 2 / 3, 1].map((t): Point => [atHome.x + t * (otherAtHome.x - atHome.x), atHome.y + t * (otherAtHome.y - atHome.y)]);
    const moves = [a.x - atHome.x, a.y - atHome.y, b.x - otherAtHome.x, b.y - otherAtHome.y] as const;
    if (moves.every((move) => move === 0)) return course;
    return course.map(([px, py], i): Point => {
      const t = i / (course.length - 1);
      return [px + (1 - t) * moves[0] + t * moves[2], py + (1 - t) * moves[1] + t * moves[3]];
    });
  }
}

function cubic(a: Point, b: Point, c: Point, d: Point, t: number): Point {
  const u = 1 - t;
  const [p, q, r, s] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
  return [p * a[0] + q * b[0] + r * c[0] + s * d[0], p * a[1] + q * b[1] + r * c[1] + s * d[1]];
}

/** A point of a way moved to its side. */
function shift([x, y]: Point, before: Point, after: Point, aside: number): Point {
  const length = distance(before, after) || 1;
  return [x - ((after[1] - before[1]) / length) * aside, y + ((after[0] - before[0]) / length) * aside];
}

function within(box: Box, [x, y]: Point): Point {
  const [far, high] = [box.width / 2 - 4, box.height / 2 - 4];
  return [Math.max(box.x - far, Math.min(box.x + far, x)), Math.max(box.y - high, Math.min(box.y + high, y))];
}
