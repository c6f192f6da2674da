"""What the experiments tell of their results: from results written by hand, so that every case is there."""

from __future__ import annotations

from typing import Any

import pytest

from weft.reproduce import overlap, protein, sample_size
from weft.reproduce.figures import Share, Spread
from weft.reproduce.outcome import NotFinished, Outcome, Partial, Score
from weft.reproduce.registry import EXPERIMENTS
from weft.reproduce.runner import Context, Size
from weft.reproduce.sections import Plot, Section, Table, Text, text_lines
from weft.reproduce.units import Done, Unit

METHODS = ("iod", "iod-bcd", "causal-iod")


def answer(method: str, mags: int, *truths: str, precision: float = 0.5, cost: float = 0.0) -> dict[str, Any]:
    scores = tuple(Score(truth, precision, precision / 2, True) for truth in truths or ("truth",))
    given_up = ("something",) if cost else ()
    return Outcome(method, mags, 2, scores, 0.1, cost, True, given_up).document()


def late(method: str, *truths: str) -> dict[str, Any]:
    scores = tuple(Score(truth, Partial(0.25, 70), NotFinished(9), False) for truth in truths or ("truth",))
    return Outcome(method, NotFinished(9, 700), NotFinished(9, 7), scores, 9.0, 2.5, False, ("this", "that")).document()


def texts(section: Section) -> str:
    return "\n".join(block.text for block in section.blocks if isinstance(block, Text))


def tables(section: Section) -> list[Table]:
    return [block for block in section.blocks if isinstance(block, Table)]


def test_overlap() -> None:
    def done(shared: int, graph: int, edges: int, found: list[dict[str, Any]]) -> Done:
        unit = Unit("overlap", f"{shared}-{graph}", {"overlap": shared, "graph": graph})
        return Done(unit, {"edges": edges, "outcomes": found}, 1.0)

    small, large = [answer(one, 10) for one in METHODS], [answer(one, 90, precision=0.9) for one in METHODS]
    runs = [done(shared, 0, 3, small) for shared in overlap.OVERLAPS]
    runs += [done(shared, 1, 8, [late("iod"), *large[1:]] if shared == 2 else large) for shared in overlap.OVERLAPS]
    section = overlap.section(runs)
    mags = [row.mags for row in section.rows]
    assert [one.mean for one in mags if isinstance(one, Spread)] == [355.0, *[50.0] * 8]
    assert isinstance(mags[0], Spread)
    assert mags[0].bounded
    assert section.rows[0].truth_found == Share(1, 2)
    assert section.rows[0].repaired == Share(1, 2)
    assert not section.rows[0].proven
    assert "90 % with 3 shared" in texts(section)
    assert "1.00 with 4 shared" in texts(section)
    assert "0 of 1 graphs reach the paper's mean of 0.73 with 2 shared" in texts(section)
    assert "1 of 2 graphs reach the paper's mean of 0.76 with 3 shared" in texts(section)
    assert tables(section)[1].rows[1] == ("8", "1", "at least 700", "90 (0.90, 0.45)", "90 (0.90, 0.45)")
    (plot,) = (block for block in section.blocks if isinstance(block, Plot))
    assert [len(series.x) for series in plot.series] == [1, 2, 2]


def test_sample_size() -> None:
    perfect = Done(Unit("sample-size", "oracle", {}), {"outcomes": [answer(one, 275) for one in METHODS]}, 1.0)
    directions = {"right": 5, "wrong": 1, "pairs": 8}
    learned = [
        Done(
            Unit("sample-size", f"{rows}-{number}", {"rows": rows}),
            {way: [answer(one, number + 1, cost=float(number)) for one in METHODS[1:]] for way in sample_size.WAYS}
            | {f"{way} directions": directions for way in sample_size.WAYS},
            1.0,
        )
        for rows in sample_size.ROWS
        for number in range(2)
    ]
    section = sample_size.section([perfect, *learned])
    assert len(section.rows) == 3 + 2 * 5 * 2
    causal = [row for row in section.rows if row.method == "Causal IOD" and row.condition.startswith("200 rows")]
    assert [row.paper.mags for row in causal if row.paper] == [2, 2]
    assert all(row.repaired == Share(1, 2) for row in causal)
    assert tables(section)[0].rows[0][1:] == ("200", "10 of 16", "2 of 16", "4")
    assert "only 4, 8, 12, 16" in texts(section)


