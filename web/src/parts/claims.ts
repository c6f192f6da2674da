// The claims that are told first: how sure each is, what it rests on mostly, and why.
import { unpackedText } from "../bits";
import { download, h, percent, plural, prose, replace } from "../dom";
import { subject } from "../findings";
import { placeOf } from "../pairs";
import type { State } from "../state";
import { term, withTerms } from "../terms";
import type { Told, View } from "../view";
import { HOLDS } from "../words";
import { asClaim, underSuppositions } from "./answer";
import { reasoning } from "./pair";

const SHOWN = 8;

export function claims(state: State): HTMLElement {
  const { view } = state;
  const rows = view.claims.map((one) => row(state, one));
  rows.slice(SHOWN).forEach((one) => (one.hidden = true));
  const more = h("button", { type: "button", hidden: rows.length <= SHOWN, onclick: () => { rows.forEach((one) => (one.hidden = false)); more.hidden = true; } }, `Show all ${rows.length} claims`);
  const supposing = h("p", { class: "note supposing", hidden: true }, "Claims and confidences are those of the evidence alone. What becomes of each under what you suppose stands below it.");
  state.listen((what) => what === "suppositions" && (supposing.hidden = state.suppositions.length === 0));
  window.addEventListener("beforeprint", () => rows.forEach((one) => (one.hidden = false)));
  return h(
    "div",
    { class: "told", id: "claims", role: "region", "aria-label": "Claims" },
    h("h3", {}, "What is claimed, the surest first"),
    h("p", { class: "quiet" }, term(view, "confidence", "Confidence"), " of each ", term(view, "claim"), "; open one to see what it rests on.", ...again(view)),
    supposing,
    rows.length ? h("ol", { class: "claims" }, ...rows) : h("p", { class: "empty" }, view.consistent === false ? "There is no consistent structure, so nothing is claimed." : "Nothing is ahead of its opposite."),
    more,
    h("div", { class: "buttons save" }, h("button", { type: "button", title: "All claims of the whole answer, as weft claims --format csv writes them", onclick: () => download(unpackedText(view.tables.claims), "claims.csv", "text/csv") }, "Claims as CSV")),
  );
}

function again(view: View): (HTMLElement | string)[] {
  if (!view.bootstrap?.[1]) return [];
  return withTerms(view, ` Bootstrap: the share of ${plural(view.bootstrap[1], "run", "runs")} on half of the rows in which it was so in all structures again; a second opinion, which the confidence does not use.`);
}

function row(state: State, one: Told): HTMLElement {
  const { view } = state;
  const place = placeOf(one.x, one.y, view.variables.length);
  const { reason } = one;
  const body = h("div", { class: "because" });
  const then = h("span", { class: "then", hidden: true });
  const details = h(
    "details",
    { "data-claim": one.claim, "data-place": place },
    h(
      "summary",
      {},
      h("span", { class: "sureness" }, sure(one)),
      h("span", { class: "said" }, ...prose(one.claim)),
      one.again && h("span", { class: "again quiet" }, `bootstrap ${percent(one.again[0])}`),
      meter(one.confidence),
      h("span", { class: "rests quiet" }, ...rests(one)),
      then,
    ),
    body,
  );
  /** What the page came with, or else what the solver said of the pair. */
  function refresh(): void {
    const found = reason ?? (state.suppositions.length ? undefined : state.reasons(place)?.find((other) => subject(other) === subject(one)));
    const waiting = state.live && !state.trouble && state.reasons(place) === undefined;
    replace(body, ...(found ? reasoning(found) : [h("p", { class: "empty" }, waiting ? "working it out …" : "Not worked out in time. Ask with weft explain.")]));
  }
  state.listen((what) => {
    if (what !== "suppositions") return;
    then.hidden = state.suppositions.length === 0 || state.gone;
    then.textContent = `supposing that: ${now(state, one)}`;
  });
  details.addEventListener("toggle", () => {
    if (!details.open) return;
    state.select(place);
    refresh();
  });
  if (!reason) state.listen((what) => what === "asked" && details.open && refresh());
  return h("li", {}, details);
}

/** In what share of the structures that are left it is so. */
function now(state: State, one: Told): string {
  const holds = underSuppositions(state, one);
  const { share } = state.now(asClaim(one));
  if (holds === null) return "not told by the structures that are left";
  return holds === "some" && share !== null ? `in ${percent(share)}` : HOLDS[holds];
}

/** What rests on data is not certain, though nothing of it may be given up. */
function sure({ confidence, estimated, reason }: Told): string {
  if (confidence === null) return "not known";
  return confidence < 1 ? `${estimated ? "~" : ""}${percent(confidence)}` : (reason?.weakest ?? null) === null ? "certain" : "in all";
}

/** From as likely as not to certain. */
function meter(confidence: number | null): HTMLElement {
  const inner = h("i", { class: "fill" });
  inner.style.width = `${Math.max(0, 2 * (confidence ?? 0.5) - 1) * 100}%`;
  return h("span", { class: "track", "aria-hidden": "true" }, inner);
}

function rests({ though, reason }: Told): (Node | string)[] {
  if (though) return [`likely, ${though}`];
  if (!reason || reason.weakest === null) return [];
  return ["rests mostly on: ", ...prose(reason.statements[reason.weakest]!.text)].filter((part): part is Node | string => Boolean(part));
}
