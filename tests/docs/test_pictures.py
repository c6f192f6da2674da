"""The pictures of the glossary are what their script draws, and the page shows all of them."""

from __future__ import annotations

import re
import runpy

import pytest

from tests.docs.pages import ROOT

FOLDER = ROOT / "docs" / "pictures"


def drawn_now() -> dict[str, bytes]:
    return dict(runpy.run_path(str(FOLDER / "draw.py"))["pictures"]())


@pytest.fixture(scope="module")
def drawn() -> dict[str, bytes]:
    return drawn_now()


def test_the_files_are_what_the_script_draws(drawn: dict[str, bytes]) -> None:
    """If this fails after a change of the figures: ``python docs/pictures/draw.py``, and look at the pictures."""
    files = {path.stem.removeprefix("glossary-"): path.read_bytes() for path in FOLDER.glob("glossary-*.svg")}
    assert files.keys() == drawn.keys()
    assert [name for name, content in drawn.items() if files[name] != content] == []


def test_the_script_draws_the_same_twice(drawn: dict[str, bytes]) -> None:
    assert drawn_now() == drawn


def test_the_glossary_shows_every_picture(drawn: dict[str, bytes]) -> None:
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(pictures/glossary-([a-z-]+)\.svg\)", page)) == drawn.keys()


def test_text_stays_text(drawn: dict[str, bytes]) -> None:
    assert b">a common cause;</text>" in drawn["edges"]
