// Through the structures and classes one by one, and out into other programs.
import { type Bits, common, positions } from "../bits";
import { download, h, number, plural, prose, replace, section } from "../dom";
import { FORMATS, Unfit } from "../formats";
import { CIRCLE, type Graph, symbol } from "../graph";
import { type Line, structureLook } from "../drawing";
import { claimOf, edgeClaim } from "../findings";
import { placeOf } from "../pairs";
import { Picture, savesDrawing } from "../picture";
import type { Places } from "../places";
import type { State } from "../state";
import { withTerms } from "../terms";
import type { Symbol } from "../view";
import { nothing } from "./union";

type Kind = "mag" | "pag";

export function browser(state: State, places: Places, pictures: Picture[], later: (() => void)[]): HTMLElement {
  const { view } = state;
  const picture = new Picture("One structure", view.variables, view.studies, places, (pair) => state.select(pair), () => {
    for (const one of pictures) one.follow();
  });
  pictures.push(picture);
  let kind: Kind = "mag";
  let at = 0;
  let entries: ArrayLike<number> = [];
  let bits: Bits = state.solutions.all;
  let shown: Graph | null = null;

  const where = h("output", { class: "where", "aria-live": "polite" });
  const place = h("input", { type: "number", min: 1, value: 1, id: "place", "aria-label": "Number", onchange: () => go(Number(place.value) - 1) });
  const slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Which one", oninput: () => go(Number(slider.value)) });
  const step = (text: string, label: string, move: () => number) => h("button", { type: "button", "aria-label": label, title: label, onclick: () => go(move()) }, text);
  const choice = (value: Kind, text: string, term: string) => h("label", { title: view.glossary[term] }, h("input", { type: "radio", name: "kind", value, checked: value === kind, onchange: () => { kind = value; at = 0; list(); } }), text);
  const text = h("p", { class: "as-text" });
  const about = h("p", { class: "quiet" });

  const format = h("select", { id: "format", onchange: () => exported() }, ...FORMATS.map((one) => h("option", { value: one.name }, one.description)));
  const content = h("textarea", { readonly: true, rows: 8, id: "export", spellcheck: "false", "aria-label": "The graph in that format" });
  const save = h("button", { type: "button", id: "save", onclick: () => download(content.value, `${kind}-${(entries[at] ?? 0) + 1}${chosen().suffix}`, chosen().type) }, "Download");
  const copy = h("button", { type: "button", onclick: () => { content.select(); void navigator.clipboard?.writeText(content.value).catch(() => document.execCommand("copy")); } }, "Copy");
  const refused = h("p", { class: "note", role: "alert", hidden: true });
  const chosen = () => FORMATS.find((one) => one.name === format.value) ?? FORMATS[0]!;

  function list(): void {
    bits = state.rest.bits;
    entries = kind === "mag" ? positions(bits) : state.solutions.classesOf(bits);
    slider.max = String(Math.max(0, entries.length - 1));
    place.max = String(entries.length);
    go(Math.min(at, Math.max(0, entries.length - 1)));
  }

  function go(next: number): void {
    const { solutions } = state;
    at = Number.isFinite(next) ? Math.max(0, Math.min(Math.trunc(next), entries.length - 1)) : at;
    slider.value = String(at);
    place.value = String(entries.length ? at + 1 : 0);
    slider.disabled = place.disabled = entries.length < 2;
    const entry = entries[at];
    if (entry === undefined) {
      shown = null;
      replace(where, view.consistent === false ? "There is none" : state.gone ? "None remains" : state.live ? "None is found yet" : "None is shipped");
      replace(about, state.gone || state.live ? "" : "Too many, or not found in time: there is no structure in this page to look at.");
      replace(text);
      picture.draw([], nothing(state, 0) || "Nothing to show.");
    } else {
      shown = kind === "mag" ? solutions.mag(entry) : solutions.pag(entry);
      const what = kind === "mag" ? "Structure" : "Class";
      const narrowed = entries.length < (kind === "mag" ? view.graphs.mags : view.graphs.pags);
      const some = state.live && !state.standing.exact ? " found so far" : narrowed ? " that remain" : "";
      replace(where, h("strong", {}, `${what} ${number(at + 1)}`), ` of ${number(entries.length)}${some}`);
      replace(about, kind === "mag" ? inClass(entry) : ofClass(entry));
      replace(text, described(shown));
      picture.draw(lines(shown), shown.edges().length ? "" : "No edge: all variables stand alone.");
    }
    exported();
  }

  function inClass(entry: number): string {
    const own = state.solutions.classOf(entry);
    return `In class ${number(own + 1)}, which holds ${plural(state.solutions.classSize(own), "structure", "structures")}. Lines drawn solid and dark are in all that remain.`;
  }

  function ofClass(entry: number): string {
    const remain = common(bits, state.solutions.classBits(entry));
    return `${number(remain)} of its ${plural(state.solutions.classSize(entry), "consistent structure", "consistent structures")} remain. No independence test can tell the structures of a class apart.`;
  }

  function lines(graph: Graph): Line[] {
    return graph.edges().map((edge) => {
      const pair = placeOf(edge.x, edge.y, view.variables.length);
      // In a class a circle leaves open what the edge is.
      const claim = kind === "pag" ? claimOf("adjacent", edge.x, edge.y) : edgeClaim(edge.x, symbol(edge) as Symbol, edge.y);
      const certain = state.now(claim).holds === "all";
      return { id: `g${pair}`, x: edge.x, y: edge.y, markX: edge.markX, markY: edge.markY, ...structureLook(certain), text: `${view.variables[edge.x]} ${symbol(edge)} ${view.variables[edge.y]}`, pair };
    });
  }

  function exported(): void {
    refused.hidden = true;
    content.value = "";
    try {
      if (shown) content.value = chosen().write(shown);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      refused.textContent = `${error.message} Choose another format.`;
      refused.hidden = false;
    }
    save.disabled = copy.disabled = content.value === "";
  }

  state.listen((what) => {
    if (what === "suppositions") list();
    else if (what === "selection") picture.mark(state.selected);
  });
  later.push(list);
  return section(
    "structures",
    "The structures one by one",
    h("div", { class: "prose" }, h("p", { class: "headline" }, ...withTerms(view, view.headline)), ...view.answer.map((sentence) => h("p", {}, ...prose(sentence)))),
    h(
      "div",
      { class: "workbench" },
      h(
        "div",
        { class: "drawn" },
        h(
          "div",
          { class: "controls" },
          h("fieldset", {}, h("legend", { class: "unseen" }, "Show"), choice("mag", "Structures (MAGs)", "MAG"), choice("pag", "Classes (PAGs)", "PAG")),
          h("div", { class: "steps" }, step("«", "First", () => 0), step("‹", "Previous", () => at - 1), place, step("›", "Next", () => at + 1), step("»", "Last", () => entries.length - 1)),
          slider,
          savesDrawing(picture, view.title, "structure.svg"),
        ),
        picture.element,
      ),
      h(
        "aside",
        { class: "pair", "aria-label": "The structure shown" },
        h("p", {}, where),
        about,
        text,
        h("h3", { class: "minor" }, "Take it with you"),
        h("div", { class: "controls" }, h("label", { for: "format" }, "As"), format),
        refused,
        content,
        h("div", { class: "buttons" }, save, copy),
      ),
    ),
  );
}

function described(graph: Graph): string {
  const all = graph.edges();
  const circles = graph.uses(CIRCLE) ? " Circles are marks on which the class does not agree." : "";
  return `${plural(all.length, "edge", "edges")}.${circles}`;
}
