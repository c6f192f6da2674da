"""Tables of claims and pairs, read back with a reader of their own."""

from __future__ import annotations

import csv
import io

import pytest
from click.testing import CliRunner

import weft
from weft.cli.commands import main
from weft.report.as_csv import claims_csv, pairs_csv
from weft.solutions.findings import Summary


def summary(selection: bool = False) -> Summary:
    graph = weft.MixedGraph.parse("X -> Y; Y <-> Z")
    return weft.solve(weft.oracle(graph, [["X", "Y"], ["Y", "Z"]]), "iod", selection=selection).summary(margins=True)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("selection", [False, True])
def test_every_cell_of_a_pair_is_a_finding(selection: bool) -> None:
    found = summary(selection)
    rows = rows_of(pairs_csv(found))
    assert [(row["first"], row["second"]) for row in rows] == list(found.pairs)
    claims = {
        "edge": "{x} and {y} are adjacent",
        "first_to_second": "{x} -> {y}",
        "second_to_first": "{y} -> {x}",
        "both_ways": "{x} <-> {y}",
        "first_causes_second": "{x} causes {y}",
        "second_causes_first": "{y} causes {x}",
        "confounded": "{x} and {y} are confounded",
    } | ({"undirected": "{x} -- {y}"} if selection else {})
    for row in rows:
        assert set(row) == {"first", "second", *claims, *(f"{name}_confidence" for name in claims)}
        for name, words in claims.items():
            one = found.finding(words.format(x=row["first"], y=row["second"]))
            assert row[name] == str(one.holds)
            assert row[f"{name}_confidence"] == ("" if one.confidence is None else str(one.confidence))


def test_claims_keep_their_order() -> None:
    found = summary()
    assert [row["claim"] for row in rows_of(claims_csv(found.claims))] == [str(one.claim) for one in found.claims]


@pytest.mark.parametrize(
    ("options", "why"),
    [(["--pairs"], "add --format csv"), (["--pairs", "--format", "csv", "--least", "0.9"], "leave out --least")],
)
def test_pairs_refuses_what_does_not_fit(options: list[str], why: str) -> None:
    ran = CliRunner().invoke(main, ["claims", "result.json", *options])
    assert ran.exit_code == 2
    assert why in ran.output