@pytest.mark.parametrize("proven", [True, False])
def test_protein(proven: bool) -> None:
    truths = tuple(truth.name for truth in protein.TRUTHS)
    settings = {"rows": 7466, "max_given": 2}
    tests = {"connected": 60, "apart": 4, "undecided": 26}
    counts = {"edges": 18, "connected": 14, "apart": 1, "others connected": 20}
    result = {
        "independence": [late("iod", *truths)],
        "kcdc": [late("iod-bcd", *truths), answer("causal-iod", 3, *truths, cost=1.5)],
        "default": [answer(one, 5, *truths) for one in METHODS[1:]],
        "tests": tests | dict.fromkeys(truths, counts),
        "directions": {way: {name: {"right": 9, "wrong": 2} for name in truths} for way in ("kcdc", "default")},
    }
    undecided = {"apart": 26, "connected": 0}
    decided = {"statements": 90, "undecided": undecided, "least": 8.0, "proven": proven, "given up": ["a"] * 10}
    section = protein.section(
        [
            Done(Unit("protein", "answers", settings), result, 1.0),
            Done(Unit("protein", "decided", settings), decided, 1.0),
        ]
    )
    assert [row.mags for row in section.rows[-3:]] == [3, 5, 5]
    assert section.rows[0].mags == NotFinished(9, 700)
    assert len(tables(section)[0].rows) == 5 * 3
    assert tables(section)[1].rows[0] == ("18 edges", "14 of 18", "1", "20", "9, 2", "9, 2")
    assert "10 must be given up" in texts(section)
    assert ("at least 8" in texts(section)) is not proven
    assert "*Given up* by Causal IOD" in texts(section)


@pytest.mark.parametrize("name", ["synthetic1", "synthetic2"])
def test_synthetic(name: str) -> None:
    """From a real unit with perfect tests, and one from data written by hand."""
    experiment = EXPERIMENTS[name]
    perfect, first, *_ = experiment.units(Size(quick=True))
    edges = {"synthetic1": ["x -> y", "y -> z"], "synthetic2": ["s -> v", "w -> v", "z -> w", "y -> x", "y -> z"]}[name]
    data = {
        "independence": [answer("iod", 38)],
        "kcdc": [answer("iod-bcd", 6), answer("causal-iod", 1, cost=2.0)],
        "default": [answer("iod-bcd", 6), answer("causal-iod", 1)],
        "wrong": ["x and y are separated in study 'a'"],
        "undecided": ["x and z in study 'a'"],
        "directions": {
            "lambdas": {"0.001": dict.fromkeys(edges, False), "1": dict.fromkeys(edges, True)},
            "default": dict.fromkeys(edges, None),
            "kcdc": dict.fromkeys(edges, True),
        },
    }
    done = Done(perfect, experiment.measure(perfect, Context()), 1.0)
    section = experiment.section([done, Done(first, data, 1.0)])
    assert len(section.rows) == 3 + 5
    assert "best of these lambdas, 1, is right on its worst relation in 1 of 1" in texts(section)
    assert "these are not: x and y are separated" in texts(section)
    wanted = "gives 63 graphs" if name == "synthetic1" else "12 of 12 pass"
    assert wanted in texts(section)


def test_the_table_fits_a_terminal_of_80_columns() -> None:
    runs = [
        Done(
            Unit("overlap", f"{shared}-{graph}", {"overlap": shared, "graph": graph}),
            {"edges": 9, "outcomes": [late("iod"), *(answer(one, 98_765, cost=1.5) for one in METHODS[1:])]},
            1.0,
        )
        for shared in overlap.OVERLAPS
        for graph in range(2)
    ]
    told = list(text_lines(overlap.section(runs).rows))
    assert max(map(len, told)) <= 80
    rows = [line.split() for line in told]
    assert ["IOD", ">=700.0", "(650.5)", ">=7.0", "?", "(0.73)", "?", "(0.84)", "0/2", "9.0"] in rows
    assert told.count("  something had to be given up: 2 of 2, not proven least") == 3
    assert sum("IOD+BCD" in line and "98,765 " in line for line in told) == 3
