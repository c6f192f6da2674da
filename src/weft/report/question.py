"""What a page asks of the live solver: one frozen value, read from JSON that nobody vouches for.

A question is a JSON object::

    {"client": "tab-1", "kind": "figures", "suppositions": [{"topic": "causes", "x": 0, "y": 3, "holds": true}]}

``x`` and ``y`` are positions among the variables; ``pair``, for the kinds ``why`` and ``effects`` only, is one of the
pairs. A supposition about an edge has its ``symbol``, read from x. Everything else is refused, in one line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from weft.errors import WeftError
from weft.evidence.claims import Claim, Topic
from weft.reading.json_text import decoded

EDGES = ("->", "<-", "<->", "--")
MOST_SUPPOSITIONS = 500
_CLIENT = re.compile(r"[A-Za-z0-9_-]{1,64}")
_TOPICS = ("causes", "adjacent", "confounded", "edge")


class QuestionError(WeftError):
    """A question that cannot be read."""


class Kind(StrEnum):
    """What is asked, in the order of the stages in which a page asks it."""

    FIGURES = "figures"
    """What holds in all, some, none, and the first structures: at once."""
    GRAPHS = "graphs"
    """The same with as many structures as can be shown."""
    NEXT = "next"
    """What to do next."""
    WHY = "why"
    """Why one pair is as it is."""
    EFFECTS = "effects"
    """How large the effects of one pair are."""


_STAGES = tuple(Kind)


@dataclass(frozen=True)
class Supposition:
    """Something that is supposed of the variables at two positions."""

    topic: str
    x: int
    y: int
    holds: bool
    symbol: str | None = None

    def claim(self, names: Sequence[str]) -> Claim:
        """The same as a claim about named variables.

        >>> print(Supposition("adjacent", 0, 1, False).claim(("X", "Y")))
        X and Y are not adjacent
        >>> print(Supposition("edge", 0, 1, True, "<-").claim(("X", "Y")))
        Y -> X
        """
        x, y = names[self.x], names[self.y]
        if self.topic == "edge" and self.symbol is not None:
            turned = self.symbol == "<-"
            return Claim(Topic.EDGE, *((y, x) if turned else (x, y)), self.holds, "->" if turned else self.symbol)
        return Claim(Topic.EDGE if self.topic == "adjacent" else Topic(self.topic), x, y, self.holds)

    def document(self) -> dict[str, Any]:
        """As it came."""
        symbol = {} if self.symbol is None else {"symbol": self.symbol}
        return {"topic": self.topic, "x": self.x, "y": self.y, "holds": self.holds} | symbol


@dataclass(frozen=True)
class Question:
    """One question of one page."""

    client: str
    kind: Kind
    suppositions: tuple[Supposition, ...] = ()
    pair: int | None = None

    def claims(self, names: Sequence[str]) -> tuple[Claim, ...]:
        """What is supposed, each claim once."""
        return tuple(dict.fromkeys(one.claim(names) for one in self.suppositions))

    def ends(self, older: Question) -> bool:
        """Whether an older question need not be answered any more.

        It need not if the same page asks something newer of the same or of an earlier stage; except that what it asks
        about the same suppositions after the figures may come in any order.

        >>> figures, graphs, steps = (Question("a", kind) for kind in (Kind.FIGURES, Kind.GRAPHS, Kind.NEXT))
        >>> figures.ends(graphs), graphs.ends(figures), graphs.ends(graphs), graphs.ends(steps)
        (True, False, True, False)
        """
        if older.client != self.client or _STAGES.index(self.kind) > _STAGES.index(older.kind):
            return False
        same = frozenset(older.suppositions) == frozenset(self.suppositions)
        return not same or self.kind in (Kind.FIGURES, older.kind)


def read_question(text: bytes, size: int) -> Question:
    """A question about ``size`` variables from JSON.

    >>> read_question(b'{"client": "a", "kind": "figures", "suppositions": []}', 3)
    Question(client='a', kind=<Kind.FIGURES: 'figures'>, suppositions=(), pair=None)
    >>> read_question(b'{"client": "a", "kind": "why", "suppositions": [], "pair": 3}', 3)
    Traceback (most recent call last):
    ...
    weft.report.question.QuestionError: pair is 3; there are 3 pairs, counted from 0
    """
    parts = _object(_parsed(text), "the question", ("client", "kind", "suppositions"), ("pair",))
    client, kind, suppositions = parts["client"], parts["kind"], parts["suppositions"]
    if not (isinstance(client, str) and _CLIENT.fullmatch(client)):
        raise QuestionError("client must be 1 to 64 letters, digits, - or _")
    if kind not in _STAGES:
        raise QuestionError(f"kind is {_shown(kind)}; choose one of {', '.join(_STAGES)}")
    if not isinstance(suppositions, list) or len(suppositions) > MOST_SUPPOSITIONS:
        raise QuestionError(f"suppositions must be a list of at most {MOST_SUPPOSITIONS}")
    if (kind in (Kind.WHY, Kind.EFFECTS)) != ("pair" in parts):
        raise QuestionError("pair goes with the kinds why and effects, and with no other")
    pair = _position(parts["pair"], size * (size - 1) // 2, "pair", "pairs") if "pair" in parts else None
    return Question(client, Kind(kind), tuple(_supposition(one, size) for one in suppositions), pair)


def _supposition(document: object, size: int) -> Supposition:
    parts = _object(document, "a supposition", ("topic", "x", "y", "holds"), ("symbol",))
    topic, holds, symbol = parts["topic"], parts["holds"], parts.get("symbol")
    if topic not in _TOPICS:
        raise QuestionError(f"topic is {_shown(topic)}; choose one of {', '.join(_TOPICS)}")
    if not isinstance(holds, bool):
        raise QuestionError(f"holds is {_shown(holds)}; it must be true or false")
    if (topic == "edge") != ("symbol" in parts):
        raise QuestionError("symbol goes with the topic edge, and with no other")
    if topic == "edge" and symbol not in EDGES:
        raise QuestionError(f"symbol is {_shown(symbol)}; choose one of {', '.join(EDGES)}")
    x, y = (_position(parts[name], size, name, "variables") for name in ("x", "y"))
    if x == y:
        raise QuestionError(f"x and y are both {x}; a supposition is about two variables")
    return Supposition(topic, x, y, holds, symbol)


# -- JSON that nobody vouches for --------------------------------------------------------------------------------------


def _parsed(text: bytes) -> object:
    try:
        return decoded(text, QuestionError)
    except QuestionError as error:
        raise QuestionError(f"the question cannot be read: {error}") from None


def _object(document: object, what: str, needed: Sequence[str], allowed: Sequence[str]) -> Mapping[str, Any]:
    if not isinstance(document, dict):
        raise QuestionError(f"{what} must be an object")
    if missing := [key for key in needed if key not in document]:
        raise QuestionError(f"{what} has no {missing[0]}")
    if unknown := [key for key in document if key not in (*needed, *allowed)]:
        raise QuestionError(f"{what} has the unknown key {_shown(unknown[0])}")
    return document


def _position(value: object, number: int, name: str, of: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise QuestionError(f"{name} is {_shown(value)}; it must be a whole number")
    if not 0 <= value < number:
        raise QuestionError(f"{name} is {_shown(value)}; there are {number} {of}, counted from 0")
    return value


def _shown(value: object) -> str:
    """A value in a message: ASCII, in one line, and short."""
    try:
        text = json.dumps(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits, or lists in lists in lists
        return "too long to show"
    return text if len(text) <= 40 else f"{text[:40]}..."
