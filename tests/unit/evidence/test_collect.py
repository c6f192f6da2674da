"""Part 1 of IOD: from tables to statements."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from tests.support.waiting import until
from weft.errors import EvidenceError, StudyError
from weft.evidence import tester
from weft.evidence.budget import EACH_PAIR, Tests
from weft.evidence.cache import ResultCache
from weft.evidence.collect import Collected, collect
from weft.evidence.independence.fisher_z import FisherZ
from weft.evidence.independence.g_square import GSquare
from weft.evidence.independence.protocol import Result, run
from weft.evidence.pool import PoolingMethod, fisher
from weft.evidence.statements import Connected
from weft.graphs.simulate import random_admg
from weft.parallel import Workers
from weft.progress import TESTS
from weft.studies import Column, Study
from weft.studies.simulate import draw_studies

ROWS = 600


def linear_studies(rows: int = ROWS, seed: int = 1) -> list[Study]:
    """X -> Y -> Z -> W, in two studies that share Y and Z."""
    rng = np.random.default_rng(seed)

    def table(names: str) -> dict[str, np.ndarray]:
        x = rng.standard_normal(rows)
        y = x + rng.standard_normal(rows)
        z = y + rng.standard_normal(rows)
        w = z + rng.standard_normal(rows)
        columns = {"X": x, "Y": y, "Z": z, "W": w}
        return {name: columns[name] for name in names}

    return [Study.of(table("XYZ"), "a"), Study.of(table("YZW"), "b")]


@dataclass(frozen=True)
class Counting:
    """Fisher-z that leaves a line in a file for each test it makes, and may be slow."""

    file: str
    pause: float = 0.0
    name: ClassVar[str] = "counting"

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        return {}

    def refusal(self, x: Column, y: Column, given: Sequence[Column]) -> str | None:
        return FisherZ().refusal(x, y, given)

    def test(self, x: Column, y: Column, given: Sequence[Column] = ()) -> Result:
        time.sleep(self.pause)
        with open(self.file, "a", encoding="utf-8") as file:
            file.write(f"{x.name} {y.name} {[column.name for column in given]}\n")
        return FisherZ().test(x, y, given)


def test_what_is_separated_and_connected() -> None:
    found = collect(linear_studies(rows=3000), independence="fisher-z").evidence
    assert {(one.study, one.x, one.y) for one in found.connected} == {
        ("a", "X", "Y"),
        ("a", "Y", "Z"),
        ("b", "Y", "Z"),
        ("b", "W", "Z"),
    }
    assert {(*one.studies, one.x, one.y, *one.given) for one in found.separated} == {
        ("a", "X", "Z", "Y"),
        ("b", "W", "Y", "Z"),
    }


def test_statements_say_where_they_come_from() -> None:
    studies = linear_studies()
    found = collect(studies, independence="fisher-z", alpha=0.02, max_given=1).evidence
    (separation,) = (one for one in found.separated if one.studies == ("a",))
    columns = [studies[0].column(name) for name in "XZY"]
    assert separation.provenance.p_value == run(FisherZ(), columns[0], columns[1], columns[2:]).p_value
    assert separation.provenance.rows == ROWS
    assert separation.provenance.source == "fisher-z"
    assert all(one.weight is not None and one.weight > 0 for one in found.statements)


def test_what_is_not_sure_enough_is_undecided() -> None:
    studies = linear_studies()
    usual = collect(studies, independence="fisher-z", independence_confidence=0.5)
    strict = collect(studies, independence="fisher-z", independence_confidence=0.99)
    least = math.log(0.99 / 0.01)
    assert strict.undecided
    assert not usual.undecided
    assert all(one.weight is not None and one.weight >= least for one in strict.evidence.statements)
    assert all(one.weight is not None and one.weight < least for one in strict.undecided)
    pairs = [{(one.study, one.x, one.y) for one in found} for found in (strict.evidence.connected, strict.undecided)]
    assert not pairs[0] & pairs[1]
    assert len(pairs[0] | pairs[1]) == strict.pairs == usual.pairs == 6
    with pytest.raises(StudyError, match="independence_confidence is 1"):
        collect(studies, independence_confidence=1.0)


def test_p_values_are_pooled_where_both_studies_measured_the_variables() -> None:
    studies = linear_studies(rows=25, seed=3)
    found = collect(studies, independence="fisher-z", max_given=0).evidence
    pooled = fisher([run(FisherZ(), study.column("Y"), study.column("Z")).p_value for study in studies])
    both = [one for one in found.connected if (one.x, one.y) == ("Y", "Z")]
    assert [(one.provenance.p_value, one.provenance.rows) for one in both] == [(pooled, 50), (pooled, 50)]


def test_a_connected_pair_has_its_largest_p_value() -> None:
    studies = linear_studies()
    found = collect(studies, independence="fisher-z").evidence
    (connection,) = (one for one in found.connected if (one.x, one.y) == ("X", "Y"))
    x, y, z = (studies[0].column(name) for name in "XYZ")
    expected = max(run(FisherZ(), x, y).p_value, run(FisherZ(), x, y, [z]).p_value)
    assert connection.provenance.p_value == expected


def test_limit_on_sets() -> None:
    found = collect(linear_studies(), independence="fisher-z", max_given=0).evidence
    assert ("X", "Z") in {(one.x, one.y) for one in found.connected}


@pytest.mark.parametrize("test", ["fisher-z", "kcit"])
def test_same_answer_for_any_number_of_workers(test: str) -> None:
    studies = linear_studies(rows=200)
    alone = collect(studies, independence=test)
    together = collect(studies, independence=test, workers=Workers(2))
    assert together == alone
    assert [one.provenance for one in together.evidence.statements] == [
        one.provenance for one in alone.evidence.statements
    ]


def test_order_of_rows_columns_and_studies_does_not_matter() -> None:
    studies = linear_studies()
    rng = np.random.default_rng(0)
    mixed = []
    for study in studies[::-1]:
        rows = rng.permutation(study.rows)
        columns = [Column(c.name, c.kind, c.values[rows]) for c in study.columns[::-1]]
        mixed.append(Study(study.name, tuple(columns)))
    one, other = collect(studies, independence="fisher-z").evidence, collect(mixed, independence="fisher-z").evidence
    assert sorted(map(str, other.statements)) == sorted(map(str, one.statements))
    assert {(s.x, s.y, round(s.weight or 0, 6)) for s in one.statements} == {
        (s.x, s.y, round(s.weight or 0, 6)) for s in other.statements
    }


def test_each_test_is_made_once_and_kept(tmp_path: Path) -> None:
    log = tmp_path / "log"
    studies = linear_studies()
    with ResultCache(tmp_path / "results.sqlite") as cache:
        first = collect(studies, independence=Counting(str(log)), cache=cache)
    made = log.read_text(encoding="utf-8").splitlines()
    assert len(made) == first.tests_made == len(cache_content(tmp_path / "results.sqlite"))
    with ResultCache(tmp_path / "results.sqlite") as cache:
        again = collect(studies, independence=Counting(str(log)), cache=cache)
    assert log.read_text(encoding="utf-8").splitlines() == made
    assert (again.tests_made, again.tests_reused) == (0, first.tests_made)
    assert again.evidence == first.evidence


def cache_content(path: Path) -> list[str]:
    import sqlite3

    connection = sqlite3.connect(path)
    keys = [key for (key,) in connection.execute("SELECT key FROM results")]
    connection.close()
    return keys


def test_other_data_are_not_found_in_the_cache() -> None:
    with ResultCache(None) as cache:
        first = collect(linear_studies(seed=1), independence="fisher-z", cache=cache)
        other = collect(linear_studies(seed=2), independence="fisher-z", cache=cache)
        named = [Study(f"new {s.name}", s.columns) for s in linear_studies(seed=1)]
        same = collect(named, independence="fisher-z", cache=cache)
    assert other.tests_reused == 0
    assert (same.tests_made, same.tests_reused) == (0, first.tests_made)


def twins_of_levels() -> list[Study]:
    """Levels on a line, in two studies; in each, two pairs of columns have the same values."""
    rng = np.random.default_rng(7)

    def table() -> dict[str, np.ndarray]:
        columns = [rng.integers(0, 3, 400)]
        for _ in range(4):
            columns.append((columns[-1] + (rng.random(400) < 0.35)) % 3)
        own = dict(zip("DBFAE", columns, strict=True))
        return own | {"C": own["B"], "G": own["F"]}

    return [Study.of({name: one.astype(str) for name, one in table().items()}, name) for name in "ab"]


def test_what_was_kept_changes_nothing(tmp_path: Path) -> None:
    """Two columns with the same values may stand for each other in a test, but for rounding and for its words."""
    path, studies = tmp_path / "results.sqlite", twins_of_levels()
    alone = collect(studies, cache=None)
    for left_out in (0, 0, 2, 3):  # nothing is kept, everything, half, two thirds
        lose_some(path, left_out)
        with ResultCache(path) as cache:
            found = collect(studies, cache=cache)
        assert (found.evidence, list(found.impossible)) == (alone.evidence, list(alone.impossible))
    assert found.tests_reused
    assert found.tests_made


def lose_some(path: Path, each: int) -> None:
    """Keep one of so many results in a cache; all of them for 0."""
    import sqlite3

    if each:
        connection = sqlite3.connect(path)
        keys = [(key,) for place, key in enumerate(cache_content(path)) if place % each]
        connection.executemany("DELETE FROM results WHERE key = ?", keys)
        connection.commit()
        connection.close()


KILLED = """
import sys
from tests.unit.evidence.test_collect import Counting, linear_studies
from weft.evidence.budget import EACH_PAIR
from weft.evidence.cache import ResultCache
from weft.evidence.collect import collect
from weft.parallel import Workers
from weft.progress import TESTS
log, path, jobs = sys.argv[1:]
with ResultCache(path) as cache:
    collect(linear_studies(), independence=Counting(log, pause=0.15), cache=cache, workers=Workers(int(jobs)))
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_is_killed_loses_only_what_was_in_flight(tmp_path: Path, jobs: int) -> None:
    log, path = tmp_path / "log", tmp_path / "results.sqlite"
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(log), str(path), str(jobs)], start_new_session=True
    ) as run_:
        until(lambda: (log.exists() and len(log.read_text().splitlines()) >= 5) or run_.poll() is not None)
        os.killpg(run_.pid, signal.SIGKILL)
    begun = log.read_text(encoding="utf-8").splitlines()
    assert len(begun) >= 5
    stored = len(cache_content(path))
    assert stored >= len(begun) - 4 * jobs  # joblib hands each worker a few quick jobs at a time
    with ResultCache(path) as cache:
        assert cache.warnings == []
        found = collect(linear_studies(), independence=Counting(str(log)), cache=cache)
    whole = collect(linear_studies(), independence="fisher-z")
    made_again = log.read_text(encoding="utf-8").splitlines()[len(begun) :]
    assert found.tests_reused == stored
    assert len(made_again) == found.tests_made == whole.tests_made - stored
    assert [(str(s), s.weight) for s in found.evidence.statements] == [
        (str(s), s.weight) for s in whole.evidence.statements
    ]


