// A graph as a picture that can be enlarged and dragged: fixed places, and lines that are swapped.
import { boxElement, type Line, lineElement } from "./drawing";
import { download, h, prose, replace, s } from "./dom";
import type { Places } from "./places";
import type { Point, Study } from "./view";

const EDGE = 14; // pixels that are left free around a picture
const LARGEST = 1.75; // pixels of a point, at first
const [LEAST_ZOOM, MOST_ZOOM] = [0.1, 6];
const MANY = 24; // variables, from which on the picture gets as much of the screen as there is
const MOST_PIXELS = 8000; // of a saved picture
const STILL = 4; // pixels that a hand may move in a click
const INLINED = ["fill", "stroke", "font-family", "font-weight", "text-anchor", "dominant-baseline", "display", "opacity", "stroke-width", "stroke-dasharray"];

export class Picture {
  readonly element: HTMLElement;
  private readonly stage: HTMLElement;
  private readonly svg: SVGSVGElement;
  private readonly lineLayer = s("g");
  private readonly boxLayer = s("g");
  private readonly spoken: HTMLElement;
  private readonly listed = h("ul");
  private readonly words: HTMLDetailsElement;
  private readonly tip: HTMLElement;
  private readonly hint: HTMLElement;
  private readonly tools: HTMLElement;
  private lines: Line[] = [];
  private at = -1;
  private selected: number | null = null;
  /** What is in the middle, and how many pixels a point has. */
  private middle: Point = [0, 0];
  private zoom = 1;

