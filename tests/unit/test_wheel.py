"""The wheel as users get it: installed in an environment of its own, with and without extras, on each Python there is.

Packages come from where this machine's pip finds them, in the versions of ``constraints.txt``; without any, the tests
are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VERSIONS = ("3.11", "3.12", "3.13")
EXTRAS = "figures,excel,stats,parquet,networkx,explore,dask"
TRIED = """
import sys, weft
from pathlib import Path
from weft.examples import health
assert Path(sys.prefix) in Path(weft.__file__).parents, weft.__file__
tables = {name: weft.Study.read(table, name) for name, table in health.tables().items()}
solutions = weft.discover(tables, independence="fisher-z", orientation="lingam", cache=None, n_jobs=1)
solutions.save("result.json")
print(solutions.consistent)
"""
WITH_EXTRAS = """
import weft, pyreadstat, python_calamine, pyarrow, networkx, starlette, uvicorn, distributed
solutions = weft.solve(weft.oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]]))
solutions.plot().savefig("picture.png")
"""


@cache
def python_of(version: str) -> str | None:
    """An interpreter of that version which can make environments; they may hide behind pyenv's shims."""
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        return sys.executable
    shelves = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"), reverse=True)
    for found in (shutil.which(f"python{version}"), *map(str, shelves)):
        if found and subprocess.run([found, "-c", "import venv, ensurepip"], capture_output=True).returncode == 0:
            return found
    return None


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (found,) = folder.glob("*.whl")
    return found


def environment() -> dict[str, str]:
    """Nothing of this environment reaches into the new one; where packages come from does."""
    ours = ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME")
    return {name: value for name, value in os.environ.items() if name not in ours}


def installed(folder: Path, version: str, wheel: Path, extras: str) -> Path:
    """The programs of a new environment with weft in it."""
    python = python_of(version)
    if python is None:
        pytest.skip(f"no Python {version} that can make environments")
    subprocess.run([python, "-m", "venv", folder], check=True, capture_output=True, env=environment())
    asked = f"{wheel}[{extras}]" if extras else str(wheel)
    pip: list[str | Path] = [
        folder / "bin" / "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "-c",
        ROOT / "constraints.txt",
        asked,
    ]
    done = subprocess.run(pip, capture_output=True, text=True, env=environment())
    if done.returncode and "No matching distribution" in done.stderr:
        pytest.skip(f"no packages for Python {version}: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    return folder / "bin"


def said(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment())
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_the_wheel_alone(version: str, wheel: Path, tmp_path: Path) -> None:
    programs = installed(tmp_path / "fresh", version, wheel, "")
    assert said(programs / "python", "-c", TRIED, folder=tmp_path) == "True\n"
    assert said(programs / "weft", "--version", folder=tmp_path).startswith("weft")
    said(programs / "weft", "report", "result.json", "-o", "report.html", "--patience", "0", folder=tmp_path)
    assert (tmp_path / "report.html").stat().st_size > 100_000
    without = subprocess.run(
        [programs / "weft", "report", "result.json", "--figure", "picture.png"],
        capture_output=True, text=True, cwd=tmp_path, env=environment(),
    )  # fmt: skip
    assert without.returncode == 2
    assert "install weft[figures]" in without.stderr


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_the_wheel_with_extras(version: str, wheel: Path, tmp_path: Path) -> None:
    programs = installed(tmp_path / "fresh", version, wheel, EXTRAS)
    said(programs / "python", "-c", WITH_EXTRAS, folder=tmp_path)
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