def with_gaps() -> list[Study]:
    """X and W of study a are never measured in the same row."""
    studies = linear_studies()
    rng = np.random.default_rng(9)
    gap = np.arange(ROWS) < ROWS // 2
    w = np.where(gap, np.nan, rng.standard_normal(ROWS))
    x = np.where(gap, studies[0].column("X").values, np.nan)
    columns = {"X": x, "W": w, "Y": studies[0].column("Y").values}
    return [Study.of(columns, "a"), studies[1]]


def test_what_cannot_be_tested_is_left_open_and_told() -> None:
    found: Collected = collect(with_gaps(), independence="fisher-z")
    said = {(one.x, one.y) for one in found.evidence.statements if "a" in one.studies}
    assert said == {("W", "Y"), ("X", "Y")}
    assert any("only 0 rows have values in all of" in reason for reason in found.impossible)
    assert all(reason.startswith("study 'a': ") for reason in found.impossible)


def sparse_studies(rows: int) -> list[Study]:
    """X and Y depend on each other within four levels of Z; given Z, few rows are left for each of the 64 cells."""
    rng = np.random.default_rng(4)

    def table() -> dict[str, list[str]]:
        z, noise, other = rng.integers(0, 4, (3, rows))
        x = np.where(rng.random(rows) < 0.7, z, noise)
        y = np.where(rng.random(rows) < 0.2, x, np.where(rng.random(rows) < 0.5, z, other))
        return {name: ["pqrs"[code] for code in codes] for name, codes in zip("XYZ", (x, y, z), strict=True)}

    return [Study.of(table(), name) for name in "ab"]


