"""What everybody knows, and names suggest: nothing causes sex or age, and what comes later does not cause what was.

Names are only names, so this is never imposed. It is shown, as lines to put into a knowledge file, where no knowledge
is given; and weft does not suggest to randomise what nobody can set.

>>> for hint in hints(["Alter", "sex", "bmi_2010", "bmi_2015", "dose"]):
...     print(hint)
'Alter' and 'sex' look like age and sex, which nothing causes: roots = ["Alter", "sex"]
'bmi_2010' and 'bmi_2015' look like one thing at several times: tiers = [["bmi_2010"], ["bmi_2015"]]
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from weft.reading.synonyms import concept, plain

_GIVEN = {
    "age": re.compile(r"age|alter|edad|eta|leeftijd|alder|idade|ageyears|ageatbaseline|ageatentry"),
    "sex": re.compile(r"sex|gender|geschlecht|sexe|sexo|sesso|geslacht|kon|female|male|isfemale|ismale"),
    "birth": re.compile(
        r"birth(year|date|day|month|weight|order)?|(year|date)ofbirth|yob|dob|geburtsjahr|geburtsdatum|gebjahr|"
        r"anneenaissance|fechanacimiento|bornin|cohort"
    ),
    "ancestry": re.compile(r"race|ethnicity|ethnie|ancestry|herkunft"),
}
_TIMES = (
    re.compile(r"(?P<what>.+?)[_.\s-]*(?P<when>(?:19|20)\d\d)"),
    re.compile(r"(?P<what>.+?)[_.\s-]+(?:t|time|wave|visit|welle|year|month|week|day)[_.\s-]?(?P<when>\d+)", re.I),
    re.compile(r"(?:t|wave|visit|welle)(?P<when>\d+)[_.\s-]+(?P<what>.+)", re.I),
)
_STAGED = re.compile(r"(?P<what>.+?)[_.\s-]*(?P<when>baseline|bl|base|follow[_.\s-]?up|fu|end|final)", re.I)
_FIRST = ("baseline", "bl", "base")


@dataclass(frozen=True)
class Hint:
    """Something that the names suggest, and the line of a knowledge file that would say it."""

    message: str
    key: str = field(repr=False)
    """``roots`` or ``tiers``."""
    value: tuple[str, ...] | tuple[tuple[str, ...], ...] = field(repr=False)

    @property
    def line(self) -> str:
        """What to write."""
        return f"{self.key} = {json.dumps(self.value, ensure_ascii=False)}"

    def __str__(self) -> str:
        return f"{self.message}: {self.line}"


def given_by_nature(name: str) -> str | None:
    """What a name stands for that no one can set and nothing measured causes: age, sex, birth, ancestry.

    >>> given_by_nature("Geschlecht"), given_by_nature("Year of Birth"), given_by_nature("dosage")
    ('sex', 'birth', None)
    """
    word = plain(name)
    for what, pattern in _GIVEN.items():
        if pattern.fullmatch(word) or (concept(name) is not None and any(map(pattern.fullmatch, concept(name) or ()))):
            return what
    return None


def hints(names: Iterable[str]) -> tuple[Hint, ...]:
    """What the names of the variables suggest."""
    variables = sorted(names, key=str.casefold)
    return (*_roots(variables), *_times(variables))


def _roots(names: Sequence[str]) -> Iterator[Hint]:
    found = {name: what for name in names if (what := given_by_nature(name)) is not None}
    if found:
        looks = "looks" if len(found) == 1 else "look"
        kinds = _listed(dict.fromkeys(found.values()))
        yield Hint(f"{_listed(map(repr, found))} {looks} like {kinds}, which nothing causes", "roots", tuple(found))


def _times(names: Sequence[str]) -> Iterator[Hint]:
    """One hint for all variables that were measured several times: the times are the tiers."""
    times: dict[str, dict[int, str]] = {}
    for name in names:
        when = _when(name)
        if when is not None:
            times.setdefault(when[0], {})[when[1]] = name
    repeated = {what: found for what, found in times.items() if len(found) > 1}
    if repeated:
        moments = sorted({moment for found in repeated.values() for moment in found})
        tiers = [tuple(found[moment] for found in repeated.values() if moment in found) for moment in moments]
        every = [name for tier in tiers for name in tier]
        things = "one thing" if len(repeated) == 1 else "the same things"
        yield Hint(f"{_listed(map(repr, every))} look like {things} at several times", "tiers", tuple(tiers))


def _when(name: str) -> tuple[str, int] | None:
    """What a name is about, and when."""
    for pattern in _TIMES:
        if (found := pattern.fullmatch(name)) is not None:
            return plain(found["what"]), int(found["when"])
    staged = _STAGED.fullmatch(name)
    return None if staged is None else (plain(staged["what"]), int(staged["when"].lower() not in _FIRST))


def _listed(items: Iterable[str]) -> str:
    *rest, last = items
    return f"{', '.join(rest)} and {last}" if rest else last
