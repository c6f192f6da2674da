r"""dagitty's graphs.

::

    pag {
    "dose, mg" [exposure,pos="0.1,0.2"]
    a @-> b
    a -- c -- d
    }

The word in front is ``dag``, ``pdag``, ``mag`` or ``pag`` (or Graphviz's ``graph`` and ``digraph``); it is not kept,
since a :class:`~weft.graphs.mixed.MixedGraph` says by its marks what it is. A circle is ``@``. What stands in brackets
and options such as ``bb="..."`` are ignored. ``{a b} -> c`` joins each of a and b to c. In quotes ``\"`` is a quote,
and a backslash elsewhere is a backslash: a name cannot end with one. dagitty keeps the names ``graph`` and ``node`` to
itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import product

from weft.errors import GraphError
from weft.formats.located import build
from weft.formats.names import refuse_names
from weft.graphs.ancestral import is_mag
from weft.graphs.mixed import EDGE_SYMBOLS, Edge, MixedGraph

_HEADER = re.compile(r'\s*(?:strict\s+)?(?:dag|pdag|mag|pag|graph|digraph)\b\s*(?:[\w.]+|"[^"]*")?\s*\{', re.IGNORECASE)
_TOKEN = re.compile(
    r"""(?P<blank>[\s;]+)
    |(?P<attributes>\[(?:[^\]"]|"(?:\\"|[^"])*+")*+\])
    |(?P<edge>@->|<-@|->|--@|--|<->|<-|@-@|@--)
    |(?P<sign>[{}=+])
    |"(?P<quoted>(?:[^"\\\x00-\x1f\x7f]|\\"|\\[\r\n]+|\\)*+)"
    |(?P<word>-?[\w.]+)
    |(?P<wrong>.)""",
    re.VERBOSE | re.DOTALL,
)
_BAREWORD = re.compile(r"[0-9a-zA-Z_.]+")
_UNFIT = re.compile(r"[\x00-\x1f\x7f]|\\\Z|^(graph|node)\Z")


def looks_like_dagitty(text: str) -> bool:
    """Whether the text starts as a graph of dagitty does."""
    return _HEADER.match(text) is not None


def read_dagitty(text: str) -> MixedGraph:
    """The graph that the text says.

    >>> print(read_dagitty('pag { a [pos="0,1"] b @-> {a c} }'))
    b o-> a; b o-> c
    """
    header = _HEADER.match(text)
    if header is None:
        first = next((line.strip() for line in text.splitlines() if line.strip()), "nothing")
        raise GraphError(f"line 1: expected 'dag {{', 'mag {{', 'pdag {{' or 'pag {{', found {first[:80]!r}")
    reader = _Reader(_tokens(text, header.end()))
    try:
        names = reader.statements()
    except RecursionError:
        raise GraphError("this is not a graph: it is nested too deeply") from None
    if (token := reader.next()).kind != "end":
        raise GraphError(f"{token.place}: {token.text!r} stands behind the graph's last '}}'; one file is one graph")
    return build(names, reader.edges)


def write_dagitty(graph: MixedGraph) -> str:
    """The graph as dagitty reads it."""
    return _written(graph, _kind(graph))


def write_dagitty_mag(graph: MixedGraph) -> str:
    """A structure as dagitty reads it: a MAG, whose edges may hide a common cause, even if it has no ``<->``.

    >>> write_dagitty_mag(MixedGraph.parse("X -> Y")).split()
    ['mag', '{', 'X', '->', 'Y', '}']
    """
    return _written(graph, "pag" if graph.has_circles else "mag")


def _written(graph: MixedGraph, kind: str) -> str:
    reason = "names there have no control characters, do not end with a backslash, and are not 'graph' or 'node'"
    refuse_names(graph, _UNFIT, "a dagitty graph", reason)
    lonely = [_quoted(name) for name, adjacent in zip(graph.names, graph.adjacencies, strict=True) if not adjacent]
    edges = [f"{_quoted(e.x)} {e.symbol.replace('o', '@')} {_quoted(e.y)}" for e in graph.edges()]
    return "\n".join([f"{kind} {{", *lonely, *edges, "}", ""])


def _kind(graph: MixedGraph) -> str:
    """What dagitty should take the graph for: with ``<->`` a MAG if it is one, and else a DAG with latent causes."""
    if graph.has_circles:
        return "pag"
    if any(graph.spouses):
        return "mag" if graph.has_selection or is_mag(graph) else "dag"
    return "pdag" if graph.has_selection else "dag"


def _quoted(name: str) -> str:
    if _BAREWORD.fullmatch(name):
        return name
    escaped = name.replace('"', '\\"')
    return f'"{escaped}"'


# -- reading ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    place: str


def _tokens(text: str, start: int) -> list[_Token]:
    found: list[_Token] = []
    line = 1 + text.count("\n", 0, start)
    for match in _TOKEN.finditer(text, start):
        kind, value = str(match.lastgroup), match[str(match.lastgroup)]
        place = f"line {line}"
        line += match[0].count("\n")
        if kind == "wrong":
            what = "a quote or bracket that is never closed" if value in '"[' else "not expected here"
            raise GraphError(f"{place}: {value!r} is {what}")
        if kind == "quoted":
            kind, value = "word", re.sub(r"\\[\r\n]+", "", value).replace('\\"', '"')
        if kind not in ("blank", "attributes"):
            found.append(_Token(kind, value, place))
    return [*found, _Token("end", "the end", f"line {line}")]


@dataclass
class _Reader:
    """Reads statements; collects edges, with their places, on the way."""

    tokens: list[_Token]
    position: int = 0
    edges: list[tuple[str, Edge]] = field(default_factory=list)

    def peek(self) -> _Token:
        return self.tokens[self.position]

    def next(self) -> _Token:
        token = self.peek()
        self.position += token.kind != "end"
        return token

    def follows(self, *texts: str) -> bool:
        return self.peek().kind == "sign" and self.peek().text in texts

    def statements(self) -> list[str]:
        """The vertices of all statements up to the closing brace, which is read too."""
        names: list[str] = []
        while not self.follows("}"):
            names += self.statement()
        self.next()
        return names

    def statement(self) -> list[str]:
        names = left = self.operand()
        if self.follows("="):
            self.next()
            self.operand()
            return []
        while self.peek().kind == "edge":
            token = self.next()
            right = self.operand()
            marks = EDGE_SYMBOLS[token.text.replace("@", "o")]
            self.edges += [(token.place, Edge(x, *marks, y)) for x, y in product(left, right)]
            names, left = names + right, right
        return [] if names in (["graph"], ["node"]) else names

    def operand(self) -> list[str]:
        """The one vertex, or those in braces."""
        token = self.next()
        if token.kind == "sign" and token.text == "{":
            return self.statements()
        if token.kind != "word":
            wanted = "a closing '}'" if token.kind == "end" else "a name"
            raise GraphError(f"{token.place}: expected {wanted} where {token.text!r} stands")
        name = token.text
        while self.follows("+"):
            self.next()
            name += "".join(self.operand())
        return [name]
