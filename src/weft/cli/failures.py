"""Every failure as one line on standard error and an exit code.

==== =================================================================================================================
code means
==== =================================================================================================================
0    a consistent structure exists (or the command did what it was asked)
1    no consistent structure exists; the conflict is named on standard output
2    the input is bad; one line on standard error says what, where, and what to do
3    the time ran out before it was known whether there is a consistent structure
4    what ran elsewhere failed: the Dask cluster, or a process of this machine, was lost; the same command goes on
70   a defect in weft; ``weft --debug COMMAND ...`` shows where
130  interrupted from the keyboard
141  the reader of the output went away (``weft solve ... | head``)
143  told to end (SIGTERM)
==== =================================================================================================================
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from weft.cli.interrupts import exit_code as code_of_signal
from weft.cli.interrupts import heard_at_once
from weft.errors import Argument, WeftError, WorkerError
from weft.reading.files import why_not_written
from weft.reading.names import printable, quoted

CONSISTENT, INCONSISTENT, BAD_INPUT, OUT_OF_TIME, WORKERS_LOST, DEFECT, NO_READER = 0, 1, 2, 3, 4, 70, 141
ISSUES = "https://github.com/weft-causal/weft/issues"


def exit_code(consistent: bool | None) -> int:
    """The exit code for whether there is a consistent structure; ``None`` if that is not known."""
    return {True: CONSISTENT, False: INCONSISTENT, None: OUT_OF_TIME}[consistent]


class Commands(click.Group):
    """A group of commands that return their exit codes and never show a stack trace for what a user can cause."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:
        """Run, and leave with the exit code."""
        global _by_plan, _debugging, _in_json, _last_words
        arguments = list(sys.argv[1:] if args is None else args)
        options["standalone_mode"] = False
        try:
            sys.exit(_guarded(lambda: super(Commands, self).main(arguments, *rest, **options), arguments))
        finally:  # the next command in this process, if there is one, starts afresh
            _by_plan, _debugging, _in_json, _last_words = False, False, False, ""

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Take a command, which is set as the group is.

        It would be anyway as long as it is called through the group; but click keeps the help option of a command as
        it was at its first call, and who calls a command by itself would leave it without ``-h`` for good.
        """
        cmd.context_settings = {**self.context_settings, **cmd.context_settings}
        super().add_command(cmd, name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; here rather than in ``main``, because click deals with these in its own way there."""
        try:
            with heard_at_once(_say_ended):
                code = super().invoke(ctx)
                sys.stdout.flush()
        except BrokenPipeError:
            _discard_output()
            raise click.exceptions.Exit(NO_READER) from None
        except EOFError as error:
            raise click.exceptions.Exit(_defect(error)) from None
        return code


_last_words = ""
_in_json = False
_debugging = False
_by_plan = False


_OPTIONS = {"kinds": "--kind"}
"""Arguments whose option has another name than the argument."""


def as_options(argument: Argument) -> str:
    """An argument that a message speaks of, as the command line spells it.

    >>> as_options(Argument("drop", ["row id", "x"])), as_options(Argument("kinds", {"size": ["S", "M"], "sex": None}))
    ("--drop 'row id' --drop x", "--kind 'size=S<M' --kind sex=KIND")
    """
    option = _OPTIONS.get(argument.keyword, f"--{argument.keyword.replace('_', '-')}")
    if argument.value is None:
        return option
    if isinstance(argument.value, Mapping):
        values = [f"{_kept_apart(name)}={_kind(kind)}" for name, kind in argument.value.items()]
    else:
        values = [argument.value] if isinstance(argument.value, str) else argument.value
    return " ".join(f"{option} {_for_shell(value)}" for value in values)


_KEYS = {"kinds": "kind", "units": "unit"}
"""Arguments that studies.toml calls otherwise."""


def as_keys(argument: Argument) -> str:
    """The same as ``studies.toml`` spells it.

    >>> print(as_keys(Argument("drop", ["row id"])), as_keys(Argument("kinds", {"sex": "binary"})), sep="; ")
    drop = ["row id"]; kind = { sex = "binary" }
    """
    from weft.plan import spelled

    key = _KEYS.get(argument.keyword, argument.keyword)
    if argument.value is None:
        return key
    if isinstance(argument.value, Mapping):
        return f"{key} = {spelled({name: '...' if kind is None else kind for name, kind in argument.value.items()})}"
    return f"{key} = {spelled(argument.value)}"


def spell(argument: Argument) -> str:
    """An argument as the command that runs has it: an option, or a key of its ``studies.toml``."""
    return as_keys(argument) if _by_plan else as_options(argument)


def speak_of_plan() -> None:
    """From now on, what puts things right belongs into ``studies.toml``."""
    global _by_plan
    _by_plan = True


