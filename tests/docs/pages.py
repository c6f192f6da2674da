"""The pages of the documentation, taken apart into blocks, and a session that runs them.

A *page* is README.md or a file of docs/. Its *blocks* are its code fences, in order. One page has one temporary
directory and one Python session, and what one block leaves there the next ones find.

==================================== =================================================================================
block                                what happens
==================================== =================================================================================
``console``                          each ``$ command`` runs and must print what is shown (:meth:`Session.console`)
``python`` with ``>>>``              a doctest, with ELLIPSIS and NORMALIZE_WHITESPACE
``python`` without                   executed
``{code-block} toml`` and a caption  written to the file of that name; JSON, TOML and Python must be valid
``json``, ``toml``                   must be valid; an evidence file must have a solution
``lp``                               must be valid for the solver
``sh``                               for what no test can run (installing, servers, a cluster): every command and
                                     option of weft, every target of make and every extra of pip in it must exist
``text``                             left alone
==================================== =================================================================================

Any other kind of block, and an indented one, is an error.
"""

from __future__ import annotations

import doctest
import glob
import json
import math
import re
import shlex
import subprocess
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from markdown_it import MarkdownIt
from markdown_it.token import Token

import weft
from weft.cli import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TOOLS = ("cat", "echo", "head", "ls", "tail")
"""Programs other than weft that a console block may call."""
PROSE = ("admonition", "hint", "important", "note", "seealso", "tip", "warning")
"""Directives that hold text, in which there may be blocks again."""
ELSEWHERE = ("autoclass", "autofunction", "automodule", "autosummary", "eval-rst", "figure", "image", "math", "toctree")
"""Directives that Sphinx answers for."""
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A code fence: its language, its text, the file that its caption names, and where it begins."""

    language: str
    text: str
    caption: str | None
    line: int


@dataclass(frozen=True)
class Command:
    """A command of a console block, what is shown below it, and the lines of the block that show it."""

    line: str
    shown: tuple[str, ...]
    first: int

    @property
    def last(self) -> int:
        """The line after the last one that is shown."""
        return self.first + len(self.shown)


def tokens(text: str) -> Iterator[Token]:
    """All tokens of Markdown, those within lines included."""
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        yield token
        yield from token.children or ()


def blocks(text: str, offset: int = 0) -> Iterator[Block]:
    """The code blocks of Markdown text, in order."""
    for token in tokens(text):
        line = offset + (token.map[0] if token.map else 0) + 1
        if token.type == "code_block":
            yield Block("", token.content, None, line)
        elif token.type == "fence":
            yield from _block(token, line)


def _block(token: Token, line: int) -> Iterator[Block]:
    directive = re.fullmatch(r"\{([\w-]+)\}\s*(.*)", token.info.strip())
    if directive is None:
        yield Block(token.info.strip(), token.content, None, line)
        return
    name, argument = directive.groups()
    options = re.match(r"(?::[\w-]+:.*\n)*\n?", token.content)
    assert options is not None
    if name in PROSE:
        yield from blocks(token.content, line)
    elif name == "code-block":
        caption = re.search(r"^:caption: (.+)$", options[0], flags=re.MULTILINE)
        start = line + options[0].count("\n")
        yield Block(argument, token.content[options.end() :], caption and caption[1].strip(), start)
    elif name not in ELSEWHERE:
        yield Block(f"{{{name}}}", token.content, None, line)


def commands(text: str) -> list[Command]:
    """The commands of a console block with what is shown below each; a ``\\`` at the end goes on in the next line.

    >>> commands("$ weft solve e.json\\n1 structure\\n$ ls\\n")
    [Command(line='weft solve e.json', shown=('1 structure',), first=1), Command(line='ls', shown=(), first=3)]
    """
    lines = text.splitlines()
    if not lines or not lines[0].startswith("$ "):
        raise AssertionError("a console block begins with '$ ' and a command")
    found: list[Command] = []
    number = 0
    while number < len(lines):
        command = lines[number].removeprefix("$ ")
        while command.endswith("\\"):
            number += 1
            command = command[:-1] + lines[number].removeprefix("> ").lstrip()
        number += 1
        first = number
        while number < len(lines) and not lines[number].startswith("$ "):
            number += 1
        found.append(Command(command, tuple(lines[first:number]), first))
    return found


def same(shown: tuple[str, ...], printed: str) -> bool:
    """Whether text is what is shown, where a line ``...`` stands for any lines. Blanks at the end do not count.

    Processors round the last digits of sums in different ways. So a number with a decimal point may differ by half a
    per cent, and lines may break elsewhere then.

    >>> same(("weight 3.5", "is", "..."), "weight\\n3.51 is\\nall"), same(("weight 3.5",), "weight 3.6")
    (True, False)
    """
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in _trimmed(shown))
    if re.fullmatch(pattern, "".join(f"{line}\n" for line in _trimmed(printed.splitlines()))):
        return True
    parts = [r"(?:.*\s)??" if line == "..." else _loosely(line) for line in _trimmed(shown)]
    match = re.fullmatch("".join(parts), " ".join(printed.split()) + " ", re.DOTALL)
    numbers = [float(number) for line in _trimmed(shown) if line != "..." for number in _DECIMAL.findall(line)]
    return match is not None and all(
        math.isclose(float(found), number, rel_tol=0.005) for found, number in zip(match.groups(), numbers, strict=True)
    )


_DECIMAL = re.compile(r"(?<![\w.,])\d+\.\d+(?![\w.])")


def _loosely(line: str) -> str:
    """A pattern for the words of a line, in which each decimal number is a group."""
    pieces, end = [], 0
    for number in _DECIMAL.finditer(line):
        pieces += [_words(line[end : number.start()]), r"(\d+(?:\.\d+)?)"]
        end = number.end()
    return "".join([*pieces, _words(line[end:]), r"\s+"]) if line.strip() else ""


def _words(text: str) -> str:
    return r"\s+".join(re.escape(piece) for piece in re.split(r"\s+", text)).removeprefix(r"\s+" if text == "" else "")


def _trimmed(lines: Iterable[str]) -> list[str]:
    """The lines without blanks at their ends, and without empty lines at the end."""
    trimmed = [line.rstrip() for line in lines]
    while trimmed and not trimmed[-1]:
        trimmed.pop()
    return trimmed


@dataclass
class Session:
    """What the blocks of a page share: the working directory, which the caller has entered, and Python's names."""

    # Functions of "__main__" can be sent to other processes, which nothing else without a file can.
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})

    def run(self, block: Block) -> None:
        """Run or check a block; an AssertionError says what is wrong with it."""
        kinds: dict[str, Callable[[str], None]] = {
            "console": self.console,
            "python": self.python,
            "sh": check_shell,
            "json": check_json,
            "toml": check_toml,
            "lp": check_program,
            "text": lambda text: None,
        }
        if block.caption is not None:
            target = Path(block.caption)
            assert not target.is_absolute(), f"{block.caption} is not a file of the page"
            assert ".." not in target.parts, f"{block.caption} is not a file of the page"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
            kinds["json"] = json.loads
            if block.language not in ("json", "toml", "python"):
                return
        assert block.language in kinds, f"nobody runs blocks of the kind {block.language!r}"
        kinds[block.language](block.text)

    def console(self, text: str) -> None:
        """Run the commands of a console block and compare what they print with what is shown.

        That is standard output, and with ``2>&1`` at the end of the command standard error too. A command that fails
        with exit code 2 shows its complaint, as on a terminal.
        """
        for command in commands(text):
            printed = self.output(command.line)
            assert same(command.shown, printed), (
                f"$ {command.line}\n--- shown\n" + "\n".join(command.shown) + f"\n--- printed\n{printed}"
            )

    def output(self, line: str) -> str:
        """What a command, or a pipeline of them, prints."""
        line, both = line.removesuffix(" 2>&1"), line.endswith(" 2>&1")
        printed = ""
        for part in re.split(r" \| ", line):
            words = [word for pattern in shlex.split(part) for word in _expanded(pattern)]
            printed = _called(words, printed, both)
        return printed

    def python(self, text: str) -> None:
        """Run a doctest, or code."""
        if ">>>" not in text:
            exec(compile(text, "<page>", "exec"), self.names)
            return
        example = doctest.DocTestParser().get_doctest(text, self.names, "page", None, 0)
        example.globs = self.names  # else a copy
        said: list[str] = []
        failed = doctest.DocTestRunner(optionflags=FLAGS).run(example, out=said.append, clear_globs=False).failed
        assert failed == 0, "".join(said)