def test_a_sparse_table_does_not_separate() -> None:
    """X and Y are adjacent; given Z, 160 rows are too few to see it."""
    x, y, z = sparse_studies(160)[0].columns
    assert GSquare().test(x, y, [z]).p_value > 0.01, "it would have separated them"
    found = collect(sparse_studies(160))
    assert ("X", "Y") not in {(one.x, one.y) for one in found.evidence.separated}
    assert any("rows for each cell of 'X' and 'Y' given 'Z', and g-square needs 5" in one for one in found.impossible)
    plenty = collect(sparse_studies(3000))
    assert {(one.x, one.y) for one in plenty.evidence.connected if one.study == "a"} >= {("X", "Y")}
    assert not plenty.impossible


def test_what_is_undecided_is_so_from_the_cache_too() -> None:
    cache = ResultCache(None)
    first, again = (collect(sparse_studies(160), cache=cache) for _ in range(2))
    assert again.tests_made == 0
    assert (again.evidence, again.impossible) == (first.evidence, first.impossible)


@pytest.mark.parametrize("test", ["kcit", "mixed"])
def test_a_function_of_what_is_given_is_not_separated_by_it(test: str) -> None:
    rng = np.random.default_rng(2)

    def table() -> dict[str, np.ndarray]:
        x, y, noise = rng.standard_normal((3, 150))
        return {"X": x, "Y": x + y, "Sum": 2 * x + y, "Z": 2 * x + y + noise}

    found = collect([Study.of(table(), name) for name in "ab"], independence=test, max_given=2)
    assert any("'Sum' is a function of 'X', 'Y'" in one for one in found.impossible)
    assert ("Sum", "Z") in {(one.x, one.y) for one in found.evidence.connected}


