// What the reader has chosen, and what follows from it; the parts of the page listen.
import { empty } from "./bits";
import { type Claim, denied, type Findings, key, type Known, opposite, subject } from "./findings";
import { type Pair, pairsOf, placeOf } from "./pairs";
import { holdsOf, type Rest, Solutions } from "./solutions";
import type { Effect, Holds, NextSteps, Part, Reason, View } from "./view";

/** What is known of a claim under the suppositions. */
export type KnownNow = Pick<Known, "holds" | "share" | "confidence">;

/** The view of some suppositions, and its structures. */
export interface Base {
  suppositions: readonly Claim[];
  view: View;
  solutions: Solutions;
  /** How many structures there are, and whether there are no more. */
  counted: readonly [number, boolean];
}

/** What was told of some suppositions; what is undefined was not asked yet. */
export interface Told {
  base?: Base;
  /** Whether the base has as many structures as there will ever be. */
  patient: boolean;
  next?: NextSteps | null;
  reasons: Map<number, Reason[]>;
  /** Of a pair, one on the other and the other way; null if they cannot be told. */
  effects: Map<number, Effect[] | null>;
}

/** What can be said of suppositions: the structures of a base, those of them that remain, and how good that is. */
interface Standing {
  base: Base;
  beyond: Claim[];
  rest: Rest;
  /** Whether these are all structures that remain and no others. */
  exact: boolean;
}

type Listener = (what: "suppositions" | "selection" | "theme" | "asked") => void;

const KEPT = 60; // suppositions of which the answers are kept

export class State {
  suppositions: Claim[] = [];
  standing: Standing;
  readonly pairs: readonly Pair[];
  /** Those of the evidence alone. */
  readonly findings: Findings;
  selected: number | null = null;
  /** What is being asked, and what went wrong with it; "" if nothing. */
  asking = "";
  trouble = "";
  private readonly told = new Map<string, Told>();
  private readonly known = new Map<string, KnownNow>();
  private readonly past: Claim[][] = [];
  private readonly listeners: Listener[] = [];

  /** The view is that of no supposition; live means that a solver can be asked about others. */
  constructor(
    readonly view: View,
    readonly live = false,
  ) {
    const reasons = new Map<number, Reason[]>();
    for (const reason of view.reasons) {
      const place = placeOf(reason.x, reason.y, view.variables.length);
      reasons.set(place, [...(reasons.get(place) ?? []), reason]);
    }
    const { mags, complete, drawn_from: drawn } = view.graphs;
    const base: Base = { suppositions: [], view, solutions: new Solutions(view), counted: drawn?.exact ? [drawn.mags, true] : [mags, complete] };
    this.told.set("", { base, patient: true, next: view.next_steps, reasons, effects: new Map() });
    this.standing = this.stands([]);
    this.findings = base.solutions.findings;
    this.pairs = pairsOf(view.variables.length);
  }

  // -- for the parts ---------------------------------------------------------------------------------------------------

  get base(): Base {
    return this.standing.base;
  }

  get solutions(): Solutions {
    return this.standing.base.solutions;
  }

  get rest(): Rest {
    return this.standing.rest;
  }

  /** Whether what is shown is only as much as can be said before the solver has answered. */
  get provisional(): boolean {
    return this.live && !this.standing.exact && this.standing.beyond.length > 0;
  }

  /** Whether no structure remains. */
  get gone(): boolean {
    const { base, rest, exact } = this.standing;
    return base.view.consistent === false || (rest.most === 0 && (this.live ? exact : base.solutions.number > 0));
  }

  /** How many structures remain, at least and at most; without a solver it is about those that are shipped. */
  get bounds(): [number, number] {
    const { base, beyond, rest, exact } = this.standing;
    if (!this.live || exact) return [rest.least, rest.most];
    if (beyond.length === 0) return [Math.max(base.counted[0], base.view.consistent ? 1 : 0), base.counted[1] ? base.counted[0] : Infinity];
    const decided = beyond.every((one) => base.solutions.decidable(one));
    return [decided ? rest.least : 0, base.solutions.complete ? rest.most : Infinity];
  }

  /** What is known of a claim under the suppositions. */
  now(claim: Claim): KnownNow {
    const name = subject(claim);
    let found = this.known.get(name);
    if (found === undefined) this.known.set(name, (found = this.workedOut(claim.holds ? claim : opposite(claim))));
    return claim.holds ? found : denied({ ...found, again: null });
  }

  /** What to do next under the suppositions; undefined if it is not known yet. */
  get next(): NextSteps | null | undefined {
    return this.live ? this.toldOf(this.suppositions).next : this.view.next_steps;
  }

  /** Why a pair is as it is; undefined if it is not known yet. */
  reasons(place: number): Reason[] | undefined {
    return this.toldOf(this.live ? this.suppositions : []).reasons.get(place);
  }