  constructor(
    label: string,
    private readonly names: readonly string[],
    studies: readonly Study[],
    private readonly places: Places,
    private readonly choose: (pair: number) => void,
    private readonly moved: () => void,
  ) {
    this.svg = s("svg", { class: "drawing", "aria-hidden": "true" }, this.lineLayer, this.boxLayer);
    this.boxLayer.append(...places.boxes.map((box, v) => boxElement(v, box, studies, places.scale)));
    this.stage = h(
      "div",
      {
        class: names.length > MANY ? "stage many" : "stage",
        tabindex: 0,
        role: "application",
        "aria-label": `${label}. Left and right arrow keys go from line to line, Enter shows why, plus and minus zoom, 0 fits.`,
        onkeydown: (event: KeyboardEvent) => this.pressed(event),
        onpointerdown: (event: PointerEvent) => this.grabbed(event),
        onpointerover: (event: PointerEvent) => this.showTip(event),
        onpointerout: () => (this.tip.hidden = true),
      },
      this.svg,
    );
    this.spoken = h("div", { class: "unseen", "aria-live": "polite" });
    this.tip = h("div", { class: "tip", hidden: true });
    this.hint = h("div", { class: "empty over", hidden: true });
    this.tools = h(
      "div",
      { class: "tools" },
      h("button", { type: "button", title: "Larger", "aria-label": "Larger", onclick: () => this.enlarge(1.25) }, "+"),
      h("button", { type: "button", title: "Smaller", "aria-label": "Smaller", onclick: () => this.enlarge(0.8) }, "−"),
      h("button", { type: "button", title: "Fit", "aria-label": "Fit", onclick: () => this.fit() }, "Fit"),
    );
    this.words = h("details", { class: "words", ontoggle: () => this.list() }, h("summary", {}, "The picture in words"), h("div", { class: "list-of-lines", tabindex: 0, role: "region", "aria-label": `${label}, in words` }, this.listed));
    this.element = h("div", { class: "shown" }, h("div", { class: "picture" }, this.stage, this.hint, this.tools, this.tip, this.spoken), this.words);
    this.stage.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.enlarge(event.deltaY < 0 ? 1.1 : 0.9);
    }, { passive: false });
    new ResizeObserver(() => this.resized()).observe(this.stage);
    window.addEventListener("beforeprint", () => this.toPaper());
    window.addEventListener("afterprint", () => this.look());
    this.follow();
  }

  // -- what is drawn -----------------------------------------------------------------------------------------------------

  draw(lines: Line[], nothing = ""): void {
    this.lines = lines;
    this.at = -1;
    this.hint.textContent = nothing;
    this.hint.hidden = nothing === "";
    this.redraw();
    this.list();
  }

  /** What is drawn as a list, for those who do not see it; made when it is opened. */
  private list(): void {
    if (!this.words.open) return;
    const lines = this.lines.map((line) => h("li", {}, ...prose(line.text)));
    replace(this.listed, ...(lines.length ? lines : [h("li", {}, this.hint.textContent || "No line.")]));
  }

  /** Take over places that were changed. */
  follow(): void {
    [...this.boxLayer.children].forEach((box, v) => {
      const { x, y } = this.places.boxes[v]!;
      box.setAttribute("transform", `translate(${x} ${y})`);
    });
    this.redraw();
  }

  private redraw(): void {
    const groups = new Map<number, Line[]>();
    for (const line of this.lines) groups.set(line.pair, [...(groups.get(line.pair) ?? []), line]);
    // Those that count most lie on top.
    const ordered = [...this.lines].sort((a, b) => b.faint - a.faint || a.width - b.width);
    this.lineLayer.replaceChildren(
      ...ordered.map((line) => {
        const group = groups.get(line.pair)!;
        return lineElement(line, group.indexOf(line), group.length, this.places);
      }),
    );
    this.mark(this.selected);
  }

  /** Show which variables are not in it: their places are those of another picture. */
  without(variables: readonly number[]): void {
    [...this.boxLayer.children].forEach((box, v) => box.classList.toggle("absent", variables.includes(v)));
  }

  /** Show which pair is looked at. */
  mark(pair: number | null): void {
    this.selected = pair;
    for (const line of this.lineLayer.children) line.classList.toggle("chosen", line.getAttribute("data-pair") === String(pair));
    const chosen = this.lines.find((line) => line.pair === pair);
    [...this.boxLayer.children].forEach((box, v) => box.classList.toggle("chosen", chosen !== undefined && (chosen.x === v || chosen.y === v)));
  }

  /** Where the line of a pair is on the screen; for scripts. */
  whereIs(pair: number): { x: number; y: number } | null {
    const shaft = this.lineLayer.querySelector<SVGPathElement>(`[data-pair="${pair}"] .shaft`);
    const matrix = shaft?.getScreenCTM();
    if (!shaft || !matrix) return null;
    const { x, y } = shaft.getPointAtLength(shaft.getTotalLength() / 2).matrixTransform(matrix);
    return { x, y };
  }

  /** All of it as a drawing for other programs, in the light colours of paper. */
  vector(title: string): string {
    const all = this.whole();
    const { dataset } = document.documentElement;
    const worn = dataset["theme"];
    const chosen = this.selected;
    this.mark(null);
    dataset["theme"] = "light";
    const copy = inlined(this.svg);
    dataset["theme"] = worn;
    this.mark(chosen);
    const points = 1 / this.places.scale;
    for (const [name, value] of Object.entries({ width: `${round(points * all[2])}pt`, height: `${round(points * all[3])}pt`, viewBox: all.map(round).join(" "), role: "img", "aria-label": title })) copy.setAttribute(name, value);
    copy.removeAttribute("aria-hidden");
    copy.removeAttribute("class");
    copy.querySelectorAll(".reach").forEach((one) => one.remove());
    const [left, top, width, height] = all.map(round);
    copy.prepend(s("title", {}, title), s("desc", {}, this.lines.map((line) => line.text).join("; ")), s("rect", { x: left, y: top, width, height, fill: "#ffffff" }));
    return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
  }

  /** All of it as a picture of points, in the colours of the page. */
  async png(): Promise<Blob | null> {
    const all = this.whole();
    const scale = Math.min(3 / this.places.scale, MOST_PIXELS / Math.max(all[2], all[3]));
    const [width, height] = [Math.ceil(scale * all[2]), Math.ceil(scale * all[3])];
    const copy = inlined(this.svg);
    for (const [name, value] of Object.entries({ width, height, viewBox: all.join(" ") })) copy.setAttribute(name, String(value));
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
    await image.decode();
    const canvas = h("canvas", { width, height });
    const context = canvas.getContext("2d")!;
    context.fillStyle = getComputedStyle(this.stage.parentElement!).backgroundColor;
    context.fillRect(0, 0, width, height);
    context.drawImage(image, 0, 0, width, height);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  }

  // -- which part of it is seen ------------------------------------------------------------------------------------------

  /** All of it with some room: left, top, width, height. */
  private whole(): [number, number, number, number] {
    const [left, top, right, bottom] = this.places.extent();
    return [left - EDGE, top - EDGE, right - left + 2 * EDGE, bottom - top + 2 * EDGE];
  }

  /** On paper all of it is seen. */
  private toPaper(): void {
    const all = this.whole();
    this.svg.setAttribute("viewBox", all.join(" "));
    this.svg.style.setProperty("--paper", `${Math.ceil((LARGEST * all[2]) / this.places.scale)}px`);
  }

  private fit(): void {
    const [left, top, right, bottom] = this.places.extent();
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (width === 0) return; // not on the page yet
    const zoomFor = (wide: number, high: number) => Math.max(LEAST_ZOOM, Math.min(wide / (right - left), high / (bottom - top), LARGEST / this.places.scale));
    const seen = (beside: number, above: number) => {
      this.zoom = zoomFor(width - 2 * EDGE - beside, height - 2 * EDGE - above);
      this.middle = [(left + right) / 2 + beside / 2 / this.zoom, (top + bottom) / 2 - above / 2 / this.zoom];
    };
    seen(0, 0);
    if (this.covered()) {
      // Everything goes beside the buttons, or below them.
      const { offsetWidth, offsetHeight } = this.tools;
      const [beside, above] = [offsetWidth + EDGE / 2, offsetHeight + EDGE / 2];
      if (zoomFor(width - 2 * EDGE - beside, height - 2 * EDGE) >= zoomFor(width - 2 * EDGE, height - 2 * EDGE - above)) seen(beside, 0);
      else seen(0, above);
    }
    this.look();
  }

  /** Whether a box is behind the buttons. */
  private covered(): boolean {
    const [left, bottom] = [this.tools.offsetLeft - EDGE / 2, this.tools.offsetTop + this.tools.offsetHeight];
    const [x, y] = [this.middle[0] + (left - this.stage.clientWidth / 2) / this.zoom, this.middle[1] + (bottom - this.stage.clientHeight / 2) / this.zoom];
    return this.places.boxes.some((box) => box.x + box.width / 2 > x && box.y - box.height / 2 < y);
  }

  private look(): void {
    const [width, height] = [this.stage.clientWidth / this.zoom, this.stage.clientHeight / this.zoom];
    this.svg.setAttribute("viewBox", `${this.middle[0] - width / 2} ${this.middle[1] - height / 2} ${width} ${height}`);
  }

  private enlarge(factor: number): void {
    this.zoom = Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, this.zoom * factor));
    this.look();
  }

  /** The stage is as high as the picture needs at this width, as far as the style allows. */
  private resized(): void {
    if (matchMedia("print").matches || this.stage.clientWidth === 0) return;
    const [left, top, right, bottom] = this.places.extent();
    const zoom = Math.min((this.stage.clientWidth - 2 * EDGE) / (right - left), LARGEST / this.places.scale);
    this.stage.style.setProperty("--wanted", `${Math.ceil(zoom * (bottom - top) + 2 * EDGE + this.tools.offsetHeight)}px`);
    this.fit();
  }

  // -- the reader's hand -------------------------------------------------------------------------------------------------

  /** Drag the picture, or a box; what is pressed and not dragged is chosen. */
  private grabbed(event: PointerEvent): void {
    if (event.button !== 0) return;
    const target = event.target as Element;
    const held = target.closest("[data-v]")?.getAttribute("data-v") ?? null;
    const box = held === null ? null : this.places.boxes[Number(held)]!;
    const start = { ...(box ?? { x: this.middle[0], y: this.middle[1] }) };
    let dragged = false;
    const move = (now: PointerEvent) => {
      const [x, y] = [now.clientX - event.clientX, now.clientY - event.clientY];
      dragged ||= Math.hypot(x, y) > STILL;
      if (!dragged) return;
      this.tip.hidden = true;
      if (!box) {
        this.middle = [start.x - x / this.zoom, start.y - y / this.zoom];
        return this.look();
      }
      [box.x, box.y] = [start.x + x / this.zoom, start.y + y / this.zoom];
      this.follow();
    };
    const end = (now: PointerEvent) => {
      for (const [name, listener] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]] as const) window.removeEventListener(name, listener);
      const pair = target.closest("[data-pair]")?.getAttribute("data-pair");
      if (dragged && box) this.moved();
      else if (!dragged && now.type === "pointerup" && pair) this.choose(Number(pair));
    };
    for (const [name, listener] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]] as const) window.addEventListener(name, listener);
  }

  private showTip(event: PointerEvent): void {
    const target = event.target as Element;
    const [v, id] = [target.closest("[data-v]")?.getAttribute("data-v"), target.closest("[data-id]")?.getAttribute("data-id")];
    const text = v ? this.names[Number(v)] : this.lines.find((line) => line.id === id)?.text;
    if (!text) return;
    const { left, top } = this.stage.getBoundingClientRect();
    replace(this.tip, ...(v ? [text] : prose(text)));
    this.tip.style.left = `${Math.max(0, Math.min(event.clientX - left + 12, this.stage.clientWidth - 260))}px`;
    this.tip.style.top = `${event.clientY - top + 14}px`;
    this.tip.hidden = false;
  }

  /** Someone who has no mouse cannot drag the picture. */
  private bringIntoSight(line: Line): void {
    const [a, b] = [this.places.boxes[line.x]!, this.places.boxes[line.y]!];
    const [far, high] = [this.stage.clientWidth / 2 / this.zoom, this.stage.clientHeight / 2 / this.zoom];
    const seen = [a, b].every((box) => Math.abs(box.x - this.middle[0]) < far - box.width / 2 && Math.abs(box.y - this.middle[1]) < high - box.height / 2);
    if (seen) return;
    this.middle = [(a.x + b.x) / 2, (a.y + b.y) / 2];
    this.look();
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
    else if (event.key === "+" || event.key === "=") this.enlarge(1.25);
    else if (event.key === "-") this.enlarge(0.8);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }
}

/** A button that saves what a picture shows. */
export function savesDrawing(picture: Picture, title: string, file: string): HTMLElement {
  return h("button", { type: "button", title: "A drawing for papers and slides", onclick: () => download(picture.vector(title), file, "image/svg+xml") }, "Save as SVG");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A copy that needs no style sheet. */
function inlined(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const copies = [...copy.querySelectorAll("*")];
  [...svg.querySelectorAll("*")].forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of INLINED) copies[i]!.setAttribute(name, style.getPropertyValue(name));
  });
  return copy;
}