def _expanded(word: str) -> list[str]:
    return sorted(glob.glob(word)) or [word] if "*" in word else [word]


def _called(words: list[str], stdin: str, both: bool) -> str:
    if words[0] != "weft":
        assert words[0] in TOOLS, f"a console block may call weft and {', '.join(TOOLS)}, not {words[0]}"
        return subprocess.run(words, input=stdin, check=True, capture_output=True, text=True).stdout
    result = CliRunner().invoke(main, words[1:], input=stdin, prog_name="weft")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in (0, 1, 2), f"exit code {result.exit_code}: {result.output}"
    return result.output if both or result.exit_code == 2 else result.stdout


def check_json(text: str) -> None:
    """Check that text is JSON and, if it is evidence, that it has a solution."""
    document = json.loads(text)
    if isinstance(document, dict) and document.get("format") == "weft-evidence/2":
        found = weft.solve(weft.load_evidence(StringIO(text)))
        assert found.count(), "no structure is consistent with this evidence"


def check_toml(text: str) -> None:
    """Check that text is TOML."""
    tomllib.loads(text)


def check_program(text: str) -> None:
    """Check that the solver can parse text."""
    from clingo.ast import parse_string

    parse_string(text, lambda statement: None)


def check_shell(text: str) -> None:
    """Check that what a shell block names exists."""
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        for part in re.split(r" \| | && |; ", line):
            words = shlex.split(part, comments=True)
            if words[:1] == ["weft"]:
                check_weft(words[1:])
            elif words[:1] == ["make"]:
                check_targets([word for word in words[1:] if "=" not in word])
            elif "install" in words:
                check_extras(words)


