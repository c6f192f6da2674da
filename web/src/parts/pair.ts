// One pair: what is so in how many structures, what the reader may suppose, and why.
import { h, name, number, percent, plural, prose, replace, short } from "../dom";
import { letter } from "../drawing";
import { alternatives, type Claim, claimOf, key, opposite } from "../findings";
import { placeOf, studiesOf } from "../pairs";
import type { State } from "../state";
import { term } from "../terms";
import type { Reason } from "../view";
import { sizes } from "./effects";
import { briefly, HOLDS, verdictClass, verdictWord } from "../words";

/** Who causes whom, and a common cause. */
function causesOf(x: number, y: number): Claim[] {
  return [claimOf("causes", x, y), claimOf("causes", y, x), claimOf("confounded", x, y)];
}

export function pairPanel(state: State): HTMLElement {
  const { view } = state;
  const body = h("div", { class: "body" });
  const options = (chosen: number) => view.variables.map((text, v) => h("option", { value: v, selected: v === chosen, title: text }, short(text, 16)));
  const first = h("select", { "aria-label": "First variable", onchange: () => chosen(first) }, ...options(0));
  const second = h("select", { "aria-label": "Second variable", onchange: () => chosen(second) }, ...options(1));

  let before: number | null = null;

  function shown(): number {
    return placeOf(Number(first.value), Number(second.value), view.variables.length);
  }

  function chosen(changed: HTMLSelectElement): void {
    const other = changed === first ? second : first;
    if (first.value === second.value) other.value = String((Number(changed.value) + 1) % view.variables.length);
    state.select(shown());
  }

  function refresh(): void {
    const place = state.selected;
    if (place === null) {
      replace(body, h("p", { class: "empty" }, "Choose a line in the graph, a row in the table, or two variables above."));
      return;
    }
    const { x, y } = state.pairs[place]!;
    if (shown() !== place || first.value === second.value) {
      first.value = String(x);
      second.value = String(y);
    }
    const open = opened(place);
    keepingFocus(body, () => replace(body, ...heading(state, place), edges(state, place), suppose(state, x, y), sizes(state, place), why(state, place, open), bootstrap(state, place)));
  }

  /** What was opened stays open, as long as it is the same pair. */
  function opened(place: number): Set<string | null> {
    const again = before === place;
    before = place;
    return new Set(!again ? [] : [...body.querySelectorAll("details[open]")].map((one) => one.getAttribute("data-claim")));
  }

  /** The solver has told something, which may be why. */
  function told(): void {
    const place = state.selected;
    if (place === null) return;
    keepingFocus(body, () => {
      body.querySelector(".why")?.replaceWith(why(state, place, opened(place)));
      body.querySelector(".sizes")?.replaceWith(sizes(state, place));
    });
  }

  if (view.variables.length < 2) return h("aside", { class: "pair" }, h("p", { class: "empty" }, "There is no pair: one variable only."));
  state.listen((what) => {
    if (what === "asked") told();
    else if (what !== "theme") refresh();
  });
  refresh();
  return h("aside", { class: "pair", id: "pair", "aria-label": "A pair" }, h("div", { class: "choose" }, first, h("span", {}, "and"), second), body);
}

