"""Options that commands share: what can be chosen is the library's, and is not loaded before it is needed."""

from __future__ import annotations

from types import MappingProxyType

import click
import pytest
from click.testing import CliRunner

from weft.cli import main, options
from weft.evidence.independence import registry as tests
from weft.evidence.named import Entry
from weft.evidence.orientation import registry as methods
from weft.search import registry as engines
from weft.search.problem import METHODS
from weft.studies.simulate import WAYS


def offered(command: str, option: str) -> tuple[str, ...]:
    (found,) = (one for one in main.commands[command].params if option in one.opts)
    assert isinstance(found.type, click.Choice)
    return tuple(found.type.choices)


def test_the_names_are_the_librarys() -> None:
    for command in ("discover", "evidence"):
        assert offered(command, "--test") == tuple(tests.TESTS)
        assert offered(command, "--orient") == tuple(methods.METHODS)
        assert offered(command, "--pooling") == ("fisher", "stouffer")
        assert offered(command, "--method") == METHODS
    assert offered("orient", "--method") == tuple(methods.METHODS)
    assert offered("solve", "--engine") == tuple(engines.ENGINES)
    assert offered("solve", "--method") == METHODS
    assert offered("simulate", "--way") == tuple(WAYS)


@pytest.mark.parametrize(
    ("registry", "name", "command", "option"),
    [(tests, "TESTS", "discover", "--test"), (methods, "METHODS", "evidence", "--orient")],
)
def test_a_line_in_the_registry_is_enough(
    monkeypatch: pytest.MonkeyPatch, registry: object, name: str, command: str, option: str
) -> None:
    known = getattr(registry, name)
    monkeypatch.setattr(registry, name, MappingProxyType({**known, "my-own": Entry("nowhere", "Nothing", "new")}))
    assert "my-own" in offered(command, option)
    said = CliRunner().invoke(main, [command, "--help"]).stdout
    assert "my-own" in said
    assert "{names}" not in said


def test_a_name_that_is_not_there() -> None:
    result = CliRunner().invoke(main, ["evidence", "a.csv", "b.csv", "--test", "magic"], prog_name="weft")
    assert result.exit_code == 2
    assert "'--test': 'magic' is not one of 'auto', 'kcit'" in result.stderr
    assert "did you mean" not in result.stderr
    near = CliRunner().invoke(main, ["evidence", "a.csv", "b.csv", "--test", "fisherz"], prog_name="weft")
    assert "'--test': there is no 'fisherz'; did you mean 'fisher-z'? (see 'weft evidence --help')" in near.stderr


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("dicover a.csv", "did you mean 'convert' or 'discover'?"),
        ("discover a.csv --reprot x.html", "did you mean '--effort' or '--report'?"),
        ("claims r.json --format cvs", "did you mean 'csv'?"),
        ("completion zhs", "did you mean 'zsh'?"),
        ("convert r.json g.dot --part unoin", "did you mean 'union'?"),
    ],
)
def test_what_may_be_meant_is_said_wherever_a_name_is_typed(typed: str, near: str) -> None:
    result = CliRunner().invoke(main, typed.split(), prog_name="weft")
    assert result.exit_code == 2
    assert near in result.stderr


def test_several_options_reach_a_command_as_one_value() -> None:
    found: list[object] = []

    @click.command()
    @options.together("both", dict, click.option("--one", default=1), click.option("--two-of", "two", default=2))
    @click.option("--other", default=3)
    def command(both: dict[str, int], other: int) -> None:
        found.extend([both, other])

    assert CliRunner().invoke(command, ["--two-of", "5"]).exit_code == 0
    assert found == [{"one": 1, "two": 5}, 3]
    assert [one.name for one in command.params] == ["one", "two", "other"]


@pytest.mark.parametrize("number", ["0", "-2", "1000000"])
def test_numbers_of_processes_go_by_their_option(number: str) -> None:
    result = CliRunner().invoke(main, ["discover", "a.csv", "b.csv", "--jobs", number], prog_name="weft")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"weft: --jobs is {number}; give ")