def _kind(kind: str | list[str] | None) -> str:
    return "KIND" if kind is None else kind if isinstance(kind, str) else "<".join(map(_kept_apart, kind))


def _kept_apart(name: str) -> str:
    """A column or a level as ``--kind`` reads it: in double quotes only if it must be."""
    plain = name == name.strip() and not any(sign in name for sign in '"=<') and name.isprintable()
    return name if plain and name else quoted(name)


def _for_shell(text: str) -> str:
    """One word for the shell, without raw control characters."""
    if text.isprintable():
        return shlex.quote(text)
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"$'{printable(escaped)}'"


def complain(message: str) -> None:
    """Say one line on standard error; the middle of a very long one (a list of all variables) is left out."""
    line = printable(" ".join(message.split()))
    line = line if len(line) <= 500 else f"{line[:400]} ... {line[-80:]}"
    if _in_json:
        click.echo(json.dumps({"time": round(time.time(), 3), "event": "message", "text": line}), err=True)
    else:
        click.echo(f"weft: {line}", err=True)


def speak_json() -> None:
    """From now on, whatever is said on standard error is a JSON object a line."""
    global _in_json
    _in_json = True


def say_when_ended(words: str) -> None:
    """From now on, what ends the command before its time says this too: what is kept, and how to go on."""
    global _last_words
    _last_words = words


def show_defects() -> None:
    """From now on, a defect is shown with the place where it came up."""
    global _debugging
    _debugging = True


def _say_ended(number: int) -> None:
    _say_lost("terminated" if number == signal.SIGTERM else "interrupted")


def _say_lost(what: str, more: str = "") -> None:
    complain(f"{what}; {_last_words}{more}" if _last_words else what)


def _defect(error: Exception) -> int:
    """Nothing that a user did, whatever was typed: say so, and where to report it."""
    if _debugging:
        traceback.print_exception(error)
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    complain(f"a defect in weft: {what}; please report it at {ISSUES} with the command and the output of weft --debug")
    return DEFECT


def _guarded(run: Callable[[], object], arguments: Sequence[str]) -> int:
    try:
        _check_encoding(arguments)
        code = run()
    except click.UsageError as error:
        complain(_usage(error))
    except click.ClickException as error:
        complain(error.format_message())
    except click.Abort:
        _say_ended(signal.SIGINT)
        return code_of_signal(signal.SIGINT)
    except WorkerError as error:
        on_cluster = any(argument.startswith("--dask") for argument in arguments)
        _say_lost(str(error), ", with or without --dask" if on_cluster else "")
        return WORKERS_LOST
    except WeftError as error:
        for one in error.each:
            complain(one.worded(spell))
    except OSError as error:
        complain(f"{error.filename or 'standard output'}: {why_not_written(error)}")
        _discard_output()
    except MemoryError:
        complain("out of memory; solve fewer studies or variables at a time")
    except Exception as error:
        return _defect(error)
    else:
        return code if isinstance(code, int) else CONSISTENT
    return BAD_INPUT


def _check_encoding(arguments: Sequence[str]) -> None:
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:
            raise WeftError(f"the argument {argument!a} is not valid UTF-8; write names in UTF-8") from None


def _usage(error: click.UsageError) -> str:
    """What click says, in our way: one line, and where to look."""
    text = _DID_YOU_MEAN.sub(_suggested, " ".join(error.format_message().split())).rstrip(".")
    for theirs, ours in _IN_WORDS.items():
        text = text.replace(theirs, ours)
    command = error.ctx.command_path if error.ctx else "weft"
    return f"{text[:1].lower()}{text[1:]} (see '{command} --help')"


_IN_WORDS = {
    "is not a valid integer range": "is not a whole number",
    "is not a valid integer": "is not a whole number",
    "is not a valid float range": "is not a number",
    "is not a valid float": "is not a number",
}
"""What click says of values, in plain English; the longer ones first."""
_DID_YOU_MEAN = re.compile(r"\. \(?Did you mean (?:one of: )?(.*?)\?\)?$")


def _suggested(found: re.Match[str]) -> str:
    """What click says of a name that is not known, as it is said elsewhere.

    >>> _DID_YOU_MEAN.sub(_suggested, "No such command 'dicover'. (Did you mean one of: 'convert', 'discover'?)")
    "No such command 'dicover'; did you mean 'convert' or 'discover'?"
    """
    *others, last = found[1].split(", ")
    return f"; did you mean {', '.join(others)} or {last}?" if others else f"; did you mean {last}?"


def _discard_output() -> None:
    """Let what is still in the buffer go nowhere: Python would fail on it again when it ends."""
    with contextlib.suppress(OSError, ValueError):  # a stream in memory has no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
