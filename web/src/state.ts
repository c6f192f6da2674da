// What the reader has chosen, and what follows from it; the parts of the page listen.
import { holdsOf, key, type Rest, Solutions, type Supposition } from "./solutions";
import type { Holds, Pair, Symbol, View } from "./view";

/** What is known of a pair under the suppositions. */
export interface PairNow {
  pair: Pair;
  place: number;
  /** The share of the remaining structures with each edge; null if there is none to count. */
  shares: Map<Symbol, number> | null;
  holds: Map<Symbol, Holds>;
  causes: { share: number | null; holds: Holds };
  caused: { share: number | null; holds: Holds };
}

type Listener = (what: "suppositions" | "selection" | "theme") => void;

export class State {
  readonly solutions: Solutions;
  suppositions: Supposition[] = [];
  rest: Rest;
  pairs: PairNow[];
  selected: number | null = null;
  private readonly past: Supposition[][] = [];
  private readonly listeners: Listener[] = [];

  constructor(readonly view: View) {
    this.solutions = new Solutions(view);
    this.rest = this.solutions.rest([]);
    this.pairs = this.pairsNow();
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  tell(what: Parameters<Listener>[0]): void {
    for (const listener of this.listeners) listener(what);
  }

  select(place: number | null): void {
    this.selected = place;
    this.tell("selection");
  }

  supposes(one: Supposition): boolean {
    return this.suppositions.some((other) => key(other) === key(one));
  }

  /** Suppose something, or take it back; what contradicts it outright is taken back too. */
  toggle(one: Supposition): void {
    const others = this.suppositions.filter((other) => key(other) !== key(one));
    if (others.length < this.suppositions.length) return this.suppose(others);
    const reversed = key({ ...one, holds: !one.holds });
    this.suppose([...others.filter((other) => key(other) !== reversed), one]);
  }

  suppose(next: Supposition[]): void {
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

  private change(next: Supposition[]): void {
    this.suppositions = next;
    this.rest = this.solutions.rest(next);
    this.pairs = this.pairsNow();
    this.tell("suppositions");
  }

  /** How many structures would remain with one more supposition (or without it, if it is made already). */
  wouldRemain(one: Supposition): Rest {
    const others = this.suppositions.filter((other) => other.x !== one.x || other.y !== one.y || other.topic !== one.topic || other.symbol !== one.symbol);
    return this.solutions.rest([...others, one], false);
  }

  private pairsNow(): PairNow[] {
    const { solutions, rest } = this;
    const total = rest.most;
    const supposing = this.suppositions.length > 0;
    return this.view.pairs.map((pair, place) => {
      if (!supposing) return unsupposed(pair, place, solutions.symbols);
      const shares = total ? new Map<Symbol, number>() : null;
      const holds = new Map<Symbol, Holds>();
      for (const symbol of solutions.symbols) {
        const number = total ? solutions.counted(rest, { place, symbol }) : 0;
        shares?.set(symbol, number / total);
        holds.set(symbol, this.settled(pair.edges[symbol] ?? "none", number, total));
      }
      const cause = (a: number, b: number, before: Holds) => {
        const number = total ? solutions.counted(rest, { cause: a, effect: b }) : 0;
        return { share: total ? number / total : null, holds: this.settled(before, number, total) };
      };
      return { pair, place, shares, holds, causes: cause(pair.x, pair.y, pair.causes), caused: cause(pair.y, pair.x, pair.caused) };
    });
  }

  /** In which of the remaining structures something holds; with not all of them here, only what was proven before. */
  private settled(before: Holds, number: number, total: number): Holds {
    if (total === 0) return "unknown";
    if (before === "all" || before === "none") return before;
    if (this.solutions.complete) return holdsOf(number, total);
    return number > 0 && number < total ? "some" : "unknown";
  }
}

/** What the view says of a pair. */
function unsupposed(pair: Pair, place: number, symbols: readonly Symbol[]): PairNow {
  const share = pair.share;
  return {
    pair,
    place,
    shares: share && new Map(symbols.map((symbol) => [symbol, share[symbol] ?? 0])),
    holds: new Map(symbols.map((symbol) => [symbol, pair.edges[symbol] ?? "none"])),
    causes: { share: share?.["causes"] ?? null, holds: pair.causes },
    caused: { share: share?.["caused"] ?? null, holds: pair.caused },
  };
}
