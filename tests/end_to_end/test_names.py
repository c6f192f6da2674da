"""Odd names of variables, studies and files, from the header of a CSV file to every answer."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import Result

import weft
from tests.end_to_end.running import columns_of, content, discover, drawn, run, write_csv
from weft import SolutionSet
from weft.reading.names import quote, quoted

TRIPLES = [
    ("blood pressure", "dose, mg", "tab\there"),
    ("größe", "年齢", "🙂 mood"),
    ('say "yes"', "it's", "back\\slash"),
    ("<script>alert(1)</script>", "&amp;", "{{x}}"),
    ("two\nlines", "three\r\nlines", "a;b"),
    ("->", "<->", "--"),
    ("causes", "no edge", "not X"),
    ("not", "and", "are"),
    ("confounded", "adjacent", "does"),
    ("X causes Y", "X -> Y", "not X causes Y"),
    ("o-o", "nothing", "edge"),
    ("null", "True", "1e5x"),
    ("a" * 10_000, "a" * 9_999 + "b", "b" * 10_000),
    ("e\u0301", "\u00e9", "a\u2028b"),
    ("-", "x-", "-x"),
    ("%s", "$HOME", "`id`"),
]


def made(folder: Path, names: tuple[str, str, str]) -> tuple[Path, Result]:
    """The result for the chain x -> y -> z under these names."""
    x, y, z = names
    one, two = map(columns_of, drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z"))))
    files = [
        write_csv(folder / "one.csv", {x: one["X"], y: one["Y"]}),
        write_csv(folder / "two.csv", {y: two["Y"], z: two["Z"]}),
    ]
    knowledge = folder / "k.json"
    known = {"not_causes": [[z, y]], "weighted": [{"statement": f"{quote(z)} causes {quote(y)}", "weight": 0.1}]}
    knowledge.write_text(json.dumps(known), encoding="utf-8")
    result = discover(*files, "--method", "causal-iod", "--knowledge", knowledge, "-o", folder / "r.json")
    assert result.exit_code == 0
    return folder / "r.json", result


def counts(solutions: SolutionSet, names: tuple[str, str, str]) -> dict[str, int]:
    """How many solutions there are under claims, which name x, y and z by these names."""
    claims = (
        "{0} -> {1}", "not {0} -> {2}", "{1} o-> {2}", "{1} causes {0}", "{0} does not cause {2}", "not {0} causes {1}",
        "{0} and {2} are adjacent", "{0} and {2} are not adjacent", "not {0} and {1} are confounded",
    )  # fmt: skip
    return {claim: solutions.assume(claim.format(*map(quote, names))).exact_count() for claim in claims}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    names = ("X", "Y", "Z")
    path, _ = made(tmp_path_factory.mktemp("plain"), names)
    return counts(weft.load_result(path), names)


@pytest.mark.parametrize("names", TRIPLES, ids=lambda names: ascii(names[0])[:20])
def test_names_of_variables(tmp_path: Path, names: tuple[str, str, str], plain: dict[str, int]) -> None:
    """The same tables under other names have the same answer under these names."""
    path, result = made(tmp_path, names)
    loaded = weft.load_result(path)
    assert set(loaded.evidence.variables) == set(names)
    assert counts(loaded, names) == plain
    assert len(set(plain.values())) > 2
    x, y, z = map(quote, names)
    assert set(loaded.summary().certain) == {str(weft.MixedGraph.parse(f"{a} -> {b}")) for a, b in ((x, y), (y, z))}
    repair = loaded.repair()
    assert repair is not None
    assert [{one.x, one.y} for one in repair.given_up] == [{names[1], names[2]}]
    for mag in loaded:
        assert weft.MixedGraph.parse(str(mag)) == mag
    assert content(path)["answer"]["graphs"] == [str(mag) for mag in loaded]
    narrower = loaded.assume(f"not {x} and {z} are adjacent")
    narrower.save(tmp_path / "narrower.json")
    assert set(weft.load_result(tmp_path / "narrower.json")) == set(narrower)
    if max(map(len, names)) < 100:
        flat = " ".join(result.stdout.split())
        for edge in (f"{x} -> {y}", f"{y} -> {z}"):
            assert " ".join(edge.split()) in flat


def test_names_of_files_and_studies(tmp_path: Path) -> None:
    one, two = map(columns_of, drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z"))))
    first = write_csv(tmp_path / "étude numéro 1.csv", one)
    second = write_csv(tmp_path / "b <b>2</b>.csv".replace("/", "_"), two)
    output = tmp_path / "das Ergebnis, 結果.json"
    result = discover(first, f"the 'other' one={second}", "-o", output, "--method", "iod")
    assert result.exit_code == 0
    assert "étude numéro 1" in result.stdout
    assert f"the result is in {output}" in result.stderr
    loaded = weft.load_result(output)
    assert [study.name for study in loaded.evidence.studies] == ["étude numéro 1", "the 'other' one"]
    assert loaded.count() == 38


def test_a_name_of_ten_thousand_characters_is_cut_in_messages(tmp_path: Path) -> None:
    name = "v" * 10_000
    one, two = map(columns_of, drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z")), rows=50))
    files = [
        write_csv(tmp_path / "one.csv", {name: [float("nan")] * 50, "Y": one["Y"]}),
        write_csv(tmp_path / "two.csv", two),
    ]
    result = discover(*files)
    assert result.exit_code == 2
    assert len(result.stderr) < 600
    (tmp_path / "k.toml").write_text(f'statements = ["{name} causes Y"]', encoding="utf-8")
    write_csv(tmp_path / "one.csv", one)
    unknown = discover(*files, "--knowledge", tmp_path / "k.toml")
    assert unknown.exit_code == 2
    assert "there is no variable" in unknown.stderr
    assert unknown.stderr.count("\n") == 1
    assert len(unknown.stderr) < 600


def test_what_a_wrong_claim_names(tmp_path: Path) -> None:
    one, two = map(columns_of, drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z")), rows=50))
    files = [write_csv(tmp_path / "one.csv", one), write_csv(tmp_path / "two.csv", two)]
    assert run("discover", *files, "--test", "fisher-z", "--method", "iod", "-o", tmp_path / "r.json").exit_code == 0
    loaded = weft.load_result(tmp_path / "r.json")
    with pytest.raises(weft.WeftError, match="'Q' is not one of the variables"):
        loaded.assume('"Q" causes X')
    with pytest.raises(weft.WeftError, match="is not a claim"):
        loaded.assume("X causes")


ESCAPES = ("red\x1b[31mname", "bell\x07 c1\x9b31m", "title\x1b]0;x\x07")


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    path, result = made(tmp_path, ESCAPES)
    x, y, _ = map(quote, ESCAPES)
    printed = [
        result,
        run("explain", path, f"{x} causes {y}"),
        run("suggest", path),
        run("orient", tmp_path / "one.csv", ESCAPES[0], ESCAPES[1], "--method", "lingam"),
        run("discover", tmp_path / "one.csv", tmp_path / "esc\x1b[1m.csv"),
        run("discover", tmp_path / "one.csv", tmp_path / "two.csv", "--drop", "\x1b[1m"),
    ]
    assert [one.exit_code for one in printed] == [0, 0, 0, 0, 2, 2]
    for one in printed:
        assert (one.stdout + one.stderr).replace("\n", "").isprintable()


def test_the_way_out_is_worded_as_options_that_work(tmp_path: Path) -> None:
    one, two = map(columns_of, drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z")), rows=60))
    odd, quick = "it's [1] = <2>", ("--test", "fisher-z", "--no-cache", "-o", tmp_path / "e.json")
    files = [
        write_csv(tmp_path / "one.csv", one | {odd: [float("nan")] * 60}),
        write_csv(tmp_path / "two.csv", two),
    ]
    refused = discover(*files)
    assert refused.exit_code == 2
    assert f"leave the column out with --drop {shlex.quote(odd)}" in refused.stderr
    options = shlex.split(refused.stderr[refused.stderr.index("--drop") :])
    assert run("evidence", *files, *options, *quick).exit_code == 0
    levels = ["<10", "10=20", "over 20"]
    write_csv(files[0], one | {odd: [float(i % 3) for i in range(60)]})
    text = files[0].read_text(encoding="utf-8")
    for code, level in enumerate(levels):
        text = text.replace(f",{float(code)}\n", f',"{level}"\n').replace(f",{code}\n", f',"{level}"\n')
    files[0].write_text(text, encoding="utf-8")
    refused = run("evidence", *files, "--kind", f"{quoted(odd)}=ordinal")
    assert "say it, from low to high: --kind" in refused.stderr
    options = shlex.split(refused.stderr[refused.stderr.index("--kind") :])
    assert run("evidence", *files, *options, *quick).exit_code == 0
