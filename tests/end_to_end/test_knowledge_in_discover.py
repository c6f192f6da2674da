"""What is known beforehand, from a file to the answer: hard unless it has a weight, and checked before any test."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import weft
from tests.end_to_end.running import columns_of, complaint, content, discover, drawn, write_csv, write_studies
from weft import Knowledge, MixedGraph, SolutionSet
from weft.knowledge.items import KnowledgeError
from weft.studies import Study
from weft.studies.simulate import draw_table

TRUTH, SPLIT = "X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z"))


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return write_studies(tmp_path, drawn(TRUTH, SPLIT))


def found(knowledge: Knowledge | None = None, method: str = "iod") -> SolutionSet:
    return weft.discover(
        drawn(TRUTH, SPLIT),
        knowledge,
        method=method,
        independence="fisher-z",
        orientation="lingam",
        least_confidence=0.8,
    )


def known(folder: Path, text: str, name: str = "k.toml") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


# -- it reaches the answer -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ('tiers = [["X"], ["Y"], ["Z"]]', ["not Y causes X", "not Z causes Y", "not Z causes X"]),
        ('causes = [["X", "Y"]]', ["X causes Y"]),
        ('statements = ["X causes Y", "Z does not cause X"]', ["X causes Y", "not Z causes X"]),
        ('roots = ["X"]\nsinks = ["Z"]', ["not Y causes X", "not Z causes X", "not Z causes Y"]),
        ('not_adjacent = [["X", "Z"]]', ["not X and Z are adjacent"]),
        ('not_confounded = [["X", "Y"]]', ["not X and Y are confounded"]),
        ('[[allowed]]\npair = ["X", "Y"]\nstructures = ["->"]', ["X causes Y", "not X and Y are confounded"]),
    ],
)
def test_knowledge_reaches_the_answer(tmp_path: Path, files: list[str], text: str, claims: list[str]) -> None:
    path = known(tmp_path, text)
    result = discover(*files, "--method", "iod", "--knowledge", path, "-o", tmp_path / "r.json")
    assert result.exit_code == 0
    answer = set(weft.load_result(tmp_path / "r.json"))
    assert answer == set(found().assume(*claims))
    assert 0 < len(answer) < 38
    assert MixedGraph.parse(TRUTH) in answer


def test_several_files_add_up(tmp_path: Path, files: list[str]) -> None:
    first = known(tmp_path, 'causes = [["X", "Y"]]', "one.toml")
    second = known(tmp_path, '{"not_adjacent": [["X", "Z"]]}', "two.json")
    result = discover(*files, "--method", "iod", "--knowledge", first, "--knowledge", second, "-o", tmp_path / "r.json")
    assert result.exit_code == 0
    assert set(weft.load_result(tmp_path / "r.json")) == set(found().assume("X causes Y", "not X and Z are adjacent"))


# -- hard, or with a weight ------------------------------------------------------------------------------------------


def test_knowledge_is_never_given_up(tmp_path: Path, files: list[str]) -> None:
    """The data say that X and Y are connected and X causes Y; the knowledge says that nothing joins the two."""
    path = known(tmp_path, '[[allowed]]\npair = ["X", "Y"]\nstructures = ["none"]')
    result = discover(*files, "--knowledge", path, "-o", tmp_path / "r.json")
    assert result.exit_code == 0
    loaded = weft.load_result(tmp_path / "r.json")
    repair = loaded.repair()
    assert repair is not None
    assert {str(one) for one in repair.given_up} == {
        "X and Y are connected in study 'study1'",
        "the structure of (X, Y) is -> or -> & <->",
        "the structure of (X, Y) is -> or <-> or -> & <->",
    }
    assert loaded.exact_count() > 0
    assert loaded.assume("X and Y are adjacent").count() == loaded.assume("X causes Y").count() == 0
    given_up = content(tmp_path / "r.json")["repair"]["given_up"]
    relation = ("lingam", "relation")
    assert [(one["source"], one["kind"]) for one in given_up] == [("fisher-z", "connected"), relation, relation]
    assert "Given up        a weight of" in result.stdout


def test_knowledge_with_a_weight_can_be_given_up(tmp_path: Path, files: list[str]) -> None:
    text = '[[weighted]]\nstatement = "Y causes X"\nweight = {}\n'
    light, heavy = known(tmp_path, text.format(0.5), "light.toml"), known(tmp_path, text.format(500), "heavy.toml")
    assert discover(*files, "--knowledge", light, "-o", tmp_path / "light.json").exit_code == 0
    repair = content(tmp_path / "light.json")["repair"]
    (given_up,) = repair["given_up"]
    assert (given_up["weight"], given_up["source"]) == (0.5, f"{light}: weighted[0]")
    assert repair["cost"] == 0.5
    assert weft.load_result(tmp_path / "light.json").assume("X causes Y").exact_count() > 0
    assert discover(*files, "--knowledge", heavy, "-o", tmp_path / "heavy.json").exit_code == 0
    given_up = content(tmp_path / "heavy.json")["repair"]["given_up"]
    assert [(one["source"], one["pair"]) for one in given_up] == 2 * [("lingam", ["X", "Y"])]
    assert weft.load_result(tmp_path / "heavy.json").assume("not Y causes X").count() == 0


# -- what is wrong with it -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('causes = [["X", "Y"], ["Y", "Z"], ["Z", "X"]]', "the knowledge contradicts itself: 'X causes Y'"),
        ('tiers = [["X"], ["Y"]]\ncauses = [["Y", "X"]]', "cannot hold together"),
        ('causes = [["X", "Yy"]]', "k.toml: causes[0]: there is no variable 'Yy'; did you mean 'Y'?"),
        (
            '[randomised]\nstudi1 = ["X"]',
            "k.toml: randomised.studi1: there is no study 'studi1'; did you mean 'study1'?",
        ),
        ('[randomised]\nstudy1 = ["dose"]', "there is no variable 'dose'"),
        ('cause = [["X", "Y"]]', "did you mean 'causes'?"),
        ("causes = [", "this is not TOML"),
        ('statements = ["no direct edge X -> Z"]', "cannot be imposed exactly"),
    ],
)
def test_what_is_wrong_is_told_before_any_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: list[str], text: str, said: str
) -> None:
    known(tmp_path, text)
    monkeypatch.chdir(tmp_path)
    assert said in complaint(discover(*files, "--knowledge", "k.toml"))  # and so not a word of progress


def test_what_is_wrong_is_told_in_python_too() -> None:
    told: list[str] = []
    with pytest.raises(KnowledgeError, match="contradicts itself"):
        weft.discover(
            drawn(TRUTH, SPLIT),
            Knowledge.of("X causes Y", "Y causes X"),
            progress=lambda label, done, total: told.append(label),
        )
    assert not told


# -- experiments -----------------------------------------------------------------------------------------------------

BEFORE = "U -> dose; U -> outcome; dose -> outcome"
"""The undisturbed process: the sicker take more, and recover less."""
AFTER = "U -> outcome; dose -> outcome"
"""Where the dose is drawn by lot."""


def experiment() -> list[Study]:
    """A registry of the undisturbed process and a trial of the cut one; U is measured in both."""
    rng = np.random.default_rng(13)
    studies = []
    for name, graph in (("registry", BEFORE), ("trial", AFTER)):
        table = draw_table(MixedGraph.parse(graph), 600, rng, "linear")
        studies.append(Study.of(table, name))
    return studies


def asked(knowledge: Knowledge | None) -> SolutionSet:
    """The answer to what the tests say, without the judgements of pairs."""
    found = weft.discover(
        experiment(), knowledge, independence="fisher-z", orientation="lingam", least_confidence=0.5, alpha=0.01
    )
    tested = (one for one in found.evidence.statements if one.provenance.source != "lingam")
    return weft.solve(found.evidence.with_statements(tested), conflicts="repair")


def test_an_experiment_cuts_what_leads_to_what_was_set() -> None:
    with_it, without_it = asked(Knowledge.of(randomised={"trial": ["dose"]})), asked(None)
    repair = with_it.repair()
    assert repair is not None
    assert repair.cost == 0
    assert with_it.score(BEFORE).contains_truth
    summary = with_it.summary()
    assert "dose -> outcome" in summary.certain
    assert with_it.assume("outcome causes dose").count() == 0
    assert with_it.assume("dose causes U").count() == 0  # they are independent where the dose was drawn by lot
    assert set(with_it) != set(without_it)
    assert without_it.assume("outcome causes dose").exact_count() > 0


def test_an_experiment_is_not_pooled() -> None:
    rows = {
        one.study: one.provenance.rows for one in asked(Knowledge.of(randomised={"trial": ["dose"]})).evidence.connected
    }
    assert rows == {"registry": 600, "trial": 600}
    assert {one.provenance.rows for one in asked(None).evidence.connected} == {1200}


def test_an_experiment_from_a_file(tmp_path: Path) -> None:
    files = [write_csv(tmp_path / f"{study.name}.csv", columns_of(study)) for study in experiment()]
    path = known(tmp_path, '[randomised]\ntrial = ["dose"]')
    result = discover(*files, "--method", "iod", "--knowledge", path, "-o", tmp_path / "r.json")
    assert result.exit_code == 0
    assert "(600 rows; set: dose)" in result.stdout
    assert "None: not used" not in result.stderr
    document = content(tmp_path / "r.json")
    assert [table["set"] for table in document["tables"]] == [[], ["dose"]]
