"""How many tests may be made, and how many were: a run ends when it has told most of what it can, not when it is tired.

The number of sets grows without bounds with the number of variables. So a run has a budget of tests, counted study by
study: a question that three studies can answer takes three tests. A test whose result is found in the cache counts as
one that is made, so that the answer is the same with and without a cache.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

Question = TypeVar("Question")

Tests = int | Literal["auto"] | None
"""The most tests that a run may make: a number, what is usual for so many pairs, or any number (None)."""

EACH_PAIR = 25
"""What is usual: so many tests for each pair of variables of a study, on average."""


def most_tests(tests: Tests, pairs: int) -> int | None:
    """The most tests for so many pairs of variables, study by study.

    >>> most_tests("auto", 90), most_tests(500, 90), most_tests(None, 90)
    (2250, 500, None)
    """
    return EACH_PAIR * pairs if tests == "auto" else tests


def shares(tests: Tests, pairs: Sequence[int]) -> list[int | None]:
    """The tests for each of several groups of studies, in proportion to their pairs; together no more than there are.

    >>> shares(100, [20, 10]), shares("auto", [3, 1])
    ([66, 33], [75, 25])
    """
    total, everything = most_tests(tests, sum(pairs)), max(sum(pairs), 1)
    return [None if total is None else total * own // everything for own in pairs]


@dataclass
class Budget(Generic[Question]):
    """A number of tests, and what each question would take of it; without a total there is no limit.

    >>> budget = Budget(cost=len, total=5)
    >>> budget.taken(["ab", "cd", "ef"]), budget.left
    (['ab', 'cd'], 1)
    """

    cost: Callable[[Question], int]
    """The tests that a question takes; none if it was asked before."""
    total: int | None = None
    spent: int = 0

    @property
    def left(self) -> int | None:
        """The tests that may still be made; None if there is no limit."""
        return None if self.total is None else self.total - self.spent

    def taken(self, questions: Sequence[Question], keep: int = 0) -> Sequence[Question]:
        """As many of these different questions, from the first on, as can be paid for, with so many tests left over."""
        for place, question in enumerate(questions):
            cost = self.cost(question)
            if cost and self.total is not None and self.spent + cost + keep > self.total:
                return [*questions[:place], *(one for one in questions[place:] if self.cost(one) == 0)]
            self.spent += cost
        return questions

    def price(self, questions: Sequence[Question]) -> int:
        """What questions would take together; each counts as often as it is there."""
        return sum(map(self.cost, questions))
