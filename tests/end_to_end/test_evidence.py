"""``weft evidence ... | weft solve - --repair`` gives the answer of ``weft discover ...``: the same in every part."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import weft
from tests.end_to_end.running import (
    CHAIN,
    CHAIN_SPLIT,
    LOOSELY,
    QUICK,
    columns_of,
    complaint,
    conflicting,
    drawn,
    run,
    write_csv,
    write_studies,
)
from weft import Knowledge, MixedGraph, SolutionSet
from weft.cli import main
from weft.graphs.simulate import random_admg, split_into_studies
from weft.knowledge.items import KnowledgeError
from weft.studies import Study
from weft.studies.simulate import draw_studies, draw_table


@dataclass(frozen=True)
class Case:
    """Tables, what is known of them, and options that go to both commands."""

    studies: list[Study]
    knowledge: str = ""
    options: Sequence[str] = QUICK
    method: str = "causal-iod"
    jobs: int = 1


def random(seed: int, way: Any = "linear") -> list[Study]:
    rng = np.random.default_rng(seed)
    graph = random_admg(5, rng, mean_degree=2, mean_bidirected_degree=0.5)
    return draw_studies(graph, split_into_studies(graph.names, rng, studies=2, overlap=3), 250, rng, way)


def experiment(seed: int = 13) -> list[Study]:
    """A registry, and a trial in which the dose was drawn by lot; two variables that have nothing to do with it."""
    rng = np.random.default_rng(seed)
    graphs = {
        "registry": "U -> dose; U -> outcome; dose -> outcome; outcome -> care",
        "trial": "U -> outcome; dose -> outcome; age; outcome -> care",
    }
    return [Study.of(draw_table(MixedGraph.parse(graph), 500, rng, "linear"), name) for name, graph in graphs.items()]


SET = '[randomised]\ntrial = ["dose"]\n'
CASES = {
    "a chain": Case(drawn(CHAIN, CHAIN_SPLIT)),
    "a chain, two processes": Case(drawn(CHAIN, CHAIN_SPLIT), jobs=2),
    "contradictions": Case(conflicting(), options=(*QUICK, *LOOSELY)),
    "contradictions, all dependent pairs": Case(
        conflicting(),
        options=(*QUICK, *LOOSELY, "--pairs", "dependent"),
        jobs=2,
    ),
    "declared sufficient": Case(random(1), options=(*QUICK, "--assume-sufficient")),
    "one study sufficient": Case(random(2), options=(*QUICK, "--assume-sufficient=study2", "--pooling", "stouffer")),
    "curved": Case(random(3, "nonlinear"), options=("--test", "auto", "--orient", "auto", "--max-given", "1")),
    "undecided": Case(random(4), options=(*QUICK, "--independence-confidence", "0.9")),
    "independences": Case(random(5), method="iod"),
    "edges": Case(random(6), method="iod-bcd"),
    "tiers": Case(drawn(CHAIN, CHAIN_SPLIT), 'tiers = [["A"], ["B", "C"], ["D"]]'),
    "a weight that gives way": Case(
        drawn(CHAIN, CHAIN_SPLIT), '[[weighted]]\nstatement = "B causes A"\nweight = 0.5\n'
    ),
    "a weight that wins": Case(
        drawn(CHAIN, CHAIN_SPLIT), '[[weighted]]\nstatement = "B causes A"\nweight = 500\n', jobs=2
    ),
    "an experiment": Case(experiment(), SET),
    "an experiment, two processes": Case(experiment(), SET, jobs=2),
    "an experiment and more": Case(
        experiment(),
        'roots = ["U"]\nstatements = ["outcome does not cause dose"]\n'
        '[[weighted]]\nstatement = "care causes outcome"\nweight = 1.5\n' + SET,
    ),
    "an experiment by independences": Case(experiment(), SET, method="iod"),
}
"""In every one of them the two ways are compared in every part."""


Ways = tuple[SolutionSet, SolutionSet, dict[str, Any]]
Compared = Callable[[str], Ways]


def both_ways(folder: Path, case: Case) -> Ways:
    """What discover finds, what solve makes of the evidence file, and what ``weft solve`` prints."""
    files = write_studies(folder, case.studies)
    (folder / "k.toml").write_text(case.knowledge, encoding="utf-8")
    known = ["--knowledge", str(folder / "k.toml")] if case.knowledge else []
    common = [*files, *case.options, *known, "--method", case.method, "--quiet", "--no-cache", "--jobs", str(case.jobs)]
    assert run("discover", *common, "-o", folder / "r.json", jobs=None).exit_code == 0
    evidence = run("evidence", *common, jobs=None)
    assert evidence.exit_code == 0
    solve = ["solve", "-", "--repair", "--method", case.method, *known, "--format", "json"]
    piped = CliRunner().invoke(main, solve, input=evidence.stdout, prog_name="weft")
    assert piped.exit_code == 0
    (folder / "e.json").write_text(evidence.stdout, encoding="utf-8")
    knowledge = Knowledge.read(folder / "k.toml") if case.knowledge else None
    solved = weft.solve(weft.load_evidence(folder / "e.json"), case.method, knowledge=knowledge, conflicts="repair")
    return weft.load_result(folder / "r.json"), solved, json.loads(piped.stdout)


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Compared:
    """The two ways of a case, which is run once."""
    return cache(lambda name: both_ways(tmp_path_factory.mktemp("case"), CASES[name]))


@pytest.mark.parametrize("name", CASES)
def test_evidence_and_solve_give_what_discover_gives(compared: Compared, name: str) -> None:
    discovered, solved, printed = compared(name)
    assert solved.evidence.statements == discovered.evidence.statements
    graphs = set(discovered)
    assert graphs
    assert set(solved) == graphs
    assert set(map(MixedGraph.parse, printed["graphs"])) == graphs
    assert (printed["mags"], printed["complete"]) == (len(graphs), True)
    repairs = discovered.repair(), solved.repair()
    assert repairs[0] is not None
    assert repairs[1] is not None
    assert repairs[0].cost == repairs[1].cost
    assert {*repairs[0].given_up} == {*repairs[1].given_up}
    assert solved.knowledge == discovered.knowledge
    assert solved.supposed == discovered.supposed


@pytest.mark.parametrize("name", ["a chain", "contradictions", "an experiment and more", "undecided"])
def test_the_evidence_file_has_what_the_result_file_has(compared: Compared, name: str) -> None:
    discovered, solved, _ = compared(name)
    assert discovered.origin is not None
    assert solved.evidence.tables == discovered.origin.tables
    assert solved.evidence.warnings == discovered.origin.warnings
    assert dict(solved.evidence.settings) == dict(discovered.origin.settings)


def test_the_cases_are_not_all_easy(compared: Compared) -> None:
    """Something is given up, something is dropped, the experiment says something, and knowledge changes the answer."""
    discovered, _, _ = compared("contradictions")
    repair = discovered.repair()
    assert repair is not None
    assert repair.cost
    with_experiment = weft.gather(
        experiment(), Knowledge.of(randomised={"trial": ["dose"]}), independence="fisher-z", orientation="lingam"
    )
    assert any("was set in study 'trial'" in (one.provenance.source or "") for one in with_experiment.relations)
    assert any(one.studies == ("trial",) for one in with_experiment.dependent)  # kept: cutting edges opens no path
    assert any("not used, since" in warning for warning in with_experiment.warnings)


def test_python_has_the_same_two_ways() -> None:
    studies, known = experiment(), Knowledge.of("nothing causes U", randomised={"trial": ["dose"]})
    alone = weft.gather(studies, known, independence="fisher-z", orientation="lingam")
    shared = weft.gather(studies, known, independence="fisher-z", orientation="lingam", n_jobs=2)
    assert alone.statements == shared.statements
    discovered = weft.discover(studies, known, independence="fisher-z", orientation="lingam")
    assert discovered.evidence == alone
    assert set(weft.solve(alone, knowledge=known, conflicts="repair")) == set(discovered)


# -- what is known, and when -----------------------------------------------------------------------------------------


def test_what_is_still_to_be_given_to_solve_is_said(tmp_path: Path) -> None:
    files = [write_csv(tmp_path / f"{study.name}.csv", columns_of(study)) for study in experiment()]

    def said(knowledge: str) -> list[str]:
        (tmp_path / "k.toml").write_text(knowledge, encoding="utf-8")
        made = run("evidence", *files, *QUICK, "--knowledge", tmp_path / "k.toml", "-o", tmp_path / "e.json")
        assert made.exit_code == 0
        return [line for line in made.stderr.splitlines() if "set in" in line or "known is" in line]

    heeded = "weft: the evidence takes into account what was set in trial"
    more = "weft: what else is known is not in the evidence: give weft solve the same --knowledge"
    assert heeded in said(SET)
    assert more not in said(SET)
    assert said('roots = ["U"]') == [more]
    assert {heeded, more} <= {*said('roots = ["U"]\n' + SET)}


def test_an_experiment_is_heeded_without_being_said_again(tmp_path: Path) -> None:
    studies, known = experiment(), Knowledge.of(randomised={"trial": ["dose"]})
    evidence = weft.gather(studies, known, independence="fisher-z", orientation="lingam")
    assert set(weft.solve(evidence, conflicts="repair")) == set(
        weft.solve(evidence, conflicts="repair", knowledge=known)
    )


@pytest.mark.parametrize(
    ("at_first", "later", "said"),
    [
        ("", SET, "as if nothing was set in study 'trial'"),
        (SET, '[randomised]\ntrial = ["U"]\n', "as if 'dose' was set in study 'trial'"),
        (SET, '[randomised]\ntrial = ["U", "dose"]\n', "as if 'dose' was set in study 'trial'"),
        (SET, '[randomised]\nregistry = ["U"]\n', "as if nothing was set in study 'registry'"),
    ],
)
def test_an_experiment_that_comes_too_late_is_refused(tmp_path: Path, at_first: str, later: str, said: str) -> None:
    """Its tests were pooled with others then, and no rule turns these into what they would have been."""
    files = write_studies(tmp_path, experiment())
    for name, text in (("first.toml", at_first), ("later.toml", later)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    made = run("evidence", *files, *QUICK, "--quiet", "--knowledge", tmp_path / "first.toml", "-o", tmp_path / "e.json")
    assert made.exit_code == 0
    complained = complaint(run("solve", tmp_path / "e.json", "--repair", "--knowledge", tmp_path / "later.toml"))
    assert said in complained
    assert "gather it again with this knowledge" in complained


def test_what_is_wrong_with_knowledge_is_told_before_any_test() -> None:
    told: list[str] = []
    with pytest.raises(KnowledgeError, match="there is no study 'trail'; did you mean 'trial'"):
        weft.gather(
            experiment(),
            Knowledge.of(randomised={"trail": ["dose"]}),
            progress=lambda label, done, total: told.append(label),
        )
    assert not told


def test_a_file_that_cannot_be_written_is_told_before_any_test(tmp_path: Path) -> None:
    files = write_studies(tmp_path, drawn(CHAIN, CHAIN_SPLIT))
    said = complaint(run("evidence", *files, *QUICK, "-o", tmp_path / "nowhere" / "e.json"))
    assert "there is no such directory to write to" in said
