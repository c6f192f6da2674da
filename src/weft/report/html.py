"""A view as one HTML file that needs nothing else: no network, no server, no other file.

The page's code and styles come with the package (``static/``, built from ``web/``). The view stands in it as JSON in a
``<script type="application/json">``, which a browser does not run; ``<`` is escaped, so that no name can end it. The
page puts text into elements as text. On top of that a content security policy allows only this one script and these
styles, by their hashes, and no connection anywhere; a page that :mod:`weft.report.server` serves may connect to it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from weft.report.beside import Beside, beside_document
from weft.report.document import view_document
from weft.report.view import View
from weft.solutions.result_file import write_whole


def to_html(view: View, path: str | os.PathLike[str], beside: Beside | None = None) -> None:
    """Write a view as a self-contained HTML file; it is there as a whole or not at all."""
    write_whole(path, page(view, beside=beside))


def page(view: View, *, live: bool = False, beside: Beside | None = None) -> str:
    """The whole page, perhaps with another result beside it; a live one asks the server that it comes from.

    >>> from weft import oracle, solve
    >>> from weft.report.view import view_of
    >>> text = page(view_of(solve(oracle('"</script>" -> Y', [["</script>", "Y"]]))))
    >>> text.count("</script>")
    2
    """
    script, style = static("report.js"), static("report.css")
    return "".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{policy(live=live)}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            '<meta name="referrer" content="no-referrer">\n',
            '<link rel="icon" href="data:,">\n<title>weft</title>\n',
            f"<style>{style}</style>\n",
            "</head>\n<body>\n",
            "<noscript>This report needs JavaScript, which is turned off here. weft explain and weft suggest read the"
            " same result file.</noscript>\n",
            f'<script type="application/json" id="weft-view">{embedded(view_document(view))}</script>\n',
            ""
            if beside is None
            else f'<script type="application/json" id="weft-beside">{embedded(beside_document(beside))}</script>\n',
            '<script type="application/json" id="weft-live">{"ask": "ask"}</script>\n' if live else "",
            f"<script>{script}</script>\n</body>\n</html>\n",
        )
    )


def policy(*, live: bool) -> str:
    """The page's content security policy; the server sends that of a live one as a header too."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(static('report.js'))}'",
            f"style-src '{_hash(static('report.css'))}'",
            "img-src data: blob:",
            *(("connect-src 'self'",) if live else ()),
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def embedded(document: Mapping[str, Any]) -> str:
    """Plain values as JSON that can stand in HTML."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # Half a surrogate pair cannot be written as UTF-8; as an escape it can.
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text.replace("<", "\\u003c")


@cache
def static(name: str) -> str:
    """One of the files that the page is made of."""
    return files("weft.report").joinpath("static", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}"
