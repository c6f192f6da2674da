"""``weft evidence``: what tables say, as a file; ``weft discover`` stopped before the solver."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from weft.cli import options

if TYPE_CHECKING:
    from weft.cli.tables import Reader
    from weft.cli.work import Work
    from weft.gathering import Gathered
    from weft.knowledge import Knowledge

# "\b" tells click to leave the lines as they are.
EXAMPLES = """\b
weft evidence clinic.csv registry.parquet -o evidence.json
weft evidence uk=2019/a.csv us=2021/a.csv --kind stage=ordinal --drop id
weft evidence clinic.csv registry.csv | weft solve - --repair

\b
The last line gives the answer of weft discover clinic.csv registry.csv. Give
--knowledge and --method to both commands: weft evidence takes experiments
into account and judges pairs only for methods that use them; weft solve takes
everything else into account.
"""


@click.command(short_help="Write what tests find in tables: discover, without the answer.", epilog=EXAMPLES)
@click.argument("tables", nargs=-1, required=True, metavar="[NAME=]TABLE...")
@options.output
@options.knowledge
@options.gathering
@options.reading
@options.working
def evidence(
    tables: Sequence[str],
    output: str,
    knowledge_files: Sequence[str],
    settings: Mapping[str, Any],
    reader: Reader,
    work: Work,
) -> None:
    """Find what tests say about TABLES: which pairs are separated, which are connected, and which way they point.

    TABLES are those of weft discover: each is one study; studies share some columns. NAME= gives a study a name other
    than its file's. The evidence goes to --output; weft solve reads it.
    """
    from weft.cli.tables import named_files, plan_among, read_knowledge
    from weft.cli.targets import check_targets
    from weft.evidence.file import dump
    from weft.gathering import from_tables, informed
    from weft.parallel import Workers
    from weft.plan import read_plan
    from weft.progress import usual_stages
    from weft.settings import Settings
    from weft.solutions.result_file import check_target

    if output != "-":
        check_target(output)
    check_targets({"-o": output}, [*named_files(tables).values(), *knowledge_files, work.cache])
    said: dict[str, Any] = {**settings, "knowledge": read_knowledge(knowledge_files)}
    plan = plan_among(tables, reader)
    said = {**said, "studies": reader.studies(tables)} if plan is None else read_plan(plan).applied(said)
    studies, known = said.pop("studies"), said.pop("knowledge")
    known, chosen, workers = informed(studies, known), Settings(**said), Workers(work.n_jobs, work.dask)
    with work.begun(usual_stages(orients=chosen.orients)) as (log, cache):
        found = from_tables(studies, known, chosen, workers=workers, cache=cache, progress=log.progress, warn=log.warn)
        log.stop()
        for warning in found.evidence.warnings:
            log.warn(warning)
        dump(found.evidence, sys.stdout if output == "-" else output)
        for line in (*_counts(found), *_still_to_be_said(known)):
            log.note(line)


def _counts(found: Gathered) -> Iterator[str]:
    made = found.evidence
    yield (
        f"{len(made.connected):,} pairs are connected, {found.pairs - found.undecided - len(made.connected):,} apart, "
        f"{found.undecided:,} undecided; "
        f"{found.tests_made:,} tests made, {found.tests_reused:,} reused"
        + (f", {found.tests_spared:,} not needed" if found.tests_spared else "")
        + ("" if found.tests_allowed is None else f", of at most {found.tests_allowed:,}")
    )
    if found.judged:
        judged = {(one.x, one.y) for one in made.relations if one.provenance.source == made.settings["orientation"]}
        yield f"{len(judged):,} of {found.judged:,} pairs that were judged have a direction"


def _still_to_be_said(knowledge: Knowledge) -> Iterator[str]:
    """What of the knowledge is in the evidence, and what the solver still has to be told."""
    if knowledge.experiments:
        studies = ", ".join(sorted(knowledge.interventions))
        yield f"the evidence takes into account what was set in {studies}"
    if knowledge.items:
        yield "what else is known is not in the evidence: give weft solve the same --knowledge"
