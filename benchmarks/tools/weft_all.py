"""weft on all studies together, everything at its default."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import weft
from benchmarks.tools import LEVELS, NUMBERS, Said
from weft.evidence.claims import Topic
from weft.studies import Study


@dataclass(frozen=True)
class Weft:
    """``weft.discover`` and the claims that have a margin."""

    name: str = "weft"
    about: str = (
        "`weft.discover` on all studies together, everything at its default, one process, nothing kept from "
        "before. Claimed is what `SolutionSet.claims()` says with a confidence above one half."
    )
    takes: frozenset[str] = frozenset({NUMBERS, LEVELS})
    says_how_sure: bool = True

    def missing(self) -> str:
        return ""

    def version(self) -> str:
        """The version, and what the sources are, since they change more often."""
        folder = Path(weft.__file__).parent
        digest = sha256()
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.lp")]):
            digest.update(path.read_bytes())
        return f"weft {weft.__version__} (sources {digest.hexdigest()[:8]})"

    def claims(self, studies: Sequence[Study]) -> Iterator[Said]:
        for one in weft.discover(studies, n_jobs=1, cache=None).claims():
            if one.claim.topic is Topic.CAUSES and (one.confidence or 0.0) > 0.5:
                yield Said(one.claim.x, one.claim.y, one.claim.holds, one.confidence)


TOOL = Weft()
