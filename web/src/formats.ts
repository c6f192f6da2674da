// A graph in the text formats of ``weft convert``, letter by letter as weft.formats writes them.
import { ARROW, CIRCLE, type Edge, type Graph, longSymbol, NONE, quote, symbol, TAIL } from "./graph";

export interface Format {
  name: string;
  description: string;
  suffix: string;
  type: string;
  write(graph: Graph): string;
}

/** A graph that a format cannot hold. */
export class Unfit extends Error {}

function refuse(graph: Graph, unfit: RegExp, what: string, reason: string): void {
  for (const name of graph.names) {
    if (unfit.test(name)) throw new Unfit(`“${name}” cannot stand in ${what}: ${reason}.`);
  }
}

// -- CSV ---------------------------------------------------------------------------------------------------------------

const BLANK = "\\t\\n\\v\\f\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"; // Python's \s
const PLAIN_CELL = new RegExp(`^[^${BLANK}",;]+(?: [^${BLANK}",;]+)*$`, "u");

function record(cells: (string | null)[]): string {
  return `${cells.map((cell) => (cell === null || PLAIN_CELL.test(cell) ? (cell ?? "") : `"${cell.replaceAll('"', '""')}"`)).join(",")}\n`;
}

function edges(graph: Graph): string {
  refuse(graph, /^$/, "a table of edges", "a name there is not empty");
  const rows = graph.edges().map((e) => record([graph.names[e.x]!, longSymbol(e), graph.names[e.y]!]));
  const alone = graph.isolated().map((a) => record([graph.names[a]!, null, null]));
  return ["from,edge,to\n", ...rows, ...alone].join("");
}

function matrix(graph: Graph, entry: (a: number, b: number) => number): string {
  const all = [...graph.names.keys()];
  const rows = all.map((a) => record([graph.names[a]!, ...all.map((b) => String(entry(a, b)))]));
  return [record(["", ...graph.names]), ...rows].join("");
}

const CAUSAL_LEARN = [0, 2, 1, -1]; // of none, circle, arrowhead and tail

// -- text --------------------------------------------------------------------------------------------------------------

function weft(graph: Graph): string {
  const parts = graph.edges().map((e) => `${quote(graph.names[e.x]!)} ${symbol(e)} ${quote(graph.names[e.y]!)}`);
  return `${[...parts, ...graph.isolated().map((a) => quote(graph.names[a]!))].join("; ")}\n`;
}

function tetrad(graph: Graph): string {
  const unfit = new RegExp(`[${BLANK},;]|^$|^\\([^]*\\)$|^\\[[^]*\\]$`, "u");
  refuse(graph, unfit, "a Tetrad graph", "names there are not empty and have no blanks, “,”, “;” or “(...)”");
  const lines = graph.edges().map((e, i) => `${i + 1}. ${graph.names[e.x]} ${longSymbol(e)} ${graph.names[e.y]}`);
  return ["Graph Nodes:", graph.names.join(";"), "", "Graph Edges:", ...lines, ""].join("\n");
}

/** A graph without circles is a MAG here: its edges may hide common causes. */
function dagitty(graph: Graph): string {
  const reason = "names there have no control characters, do not end with a backslash, and are not “graph” or “node”";
  refuse(graph, /[\x00-\x1f\x7f]|\\$|^(?:graph|node)$/, "a dagitty graph", reason);
  const quoted = (name: string) => (/^[0-9a-zA-Z_.]+$/.test(name) ? name : `"${name.replaceAll('"', '\\"')}"`);
  const alone = graph.isolated().map((a) => quoted(graph.names[a]!));
  const lines = graph
    .edges()
    .map((e) => `${quoted(graph.names[e.x]!)} ${symbol(e).replaceAll("o", "@")} ${quoted(graph.names[e.y]!)}`);
  return [`${graph.uses(CIRCLE) ? "pag" : "mag"} {`, ...alone, ...lines, "}", ""].join("\n");
}