def test_refusals_come_before_any_test() -> None:
    studies = linear_studies()
    rng = np.random.default_rng(0)
    levels = Study.of({"Y": studies[0].column("Y").values, "G": rng.choice(["p", "q", "r"], ROWS)}, "c")
    with pytest.raises(StudyError, match="study 'c': "):
        collect([*studies, levels], independence="fisher-z")


@pytest.mark.parametrize("alpha", [0.0, 1.0, 5.0, -1.0])
def test_alpha_that_makes_no_sense(alpha: float) -> None:
    with pytest.raises(EvidenceError, match="alpha"):
        collect(linear_studies(), alpha=alpha)


@pytest.mark.parametrize("tests", ["auto", 90, None])
def test_progress_counts_tests_of_about_as_many_as_it_takes(tests: Tests) -> None:
    told: list[tuple[str, int, int]] = []
    found = collect(dense_studies(), independence="fisher-z", tests=tests, progress=lambda *state: told.append(state))
    assert {label for label, _, _ in told} == {TESTS}
    done = [one for _, one, _ in told]
    assert done == sorted(done)
    assert done[0] == 0
    assert done[-1] == told[-1][2] == found.tests_made + found.tests_spared
    assert all(one <= total for _, one, total in told)
    assert told[0][2] == (2 * 21 * 2**5 if found.tests_allowed is None else found.tests_allowed)


def dense_studies(seed: int = 0, rows: int = 300) -> list[Study]:
    """Eight variables, many links, in two studies that share six of them."""
    rng = np.random.default_rng(seed)
    graph = random_admg(8, rng, mean_degree=4)
    return draw_studies(graph, [graph.names[:7], graph.names[1:]], rows, rng, "linear")


def content(found: Collected) -> tuple[object, ...]:
    """All that is said, whatever the order of the studies."""
    said = sorted((str(one), round(one.weight or 0.0, 9), str(one.provenance)) for one in found.evidence.statements)
    undecided = sorted((str(one), round(one.weight or 0.0, 9)) for one in found.undecided)
    return said, undecided, found.unfinished, found.tests_made + found.tests_reused, found.tests_spared


