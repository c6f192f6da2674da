"""Every block of README.md and docs/*.md is executed, or checked; :mod:`tests.docs.pages` says which how."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import (
    PAGES,
    ROOT,
    Block,
    Session,
    blocks,
    check_shell,
    check_weft,
    command_words,
    commands,
    pictures,
    same,
    tokens,
)
from weft.errors import WeftError

EACH_PAGE = pytest.mark.parametrize("page", PAGES, ids=[path.relative_to(ROOT).as_posix() for path in PAGES])


@EACH_PAGE
def test_the_blocks_of_a_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")  # "one process for each core" is one: the tests have taken the others
    session = Session()
    for block in blocks(page.read_text(encoding="utf-8")):
        try:
            session.run(block)
        except Exception as problem:
            pytest.fail(f"{page.relative_to(ROOT)}:{block.line}: {type(problem).__name__}: {problem}", pytrace=False)
    for picture in pictures(page):
        drawn = tmp_path / picture.name
        assert drawn.exists(), f"no block of {page.name} draws {picture.name}"
        assert drawn.read_bytes() == picture.read_bytes(), (
            f"{picture} is not what {page.name} draws; python -m tests.docs.refresh {page}"
        )


@EACH_PAGE
def test_commands_within_text_exist(page: Path) -> None:
    for token in tokens(page.read_text(encoding="utf-8")):
        if words := command_words(token):
            check_weft(words)


def test_every_picture_is_shown_by_the_page_that_draws_it() -> None:
    shown = {picture for page in PAGES for picture in pictures(page)}
    assert set((ROOT / "docs" / "pictures").glob("*/*")) <= shown


# -- the machinery itself --------------------------------------------------------------------------------------------

PAGE = """
# A page

```console
$ echo one | cat
one
```

:::{note}
```python
x = 1
```
:::

1. In a list:

   ```python
   >>> x + 1
   2

   ```

```{code-block} toml
:caption: expert.toml

roots = ["age"]
```

    indented
"""


def test_blocks_are_found_wherever_they_are() -> None:
    found = list(blocks(PAGE))
    assert [(block.language, block.caption) for block in found] == [
        ("console", None),
        ("python", None),
        ("python", None),
        ("toml", "expert.toml"),
        ("", None),
    ]
    assert found[2].text == ">>> x + 1\n2\n\n"
    assert found[3].text == 'roots = ["age"]\n'
    assert [PAGE.splitlines()[block.line - 1].strip()[:3] for block in found[:3]] == ["```"] * 3


def test_a_session_goes_from_block_to_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = Session()
    *good, indented = blocks(PAGE)
    for block in good:
        session.run(block)
    assert Path("expert.toml").read_text() == 'roots = ["age"]\n'
    with pytest.raises(AssertionError, match="nobody runs"):
        session.run(indented)


@pytest.mark.parametrize(
    "block",
    [
        Block("console", "$ echo one\ntwo\n", None, 1),
        Block("console", "$ echo one\n", None, 1),
        Block("console", "$ rm -r .\n", None, 1),
        Block("console", "$ weft solve nothing.json\n", None, 1),
        Block("console", "weft --help\n", None, 1),
        Block("python", ">>> 1 + 1\n3\n", None, 1),
        Block("bash", "ls\n", None, 1),
        Block("{mermaid}", "A --> B\n", None, 1),
        Block("text", "", "../escaped.txt", 1),
        Block("sh", "weft slove e.json\n", None, 1),
        Block("sh", "weft solve e.json --fast\n", None, 1),
        Block("sh", "make test && make coffee\n", None, 1),
        Block("sh", "pip install '.[telepathy]'\n", None, 1),
    ],
    ids=str,
)
def test_what_is_wrong_is_found(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssertionError):
        Session().run(block)


@pytest.mark.parametrize(
    ("language", "text"),
    [("json", "{"), ("json", '{"format": "weft-evidence/2"}'), ("toml", "a = "), ("lp", "a :-")],
)
def test_what_does_not_parse_is_found(language: str, text: str) -> None:
    with pytest.raises((ValueError, RuntimeError, WeftError)):
        Session().run(Block(language, text, None, 1))


def test_a_shell_block_that_is_right() -> None:
    check_shell(
        "make PYTHON=python3 install\nweft discover a.csv \\\n  --jobs 2 | weft --help\npip install '.[dask,figures]'\n"
    )


def test_complaints_and_standard_error_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = Session()
    assert session.output("weft solve none.json").startswith("weft: none.json: there is no such file")
    assert session.output("weft simulate --seed 1 2>&1").startswith("weft: the graph is ")


@pytest.mark.parametrize(
    ("shown", "printed", "expected"),
    [
        (("a", "b"), "a\nb\n", True),
        (("a", "b", ""), "a\nb\n", True),
        (("a", "b"), "a \nb", True),
        (("a",), "a\nb\n", False),
        (("a", "b"), "a\n", False),
        (("a", "...", "c"), "a\nb\nb\nc\n", True),
        (("a", "...", "c"), "a\nc\n", True),
        (("a", "..."), "a\nb\n", True),
        (("...", "c"), "a\nb\n", False),
        (("a.c",), "abc\n", False),
        ((), "", True),
        ((), "a\n", False),
    ],
)
def test_what_is_shown_is_compared(shown: tuple[str, ...], printed: str, expected: bool) -> None:
    assert same(shown, printed) is expected


def test_a_command_may_take_several_lines() -> None:
    (command,) = commands("$ weft discover a.csv \\\n    b.csv\n2 structures\n")
    assert (command.line, command.shown, command.first) == ("weft discover a.csv b.csv", ("2 structures",), 2)
