// Another result beside that of the page: both pictures with the same places, the claims that differ, and what went in.
import { figure, h, number, percent, plural, prose, section } from "../dom";
import { sureness, unionLook, type Line } from "../drawing";
import { placeOf } from "../pairs";
import { Picture, savesDrawing } from "../picture";
import { Places } from "../places";
import type { Beside, BesideLine, Change } from "../view";

const SHOWN = 40; // rows that are seen at first

export function beside(other: Beside): HTMLElement {
  const places = new Places(other.layout);
  const pictures: Picture[] = [];
  const sides = other.labels.map((label, i) => {
    const picture = new Picture(`All structures of ${label}`, other.variables, [], places, (pair) => pictures.forEach((one) => one.mark(pair)), () => pictures.forEach((one) => one.follow()));
    pictures.push(picture);
    const absent = other.absent[i]!.map((v) => other.variables[v]!);
    picture.without(other.absent[i]!);
    picture.draw(other.lines[i]!.map((line) => drawn(other.variables, line)), other.lines[i]!.length ? "" : other.empty[i]!);
    return h("figure", {}, h("figcaption", {}, h("h3", {}, h("bdi", {}, label)), h("p", { class: "quiet" }, i ? "the result of this page" : "the other result")), picture.element, absent.length > 0 && h("p", { class: "quiet" }, `Not in this result (dashed): ${absent.join(", ")}`), h("div", { class: "controls" }, other.left_out[i]! > 0 && h("span", { class: "quiet" }, `${plural(other.left_out[i]!, "rarer line is", "rarer lines are")} left out.`), savesDrawing(picture, label, i ? "this.svg" : "other.svg")));
  });
  return section(
    "beside",
    "Beside another result",
    h("p", { class: "lead" }, "The two pictures have the same places: each is the union of all structures of its result, without what you suppose."),
    h("div", { class: "two" }, ...sides),
    h("h3", {}, "Claims that differ"),
    changes(other),
    listed("What went in", other.reasons),
    listed("Statements that only this result has", other.gained),
    listed("Statements that only the other result has", other.lost),
    listed("Statements that weigh otherwise", other.reweighed.map((one) => `${one.statement}: ${figure(one.before ?? 0)} there, ${figure(one.after ?? 0)} here`)),
  );
}

function drawn(names: readonly string[], line: BesideLine): Line {
  const { x, y, mark_x: markX, mark_y: markY, share, certain, confidence } = line;
  const sure = confidence === null || confidence <= 0.5 || confidence === 1 ? "" : `, ${percent(confidence)} sure`;
  const pair = placeOf(x, y, names.length);
  const text = `${names[x]} and ${names[y]}: an edge in ${certain ? "all structures" : percent(share)}${sure}`;
  return { id: `b${pair}`, x, y, markX, markY, ...unionLook(confidence === null ? share : sureness(confidence), share, certain), text, pair };
}

function changes({ changes: all, labels }: Beside): HTMLElement {
  if (all.length === 0) return h("p", { class: "empty" }, "None: of what both results are about, no confidence differs by 5 points or more.");
  const rows = all.map(({ claim, before, after }: Change) => h("tr", {}, h("th", { scope: "row" }, ...prose(claim)), ...[before, after].map((one) => h("td", { class: "figure" }, sure(one)))));
  return h(
    "div",
    {},
    h("p", { class: "quiet" }, `${plural(all.length, "confidence differs", "confidences differ")} by 5 points or more; the largest difference comes first.`),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Claims that differ" },
      h("table", { class: "list" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Claim"), ...labels.map((label) => h("th", { scope: "col", class: "figure" }, h("bdi", {}, label))))), h("tbody", {}, ...rows)),
    ),
    more(rows),
  );
}

function sure(confidence: number | null): string {
  return confidence === null ? "not known" : confidence === 0.5 ? "open" : confidence === 1 ? "certain" : percent(confidence);
}

function listed(title: string, all: readonly string[]): HTMLElement | null {
  if (all.length === 0) return null;
  const items = all.map((one) => h("li", {}, ...prose(one)));
  return h("div", {}, h("h3", {}, title), h("ul", {}, ...items), more(items));
}

/** Hides all but the first; the button, and paper, show them. */
function more(items: readonly HTMLElement[]): HTMLElement | null {
  const left = items.slice(SHOWN);
  if (left.length === 0) return null;
  const button = h("button", { type: "button", class: "more", onclick: () => all() }, `Show all ${number(items.length)}`);
  const all = () => {
    left.forEach((one) => (one.hidden = false));
    button.hidden = true;
  };
  left.forEach((one) => (one.hidden = true));
  window.addEventListener("beforeprint", all);
  return button;
}
