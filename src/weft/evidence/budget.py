"""How many tests may be made, and how many were: a run ends when it has told most of what it can, not when it is tired.

The number of sets grows without bounds with the number of variables. So a run has a budget of tests, counted study by
study: a question that three studies can answer takes three tests. A test whose result is found in the cache counts as
one that is made, so that the answer is the same with and without a cache.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Question = TypeVar("Question")


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
