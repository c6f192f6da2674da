// Claims in words.
import { short } from "./dom";
import type { Claim } from "./findings";
import type { Holds, Reason, Symbol, View } from "./view";

const SIGNS: Record<Symbol, string> = { "->": "→", "<->": "↔", "--": "—" };

/** How two variables are joined, read from the one that comes first; "no edge" where the claim is not about an edge. */
export function sign({ x, y, symbol }: Claim): string {
  return symbol === undefined ? "no edge" : symbol === "->" && x > y ? "←" : SIGNS[symbol];
}

function names(view: View, { x, y }: Claim, most: number): [string, string] {
  return [short(view.variables[x]!, most), short(view.variables[y]!, most)];
}

/** A claim as it stands in a row of a pair that is named above. */
export function briefly(view: View, claim: Claim, most = 20): string {
  const [x, y] = names(view, claim, most);
  switch (claim.topic) {
    case "causes":
      return `${x} causes ${y}`;
    case "confounded":
      return "common cause (confounded)";
    case "adjacent":
      return claim.holds ? "adjacent" : "no edge";
    case "edge":
      return `${x} ${SIGNS[claim.symbol!]} ${y}`;
  }
}

/** A claim as it stands alone. */
export function inFull(view: View, claim: Claim): string {
  const [x, y] = names(view, claim, 22);
  const not = claim.holds ? "" : "not ";
  switch (claim.topic) {
    case "causes":
      return claim.holds ? `${x} causes ${y}` : `${x} does not cause ${y}`;
    case "adjacent":
    case "confounded":
      return `${x} and ${y} are ${not}${claim.topic}`;
    case "edge":
      return `${not}${briefly(view, claim)}`;
  }
}

export const HOLDS = { all: "in all", some: "in some", none: "in none", unknown: "not known" } as const;

/** What is settled in a word: "certain" only where it does not rest on data. */
export function verdictWord({ verdict, weakest }: Reason): string {
  const settled = weakest === null;
  switch (verdict) {
    case "certain":
      return settled ? "certain" : HOLDS.all;
    case "impossible":
      return settled ? "impossible" : HOLDS.none;
    case "possible":
      return settled ? "open" : "likely";
    case "unknown":
      return HOLDS.unknown;
    case "contradiction":
      return "contradiction";
  }
}

export function verdictClass(holds: Holds): string {
  return `verdict ${holds}`;
}
