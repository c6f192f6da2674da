"""Where a command writes: never over what it reads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from weft.errors import WeftError


def check_targets(targets: Mapping[str, str | None], read: Iterable[str | None] = ()) -> None:
    """Refuse to write over a file that the command reads, or twice to one file; before the work begins.

    Parameters
    ----------
    targets
        The files that are written, by the options that name them; ``None`` and ``-`` are no files.
    read
        The files that are read.
    """
    taken = [(path, "is read by the same command") for path in read if path is not None]
    for option, target in targets.items():
        if target is None or target == "-":
            continue
        for path, why in taken:
            if _same(target, path):
                raise WeftError(f"{option} {target}: this file {why}, and would be overwritten; name another")
        taken.append((target, f"is where {option} goes"))


_ENDINGS = {
    "picture": (".png", ".svg", ".pdf", ".jpg", ".jpeg", ".eps", ".gif"),
    "page": (".html", ".htm"),
    "table": (".csv", ".tsv", ".xlsx"),
}


def ends_in(target: str | None, what: str) -> bool:
    """Whether a name ends as those of pictures, pages or tables do."""
    return target is not None and target.lower().endswith(_ENDINGS[what])


def check_page(option: str, target: str | None, draws: str) -> None:
    """Refuse a picture's name for a page, and say what draws pictures."""
    if ends_in(target, "picture"):
        raise WeftError(f"{target}: {option} writes a page (.html); {draws} {target} draws a picture")


def check_result(target: str | None, page: str) -> None:
    """Refuse a page's, picture's or table's name for a result, and say what writes these."""
    others = {
        "page": f"{page} {target} writes the page",
        "picture": f"weft report RESULT --figure {target} draws a picture",
        "table": f"weft claims RESULT --format csv > {target} writes a table",
    }
    for what, way in others.items():
        if ends_in(target, what):
            raise WeftError(f"{target}: -o writes a result (.json); {way}")


def _same(one: str, other: str) -> bool:
    """Whether two names are of one file, which need not be there yet."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return os.path.realpath(one) == os.path.realpath(other)
