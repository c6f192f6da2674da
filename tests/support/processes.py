"""What processes there are, as Linux tells."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def processes_of(session: int) -> dict[int, str]:
    """The processes of a session that have not ended, by number, with their command lines."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, of = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
            command = (folder / "cmdline").read_text().replace("\0", " ")
        except OSError:  # it ended meanwhile
            continue
        if int(of) == session and state != "Z":
            found[int(folder.name)] = command
    return found


def workers_of(session: int) -> list[int]:
    """Those that joblib started to work."""
    return [number for number, command in processes_of(session).items() if "popen_loky" in command]
