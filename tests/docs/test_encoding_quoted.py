"""The page that explains the encoding quotes all of it: every rule of ``consistency.lp``, in order, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import weft
from weft.search.problem import Problem
from weft.search.program import Program

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-it-works.md").read_text(encoding="utf-8")
ENCODING = (ROOT / "src" / "weft" / "search" / "consistency.lp").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The blocks of the page in that language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def rules(program: str) -> list[str]:
    """The rules of a logic program one by one, without comments and line ends."""
    plain = " ".join(re.sub(r"%.*", "", program).split())
    return [rule.strip() for rule in re.split(r"(?<=\.)(?: |$)", plain) if rule.strip()]


def test_rules_are_told_apart() -> None:
    """A comment is none, a weak constraint ends after its dot, and a rule may go over lines."""
    assert rules('a(X) :-  b(X,"<->"),\n c(X). % why.\n:~ d. [C,S]') == ['a(X) :- b(X,"<->"), c(X).', ":~ d.", "[C,S]"]


def test_every_rule_is_quoted_in_order() -> None:
    """If this fails, the encoding changed: quote and explain the new rules."""
    quoted, real = rules("\n".join(blocks("lp"))), rules(ENCODING)
    assert [rule for rule in real if rule not in quoted] == [], "rules that the page lacks"
    assert [rule for rule in quoted if rule not in real] == [], "rules that the page invents"
    assert quoted == real, "the page has another order"
    assert len(real) > 100


def test_every_block_of_rules_is_explained() -> None:
    """After each block there is a sentence before the next block or heading."""
    for after in re.split(r"^```lp\n.*?^```$", PAGE, flags=re.DOTALL | re.MULTILINE)[1:]:
        assert re.match(r"\n+(?!```|#)\S", after), after[:80]


def test_the_facts_of_the_example() -> None:
    """What the page shows as the facts of its example is what the program gets."""
    evidence = weft.oracle("weight -> pressure; weight <-> income", [["weight", "pressure"], ["weight", "income"]])
    assert blocks("text")[0].split() == " ".join(Program(Problem.of(evidence))._facts()).split()
