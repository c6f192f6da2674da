"""Everything together: run experiments, and write what came of them into a folder."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from weft.progress import Progress, no_progress
from weft.reproduce.page import Run, as_html, as_markdown
from weft.reproduce.plots import as_svg, can_draw
from weft.reproduce.registry import EXPERIMENTS
from weft.reproduce.runner import Size, run
from weft.reproduce.sections import Plot, Section
from weft.reproduce.units import Done, Store, make_folder
from weft.solutions.result_file import write_whole
from weft.version import __version__

FORMAT = "weft-reproduction/1"


def reproduce(
    names: Sequence[str],
    folder: Path,
    *,
    quick: bool = False,
    seed: int = 0,
    n_jobs: int = 1,
    progress: Progress = no_progress,
) -> list[Section]:
    """Run experiments, or go on with them, and write ``results.json``, ``reproduction.md`` and ``reproduction.html``.

    Parameters
    ----------
    names
        The experiments, as in :data:`~weft.reproduce.registry.EXPERIMENTS`.
    folder
        Where results go, and where those of an earlier run are looked for.
    quick
        Fewer repetitions, less patience, fewer rows of the proteins.
    seed
        Of everything that is drawn.
    n_jobs
        The number of processes; -1 for one for each core.
    progress
        Is told what is being done, how much of it is done, and how much there is.
    """
    make_folder(folder)
    size, store = Size(quick, seed), Store(folder)
    done = {name: run(EXPERIMENTS[name], size, store, n_jobs, progress) for name in names}
    sections = [EXPERIMENTS[name].section(units) for name, units in done.items()]
    how = _described(names, done, size, n_jobs, folder)
    _write(folder, how, sections, done)
    return sections


def _described(names: Sequence[str], done: dict[str, list[Done]], size: Size, n_jobs: int, folder: Path) -> Run:
    what = "all" if list(names) == list(EXPERIMENTS) else " ".join(names)
    flags = f"{' --quick' if size.quick else ''}{f' --seed {size.seed}' if size.seed else ''}"
    cores = os.cpu_count() or 1
    seconds = {name: sum(one.seconds for one in units) for name, units in done.items()}
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    command = f"weft reproduce {what}{flags} -o {folder.name or folder}"
    return Run(command, size.quick, size.seed, cores if n_jobs == -1 else n_jobs, cores, load, seconds)


def _write(folder: Path, how: Run, sections: Sequence[Section], done: dict[str, list[Done]]) -> None:
    plots = [block for section in sections for block in section.blocks if isinstance(block, Plot)]
    drawings = {plot.name: as_svg(plot) for plot in plots} if can_draw() else {}
    pictures = {name: f"reproduction-{name}.svg" for name in drawings}
    for name, drawing in drawings.items():
        write_whole(folder / pictures[name], drawing)
    write_whole(folder / "results.json", json.dumps(_document(how, sections, done), indent=1, allow_nan=False) + "\n")
    write_whole(folder / "reproduction.md", as_markdown(how, sections, pictures))
    write_whole(folder / "reproduction.html", as_html(how, sections, drawings))


def _document(how: Run, sections: Sequence[Section], done: dict[str, list[Done]]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": __version__,
        "command": how.command,
        "quick": how.quick,
        "seed": how.seed,
        "machine": {"cores": how.cores, "processes": how.jobs, "load": how.load},
        "table": [row.document() for section in sections for row in section.rows],
        "experiments": {name: [one.document() for one in units] for name, units in done.items()},
    }