def check_weft(words: list[str]) -> None:
    """Check that a command of weft and its options exist; what goes with them is not looked at."""
    found = main.commands.get(words[0]) if words and not words[0].startswith("-") else main
    assert found is not None, f"there is no command weft {words[0]}"
    known = {name for option in found.params for name in (*option.opts, *option.secondary_opts)} | {"-h", "--help"}
    given = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    assert given <= known, f"weft {found.name} has no option {', '.join(sorted(given - known))}"


def check_targets(targets: list[str]) -> None:
    """Check that the Makefile has these targets."""
    known = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert set(targets) <= known, f"make has no target {', '.join(sorted(set(targets) - known))}"


def check_extras(words: list[str]) -> None:
    """Check that the extras which pip is asked for exist."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {
        name for word in words for names in re.findall(r"(?:weft|\.)\[([\w,-]+)\]", word) for name in names.split(",")
    }
    known = project["optional-dependencies"].keys()
    assert wanted <= known, f"weft has no extra {', '.join(sorted(wanted - known))}"


def command_words(token: Token) -> list[str]:
    """The words of a command of weft in code within a line of text; none if it is something else."""
    if token.type != "code_inline" or not re.match(r"weft [a-z]", token.content):
        return []
    try:
        return shlex.split(token.content.replace("...", ""))[1:]
    except ValueError:
        return []


def pictures(page: Path) -> list[Path]:
    """The pictures that the page's blocks make: those it shows from ``pictures/<page>/``."""
    folder = page.parent / "pictures" / page.stem
    shown = (str(token.attrs.get("src", "")) for token in tokens(page.read_text(encoding="utf-8")))
    return [page.parent / target for target in shown if (page.parent / target).parent == folder]
