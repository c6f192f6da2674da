"""The example notebooks run from top to bottom, show answers as people read them, and become pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

from tests.docs.pages import ROOT
from weft.progress import TESTS

FOLDER = ROOT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
AT_ONCE = "import weft.bar; weft.bar.DELAY = weft.bar.EVERY = 0.001"
"""A cell after which a bar is shown even if it takes no time."""


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def executed(notebook: Any, folder: Path) -> Any:
    """The notebook, run in a folder of its own."""
    client = NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
    return client.execute()


def shown(notebook: Any, code: str) -> list[Any]:
    """What the cell that begins with this code shows."""
    (cell,) = (one for one in notebook.cells if one.cell_type == "code" and one.source.startswith(code))
    return list(cell.outputs)


def html_of(notebook: Any, code: str) -> str:
    (found,) = (one for one in shown(notebook, code) if one.output_type == "execute_result")
    return str(found.data["text/html"])


def test_there_are_three() -> None:
    assert len(NOTEBOOKS) == 3
    page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    assert all(f"(notebooks/{path.name})" in page for path in NOTEBOOKS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_they_are_kept_without_outputs(path: Path) -> None:
    cells = [one for one in read(path).cells if one.cell_type == "code"]
    assert cells
    assert all(not one.outputs and one.execution_count is None for one in cells)


def test_what_if(tmp_path: Path) -> None:
    done = executed(read(FOLDER / "what-if.ipynb"), tmp_path)
    (answer,) = shown(done, "supposed = ")[:1]
    assert answer.text == "12 structures, and 5 if smoking causes tar\n"
    assert "did you mean 'smoking'?" in shown(done, "try:")[0].text


def test_your_tables(tmp_path: Path) -> None:
    done = executed(read(FOLDER / "your-tables.ipynb"), tmp_path)
    assert "weight causes sugar" in html_of(done, "known = ")
    assert "<table" in html_of(done, "solutions.summary")
    assert shown(done, "solutions.save")[0].data["text/plain"] == "True"


def test_three_studies_with_a_bar_and_as_a_page(tmp_path: Path) -> None:
    notebook = read(FOLDER / "three-studies.ipynb")
    notebook.cells.insert(0, nbformat.v4.new_code_cell(AT_ONCE))  # type: ignore[no-untyped-call]
    done = executed(notebook, tmp_path)
    bar, answer = shown(done, "solutions = ")
    assert (bar.output_type, bar.data["text/plain"].strip("'")) == ("display_data", "")  # it was there, and is cleared
    assert TESTS not in str(done)
    assert "bmi causes pressure" in answer.data["text/html"]
    assert answer.data["text/plain"].startswith("<SolutionSet: 7 variables, 3 studies")
    assert shown(done, "solutions.score")[0].data["text/plain"] == "True"
    page, _ = HTMLExporter().from_notebook_node(done)  # type: ignore[no-untyped-call]
    assert re.search(r"<td>\w+ causes \w+</td>", page), "the claims as a frame"
    for words in ("12 causal effects", "it follows from this", "measure age too in study"):
        assert words in page
    assert "<pre style='font-family: monospace'>" in html_of(done, "solutions.explain")  # columns stay columns
    assert "data:image/png;base64," in page
