"""The command line: what it prints, where it prints it, and its exit codes.

Covers ``commands.py``, ``studies.py`` and ``interrupts.py``; discover, demo and progress are run in
``tests/end_to_end/``.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

import weft
from weft.cli import main
from weft.cli.studies import read_studies
from weft.errors import EvidenceError
from weft.graphs.mixed import Edge, Mark, MixedGraph
from weft.report.view import view_of
from weft.search.asp import AspSearch
from weft.search.consequences import Consequences
from weft.search.engine import OutOfTime
from weft.search.registry import ENGINES
from weft.solutions import solution_set
from weft.studies import Kind, Study

ROOT = Path(__file__).parents[3]
PROGRAM = [sys.executable, "-m", "weft"]
CHAIN = weft.oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])


def run(*arguments: str, stdin: str | None = None) -> Result:
    result = CliRunner().invoke(main, list(arguments), input=stdin, prog_name="weft")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def complaint(*arguments: str, stdin: str | None = None) -> str:
    """What a command says about bad input: one line on standard error, nothing on standard output, exit code 2."""
    result = run(*arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.fullmatch(r"weft: [^\n]+\n", result.stderr)
    return result.stderr.removeprefix("weft: ").strip()


def solved(evidence: Path, *options: str) -> dict[str, Any]:
    result = run("solve", str(evidence), "--format", "json", *options)
    assert result.exit_code in (0, 1)
    assert result.stderr == ""
    document: dict[str, Any] = json.loads(result.stdout)
    return document


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    """The evidence of X -> Y -> Z from the studies {X, Y} and {Y, Z}."""
    weft.dump_evidence(CHAIN, tmp_path / "chain.json")
    return tmp_path / "chain.json"


@pytest.fixture
def torn(tmp_path: Path) -> Path:
    """Evidence that contradicts itself: X causes Y, Y causes Z, Z causes X."""
    relations = [weft.Relation(x, y, frozenset({weft.Structure("->")})) for x, y in ("XY", "YZ", "ZX")]
    weft.dump_evidence(CHAIN.with_statements([*CHAIN.connected, *relations]), tmp_path / "torn.json")
    return tmp_path / "torn.json"


# -- the program itself ----------------------------------------------------------------------------------------------


def test_version() -> None:
    assert run("--version").stdout == f"weft {weft.__version__}\n"


@pytest.mark.parametrize("command", [[], *([name] for name in sorted(main.commands))], ids=" ".join)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_fits_a_terminal(command: list[str], option: str) -> None:
    result = run(*command, option)
    assert result.exit_code == 0
    assert result.stdout.startswith(" ".join(["Usage: weft", *command]))
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_a_command_called_by_itself_has_the_same_help_afterwards() -> None:
    program = """
from click.testing import CliRunner
from weft.cli import main
for name, command in main.commands.items():
    alone = CliRunner().invoke(command, ["--help"], prog_name=f"weft {name}")
    for option in ("-h", "--help"):
        found = CliRunner().invoke(main, [name, option], prog_name="weft")
        assert (found.exit_code, found.stdout, found.stderr) == (0, alone.stdout, ""), (name, option, found.output)
    print(name)
