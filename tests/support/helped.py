"""A solver that is helped at once, which it otherwise is only where it takes long."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from weft.evidence.claims import Claim
from weft.search import consequences
from weft.search.facts import Fact
from weft.search.program import Program


def help_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the solver settle nothing by itself."""
    settle = consequences._settle

    def settled(
        facts: Sequence[Fact],
        witnesses: consequences._Witnesses,
        program: Program,
        claims: Sequence[Claim],
        deadline: float | None,
        most: int | None = None,
    ) -> bool:
        return most is None and settle(facts, witnesses, program, claims, deadline)

    monkeypatch.setattr(consequences, "_settle", settled)
