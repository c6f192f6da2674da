"""The documentation builds without a warning, and links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import weft
from tests.docs.pages import PAGES, ROOT, tokens

BESIDE = ("ARCHITECTURE", "CHANGELOG", "CODE_OF_CONDUCT", "CONTRIBUTING", "SECURITY")
LINKED = [*PAGES, *(ROOT / f"{name}.md" for name in BESIDE)]


def test_the_documentation_builds_without_a_warning(tmp_path: Path) -> None:
    made = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "-q", "-d", tmp_path / "trees", ROOT / "docs", tmp_path / "html"],
        capture_output=True,
        text=True,
    )
    assert (made.returncode, made.stderr) == (0, "")
    pages = {path.stem for path in PAGES[1:]}
    assert {path.stem for path in (tmp_path / "html").glob("*.html")} >= pages
    for path in (tmp_path / "html").glob("*.html"):
        fetched = re.findall(
            r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]*)"', path.read_text(encoding="utf-8")
        )
        assert fetched == [], f"{path.name} needs the network"


def test_every_public_name_is_in_the_reference() -> None:
    reference = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    wanted = set(weft.__all__) - {"__version__"}
    listed = set(re.findall(r"^   (\w+)$", reference, flags=re.MULTILINE))
    described = set(re.findall(r"^\.\. auto(?:class|function):: weft\.(\w+)$", reference, flags=re.MULTILINE))
    assert wanted <= listed
    assert wanted - {"WeftError"} <= described  # which stands among the other errors


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings: in lower case, without punctuation, blanks as hyphens."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", LINKED, ids=[path.relative_to(ROOT).as_posix() for path in LINKED])
def test_links_lead_somewhere(page: Path) -> None:
    targets = [token.attrs.get("href") or token.attrs.get("src") for token in tokens(page.read_text(encoding="utf-8"))]
    for target in [str(target) for target in targets if target and "://" not in str(target)]:
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        assert path.exists(), f"{page.name} links to {target}"
        assert not anchor or path.suffix != ".md" or anchor in anchors(path), f"{page.name} links to {target}"
