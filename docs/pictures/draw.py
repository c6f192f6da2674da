"""Draw the pictures of the glossary: ``python docs/pictures/draw.py`` writes docs/pictures/glossary-*.svg.

A picture is a row of small graphs, each with a sentence below. Boxes and lines are those of weft's figures; places are
given here, since a term is best seen in a row. Graphs that follow from another (what hiding leaves, the PAG of a MAG)
are computed by weft, not written down. A test compares the files with what this script draws.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from weft.graphs.ancestral import mag_of, marginal_mag
from weft.graphs.equivalence import pag_of
from weft.graphs.mixed import MixedGraph
from weft.report.canvas import Panel, content_of, new_picture, text_width
from weft.report.layout import Place
from weft.report.legend import SMALL
from weft.report.lines import Line, graph_lines
from weft.report.picture_layout import NAME
from weft.report.routes import straight
from weft.report.scene import BORDER, COMMON, INK, QUIET

FOLDER = Path(__file__).parent
BOX, STEP, FALL, MARGIN, APART = (34.0, 22.0), 82.0, 58.0, 12.0, 34.0
"""The size of a box, from box to box, from row to row, around all, between graphs."""
BEND = 11.0
"""How far two lines between the same boxes are bent apart."""
LEADING = 12.0

Spots = Mapping[str, tuple[float, float]]
"""The column and the row of each vertex."""


@dataclass(frozen=True)
class Drawing:
    """A graph, where its vertices stand, and what is said about it."""

    graph: MixedGraph
    spots: Spots
    text: str
    hidden: frozenset[str] = field(default_factory=frozenset)
    """Vertices that nobody measured: grey, with a light border."""
    given: frozenset[str] = field(default_factory=frozenset)
    """Vertices that are conditioned on: filled."""
    bends: Mapping[str, float] = field(default_factory=dict)
    """How far a line is bent, by its two vertices: ``"XZ"``."""

    @property
    def lines(self) -> list[str]:
        """The text, broken."""
        return self.text.split("\n")

    @property
    def width(self) -> float:
        """How wide it is."""
        boxes = max(column for column, _ in self.spots.values()) * STEP + BOX[0]
        return max(boxes, *(text_width(line, SMALL) for line in self.lines))

    @property
    def height(self) -> float:
        """How high its boxes are together; lines that are bent upwards are within the margin."""
        return max(row for _, row in self.spots.values()) * FALL + BOX[1]


def drawing(
    graph: str | MixedGraph, text: str, spots: Spots | str = "", hidden: str = "", given: str = "", **bends: float
) -> Drawing:
    """A drawing; ``spots`` as a string puts the vertices in a row in this order, and by default in that of names."""
    parsed = MixedGraph.parse(graph) if isinstance(graph, str) else graph
    placed = {name: (i, 0.0) for i, name in enumerate(spots or parsed.names)} if isinstance(spots, str) else spots
    return Drawing(parsed, placed, text, frozenset(hidden), frozenset(given), bends)


# -- drawing -----------------------------------------------------------------------------------------------------------


def picture(*drawings: Drawing, in_row: int = 4) -> bytes:
    """The drawings side by side, so many in a row, as SVG."""
    rows = [drawings[i : i + in_row] for i in range(0, len(drawings), in_row)]
    width = 2 * MARGIN + max(sum(one.width for one in row) + APART * (len(row) - 1) for row in rows)
    figure = new_picture(width, 2 * MARGIN + sum(map(_row_height, rows)))
    top = MARGIN
    for number, row in enumerate(rows):
        left = MARGIN
        for place, one in enumerate(row):
            frame = (left, top, one.width, _row_height(row))
            _draw(Panel(figure, frame, prefix=f"g{number}-{place}-"), one, row)
            left += one.width + APART
        top += _row_height(row)
    # The version of matplotlib, which is all that stands there, would make two machines differ.
    return re.sub(rb" *<metadata>.*?</metadata>\n", b"", content_of(figure, "svg"), flags=re.DOTALL)


def _row_height(row: Sequence[Drawing]) -> float:
    return _above(row) + _boxes(row) + 12 + max(len(one.lines) for one in row) * LEADING + 8


def _boxes(row: Sequence[Drawing]) -> float:
    return max(one.height for one in row)


def _above(row: Sequence[Drawing]) -> float:
    """The room for lines that are bent upwards."""
    return max((abs(bend) - BOX[1] / 2 + 8 for one in row for bend in one.bends.values()), default=0.0)


def _draw(panel: Panel, one: Drawing, row: Sequence[Drawing]) -> None:
    """Draw one graph of a row, in the middle of the row's height, and its text."""
    top = _above(row) + (_boxes(row) - one.height) / 2
    wide = max(column for column, _ in one.spots.values()) * STEP + BOX[0]
    start = (one.width - wide) / 2 + BOX[0] / 2
    places = {
        name: Place(start + column * STEP, top + BOX[1] / 2 + row * FALL, *BOX)
        for name, (column, row) in one.spots.items()
    }
    lines = graph_lines(one.graph, None)
    doubled = {line.pair for line in lines if line.second}
    for line in lines:
        _draw_line(panel, one, line, places, line.pair in doubled)
    for name, place in places.items():
        hidden, given = name in one.hidden, name in one.given
        fill = "#eef0f3" if hidden else "#d5dae1" if given else "white"
        panel.box(place, fill=fill, edge=fill if hidden else INK if given else BORDER, width=1.2, name=f"vertex-{name}")
        panel.text(place.x, place.y, name, NAME, colour=QUIET if hidden else INK, where="center")
    for i, text in enumerate(one.lines):
        y = _above(row) + _boxes(row) + 12 + (i + 0.5) * LEADING
        panel.text(one.width / 2, y, text, SMALL, colour=QUIET, where="center")


