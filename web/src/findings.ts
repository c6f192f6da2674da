// Claims about two variables, and what a view says of them. The vocabulary is that of weft.solutions.findings.
import type { Finding, Holds, Symbol, Topic, View } from "./view";

/** Something about two variables. That they have no edge is that they are adjacent, denied. */
export interface Claim {
  topic: Topic;
  x: number;
  y: number;
  holds: boolean;
  /** For an edge: which. */
  symbol?: Symbol;
}

/** What is known of a claim. */
export type Known = Pick<Finding, "holds" | "share" | "again" | "confidence">;

// -- claims --------------------------------------------------------------------------------------------------------------

export function edgeClaim(x: number, symbol: Symbol, y: number): Claim {
  return { topic: "edge", x, y, holds: true, symbol };
}

export function claimOf(topic: Exclude<Topic, "edge">, x: number, y: number): Claim {
  return { topic, x, y, holds: true };
}

/** The edges that two variables may have. */
export function edgesOf(x: number, y: number, selection: boolean): Claim[] {
  return [edgeClaim(x, "->", y), edgeClaim(y, "->", x), edgeClaim(x, "<->", y), ...(selection ? [edgeClaim(x, "--", y)] : [])];
}

/** The same, and that they have none: one of these is so in each structure. */
export function alternatives(x: number, y: number, selection: boolean): Claim[] {
  return [...edgesOf(x, y, selection), opposite(claimOf("adjacent", x, y))];
}

export function opposite(claim: Claim): Claim {
  return { ...claim, holds: !claim.holds };
}

/** The one way in which a claim is looked up. */
export function key(claim: Claim): string {
  return `${claim.holds ? "" : "not "}${subject(claim)}`;
}

/** The same whether it is claimed or denied. */
export function subject({ topic, x, y, symbol }: Omit<Claim, "holds">): string {
  const what = symbol === undefined ? topic : `${topic} ${symbol}`;
  const directed = topic === "causes" || symbol === "->";
  return directed || x < y ? `${what} ${x} ${y}` : `${what} ${y} ${x}`;
}

// -- what is known of them -----------------------------------------------------------------------------------------------

export class Findings {
  private readonly listed: Map<string, Finding>;
  private readonly inNone: Known;

  constructor(private readonly view: Pick<View, "findings" | "graphs" | "consistent" | "bootstrap">) {
    this.listed = new Map(view.findings.map((one) => [subject(one), one]));
    const weighed = view.findings.some((one) => one.confidence !== null);
    this.inNone = { holds: "none", share: view.graphs.mags ? 0 : null, again: view.bootstrap?.[1] ? [0, 0, 1] : null, confidence: weighed ? 0 : null };
  }

  /** What the view says of a claim; what it does not list holds in no structure. */
  of(claim: Claim): Known {
    const found = this.listed.get(subject(claim)) ?? (claim.topic === "confounded" ? { ...this.inNone, share: null } : this.inNone);
    // Where there is no structure, the opposite holds in none either.
    return claim.holds || this.view.consistent === false ? found : denied(found);
  }
}

/** What is known of the opposite. */
export function denied({ holds, share, again, confidence }: Known): Known {
  return { holds: reversed(holds), share: less(share), again: again && [again[2], again[1], again[0]], confidence: less(confidence) };
}

function less(part: number | null): number | null {
  return part === null ? null : 1 - part;
}

function reversed(holds: Holds): Holds {
  return holds === "all" ? "none" : holds === "none" ? "all" : holds;
}
