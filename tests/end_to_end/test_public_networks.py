"""Samples of public networks of levels go from tables to evidence: nothing in them is a reason to refuse a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import weft
from weft.studies import Study

PROJECT = Path(__file__).parents[2]
FOLDERS = [parent / "shared" / "data" / "bnlearn" for parent in PROJECT.parents]
FOLDER = next((folder for folder in FOLDERS if folder.is_dir()), None)


@pytest.mark.skipif(FOLDER is None, reason="the samples of bnlearn's networks are not beside the project")
@pytest.mark.parametrize("network", ["asia", "cancer", "sachs"])
def test_two_studies_that_share_two_fifths_of_the_variables(network: str) -> None:
    assert FOLDER is not None
    header, *lines = (FOLDER / f"{network}.txt").read_text(encoding="utf-8").splitlines()[:2001]
    names = np.random.default_rng(0).permutation(header.split()).tolist()
    levels = np.array([line.split() for line in lines])
    shared = round(0.4 * len(names))
    studies = []
    for place, own in enumerate((names[shared::2], names[shared + 1 :: 2])):
        rows = levels[1000 * place : 1000 * (place + 1)]
        columns = {name: rows[:, header.split().index(name)].tolist() for name in (*names[:shared], *own)}
        studies.append(Study.of(columns, "ab"[place], dict.fromkeys(columns, "categorical")))
    evidence = weft.gather(studies, method="iod", max_given=1)
    assert len(evidence.connected) >= 3
    freely = weft.gather(studies, method="iod", max_given=1, independence_confidence=0.5)
    assert freely.connected == evidence.connected
    assert len({(one.x, one.y) for one in freely.apart} | {(one.x, one.y) for one in freely.separated}) >= 3
