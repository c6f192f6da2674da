"""The page's built files are those that the sources in web/ give."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
WEB, STATIC = ROOT / "web", ROOT / "src" / "weft" / "report" / "static"
BUILD: dict[str, Any] = json.loads((STATIC / "build.json").read_text(encoding="utf-8"))


def sources_hash() -> str:
    """As web/vite.config.ts computes it: for each file its path, a zero byte, its content, a zero byte."""
    named = {
        path.relative_to(WEB).as_posix(): path
        for path in WEB.rglob("*")
        if path.is_file() and "node_modules" not in path.relative_to(WEB).parts
    }
    digest = hashlib.sha256()
    for name in sorted(named):
        digest.update(f"{name}\0".encode())
        digest.update(named[name].read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()


def test_the_build_is_of_these_sources() -> None:
    assert BUILD["sources"] == sources_hash(), "web/ was changed after the build; run make web and commit the result"


def test_the_built_files_were_not_edited() -> None:
    found = {name: hashlib.sha256((STATIC / name).read_bytes()).hexdigest() for name in BUILD["files"]}
    assert found == BUILD["files"], "the files in src/weft/report/static were edited by hand; run make web"


def test_nothing_in_the_page_ends_its_element_or_reads_data_as_html() -> None:
    script = (STATIC / "report.js").read_text(encoding="utf-8")
    assert "</script" not in script.lower()
    assert "<!--" not in script
    assert "</style" not in (STATIC / "report.css").read_text(encoding="utf-8").lower()
    own = "".join(path.read_text(encoding="utf-8") for path in (WEB / "src").rglob("*.ts"))
    for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert forbidden not in own