"""
    # In a process of its own: click remembers how a command was called first.
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (found.stderr, found.stdout.split()) == ("", [*main.commands])


@pytest.mark.parametrize("command", main.commands.values(), ids=main.commands)
def test_help_of_every_option_says_something(command: click.Command) -> None:
    for option in command.params:
        if isinstance(option, click.Option):
            sentence = (option.help or "").partition("  [default")[0]
            assert sentence.endswith("."), option.opts
            assert len(sentence.split()) >= 4, option.opts


def test_without_a_command_help_is_shown() -> None:
    assert run().stdout == run("--help").stdout
    assert run().exit_code == 0


def test_help_loads_no_more_than_it_shows() -> None:
    program = (
        "import sys; from click.testing import CliRunner; from weft.cli import main\n"
        "assert 'discover' in CliRunner().invoke(main, ['--help']).stdout\n"
        "print(*sys.modules, sep='\\n')"
    )
    loaded = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert {"click", "weft.settings"} <= {*loaded}
    heavy = {"numpy", "clingo", "tqdm", "weft.graphs", "weft.evidence", "weft.search", "weft.studies", "weft.reproduce"}
    assert heavy.isdisjoint(loaded)


# -- oracle ----------------------------------------------------------------------------------------------------------


def test_oracle_writes_to_standard_output_or_a_file(tmp_path: Path) -> None:
    arguments = ["oracle", "X -> Y; Y -> Z", "--study", "X,Y", "--study", "Y,Z"]
    printed, silent = run(*arguments), run(*arguments, "-o", str(tmp_path / "e.json"))
    assert (printed.exit_code, printed.stderr, silent.exit_code, silent.output) == (0, "", 0, "")
    assert printed.stdout == (tmp_path / "e.json").read_text()
    assert weft.load_evidence(tmp_path / "e.json") == CHAIN


def test_oracle_reads_the_graph_from_standard_input() -> None:
    arguments = ["--study", "X,Y", "--study", "Y,Z"]
    assert (
        run("oracle", "-", *arguments, stdin="X -> Y\nY -> Z\n").stdout == run("oracle", "X->Y->Z", *arguments).stdout
    )


@pytest.mark.parametrize(
    ("texts", "studies"),
    [
        (["X,Y", "Y,Z"], {"a": ["X", "Y"], "b": ["Y", "Z"]}),
        ([" X , Y "], {"a": ["X", "Y"]}),
        (["trial=X,Y", "Y,Z"], {"trial": ["X", "Y"], "a": ["Y", "Z"]}),
        (["X,Y", "a=Y,Z"], {"b": ["X", "Y"], "a": ["Y", "Z"]}),
        (["first trial = X,Y"], {"first trial": ["X", "Y"]}),
        ([r'"a, \"b\""=X,Y'], {'a, "b"': ["X", "Y"]}),
        (['"dose, mg",Y'], {"a": ["dose, mg", "Y"]}),
        (['"x=1",Y'], {"a": ["x=1", "Y"]}),
        ([r't="x=1","y \"2\""'], {"t": ["x=1", 'y "2"']}),
        (["X,y=2"], {"a": ["X", "y=2"]}),
    ],
)
def test_studies_are_read(texts: list[str], studies: dict[str, list[str]]) -> None:
    assert read_studies(texts) == studies


@pytest.mark.parametrize("texts", [["a=X,Y", "a=Y,Z"], ['X,"Y'], ['"X"Y,Z']])
def test_bad_studies_are_refused(texts: list[str]) -> None:
    with pytest.raises(EvidenceError):
        read_studies(texts)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["X -> Y", "--study", "X,Q"], "'Q' is not a variable of the graph"),
        (["X -> Y; Y -> Z; Z -> X", "--study", "X,Y,Z"], "cycle"),
        (["X -> Y; Z -> W", "--study", "X,Y", "--study", "Z,W"], "studies must overlap"),
        (["X -> Y", "--study", "X"], "fewer than two variables"),
        (["X -> Y", "--study", ""], "fewer than two variables"),
        (["X -> Y", "--study", "X,"], "empty"),
        (["X -> Y", "--study", "X,X"], "listed twice"),
        (["X -> Y", "--study", "=X,Y"], "name is empty"),
        (["X -> Y", "--study", "a=X,Y", "--study", "a=X,Y"], "two studies are called 'a'"),
        (["X -> Y"], "missing option '--study'"),
        (["X ->", "--study", "X,Y"], "second vertex"),
        (["X o-> Y", "--study", "X,Y"], "circles"),
        (["", "--study", "X,Y"], "'X' is not a variable of the graph"),
        (["X -> Y", "--study", "X,Y", "-o", "/there/is/no/such/folder.json"], "no such directory"),
        (["X -> Y", "--study", "X,Y", "-o", "/"], "directory"),
        (["X\udcff -> Y", "--study", "X,Y"], "not valid UTF-8"),
    ],
)
def test_oracle_refuses_bad_input(arguments: list[str], says: str) -> None:
    assert says in complaint("oracle", *arguments)


# -- solve: JSON -----------------------------------------------------------------------------------------------------


def test_json_says_everything(chain: Path) -> None:
    answer = solved(chain)
    claims = {one.pop("claim"): one for one in answer.pop("claims")}
    assert answer == {
        "format": "weft-solutions/3",
        "method": "causal-iod",
        "engine": "asp",
        "selection": False,
        "conflicts": "hard",
        "slack": 0.0,
        "assumed": [],
        "consistent": True,
        "mags": 1,
        "pags": 1,
        "complete": True,
        "fair": True,
        "drawn_from": None,
        "more_than": None,
        "worth": None,
        "certain": ["X -> Y", "Y -> Z"],
        "possible": ["X -> Y", "Y -> Z"],
        "settled": True,
        "repair": None,
        "conflict": None,
        "graphs": ["X -> Y; Y -> Z"],
    }
    assert len(claims) == 3 * 7
    assert {(one["holds"], one["confidence"]) for one in claims.values()} == {("all", 1.0)}, "each as it is stated"
    holding = {claim for claim in claims if " not " not in f" {claim} "}
    assert holding == {
        "X and Y are adjacent", "X -> Y", "X causes Y", "X causes Z", "Y and Z are adjacent", "Y -> Z", "Y causes Z",
    }  # fmt: skip
    proven = {"margin": None, "exact": True, "estimated": False, "drawn": None}
    beyond_doubt = {"holds": "all", "confidence": 1.0, "share": 1.0, "bootstrap": None} | proven
    assert claims["X -> Y"] == claims["not X -> Z"] == beyond_doubt


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("method", "options", "mags", "pags"),
    [
        ("iod", [], 38, 5),
        ("ion", [], 38, 5),
        ("iod", ["--selection"], 51, 5),
        ("iod-bcd", [], 6, 4),
        ("causal-iod", [], 1, 1),
        ("causal-iod", ["--selection"], 1, 1),
    ],
)
def test_engines_agree(chain: Path, engine: str, method: str, options: list[str], mags: int, pags: int) -> None:
    answer = solved(chain, "--engine", engine, "--method", method, *options)
    expected = weft.solve(CHAIN, method, selection=bool(options), engine="brute")
    assert (answer["mags"], answer["pags"], answer["complete"]) == (mags, pags, True)
    assert sorted(answer["graphs"]) == sorted(map(str, expected))
    edges = [set(graph.split("; ")) for graph in answer["graphs"]]
    isolated = {"X", "Y", "Z"}
    assert set(answer["certain"]) == set.intersection(*edges) - isolated
    assert set(answer["possible"]) == set.union(*edges) - isolated
    assert (answer["engine"], answer["method"], answer["selection"]) == (engine, method, bool(options))


def test_count_only_leaves_the_graphs_out(chain: Path) -> None:
    whole, counted = solved(chain, "--method", "iod"), solved(chain, "--method", "iod", "--count-only")
    assert len(whole.pop("graphs")) == 38
    assert whole == counted


@pytest.mark.parametrize(("limit", "complete"), [(1, False), (37, False), (38, True), (39, True)])
def test_limit(chain: Path, limit: int, complete: bool) -> None:
    answer = solved(chain, "--method", "iod", "--limit", str(limit))
    assert answer["mags"] == len(answer["graphs"]) == min(limit, 38)
    assert answer["complete"] is complete
    assert len(answer["possible"]) == 9  # what is possible is worked out for all solutions, not for those listed


def test_assumptions_narrow_the_answer(chain: Path) -> None:
    answer = solved(chain, "--method", "iod", "--assume", "X -> Y", "--assume", "not X causes Z")
    expected = weft.solve(CHAIN, "iod").assume("X -> Y", "not X causes Z")
    assert answer["assumed"] == ["X -> Y", "X does not cause Z"]
    assert sorted(answer["graphs"]) == sorted(map(str, expected))
    assert answer["certain"] == ["X -> Y"]


def test_a_conflict_is_named(torn: Path) -> None:
    result = run("solve", str(torn), "--format", "json")
    answer = json.loads(result.stdout)
    assert result.exit_code == 1
    assert [answer[key] for key in ("mags", "pags", "graphs", "certain", "possible")] == [0, 0, [], [], []]
    assert (answer["consistent"], answer["complete"]) == (False, True)
    assert answer["conflict"] == {
        "statements": [
            "the structure of (X, Y) is ->",
            "the structure of (X, Z) is <-",
            "the structure of (Y, Z) is ->",
        ],
        "minimal": True,
    }


def test_a_conflict_with_assumptions_names_them(chain: Path) -> None:
    result = run("solve", str(chain), "--format", "json", "--assume", "Z causes X")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["assumed"] == ["Z causes X"]


def test_names_survive(tmp_path: Path) -> None:
    names = ["dose, mg", "größe", 'a "b"']
    graph = MixedGraph.build(names, [Edge(names[0], Mark.TAIL, Mark.ARROW, names[1])])
    weft.dump_evidence(weft.oracle(graph, [names]), tmp_path / "e.json")
    (found,) = solved(tmp_path / "e.json")["graphs"]
    assert MixedGraph.parse(found) == graph


def test_a_result_file_says_what_the_screen_says(chain: Path, tmp_path: Path) -> None:
    result = tmp_path / "result.json"
    answer = solved_and_saved(chain, result)
    held = json.loads(result.read_text(encoding="utf-8"))["answer"]
    assert held.pop("structures")["mags"] == answer["mags"] == 38
    assert held == {key: answer[key] for key in held}
    assert run("explain", str(result), "X causes Z").stdout.startswith("It is open whether X causes Z.")


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_result_file_holds_as_many_as_the_screen_counts(
    chain: Path, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solution_set, "most_structures", lambda size: 7)
    result = tmp_path / "result.json"
    said = run("solve", str(chain), "--method", "iod", "--count-only", "--format", form, "-o", str(result)).stdout
    assert ("\n38 consistent structures" in said) if form == "text" else (json.loads(said)["mags"] == 38)
    held = json.loads(result.read_text(encoding="utf-8"))["answer"]
    assert (held["mags"], held["pags"], held["complete"]) == (38, 5, True)
    assert held["structures"]["mags"] == 38
    assert view_of(weft.load_result(result), patience=0).headline.startswith("38 consistent structures (MAGs)")


def solved_and_saved(evidence: Path, result: Path) -> dict[str, Any]:
    done = run("solve", str(evidence), "--method", "iod", "--format", "json", "-o", str(result))
    assert done.stderr == f"weft: the result is in {result}; weft explain, suggest, report and explore read it\n"
    document: dict[str, Any] = json.loads(done.stdout)
    return document


# -- solve: text -----------------------------------------------------------------------------------------------------


def test_text_is_half_a_screen(chain: Path) -> None:
    result = run("solve", str(chain), "--method", "iod")
    lines = result.stdout.splitlines()
    assert "38 consistent structures (MAGs) in 5 equivalence classes (PAGs)." in lines
    assert "  X, Z  no edge | X -> Z | X <- Z | X <-> Z" in lines
    assert lines[-7] == "The first 6"
    assert {MixedGraph.parse(line[5:]) for line in lines[-6:]} <= set(weft.solve(CHAIN, "iod"))
    assert len(lines) <= 25


def test_text_says_what_is_certain(chain: Path) -> None:
    lines = run("solve", str(chain)).stdout.splitlines()
    assert "1 consistent structure (MAG) in 1 equivalence class (PAG)." in lines
    assert "Edges in all    X -> Y; Y -> Z" in lines
    assert "Causes in all   X causes Y, Z; Y causes Z" in lines
    assert lines[-2:] == ["The structures", "  1  X -> Y; Y -> Z"]


def test_text_names_the_conflict(torn: Path) -> None:
    result = run("solve", str(torn))
    assert result.exit_code == 1
    assert "No structure is consistent with the evidence." in result.stdout.splitlines()
    assert "  - Z causes X, and they have no common cause" in result.stdout
    assert "Give up any one of them and the others can hold." in result.stdout
    assert result.stderr == ""


def test_text_says_when_it_stopped(chain: Path) -> None:
    text = run("solve", str(chain), "--method", "iod", "--limit", "10").stdout
    assert "\nAt least 10 consistent structures" in text


def test_text_counts_on_when_asked(chain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution_set, "most_structures", lambda size: 7)
    shown = run("solve", str(chain), "--method", "iod").stdout
    assert "\n38 consistent structures (MAGs); shares are of 9 drawn fairly.\n" in shown
    counted = run("solve", str(chain), "--method", "iod", "--count-only").stdout
    assert "\n38 consistent structures" in counted
    assert "The first" not in counted


def test_long_lists_are_cut(tmp_path: Path) -> None:
    names = [f"variable number {i}" for i in range(12)]
    studies = [names[:7], names[6:]]
    graph = MixedGraph.build(names, [Edge(x, Mark.TAIL, Mark.ARROW, y) for x, y in pairwise(names)])
    weft.dump_evidence(weft.oracle(graph, studies), tmp_path / "e.json")
    text = run("solve", str(tmp_path / "e.json"), "--limit", "50").stdout
    assert max(map(len, text.splitlines())) <= 80
    assert re.search(r"Causes in all .*and \d+ more", text, flags=re.DOTALL)


# -- limits of time and size -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["json", "text"])
def test_when_the_time_is_over_that_is_said(chain: Path, form: str) -> None:
    result = run("solve", str(chain), "--timeout", "1e-9", "--format", form)
    if form == "json":
        answer = json.loads(result.stdout)
        assert (answer["mags"], answer["complete"]) == (0, False)
        assert result.exit_code == {True: 0, None: 3}[answer["consistent"]]
    else:
        assert "the time ran out" in result.stdout
        assert result.exit_code in (0, 3)


def test_not_knowing_has_its_own_exit_code(chain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = Consequences({}, None)
    monkeypatch.setattr(AspSearch, "consequences", lambda *_: nothing)
    monkeypatch.setattr(AspSearch, "graphs", out_of_time)
    result = run("solve", str(chain))
    assert "Not known: the time ran out" in result.stdout
    assert result.exit_code == 3


def out_of_time(*_: object) -> Iterator[MixedGraph]:
    raise OutOfTime
    yield


def test_a_walk_that_finds_nothing_settles_it(chain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The time was too short for the summary, but not for the walk.
    monkeypatch.setattr(AspSearch, "consequences", lambda *_: Consequences({}, None))
    result = run("solve", str(chain), "--assume", "Z causes X", "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["conflict"]["minimal"] is True


def test_two_thousand_variables_get_one_clear_line(tmp_path: Path) -> None:
    names = [f"V{i:04}" for i in range(2000)]
    graph = "; ".join(f"{x} -> {y} <- {z}" for x, y, z in zip(names[::2], names[1::2], names[2::2], strict=False))
    studies = [option for i in range(0, 1999, 3) for option in ("--study", ",".join(names[i : i + 4]))]
    assert run("oracle", "-", *studies, "-o", str(tmp_path / "e.json"), stdin=f"{graph}; V1999").exit_code == 0
    assert "the problem is too large: 2,000 variables" in complaint("solve", str(tmp_path / "e.json"))


# -- solve: bad input ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--assume", "Q causes X"], "'Q' is not one of the variables X, Y, Z"),
        (["--assume", "X makes Y"], "is not a claim"),
        (["--assume", "X causes X"], "two different variables"),
        (["--limit", "-1"], "-1 is not in the range"),
        (["--limit", "0"], "0 is not in the range"),
        (["--limit", "many"], "'many' is not a whole number"),
        (["--timeout", "-3"], "-3.0 is not in the range"),
        (["--timeout", "0"], "0.0 is not in the range"),
        (["--timeout", "nan"], "nan is not a finite number"),
        (["--timeout", "inf"], "inf is not a finite number"),
        (["--method", "magic"], "'magic' is not one of 'iod'"),
        (["--engine", "steam"], "'steam' is not one of 'asp'"),
        (["--format", "xml"], "'xml' is not one of 'text'"),
        (["--formt", "json"], "'--format'"),
        (["again.json"], "unexpected extra argument"),
    ],
)
def test_solve_refuses_bad_options(chain: Path, options: list[str], says: str) -> None:
    assert says.lower() in complaint("solve", str(chain), *options).lower()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "the file is empty"),
        (b"\xff\xfe", "not UTF-8"),
        (b"{", "not JSON"),
        (b"[]", "expected an evidence file"),
        (b'{"format": "weft-solutions/1"}', "expected 'weft-evidence/2'"),
        (b'{"name": "left-pad", "version": "1.0.0"}', "not an evidence file"),
        (b'{"format": "weft-evidence/1", "studies": [{"name": "a", "variables": ["X", "Y"]}, '
         b'{"name": "b", "variables": ["V", "W"]}]}', "studies must overlap"),
        (b'{"format": "weft-evidence/1", "studies": [{"name": "a", "variables": ["X", "Y"], '
         b'"connected": [{"pair": ["X", "Q"]}]}]}', "studies[0].connected[0].pair: 'Q'"),
    ],
)  # fmt: skip
def test_solve_refuses_bad_files(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "e.json").write_bytes(content)
    assert says in complaint("solve", str(tmp_path / "e.json"))


def test_solve_refuses_what_cannot_be_opened(tmp_path: Path) -> None:
    assert "there is no such file" in complaint("solve", str(tmp_path / "none.json"))
    assert "directory" in complaint("solve", str(tmp_path))
    assert "standard input: the file is empty" in complaint("solve", "-", stdin="")
    assert "missing argument 'EVIDENCE'" in complaint("solve")


def test_brute_refuses_eight_variables(tmp_path: Path) -> None:
    run("simulate", "--variables", "8", "-o", str(tmp_path / "e.json"))
    assert "takes up to 5 variables and there are 8" in complaint(
        "solve", str(tmp_path / "e.json"), "--engine", "brute"
    )


def test_unknown_commands_and_options() -> None:
    assert complaint("slove") == "no such command 'slove' (see 'weft --help')" or "solve" in complaint("slove")
    assert complaint("--loud") == "no such option '--loud' (see 'weft --help')"


def test_a_very_long_complaint_stays_readable(chain: Path) -> None:
    assert len(complaint("solve", str(chain), "--assume", "x" * 5000)) < 600


# -- simulate --------------------------------------------------------------------------------------------------------


def test_simulate_writes_graph_and_evidence(tmp_path: Path) -> None:
    options = ["simulate", "--variables", "7", "--studies", "3", "--overlap", "2", "--latent", "1", "--seed", "4"]
    piped = run(*options)
    filed = run(*options, "-o", str(tmp_path / "e.json"))
    both = run(*options, "-o", str(tmp_path / "f.json"), "--graph", str(tmp_path / "g.txt"))
    assert (piped.exit_code, filed.exit_code, both.exit_code, filed.stderr, both.output) == (0, 0, 0, "", "")
    graph = MixedGraph.parse((tmp_path / "g.txt").read_text())
    assert filed.stdout == f"{graph}\n"
    assert piped.stderr == f"weft: the graph is {graph}\n"
    assert piped.stdout == (tmp_path / "e.json").read_text() == (tmp_path / "f.json").read_text()
    evidence = weft.load_evidence(tmp_path / "e.json")
    assert evidence == weft.oracle(graph, [study.variables for study in evidence.studies])
    assert (len(evidence.variables), len(evidence.studies)) == (7, 3)
    assert len(set.intersection(*(set(study.variables) for study in evidence.studies))) == 2
    assert sum(edge.symbol == "<->" for edge in graph.edges()) == round(7 * 1 / 2)


def test_simulate_obeys_its_seed() -> None:
    assert run("simulate", "--seed", "5").output == run("simulate", "--seed", "5").output
    assert run("simulate", "--seed", "5").stderr != run("simulate", "--seed", "6").stderr


def test_simulate_writes_tables_of_levels(tmp_path: Path) -> None:
    assert run("simulate", "--way", "discrete", "--tables", str(tmp_path), "--rows", "300").exit_code == 0
    first = Study.read(tmp_path / "study1.csv")
    assert first.rows == 300
    assert {column.kind for column in first.columns} <= {Kind.CATEGORICAL, Kind.BINARY}


def test_simulate_with_two_variables() -> None:
    assert run("simulate", "--variables", "2").exit_code == 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--variables", "1"], "1 is not in the range"),
        (["--variables", "4", "--degree", "3.5"], "--degree 3.5 is too much"),
        (["--variables", "4", "--latent", "9"], "--latent 9 is too much"),
        (["--degree", "nan"], "not a finite number"),
        (["--overlap", "0"], "overlap"),
        (["--overlap", "7"], "share fewer"),
        (["--studies", "9", "--overlap", "1"], "fewer studies"),
        (["--seed", "-1"], "-1 is not in the range"),
        (["--graph", "/there/is/no/such/folder/g.txt", "-o", "/dev/null"], "/there/is/no/such/folder/g.txt"),
    ],
)
def test_simulate_refuses_bad_input(options: list[str], says: str) -> None:
    assert says in complaint("simulate", *options)


def test_large_studies_are_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weft, "oracle", lambda graph, studies: CHAIN)
    assert "a study of 400 variables has 79,800 pairs" in run("simulate", "--variables", "400", "--studies", "1").stderr


# -- as a program ----------------------------------------------------------------------------------------------------


def test_a_pipeline() -> None:
    drawn = subprocess.run([*PROGRAM, "simulate", "--variables", "5"], check=True, capture_output=True)
    solved = subprocess.run(
        [*PROGRAM, "solve", "-", "--format", "json"], input=drawn.stdout, check=True, capture_output=True
    )
    truth = drawn.stderr.decode().removeprefix("weft: the graph is ").strip()
    assert truth in json.loads(solved.stdout)["graphs"]
    assert solved.stderr == b""


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """Evidence with more structures than anyone will ever list."""
    names = [f"V{i}" for i in range(12)]
    weft.dump_evidence(weft.oracle("; ".join(names), [names[i : i + 2] for i in range(11)]), tmp_path / "e.json")
    return tmp_path / "e.json"


def started(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def read_until_graphs(program: subprocess.Popen[bytes]) -> None:
    assert program.stdout is not None
    for line in program.stdout:
        if b'"graphs"' in line:
            return


def test_a_reader_that_goes_away_is_no_error(endless: Path) -> None:
    with started("solve", str(endless), "--method", "iod", "--format", "json", "--limit", "20000") as program:
        read_until_graphs(program)
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.close()
        assert program.stderr.read() == b""
    assert program.returncode == 141


def test_a_result_is_written_though_the_reader_goes_away(chain: Path, tmp_path: Path) -> None:
    result = tmp_path / "result.json"
    unread, written = os.pipe()
    os.close(unread)
    done = subprocess.run(
        [*PROGRAM, "solve", str(chain), "-o", str(result)], stdout=written, stderr=subprocess.PIPE, check=False
    )
    os.close(written)
    assert (done.returncode, done.stderr) == (141, b"")
    assert weft.load_result(result).count() == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
def test_ctrl_c_ends_in_one_line(endless: Path) -> None:
    with started("solve", str(endless), "--method", "iod", "--format", "json", "--limit", "20000") as program:
        read_until_graphs(program)
        program.send_signal(signal.SIGINT)
        _, errors = program.communicate()
    assert (program.returncode, errors) == (130, b"weft: interrupted\n")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
def test_ctrl_c_is_heard_while_the_solver_works() -> None:
    program = """
import clingo, threading
from weft.cli.interrupts import heard_at_once
control = clingo.Control()
control.add("base", [], "p(1..20000). q :- p(X), p(Y), p(Z), X + Y + Z < 0.")
with heard_at_once(lambda number: None):
    threading.Timer(0.5, lambda: print("ready", flush=True)).start()
    control.ground([("base", [])])  # for hours
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"ready\n"
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 130
