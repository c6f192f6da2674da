// Elements from code. Text goes in as text: nothing that comes from data is ever read as HTML.

type Child = Node | string | null | undefined | false;
type Properties = Record<string, string | number | boolean | ((event: never) => void) | null | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

/** The same for SVG. */
export function s<K extends keyof SVGElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

/** A variable's name, which may be long or in another script. */
export function name(text: string): HTMLElement {
  return h("bdi", { class: "name", title: text.length > 24 ? text : null }, shown(text));
}

const SYMBOL = "(?:<->|->|<-|--|o->|<-o|o-o|o--|--o|→|←|↔|—)";
const EDGES = new RegExp(`(\\S+(?:\\s${SYMBOL}\\s\\S+)+)`);
const ARROWS = new RegExp(`(\\s${SYMBOL})(?=\\s)`);
const LONGEST = 24; // signs of an edge that fits on any line

/** A sentence whose edges do not break over lines; one that is longer than a line may, but not before its arrow. */
export function prose(text: string): Child[] {
  const whole = (part: string) => h("span", { class: "whole" }, part);
  return text.split(EDGES).flatMap((part, i): Child[] => {
    if (i % 2 === 0) return [part];
    if (part.length <= LONGEST) return [whole(part)];
    return [h("span", { class: "long" }, ...part.split(ARROWS).map((piece, k) => (k % 2 ? whole(piece) : piece)))];
  });
}

/** What is shown of a name: an empty one, or one of blanks, must still be seen. */
export function shown(text: string): string {
  return text.trim() === "" ? `“${text}”` : text;
}

/** A name cut in its middle, since long names often differ at their end; no line breaks at the cut. */
export function short(text: string, most = 22): string {
  const all = shown(text);
  const keep = most - 1;
  return all.length <= most ? all : `${all.slice(0, Math.ceil(keep / 2))}\u2060…\u2060${all.slice(all.length - Math.floor(keep / 2))}`;
}

export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
}

export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...children);
}

export function number(value: number): string {
  return value.toLocaleString("en");
}

export function plural(count: number, one: string, many: string): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** A share as per cent; what is not nothing is never 0 %, and what is not all is never 100 %. */
export function percent(share: number): string {
  if (share <= 0) return "0 %";
  if (share >= 1) return "100 %";
  if (share < 0.01) return "< 1 %";
  if (share > 0.99) return "> 99 %";
  return `${Math.round(share * 100)} %`;
}

/** Three significant digits, as Python's ".3g" writes them: 1.5, 0.000123, 1.23e+03. */
export function figure(value: number): string {
  const [digits, exponent] = value.toExponential(2).split("e").map(Number) as [number, number];
  if (-5 < exponent && exponent < 3) return String(Number(value.toPrecision(3)));
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

export function download(content: string | Blob, file: string, type: string): void {
  const url = URL.createObjectURL(typeof content === "string" ? new Blob([content], { type: `${type};charset=utf-8` }) : content);
  const link = h("a", { href: url, download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
