// A graph drawn with Cytoscape.js: fixed places, and lines that are swapped.
import cytoscape, { type Core, type ElementDefinition, type EventObject, type StylesheetJson } from "cytoscape";
import { h } from "./dom";
import { ARROW, CIRCLE } from "./graph";
import { Bends } from "./bends";
import { BADGE, FONT, type Place } from "./layout";
import type { Study } from "./view";

/** A line between two variables. */
export interface Line {
  id: string;
  x: number;
  y: number;
  markX: number;
  markY: number;
  /** How wide and how dark, 0 to 1. */
  share: number;
  certain: boolean;
  /** In words, for those who do not see it. */
  text: string;
  pair: number;
}

export interface Palette {
  ink: string;
  paper: string;
  line: string;
  both: string;
  focus: string;
  studies: string[];
}

const EDGE = 24; // pixels that are left free around a picture
const MANY = 24; // variables, from which on the picture gets as much of the screen as there is
const SHAPES: Record<number, string> = { [ARROW]: "triangle", [CIRCLE]: "circle" };

export function palette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: value("--ink"),
    paper: value("--panel"),
    line: value("--line"),
    both: value("--both"),
    focus: value("--focus"),
    studies: Array.from({ length: 8 }, (_, i) => value(`--study-${i}`)),
  };
}

/** What a study is called in pictures: A, B, ..., Z, then 27, 28. */
export function letter(study: number): string {
  return study < 26 ? String.fromCharCode(65 + study) : String(study + 1);
}

export class Picture {
  readonly element: HTMLElement;
  private readonly stage: HTMLElement;
  private readonly spoken: HTMLElement;
  private readonly tip: HTMLElement;
  private readonly hint: HTMLElement;
  private readonly tools: HTMLElement;
  private core: Core | null = null;
  private lines: Line[] = [];
  private at = -1;
  private seen = true;
  private readonly bends: Bends;
  private readonly scale: number;
  private selected: number | null = null;