/** Draws something anew; the keyboard stays where it was. */
function keepingFocus(body: HTMLElement, draw: () => void): void {
  const focused = body.contains(document.activeElement) ? document.activeElement?.closest<HTMLElement>("[data-again]")?.dataset["again"] : undefined;
  draw();
  if (focused !== undefined) body.querySelector<HTMLElement>(`[data-again="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

function heading(state: State, place: number): HTMLElement[] {
  const { view } = state;
  const pair = state.pairs[place]!;
  const studies = studiesOf(pair, view.studies);
  const together = studies.length
    ? h("span", {}, "Measured together in ", ...studies.flatMap((study, i) => [i ? ", " : "", h("span", { class: `badge study-${study % 8}` }, letter(study)), " ", h("bdi", {}, view.studies[study]!.name)]))
    : h("span", {}, "No study measured the two together.");
  return [h("h3", {}, name(view.variables[pair.x]!), " and ", name(view.variables[pair.y]!)), h("p", { class: "quiet" }, together)];
}

function edges(state: State, place: number): HTMLElement {
  const { view, solutions } = state;
  const { x, y } = state.pairs[place]!;
  if (state.gone) return h("p", { class: "empty" }, view.consistent === false ? "There is no consistent structure." : "No structure remains under what is supposed.");
  const rows = alternatives(x, y, solutions.selection).map((claim) => {
    const { holds, share } = state.now(claim);
    return h(
      "tr",
      { class: holds },
      h("th", { scope: "row" }, ...prose(briefly(view, claim))),
      h("td", { class: "bars" }, bar(share ?? 0, claim)),
      h("td", { class: "figure" }, share === null ? "" : percent(share)),
      h("td", {}, h("span", { class: verdictClass(holds) }, HOLDS[holds])),
    );
  });
  return h("table", { class: "edges" }, h("caption", { class: "unseen" }, "Edges of the pair"), h("tbody", {}, ...rows));
}

export function bar(share: number, claim: Claim): HTMLElement {
  const kind = claim.topic === "adjacent" ? "no-edge" : claim.symbol === "<->" ? "both" : "";
  const inner = h("i", { class: `fill ${kind}` });
  inner.style.width = `${share * 100}%`;
  return h("span", { class: "track", "aria-hidden": "true" }, inner);
}

// -- what the reader may suppose ---------------------------------------------------------------------------------------

function suppose(state: State, x: number, y: number): HTMLElement | null {
  const claims = [...causesOf(x, y), claimOf("adjacent", x, y)];
  if (state.view.consistent === false) return null;
  if (!state.live && state.solutions.number === 0) {
    return h("p", { class: "note" }, "No structure is shipped with this page, so nothing can be supposed here.");
  }
  const undecidable = !state.live && claims.some((one) => !state.solutions.decidable(one));
  return h(
    "div",
    { class: "suppose", role: "group", "aria-label": "Suppose" },
    h("h4", {}, "Suppose"),
    ...claims.map((one) => h("div", { class: "choice" }, h("span", { class: "what" }, ...what(state, one)), toggle(state, one, "yes"), toggle(state, opposite(one), "no"))),
    undecidable &&
      h("p", { class: "quiet" }, "Whether they share a cause is not decided by the shipped structures alone, and it was not worked out for this pair. Ask with weft solve --assume."),
  );
}

/** Names are left alone: one may be a word of the glossary. */
function what({ view }: State, one: Claim): (HTMLElement | string)[] {
  if (one.topic === "confounded") return ["common cause (", term(view, "confounded"), ")"];
  return one.topic === "adjacent" ? [term(view, "adjacent")] : [briefly(view, one, 17)];
}

function toggle(state: State, one: Claim, text: string): HTMLElement {
  const active = state.supposes(one);
  const rest = state.wouldRemain(one);
  const figures = rest === null ? (state.live ? "" : "?") : rest.least === rest.most ? number(rest.most) : `≤ ${number(rest.most)}`;
  const title = rest !== null ? `${plural(rest.most, "structure", "structures")} with that` : state.live ? "the solver will tell" : "not decided by the shipped structures";
  return h(
    "button",
    {
      type: "button",
      class: "toggle",
      "aria-pressed": active ? "true" : "false",
      disabled: rest === null && !state.live,
      "data-topic": one.topic,
      "data-x": one.x,
      "data-y": one.y,
      "data-holds": String(one.holds),
      "data-again": key(one),
      title,
      onclick: () => state.toggle(one),
    },
    text,
    h("small", {}, figures),
  );
}

// -- why ---------------------------------------------------------------------------------------------------------------

function why(state: State, place: number, open: Set<string | null>): HTMLElement {
  const told = state.reasons(place);
  const reasons = told && [...told].sort((a, b) => rank(a) - rank(b));
  const alone = !state.live && state.suppositions.length > 0;
  return h(
    "div",
    { class: "why" },
    h("h4", {}, "Why"),
    alone && reasons && h("p", { class: "quiet" }, "The reasons are those of the evidence alone, without your suppositions."),
    ...(reasons ?? []).map((reason, i) => explained(reason, open.size ? open.has(reason.claim) : i === 0)),
    !reasons?.length && h("p", { class: "empty" }, unexplained(state, reasons !== undefined)),
  );
}

/** What is settled about the edge comes first, then what else is certain, what is open, and what is impossible. */
function rank({ topic, verdict }: Reason): number {
  if (verdict === "contradiction" || (verdict === "certain" && (topic === "edge" || topic === "adjacent"))) return 0;
  if (verdict === "impossible") return topic === "adjacent" ? 0 : 3;
  return verdict === "certain" ? 1 : 2;
}

function unexplained(state: State, told: boolean): string {
  if (state.view.consistent === false) return "There is no structure, in which it could be so or not.";
  if (state.live && !told) return state.trouble ? "Not known: the solver does not answer." : "working it out …";
  return `Not worked out${state.view.unexplained ? ": the time for reasons ran out" : ""}. Ask with weft explain.`;
}

function explained(reason: Reason, open: boolean): HTMLElement {
  return h(
    "details",
    { open, "data-claim": reason.claim },
    h(
      "summary",
      { "data-again": reason.claim },
      h("span", { class: `verdict ${reason.verdict}` }, verdictWord(reason)),
      " ",
      h("span", { class: "claim" }, ...prose(reason.claim)),
      reason.confidence !== null && reason.confidence < 1 && reason.confidence > 0.5 && h("span", { class: "quiet" }, ` ${percent(reason.confidence)} sure`),
    ),
    ...reasoning(reason),
  );
}

/** What a claim follows from, its weakest link marked. */
export function reasoning(reason: Reason): HTMLElement[] {
  const statement = (text: string, weakest: boolean) => h("li", { class: weakest ? "weakest" : null }, ...prose(text), weakest && " ", weakest && h("span", { class: "tag" }, "weakest link"));
  const parts: (HTMLElement | false)[] = [
    h("p", {}, ...prose(reason.lead)),
    reason.statements.length > 0 && h("ol", {}, ...reason.statements.map((one, i) => statement(one.text, i === reason.weakest && reason.statements.length > 1))),
    reason.left_out > 0 && h("p", { class: "quiet" }, `and ${plural(reason.left_out, "more statement", "more statements")} (weft explain lists all).`),
    reason.others.length > 0 && h("ul", {}, ...reason.others.map((one) => h("li", {}, ...prose(one)))),
    ...reason.close.map((sentence) => h("p", {}, ...prose(sentence))),
  ];
  return parts.filter((part): part is HTMLElement => part !== false);
}

/** What became of each claim when the tables were sampled again. */
function bootstrap(state: State, place: number): HTMLElement | null {
  const { view, findings } = state;
  if (!view.bootstrap?.[1]) return null;
  const { x, y } = state.pairs[place]!;
  const claims = [...alternatives(x, y, state.solutions.selection), ...causesOf(x, y)];
  const row = (claim: Claim) => h("tr", {}, h("th", { scope: "row" }, ...prose(briefly(view, claim))), ...(findings.of(claim).again ?? []).map((share) => h("td", { class: "figure" }, percent(share))));
  return h(
    "div",
    { class: "sure" },
    h("h4", {}, "In runs on half of the rows"),
    h("p", { class: "quiet" }, `How often, in ${plural(view.bootstrap[1], "run", "runs")}, it was so in all, in some or in none of the structures.`),
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, h("td", {}), ...["in all", "in some", "in none"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...claims.map(row)),
    ),
  );
}
