"""``python -m benchmarks [TOPIC ...]``: measures and prints the table."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

import clingo
from threadpoolctl import threadpool_limits

from benchmarks import (
    answers,
    collecting,
    command,
    confidence,
    contradictions,
    counting,
    directions,
    discovery,
    effects,
    engine,
    evidence,
    five_structures,
    halves,
    independence,
    networks,
    peers,
    repair,
    report,
    statements,
    truth,
)
from benchmarks.settings import Settings
from benchmarks.table import Row, heading, section


class Topic(NamedTuple):
    """A group of rows."""

    title: str
    measure: Callable[[Settings], Iterator[Row]]


TOPICS = {
    "synthetic2": Topic("Synthetic 2, IOD, oracle evidence", engine.synthetic_2),
    "command": Topic("The command line", command.command_line),
    "answers": Topic("From a command to its answer, where there are many structures", answers.answers),
    "sketch": Topic("Summary, Causal IOD, mean degree 2, beside the first encoding", peers.sketch),
    "large": Topic("Large problems, Causal IOD, mean degree 2", engine.large),
    "enumeration": Topic("8-variable problems with many solutions", engine.enumeration),
    "counting": Topic("What cannot be walked: estimates, fair samples", counting.counting),
    "repair": Topic("Optimal repair, with its proof, of statements turned into their opposites", repair.repair),
    "contradictions": Topic("What must be given up of real evidence", contradictions.contradictions),
    "speed": Topic("kcit beside causal-learn's KCI, processor time", independence.speed),
    "calibration": Topic("kcit: false positives at .05, 300 repetitions", independence.calibration),
    "tails": Topic("kcit: false positives far out, 2000 repetitions", independence.tails),
    "power": Topic("kcit: power beside kcit-exact, 300 repetitions", independence.power),
    "report": Topic("The report of 65,304 structures on eleven variables", report.report),
    "collecting": Topic("Part 1: from tables to evidence", collecting.collecting),
    "discovery": Topic("The whole way, from tables to an answer", discovery.discovery),
    "evidence": Topic("What is stated about simulated data: how much of it is wrong", evidence.evidence),
    "statements": Topic("What is stated about public networks: how much of it is wrong", statements.statements),
    "networks": Topic("Tools for overlapping studies: what they claim, and how much of it is wrong", networks.networks),
    "confidence": Topic("How sure claims are, and how often they are right", confidence.confidence),
    "effects": Topic("Effects: how often their intervals hold the truth", effects.effects),
    "bootstrap": Topic("What a bootstrap share is worth", halves.bootstrap),
    "truth": Topic("Truth found: drawn data, two studies, 5 to 8 variables", truth.truth),
    "directions": Topic("Direction of a pair: families, the paper's equations, Tuebingen", directions.directions),
    "five": Topic("The five structures of linear non-Gaussian pairs", five_structures.five_structures),
    "harder": Topic("Summary of harder problems (no goal set)", engine.harder),
}


def main() -> None:
    """Measure the topics that were asked for, all by default."""
    options = _options()
    settings = Settings(
        options.quick,
        options.sketch_limit,
        options.hard_limit,
        options.processor,
        options.splits,
        tuple(options.source),
    )
    machine = _machine()
    print(machine)
    if options.quick:
        print("--quick: one seed of each; for figures that mean something, leave it out")
    if options.processor:
        print("--processor: processor time, not the clock's")
    print(f"\n{heading()}", flush=True)
    measured: dict[str, list[Row]] = {}
    with threadpool_limits(limits=1):  # one thread each, for us and for the peers
        for name in options.topics or TOPICS:
            print(section(TOPICS[name].title), flush=True)
            rows = measured.setdefault(name, [])
            for row in TOPICS[name].measure(settings):
                print(row, flush=True)
                rows.append(row)
    missed = [row.what.strip() for rows in measured.values() for row in rows if row.reached is False]
    print(f"\nGoals missed: {'; '.join(missed) if missed else 'none'}")
    if options.json:
        _write(options.json, machine, measured)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help=f"what to measure: {', '.join(TOPICS)}")
    parser.add_argument("--quick", action="store_true", help="one seed of each, in a minute or so")
    parser.add_argument("--sketch-limit", type=float, default=120, metavar="SECONDS", help="for each run of the sketch")
    parser.add_argument("--hard-limit", type=float, default=60, metavar="SECONDS", help="for each harder problem")
    parser.add_argument("--processor", action="store_true", help="processor time, for a machine that is busy")
    parser.add_argument("--splits", type=int, metavar="N", help="networks: at most so many splits of a source")
    parser.add_argument("--source", action="append", default=[], metavar="NAME", help="networks: only this source")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the single values there too")
    options = parser.parse_args()
    if unknown := [name for name in options.topics if name not in TOPICS]:
        parser.error(f"there is no topic {unknown[0]!r}; choose from {', '.join(TOPICS)}")
    return options


def _machine() -> str:
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    python = platform.python_version()
    return f"{date.today()}  {os.cpu_count()} cores{load}  Python {python}, clingo {clingo.__version__}"


def _write(path: Path, machine: str, measured: dict[str, list[Row]]) -> None:
    topics = {name: [row.as_json() for row in rows] for name, rows in measured.items()}
    path.write_text(json.dumps({"machine": machine, "topics": topics}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
