// The pairs of variables, in the order in which the page counts them.
import type { Study } from "./view";

export interface Pair {
  /** Its position among the pairs. */
  place: number;
  x: number;
  y: number;
}

/** Every pair, the smaller position first. */
export function pairsOf(size: number): Pair[] {
  const found: Pair[] = [];
  for (let x = 0; x < size; x++) {
    for (let y = x + 1; y < size; y++) found.push({ place: found.length, x, y });
  }
  return found;
}

/** The position of a pair among the pairs. */
export function placeOf(x: number, y: number, size: number): number {
  const [a, b] = x < y ? [x, y] : [y, x];
  return a * size - (a * (a + 1)) / 2 + (b - a - 1);
}

/** The studies that measured both. */
export function studiesOf({ x, y }: Pair, studies: readonly Study[]): number[] {
  return [...studies.keys()].filter((study) => [x, y].every((v) => studies[study]!.variables.includes(v)));
}
