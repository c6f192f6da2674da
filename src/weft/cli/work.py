"""How a command that tests tables does its work: where tests run, where results are kept, who is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.cli.failures import complain, say_when_ended, speak_json
from weft.cli.progress import Log, told

if TYPE_CHECKING:
    from weft.evidence.cache import ResultCache


@dataclass(frozen=True)
class Work:
    """The values of the options; with ``--json-log``, from now on all that is said is JSON."""

    n_jobs: int
    dask: str | None
    cache: str | None
    no_cache: bool
    quiet: bool
    json_log: bool

    def __post_init__(self) -> None:
        if self.json_log:
            speak_json()

    @contextmanager
    def begun(self, stages: Mapping[str, float]) -> Iterator[tuple[Log, ResultCache]]:
        """Who is told how far it is, of these stages, and where results are kept, until the work is done."""
        with (
            told(stages, quiet=self.quiet, json_log=self.json_log) as log,
            open_cache(self.cache, memory=self.no_cache) as cache,
        ):
            if not self.no_cache:
                say_when_ended("test results so far are saved; the same command continues from there")
            yield log, cache


def open_cache(path: str | None, *, memory: bool) -> ResultCache:
    """The cache in that file, the user's if none is named, or in memory; warnings are said."""
    from weft.evidence.cache import ResultCache, usual

    cache = usual() if path is None and not memory else ResultCache(None if memory else path)
    for warning in cache.warnings:
        complain(f"warning: {warning}")
    return cache
