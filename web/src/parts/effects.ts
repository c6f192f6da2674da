// How large effects are: those of the causes that are claimed, and those of the chosen pair.
import { h, name, number, percent, section } from "../dom";
import type { State } from "../state";
import type { Effect, EffectCase, View } from "../view";

const LEAD = "How much an outcome changes where its cause is set from outside, over all structures. In each of them the effect is 0, or a study shows it if the right variables are held fixed, or it is composed of effects that different studies show, or it cannot be told.";
const ALONE = "Of the evidence alone, without your suppositions.";

/** The effects of all causes that are claimed. */
export function effects(state: State): HTMLElement {
  const { view } = state;
  if (view.effects === null) return section("effects", "How large", h("p", { class: "empty" }, without(view)));
  if (view.effects.length === 0) return section("effects", "How large", h("p", { class: "empty" }, "No cause is claimed, so that there is no effect to be told."));
  const note = h("p", { class: "quiet", role: "status" });
  const refresh = () => {
    const more = state.live ? " The pair beside the graph has its effects under them." : " With weft explore the solver tells them under suppositions.";
    note.textContent = state.suppositions.length ? ALONE + more : "";
  };
  state.listen((what) => what === "suppositions" && refresh());
  refresh();
  const known = view.effects.filter((one) => one.cases.some(isKnown));
  const unknown = view.effects.filter((one) => !known.includes(one));
  return section(
    "effects",
    "How large",
    h("p", { class: "lead" }, LEAD),
    note,
    known.length === 0 && h("p", {}, "No effect of a claimed cause can be told from these studies."),
    h("div", { class: "effects" }, ...known.map((one, i) => whole(view, one, i === 0))),
    unknown.length > 0 && h("h3", {}, known.length ? "Cannot be told" : "Why not"),
    h("div", { class: "effects" }, ...unknown.map((one) => h("div", { class: "effect" }, title(view, one), one.sentence))),
    sampled(view.effects[0]!),
  );
}

/** The effects of one pair, under what is supposed. */
export function sizes(state: State, place: number): HTMLElement {
  const { view } = state;
  const found = state.effects(place);
  const part = h("div", { class: "sizes" }, h("h4", {}, "How large"));
  if (view.effects === null) part.append(h("p", { class: "empty" }, without(view)));
  else if (state.gone) part.append(h("p", { class: "empty" }, "No structure remains."));
  else if (found === undefined) part.append(h("p", { class: "empty" }, state.trouble ? "Not known: the solver does not answer." : "working it out …"));
  else if (found === null) part.append(h("p", { class: "empty" }, "The effects cannot be told."));
  else if (found.length === 0) part.append(h("p", { class: "empty" }, "It is not claimed that one causes the other; weft effects tells what can be told all the same."));
  else {
    if (!state.live && state.suppositions.length) part.append(h("p", { class: "quiet" }, ALONE));
    for (const one of found) {
      part.append(h("p", {}, one.sentence));
      if (one.cases.some(isKnown)) part.append(cases(one));
    }
    const words = sampled(found[0]!);
    if (words) part.append(words);
  }
  return part;
}

function isKnown(one: EffectCase): boolean {
  return one.effect !== null && one.kind !== "zero";
}

function without(view: View): string {
  return `Not worked out: ${view.no_effects}. Where the tables are at hand, weft effects result.json tells how large effects are.`;
}

function sampled(one: Effect): HTMLElement | null {
  if (one.fair) return null;
  return h("p", { class: "quiet" }, `The ${number(one.structures)} structures that were looked at are the first that were found, which need not be typical of all.`);
}

function title(view: View, one: Effect): HTMLElement {
  return h("span", { class: "claim" }, name(view.variables[one.x]!), " on ", name(view.variables[one.y]!));
}

function whole(view: View, one: Effect, open: boolean): HTMLElement {
  return h(
    "details",
    { open, class: "effect" },
    h("summary", {}, title(view, one), h("span", { class: "sentence" }, one.sentence)),
    cases(one),
  );
}

/** A forest plot: a row for each case, the surest first. */
function cases(one: Effect): HTMLElement {
  const bounds = [0, ...one.cases.flatMap(({ low, high }) => (low === null || high === null ? [] : [low, high]))];
  const [least, most] = [Math.min(...bounds), Math.max(...bounds)];
  const place = (value: number) => (most > least ? 4 + (92 * (value - least)) / (most - least) : 50);
  const row = (found: EffectCase) =>
    h(
      "tr",
      { class: found.kind.replace(" ", "-") },
      h("td", { class: "figure" }, percent(found.confidence ?? found.share)),
      h("td", { class: "forest", "aria-hidden": "true" }, plot(found, place)),
      h("td", {}, found.text),
    );
  const head = one.cases.every(({ confidence }) => confidence === null) ? "Share" : "Sure";
  const titles = h("tr", {}, h("th", { scope: "col", class: "figure" }, head), h("td", { class: "forest", "aria-hidden": "true" }), h("th", { scope: "col" }, `Change of ${one.of} for ${one.per}`));
  return h("table", { class: "list cases" }, h("thead", {}, titles), h("tbody", {}, ...one.cases.map(row)));
}

function plot(one: EffectCase, place: (value: number) => number): HTMLElement {
  const at = (part: HTMLElement, left: number, right = left) => {
    part.style.left = `${left}%`;
    part.style.width = `${right - left}%`;
    return part;
  };
  const picture = h("span", { class: "plot" }, at(h("i", { class: "zero" }), place(0)));
  if (one.low !== null && one.high !== null && one.effect !== null && one.kind !== "zero") {
    picture.append(at(h("i", { class: "interval" }), place(one.low), place(one.high)), at(h("i", { class: "estimate" }), place(one.effect)));
  } else if (one.kind === "zero") picture.append(at(h("i", { class: "estimate none" }), place(0)));
  return picture;
}
