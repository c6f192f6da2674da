"""``weft.discover`` does as ``weft discover`` does: the same processes, cache and bar, if nothing else is said."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest

import weft
from tests.support.caches import stored
from weft.bar import Told
from weft.cli.discover import discover as command
from weft.evidence.cache import Kept, usual
from weft.studies import Study
from weft.studies.simulate import draw_studies


def tables() -> list[Study]:
    graph = weft.MixedGraph.parse("X -> Y; Y -> Z")
    return draw_studies(graph, [["X", "Y"], ["Y", "Z"]], 100, np.random.default_rng(0), "linear")


def found(cache: Kept = "auto", progress: Told = "auto") -> weft.SolutionSet:
    return weft.discover(tables(), independence="fisher-z", method="iod", cache=cache, progress=progress)


@pytest.mark.parametrize("function", [weft.discover, weft.gather])
def test_defaults_are_those_of_the_command_line(function: object) -> None:
    own = inspect.signature(function).parameters  # type: ignore[arg-type]
    options = {option.name: option.default for option in command.params}
    assert own["n_jobs"].default == options["n_jobs"] == -1
    assert (own["cache"].default, own["progress"].default) == ("auto", "auto")


def test_results_go_into_the_users_cache_and_come_from_there(own_cache: Path) -> None:
    first = found()
    assert stored(own_cache) == 2
    assert found().evidence == first.evidence
    assert stored(own_cache) == 2


def test_nothing_is_kept_if_nothing_is_to_be(own_cache: Path) -> None:
    found(cache=None)
    assert not own_cache.exists()


def test_where_the_users_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("WEFT_CACHE")
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name, appauthor: tmp_path / name)
    with usual() as cache:
        assert cache.path == tmp_path / "weft" / "results.sqlite"


def test_a_folder_that_cannot_be_used_stops_nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "weft").write_text("no folder")
    monkeypatch.delenv("WEFT_CACHE")
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name, appauthor: tmp_path / name)
    solutions = found()
    assert solutions.origin is not None
    (warning,) = (one for one in solutions.origin.warnings if "cache" in one)
    assert warning.endswith("; results of this run are not kept")


def test_a_cache_that_was_named_must_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path))
    with pytest.raises(weft.WeftError, match="is a directory"):
        found()


def test_nobody_is_told_where_nobody_looks_on(capsys: pytest.CaptureFixture[str]) -> None:
    found()
    assert capsys.readouterr() == ("", "")
