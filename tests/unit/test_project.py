"""The promises that the project files make: locked versions, package data, layers, and what an import may load."""

from __future__ import annotations

import pkgutil
import re
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import weft
import weft.cli

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "weft"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK_LINES = [
    line for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")
]
LOCK = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in LOCK_LINES)}

RUNTIME: list[str] = PROJECT["project"]["dependencies"]
DEVELOPMENT: list[str] = PROJECT["project"]["optional-dependencies"]["dev"]
BUILD: list[str] = PROJECT["build-system"]["requires"]


def installed_closure(requirements: list[str]) -> dict[str, str]:
    """Name and installed version of everything that the requirements pull in on this machine."""
    versions: dict[str, str] = {}
    waiting = [(Requirement(text), "") for text in requirements]
    while waiting:
        requirement, extra = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in versions or (requirement.marker and not requirement.marker.evaluate({"extra": extra})):
            continue
        distribution = metadata.distribution(name)
        versions[name] = distribution.version
        waiting += [
            (Requirement(text), wanted) for text in distribution.requires or [] for wanted in {"", *requirement.extras}
        ]
    return versions


def project_files() -> Iterator[Path]:
    """Every text file of the project, without what running it leaves behind."""
    for path in sorted(ROOT.rglob("*")):
        folders = set(path.relative_to(ROOT).parts[:-1]) - {".ci", ".github"}
        made = any(name.startswith(".") or name in {"build", "dist", "node_modules", "__pycache__"} for name in folders)
        if path.is_file() and not made:
            yield path