  /** How large the effects of a pair are; undefined if that is not known yet, null if it cannot be told. */
  effects(place: number): Effect[] | null | undefined {
    if (this.live && this.view.effects !== null) return this.toldOf(this.suppositions).effects.get(place);
    const { x, y } = this.pairs[place]!;
    return this.view.effects && this.view.effects.filter((one) => (one.x === x && one.y === y) || (one.x === y && one.y === x));
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  tell(what: Parameters<Listener>[0]): void {
    for (const listener of this.listeners) listener(what);
  }

  // -- what the reader does --------------------------------------------------------------------------------------------

  select(place: number | null): void {
    this.selected = place;
    this.tell("selection");
  }

  supposes(one: Claim): boolean {
    return this.suppositions.some((other) => key(other) === key(one));
  }

  /** Suppose something, or take it back; what contradicts it outright is taken back too. */
  toggle(one: Claim): void {
    const others = this.suppositions.filter((other) => key(other) !== key(one));
    if (others.length < this.suppositions.length) return this.suppose(others);
    const reversed = key(opposite(one));
    this.suppose([...others.filter((other) => key(other) !== reversed), one]);
  }

  suppose(next: Claim[]): void {
    this.past.push(this.suppositions);
    this.change(next);
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  undo(): void {
    const last = this.past.pop();
    if (last !== undefined) this.change(last);
  }

  private change(next: Claim[]): void {
    this.suppositions = next;
    this.follow();
  }

  private follow(): void {
    this.standing = this.stands(this.suppositions);
    this.known.clear();
    this.tell("suppositions");
  }

  /**
   * How many structures would remain with one more supposition (or without it, if it is made already); null if that
   * cannot be told without asking.
   */
  wouldRemain(one: Claim): Rest | null {
    const others = this.suppositions.filter((other) => subject(other) !== subject(one));
    if (this.live) return this.exactly([...others, one], false)?.rest ?? null;
    return this.solutions.decidable(one) ? this.solutions.rest([...others, one], false) : null;
  }

  // -- what the solver told --------------------------------------------------------------------------------------------

  /** The page's own account of what was told of some suppositions. */
  toldOf(suppositions: readonly Claim[]): Told {
    const name = nameOf(suppositions);
    const found = this.told.get(name) ?? { patient: false, reasons: new Map(), effects: new Map() };
    if (name === "") return found;
    this.told.delete(name);
    this.told.set(name, found); // the last used is last, and the first is the view that the page came with
    if (this.told.size > KEPT) this.told.delete([...this.told.keys()][1]!);
    return found;
  }

  /** Take up what the solver says of some suppositions. */
  learn(suppositions: readonly Claim[], part: Part, counted: readonly [number, boolean], patient: boolean): void {
    const view = { ...this.view, ...part };
    Object.assign(this.toldOf(suppositions), { base: { suppositions, view, solutions: new Solutions(view), counted }, patient });
    this.follow();
  }

  // -- what follows from it --------------------------------------------------------------------------------------------

  /** The best that can be said of suppositions without asking. */
  private stands(suppositions: readonly Claim[]): Standing {
    const own = this.told.get(nameOf(suppositions))?.base;
    const found = this.exactly(suppositions, true);
    if (found) return found;
    if (own) return { base: own, beyond: [], rest: own.solutions.rest([]), exact: false };
    const [base, beyond] = this.below(suppositions)[0]!;
    return { base, beyond, rest: base.solutions.rest(beyond), exact: false };
  }

  /** The same where it leaves nothing open, else null. */
  private exactly(suppositions: readonly Claim[], classes: boolean): Standing | null {
    for (const [base, beyond] of this.below(suppositions)) {
      // Of what is impossible nothing remains, even if the structures are too many to be here.
      if (this.live && beyond.some((one) => base.solutions.findings.of(one).holds === "none")) {
        return { base, beyond, rest: { bits: empty(base.solutions.number), most: 0, least: 0, classes: 0 }, exact: true };
      }
      if (!base.solutions.complete || !beyond.every((one) => base.solutions.decidable(one))) continue;
      const rest = base.solutions.rest(beyond, classes);
      if (rest.least === rest.most) return { base, beyond, rest, exact: true };
    }
    return null;
  }

  /** The bases of fewer suppositions (or the same), with what they lack; the complete ones first, then the nearest. */
  private below(suppositions: readonly Claim[]): [Base, Claim[]][] {
    const wanted = new Set(suppositions.map(key));
    const bases = [...this.told.values()].flatMap(({ base }) => (base?.suppositions.every((one) => wanted.has(key(one))) ? [base] : []));
    bases.sort((a, b) => Number(b.solutions.complete) - Number(a.solutions.complete) || b.suppositions.length - a.suppositions.length);
    return bases.map((base) => {
      const made = new Set(base.suppositions.map(key));
      return [base, suppositions.filter((one) => !made.has(key(one)))];
    });
  }

  private workedOut(claim: Claim): KnownNow {
    const { base, beyond, rest, exact } = this.standing;
    if (this.gone) return { holds: "unknown", share: null, confidence: null };
    // Which structures have a common cause is not counted: one may allow models with and without.
    if (claim.topic === "confounded") {
      const known = (this.told.get(nameOf(this.suppositions))?.base ?? base).solutions.findings.of(claim);
      return this.suppositions.length ? { ...known, confidence: null } : known;
    }
    const before = base.solutions.findings.of(claim);
    // Before the solver has answered, what is known without the last suppositions is better than nothing.
    const nothing = rest.most === 0 && this.live && !exact;
    if (beyond.length === 0 || nothing) return this.suppositions.length ? { ...before, confidence: null } : before;
    const number = base.solutions.counted(rest, claim);
    return { holds: settled(before.holds, number, rest.most, base.solutions.complete), share: rest.most ? number / rest.most : null, confidence: null };
  }
}

function nameOf(suppositions: readonly Claim[]): string {
  return suppositions.map(key).sort().join("; ");
}

/** In which of the remaining structures something holds; with not all of them here, only what was proven before. */
function settled(before: Holds, number: number, total: number, complete: boolean): Holds {
  if (total === 0) return "unknown";
  if (before === "all" || before === "none") return before;
  if (complete) return holdsOf(number, total);
  return number > 0 && number < total ? "some" : "unknown";
}
