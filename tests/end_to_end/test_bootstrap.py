"""How sure the answer is: the same for the same seed, however it is computed, and nothing twice."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
import weft.bootstrap
from tests.end_to_end.running import content, discover, drawn, write_studies
from weft.bootstrap import half_of, resampled
from weft.evidence.cache import ResultCache
from weft.evidence.claims import Claim, Topic, claims_about
from weft.evidence.independence.kcit import Kcit
from weft.evidence.independence.protocol import run
from weft.knowledge.knowledge import Knowledge
from weft.parallel import Workers
from weft.settings import Question, Settings
from weft.solutions.findings import Bootstrap
from weft.studies import Column, Kind, Study

SETTINGS = Settings(method="iod", independence="fisher-z")


@pytest.fixture(scope="module")
def studies() -> list[Study]:
    return drawn("A -> C; B -> C; C -> D", (("A", "B", "C"), ("B", "C", "D")), rows=60, seed=4)


def sure(studies: list[Study], runs: int, seed: int = 0, settings: Settings = SETTINGS, **others: Any) -> Bootstrap:
    knowledge, question = others.pop("knowledge", Knowledge()), others.pop("question", Question())
    found = resampled(studies, knowledge, settings, question, runs, seed, **others)
    assert found is not None
    return found


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the runs that were made, and not found in a cache."""
    numbers: list[int] = []
    run = weft.bootstrap._run

    def counted(analysis: Any, number: int) -> Any:
        numbers.append(number)
        return run(analysis, number)

    monkeypatch.setattr(weft.bootstrap, "_run", counted)
    return numbers


def test_the_same_seed_gives_the_same_shares(studies: list[Study]) -> None:
    first = sure(studies, 8)
    assert first == sure(studies, 8)
    assert first.shares != sure(studies, 8, seed=1).shares
    assert (first.runs, first.answered, first.seed) == (8, 8, 0)


def test_shares_are_shares(studies: list[Study]) -> None:
    found = sure(studies, 8)
    pairs = list(combinations("ABCD", 2))
    assert list(found.shares) == [claim for pair in pairs for claim in claims_about(*pair)]
    for one in found.shares.values():
        parts = (one.all, one.some, one.none)
        assert all(0 <= part <= 1 for part in parts)
        assert sum(parts) <= 1 + 1e-9
        assert all((part * 8).is_integer() for part in parts)
    for x, y in pairs:
        adjacent, *edges = (found.shares[one] for one in claims_about(x, y) if one.topic is Topic.EDGE)
        assert sum(one.all for one in edges) + adjacent.none <= 1 + 1e-9  # at most one of them is in all in a run
    assert found.shares[Claim.parse("C and D are adjacent")].none == 0


def test_shares_are_counts_of_runs_made_by_hand(studies: list[Study]) -> None:
    bidirected, adjacent = Claim.parse("A <-> C"), Claim.parse("A and C are adjacent")
    certain = always = 0
    for number in range(4):
        again = [half_of(study, 0, number, place) for place, study in enumerate(studies)]
        summary = weft.discover(again, method="iod", independence="fisher-z").summary()
        certain += summary.holds(bidirected) == "all"
        always += summary.holds(adjacent) == "all"
    shares = sure(studies, 4).shares
    assert (shares[bidirected].all, shares[adjacent].all) == (certain / 4, always / 4)


def test_more_runs_make_only_the_new_ones(studies: list[Study], made: list[int]) -> None:
    cache = ResultCache(None)
    sure(studies, 3, cache=cache)
    assert made == [0, 1, 2]
    more = sure(studies, 5, cache=cache)
    assert made == [0, 1, 2, 3, 4]
    assert more == sure(studies, 5)
    assert sure(studies, 3, cache=cache) == sure(studies, 3)


def test_what_the_runs_depend_on_is_part_of_their_key(studies: list[Study], made: list[int]) -> None:
    cache = ResultCache(None)
    sure(studies, 1, cache=cache)
    one, two = studies
    swapped = [Study("study2", one.columns), Study("study1", two.columns)]
    ways: list[dict[str, Any]] = [
        {"seed": 1},
        {"settings": Settings(method="iod", independence="fisher-z", alpha=0.05)},
        {"question": Question(slack=1.0)},
        {"question": Question(selection=True)},
        {"knowledge": Knowledge.of("C causes D")},
        {"knowledge": Knowledge.of(randomised={"study1": ["A"]})},
        {"knowledge": Knowledge.of(randomised={"study1": ["B"]}), "studies": swapped},
        {"knowledge": Knowledge.of(randomised={"study1": ["B"]})},
        {"settings": Settings(method="iod", independence=Kcit(rank=20))},
        {"settings": Settings(method="iod", independence=Kcit(rank=30))},
    ]
    for number, way in enumerate(ways, start=2):
        arguments: dict[str, Any] = {"studies": studies, "runs": 1, "cache": cache} | way
        sure(**arguments)
        assert len(made) == number


