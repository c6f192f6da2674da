// The union of all structures that remain, as one picture.
import { download, h, percent, section } from "../dom";
import { ARROW, CIRCLE, MARKS } from "../graph";
import { letter, type Line, sureness, unionLook } from "../drawing";
import { claimOf, type Claim, edgesOf } from "../findings";
import type { Pair } from "../pairs";
import { Picture, savesDrawing } from "../picture";
import type { Places } from "../places";
import type { KnownNow, State } from "../state";
import type { View } from "../view";
import { briefly, sign } from "../words";

const FAR_TOO_MANY = 150; // lines, from which on only those at the chosen pair are shown at first
const CROWDED = 60; // lines, from which on the rare ones are left out at first

const NOT_COUNTED = 0.3; // the share that a possible line is drawn with if no structure was walked

/** Whether an edge may be there, as far as is known: the same as weft.report.lines says. */
function mayBe({ holds, share }: KnownNow): boolean {
  return holds === "unknown" ? share === null || share > 0 : holds !== "none";
}

function possibleEdges(state: State, { x, y }: Pair): Claim[] {
  return edgesOf(x, y, state.solutions.selection).filter((claim) => mayBe(state.now(claim)));
}

interface UnionLine extends Line {
  /** The share of the structures that have it. */
  share: number;
  certain: boolean;
}

/** One line for each pair: marks on which the structures differ are circles. */
function merged(state: State, pair: Pair): UnionLine[] {
  const { place, x, y } = pair;
  const { holds, share, confidence } = state.now(claimOf("adjacent", x, y));
  const possible = possibleEdges(state, pair);
  if (holds === "none" || possible.length === 0) return [];
  const mark = (end: number) => {
    const kinds = new Set(possible.map((claim) => MARKS[claim.symbol!][end === claim.x ? 0 : 1]));
    return kinds.size === 1 ? [...kinds][0]! : CIRCLE;
  };
  const certain = holds === "all";
  const frequency = certain ? 1 : (share ?? NOT_COUNTED);
  const text = `${state.view.variables[x]} and ${state.view.variables[y]}: ${certain ? "an edge in all structures" : share ? `an edge in ${percent(share)}` : "perhaps an edge"}${sure(confidence)}`;
  return [oriented({ id: `e${place}`, x, y, markX: mark(x), markY: mark(y), ...look(confidence, frequency, certain), share: frequency, certain, text, pair: place })];
}

/** A line for each edge that a pair may have. */
function apart(state: State, pair: Pair): UnionLine[] {
  return possibleEdges(state, pair).map((claim) => {
    const { holds, share, confidence } = state.now(claim);
    const certain = holds === "all";
    const frequency = certain ? 1 : (share ?? NOT_COUNTED);
    const [markX, markY] = MARKS[claim.symbol!];
    const text = `${briefly(state.view, claim)}: ${certain ? "in all structures" : share ? `in ${percent(share)}` : "possible"}${sure(confidence)}`;
    return { id: `e${pair.place}${sign(claim)}`, x: claim.x, y: claim.y, markX, markY, ...look(confidence, frequency, certain), share: frequency, certain, text, pair: pair.place };
  });
}

/** By its confidence; under suppositions, of which no confidence is known, by its share. */
function look(confidence: number | null, share: number, certain: boolean): Pick<Line, "width" | "faint" | "dashed"> {
  return unionLook(confidence === null ? share : sureness(confidence), share, certain);
}

function sure(confidence: number | null): string {
  return confidence === null || confidence <= 0.5 ? "" : confidence === 1 ? ", certain" : `, ${percent(confidence)} sure`;
}

/** Read towards its arrowhead, as it is drawn. */
function oriented(line: UnionLine): UnionLine {
  if (line.markX !== ARROW || line.markY === ARROW) return line;
  return { ...line, x: line.y, y: line.x, markX: line.markY, markY: line.markX };
}

function legend(view: View, width: HTMLElement): HTMLElement {
  const first = view.studies.findIndex((study) => study.was_set.length > 0);
  const row = (kind: string, text: string) => h("li", {}, h("span", { class: `sample ${kind}`, "aria-hidden": "true" }), text);
  return h(
    "div",
    { class: "legend" },
    h(
      "ul",
      { "aria-label": "Lines" },
      row("solid", "in all structures"),
      row("dashed", "in some"),
      h("li", {}, h("span", { class: "sample thin", "aria-hidden": "true" }), h("span", { class: "sample", "aria-hidden": "true" }), width),
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

export function union(state: State, places: Places, pictures: Picture[], claims: HTMLElement, panel: HTMLElement): HTMLElement {
  const { view } = state;
  const picture = new Picture("Union of the structures", view.variables, view.studies, places, (pair) => state.select(pair), () => {
    for (const one of pictures) one.follow();
  });
  pictures.push(picture);
  let mode: "merged" | "apart" = "merged";
  const all = () => (state.gone ? [] : state.pairs).flatMap((pair) => (mode === "merged" ? merged(state, pair) : apart(state, pair)));
  const first = all();
  let threshold = first.length > CROWDED ? (first.map((line) => line.share).sort((a, b) => b - a)[CROWDED - 1] ?? 0) : 0;
  threshold = Math.floor(threshold * 20) / 20;
  const said = h("output", {});
  const width = h("span", { class: "width" });
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
    const pair = near.checked && state.selected !== null ? state.pairs[state.selected]! : null;
    const drawn = pair ? frequent.filter((line) => [line.x, line.y].some((end) => end === pair.x || end === pair.y)) : frequent;
    said.textContent = `${Math.round(threshold * 100)} %${left ? ` (${left} rarer left out)` : ""}`;
    width.textContent = state.suppositions.length ? "the wider, the more structures have it (under suppositions no confidence is known)" : "the wider, the surer (confidence) that there is an edge";
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
    "Claims and graph",
    h(
      "div",
      { class: "workbench" },
      claims,
      h(
        "div",
        { class: "drawn" },
        h("p", { class: "quiet above" }, h("strong", {}, "The graph. "), "All structures that remain, laid over each other. Choose a line to see why."),
        picture.element,
        legend(view, width),
        h(
          "div",
          { class: "controls" },
          h("fieldset", {}, h("legend", { class: "unseen" }, "Lines"), choice("merged", "One line a pair"), choice("apart", "Every edge apart")),
          h("label", {}, near, "Only at the chosen pair"),
          h("label", { class: "slider" }, "Least share ", slider, said),
          h("button", { type: "button", onclick: () => void picture.png().then((png) => png && download(png, "graph.png", "image/png")) }, "Save picture"),
          savesDrawing(picture, view.title, "graph.svg"),
        ),
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

