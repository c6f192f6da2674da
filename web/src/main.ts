// The page: reads the view that is embedded in it and puts the parts together.
import "./style.css";
import { h } from "./dom";
import { FORMATS } from "./formats";
import { places } from "./layout";
import { answer } from "./parts/answer";
import { bar } from "./parts/bar";
import { browser } from "./parts/browser";
import { pairPanel } from "./parts/pair";
import { about, givenUp, nextSteps, studies } from "./parts/rest";
import { table } from "./parts/table";
import { union } from "./parts/union";
import type { Picture } from "./picture";
import { State } from "./state";
import type { View } from "./view";

const FAMILY = 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif';

function theme(state: State): HTMLElement {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = () => (root.dataset["theme"] ?? (dark.matches ? "dark" : "light")) === "dark";
  const button = h("button", {
    type: "button",
    class: "theme",
    onclick: () => {
      root.dataset["theme"] = isDark() ? "light" : "dark";
      label();
      state.tell("theme");
    },
  });
  const label = () => (button.textContent = isDark() ? "Light" : "Dark");
  dark.addEventListener("change", () => {
    label();
    state.tell("theme");
  });
  label();
  return button;
}

function contents(): HTMLElement {
  const links: [string, string][] = [
    ["answer", "Answer"], ["graph", "Graph"], ["pairs", "Pairs"], ["structures", "One by one"],
    ["conflicts", "Given up"], ["studies", "Studies"], ["next", "Next"], ["about", "How"],
  ];
  return h("nav", { "aria-label": "Parts" }, ...links.map(([id, text]) => h("a", { href: `#${id}` }, text)));
}

function start(view: View): void {
  const state = new State(view);
  const pictures: Picture[] = [];
  const later: (() => void)[] = []; // what the reader does not need in order to read the answer
  const where = places(state, FAMILY);
  document.title = `weft: ${view.title}`;
  document.body.append(
    h("a", { class: "skip", href: "#answer" }, "To the answer"),
    h("header", {}, h("div", { class: "brand" }, "weft"), contents(), theme(state)),
    h(
      "main",
      {},
      answer(view),
      bar(state),
      union(state, where, FAMILY, pictures, pairPanel(state), later),
      table(state),
      browser(state, where, FAMILY, pictures, later),
      givenUp(view),
      studies(view),
      nextSteps(view),
      about(view),
    ),
  );
  later.push(() => {
    const first = state.pairs.find((now) => now.holds.get("") === "none") ?? state.pairs.find((now) => now.holds.get("") === "some");
    if (first && view.consistent !== false) state.select(first.place);
  });
  // After the first paint. (A page that is not in sight paints nothing, so a frame cannot be waited for.)
  setTimeout(() => {
    for (const one of later) one();
    handle(state, pictures);
    performance.mark("weft-ready");
  }, 0);
}

/** For scripts: the same graphs and formats that the page offers. */
function handle(state: State, pictures: Picture[]): void {
  const write = (format: string, kind: "mag" | "pag", position: number) =>
    FORMATS.find((one) => one.name === format)!.write(kind === "mag" ? state.solutions.mag(position) : state.solutions.pag(position));
  Object.assign(window, { weft: { state, pictures, formats: FORMATS.map((format) => format.name), write } });
}

start(JSON.parse(document.getElementById("weft-view")!.textContent!) as View);
