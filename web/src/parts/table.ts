// Every pair in a table that sorts and filters.
import { unpackedText } from "../bits";
import { download, h, name, number, percent, plural, replace, section } from "../dom";
import { letter } from "../drawing";
import { alternatives, type Claim, claimOf, type Findings } from "../findings";
import { type Pair, studiesOf } from "../pairs";
import type { KnownNow, State } from "../state";
import type { Holds } from "../view";
import { HOLDS, sign, verdictClass } from "../words";
import { bar } from "./pair";

const SHOWN = 100;
const STATUS = { all: "edge in all", some: "edge in some", none: "edge in none", unknown: "not known" } as const;
const ORDER: readonly Holds[] = ["all", "some", "unknown", "none"];
const NOTHING = "–";

interface Column {
  title: string;
  help: string;
  value(pair: Pair): string | number;
  /** Fills a cell; what can be kept of its content is. */
  fill(cell: HTMLElement, pair: Pair): void;
  figure?: boolean;
  /** Which width it has. */
  kind: string;
}

function columnsOf(state: State, open: (place: number) => void): Column[] {
  const { view } = state;
  const { selection } = state.solutions;
  const claims = ({ x, y }: Pair) => alternatives(x, y, selection);
  const adjacent = ({ x, y }: Pair) => state.now(claimOf("adjacent", x, y)).holds;
  const confidence = ({ x, y }: Pair) => state.now(claimOf("adjacent", x, y)).confidence;
  const confounded = ({ x, y }: Pair) => state.now(claimOf("confounded", x, y)).holds;
  const studies = (pair: Pair) => studiesOf(pair, view.studies);
  const share = (kind: string, title: string, help: string, claim: (pair: Pair) => Claim): Column => ({
    kind,
    title,
    help,
    value: (pair) => -(state.now(claim(pair)).share ?? -1),
    fill: (cell, pair) => fillShare(cell, state.now(claim(pair)), kind === "share" ? claim(pair) : null, state.gone),
    figure: true,
  });
  const columns: Column[] = [
    {
      kind: "pair",
      title: "Pair",
      help: "The two variables",
      value: (pair) => pair.place,
      fill: once((pair) => [
        h("button", { type: "button", class: "link", onclick: () => open(pair.place) }, name(view.variables[pair.x]!), h("span", { class: "and" }, " and "), name(view.variables[pair.y]!)),
      ]),
    },
    { kind: "edge", title: "Edge", help: "In which of the structures there is an edge", value: (pair) => ORDER.indexOf(adjacent(pair)), fill: (cell, pair) => fillStatus(cell, adjacent(pair), state.gone) },
    {
      kind: "sureness",
      title: "Confidence",
      help: "How sure it is that there is an edge, or that there is none, whichever is ahead; not known under suppositions",
      value: (pair) => -Math.abs((confidence(pair) ?? 0.5) - 0.5),
      fill: (cell, pair) => fillText(cell, ahead(confidence(pair))),
      figure: true,
    },
    ...alternatives(0, 1, selection).map((one, i) =>
      share("share", sign(one), one.topic === "edge" ? `Share of the structures with first ${sign(one)} second` : "Share of the structures without an edge", (pair) => claims(pair)[i]!),
    ),
    share("cause", "1st causes 2nd", "Share in which the first is an ancestor of the second", ({ x, y }) => claimOf("causes", x, y)),
    share("cause", "2nd causes 1st", "Share in which the second is an ancestor of the first", ({ x, y }) => claimOf("causes", y, x)),
    {
      kind: "common",
      title: "Common cause",
      help: `Whether they share a cause${state.live ? "" : ", from the evidence alone"}`,
      value: (pair) => ORDER.indexOf(confounded(pair)),
      fill: (cell, pair) => fillText(cell, state.gone ? NOTHING : HOLDS[confounded(pair)]),
    },
  ];
  if (view.bootstrap !== null) {
    columns.push({
      kind: "sure",
      title: "Bootstrap",
      help: "What was so in all structures in most of the runs on half of the rows",
      value: (pair) => -(surest(claims(pair), state.findings)?.[1] ?? -1),
      fill: once((pair) => {
        const best = surest(claims(pair), state.findings);
        return [best ? `${sign(best[0])} ${percent(best[1])}` : h("span", { class: "quiet", title: "no edge, and no lack of one, was in all structures in any run" }, NOTHING)];
      }),
    });
  }
  columns.push({
    kind: "studies",
    title: "Studies",
    help: "The studies that measured both",
    value: (pair) => -studies(pair).length,
    fill: once((pair) => studies(pair).map((study) => h("span", { class: `badge study-${study % 8}`, title: view.studies[study]!.name }, letter(study)))),
  });
  return columns;
}

