// The page: reads the view that is embedded in it and puts the parts together.
import "./style.css";
import { address as addressOf } from "./address";
import { h } from "./dom";
import { claimOf } from "./findings";
import { FORMATS } from "./formats";
import { Live } from "./live";
import { answer } from "./parts/answer";
import { bar } from "./parts/bar";
import { beside as besideSection } from "./parts/beside";
import { browser } from "./parts/browser";
import { claims } from "./parts/claims";
import { effects } from "./parts/effects";
import { pairPanel } from "./parts/pair";
import { about, givenUp, nextSteps, studies } from "./parts/rest";
import { table } from "./parts/table";
import { union } from "./parts/union";
import type { Picture } from "./picture";
import { Places } from "./places";
import { State } from "./state";
import type { Beside, Holds, View } from "./view";

/** The colours: those that the reader's system asks for, until the reader says otherwise; on paper always the light ones. */
function theme(state: State): HTMLElement {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const { dataset } = document.documentElement;
  let dark = system.matches;
  const wear = (next: boolean, forPaper = false) => {
    if (!forPaper) dark = next;
    dataset["theme"] = next ? "dark" : "light";
    button.textContent = dark ? "Light" : "Dark";
    state.tell("theme");
  };
  const button = h("button", { type: "button", class: "theme", onclick: () => wear(!dark) });
  system.addEventListener("change", () => wear(system.matches));
  window.addEventListener("beforeprint", () => wear(false, true));
  window.addEventListener("afterprint", () => wear(dark));
  wear(dark);
  return button;
}

function contents(two: boolean): HTMLElement {
  const links: [string, string][] = [
    ["answer", "Answer"], ["graph", "Graph"], ...(two ? [["beside", "Beside"] as [string, string]] : []), ["pairs", "Pairs"], ["effects", "Sizes"], ["structures", "One by one"],
    ["conflicts", "Given up"], ["studies", "Studies"], ["next", "Next"], ["about", "How"],
  ];
  return h("nav", { "aria-label": "Parts" }, ...links.map(([id, text]) => h("a", { href: `#${id}` }, text)));
}

/** The page of a report, perhaps with another result beside it; with an address to ask at, that of the explorer. */
function start(view: View, address: string | null, other: Beside | null): void {
  const state = new State(view, address !== null);
  const pictures: Picture[] = [];
  const later: (() => void)[] = []; // what the reader does not need in order to read the answer
  const places = new Places(view.layout);
  const own = addressOf(state);
  document.title = `weft: ${view.title}`;
  document.body.append(
    h("a", { class: "skip", href: "#answer" }, "To the answer"),
    h("header", {}, h("div", { class: "brand" }, "weft"), contents(other !== null), theme(state)),
    h(
      "main",
      {},
      answer(state),
      own.note,
      bar(state),
      union(state, places, pictures, claims(state), pairPanel(state)),
      ...(other ? [besideSection(other)] : []),
      table(state),
      effects(state),
      browser(state, places, pictures, later),
      givenUp(view),
      studies(view),
      nextSteps(state),
      about(view),
    ),
  );
  later.push(() => {
    const adjacent = (holds: Holds) => state.pairs.find(({ x, y }) => state.now(claimOf("adjacent", x, y)).holds === holds);
    const first = adjacent("all") ?? adjacent("some");
    if (first) state.select(first.place);
  });
  // After the first paint. (A page that is not in sight paints nothing, so a frame cannot be waited for.)
  setTimeout(() => {
    const live = address === null ? null : new Live(state, address);
    own.start();
    for (const one of later) one();
    handle(state, pictures, live);
    performance.mark("weft-ready");
  }, 0);
}

/** For scripts: the same graphs and formats that the page offers. */
function handle(state: State, pictures: Picture[], live: Live | null): void {
  const write = (format: string, kind: "mag" | "pag", position: number) =>
    FORMATS.find((one) => one.name === format)!.write(kind === "mag" ? state.solutions.mag(position) : state.solutions.pag(position));
  Object.assign(window, { weft: { state, pictures, live, formats: FORMATS.map((format) => format.name), write } });
}

/** What stands as JSON in an element of the page. */
function embedded<T>(id: string): T | null {
  const text = document.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as T) : null;
}

start(embedded<View>("weft-view")!, embedded<{ ask: string }>("weft-live")?.ask ?? null, embedded<Beside>("weft-beside"));
