"""What contributors and GitHub read: the workflow, the templates, the hooks, and how weft is cited."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs.pages import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOW = ROOT / ".github" / "workflows" / "test.yml"
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_workflow_runs_what_a_contributor_runs() -> None:
    jobs = read(WORKFLOW)["jobs"]
    steps = jobs["test"]["steps"]
    assert [step["run"] for step in steps if "run" in step] == [".ci/run"]
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert any("hatchling build" in step.get("run", "") for step in jobs["wheel"]["steps"])


def test_workflow_runs_every_python_that_the_project_names() -> None:
    named = [text.rpartition(" ")[2] for text in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", text)]
    assert read(WORKFLOW)["jobs"]["test"]["strategy"]["matrix"]["python"] == named


def test_issue_forms_ask_for_something() -> None:
    forms = {path.stem: read(path) for path in FORMS if path.stem != "config"}
    assert set(forms) == {"bug", "wrong-answer", "feature"}
    for form in forms.values():
        assert form["name"]
        assert form["description"]
        fields = [field for field in form["body"] if field["type"] != "markdown"]
        assert any(field.get("validations", {}).get("required") for field in fields)
        assert len({field["id"] for field in fields}) == len(fields)


def test_a_wrong_answer_comes_with_its_evidence() -> None:
    (form,) = (read(path) for path in FORMS if path.stem == "wrong-answer")
    fields = {field.get("id"): field for field in form["body"]}
    assert fields["evidence"]["validations"]["required"] is True


def test_hooks_are_the_tools_of_this_environment() -> None:
    (source,) = read(ROOT / ".pre-commit-config.yaml")["repos"]
    assert source["repo"] == "local"
    programs = {hook["id"]: hook["entry"].split()[0] for hook in source["hooks"]}
    assert programs == {"ruff": ".venv/bin/ruff", "ruff-format": ".venv/bin/ruff", "mypy": ".venv/bin/mypy"}
    assert {hook["language"] for hook in source["hooks"]} == {"system"}


def test_citation_is_of_this_version() -> None:
    citation = read(ROOT / "CITATION.cff")
    assert citation["version"] == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]
    assert citation["repository-code"] == PROJECT["urls"]["Source"]
    assert [author["family-names"] for author in citation["references"][0]["authors"]] == ["Dhir", "Lee"]


@pytest.mark.parametrize("name", ["Documentation", "Changelog"])
def test_address_of_a_page_names_a_page(name: str) -> None:
    address, home = PROJECT["urls"][name], f"{PROJECT['urls']['Homepage']}/blob/main/"
    assert address.startswith(home)
    assert (ROOT / address.removeprefix(home)).is_file()