function dot(graph: Graph): string {
  refuse(graph, /\0/, "a DOT file", "it has a zero byte");
  const quoted = (name: string) =>
    `"${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
  const label = (name: string) =>
    /[\\\n&]|^$/.test(name) ? ` [label=${quoted(name.replaceAll("&", "&amp;"))}]` : "";
  const arrows = ["", "odot", "normal", "none"];
  const style = (e: Edge) =>
    e.markX === TAIL && e.markY === ARROW
      ? ""
      : ` [dir=both, arrowtail=${arrows[e.markX]}, arrowhead=${arrows[e.markY]}]`;
  const nodes = graph.names.map((name) => `  ${quoted(name)}${label(name)};`);
  const lines = graph
    .edges()
    .map((e) => `  ${quoted(graph.names[e.x]!)} -> ${quoted(graph.names[e.y]!)}${style(e)};`);
  return ["digraph {", ...nodes, ...lines, "}", ""].join("\n");
}

const MARK_NAMES = ["none", "circle", "arrow", "tail"];

function graphml(graph: Graph): string {
  refuse(graph, /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/, "a GraphML file", "it has a control character");
  const escaped = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll(">", "&gt;").replaceAll("<", "&lt;").replaceAll("\r", "&#13;");
  const data = (key: string, text: string) => `<data key="${key}">${escaped(text)}</data>`;
  const key = (id: string, owner: string) => `  <key id="${id}" for="${owner}" attr.name="${id}" attr.type="string"/>\n`;
  const nodes = graph.names.map((name, i) => `    <node id="n${i}">${data("name", name)}</node>\n`);
  const lines = graph.edges().map((e) => {
    const marks = data("source_mark", MARK_NAMES[e.markX]!) + data("target_mark", MARK_NAMES[e.markY]!);
    return `    <edge source="n${e.x}" target="n${e.y}">${marks}</edge>\n`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n',
    key("name", "node"),
    key("source_mark", "edge"),
    key("target_mark", "edge"),
    '  <graph edgedefault="directed">\n',
    ...nodes,
    ...lines,
    "  </graph>\n</graphml>\n",
  ].join("");
}

function cytoscape(graph: Graph): string {
  refuse(graph, /^$/, "a Cytoscape file", "an id there is not empty");
  const nodes = graph.names.map((name) => ({ data: { id: name, value: name, name } }));
  const lines = graph.edges().map((e) => ({
    data: {
      source: graph.names[e.x],
      target: graph.names[e.y],
      source_mark: MARK_NAMES[e.markX],
      target_mark: MARK_NAMES[e.markY],
    },
  }));
  const document = { data: {}, directed: true, multigraph: false, elements: { nodes, edges: lines } };
  return `${JSON.stringify(document, null, 1)}\n`;
}

export const FORMATS: Format[] = [
  { name: "weft", description: "weft text, X -> Y; Y <-> Z", suffix: ".weft", type: "text/plain", write: weft },
  { name: "edges", description: "edge table, CSV", suffix: ".csv", type: "text/csv", write: edges },
  { name: "dagitty-mag", description: "dagitty", suffix: ".dagitty", type: "text/plain", write: dagitty },
  { name: "tetrad", description: "Tetrad graph text", suffix: ".txt", type: "text/plain", write: tetrad },
  { name: "pcalg", description: "pcalg matrix, CSV", suffix: ".pcalg.csv", type: "text/csv", write: (g) => matrix(g, (a, b) => g.mark(a, b)) },
  { name: "causal-learn", description: "causal-learn matrix, CSV", suffix: ".causal-learn.csv", type: "text/csv", write: (g) => matrix(g, (a, b) => CAUSAL_LEARN[g.mark(b, a) || NONE]!) },
  { name: "dot", description: "Graphviz DOT", suffix: ".dot", type: "text/vnd.graphviz", write: dot },
  { name: "graphml", description: "GraphML", suffix: ".graphml", type: "application/xml", write: graphml },
  { name: "cytoscape", description: "Cytoscape JSON", suffix: ".cyjs", type: "application/json", write: cytoscape },
];
