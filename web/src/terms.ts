// The words of the field: each says what it means to whoever points at it, or comes to it with the keyboard.
import { h } from "./dom";
import type { View } from "./view";

/** A word, or another form of it, with its explanation. */
export function term(view: View, word: string, text = word): HTMLElement | string {
  const meaning = view.glossary[word];
  return meaning === undefined ? text : h("span", { class: "term", tabindex: 0, title: meaning, "data-term": word }, text);
}

/** A sentence of weft's own in which every word of the glossary is explained; names of variables do not belong here. */
export function withTerms(view: View, sentence: string): (HTMLElement | string)[] {
  const words = Object.keys(view.glossary).sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`\\b(${words.join("|")})(s?)\\b`, "i");
  const found = (text: string) => words.find((word) => word.toLowerCase() === text.toLowerCase())!;
  const parts: (HTMLElement | string)[] = [];
  let rest = sentence;
  for (let match = pattern.exec(rest); match; match = pattern.exec(rest)) {
    parts.push(rest.slice(0, match.index), term(view, found(match[1]!), match[0]));
    rest = rest.slice(match.index + match[0].length);
  }
  return [...parts, rest];
}
