"""Runs a task in a fresh process, with a limit on its time."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.settings import Settings

ROOT = Path(__file__).resolve().parent.parent

_START_UP = 20.0
"""Seconds that a process may take before its task begins: imports, a tiny problem, the evidence."""


class TaskFailedError(Exception):
    """A task ended without an answer."""


def run_task(name: str, arguments: Mapping[str, Any], limit: float, settings: Settings) -> dict[str, Any] | None:
    """The answer of one of :data:`benchmarks.tasks.TASKS`; ``None`` if it took longer than the limit.

    The time it took is under ``"seconds"``.
    """
    command = [sys.executable, "-m", "benchmarks.tasks", name, json.dumps(dict(arguments))]
    patience = limit * settings.patience + _START_UP
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=patience, check=False)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        raise TaskFailedError(f"{name} {dict(arguments)}: {done.stderr.strip()[-2000:]}")
    answer: dict[str, Any] = json.loads(done.stdout)
    answer["seconds"] = answer["processor" if settings.processor else "clock"]
    return answer if answer["seconds"] <= limit else None
