// The bar that stays in sight: what is supposed, and how many structures remain.
import { h, number, plural, replace } from "../dom";
import { key } from "../solutions";
import type { State } from "../state";
import { supposition } from "../words";

export function bar(state: State): HTMLElement {
  const { view, solutions } = state;
  const remaining = h("output", { class: "remaining", id: "remaining", "aria-live": "polite" });
  const chips = h("ul", { class: "chips", "aria-label": "Suppositions" });
  const undo = h("button", { type: "button", onclick: () => state.undo() }, "Undo");
  const clear = h("button", { type: "button", onclick: () => state.suppose([]) }, "Clear all");

  function refresh(): void {
    const { most, least, classes } = state.rest;
    const figure = least === most ? number(most) : `${number(least)} to ${number(most)}`;
    const total = solutions.number;
    const shipped = solutions.complete ? "" : " shipped";
    replace(
      remaining,
      h("strong", {}, figure),
      ` of ${plural(total, "structure", "structures")}${shipped}`,
      h("span", { class: "quiet" }, ` in ${number(classes)} of ${plural(view.graphs.pags, "class", "classes")}`),
    );
    remaining.classList.toggle("none", most === 0 && total > 0);
    remaining.title =
      least === most ? "" : "Several common causes are supposed at once. Some structures allow each of them, but the page cannot tell whether one model allows all.";
    replace(
      chips,
      ...state.suppositions.map((one) =>
        h(
          "li",
          {},
          h("span", {}, supposition(view, one)),
          h("button", { type: "button", "aria-label": `Take back: ${supposition(view, one)}`, onclick: () => state.toggle(one), "data-key": key(one) }, "×"),
        ),
      ),
      state.suppositions.length === 0 && h("li", { class: "hint" }, "Nothing is supposed. Choose a pair and say what you know; the set shrinks at once."),
    );
    undo.disabled = !state.canUndo;
    clear.disabled = state.suppositions.length === 0;
  }

  state.listen((what) => what === "suppositions" && refresh());
  refresh();
  return h("div", { class: "bar", role: "region", "aria-label": "What remains", hidden: solutions.number === 0 }, remaining, chips, h("div", { class: "buttons" }, undo, clear));
}
