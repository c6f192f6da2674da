"""From tables to an answer: what is found, what is given up, and what is refused."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import weft
from tests.end_to_end.running import (
    CHAIN,
    CHAIN_SPLIT,
    LOOSE,
    LOOSELY,
    columns_of,
    complaint,
    conflicting,
    content,
    discover,
    drawn,
    run,
    write_csv,
    write_studies,
)
from weft import SolutionSet
from weft.errors import ProblemError, StudyError, WeftError
from weft.evidence.statements import Separated, Statement
from weft.knowledge import Knowledge
from weft.studies import Study


def found(
    studies: object,
    method: str = "causal-iod",
    *,
    pairs: Literal["connected", "dependent"] = "connected",
    alpha: float = 0.01,
    **others: object,
) -> SolutionSet:
    return weft.discover(
        studies,  # type: ignore[arg-type]
        method=method,
        independence="fisher-z",
        orientation="lingam",
        pairs=pairs,
        alpha=alpha,
        **{"least_confidence": 0.8} | others,  # type: ignore[arg-type]
    )


# -- the truth is found ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("graph", "split", "counts"),
    [
        ("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z")), {"iod": 38, "iod-bcd": 6, "causal-iod": 2}),
        ("A -> C; B -> C; C -> D", (("A", "B", "C"), ("B", "C", "D")), {"iod": 6, "iod-bcd": 1, "causal-iod": 1}),
    ],
)
def test_the_truth_is_among_the_answers(
    graph: str, split: tuple[tuple[str, ...], ...], counts: dict[str, int], seed: int
) -> None:
    studies = drawn(graph, split, rows=1000, seed=seed)
    for method, count in counts.items():
        solutions = found(studies, method)
        assert solutions.score(graph).contains_truth
        # LiNGAM does not see common causes: X -> Y may come with X <-> Y, so that the chain has 2 MAGs and not 1.
        assert (solutions.count(), solutions.complete) == (count, True)
        repair = solutions.repair()
        assert repair is not None
        assert (repair.cost, repair.given_up) == (0.0, ())


def test_ion_is_iod_on_tables() -> None:
    studies = drawn(CHAIN, CHAIN_SPLIT)
    assert set(found(studies, "ion")) == set(found(studies, "iod"))


def test_a_narrower_method_finds_some_of_the_same() -> None:
    studies = drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z")))
    iod, bcd, causal = (set(found(studies, method)) for method in ("iod", "iod-bcd", "causal-iod"))
    assert causal < bcd < iod


def test_declared_sufficiency_narrows_the_answer() -> None:
    studies = drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z")))
    solutions = found(studies, sufficient=True)
    assert [str(mag) for mag in solutions] == ["X -> Y; Y -> Z"]
    assert solutions.origin is not None
    assert solutions.origin.settings["sufficient"] is True
    by_name = found(studies, sufficient=["study1"])
    assert {relation.allowed for relation in by_name.evidence.relations} == {
        relation.allowed for source in (solutions, found(studies)) for relation in source.evidence.relations
    }


def test_which_pairs_are_oriented() -> None:
    """A and C are dependent and not connected: B stands between them."""
    studies = drawn(CHAIN, CHAIN_SPLIT, seed=0)
    connected, dependent = found(studies, pairs="connected"), found(studies, pairs="dependent")
    pairs = {(one.x, one.y) for one in connected.evidence.relations}
    assert pairs == {("A", "B"), ("B", "C"), ("C", "D")}
    more = {(one.x, one.y) for one in dependent.evidence.relations}
    assert pairs | {("A", "C")} == more  # B and D are judged too, and undecided
    assert not found(studies, "iod", pairs="dependent").evidence.relations


def test_a_kernel_test_sees_what_is_bent() -> None:
    rng = np.random.default_rng(3)
    tables: list[dict[str, object]] = []
    for names in ("XY", "YZ"):
        x = rng.uniform(-2, 2, 150)
        y = x**2 + 0.3 * rng.standard_normal(150)
        whole = {"X": x, "Y": y, "Z": np.exp(y / 2) + 0.3 * rng.standard_normal(150)}
        tables.append({name: whole[name] for name in names})
    by_kernel = weft.discover(tables, independence="kcit", method="iod")
    assert len(by_kernel.evidence.connected) == 2
    assert by_kernel.count() == 38
    by_lines = weft.discover(tables, independence="fisher-z", method="iod").evidence
    assert [(one.x, one.y) for one in by_lines.connected] == [("Y", "Z")]  # X and X squared look independent


# -- contradictions --------------------------------------------------------------------------------------------------


def test_without_a_contradiction_the_answer_is_the_hard_one() -> None:
    for seed in range(3):
        repaired = found(drawn(CHAIN, CHAIN_SPLIT, seed=seed))
        hard = weft.solve(repaired.evidence, "causal-iod")
        repair = repaired.repair()
        assert repair is not None
        assert repair.cost == 0
        assert set(repaired) == set(hard)
        assert repaired.summary().certain == hard.summary().certain


def test_a_contradiction_is_repaired() -> None:
    solutions = found(conflicting(), "iod", **LOOSE)
    assert weft.solve(solutions.evidence, "iod").consistent is False
    assert solutions.consistent is True
    repair = solutions.repair()
    assert repair is not None
    assert (repair.proven, repair.unique) == (True, True)
    (given_up,) = repair.given_up
    assert isinstance(given_up, Separated)
    assert given_up in solutions.evidence.statements
    assert given_up.provenance.source == "fisher-z"
    assert given_up.provenance.p_value is not None
    assert given_up.provenance.p_value > 0.05
    assert given_up.weight == pytest.approx(repair.cost, abs=1e-3)
    without = solutions.evidence.with_statements(s for s in solutions.evidence.statements if s != given_up)
    assert set(solutions) == set(weft.solve(without, "iod"))
    for statement in solutions.evidence.statements:  # it is the lightest that is enough by itself
        if statement.weight is not None and statement.weight < (given_up.weight or 0) - 1e-3:
            rest = solutions.evidence.with_statements(s for s in solutions.evidence.statements if s != statement)
            assert weft.solve(rest, "iod").consistent is False


def test_what_was_given_up_is_told(tmp_path: Path) -> None:
    files = write_studies(tmp_path, conflicting())
    loosely = ["--method", "iod", *LOOSELY]
    result = discover(*files, *loosely, "-o", tmp_path / "r.json")
    assert result.exit_code == 0
    repair = content(tmp_path / "r.json")["repair"]
    (given_up,) = repair["given_up"]
    assert (given_up["kind"], given_up["in"], given_up["source"]) == ("separated", "all", "fisher-z")
    assert given_up["p_value"] > 0.05
    assert repair["cost"] == pytest.approx(given_up["weight"], abs=1e-3)
    assert (repair["proven"], repair["unique"]) == (True, True)
    assert repair["other"]["cost"] >= repair["cost"]
    told = " ".join(result.stdout.split())
    assert f"Given up a weight of {repair['cost']:.3g}, the least possible; no other repair is as light - " in told
    assert f"(fisher-z, p = {given_up['p_value']:.2g}, " in told
    assert f"rows, weight {given_up['weight']:.3g})." in told
    assert f"Another way a weight of {repair['other']['cost']:.3g}: " in told


def test_slack_widens_the_answer() -> None:
    least, wider = (set(found(conflicting(), "iod", **LOOSE, slack=slack)) for slack in (0.0, 2.0))
    assert least < wider


# -- the command line ------------------------------------------------------------------------------------------------


def test_the_command_finds_what_python_finds(tmp_path: Path) -> None:
    studies = drawn("A -> C; B -> C; C -> D", (("A", "B", "C"), ("B", "C", "D")))
    files = write_studies(tmp_path, studies)
    result = discover(*files, "-o", tmp_path / "result.json")
    assert result.exit_code == 0
    assert result.stdout.startswith("Together the 2 studies show 5 causal effects, ")
    assert "Study study1: A, B, C (400 rows)\nStudy study2: B, C, D (400 rows)\nIn all studies:" in result.stdout
    assert "1 consistent structure (MAG) in 1 equivalence class (PAG)." in result.stdout
    assert "Edges in all    A -> C; B -> C; C -> D" in result.stdout
    assert "Given up        nothing: the statements do not contradict each other" in result.stdout
    by_command = content(tmp_path / "result.json")
    found(studies).save(tmp_path / "python.json")
    in_python = content(tmp_path / "python.json")
    assert [table["source"] for table in by_command["tables"]] == [{"file": file} for file in files]
    for document in (by_command, in_python):  # which knows no files
        del document["checksum"]
        document["tables"] = [{**table, "source": {}} for table in document["tables"]]
    assert by_command == in_python
    assert by_command["answer"]["graphs"] == ["A -> C; B -> C; C -> D"]
    assert [table["fingerprint"] for table in by_command["tables"]] == [study.fingerprint for study in studies]
    assert by_command["settings"]["independence"] == "fisher-z"


@pytest.mark.parametrize("method", ["iod", "iod-bcd", "causal-iod", "ion"])
def test_methods_by_name(tmp_path: Path, method: str) -> None:
    files = write_studies(tmp_path, drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z"))))
    assert discover(*files, "--method", method, "-o", tmp_path / "r.json").exit_code == 0
    answer = content(tmp_path / "r.json")["answer"]
    assert answer["mags"] == {"iod": 38, "ion": 38, "iod-bcd": 6, "causal-iod": 2}[method]
    assert answer["complete"] is True


def test_parquet_and_names_of_studies(tmp_path: Path) -> None:
    import polars

    one, two = drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z")))
    polars.DataFrame(columns_of(one)).write_parquet(tmp_path / "a.parquet")
    write_csv(tmp_path / "b.csv", columns_of(two))
    result = discover(f"uk={tmp_path / 'a.parquet'}", f"us={tmp_path / 'b.csv'}", "-o", tmp_path / "r.json")
    assert result.exit_code == 0
    assert [table["name"] for table in content(tmp_path / "r.json")["tables"]] == ["uk", "us"]


def test_exit_code_1_if_knowledge_and_assumptions_leave_nothing(tmp_path: Path) -> None:
    files = write_studies(tmp_path, drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z"))))
    assert discover(*files, "-o", tmp_path / "r.json").exit_code == 0
    narrower = weft.load_result(tmp_path / "r.json").assume("Y -> X")
    assert narrower.consistent is False  # nothing more is given up for what one supposes
    assert narrower.count() == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "."], ".: this is a directory; name a file"),
        (["-o", "no/such/r.json"], "no/such/r.json: there is no such directory to write to"),
        (["--bootstrap", "-1"], "--bootstrap"),
        (["--pairs", "all"], "--pairs"),
        (["--knowledge", "none.toml"], "none.toml: there is no such file"),
        (["--assume-sufficient=three"], "'three'"),
    ],
)
def test_bad_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str) -> None:
    monkeypatch.chdir(tmp_path)
    files = write_studies(tmp_path, drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z")), rows=50))
    result = discover(*files, *arguments, "--quiet")
    assert said in complaint(result)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"method": "magic"}, "method is 'magic'; choose one of"),
        ({"pairs": "some"}, "pairs is 'some'; choose one of connected, dependent"),
        ({"pooling": "tippett"}, "pooling is 'tippett'; choose one of fisher, stouffer"),
        ({"independence": "magic"}, "'magic' is not the name of an independence test"),
        ({"orientation": "magic"}, "'magic' is not the name of an orientation method"),
        ({"alpha": 2}, "alpha is 2"),
        ({"max_given": -1}, "max_given is -1"),
        ({"least_confidence": 0.2}, "least_confidence is 0.2"),
        ({"n_jobs": 0}, "n_jobs is 0"),
    ],
)
def test_a_bad_setting_is_refused_before_any_test(settings: dict[str, object], said: str) -> None:
    told: list[str] = []
    studies = drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z")), rows=50)
    with pytest.raises(WeftError, match=said):
        weft.discover(studies, progress=lambda label, done, total: told.append(label), **settings)  # type: ignore[arg-type]
    assert not told


@pytest.mark.parametrize("settings", [{"slack": -1.0}, {"limit": 0}, {"timeout": 0.0}, {"bootstrap": -1}, {"seed": -1}])
def test_a_bad_limit_is_refused(settings: dict[str, object]) -> None:
    studies = drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z")), rows=50)
    with pytest.raises(ProblemError):
        weft.discover(studies, independence="fisher-z", method="iod", **settings)  # type: ignore[arg-type]


def test_one_table_in_any_form(tmp_path: Path) -> None:
    import pandas

    study = drawn(CHAIN, CHAIN_SPLIT)[0]
    (file,) = write_studies(tmp_path, [study])
    settings: dict[str, Any] = {"independence": "fisher-z", "method": "iod"}
    answers = [
        set(weft.discover(table, **settings))  # type: ignore[arg-type]
        for table in ([study], study, file, Path(file), pandas.DataFrame(columns_of(study)))
    ]
    assert all(answer == answers[0] for answer in answers)
    with pytest.raises(StudyError, match="no study; give at least one table"):
        weft.discover([])


def test_tables_come_in_many_ways(tmp_path: Path) -> None:
    studies = drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z")))
    files = write_studies(tmp_path, studies)
    columns = {study.name: columns_of(study) for study in studies}
    for given in (studies, files, [Path(file) for file in files], columns, iter(studies)):
        solutions = found(given, "iod")
        assert solutions.count() == 38
        assert [study.name for study in solutions.evidence.studies] == ["study1", "study2"]
    assert [study.name for study in found(list(columns.values()), "iod").evidence.studies] == ["a", "b"]


# -- which studies ---------------------------------------------------------------------------------------------------


def test_thirty_studies_of_three_variables() -> None:
    names = [f"V{i:02d}" for i in range(32)]
    true = [f"{x} -> {y}" for x, y in pairwise(names)]
    split = [names[i : i + 3] for i in range(30)]
    evidence = found(drawn("; ".join(true), split, rows=500, seed=1), "iod", alpha=0.001).evidence
    assert [study.variables for study in evidence.studies] == [tuple(part) for part in split]
    assert {(one.x, one.y) for one in evidence.connected} == set(pairwise(names))
    solutions = weft.solve(evidence, "iod")
    assert solutions.assume(*true).consistent is True
    assert solutions.assume("V05 -> V06", "V07 -> V06").consistent is False  # V05 and V07 are separated by V06


def test_a_study_within_another() -> None:
    graph = "A -> B; B -> C; C -> D"
    whole, part = drawn(graph, (("A", "B", "C", "D"), ("B", "C")))
    solutions = found([whole, part])
    assert solutions.score(graph).contains_truth
    (alone,) = [one for one in solutions.evidence.connected if one.study == "study2"]
    assert (alone.x, alone.y, alone.provenance.rows) == ("B", "C", 800)  # the rows of both studies


def test_two_studies_of_the_same_variables_are_pooled() -> None:
    graph = "A -> B; B -> C"
    solutions = found(drawn(graph, (("A", "B", "C"), ("A", "B", "C")), rows=200), "iod", least_confidence=0.5)
    assert solutions.score(graph).contains_truth
    evidence = solutions.evidence
    said = [
        {(str(one).split(" in study")[0], one.provenance.p_value) for one in evidence.statements if name in of(one)}
        for name in ("study1", "study2")
    ]
    assert said[0] == said[1]
    assert len(said[0]) == 3


def of(statement: Statement) -> tuple[str, ...]:
    """The studies that a statement comes from."""
    return statement.studies


def test_studies_with_nothing_in_common_are_refused(tmp_path: Path) -> None:
    files = write_studies(tmp_path, drawn("A -> B; C -> D", (("A", "B"), ("C", "D")), rows=60))
    said = complaint(discover(*files))
    assert "study1" in said
    assert "study2" in said
    three = drawn("A -> B; B -> C; D -> E", (("A", "B"), ("B", "C"), ("D", "E")), rows=60)
    with pytest.raises(StudyError, match="'study3'"):
        found(three)


def test_a_constant_column_is_left_out(tmp_path: Path) -> None:
    one, two = drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z")), rows=60)
    good = write_csv(tmp_path / "good.csv", columns_of(one))
    flat = write_csv(tmp_path / "flat.csv", columns_of(two) | {"W": [3.5] * 60, "X": ["p"] * 60})
    result = discover(good, flat, "-o", tmp_path / "r.json")
    assert result.exit_code == 0
    for column, value in (("W", "3.5"), ("X", "'p'")):
        left_out = (
            f"study 'flat', column '{column}': constant: {value} in every row; the column is left out of this study"
        )
        assert f"weft: warning: {left_out}\n" in result.stderr
    made = content(tmp_path / "r.json")
    assert [study["variables"] for study in made["evidence"]["studies"]] == [["X", "Y"], ["Y", "Z"]]
    dropped = discover(good, flat, "--drop", "W", "--drop", "X")
    assert "X" not in dropped.stdout, "dropped everywhere, while a constant is left out where it is constant"


def test_a_study_without_two_columns_that_vary_is_left_out(tmp_path: Path) -> None:
    one, two = drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z")), rows=60)
    files = write_studies(tmp_path, [one, two])
    flat = write_csv(tmp_path / "flat.csv", {"Y": columns_of(one)["Y"], "Q": [1.0] * 60})
    result = discover(*files, flat, "--method", "iod", "--bootstrap", "2")
    assert result.exit_code == 0
    assert "study 'flat': only 'Y' is left to test; the study is left out" in result.stderr
    alone = discover(files[0], flat, "--method", "iod")
    assert alone.exit_code == 0, "one study is left"
    both = [write_csv(tmp_path / name, {"Y": columns_of(one)["Y"], "Q": [1.0] * 60}) for name in ("p.csv", "q.csv")]
    assert complaint(discover(*both)).startswith("nothing is left to test: study 'p', column 'Q': constant")


def test_columns_that_others_determine_are_no_reason_to_refuse() -> None:
    """As in the network asia: either is tub or lung, and in some samples tub is either minus lung."""
    rng = np.random.default_rng(3)

    def table(names: str) -> dict[str, np.ndarray]:
        lung = rng.random(1000) < 0.3
        tub = (rng.random(1000) < 0.2) & ~lung
        either = tub | lung
        xray = np.where(either, rng.random(1000) < 0.9, rng.random(1000) < 0.1)
        columns = {"lung": lung, "tub": tub, "either": either, "xray": xray}
        return {name: columns[name].astype(int) for name in names.split()}

    tables = [table("lung tub either"), table("lung either xray"), table("tub either xray lung")]
    evidence = weft.gather(tables, method="iod")
    assert any("'either' is exactly a linear function of 'lung' and 'tub'" in one for one in evidence.warnings)
    assert any("do not both vary given" in one for one in evidence.warnings)
    determined = frozenset({"lung", "tub"})
    assert all(one.given != determined for one in evidence.separated if "either" in (one.x, one.y))
    numbers = [{name: values + 1e-3 for name, values in one.items()} for one in tables]
    assert weft.gather(numbers, method="iod", independence="kcit", max_given=2).statements


def test_an_experiment_that_holds_its_variable_fixed(tmp_path: Path) -> None:
    one, two = drawn("X -> Y; Y -> Z", (("X", "Y"), ("X", "Y", "Z")), rows=60)
    held = {**columns_of(two), "X": [1.0] * 60}
    known = Knowledge.of(randomised={"b": ["X"]})
    evidence = weft.gather({"a": columns_of(one), "b": held}, known, method="iod", independence="fisher-z")
    assert [scope.variables for scope in evidence.studies] == [("X", "Y"), ("Y", "Z")]


def test_missing_values(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    graph, files = "A -> C; B -> C; C -> D", []
    for study in drawn(graph, (("A", "B", "C"), ("B", "C", "D")), rows=600):
        holes = {
            name: ["NA" if hole else value for value, hole in zip(values, rng.random(600) < 0.1, strict=True)]
            for name, values in columns_of(study).items()
        }
        files.append(write_csv(tmp_path / f"{study.name}.csv", holes))
    assert discover(*files, "-o", tmp_path / "r.json").exit_code == 0
    solutions = weft.load_result(tmp_path / "r.json")
    assert solutions.score(graph).contains_truth
    rows = [one.provenance.rows for one in solutions.evidence.connected]
    assert all(row is not None and row < 1200 for row in rows)


def test_twenty_five_rows() -> None:
    graph = "X -> Y; Y -> Z"
    solutions = found(drawn(graph, (("X", "Y"), ("Y", "Z")), rows=25), "iod")
    assert solutions.consistent is True
    assert solutions.score(graph).contains_truth
    with pytest.raises(StudyError, match="19 rows are too few"):
        found([{name: values[:19] for name, values in columns_of(one).items()} for one in drawn_pair()], "iod")


def drawn_pair() -> list[Study]:
    return drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z")), rows=30)


def test_an_interrupted_walk_is_told(tmp_path: Path) -> None:
    files = write_studies(tmp_path, drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z"))))
    result = run("discover", *files, "--test", "fisher-z", "--method", "iod", "--limit", "5", "-o", tmp_path / "r.json")
    assert result.exit_code == 0
    assert "At least 5 consistent structures (MAGs)" in result.stdout
    answer = content(tmp_path / "r.json")["answer"]
    assert (answer["mags"], answer["complete"], answer["settled"]) == (5, False, True)
    assert len(answer["graphs"]) == answer["structures"]["mags"] == 5
