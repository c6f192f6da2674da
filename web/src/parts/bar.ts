// The bar that stays in sight: what is supposed, and how many structures remain.
import { h, number, plural, prose, replace } from "../dom";
import { type Claim, key } from "../findings";
import type { State } from "../state";
import { inFull } from "../words";

const RANGE = "Several common causes are supposed at once. Some structures allow each of them, but the page cannot tell whether one model allows all.";

export function bar(state: State): HTMLElement {
  const { view } = state;
  const remaining = h("output", { class: "remaining", id: "remaining", "aria-live": "polite" });
  const chips = h("ul", { class: "chips", "aria-label": "Suppositions" });
  const undo = h("button", { type: "button", onclick: () => state.undo() }, "Undo");
  const clear = h("button", { type: "button", onclick: () => state.suppose([]) }, "Clear all");
  // The address of the explorer is a secret, and is of use on this machine only.
  const copy = h("button", { type: "button", hidden: state.live, title: "The address of this page with what is supposed", onclick: () => void copied() }, "Copy link");
  const asking = h("span", { class: "asking quiet", role: "status", hidden: !state.live });
  const trouble = h("p", { class: "trouble quiet", role: "alert", hidden: true });

  async function copied(): Promise<void> {
    try {
      await navigator.clipboard.writeText(location.href);
      copy.textContent = "Copied";
    } catch {
      copy.textContent = "Copy it from the address line";
    }
    setTimeout(() => (copy.textContent = "Copy link"), 3000);
  }

  function chip(one: Claim): HTMLElement {
    const text = inFull(view, one);
    const takeBack = () => {
      state.toggle(one);
      (chips.querySelector("button") ?? undo).focus(); // this button is gone, and the keyboard must be somewhere
    };
    return h("li", {}, h("span", {}, ...prose(text)), h("button", { type: "button", "aria-label": `Take back: ${text}`, onclick: takeBack, "data-key": key(one) }, "×"));
  }

  function refresh(): void {
    replace(remaining, ...(state.live ? known(state) : shipped(state)));
    remaining.classList.toggle("none", state.gone);
    remaining.title = Number.isFinite(state.bounds[1]) && state.bounds[0] !== state.bounds[1] ? RANGE : "";
    replace(
      chips,
      ...state.suppositions.map(chip),
      state.suppositions.length === 0 && h("li", { class: "hint" }, "Nothing is supposed. Choose a pair and say what you know."),
    );
    undo.disabled = !state.canUndo;
    clear.disabled = state.suppositions.length === 0;
    document.body.classList.toggle("provisional", state.provisional);
  }

  function status(): void {
    asking.textContent = state.asking;
    trouble.textContent = state.trouble;
    trouble.hidden = state.trouble === "";
  }

  state.listen((what) => {
    if (what === "suppositions") refresh();
    if (what === "asked") status();
  });
  refresh();
  const hidden = state.live ? view.consistent === false : state.solutions.number === 0;
  const whole = h("div", { class: "bar", role: "region", "aria-label": "What remains", hidden }, remaining, chips, asking, h("div", { class: "buttons" }, undo, clear, copy), trouble);
  // What is scrolled to stands below the bar, however many rows it takes.
  new ResizeObserver(() => document.documentElement.style.setProperty("--bar", `${getComputedStyle(whole).position === "sticky" ? whole.offsetHeight : 0}px`)).observe(whole);
  return whole;
}

/** Without a solver: how many of the structures that are shipped. */
function shipped({ rest, solutions, view }: State): (HTMLElement | string | false)[] {
  const figure = rest.least === rest.most ? number(rest.most) : `${number(rest.least)} to ${number(rest.most)}`;
  return [
    h("strong", {}, figure),
    ` of ${plural(solutions.number, "structure", "structures")}${solutions.complete ? "" : view.graphs.drawn_from ? " drawn fairly" : " shipped"}`,
    // In how many classes all of them are is not known by those that are here.
    solutions.complete && h("span", { class: "quiet" }, ` in ${number(rest.classes)} of ${plural(view.graphs.pags, "class", "classes")}`),
  ];
}

/** With one: how many there are, about how many and how surely, or between what their number lies. */
function known(state: State): (HTMLElement | string | false)[] {
  const { base, beyond } = state.standing;
  const drawn = base.view.graphs.drawn_from;
  const sample = `shares are of ${number(base.solutions.number)} drawn fairly`;
  if (drawn?.text && beyond.length === 0) {
    const [about, guarantee] = drawn.text.replace(")", "").split(" (");
    return [h("strong", {}, about!), " structures", h("span", { class: "quiet" }, ` (${guarantee}; ${sample})`)];
  }
  const [least, most] = state.bounds;
  const figure = h("strong", {}, least === most || most === Infinity ? number(least) : least === 0 ? number(most) : `${number(least)} to ${number(most)}`);
  const open = most === Infinity;
  if (open && least === 0) return [h("strong", {}, "?"), " structures"];
  const { mags, complete } = state.view.graphs;
  const of = complete && state.suppositions.length > 0 ? ` of ${plural(mags, "structure", "structures")}` : ` ${most === 1 ? "structure" : "structures"}`;
  return [
    open ? "at least " : least < most && least === 0 ? "at most " : false,
    figure,
    of,
    h("span", { class: "quiet" }, drawn ? ` (${sample})` : ` in ${state.solutions.complete ? "" : "at least "}${plural(state.rest.classes, "class", "classes")}`),
  ];
}
