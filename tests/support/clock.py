"""A solver that runs out of time when a test says so, however fast the machine is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from weft.search.program import Found, Program, Status


def runs_out(monkeypatch: pytest.MonkeyPatch, answered: int) -> None:
    """Let the solver find an answer to so many questions, and to no other."""
    find, left = Program.find, iter(range(answered))

    def found(program: Program, assumptions: Sequence[int] = (), deadline: float | None = None) -> Found:
        in_time = next(left, None) is not None
        return find(program, assumptions, deadline) if in_time else Found(Status.OUT_OF_TIME)

    monkeypatch.setattr(Program, "find", found)