def needed_by() -> dict[str, str]:
    """For each requirement in pyproject.toml, the path that its comment names."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return dict(re.findall(r'^ +"([^"]+)", +# ([^\s:,]+)', text, flags=re.MULTILINE))


def test_the_tests_run_against_this_tree() -> None:
    # A virtual environment that was copied along with the tree would still import the original.
    assert Path(weft.__file__).resolve() == (PACKAGE / "__init__.py").resolve()


def test_one_version() -> None:
    assert PROJECT["project"]["version"] == metadata.version("weft") == weft.__version__


def referred_to() -> Iterator[tuple[str, str]]:
    """What docstrings refer to by its full name or as a neighbour, after the file that does."""
    reference = re.compile(r":(?:mod|class|func|meth|attr|data|exc):`~?((?:weft)?\.[^`]+)`")
    for path in sorted(PACKAGE.rglob("*.py")):
        folder = ".".join(("weft", *path.relative_to(PACKAGE).parts[:-1]))
        for name in reference.findall(path.read_text(encoding="utf-8")):
            yield str(path.relative_to(ROOT)), f"{folder}{name}" if name.startswith(".") else name


def is_there(name: str) -> bool:
    """Whether there is a module, a member or a field of that name."""
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        owner, _, field = name.rpartition(".")
        try:
            return field in getattr(pkgutil.resolve_name(owner), "__dataclass_fields__", {})
        except (ImportError, AttributeError):
            return False
    return True


def test_docstrings_refer_to_what_is_there() -> None:
    references = list(referred_to())
    assert len(references) > 100
    assert [(path, name) for path, name in references if not is_there(name)] == []


def test_the_command_line_lists_its_modules() -> None:
    listed = re.findall(r"^:mod:`\.(\w+)`", weft.cli.__doc__ or "", flags=re.MULTILINE)
    assert sorted(listed) == sorted(path.stem for path in (PACKAGE / "cli").glob("[!_]*.py"))


def test_lock_holds_names_and_versions_only() -> None:
    pin = re.compile(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+")
    assert [line for line in LOCK_LINES if not pin.fullmatch(line)] == []
    assert len(LOCK) == len(LOCK_LINES), "a package stands twice in constraints.txt"


@pytest.mark.parametrize("text", RUNTIME + DEVELOPMENT + BUILD)
def test_requirement_is_locked_within_its_bounds(text: str) -> None:
    requirement = Requirement(text)
    assert requirement.specifier.contains(LOCK[canonicalize_name(requirement.name)])


def test_everything_installed_is_what_the_lock_says() -> None:
    installed = installed_closure(RUNTIME + DEVELOPMENT + BUILD)
    assert len(installed) > len(RUNTIME + DEVELOPMENT), "no indirect dependency was followed"
    assert installed == {name: LOCK.get(canonicalize_name(name)) for name in installed}


def test_lock_covers_the_editable_build() -> None:
    # hatchling asks for these at build time only, so they are in no metadata.
    wanted = subprocess.run(
        [sys.executable, "-c", "from hatchling.build import *; print(*get_requires_for_build_editable(), sep='\\n')"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert {canonicalize_name(Requirement(text).name) for text in wanted} <= LOCK.keys()


@pytest.mark.parametrize("text", RUNTIME + DEVELOPMENT)
def test_requirement_says_which_file_needs_it(text: str) -> None:
    assert (ROOT / needed_by()[text]).exists()


@pytest.mark.parametrize("text", RUNTIME)
def test_runtime_requirement_is_used_where_it_says(text: str) -> None:
    name, place = Requirement(text).name, ROOT / needed_by()[text]
    sources = place.rglob("*.py") if place.is_dir() else [place]
    used = re.compile(rf"^\s*(import|from) {name}\b", flags=re.MULTILINE)
    assert any(used.search(source.read_text(encoding="utf-8")) for source in sources)


def test_wheel_holds_every_file_of_the_package(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(ZipFile(wheel).namelist())
    wanted = {path.relative_to(PACKAGE.parent).as_posix() for path in project_files() if PACKAGE in path.parents}
    assert wanted <= packed
    assert "weft/py.typed" in packed
    assert any(name.startswith("weft/search/") and name.endswith(".lp") for name in packed)


def test_source_archive_holds_what_its_own_tests_need(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        packed = {name.partition("/")[2] for name in file.getnames()}
    folders = {"src", "tests", "benchmarks", "docs", "web", ".ci", ".github"}
    inside = (path.relative_to(ROOT) for path in project_files())
    wanted = {path.as_posix() for path in inside if path.parts[0] in folders}
    assert {folder for folder in folders if (ROOT / folder).is_dir()} == {path.partition("/")[0] for path in wanted}
    assert wanted | {"LICENSE", "README.md", "CITATION.cff", "Makefile", "constraints.txt", "pyproject.toml"} <= packed


def test_no_registry_address() -> None:
    # Where packages come from is the business of the machine that installs them.
    address = re.compile(r"index[-_]url|find[-_]links|pypi\.org/simple|python[h]osted\.org|file[:]///", re.IGNORECASE)
    files = list(project_files())
    assert ROOT / "constraints.txt" in files
    assert ROOT / ".ci" / "run" in files
    assert ROOT / ".github" / "workflows" / "test.yml" in files
    assert [path for path in files if address.search(path.read_text(encoding="utf-8", errors="replace"))] == []


def test_every_subpackage_has_its_layer() -> None:
    contracts = PROJECT["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    named = {module.strip(" ()") for layer in layers for module in re.split(r"[|:]", layer)}
    assert {f"weft.{path.parent.name}" for path in PACKAGE.glob("*/__init__.py")} <= named


def test_only_modules_for_data_load_numpy() -> None:
    # Half of the time budget of `weft --help` would go into it.
    data = (
        "weft.studies",
        "weft.evidence.arrays",
        "weft.evidence.collect",
        "weft.evidence.complete",
        "weft.evidence.confounding",
        "weft.evidence.independence",
        "weft.evidence.orientation",
        "weft.evidence.promising",
        "weft.evidence.ranks",
        "weft.evidence.relate",
        "weft.evidence.same_process",
        "weft.evidence.seen",
        "weft.evidence.stating",
        "weft.evidence.tester",
        "weft.report.canvas",
        "weft.report.effects_figure",
        "weft.report.pair_figure",
        "weft.checking",
        "weft.effects",
        "weft.plan",
        "weft.solutions.effect_sizes",
        "weft.solutions.suggest_effect",
        "weft.gathering",
        "weft.bootstrap",
        "weft.search.kernel",
    )
    modules = [
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.name not in {"__init__.py", "__main__.py"}
    ]
    modules = [module for module in modules if not module.startswith(data)]
    assert "weft.graphs.mixed" in modules
    program = "import importlib, sys; [importlib.import_module(m) for m in sys.argv[1:]]; print('numpy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program, *modules], check=True, capture_output=True, text=True)
    assert ran.stdout.strip() == "False"