def test_several_processes_give_the_same(studies: list[Study]) -> None:
    assert sure(studies, 4, workers=Workers(2)) == sure(studies, 4)


def test_a_run_that_fails_is_counted(studies: list[Study], monkeypatch: pytest.MonkeyPatch) -> None:
    from weft.gathering import gather

    calls: list[int] = []

    def sometimes(*arguments: Any, **others: Any) -> Any:
        calls.append(1)
        if len(calls) % 2:
            raise weft.WeftError("this draw is of no use")
        return gather(*arguments, **others)

    monkeypatch.setattr(weft.bootstrap, "gather", sometimes)
    found = sure(studies, 6)
    assert (found.runs, found.answered) == (6, 3)
    assert all(one.all + one.some + one.none <= 1 + 1e-9 for one in found.shares.values())


def test_no_run_leads_to_an_answer(studies: list[Study], monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*arguments: Any, **others: Any) -> Any:
        raise weft.WeftError("this draw is of no use")

    monkeypatch.setattr(weft.bootstrap, "gather", never)
    found = sure(studies, 2)
    assert (found.runs, found.answered, found.shares) == (2, 0, {})


def test_a_column_that_is_constant_in_some_draws() -> None:
    """One row of 40 is different: half of the draws miss it."""
    rng = np.random.default_rng(0)
    x, y, z = rng.standard_normal((3, 40))
    rare = np.where(np.arange(40) == 7, 1.0, 0.0)
    tables = [{"X": x, "Y": x + y, "rare": rare + 1e-9 * 0}, {"Y": y, "Z": y + z}]
    solutions = weft.discover(tables, independence="fisher-z", method="iod", bootstrap=8, alpha=0.05)
    assert solutions.bootstrap is not None
    assert solutions.bootstrap.runs == 8
    assert 0 < solutions.bootstrap.answered <= 8


def test_half_of_the_rows_and_none_twice() -> None:
    table = {"row": np.arange(41.0), "square": np.arange(41.0) ** 2}
    study = Study.of(table, "a")
    halves = [half_of(study, 0, number, 0) for number in range(30)]
    rows = [half.column("row").values for half in halves]
    assert all(len(chosen) == 21 == len(set(chosen)) for chosen in rows)
    assert all((half.column("square").values == half.column("row").values ** 2).all() for half in halves)
    assert set(np.concatenate(rows)) == set(range(41))
    assert (half_of(study, 0, 3, 0).column("row").values == rows[3]).all()
    assert not any((half_of(study, *other).column("row").values == rows[3]).all() for other in [(1, 3, 0), (0, 3, 1)])


def with_replacement(study: Study, seed: int) -> Study:
    """As many rows, some of them several times: what the classical bootstrap draws."""
    rows = np.random.default_rng(seed).integers(study.rows, size=study.rows)
    return Study(study.name, tuple(Column(one.name, one.kind, one.values[rows]) for one in study.columns))


def rejected(study: Study) -> bool:
    x, y = study.columns
    return run(Kcit(), x, y).p_value < 0.01


def test_tests_keep_their_level_on_half_of_the_rows() -> None:
    """Independent columns, at level .01; with replacement, every third test rejects."""
    halves = replaced = 0
    for seed in range(100):
        x, y = np.random.default_rng(seed).standard_normal((2, 500))
        study = Study("a", (Column("x", Kind.CONTINUOUS, x), Column("y", Kind.CONTINUOUS, y)))
        halves += rejected(half_of(study, seed, 0, 0))
        replaced += rejected(with_replacement(study, seed))
    assert halves <= 4  # more has probability 0.003
    assert replaced >= 12


def test_none_is_asked_for(studies: list[Study]) -> None:
    assert weft.discover(studies, method="iod", independence="fisher-z").bootstrap is None
    with pytest.raises(weft.WeftError, match="-1 bootstrap runs"):
        sure(studies, -1)
    with pytest.raises(weft.WeftError, match="the seed is -1"):
        sure(studies, 1, seed=-1)


def test_on_the_command_line(tmp_path: Path, studies: list[Study]) -> None:
    files = write_studies(tmp_path, studies)
    for seed in ("3", "4"):
        result = discover(
            *files, "--method", "iod", "--bootstrap", "3", "--seed", seed, "-o", tmp_path / f"{seed}.json"
        )
        assert result.exit_code == 0
    three, four = (content(tmp_path / f"{seed}.json") for seed in "34")
    assert three["bootstrap"] == {"runs": 3, "answered": 3, "seed": 3}
    shares = [
        [one["bootstrap"] for one in sorted(made["claims"], key=lambda one: one["claim"])] for made in (three, four)
    ]
    assert shares[0] != shares[1]
    loaded = weft.load_result(tmp_path / "3.json").bootstrap
    assert loaded is not None
    assert loaded == sure(studies, 3, seed=3)