def _draw_line(panel: Panel, one: Drawing, line: Line, places: Mapping[str, Place], doubled: bool) -> None:
    x, y = one.graph.names[line.x], one.graph.names[line.y]
    bend = one.bends.get(x + y, -one.bends.get(y + x, 0.0))
    if doubled:
        bend = -BEND if line.second else BEND
        bend = bend if places[x].x <= places[y].x else -bend
    start, end = places[x], places[y]
    panel.line(
        straight((start.x, start.y), (end.x, end.y), bend),
        (start, end),
        (line.mark_x, line.mark_y),
        width=1.6,
        colour=COMMON if line.bidirected else INK,
        dashed=False,
        name=f"edge-{x}-{y}",
    )


# -- the pictures ------------------------------------------------------------------------------------------------------

TRIANGLE: Spots = {"U": (0.5, 0.0), "X": (0.0, 1.0), "Y": (1.0, 1.0)}
FAN: Spots = {"X": (0.0, 0.5), "U": (1.0, 0.5), "Y": (2.0, 0.0), "Z": (2.0, 1.0)}
DISCRIMINATING: Spots = {"T": (0.0, 0.0), "A": (1.0, 0.0), "B": (2.0, 0.0), "C": (1.5, 1.0)}


def pictures() -> Iterator[tuple[str, bytes]]:
    """The name of each picture, and its content."""
    parse = MixedGraph.parse
    chain, collider = parse("X -> Y; Y -> Z"), parse("X -> Y; Z -> Y")
    yield (
        "edges",
        picture(
            drawing("X -> Y", "X causes Y"),
            drawing("X <-> Y", "a common cause;\nneither causes the other"),
            drawing("X o-> Y", "Y does not cause X;\nX may cause Y or not"),
            drawing("X -- Y", "selection"),
        ),
    )
    yield "ancestor", picture(drawing(chain, "X is an ancestor of Y and of Z, Y of Z"))
    yield (
        "collider",
        picture(
            drawing(collider, "Y is a collider"),
            drawing(chain, "Y is none"),
            drawing("Y -> X; Y -> Z", "nor here", "XYZ"),
        ),
    )
    yield (
        "unshielded",
        picture(
            drawing(collider, "unshielded"),
            drawing("X -> Y; Z -> Y; X -> Z", "shielded by X -> Z", XZ=-26.0),
        ),
    )
    yield (
        "m-separation",
        picture(
            drawing(chain, "connected"),
            drawing(chain, "given Y: separated", given="Y"),
            drawing(collider, "separated"),
            drawing(collider, "given Y: connected", given="Y"),
            in_row=2,
        ),
    )
    yield (
        "model",
        picture(
            drawing("U -> X; U -> Y", "U was not measured", TRIANGLE, hidden="U"),
            drawing("X <-> Y", "the model without U"),
            drawing("U -> X; U -> Y; X -> Y", "U was not measured", TRIANGLE, hidden="U"),
            drawing("X -> Y; X <-> Y", "the model without U:\ntwo edges"),
        ),
    )
    model = parse("X -> Y; X <-> Y; Y -> Z")
    yield (
        "mag",
        picture(
            drawing(model, "a latent-variable model"),
            drawing(mag_of(model), "its MAG: one edge for a pair"),
        ),
    )
    induced = parse("X -> Y; Y -> Z; Y <-> Z")
    yield (
        "inducing-path",
        picture(
            drawing(parse("X -> L; L -> Y"), "relative to L: X -> L -> Y", "XLY", hidden="L"),
            drawing(induced, "X -> Y <-> Z: Y is a collider\nand an ancestor of Z"),
            drawing(mag_of(induced), "so the MAG has X -> Z", XZ=-26.0),
        ),
    )
    fan = parse("X -> U; U -> Y; U -> Z")
    yield "marginalisation", picture(
        drawing(fan, "four variables", FAN),
        drawing(fan, "U is hidden", FAN, hidden="U"),
        drawing(
            marginal_mag(fan, ["X", "Y", "Z"]), "what is left",
            {"X": (0.0, 0.5), "Y": (1.0, 0.0), "Z": (1.0, 1.0)},
        ),
    )  # fmt: skip
    yield (
        "equivalence",
        picture(
            drawing(chain, "separated: X and Z given Y"),
            drawing("Y -> X; Y -> Z", "the same", "XYZ"),
            drawing("Z -> Y; Y -> X", "the same", "XYZ"),
            drawing(collider, "another: X and Z given nothing"),
            in_row=2,
        ),
    )
    yield (
        "pag",
        picture(
            drawing(pag_of(chain), "the PAG of the first three above"),
            drawing(pag_of(collider), "the PAG of the last"),
        ),
    )
    yield (
        "discriminating-path",
        picture(
            drawing(
                "T <-> A; A <-> B; A -> C; B -> C", "T, A, B, C discriminates B:\nhere no collider", DISCRIMINATING
            ),
            drawing("T <-> A; A <-> B; A -> C; B <-> C", "here a collider", DISCRIMINATING),
        ),
    )
    yield (
        "trek",
        picture(
            drawing("U -> X; U -> Y", "confounded by U", "XUY"),
            drawing("W -> X; W <-> Y", "confounded: W <-> Y above X", "XWY"),
            drawing("X -> W; Y -> W", "not confounded", "XWY"),
        ),
    )
    yield (
        "selection",
        picture(
            drawing("X -> S; Y -> S", "only some values of S\ncame into the study", "XSY", given="S"),
            drawing("X -- Y", "what is seen"),
        ),
    )
    yield (
        "structures",
        picture(*(drawing(text, text.replace("; X", " &")) for text in ("X -> Y", "X <-> Y", "X -> Y; X <-> Y"))),
    )
    yield (
        "overlap",
        picture(
            drawing("X -> Y", "study A"),
            drawing("Y -> Z", "study B"),
            drawing("X; Y; Z", "together: Y is the overlap,\nX and Z were never measured together"),
        ),
    )


def main() -> None:
    """Write all of them."""
    for name, content in pictures():
        (FOLDER / f"glossary-{name}.svg").write_bytes(content)


if __name__ == "__main__":
    main()
