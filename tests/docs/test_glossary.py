"""The page and the documentation explain the words of the field in the same sentences."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from weft.report.glossary import TERMS

PAGE = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")


def sections() -> dict[str, str]:
    """What stands below each heading, as plain text."""
    parts = re.split(r"^#+ (.+)$", PAGE, flags=re.MULTILINE)
    plain = (" ".join(re.sub(r"[*`]", "", text).split()) for text in parts[2::2])
    return {heading.lower(): text for heading, text in zip(parts[1::2], plain, strict=True)}


@pytest.mark.parametrize("word", sorted(TERMS))
def test_the_documentation_begins_with_the_sentence_of_the_page(word: str) -> None:
    sentence = TERMS[word].rstrip(".")
    assert sections()[word.lower()].startswith(sentence)
