// The answer first: what the studies together show, what is open, what nearly came out otherwise.
import { h, number, plural, prose } from "../dom";
import type { View } from "../view";

export function answer(view: View): HTMLElement {
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
  return h(
    "section",
    { id: "answer", "aria-labelledby": "title" },
    h("div", { class: "heading" }, h("h1", { id: "title" }, h("bdi", {}, view.title)), h("p", { class: "facts" }, facts.join(" · "))),
    h("div", { class: "prose" }, ...sentences.map((sentence, i) => h("p", { class: i === 0 ? "main" : view.near_tie && i === 2 ? "note tie" : null }, ...prose(sentence)))),
    view.settled || view.consistent === false
      ? null
      : h("p", { class: "note" }, "The time ran out before everything was settled: some pairs are marked “not known”."),
    view.warnings.length > 0 &&
      h("details", { class: "note warnings" }, h("summary", {}, h("strong", {}, "Before relying on it"), `: ${plural(view.warnings.length, "thing", "things")} to know`), h("ul", {}, ...view.warnings.map((one) => h("li", {}, ...prose(one))))),
  );
}
