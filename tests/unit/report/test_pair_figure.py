"""The picture of a pair."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from weft.errors import WeftError
from weft.evidence.orientation.protocol import Judgement, verdict_of
from weft.report.pair_figure import draw_pair, pair_figure
from weft.studies import Column, Kind

RNG = np.random.default_rng(0)
X = Column("dose $x^2$ <b>", Kind.CONTINUOUS, RNG.normal(size=200))
Y = Column("a name of more than thirty characters", Kind.CONTINUOUS, np.append(RNG.normal(size=199), np.nan))
VERDICTS = [
    verdict_of(Judgement(odds), name, 200, sufficient=False)
    for name, odds in (("one", 3.0), ("two", -0.2), ("three", 0))
]


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_formats(tmp_path: Path, ending: str, start: bytes) -> None:
    path = tmp_path / f"pair.{ending}"
    draw_pair(X, Y, VERDICTS, path)
    assert path.read_bytes().startswith(start)


def test_what_is_in_it() -> None:
    figure = pair_figure(X, Y, VERDICTS)
    titles = [axis.get_title() for axis in figure.axes]
    assert titles[0].startswith(r"if dose \$x^2\$ <b> causes a name of more than thirty")
    assert np.shape(figure.axes[0].lines[0].get_xdata()) == (199,)  # the row with a missing value is left out
    texts = [text.get_text() for text in figure.axes[-1].texts]
    assert texts == ["-> | -> & <->", "undecided", "undecided"]
    assert [label.get_text() for label in figure.axes[-1].get_yticklabels()] == ["one", "two", "three"]


def test_other_endings_and_places(tmp_path: Path) -> None:
    with pytest.raises(WeftError, match=r"pair.gif: a picture's name ends in .png, .svg, .pdf"):
        draw_pair(X, Y, VERDICTS, "pair.gif")
    with pytest.raises(WeftError, match="there is no such directory to write to"):
        draw_pair(X, Y, VERDICTS, tmp_path / "missing" / "pair.png")
