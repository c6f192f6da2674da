// Every pair in a table that sorts and filters.
import { h, name, number, percent, replace, section } from "../dom";
import { letter } from "../drawing";
import type { PairNow, State } from "../state";
import type { Holds, Symbol } from "../view";
import { HOLDS, SIGNS } from "../words";
import { bar } from "./pair";

const SHOWN = 100;
type Status = "certain" | "possible" | "impossible" | "unknown";

/** Whether the pair has an edge in all, in some or in none of the structures. */
function status(now: PairNow): Status {
  const none = now.holds.get("") ?? "unknown";
  return ({ all: "impossible", none: "certain", some: "possible", unknown: "unknown" } as const)[none];
}

const STATUS: Record<Status, string> = { certain: "always an edge", possible: "perhaps an edge", impossible: "never an edge", unknown: "not known" };
const ORDER: Record<Status, number> = { certain: 0, possible: 1, unknown: 2, impossible: 3 };

interface Column {
  title: string;
  help: string;
  value(now: PairNow): string | number;
  /** Fills a cell; what can be kept of its content is. */
  fill(cell: HTMLElement, now: PairNow): void;
  figure?: boolean;
  /** Which width it has. */
  kind: string;
}

export function table(state: State): HTMLElement {
  const { view, solutions } = state;
  const columns: Column[] = [
    {
      kind: "pair",
      title: "Pair",
      help: "The two variables",
      value: (now) => now.place,
      fill: once((now) => [
        h("button", { type: "button", class: "link", onclick: () => open(now.place) }, name(view.variables[now.pair.x]!), h("span", { class: "and" }, " and "), name(view.variables[now.pair.y]!)),
      ]),
    },
    { kind: "edge", title: "Edge", help: "Whether there is an edge", value: (now) => ORDER[status(now)], fill: (cell, now) => fillStatus(cell, status(now)) },
    ...solutions.symbols.map((symbol: Symbol): Column => ({
      kind: "share",
      title: SIGNS[symbol],
      help: symbol === "" ? "Share of the structures without an edge" : `Share of the structures with first ${SIGNS[symbol]} second`,
      value: (now) => -(now.shares?.get(symbol) ?? -1),
      fill: (cell, now) => fillShare(cell, now.shares?.get(symbol), now.holds.get(symbol) ?? "unknown", symbol),
      figure: true,
    })),
    { kind: "cause", title: "1st causes 2nd", help: "Share in which the first is an ancestor of the second", value: (now) => -(now.causes.share ?? -1), fill: (cell, now) => fillShare(cell, now.causes.share, now.causes.holds), figure: true },
    { kind: "cause", title: "2nd causes 1st", help: "Share in which the second is an ancestor of the first", value: (now) => -(now.caused.share ?? -1), fill: (cell, now) => fillShare(cell, now.caused.share, now.caused.holds), figure: true },
    { kind: "common", title: "Common cause", help: `Whether they share a cause${state.live ? "" : ", from the evidence alone"}`, value: (now) => ["all", "some", "unknown", "none"].indexOf(now.confounded), fill: (cell, now) => fillText(cell, HOLDS[now.confounded]) },
  ];
  if (view.bootstrap !== null) {
    columns.push({ kind: "sure", title: "Bootstrap", help: "What was certain in most of the runs with rows drawn anew", value: (now) => -(surest(now)?.[1] ?? -1), fill: once((now) => { const best = surest(now); return [best ? `${best[0]} ${percent(best[1])}` : h("span", { class: "quiet", title: "no edge, and no lack of one, was certain in any run" }, "–")]; }) });
  }
  columns.push({ kind: "studies", title: "Studies", help: "The studies that measured both", value: (now) => -now.pair.studies.length, fill: once((now) => now.pair.studies.map((study) => h("span", { class: `badge study-${study % 8}`, title: view.studies[study]!.name }, letter(study)))) });

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

  function wanted(now: PairNow): boolean {
    const text = search.value.trim().toLowerCase();
    const named = [now.pair.x, now.pair.y].some((v) => view.variables[v]!.toLowerCase().includes(text));
    const fits = kind.value === "" || (kind.value === "apart" ? now.pair.studies.length === 0 : status(now) === kind.value);
    return named && fits;
  }

  const rows = new Map<number, HTMLTableRowElement>();

  /** The row of a pair, made once and filled with what is so now. */
  function row(now: PairNow): HTMLTableRowElement {
    let found = rows.get(now.place);
    if (found === undefined) {
      found = h("tr", { "data-place": now.place }, ...columns.map((one) => h("td", { class: one.figure ? "figure" : null })));
      rows.set(now.place, found);
    }
    found.classList.toggle("chosen", now.place === state.selected);
    columns.forEach((one, i) => one.fill(found.cells[i]!, now));
    return found;
  }

  function refresh(): void {
    const column = columns[sorted]!;
    const keyed = state.pairs.filter(wanted).map((now) => ({ now, value: column.value(now) }));
    const sign = backwards ? -1 : 1;
    keyed.sort((a, b) => (a.value < b.value ? -sign : a.value > b.value ? sign : a.now.place - b.now.place));
    const shown = everything ? keyed : keyed.slice(0, SHOWN);
    const wantedRows = shown.map(({ now }) => row(now));
    if (wantedRows.length !== body.children.length || wantedRows.some((one, i) => body.children[i] !== one)) {
      replace(body, ...wantedRows, keyed.length === 0 && h("tr", {}, h("td", { colspan: columns.length, class: "empty" }, "No pair fits the filter.")));
    }
    heads.forEach((head, i) => head.setAttribute("aria-sort", i === sorted ? (backwards ? "descending" : "ascending") : "none"));
    count.textContent = `${number(keyed.length)} of ${number(view.pairs.length)} pairs`;
    more.hidden = shown.length === keyed.length;
    more.textContent = `Show all ${number(keyed.length)} rows`;
  }

  state.listen((what) => (what === "suppositions" || what === "selection") && refresh());
  window.addEventListener("beforeprint", () => { if (!everything && view.pairs.length <= 500) { everything = true; refresh(); } });
  refresh();
  return section(
    "pairs",
    "All pairs",
    h("div", { class: "controls" }, h("label", { for: "filter" }, "Filter"), search, h("label", { for: "status" }, "Show"), kind, count),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of all pairs" }, h("table", { class: "pairs" }, h("colgroup", {}, ...columns.map((one) => h("col", { class: one.kind }))), h("thead", {}, h("tr", {}, ...heads)), body)),
    more,
  );
}

