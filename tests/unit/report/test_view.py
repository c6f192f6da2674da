"""The view says what the solution set says.

Covers ``view.py`` and ``html.py``.
"""

from __future__ import annotations

import json
from itertools import combinations

import pytest

import weft
from tests.browser import samples
from weft.report.html import embedded, page, to_html
from weft.report.packed import bytes_of, flags_of
from weft.report.view import View, view_of


@pytest.fixture(scope="module", params=["oracle", "selection", "repaired"])
def both(request: pytest.FixtureRequest) -> tuple[weft.SolutionSet, View]:
    return samples.SAMPLES[request.param](), samples.view(request.param)


def test_counts(both: tuple[weft.SolutionSet, View]) -> None:
    solutions, view = both
    assert (view.graphs.mags, view.graphs.complete) == (solutions.count(), True)
    assert view.graphs.pags == len(solutions.pags())
    assert sorted(view.graphs.class_sizes) == sorted(len(entry.mags) for entry in solutions.pags())
    assert (view.certain, view.possible) == (solutions.summary().certain, solutions.summary().possible)


def test_shares_are_those_of_the_summary(both: tuple[weft.SolutionSet, View]) -> None:
    solutions, view = both
    for pair, expected in zip(view.pairs, solutions.summary(shares=True).pairs, strict=True):
        assert pair.share is not None
        assert expected.share is not None
        assert (view.variables[pair.x], view.variables[pair.y]) == (expected.x, expected.y)
        assert {s: v for s, v in pair.share.items() if v and s not in ("causes", "caused")} == pytest.approx(
            {s: v for s, v in expected.share.edges.items() if v}
        )
        assert (pair.share["causes"], pair.share["caused"]) == pytest.approx(
            (expected.share.causes, expected.share.caused)
        )
        assert (pair.causes, pair.caused, pair.confounded) == (expected.causes, expected.caused, expected.confounded)


def test_common_causes_are_those_of_assume(both: tuple[weft.SolutionSet, View]) -> None:
    solutions, view = both
    assert view.graphs.confounding_known
    shipped = {one.pair: one for one in view.graphs.confounding}
    for number, pair in enumerate(view.pairs):
        x, y = view.variables[pair.x], view.variables[pair.y]
        can = solutions.assume(f"{x} and {y} are confounded").count()
        lack = solutions.assume(f"{x} and {y} are not confounded").count()
        if number not in shipped:
            assert {"all": (view.graphs.mags, 0), "none": (0, view.graphs.mags)}[pair.confounded] == (can, lack)
            continue
        one = shipped[number]
        counts = tuple(int(flags_of(bytes_of(text), view.graphs.mags).sum()) for text in (one.can, one.can_lack))
        assert counts == (can, lack)


def test_every_pair_is_explained(both: tuple[weft.SolutionSet, View]) -> None:
    _, view = both
    assert view.unexplained == 0
    assert {reason.pair for reason in view.reasons} == set(range(len(view.pairs)))
    assert all(reason.lead for reason in view.reasons)


def test_what_was_given_up() -> None:
    view = samples.view("repaired")
    assert view.given_up is not None
    assert view.given_up.cost == pytest.approx(1.5)
    assert "'a'" in view.given_up.statements[0].text
    assert view.given_up.statements[0].p_value == pytest.approx(0.004)
    assert view.other_repair is not None
    assert view.other_repair.cost == pytest.approx(3.0)


def test_no_solution() -> None:
    view = samples.view("contradiction")
    assert view.consistent is False
    assert (view.graphs.mags, len(view.conflict)) == (0, 2)
    assert view.next_steps is None


def test_without_time_it_says_so() -> None:
    view = view_of(samples.oracle(), patience=0)
    assert view.reasons == ()
    assert view.unexplained > 0
    assert not view.graphs.confounding_known
    assert view.graphs.mags == 38


def test_a_limit_holds() -> None:
    evidence = weft.oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])
    view = view_of(weft.solve(evidence, "iod", limit=10))
    assert (view.graphs.mags, view.graphs.complete) == (10, False)
    assert view.headline.startswith("At least 10 ")


def test_the_view_is_plain_data() -> None:
    for view in (samples.view("repaired"), view_of(samples.health(), patience=0)):
        text = json.dumps(view.document(), allow_nan=False)
        assert json.loads(text)["headline"] == view.headline
    assert [study.name for study in view.studies] == ["clinic", "registry"]
    assert [study.rows for study in view.studies] == [500, 500]
    assert [view.variables[v] for v in view.shared] == ["age", "cough"]
    assert view.bootstrap == (3, 3)
    assert len(view.pairs) == len(list(combinations(view.variables, 2)))


def test_no_name_ends_the_data(tmp_path: object) -> None:
    view = view_of(samples.nasty(), patience=1)
    assert "<" not in embedded(view)
    assert json.loads(embedded(view))["variables"] == list(view.variables)
    text = page(view)
    assert text.count("<script") == text.count("</script>") == 2
    assert "'unsafe" not in text.partition("</head>")[0].partition("<style>")[0]


def test_a_report_that_cannot_be_written_is_told(tmp_path: pytest.TempPathFactory) -> None:
    with pytest.raises(weft.WeftError, match="no such directory"):
        to_html(samples.view("contradiction"), f"{tmp_path}/nowhere/report.html")
