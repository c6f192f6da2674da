// The union of all structures that remain, as one picture.
import { download, h, percent, section } from "../dom";
import { ARROW, CIRCLE, MARKS } from "../graph";
import { letter, type Line, unionLook } from "../drawing";
import { Picture } from "../picture";
import type { Places } from "../places";
import type { PairNow, State } from "../state";
import type { Symbol, View } from "../view";
import { edgeText } from "../words";

const FAR_TOO_MANY = 150; // lines, from which on only those at the chosen pair are shown at first
const CROWDED = 60; // lines, from which on the rare ones are left out at first

const EDGES = ["->", "<-", "<->", "--"] as const;
const NOT_COUNTED = 0.3; // the share that a possible line is drawn with if no structure was gone over

/** Whether a pair may have an edge, as far as is known: the same as weft.report.lines says. */
function mayBe({ shares, holds }: PairNow, symbol: Symbol): boolean {
  const held = holds.get(symbol) ?? "none";
  return held === "unknown" ? !shares || (shares.get(symbol) ?? 0) > 0 : held !== "none";
}

interface UnionLine extends Line {
  /** The share of the structures that have it. */
  share: number;
  certain: boolean;
}

/** One line for each pair: marks on which the structures differ are circles. */
function merged(view: View, now: PairNow): UnionLine[] {
  const { pair, shares, holds } = now;
  if (holds.get("") === "all") return [];
  const adjacent = shares ? 1 - (shares.get("") ?? 0) : NOT_COUNTED;
  const possible = EDGES.filter((symbol) => mayBe(now, symbol));
  if (possible.length === 0) return [];
  const mark = (end: 0 | 1) => {
    const kinds = new Set(possible.map((symbol) => MARKS[symbol][end]));
    return kinds.size === 1 ? [...kinds][0]! : CIRCLE;
  };
  const [x, y] = [view.variables[pair.x]!, view.variables[pair.y]!];
  const certain = holds.get("") === "none";
  const text = `${x} and ${y}: ${certain ? "an edge in all structures" : shares && adjacent ? `an edge in ${percent(adjacent)}` : "perhaps an edge"}`;
  return [oriented({ id: `e${now.place}`, x: pair.x, y: pair.y, markX: mark(0), markY: mark(1), ...unionLook(adjacent, certain), share: adjacent, certain, text, pair: now.place })];
}

/** A line for each edge that a pair may have. */
function apart(view: View, now: PairNow): UnionLine[] {
  const { pair, shares, holds } = now;
  return EDGES.filter((symbol) => mayBe(now, symbol)).flatMap((symbol) => {
    const share = shares?.get(symbol) ?? (holds.get(symbol) === "all" ? 1 : NOT_COUNTED);
    const [markX, markY] = MARKS[symbol];
    const certain = holds.get(symbol) === "all";
    const text = `${edgeText(view, pair.x, symbol, pair.y)}: ${certain ? "in all structures" : shares && share ? `in ${percent(share)}` : "possible"}`;
    return [oriented({ id: `e${now.place}${symbol}`, x: pair.x, y: pair.y, markX, markY, ...unionLook(share, certain), share, certain, text, pair: now.place })];
  });
}

/** Read towards its arrowhead, as it is drawn. */
function oriented(line: UnionLine): UnionLine {
  if (line.markX !== ARROW || line.markY === ARROW) return line;
  return { ...line, x: line.y, y: line.x, markX: line.markY, markY: line.markX };
}

export function legend(view: View): HTMLElement {
  const first = view.studies.findIndex((study) => study.was_set.length > 0);
  const row = (kind: string, text: string) => h("li", {}, h("span", { class: `sample ${kind}`, "aria-hidden": "true" }), text);
  return h(
    "div",
    { class: "legend" },
    h(
      "ul",
      { "aria-label": "Lines" },
      row("solid", "in all structures"),
      row("dashed", "in some; the wider, the more"),
      row("cause", "causes"),
      row("common", "common cause, neither causes the other"),
      row("open", "circle: arrowhead or tail, not settled"),
    ),
    h(
      "ul",
      { "aria-label": "Studies" },
      ...view.studies.map((study, i) => h("li", {}, h("span", { class: `badge study-${i % 8}`, "aria-hidden": "true" }, letter(i)), h("bdi", {}, study.name))),
      first >= 0 && h("li", {}, h("span", { class: `badge outlined study-${first % 8}`, "aria-hidden": "true" }, letter(first)), "white: set by the experimenter"),
    ),
  );
}

export function union(state: State, places: Places, pictures: Picture[], panel: HTMLElement): HTMLElement {
  const { view } = state;
  const picture = new Picture("Union of the structures", view.variables, view.studies, places, (pair) => state.select(pair), () => {
    for (const one of pictures) one.follow();
  });
  pictures.push(picture);
  let mode: "merged" | "apart" = "merged";
  const all = () => (state.gone ? [] : state.pairs).flatMap((now) => (mode === "merged" ? merged(view, now) : apart(view, now)));
  const first = all();
  let threshold = first.length > CROWDED ? (first.map((line) => line.share).sort((a, b) => b - a)[CROWDED - 1] ?? 0) : 0;
  threshold = Math.floor(threshold * 20) / 20;
  const said = h("output", {});
  const near = h("input", { type: "checkbox", checked: first.filter((line) => line.certain || line.share >= threshold).length > FAR_TOO_MANY, onchange: () => refresh() });
  const slider = h("input", {
    type: "range", min: 0, max: 1, step: 0.05, value: threshold, id: "least-share",
    oninput: () => { threshold = Number(slider.value); refresh(); },
  });
  const choice = (value: typeof mode, text: string) =>
    h("label", {}, h("input", { type: "radio", name: "lines", value, checked: value === mode, onchange: () => { mode = value; refresh(); } }), text);

  function refresh(): void {
    const lines = all();
    const frequent = lines.filter((line) => line.certain || line.share >= threshold);
    const left = lines.length - frequent.length;
    const pair = near.checked && state.selected !== null ? view.pairs[state.selected]! : null;
    const drawn = pair ? frequent.filter((line) => [line.x, line.y].some((end) => end === pair.x || end === pair.y)) : frequent;
    said.textContent = `${Math.round(threshold * 100)} %${left ? ` (${left} rarer left out)` : ""}`;
    picture.draw(drawn, nothing(state, drawn.length));
  }

  state.listen((what) => {
    if (what === "suppositions") refresh();
    else if (what === "selection") {
      if (near.checked) refresh();
      picture.mark(state.selected);
    }
  });
  refresh();
  return section(
    "graph",
    "The graph",
    h("p", { class: "lead" }, "All structures that remain, laid over each other. Choose a line, or any pair in the table below, to see why."),
    h(
      "div",
      { class: "workbench" },
      h(
        "div",
        { class: "drawn" },
        h(
          "div",
          { class: "controls" },
          h("fieldset", {}, h("legend", { class: "unseen" }, "Lines"), choice("merged", "One line a pair"), choice("apart", "Every edge apart")),
          h("label", {}, near, "Only at the chosen pair"),
          h("label", { class: "slider" }, "Least share ", slider, said),
          h("button", { type: "button", onclick: () => void picture.png().then((png) => png && download(png, "graph.png", "image/png")) }, "Save picture"),
        ),
        picture.element,
        legend(view),
      ),
      panel,
    ),
  );
}

export function nothing(state: State, lines: number): string {
  if (state.view.consistent === false) return "There is no consistent structure to draw.";
  if (state.gone) return "No structure remains. Take a supposition back.";
  return lines === 0 && state.view.variables.length > 0 ? "No edge in any of them." : "";
}

