"""Explanations of small problems that can be checked by hand, and their words."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import weft
from weft.cli.explain import explain as command
from weft.errors import ProblemError
from weft.evidence.claims import Claim
from weft.evidence.oracle import oracle
from weft.evidence.statements import Connected, Evidence, Provenance, Relation, Scope, Separated, Statement
from weft.graphs.criteria import Structure
from weft.graphs.mixed import quote
from weft.knowledge.knowledge import Knowledge
from weft.solutions.explain import Explanation, Verdict, Without, explain, in_percent, read_question, sentence_of
from weft.solutions.solution_set import SolutionSet, solve

CAUSES = frozenset({Structure.CAUSES, Structure.CAUSES_COMMON})


@pytest.fixture
def chained() -> SolutionSet:
    return solve(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]))


@pytest.fixture
def open_pair() -> SolutionSet:
    return solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]]))


def evidence(*statements: Statement, studies: str = "XYZ") -> Evidence:
    return Evidence((Scope("a", tuple(studies)),), statements)


# -- verdicts ----------------------------------------------------------------------------------------------------------


def test_a_cause_follows_from_two_relations(chained: SolutionSet) -> None:
    found = explain(chained, "X causes Z")
    assert found.verdict is Verdict.CERTAIN
    assert {(one.x, one.y) for one in found.statements} == {("X", "Y"), ("Y", "Z")}
    assert all(isinstance(one, Relation) for one in found.statements)
    assert found.minimal


def test_what_contradicts_one_relation_is_impossible(chained: SolutionSet) -> None:
    found = explain(chained, "Y -> X")
    assert found.verdict is Verdict.IMPOSSIBLE
    assert [(one.x, one.y) for one in found.statements] == [("X", "Y")]
    head, statement, closing = found.sentences()
    assert head == "It is impossible that Y -> X: it contradicts this statement."
    assert statement == "X causes Y, and they have no common cause (oracle, taken as given)."
    assert closing == "Without it, nothing here would settle the question."


def test_possible_with_two_examples_and_what_would_decide_it(open_pair: SolutionSet) -> None:
    found = explain(open_pair, "X <-> Z")
    assert found.verdict is Verdict.POSSIBLE
    assert str(found.holds_in) == "Y -> X; X <-> Z; Y <-> Z"
    assert str(found.fails_in) == "Y -> X; Y <-> Z"
    assert found.statements == ()
    assert found.missing == (
        "A study of X and Z together with all other variables (no study measured the two together), "
        "to see whether they are adjacent, would decide it."
    )


def test_what_would_decide_a_cause_and_a_direction() -> None:
    solutions = solve(oracle("X -> Y", [["X", "Y"]]), "iod")
    assert explain(solutions, "X causes Y").missing == (
        "An experiment that sets X, to see whether Y responds, would decide it."
    )
    assert explain(solutions, "X -> Y").missing == (
        "An experiment that sets X, to see whether Y responds, would decide it."
    )
    assert explain(solutions, "X <-> Y").missing == (
        "An experiment that sets X, to see whether Y responds, and "
        "an experiment that sets Y, to see whether X responds, would decide it."
    )
    assert "each in turn" in (explain(solutions, "X and Y are confounded").missing or "")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("X -> Y", Verdict.CERTAIN),
        ("Y <- X", Verdict.CERTAIN),
        ("X o-> Y", Verdict.CERTAIN),
        ("not X <-> Y", Verdict.CERTAIN),
        ("X and Z are not adjacent", Verdict.CERTAIN),
        ("X and Z are adjacent", Verdict.IMPOSSIBLE),
        ("X and Y are confounded", Verdict.IMPOSSIBLE),
        ("X does not cause Z", Verdict.IMPOSSIBLE),
    ],
)
def test_every_kind_of_claim(chained: SolutionSet, text: str, verdict: Verdict) -> None:
    assert explain(chained, text).verdict is verdict
    assert explain(chained, Claim.parse(text)).verdict is verdict


def test_no_solution_at_all() -> None:
    says = (
        Relation("X", "Y", CAUSES, provenance=Provenance("trial")),
        Relation("Y", "Z", CAUSES),
        Relation("Z", "X", CAUSES),
    )
    found = explain(solve(evidence(*says)), "X -> Y")
    assert found.verdict is Verdict.CONTRADICTION
    assert set(found.statements) == set(says)
    assert found.sentences()[0] == (
        "Nothing can be said about whether X -> Y, since there is no solution: these 3 statements together cannot hold."
    )
    assert found.sentences()[-1] == "Without any one of these, the others can hold together."


def test_only_needed_assumptions_are_named() -> None:
    solutions = solve(oracle("X -> Y -> Z", [["X", "Y", "Z"]]), "iod")
    narrower = solutions.assume("X and Z are not adjacent", "X causes Y", "Z does not cause Y", "not X -- Y")
    found = explain(narrower, "X causes Z")
    assert found.verdict is Verdict.CERTAIN
    assert [str(claim) for claim in found.assumed] == ["X causes Y"]
    assert any("what was assumed" in sentence for sentence in found.sentences())
    assert "Assumed: X causes Y." in found.sentences()


def test_an_assumption_is_reason_enough(open_pair: SolutionSet) -> None:
    found = explain(open_pair.assume("X <-> Z"), "X and Z are adjacent")
    assert found.statements == ()
    assert found.sentences()[:2] == [
        "It is certain that X and Z are adjacent: it follows from what was assumed.",
        "Assumed: X <-> Z.",
    ]


def test_knowledge_is_told_from_assumptions_and_is_never_a_mere_orientation() -> None:
    known = Knowledge.of("X causes Y")
    evidence = oracle("X -> Y -> Z", [["X", "Y", "Z"]]).with_statements(
        one for one in oracle("X -> Y -> Z", [["X", "Y", "Z"]]).statements if not isinstance(one, Relation)
    )
    found = explain(solve(evidence, "iod", knowledge=known), "Y -> Z")
    assert found.verdict is Verdict.CERTAIN
    assert [str(claim) for claim in found.known] == ["X causes Y"]
    assert found.assumed == ()
    assert "Known beforehand: X causes Y." in found.sentences()
    assert "what was known beforehand" in found.sentences()[0]


def test_what_no_structure_can_have(chained: SolutionSet) -> None:
    found = explain(chained, "X -- Y")
    assert found.verdict is Verdict.IMPOSSIBLE
    assert found.statements == ()
    assert found.sentences() == [
        "It is impossible that X -- Y: it holds in no structure there is, whatever the evidence."
    ]


def test_when_the_time_runs_out(chained: SolutionSet) -> None:
    found = explain(replace(chained, timeout=1e-9), "X causes Z")
    assert found.verdict is Verdict.UNKNOWN
    assert found.sentences()[0] == "The time ran out before it was known whether X causes Z."


def test_unknown_variables_and_nonsense_are_refused(chained: SolutionSet) -> None:
    with pytest.raises(ProblemError, match="'Q' is not one of the variables"):
        explain(chained, "X -> Q")
    with pytest.raises(ProblemError, match="is not a claim"):
        explain(chained, "why is the sky blue")
    with pytest.raises(ProblemError, match="two different variables"):
        explain(chained, "X causes X")


# -- repaired contradictions -------------------------------------------------------------------------------------------


def test_under_a_repair_what_was_given_up_about_the_pair_is_mentioned() -> None:
    studies = (Scope("a", ("X", "Y")), Scope("b", ("X", "Y")))
    says = (
        Connected("a", "X", "Y", 1.5, Provenance("kcit", 0.004, 80)),
        Separated("X", "Y", frozenset(), ("b",), 3.0, Provenance("kcit", 0.43, 1812)),
    )
    found = explain(solve(Evidence(studies, says), "iod", conflicts="repair"), "X and Y are adjacent")
    assert found.verdict is Verdict.IMPOSSIBLE
    assert found.sentences() == [
        "The findings exclude that X and Y are adjacent: it contradicts this statement.",
        "X and Y were independent in study 'b' (kcit, p = 0.43, 1,812 rows, weight 3).",
        "Without it, the opposite would be ahead.",
        "Given up because it contradicts weightier evidence: X and Y stay connected in study 'a', whatever is given "
        "(kcit, largest p = 0.004, 80 rows, weight 1.5).",
    ]


def test_the_weakest_link_and_what_would_follow_without_it() -> None:
    studies = (Scope("a", ("X", "Y")), Scope("b", ("Y", "Z")))
    says = (
        Relation("X", "Y", frozenset({Structure.CAUSES}), 3.0, Provenance("anm")),
        Relation("Y", "Z", frozenset({Structure.CAUSES}), 2.0, Provenance("anm")),
    )
    solutions = solve(Evidence(studies, says), conflicts="repair")
    finding = solutions.summary(margins=True).finding("X causes Z")
    found = explain(solutions, "X causes Z")
    assert (found.weakest, found.without_weakest, found.finding) == (says[1], Without.OPEN, finding)
    assert finding.margin == 2.0
    assert finding.confidence is not None
    assert found.lead.startswith(f"The findings say that X causes Z ({in_percent(finding.confidence)} sure): ")
    assert found.close[1] == (
        "The weakest of these: Y causes Z, and they have no common cause, judged by anm (weight 2). "
        "Without it, the claim would be open."
    )
    document = found.as_json()
    assert (document["confidence"], document["margin"]) == (finding.confidence, 2.0)
    assert (document["weakest"]["pair"], document["without_weakest"]) == (["Y", "Z"], "open")


def test_where_more_may_be_given_up_a_claim_that_is_ahead_is_likely_and_has_its_reasons() -> None:
    studies = (Scope("a", ("X", "Y")),)
    says = (Relation("X", "Y", frozenset({Structure.CAUSES}), 1.0, Provenance("anm")),)
    solutions = solve(Evidence(studies, says), conflicts="repair", slack=2.0)
    assert solutions.summary(margins=True).finding("X causes Y").margin == 1.0
    found = explain(solutions, "X causes Y")
    assert found.verdict is Verdict.POSSIBLE
    assert found.statements == says
    assert found.lead == (
        f"It is likely ({in_percent(found.sure or 0)} sure) that X causes Y: it rests on this statement, "
        "and some structures that may be afforded deny it."
    )
    denied = explain(solutions, "Y causes X")
    assert denied.statements == says
    assert "that Y does not cause X" in denied.lead


def test_what_no_statement_with_a_weight_says_is_certain(chained: SolutionSet) -> None:
    found = explain(chained, "X causes Z")
    assert found.weakest is None
    assert found.without_weakest is None
    assert found.lead.startswith("It is certain that X causes Z")


def test_under_a_repair_with_assumptions_the_repair_that_fits_is_taken() -> None:
    """Two repairs are equally light; what is assumed leaves one of them."""
    studies = (Scope("a", ("X", "Y", "Z")), Scope("b", ("X", "Y")))
    says = (Connected("a", "X", "Y", 1.0), Separated("X", "Y", frozenset(), ("b",), 1.0))
    solutions = solve(Evidence(studies, says), "iod", conflicts="repair")
    assert explain(solutions, "X and Y are adjacent").verdict is Verdict.POSSIBLE
    for assumed, kept in (("X -> Y", says[0]), ("X and Y are not adjacent", says[1])):
        found = explain(solutions.assume(assumed), "X causes Y")
        assert kept not in found.given_up
    found = explain(solutions.assume("X -> Y"), "X and Y are confounded")
    assert found.verdict is Verdict.POSSIBLE
    assert found.given_up == (says[1],)


def test_hard_statements_that_no_repair_can_save() -> None:
    says = (Relation("X", "Y", CAUSES), Connected("a", "Y", "Z", 0.0), Connected("a", "X", "Y", 2.0))
    solutions = solve(evidence(*says), conflicts="repair", knowledge=Knowledge.of("Y does not cause Z"))
    found = explain(solutions.assume("Y causes X"), "Y -> Z")
    assert found.verdict is Verdict.CONTRADICTION
    assert found.statements == (says[0],)
    assert [str(claim) for claim in found.assumed] == ["Y causes X"]
    solutions = solve(
        evidence(*says, Relation("Y", "X", CAUSES)), conflicts="repair", knowledge=Knowledge.of("Y does not cause Z")
    )
    found = explain(solutions, "Y -> Z")
    assert found.verdict is Verdict.CONTRADICTION
    assert {(one.x, one.y) for one in found.statements} == {("X", "Y")}
    assert len(found.statements) == 2


def test_knowledge_that_no_repair_can_save() -> None:
    says = Relation("X", "Y", CAUSES)
    solutions = solve(evidence(says), conflicts="repair", knowledge=Knowledge.of("X does not cause Y"))
    found = explain(solutions, "Y -> Z")
    assert found.verdict is Verdict.CONTRADICTION
    assert found.statements == (says,)
    assert [str(claim) for claim in found.known] == ["X does not cause Y"]


# -- words -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("X -> Y", "X -> Y"),
        ("why X -> Y", "X -> Y"),
        ("why not X -> Y", "X -> Y"),
        (" why  not X causes Y", "X causes Y"),
        ("why not X does not cause Y", "X does not cause Y"),
        ("why X and Y are not adjacent", "X and Y are not adjacent"),
        ("why -> Y", "why -> Y"),
        ("why causes not", "why causes not"),
    ],
)
def test_questions(text: str, claim: str) -> None:
    assert str(read_question(text)) == claim


def all_sets() -> list[frozenset[Structure]]:
    every = list(Structure)
    return [frozenset(one) for one in chain.from_iterable(combinations(every, n) for n in range(1, 6))]


def test_every_set_of_structures_has_its_own_words() -> None:
    said = {allowed: sentence_of(Relation("X", "Y", allowed)) for allowed in all_sets()}
    assert len(set(said.values())) == 62
    tests: dict[str, Any] = {
        "X causes Y": lambda one: one.causes,
        "Y causes X": lambda one: one.caused,
        "X does not cause Y": lambda one: not one.causes,
        "Y does not cause X": lambda one: not one.caused,
        "Neither of X and Y causes the other": lambda one: not one.causes and not one.caused,
        "X and Y have a common cause": lambda one: one.confounded,
        "they have a common cause": lambda one: one.confounded,
        "X and Y have no common cause": lambda one: not one.confounded,
        "they have no common cause": lambda one: not one.confounded,
        "X and Y are causally related": lambda one: one is not Structure.NONE,
    }
    by_facts = 0
    for allowed, sentence in said.items():
        facts = sentence.removesuffix(" (taken as given)").split(", and ")
        if all(fact in tests for fact in facts):
            by_facts += 1
            assert {one for one in Structure if all(tests[fact](one) for fact in facts)} == allowed, sentence
        else:
            assert sentence.startswith("The causal structure of (X, Y) is one of: ")
            assert all(one.value in sentence for one in allowed)
    assert by_facts > 20


def test_words_for_each_statement() -> None:
    behind = Provenance("kcit", 0.000412, 1812)
    assert sentence_of(Separated("Z", "X", frozenset({"W", "Y"}), ("a",), 2.14, behind)) == (
        "X and Z were separated by {W, Y} in study 'a' (kcit, p = 0.00041, 1,812 rows, weight 2.14)"
    )
    assert sentence_of(Connected("b", "X", "Y", 0.5, behind)) == (
        "X and Y stay connected in study 'b', whatever is given (kcit, largest p = 0.00041, 1,812 rows, weight 0.5)"
    )
    assert sentence_of(Connected("b", "X", "Y")) == "X and Y stay connected in study 'b', whatever is given"
    relation = Relation("X", "Y", CAUSES, 7.5, Provenance("anm"))
    assert sentence_of(relation) == "X causes Y, judged by anm (weight 7.5)"
    assert sentence_of(relation, oriented=True) == (
        "If X and Y are adjacent, their edge is X -> Y, judged by anm (weight 7.5)"
    )
    told = Relation("X", "Y", CAUSES, provenance=Provenance("expert.toml,\nline 3"))
    assert sentence_of(told) == "X causes Y (expert.toml, line 3, taken as given)"


def test_an_orientation_is_told_as_one() -> None:
    found = explain(solve(oracle("X -> Y", [["X", "Y"]]), "iod-bcd"), "X -> Y")
    assert found.verdict is Verdict.CERTAIN
    assert found.sentences()[1:3] == [
        "X and Y stay connected in study 'a', whatever is given (oracle).",
        "If X and Y are adjacent, their edge is X -> Y (oracle, taken as given).",
    ]


NASTY = ["a b", 'say "hi"', "<script>alert(1)</script>", "größe", "x -> y", "back\\slash", "why", "not"]


@pytest.mark.parametrize(("x", "y"), list(combinations(NASTY, 2))[::3])
def test_odd_names(x: str, y: str) -> None:
    studies = (Scope("a<b>'", tuple({x, y})),)
    solutions = solve(Evidence(studies, (Relation(x, y, CAUSES),)))
    claim = Claim.parse(f"{quote(x)} causes {quote(y)}")
    found = explain(solutions, claim)
    assert found.verdict is Verdict.CERTAIN
    sentence = f"{quote(x)} causes {quote(y)}"
    assert found.sentences()[0] == f"It is certain that {sentence}: it follows from this statement."
    assert found.sentences()[1] == f"{sentence} (taken as given)."
    assert all("\n" not in sentence for sentence in found.sentences())
    assert json.loads(json.dumps(found.as_json()))["statements"][0]["pair"] == sorted((x, y))


def test_as_json_is_plain_and_whole(open_pair: SolutionSet) -> None:
    found = explain(open_pair, "X <-> Z")
    data = json.loads(json.dumps(found.as_json()))
    assert data["verdict"] == "possible"
    assert data["claim"] == "X <-> Z"
    assert data["holds_in"] == "Y -> X; X <-> Z; Y <-> Z"
    said = [one["sentence"] + "." for one in data["statements"]]
    assert [data["lead"], *said, *data["besides"], *data["close"]] == found.sentences()


# -- the command -------------------------------------------------------------------------------------------------------


def test_lines_fit_and_list_what_is_needed(chained: SolutionSet) -> None:
    shown = list(explain(chained, "X causes Z").lines())
    assert all(len(line) <= 80 for line in shown)
    assert [line[:4] for line in shown].count("  - ") == 2


def test_many_statements_are_cut_short_in_text() -> None:
    says = tuple(Connected("a", "X", f"Y{i}") for i in range(30))
    found = Explanation(Claim.parse("X -> Y1"), Verdict.CERTAIN, says, minimal=False)
    shown = list(found.lines(20))
    assert sum(line.startswith("  - ") for line in shown) == 20
    assert shown[-2:] == [
        "  and 10 more (--format json lists all)",
        "The time ran out: fewer of these may be enough.",
    ]


def test_the_command(chained: SolutionSet, tmp_path: Path) -> None:
    path = str(tmp_path / "result.json")
    chained.save(path)
    run = CliRunner().invoke(command, [path, "why not Z causes X"], standalone_mode=False)
    assert run.exception is None
    assert run.return_value == 0
    assert run.output.startswith("It is impossible that Z causes X")
    run = CliRunner().invoke(command, [path, "X -> Y", "--format", "json"], standalone_mode=False)
    assert json.loads(run.output)["verdict"] == "certain"
    run = CliRunner().invoke(command, [path, "X -> Q"], standalone_mode=False)
    assert isinstance(run.exception, weft.WeftError)
    assert "'Q'" in str(run.exception)
