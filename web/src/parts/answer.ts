// The answer first: how many structures, what is certain, what is open.
import { h, number, plural, prose } from "../dom";
import type { View } from "../view";

export function answer(view: View): HTMLElement {
  const { graphs, studies, variables, shared } = view;
  const facts = [
    plural(studies.length, "study", "studies"),
    plural(variables.length, "variable", "variables"),
    studies.length > 1 ? `${number(shared.length)} measured in every study` : "",
    `method ${String(view.settings["method"])}`,
  ].filter(Boolean);
  const large = graphs.mags ? `${graphs.complete ? "" : "≥ "}${number(graphs.mags)}` : view.consistent === false ? "0" : "?";
  return h(
    "section",
    { id: "answer", "aria-labelledby": "title" },
    h("p", { class: "kicker" }, "Causal structures consistent with"),
    h("h1", { id: "title" }, h("bdi", {}, view.title)),
    h("p", { class: "facts" }, facts.join(" · ")),
    h(
      "div",
      { class: "answer" },
      h("div", { class: "figure" }, h("strong", {}, large), h("span", {}, graphs.mags === 1 ? "structure" : "structures")),
      h("div", { class: "prose" }, h("p", { class: "headline" }, view.headline), ...view.answer.map((sentence) => h("p", {}, ...prose(sentence)))),
    ),
    view.settled || view.consistent === false
      ? null
      : h("p", { class: "note" }, "The time ran out before everything was settled: some pairs are marked “not known”."),
    view.warnings.length > 0 &&
      h("div", { class: "note", role: "note" }, h("strong", {}, "Before relying on it"), h("ul", {}, ...view.warnings.map((one) => h("li", {}, ...prose(one))))),
  );
}
