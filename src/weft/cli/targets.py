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


def _same(one: str, other: str) -> bool:
    """Whether two names are of one file, which need not be there yet."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return os.path.realpath(one) == os.path.realpath(other)
