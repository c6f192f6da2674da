"""``weft convert``: what it reads and writes, and what it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from weft.cli.convert import EXAMPLES, convert
from weft.cli.failures import Commands
from weft.formats import FORMATS, read_graph
from weft.graphs.mixed import MixedGraph

WEFT = Commands("weft", commands=[convert])


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(WEFT, ["convert", *arguments], input=stdin, prog_name="weft")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def complaint(*arguments: str, stdin: str | None = None) -> str:
    """What it says about bad input: one line on standard error, nothing on standard output, exit code 2."""
    result = run(*arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("weft: ").strip()


def test_its_lists_are_the_library_s() -> None:
    offered = {one.name: one.type for one in convert.params}
    assert isinstance(offered["read_as"], click.Choice)
    assert isinstance(offered["write_as"], click.Choice)
    assert {*offered["read_as"].choices} == {name for name, format in FORMATS.items() if format.read is not None}
    assert {*offered["write_as"].choices} == {name for name, format in FORMATS.items() if format.write is not None}
    for format in FORMATS.values():
        line = next(line for line in EXAMPLES.splitlines() if line.startswith(f"  {format.name} "))
        assert ("written only" in line) == (format.read is None)
        assert all(suffix in line for suffix in format.suffixes if suffix != ".txt")


def test_help_lists_the_formats() -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert all(f"\n  {name} " in result.stdout or f"\n    {name} " in result.stdout for name in FORMATS)


def test_files(tmp_path: Path) -> None:
    (tmp_path / "g.weft").write_text("X o-> Y; X <-> Z; W\n")
    for name in ("g.csv", "g.dagitty"):
        result = run(str(tmp_path / "g.weft"), str(tmp_path / name))
        assert (result.exit_code, result.output) == (0, "")
        assert read_graph(tmp_path / name) == MixedGraph.parse("X o-> Y; X <-> Z; W")


def test_standard_input_and_output() -> None:
    assert run("-", "-", stdin="dag { a -> b; é }").stdout == "a -> b; é\n"
    assert run("-", "-", "--to", "edges", stdin="X -> Y; X <-> Y").stdout == "from,edge,to\nX,-->,Y\nX,<->,Y\n"
    assert run("-", "-", "--from", "causal-learn", stdin=",X,Y\nX,0,-1\nY,1,0\n").stdout == "X -> Y\n"
    assert run("-", "-", "--from", "pcalg", stdin=",X,Y\nX,0,2\nY,3,0\n").stdout == "X -> Y\n"


def test_parquet_goes_through_pipes() -> None:
    pytest.importorskip("pyarrow")
    written = run("-", "-", "--to", "parquet", stdin="X -> Y; X <-> Y; Z")
    assert run("-", "-", stdin=written.stdout_bytes).stdout == "X -> Y; X <-> Y; Z\n"


def test_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(",X,Y\nX,0,2\nY,3,0\n")
    (tmp_path / "admg.weft").write_text("X -> Y; X <-> Y\n")
    target = str(tmp_path / "out.csv")
    assert "m.csv: line 1: expected a header" in complaint(str(tmp_path / "m.csv"), target)
    assert "say --from pcalg or --from causal-learn" in complaint(str(tmp_path / "m.csv"), target)
    assert "out.csv: 'X' and 'Y' are joined by" in complaint(str(tmp_path / "admg.weft"), target, "--to", "pcalg")
    assert "none.csv: there is no such file" in complaint(str(tmp_path / "none.csv"), target)
    ambiguous = complaint(str(tmp_path / "admg.weft"), str(tmp_path / "out.txt"))
    assert "the format may be tetrad or weft; name it with --to, one of" in ambiguous
    assert "weft report RESULT --figure" in complaint(str(tmp_path / "admg.weft"), str(tmp_path / "out.png"))
    assert "'dot' is not" in complaint(str(tmp_path / "admg.weft"), target, "--from", "dot")
    assert not Path(target).exists()


def test_standard_input_is_named() -> None:
    program = "from tests.unit.cli.test_convert import WEFT; WEFT.main(['convert', '-', '-'], prog_name='weft')"
    ran = subprocess.run([sys.executable, "-c", program], input=b"X -> Y\nY ->\n", capture_output=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.decode().startswith("weft: standard input: line 2: graph text: 'Y ->' ends with an edge")


def test_it_loads_nothing_at_the_start() -> None:
    program = "import sys, weft.cli.convert; print({'numpy', 'networkx', 'pyarrow', 'weft.formats'} & {*sys.modules})"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"
