"""``weft convert``: a graph from one format into another."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from weft.cli import options

if TYPE_CHECKING:
    from weft.graphs.mixed import MixedGraph

# "\b" tells click to leave the lines as they are.
EXAMPLES = """\b
Formats, with the suffixes that stand for them:
  weft          weft's text, X -> Y; Y <-> Z                .weft
  edges         a table with the columns from, edge, to     .csv
  parquet       the same table as Parquet                   .parquet, .pq
  tetrad        Tetrad's graph text
  dagitty       dagitty's pag { a @-> b }                   .dagitty
  pcalg         pcalg's matrix of a PAG, as CSV
  causal-learn  causal-learn's matrix, as CSV
  dagitty-mag   a structure as mag { a -> b }, written only
  dowhy         a structure for DoWhy, written only         .gml
  dot           Graphviz, written only                      .dot, .gv
  graphml       GraphML, written only                       .graphml
  cytoscape     Cytoscape's JSON, written only              .cyjs

\b
weft convert graph.weft graph.dot
weft convert pag.csv - --from pcalg --to dagitty
echo "X -> Y; X <-> Y" | weft convert - edges.csv
weft convert result.json certain.dot --part certain
weft convert result.json first.dagitty --structure 1
weft convert result.json first.gml --structure 1
"""


@click.command(short_help="Turn a graph from one format into another.", epilog=EXAMPLES)
@click.argument("source", metavar="INPUT")
@click.argument("target", metavar="OUTPUT")
@click.option(
    "--from",
    "read_as",
    type=options.Names("weft.formats.registry.READ"),
    metavar="FORMAT",
    help="The format of INPUT; required for a matrix.  [default: by its suffix, or else by its content]",
)
@click.option(
    "--to",
    "write_as",
    type=options.Names("weft.formats.registry.WRITTEN"),
    metavar="FORMAT",
    help="The format of OUTPUT.  [default: by its suffix; weft on standard output]",
)
@click.option(
    "--part",
    type=options.Choice(["certain", "union"]),
    help="Of a result file: the edges that are in all structures, or those that are in some. An end that differs "
    "between structures is a circle.",
)
@click.option(
    "--structure", type=click.IntRange(min=1), metavar="N", help="Of a result file: its N-th structure.  [default: 1]"
)
def convert(
    source: str, target: str, read_as: str | None, write_as: str | None, part: str | None, structure: int | None
) -> None:
    """Turn the graph in INPUT into another format, in OUTPUT.

    - means standard input or standard output. If the format cannot hold the graph, nothing is written. INPUT may be a
    result file, too: then one of its structures is written, or what they have in common.
    """
    from weft.cli.targets import check_targets, ends_in
    from weft.formats.files import read_graph, write_graph
    from weft.solutions.result_file import is_result

    check_targets({"OUTPUT": target}, [source])
    if write_as is None and ends_in(target, "picture"):
        raise click.UsageError(f"{target}: a graph is written as text; weft report RESULT --figure {target} draws it")
    if is_result(source):
        graph = _of_result(source, part, structure)
        if write_as == "dagitty" or (write_as is None and target.lower().endswith(".dagitty")):
            write_as = "dagitty-mag"  # a structure is a MAG, whose edges may hide common causes
    else:
        with _called("from"):
            graph = read_graph(sys.stdin.buffer if source == "-" else source, read_as)
    with _called("to"):
        if target == "-":
            write_graph(graph, sys.stdout.buffer, write_as or "weft")
        else:
            write_graph(graph, target, write_as)


@contextlib.contextmanager
def _called(option: str) -> Iterator[None]:
    """What Python calls ``format`` is this option."""
    from weft.errors import Argument, GraphError

    try:
        yield
    except GraphError as error:
        parts = (replace(one, keyword=option) if isinstance(one, Argument) else one for one in error.args)
        raise GraphError(*parts) from None


def _of_result(path: str, part: str | None, structure: int | None) -> MixedGraph:
    """The graph that is meant of a result."""
    import weft
    from weft.solutions.overlaid import certain_part, union

    if part is not None and structure is not None:
        raise click.UsageError("--part and --structure exclude each other; say one")
    solutions = weft.load_result(path)
    structures = solutions.structures
    if not structures.number:
        raise click.UsageError(f"{path}: no structure is consistent, so that there is nothing to write")
    if part is not None:
        return (certain_part if part == "certain" else union)(structures)
    if (structure or 1) > structures.number:
        raise click.UsageError(f"--structure {structure}: {path} has {structures.number:,}")
    return structures[(structure or 1) - 1]