@pytest.mark.parametrize("pooling", ["fisher", "stouffer"])
@pytest.mark.parametrize("tests", [60, 150, None])
def test_what_is_spared_changes_nothing(
    tests: int | None, pooling: PoolingMethod, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The slow twin puts every question to every study."""
    spared = 0
    for seed in range(6):
        studies = dense_studies(seed, rows=(200, 1000, 4000)[seed % 3])
        quick = collect(studies, independence="fisher-z", tests=tests, pooling=pooling, independence_confidence=0.6)
        with monkeypatch.context() as patched:
            patched.setattr(tester, "PLAIN", -1.0)
            slow = collect(studies, independence="fisher-z", tests=tests, pooling=pooling, independence_confidence=0.6)
        assert slow.tests_spared == 0
        assert slow.tests_made == quick.tests_made + quick.tests_spared
        assert replace(quick, tests_made=0, tests_spared=0) == replace(slow, tests_made=0, tests_spared=0)
        spared += quick.tests_spared
    assert spared > (50 if tests is None and pooling == "fisher" else -1)


@pytest.mark.parametrize("tests", [1, 20, 43, 100, 200])
def test_no_more_tests_than_allowed(tests: int, tmp_path: Path) -> None:
    log = tmp_path / "log"
    studies = dense_studies()
    found = collect(studies, independence=Counting(str(log)), tests=tests)
    assert found.tests_made == len(log.read_text(encoding="utf-8").splitlines())
    taken = found.tests_made + found.tests_spared
    assert tests - len(studies) < taken <= tests  # a question that both studies can answer takes two
    assert found.tests_allowed == tests
    assert found.unfinished > 0


def test_a_budget_that_is_large_enough_changes_nothing() -> None:
    without = collect(dense_studies(), independence="fisher-z", tests=None)
    enough = collect(dense_studies(), independence="fisher-z", tests=100_000)
    assert without.tests_allowed is None
    assert content(enough) == content(without)
    assert without.unfinished == 0


def test_the_usual_budget_is_so_many_tests_for_each_pair() -> None:
    assert collect(dense_studies(), independence="fisher-z", max_given=0).tests_allowed == 2 * 21 * EACH_PAIR


@pytest.mark.parametrize("tests", [100, 250, None])
def test_a_budget_is_spent_in_the_same_way_whatever_the_order(tests: int | None) -> None:
    studies = dense_studies()
    turned = [Study(one.name, one.columns[::-1]) for one in studies[::-1]]
    alone = collect(studies, independence="fisher-z", tests=tests)
    assert content(collect(turned, independence="fisher-z", tests=tests)) == content(alone)
    assert collect(studies, independence="fisher-z", tests=tests, workers=Workers(2)) == alone


def test_a_budget_is_spent_in_the_same_way_with_a_cache() -> None:
    with ResultCache(None) as cache:
        first = collect(dense_studies(), independence="fisher-z", tests=150, cache=cache)
        collect(dense_studies(), independence="fisher-z", tests=90, cache=cache)
        again = collect(dense_studies(), independence="fisher-z", tests=150, cache=cache)
    assert again.tests_made == 0
    assert content(again) == content(first)


def test_statements_say_that_not_all_sets_were_tried() -> None:
    found = collect(dense_studies(rows=3000), independence="fisher-z", tests=400)
    cut_short = [one for one in found.evidence.connected if "not all sets tried" in str(one.provenance.source)]
    undecided = [one for one in found.undecided if "not all sets tried" in str(one.provenance.source)]
    assert cut_short
    assert len(cut_short) + len(undecided) == found.unfinished


def test_a_pair_that_was_hardly_tried_is_not_called_connected() -> None:
    """With a test or two for each pair hardly any set was tried: nothing can be said to be connected."""
    whole = collect(dense_studies(rows=3000), independence="fisher-z", tests=None)
    thin = collect(dense_studies(rows=3000), independence="fisher-z", tests=60)
    assert len(whole.evidence.connected) > 5
    assert not thin.evidence.connected
    assert thin.unfinished == sum(isinstance(one, Connected) for one in thin.undecided) > 5


def test_tests_are_the_same_one_by_one() -> None:
    """A group of tests that share a set gives what each of them gives alone, from columns that nobody saw before."""
    studies = sparse_studies(500)
    found = collect(studies, independence="g-square")
    for one in found.evidence.separated:
        p_values = []
        for name in one.studies:
            (study,) = (study for study in studies if study.name == name)
            fresh = {c.name: Column(c.name, c.kind, c.values.copy(), c.levels) for c in study.columns}
            p_values.append(run(GSquare(), fresh[one.x], fresh[one.y], [fresh[g] for g in sorted(one.given)]).p_value)
        assert one.provenance.p_value == (p_values[0] if len(p_values) == 1 else fisher(p_values))
    assert found.tests_made == 12