export function table(state: State): HTMLElement {
  const { view } = state;
  const columns = columnsOf(state, open);
  let sorted = 1;
  let backwards = false;
  let everything = false;
  const heads = columns.map((column, i) =>
    h("th", { scope: "col", class: column.figure ? "figure" : "" }, h("button", { type: "button", class: "sort", title: column.help, onclick: () => { backwards = sorted === i && !backwards; sorted = i; refresh(); } }, column.title)),
  );
  const body = h("tbody");
  const count = h("output", { class: "quiet", "aria-live": "polite" });
  const search = h("input", { type: "search", id: "filter", placeholder: "part of a name", oninput: () => refresh() });
  const kind = h("select", { id: "status", onchange: () => refresh() }, h("option", { value: "" }, "all pairs"), ...Object.entries(STATUS).map(([value, text]) => h("option", { value }, text)), h("option", { value: "apart" }, "never measured together"));
  const more = h("button", { type: "button", hidden: true, onclick: () => { everything = true; refresh(); } }, "Show all rows");

  function open(place: number): void {
    state.select(place);
    document.getElementById("graph")?.scrollIntoView({ block: "start" });
  }

  function wanted(pair: Pair): boolean {
    const text = search.value.trim().toLowerCase();
    const { x, y } = pair;
    const named = [x, y].some((v) => view.variables[v]!.toLowerCase().includes(text));
    const fits = kind.value === "" || (kind.value === "apart" ? studiesOf(pair, view.studies).length === 0 : state.now(claimOf("adjacent", x, y)).holds === kind.value);
    return named && fits;
  }

  const rows = new Map<number, HTMLTableRowElement>();

  /** The row of a pair, made once and filled with what is so now. */
  function row(pair: Pair): HTMLTableRowElement {
    let found = rows.get(pair.place);
    if (found === undefined) {
      found = h("tr", { "data-place": pair.place }, ...columns.map((one) => h("td", { class: one.figure ? "figure" : null })));
      rows.set(pair.place, found);
    }
    found.classList.toggle("chosen", pair.place === state.selected);
    columns.forEach((one, i) => one.fill(found.cells[i]!, pair));
    return found;
  }

  function refresh(): void {
    const column = columns[sorted]!;
    const keyed = state.pairs.filter(wanted).map((pair) => ({ pair, value: column.value(pair) }));
    const sign = backwards ? -1 : 1;
    keyed.sort((a, b) => (a.value < b.value ? -sign : a.value > b.value ? sign : a.pair.place - b.pair.place));
    const shown = everything ? keyed : keyed.slice(0, SHOWN);
    const wantedRows = shown.map(({ pair }) => row(pair));
    if (wantedRows.length !== body.children.length || wantedRows.some((one, i) => body.children[i] !== one)) {
      replace(body, ...wantedRows, keyed.length === 0 && h("tr", {}, h("td", { colspan: columns.length, class: "empty" }, "No pair fits the filter.")));
    }
    heads.forEach((head, i) => head.setAttribute("aria-sort", i === sorted ? (backwards ? "descending" : "ascending") : "none"));
    count.textContent = `${number(keyed.length)} of ${plural(state.pairs.length, "pair", "pairs")}`;
    more.hidden = shown.length === keyed.length;
    more.textContent = `Show all ${number(keyed.length)} rows`;
  }

  state.listen((what) => (what === "suppositions" || what === "selection") && refresh());
  window.addEventListener("beforeprint", () => { if (!everything && state.pairs.length <= 500) { everything = true; refresh(); } });
  refresh();
  return section(
    "pairs",
    "All pairs",
    h("div", { class: "controls" }, h("label", { for: "filter" }, "Filter"), search, h("label", { for: "status" }, "Show"), kind, count, h("button", { type: "button", title: "All pairs of the whole answer, as weft claims --pairs --format csv writes them", onclick: () => download(unpackedText(view.tables.pairs), "pairs.csv", "text/csv") }, "Pairs as CSV")),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of all pairs" }, h("table", { class: "pairs" }, h("colgroup", {}, ...columns.map((one) => h("col", { class: one.kind }))), h("thead", {}, h("tr", {}, ...heads)), body)),
    more,
  );
}

/** For what no supposition changes. */
function once(content: (pair: Pair) => (Node | string)[]): Column["fill"] {
  return (cell, pair) => {
    if (!cell.firstChild) replace(cell, ...content(pair));
  };
}

function fillText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** How sure it is that there is an edge, or that there is none. */
function ahead(confidence: number | null): string {
  if (confidence === null) return NOTHING;
  if (confidence === 0.5) return "open";
  return confidence > 0.5 ? `edge ${percent(confidence)}` : `none ${percent(1 - confidence)}`;
}

function fillStatus(cell: HTMLElement, holds: Holds, gone: boolean): void {
  if (!cell.firstElementChild) cell.append(h("span"));
  const span = cell.firstElementChild!;
  const text = gone ? NOTHING : STATUS[holds];
  if (span.textContent === text) return;
  span.className = verdictClass(holds);
  span.textContent = text;
}

/** With a bar in the colour of a claim, if one is given. */
function fillShare(cell: HTMLElement, { holds, share }: KnownNow, claim: Claim | null, gone: boolean): void {
  if (!cell.firstElementChild) replace(cell, h("span"), claim && bar(0, claim));
  const span = cell.firstElementChild!;
  const text = gone || share === 0 ? NOTHING : share === null ? HOLDS[holds] : percent(share);
  const kind = share === null ? "quiet" : `share ${holds}`;
  fillText(span, text);
  if (span.className !== kind) span.className = kind;
  const inner = cell.querySelector<HTMLElement>("i");
  if (inner) inner.style.width = `${Math.round((share ?? 0) * 100)}%`;
}

/** Which of the claims held in all structures in most of the runs, and in which share of them. */
function surest(claims: readonly Claim[], findings: Findings): [Claim, number] | null {
  const often = claims.map((claim): [Claim, number] => [claim, findings.of(claim).again?.[0] ?? 0]);
  const best = often.reduce((a, b) => (b[1] > a[1] ? b : a));
  return best[1] > 0 ? best : null;
}
