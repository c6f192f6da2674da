"""The settings, each under one name with one default: what Python, the command line and every file call it.

:class:`Settings` says how evidence is gathered from tables, :class:`Question` what is then asked of it.
:func:`weft.discover` says what each of them means. The options of the command line get their defaults from here, so
nothing that takes time is imported before a value is made.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from numbers import Integral
from typing import TYPE_CHECKING, Literal, get_args

from weft.effort import USUAL
from weft.errors import StudyError
from weft.reading.arguments import ArgumentError, check_argument, check_number, check_whole
from weft.reading.names import meant

if TYPE_CHECKING:
    from weft.evidence.budget import Tests
    from weft.evidence.independence.protocol import IndependenceTest
    from weft.evidence.orientation.protocol import OrientationMethod
    from weft.evidence.pool import PoolingMethod
    from weft.evidence.statements import Setting

Pairs = Literal["connected", "dependent"]
"""Which pairs are asked for their causal structure."""

PAIRS: tuple[Pairs, ...] = get_args(Pairs)

ORIENTING = ("iod-bcd", "causal-iod")
"""The methods that make use of the relations of pairs."""

PAIR_CONFIDENCE = 0.8
"""How confident a direction must be where a pair is judged by itself, as by ``weft orient``."""


@dataclass(frozen=True)
class Settings:
    """How evidence is gathered: all that it depends on, besides the tables and what is known of them."""

    method: str = "causal-iod"
    """The method that the evidence is for: ``iod`` and ``ion`` do not use relations, so no pair is judged for them."""
    independence: str | IndependenceTest = "auto"
    alpha: float = 0.01
    pooling: PoolingMethod = "fisher"
    max_given: int | None = None
    tests: Tests = "auto"
    independence_confidence: float = 0.9
    orientation: str | OrientationMethod = "auto"
    pairs: Pairs = "connected"
    sufficient: bool | Collection[str] = False
    least_confidence: float = 0.87

    def __post_init__(self) -> None:
        from weft.evidence.pool import PoolingMethod
        from weft.search.problem import METHODS

        choices = (("method", METHODS), ("pairs", PAIRS), ("pooling", get_args(PoolingMethod)))
        for name, known in choices:
            if getattr(self, name) not in known:
                value = getattr(self, name)
                hint = meant(str(value), known)
                raise StudyError(f"{name} is {value!r}; choose one of {', '.join(known)}{hint}")
        check_whole("max_given", self.max_given, "for no limit")
        if self.tests != "auto":
            wanted = "a whole number, 'auto', or None for no limit"
            check_argument("tests", self.tests, (Integral, type(None)), wanted)
            if self.tests is not None and self.tests < 1:
                raise StudyError(f"tests is {self.tests}; give 1 or more, 'auto', or None for no limit")
        for name in ("alpha", "independence_confidence", "least_confidence"):
            check_number(name, getattr(self, name))
        for name, what in (("independence", "test"), ("orientation", "method")):
            if not hasattr(getattr(self, name), "settings"):
                check_argument(name, getattr(self, name), str, f"the name of a {what}, such as 'auto', or a {what}")
        _check_sufficient(self.sufficient)
        if self.max_given is not None and self.max_given < 0:
            raise StudyError(f"max_given is {self.max_given}; give 0 or more, or None for no limit")
        for name in ("independence_confidence", "least_confidence"):
            if not 0.5 <= getattr(self, name) < 1:
                raise StudyError(f"{name} is {getattr(self, name)}; give 0.5 or more, and less than 1")
        self.document()  # refuses names of tests and methods that are not known

    @property
    def orients(self) -> bool:
        """Whether the method makes use of the relations of pairs."""
        return self.method in ORIENTING

    def document(self) -> dict[str, Setting]:
        """The settings as plain values by name, those of the test and of the method for pairs included."""
        from weft.evidence.independence.registry import test_named
        from weft.evidence.orientation.registry import method_named

        plain: dict[str, Setting] = {one.name: getattr(self, one.name) for one in fields(self)}
        if not isinstance(self.sufficient, bool):
            plain["sufficient"] = ", ".join(sorted(self.sufficient)) or False
        chosen: dict[str, IndependenceTest | OrientationMethod] = {
            "independence": test_named(self.independence) if isinstance(self.independence, str) else self.independence,
            "orientation": method_named(self.orientation) if isinstance(self.orientation, str) else self.orientation,
        }
        for key, one in chosen.items():
            plain |= {key: one.name} | {f"{key}.{name}": value for name, value in one.settings.items()}
        return plain


def _check_sufficient(sufficient: object) -> None:
    wanted = "True, False or the names of studies"
    check_argument("sufficient", sufficient, (bool, Collection), wanted)
    if isinstance(sufficient, str):  # one name would be taken for a collection of letters
        raise ArgumentError(f"sufficient is {sufficient!r}; give {wanted} in a list, such as [{sufficient!r}]")
    for name in sufficient if isinstance(sufficient, Collection) else ():
        check_argument("sufficient", name, str, wanted)


@dataclass(frozen=True)
class Question:
    """What is asked of the evidence, besides the method; tests on data contradict each other, so it is repaired."""

    selection: bool = False
    slack: float = 0.0
    coverage: float | None = None
    limit: int | None = None
    timeout: float | None = None
    effort: int | None = USUAL

    def __post_init__(self) -> None:
        from weft.solutions.solution_set import check_question

        check_argument("selection", self.selection, bool, "True or False")
        check_question(self.limit, self.timeout, "repair", self.slack, self.coverage, self.effort)

    def document(self) -> dict[str, Setting]:
        """The values by name."""
        return {one.name: getattr(self, one.name) for one in fields(self)}
