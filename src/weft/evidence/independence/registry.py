"""The independence tests by name: the one place where a string becomes a test. Add a new one here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from weft.errors import StudyError
from weft.evidence.named import Entry, made

if TYPE_CHECKING:
    from weft.evidence.independence.protocol import IndependenceTest

_HERE = "weft.evidence.independence"

TESTS: Mapping[str, Entry] = MappingProxyType(
    {
        "auto": Entry(f"{_HERE}.auto", "Auto", "kcit, g-square or mixed, by the kinds of the columns"),
        "kcit": Entry(f"{_HERE}.kcit", "Kcit", "numbers, any smooth relation"),
        "kcit-exact": Entry(
            f"{_HERE}.kcit_exact", "KcitExact", "the same with full kernel matrices, as published; slow"
        ),
        "fisher-z": Entry(f"{_HERE}.fisher_z", "FisherZ", "numbers, linear relations"),
        "g-square": Entry(f"{_HERE}.g_square", "GSquare", "levels, by likelihood ratio"),
        "chi-square": Entry(f"{_HERE}.g_square", "ChiSquare", "levels, by Pearson's statistic"),
        "mixed": Entry(f"{_HERE}.mixed", "Mixed", "any kinds together"),
    }
)
"""The tests that look at data, by their names. (The oracle needs a graph: :mod:`.oracle`.)"""


def test_named(name: str, **settings: object) -> IndependenceTest:
    """The test of that name, with those settings.

    >>> test_named("g-square", sparse="chi-square").settings
    {'sparse': 'chi-square', 'rows_for_a_verdict': 5.0}
    """
    if name == "oracle":
        raise StudyError("the test 'oracle' needs a graph instead of data; use weft.oracle(graph, studies)")
    test: IndependenceTest = made("independence test", TESTS, name, settings)
    return test


# pytest takes a function called test_... for a test wherever it is imported.
test_named.__test__ = False  # type: ignore[attr-defined]
