"""The tables of the page, from made-up outcomes."""

from __future__ import annotations

import pytest

from benchmarks.networks import PAGE, goal_reached, rows_of
from benchmarks.overlapping import Case, Judged
from benchmarks.page import Total, figures, list_of_tools, table, totals, with_part
from benchmarks.runs import FAILED, FINISHED, TOO_LONG, Outcome


def claims(right: int, wrong: int, confidence: float | None, causes: bool = True) -> tuple[Judged, ...]:
    return tuple(Judged(f"X{i}", "Y", causes, confidence, i < right) for i in range(right + wrong))


def outcome(tool: str, *said: Judged, seed: int = 0, seconds: float = 2.0, memory: float = 100.0) -> Outcome:
    case = Case("alarm", 2, 1000, seed)
    return Outcome(tool, case, FINISHED, "", said, 1332, 223, seconds, seconds, memory)


WEFT = (
    outcome("weft_all", *claims(8, 1, 0.97), *claims(4, 2, 0.92), *claims(2, 1, 0.8), *claims(0, 3, 0.6)),
    outcome("weft_all", *claims(1, 0, 0.97), *claims(5, 0, 0.99, causes=False), seed=1, seconds=40, memory=900),
)
FCI = (
    outcome("fci_alone", *claims(7, 2, None), *claims(20, 10, None, causes=False)),
    Outcome("fci_alone", Case("alarm", 2, 1000, 1), TOO_LONG, seconds=300),
)


def test_the_table_counts_right_and_wrong_at_each_confidence() -> None:
    *_, weft, fci = table([*FCI, *WEFT])
    causes, denied = "9 / 1 | 13 / 3 | 15 / 4 | 15 / 7", "5 / 0 | 5 / 0 | 5 / 0 | 5 / 0"
    assert weft == f"| weft | 1,000 | 2 of 2 | {causes} | {denied} | 2.0, 40 | 900 |"
    assert fci == (
        "| FCI, each study alone | 1,000 | 1 of 2 (1 too long) "
        "| — | — | — | 7 / 2 | — | — | — | 20 / 10 | 2.0, > 300 | 100 |"
    )


def test_the_surest_claims_are_as_few_as_hold_so_many_right_ones() -> None:
    total = Total("weft_all", WEFT)
    assert total.surest(9) == (9, 1)  # all that are as sure as the last are taken
    assert total.surest(10) == (13, 3)
    assert total.surest(15) == (15, 4)
    assert total.surest(16) is None


def test_the_figures_compare_as_many_right_causes_with_the_rival() -> None:
    text = figures([*WEFT, *FCI], 300, quick=False)
    said = "1,000 rows, FCI, each study alone: 7 right causes, 2 wrong. Of weft's surest, 9 right, 1 wrong."
    assert text.count(said) == 2  # of all tables of levels, and of the network
    few = outcome("weft_all", *claims(2, 0, 0.97))
    assert "7 right causes, 2 wrong. weft has fewer right ones." in figures([few, *FCI], 300, quick=False)


def test_every_line_of_a_table_has_as_many_cells() -> None:
    lines = list(table([*WEFT, *FCI]))
    assert {line.count("|") for line in lines} == {14}


def test_the_figures_say_how_much_there_is_to_find_and_what_failed() -> None:
    failed = Outcome("fci_joined", Case("linear", 2, 1000, 0), FAILED, "ValueError: no")
    text = figures([*WEFT, *FCI, failed], 300, quick=False)
    assert "2 cases with 1,000 rows: 2,664 ordered pairs, 446 of them cause and effect." in text
    assert "- FCI, joined, test by test failed (linear, 2 studies, 1000 rows, seed 0): ValueError: no" in text
    assert text.count("### ") == 4  # levels, numbers, alarm, linear
    assert "--quick" not in text
    assert "--quick" in figures(WEFT, 60, quick=True)


def test_a_part_of_the_page_is_replaced_and_nothing_else() -> None:
    page = "a\n<!-- figures: begin -->\nold\n<!-- figures: end -->\nb\n"
    new = with_part(page, "figures", r"new \1")
    assert new == "a\n<!-- figures: begin -->\n\nnew \\1\n\n<!-- figures: end -->\nb\n"
    assert with_part(new, "figures", r"new \1") == new
    with pytest.raises(ValueError, match="one is needed"):
        with_part(page, "tools", "")


def test_the_page_describes_every_tool() -> None:
    page = PAGE.read_text("utf-8")
    assert with_part(page, "tools", list_of_tools()) == page
    assert "<!-- figures: begin -->" in page


@pytest.mark.parametrize(
    ("change", "reached"),
    [
        ({}, True),
        ({"seconds": 301.0}, False),
        ({"memory": 2100.0}, False),
        ({"said": claims(9, 1, 0.97)}, False),  # more than 5 % wrong
        ({"said": claims(6, 0, 0.97)}, False),  # fewer than the rival
        ({"said": (*claims(7, 0, 0.97), *claims(0, 9, 0.9))}, True),  # what is less sure does not count
    ],
)
def test_the_goal_of_large_networks(change: dict[str, object], reached: bool) -> None:
    said = change.pop("said", claims(7, 0, 0.97))
    assert isinstance(said, tuple)
    (own,) = totals([outcome("weft_all", *said, **change)])  # type: ignore[arg-type]
    (rival,) = totals(FCI)
    assert goal_reached(own, rival) is reached


def test_a_run_that_did_not_finish_misses_the_goal() -> None:
    stopped = Outcome("weft_all", Case("alarm", 2, 1000, 0), TOO_LONG, seconds=300)
    own = Total("weft_all", (stopped, outcome("weft_all", *claims(70, 0, 0.97), seed=1)))
    assert goal_reached(own, Total("fci_alone", FCI)) is False


def test_the_screen_shows_the_same_counts() -> None:
    shown = {row.what.strip(): row for row in rows_of("alarm", 1000, totals([*WEFT, *FCI]))}
    assert (shown["weft"].median, shown["weft"].goal, shown["weft"].reached) == ("9 / 1", ">= 7", False)
    assert (shown["FCI, each study alone"].median, shown["FCI, each study alone"].reached) == ("7 / 2", None)
