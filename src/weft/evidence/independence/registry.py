"""The independence tests by name: the one place where a string becomes a test. Add a new one here.

Nothing is imported until a test is asked for, so that the command line can list the names without loading numpy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from weft.errors import StudyError

if TYPE_CHECKING:
    from weft.evidence.independence.protocol import IndependenceTest


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a test lives, and what it is for."""

    module: str
    class_name: str
    summary: str

    def load(self) -> type[Any]:
        """The test's class."""
        found: type[Any] = getattr(import_module(f"weft.evidence.independence.{self.module}"), self.class_name)
        return found


TESTS: Mapping[str, Entry] = MappingProxyType(
    {
        "auto": Entry("auto", "Auto", "kcit, g-square or mixed, by the kinds of the columns"),
        "kcit": Entry("kcit", "Kcit", "numbers, any smooth relation"),
        "kcit-exact": Entry("kcit_exact", "KcitExact", "the same with full kernel matrices, as published; slow"),
        "fisher-z": Entry("fisher_z", "FisherZ", "numbers, linear relations"),
        "g-square": Entry("g_square", "GSquare", "levels, by likelihood ratio"),
        "chi-square": Entry("g_square", "ChiSquare", "levels, by Pearson's statistic"),
        "mixed": Entry("mixed", "Mixed", "any kinds together"),
    }
)
"""The tests that look at data, by their names. (The oracle needs a graph: :mod:`.oracle`.)"""


def test_named(name: str, **settings: object) -> IndependenceTest:
    """The test of that name, with those settings.

    >>> test_named("g-square", sparse="chi-square").settings
    {'sparse': 'chi-square'}
    """
    if name == "oracle":
        raise StudyError("the test 'oracle' needs a graph instead of data; use weft.oracle(graph, studies)")
    if name not in TESTS:
        raise StudyError(f"there is no independence test {name!r}; choose one of {', '.join(TESTS)}")
    test = TESTS[name].load()
    known = [one.name for one in fields(test)]
    for setting in settings:
        if setting not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise StudyError(f"the test {name!r} has no setting {setting!r}; {has}")
    made: IndependenceTest = test(**settings)
    return made


# pytest takes a function called test_... for a test wherever it is imported.
test_named.__test__ = False  # type: ignore[attr-defined]
