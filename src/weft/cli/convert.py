"""``weft convert``: a graph from one format into another."""

from __future__ import annotations

import sys

import click

from weft.cli import options

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
  dot           Graphviz, written only                      .dot, .gv
  graphml       GraphML, written only                       .graphml
  cytoscape     Cytoscape's JSON, written only              .cyjs

\b
weft convert graph.weft graph.dot
weft convert pag.csv - --from pcalg --to dagitty
echo "X -> Y; X <-> Y" | weft convert - edges.csv
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
def convert(source: str, target: str, read_as: str | None, write_as: str | None) -> None:
    """Turn the graph in INPUT into another format, in OUTPUT.

    - means standard input or standard output. If the format cannot hold the graph, nothing is written.
    """
    from weft.cli.targets import check_targets
    from weft.formats.files import read_graph, write_graph

    check_targets({"OUTPUT": target}, [source])
    graph = read_graph(sys.stdin.buffer if source == "-" else source, read_as)
    if target == "-":
        write_graph(graph, sys.stdout.buffer, write_as or "weft")
    else:
        write_graph(graph, target, write_as)
