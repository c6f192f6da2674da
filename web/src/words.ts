// Facts about a pair in words.
import { short } from "./dom";
import type { Supposition } from "./solutions";
import type { Symbol, View } from "./view";

export const SIGNS: Record<Symbol, string> = { "->": "→", "<-": "←", "<->": "↔", "--": "—", "": "no edge" };

export function edgeText(view: View, x: number, symbol: Symbol, y: number): string {
  const [a, b] = [short(view.variables[x]!, 20), short(view.variables[y]!, 20)];
  if (symbol === "") return `no edge between ${a} and ${b}`;
  return symbol === "<-" ? `${b}\u00a0→ ${a}` : `${a}\u00a0${SIGNS[symbol]} ${b}`;
}

export function supposition(view: View, one: Supposition): string {
  const [x, y] = [short(view.variables[one.x]!), short(view.variables[one.y]!)];
  switch (one.topic) {
    case "causes":
      return one.holds ? `${x} causes ${y}` : `${x} does not cause ${y}`;
    case "adjacent":
      return `${x} and ${y} are ${one.holds ? "" : "not "}adjacent`;
    case "confounded":
      return `${x} and ${y} are ${one.holds ? "" : "not "}confounded`;
    case "edge":
      return `${one.holds ? "" : "not "}${edgeText(view, one.x, one.symbol ?? "", one.y)}`;
  }
}

export const HOLDS = { all: "certain", some: "possible", none: "impossible", unknown: "not known" } as const;
