// The answer first: what the studies together show, what is open, what nearly came out otherwise; and what of it changes
// under what the reader supposes.
import { h, number, plural, prose, replace } from "../dom";
import { alternatives, type Claim, claimOf } from "../findings";
import type { State } from "../state";
import type { Holds, Told } from "../view";
import { inFull } from "../words";

const LISTED = 6; // effects that are named

export function answer(state: State): HTMLElement {
  const { view } = state;
  const { graphs, studies, variables, shared } = view;
  const drawn = graphs.drawn_from;
  const large = drawn ? `${drawn.text ?? number(drawn.mags)} structures, ${number(graphs.mags)} drawn fairly` : graphs.mags ? `${graphs.complete ? "" : "at least "}${plural(graphs.mags, "structure", "structures")}` : view.consistent === false ? "no structure" : "";
  const facts = [
    plural(studies.length, "study", "studies"),
    plural(variables.length, "variable", "variables"),
    studies.length > 1 ? `${number(shared.length)} measured in every study` : "",
    `method ${String(view.settings["method"])}`,
    large,
  ].filter(Boolean);
  const sentences = view.lead.length ? view.lead : [view.headline, ...view.answer];
  const then = h("div", { class: "prose then", hidden: true });
  const alone = h("p", { class: "quiet alone", hidden: true }, "Without what you suppose:");
  state.listen((what) => {
    if (what !== "suppositions") return;
    then.hidden = alone.hidden = state.suppositions.length === 0;
    replace(then, ...(then.hidden ? [] : following(state)));
  });
  // On paper nothing can be opened.
  const warnings = h("details", { class: "note warnings", hidden: view.warnings.length === 0 }, h("summary", {}, h("strong", {}, "Before relying on it"), `: ${plural(view.warnings.length, "thing", "things")} to know`), h("ul", {}, ...view.warnings.map((one) => h("li", {}, ...prose(one)))));
  let open = false;
  window.addEventListener("beforeprint", () => ([open, warnings.open] = [warnings.open, true]));
  window.addEventListener("afterprint", () => (warnings.open = open));
  return h(
    "section",
    { id: "answer", "aria-labelledby": "title" },
    h("div", { class: "heading" }, h("h1", { id: "title" }, h("bdi", {}, view.title)), h("p", { class: "facts" }, facts.join(" · "))),
    then,
    h("div", { class: "prose whole-answer" }, alone, ...sentences.map((sentence, i) => h("p", { class: i === 0 ? "main" : view.near_tie && i === 2 ? "note tie" : null }, ...prose(sentence)))),
    view.settled || view.consistent === false
      ? null
      : h("p", { class: "note" }, "The time ran out before everything was settled: some pairs are marked “not known”."),
    warnings,
  );
}

/** What is so under the suppositions, and what of the answer does not follow them. */
function following(state: State): HTMLElement[] {
  const line = (kind: string | null, text: string) => h("p", { class: kind }, ...prose(text));
  if (state.gone) return [line("main", "What you suppose contradicts the answer: no structure is left. Take something back.")];
  const held = state.pairs.flatMap(({ x, y }) => [claimOf("causes", x, y), claimOf("causes", y, x)]).map((claim) => ({ claim, now: state.now(claim).holds, before: state.findings.of(claim).holds }));
  const inAll = held.filter(({ now }) => now === "all");
  const settled = inAll.filter(({ before, claim }) => before !== "all" && !state.supposes(claim)).map(({ claim }) => claim);
  const excluded = held.filter(({ now, before }) => now === "none" && before !== "none").length;
  const effects = plural(inAll.length, "causal effect is", "causal effects are");
  return [
    line("main", `Under what you suppose, ${effects} in all structures that are left${also(state, settled)}.`),
    line(null, [open(state), excluded ? `${plural(excluded, "effect that was open is", "effects that were open are")} in none of them.` : "", told(state)].filter(Boolean).join(" ")),
    line("quiet", `Confidences do not follow: each is that of the whole answer, without what you suppose.${state.live || state.solutions.complete ? "" : " Not all structures are here: shares are of those that this page holds, and “in all” is said only where it was proven without what you suppose."}`),
  ];
}

/** Pairs of which not all structures have the same edge, or lack of one. */
function open(state: State): string {
  const left = state.pairs.filter(({ x, y }) => alternatives(x, y, state.solutions.selection).every((claim) => state.now(claim).holds !== "all")).length;
  return left ? `Open: the edge of ${number(left)} of ${plural(state.pairs.length, "pair", "pairs")}.` : "";
}

function also(state: State, settled: readonly Claim[]): string {
  if (settled.length === 0) return "";
  const named = settled.slice(0, LISTED).map((claim) => inFull(state.view, claim)).join(", ");
  const more = settled.length > LISTED ? ` and ${number(settled.length - LISTED)} more` : "";
  return `, ${settled.length === 1 ? "one of them" : `${number(settled.length)} of them`} because of it: ${named}${more}`;
}

/** How the claims that are told first stand. */
function told(state: State): string {
  const all = state.view.claims.map((one) => underSuppositions(state, one)).filter((holds): holds is Holds => holds !== null);
  if (all.length === 0) return "";
  const count = (holds: Holds) => all.filter((one) => one === holds).length;
  const parts = (["all", "some", "none"] as const)
    .filter((holds) => count(holds) > 0)
    .map((holds, i) => `${i ? number(count(holds)) : plural(count(holds), "holds", "hold")} in ${holds}${i ? "" : " of them"}`);
  return parts.length ? `Of the claims below, ${parts.join(", ")}.` : "";
}

/** Where a claim holds under the suppositions; null if the page cannot follow it. */
export function underSuppositions(state: State, one: Told): Holds | null {
  // One structure may allow models with and without a common cause, so that the structures that are left do not tell.
  if (one.topic === "confounded" && !state.live) return null;
  return state.now(asClaim(one)).holds;
}

export function asClaim({ topic, x, y, symbol, claimed }: Told): Claim {
  return { topic, x, y, holds: claimed, ...(symbol === undefined ? {} : { symbol }) };
}
