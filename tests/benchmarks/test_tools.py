"""Every tool of the benchmark: the same questions to each, and what is special about some."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks import tools
from benchmarks.overlapping import Case, judged, number_of_pairs, right_and_wrong
from benchmarks.tools import LEVELS, NUMBERS, Said, StoppedError, cam_uv, causal_learn, every_tool, sources_of
from benchmarks.tools.fci_alone import TOOL as FCI_ALONE
from benchmarks.tools.fci_joined import FciJoined
from benchmarks.tools.fci_shared import FciShared
from tests.docs.pages import ROOT, blocks
from weft.graphs.mixed import MixedGraph
from weft.studies import Column, Kind, Study
from weft.studies.simulate import draw_studies

needs_causal_learn = pytest.mark.skipif(bool(causal_learn.missing()), reason="causal-learn is not installed")
COLLIDER = MixedGraph.parse("X -> Z; Y -> Z; Z -> W")


def studies_of(*variables: str, rows: int = 2000) -> list[Study]:
    return draw_studies(COLLIDER, variables, rows, np.random.default_rng(5), "linear")


@pytest.mark.parametrize("name", every_tool())
def test_a_tool_says_who_it_is(name: str) -> None:
    tool = every_tool()[name]
    assert tool.name
    assert tool.about.endswith(".")
    assert tool.takes
    assert tool.takes <= {NUMBERS, LEVELS}
    if not tool.missing():
        assert any(letter.isdigit() for letter in tool.version())


@pytest.mark.filterwarnings("default")  # other people's
@pytest.mark.parametrize(
    "name", ["weft_all", "fci_alone", "fci_joined", "fci_shared", pytest.param("cam_uv", marks=pytest.mark.slow)]
)
def test_a_tool_claims_of_measured_variables_and_sees_only_tables(name: str) -> None:
    tool = every_tool()[name]
    if tool.missing():
        pytest.skip(tool.missing())
    graph, studies = Case("linear", 2, 1000, 0).drawn()
    said = list(tool.claims([Study(one.name, one.columns) for one in studies]))
    claims = judged(said, graph, {one for study in studies for one in study.variables})
    assert claims
    assert all((one.confidence is not None) == tool.says_how_sure for one in claims)
    assert all(one.confidence is None or 0.5 < one.confidence <= 1 for one in claims)


def test_weft_comes_first_and_files_without_a_tool_do_not_count() -> None:
    names = list(every_tool())
    assert names[0] == "weft_all"
    assert names[1:] == sorted(names[1:])
    assert not {"pag", "causal_learn", "__main__"} & {*names}


def test_one_file_adds_a_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = (one for one in blocks((ROOT / "docs" / "benchmark.md").read_text("utf-8")) if one.caption)
    assert example.caption == "nothing_causes.py"
    (tmp_path / example.caption).write_text(example.text, encoding="utf-8")
    monkeypatch.setattr(tools, "__path__", [*tools.__path__, str(tmp_path)])
    graph, studies = Case("linear", 2, 1000, 0).drawn()
    measured = {one for study in studies for one in study.variables}
    claims = judged(every_tool()["nothing_causes"].claims(studies), graph, measured)
    pairs, causes = number_of_pairs(graph, measured)
    assert right_and_wrong(claims, False) == (pairs - causes, causes)


def test_an_outcome_rests_on_the_files_of_its_tool_and_what_is_shared() -> None:
    files = {path.name for path in sources_of("fci_joined")}
    assert {"fci_joined.py", "causal_learn.py", "pag.py", "__init__.py"} <= files
    assert not {"weft_all.py", "cam_uv.py"} & files
    assert "alone.py" in {path.name for path in sources_of("fci_kernel")}


# -- FCI ---------------------------------------------------------------------------------------------------------------


def said(claims: object) -> set[str]:
    assert not isinstance(claims, str)
    return {f"{one.x}{'>' if one.causes else '|'}{one.y}" for one in claims}  # type: ignore[attr-defined]


@needs_causal_learn
@pytest.mark.filterwarnings("default")
def test_fci_on_a_study_finds_the_collider_and_its_effect() -> None:
    claims = said(FCI_ALONE.claims(studies_of("WXYZ")))
    assert claims == {"Z>W", "X|Y", "Y|X", "Z|X", "Z|Y", "W|X", "W|Y", "W|Z"}


@needs_causal_learn
@pytest.mark.filterwarnings("default")
def test_fci_alone_puts_the_studies_together() -> None:
    one, two = studies_of("WXYZ"), studies_of("XY")
    together = said(FCI_ALONE.claims([*one, *two]))
    assert together == said(FCI_ALONE.claims(one)) | said(FCI_ALONE.claims(two))


@needs_causal_learn
@pytest.mark.filterwarnings("default")
def test_complete_cases_are_the_variables_that_every_study_measured() -> None:
    assert said(FciShared().claims(studies_of("WXYZ", "XY"))) == {"X|Y", "Y|X"}
    assert said(FciShared().claims(studies_of("WX", "XY"))) == set()  # one variable: there is nothing to claim
    assert said(FciShared().claims(studies_of("WX", "YZ"))) == set()


@needs_causal_learn
@pytest.mark.filterwarnings("default")
def test_variables_never_measured_together_stay_adjacent() -> None:
    names, table = causal_learn.joined(studies_of("XZ", "YZ"))
    pag = causal_learn.pag_of(names, table, causal_learn.register_with_holes("fisherz"))
    assert {pag.edge("X", "Y"), pag.edge("X", "Z"), pag.edge("Y", "Z")} == {"o-o"}
    assert said(FciJoined().claims(studies_of("XZ", "YZ"))) == set()


@needs_causal_learn
@pytest.mark.filterwarnings("default")
def test_without_holes_the_join_is_the_pooled_table() -> None:
    studies = studies_of("WXYZ", "WXYZ")
    assert said(FciJoined().claims(studies)) == said(FciShared().claims(studies))


@needs_causal_learn
@pytest.mark.parametrize("test", ["fisherz", "chisq"])
def test_a_test_with_holes_takes_the_rows_that_are_complete_for_it(test: str) -> None:
    from causallearn.utils.cit import CIT

    rng = np.random.default_rng(1)
    full = rng.integers(0, 3, size=(400, 3)).astype(float)
    full[:, 2] = (full[:, 0] + full[:, 1] + rng.integers(0, 2, size=400)) % 3
    holed = full.copy()
    holed[:200, 2] = np.nan
    holed[200:300, 0] = np.nan
    ours = CIT(holed, method=causal_learn.register_with_holes(test))
    assert ours(0, 1, []) == pytest.approx(CIT(full[[*range(200), *range(300, 400)]], method=test)(0, 1, []))
    assert ours(0, 1, [2]) == pytest.approx(CIT(full[300:], method=test)(0, 1, [2]))
    holed[300:, 0] = np.nan
    assert CIT(holed, method=causal_learn.register_with_holes(test))(0, 2, []) == 0.0


def test_levels_are_numbered_alike_in_the_join() -> None:
    first = Study("a", (_levels("U", [0, 1, 1], "lh"), _levels("V", [0, 1, 0], "ab")))
    second = Study("b", (_levels("U", [0, 1], "hl"),))
    names, table = causal_learn.joined([first, second])
    assert names == ("U", "V")
    assert table[:, 0].tolist() == [1, 0, 0, 0, 1]  # h is 0 and l is 1, in both
    assert np.isnan(table[:, 1]).tolist() == [False, False, False, True, True]


def _levels(name: str, codes: list[int], levels: str) -> Column:
    return Column(name, Kind.BINARY, np.array(codes, dtype=float), tuple(levels))


# -- CAM-UV ------------------------------------------------------------------------------------------------------------


def test_what_cam_uv_leaves_open_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    # Z is a parent of W; X and Z have an unobserved path; the order of the variables is W, X, Z.
    monkeypatch.setattr(cam_uv, "fitted", lambda tables: [[[0, 0, 1], [0, 0, None], [0, None, 0]] for _ in tables])
    claims = said(cam_uv.CamUv().claims(studies_of("WXZ", rows=50)))
    assert claims == {"Z>W", "W|X", "W|Z"}  # X may cause W, through Z


def test_a_program_whose_time_is_over_is_told_from_one_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = SimpleNamespace(returncode=-24, stderr="", stdout="")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: ended)
    with pytest.raises(StoppedError):
        cam_uv.fitted([])
    ended.returncode, ended.stderr = 1, "Traceback\nValueError: no"
    with pytest.raises(RuntimeError, match="ValueError: no"):
        cam_uv.fitted([])


def test_a_claim_has_no_confidence_unless_it_is_said() -> None:
    assert Said("X", "Y", True).confidence is None