/** For what no supposition changes. */
function once(content: (now: PairNow) => (Node | string)[]): Column["fill"] {
  return (cell, now) => {
    if (!cell.firstChild) replace(cell, ...content(now));
  };
}

function fillText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

function fillStatus(cell: HTMLElement, now: Status): void {
  if (!cell.firstElementChild) cell.append(h("span"));
  const span = cell.firstElementChild!;
  if (span.textContent === STATUS[now]) return;
  span.className = `verdict ${now}`;
  span.textContent = STATUS[now];
}

function fillShare(cell: HTMLElement, value: number | null | undefined, holds: Holds, symbol?: Symbol): void {
  if (!cell.firstElementChild) replace(cell, h("span"), symbol !== undefined && bar(0, symbol));
  const span = cell.firstElementChild!;
  const counted = value !== null && value !== undefined;
  const text = !counted ? HOLDS[holds] : value === 0 ? "–" : percent(value);
  const kind = counted ? `share ${holds}` : "quiet";
  fillText(span, text);
  if (span.className !== kind) span.className = kind;
  const inner = cell.querySelector<HTMLElement>("i");
  if (inner) inner.style.width = `${Math.round((value ?? 0) * 100)}%`;
}

/** What was certain in most of the runs. */
function surest(now: PairNow): [string, number] | null {
  const facts = Object.entries(now.pair.sure ?? {}).filter(([fact]) => ["->", "<-", "<->", "--", "no edge"].includes(fact));
  const [fact, shares] = facts.sort((a, b) => b[1][0] - a[1][0])[0] ?? ["", [0, 0, 0]];
  return shares[0] > 0 ? [SIGNS[fact as Symbol] ?? fact, shares[0]] : null;
}