  constructor(
    label: string,
    private readonly names: readonly string[],
    private readonly studies: readonly Study[],
    private readonly places: Place[],
    private readonly family: string,
    private readonly choose: (pair: number) => void,
    private readonly moved: () => void,
  ) {
    this.bends = new Bends(places);
    this.scale = places[0]?.scale ?? 1;
    this.stage = h("div", {
      class: names.length > MANY ? "stage many" : "stage",
      tabindex: 0,
      role: "application",
      "aria-label": `${label}. Left and right arrow keys go from line to line, Enter shows why, plus and minus zoom, 0 fits.`,
      onkeydown: (event: KeyboardEvent) => this.pressed(event),
    });
    this.spoken = h("div", { class: "unseen", "aria-live": "polite" });
    this.tip = h("div", { class: "tip", hidden: true });
    this.hint = h("div", { class: "empty over", hidden: true });
    this.tools = h(
      "div",
      { class: "tools" },
      h("button", { type: "button", title: "Larger", "aria-label": "Larger", onclick: () => this.zoom(1.25) }, "+"),
      h("button", { type: "button", title: "Smaller", "aria-label": "Smaller", onclick: () => this.zoom(0.8) }, "−"),
      h("button", { type: "button", title: "Fit", "aria-label": "Fit", onclick: () => this.fit() }, "Fit"),
    );
    this.element = h("div", { class: "picture" }, this.stage, this.hint, this.tools, this.tip, this.spoken);
    this.stage.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.1 : 0.9);
    }, { passive: false });
    new ResizeObserver(() => this.resized()).observe(this.stage);
    window.addEventListener("beforeprint", () => this.toPaper());
    window.addEventListener("afterprint", () => this.stage.querySelector(".paper")?.remove());
  }

  /** Cytoscape needs an element that has a size, so it starts when the picture is on the page. */
  start(): void {
    if (this.core || !this.seen || this.stage.clientWidth === 0) return;
    this.core = cytoscape({
      container: this.stage,
      elements: this.nodes(),
      style: this.style(),
      layout: { name: "preset" },
      userZoomingEnabled: false,
      boxSelectionEnabled: false,
      autounselectify: true,
      minZoom: 0.1,
      maxZoom: 3,
    });
    this.core.on("tap", "edge", (event: EventObject) => this.choose(event.target.data("pair") as number));
    this.core.on("mouseover", "edge, node", (event: EventObject) => this.showTip(event));
    this.core.on("mouseout", "edge, node", () => (this.tip.hidden = true));
    this.core.on("dragfree", "node", (event: EventObject) => {
      const place = this.places[Number(event.target.id().slice(1))]!;
      ({ x: place.x, y: place.y } = event.target.position() as { x: number; y: number });
      this.moved();
    });
    this.draw(this.lines);
    this.fit();
  }

  /** A picture further down starts when it is about to be seen. */
  startWhenSeen(): void {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        this.seen = true;
        this.start();
      },
      { rootMargin: "600px" },
    );
    this.seen = false;
    observer.observe(this.stage);
  }

  /** What is on the screen is drawn a frame later than it changes, which is too late for paper, and has its colours. */
  private toPaper(): void {
    this.seen = true;
    this.start();
    if (!this.core) return;
    this.restyle();
    const { renderer } = this.core as unknown as { renderer(): { bufferCanvasImage(options: object): HTMLCanvasElement } };
    const drawn = renderer.call(this.core).bufferCanvasImage({ full: true, scale: 2, bg: palette().paper, maxWidth: 4000, maxHeight: 4000 });
    // Chromium would print each stroke of it, which some readers of PDF choke on; points are only points.
    const { width, height } = drawn;
    const points = h("canvas", { class: "paper", width, height });
    points.getContext("2d")!.putImageData(drawn.getContext("2d")!.getImageData(0, 0, width, height), 0, 0);
    this.stage.append(points);
  }

  /** Take over places that were changed in another picture. */
  follow(): void {
    this.core?.nodes().forEach((node) => {
      const place = this.places[Number(node.id().slice(1))]!;
      node.position({ x: place.x, y: place.y });
    });
    this.bends.forget();
    const bends = this.bends.of(this.lines);
    this.lines.forEach((line, i) => this.core?.getElementById(line.id).data("bend", bends[i]));
  }

  draw(lines: Line[], nothing = ""): void {
    this.lines = lines;
    this.at = -1;
    this.hint.textContent = nothing;
    this.hint.hidden = nothing === "";
    this.core?.batch(() => {
      this.core!.edges().remove();
      const bends = this.bends.of(lines);
      this.core!.add(lines.map((line, i) => this.edge(line, bends[i]!)));
    });
    this.mark(this.selected);
  }

  /** Show which pair is looked at. */
  mark(pair: number | null): void {
    this.selected = pair;
    this.core?.batch(() => {
      this.core!.edges().forEach((edge) => void edge.toggleClass("chosen", edge.data("pair") === pair));
      const chosen = this.lines.find((line) => line.pair === pair);
      this.core!.nodes().forEach((node) => {
        const v = Number(node.id().slice(1));
        node.toggleClass("chosen", chosen !== undefined && (chosen.x === v || chosen.y === v));
      });
    });
  }

  restyle(): void {
    this.core?.style(this.style());
    this.core?.nodes().forEach((node) => void node.data("badges", this.badges(Number(node.id().slice(1)))));
  }

  /** Where the line of a pair is on the screen; for scripts. */
  whereIs(pair: number): { x: number; y: number } | null {
    const edge = this.core?.edges().filter((one) => one.data("pair") === pair)[0];
    if (!edge) return null;
    const middle = edge.midpoint();
    const { x: left, y: top } = this.core!.pan();
    const box = this.stage.getBoundingClientRect();
    return { x: box.left + middle.x * this.core!.zoom() + left, y: box.top + middle.y * this.core!.zoom() + top };
  }

  png(): Blob | null {
    const paper = palette().paper;
    return this.core?.png({ output: "blob", full: true, scale: 2, bg: paper }) as Blob | null;
  }

  private zoom(factor: number): void {
    const core = this.core;
    core?.zoom({ level: core.zoom() * factor, renderedPosition: { x: core.width() / 2, y: core.height() / 2 } });
  }

  private fit(): void {
    const core = this.core;
    if (!core) return;
    core.fit(undefined, EDGE);
    if (core.zoom() > 1.25 / this.scale) {
      core.zoom(1.25 / this.scale);
      core.center();
    }
    const [left, bottom] = [core.width() - this.tools.offsetWidth - EDGE / 2, this.tools.offsetTop + this.tools.offsetHeight];
    const covered = core.nodes().some((node) => node.renderedBoundingBox().x2 > left && node.renderedBoundingBox().y1 < bottom);
    if (!covered) return;
    // Everything goes below the buttons.
    const room = core.height() - bottom - EDGE;
    const { y1, h: height } = core.elements().renderedBoundingBox();
    core.zoom({ level: core.zoom() * Math.min(1, room / height), renderedPosition: { x: core.width() / 2, y: y1 } });
    core.panBy({ x: 0, y: bottom + 4 - core.elements().renderedBoundingBox().y1 });
  }

  private resized(): void {
    if (matchMedia("print").matches) return;
    if (!this.core) return this.start();
    this.core.resize();
    this.fit();
  }

  private nodes(): ElementDefinition[] {
    return this.places.map((place, v) => ({
      data: { id: `v${v}`, label: place.lines.join("\n"), width: place.width, height: place.height, badges: this.badges(v) },
      position: { x: place.x, y: place.y },
    }));
  }

  /** The studies of a variable: a square with a letter for each, so that colour is not needed to read it. */
  private badges(v: number): string {
    const colours = palette().studies;
    const own = this.studies.flatMap((study, i) => (study.variables.includes(v) ? [i] : []));
    const step = BADGE + 2;
    const [width, height] = [Math.max(1, own.length * step - 2), BADGE];
    const squares = own.map(
      (study, i) =>
        `<rect x="${i * step}" y="0" width="${BADGE}" height="${BADGE}" rx="3" fill="${colours[study % colours.length]}"/>` +
        `<text x="${i * step + BADGE / 2}" y="${BADGE - 3.5}" font-family="sans-serif" font-size="10" font-weight="bold" text-anchor="middle" fill="#fff">${letter(study)}</text>`,
    );
    const size = `width="${width * this.scale}" height="${height * this.scale}" viewBox="0 0 ${width} ${height}"`;
    return `data:image/svg+xml;utf8,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${squares.join("")}</svg>`)}`;
  }

  private edge(line: Line, bend: number): ElementDefinition {
    const both = line.markX === ARROW && line.markY === ARROW;
    return {
      data: {
        id: line.id,
        source: `v${line.x}`,
        target: `v${line.y}`,
        pair: line.pair,
        bend,
        text: line.text,
        width: Math.sqrt(this.scale) * (1.25 + 3.25 * line.share),
        opacity: 0.4 + 0.6 * line.share,
        tail: SHAPES[line.markX] ?? "none",
        head: SHAPES[line.markY] ?? "none",
      },
      classes: [line.certain ? "certain" : "possible", both ? "both" : ""].filter(Boolean),
    };
  }

  private style(): StylesheetJson {
    const colours = palette();
    return [
      {
        selector: "node",
        style: {
          shape: "round-rectangle",
          width: "data(width)",
          height: "data(height)",
          label: "data(label)",
          "text-wrap": "wrap",
          "text-valign": "center",
          "text-margin-y": this.scale * (-BADGE / 2 - 2),
          "font-family": this.family,
          "font-size": FONT * this.scale,
          "line-height": 1.15,
          color: colours.ink,
          "background-color": colours.paper,
          "border-width": 1.5 * this.scale,
          "border-color": colours.line,
          "background-image": "data(badges)",
          "background-fit": "none",
          "background-clip": "none",
          "background-position-x": "50%",
          "background-position-y": "88%",
          "background-image-containment": "over",
        },
      },
      {
        selector: "edge",
        style: {
          "curve-style": "unbundled-bezier",
          "control-point-distances": "data(bend)",
          "control-point-weights": 0.5,
          "edge-distances": "node-position",
          width: "data(width)",
          opacity: "data(opacity)",
          "line-color": colours.ink,
          "source-arrow-color": colours.ink,
          "target-arrow-color": colours.ink,
          "source-arrow-shape": "data(tail)",
          "target-arrow-shape": "data(head)",
          "arrow-scale": 1.05,
        },
      },
      { selector: 'edge[tail = "circle"]', style: { "source-arrow-fill": "hollow" } },
      { selector: 'edge[head = "circle"]', style: { "target-arrow-fill": "hollow" } },
      { selector: "edge.both", style: { "line-color": colours.both, "source-arrow-color": colours.both, "target-arrow-color": colours.both } },
      { selector: "edge.possible", style: { "line-style": "dashed", "line-dash-pattern": [7 * this.scale, 5 * this.scale] } },
      { selector: "edge.chosen", style: { opacity: 1, "underlay-color": colours.focus, "underlay-opacity": 0.35, "underlay-padding": 5 * this.scale } },
      { selector: "node.chosen", style: { "border-color": colours.focus, "border-width": 3 * this.scale } },
    ] as unknown as StylesheetJson;
  }

  private showTip(event: EventObject): void {
    const id = String(event.target.id());
    this.tip.textContent = event.target.isNode() ? this.names[Number(id.slice(1))]! : String(event.target.data("text"));
    const { x, y } = event.renderedPosition;
    this.tip.style.left = `${Math.max(0, Math.min(x + 12, this.stage.clientWidth - 260))}px`;
    this.tip.style.top = `${y + 14}px`;
    this.tip.hidden = false;
  }

  /** Someone who has no mouse cannot drag the picture. */
  private bringIntoSight(line: Line): void {
    const edge = this.core?.getElementById(line.id);
    if (!edge?.nonempty()) return;
    const { x1, x2, y1, y2 } = edge.connectedNodes().renderedBoundingBox();
    if (x1 < 0 || y1 < 0 || x2 > this.core!.width() || y2 > this.core!.height()) this.core!.center(edge);
  }

  private pressed(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step !== undefined && this.lines.length) {
      this.at = this.at < 0 && step < 0 ? this.lines.length - 1 : (this.at + step + this.lines.length) % this.lines.length;
      const line = this.lines[this.at]!;
      this.mark(line.pair);
      this.bringIntoSight(line);
      this.spoken.textContent = line.text;
    } else if ((event.key === "Enter" || event.key === " ") && this.lines[this.at]) this.choose(this.lines[this.at]!.pair);
    else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }
}
