"""The pictures of the glossary are what their script draws, and the page shows all of them."""

from __future__ import annotations

import re
import runpy

from tests.docs.pages import ROOT

FOLDER = ROOT / "docs" / "pictures"
DRAWN: dict[str, bytes] = dict(runpy.run_path(str(FOLDER / "draw.py"))["pictures"]())


def test_the_files_are_what_the_script_draws() -> None:
    """If this fails after a change of the figures: ``python docs/pictures/draw.py``, and look at the pictures."""
    files = {path.stem.removeprefix("glossary-"): path.read_bytes() for path in FOLDER.glob("glossary-*.svg")}
    assert files.keys() == DRAWN.keys()
    assert [name for name, content in DRAWN.items() if files[name] != content] == []


def test_the_script_draws_the_same_twice() -> None:
    assert dict(runpy.run_path(str(FOLDER / "draw.py"))["pictures"]()) == DRAWN


def test_the_glossary_shows_every_picture() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(pictures/glossary-([a-z-]+)\.svg\)", page)) == DRAWN.keys()


def test_text_stays_text() -> None:
    assert b">a common cause;</text>" in DRAWN["edges"]
