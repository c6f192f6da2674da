"""Work on several cores or on a cluster; the only file that knows joblib.

A job is a plain function and its argument, both picklable. Answers come back as soon as they are known, in any order,
each with the place of its argument, so that what the caller makes of them does not depend on the number of workers.
Every job runs with one thread of the linear algebra library: threads would compete with the workers for the cores, and
a sum that is split over more threads is rounded otherwise.
"""

from __future__ import annotations

import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, TypeVar

from weft.errors import WeftError

PATIENCE = 10.0
"""Seconds that a Dask scheduler has to answer."""

Argument = TypeVar("Argument")
Answer = TypeVar("Answer")


class Workers:
    """Where jobs run: in this process (``n_jobs=1``), in processes of this machine, or on a Dask cluster.

    Parameters
    ----------
    n_jobs
        The number of processes; -1 for one for each core.
    dask
        A ``dask.distributed.Client``, or the address of its scheduler; then ``n_jobs`` does not matter.

    >>> sorted(Workers(n_jobs=1).run(abs, [-3, 2]))
    [(0, 3), (1, 2)]
    """

    def __init__(self, n_jobs: int = 1, dask: Any = None) -> None:
        if n_jobs == 0 or n_jobs < -1:
            raise WeftError(f"n_jobs is {n_jobs}; give the number of processes, or -1 for one for each core")
        self.n_jobs = n_jobs
        self._client = _dask_client(dask) if isinstance(dask, str) else dask

    @property
    def alone(self) -> bool:
        """Whether jobs run in this process, one after the other."""
        return self._client is None and self.n_jobs == 1

    def run(
        self, function: Callable[[Argument], Answer], arguments: Sequence[Argument]
    ) -> Iterator[tuple[int, Answer]]:
        """Run the function on every argument; each answer comes with its argument's place, as soon as it is known."""
        if self.alone or (self._client is None and (len(arguments) < 2 or _one_process(self.n_jobs))):
            yield from (_numbered(function, place, argument) for place, argument in enumerate(arguments))
            return
        from joblib import Parallel, delayed, parallel_config

        where, job = {"backend": "loky", "n_jobs": self.n_jobs}, _numbered_in_worker
        if self._client is not None:
            where, job = {"backend": "dask", "n_jobs": -1, "client": self._client}, _numbered
        with parallel_config(**where), warnings.catch_warnings():
            # loky replaces a worker whose memory has grown, which loses nothing and is none of a user's business.
            warnings.filterwarnings("ignore", "A worker stopped while some jobs were given", UserWarning)
            yield from Parallel(return_as="generator_unordered", batch_size="auto", pre_dispatch="all")(
                delayed(job)(function, place, argument) for place, argument in enumerate(arguments)
            )


def _one_process(n_jobs: int) -> bool:
    """Whether joblib would run the jobs in this process after all: one for each core, where there is one core."""
    from joblib import effective_n_jobs

    return bool(effective_n_jobs(n_jobs) == 1)


def _numbered(function: Callable[[Argument], Answer], place: int, argument: Argument) -> tuple[int, Answer]:
    with _thread_pools().limit(limits=1):
        return place, function(argument)


def _numbered_in_worker(function: Callable[[Argument], Answer], place: int, argument: Argument) -> tuple[int, Answer]:
    """In a process of its own: Ctrl-C reaches it too, and is the business of the process that waits for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return _numbered(function, place, argument)


@cache
def _thread_pools() -> Any:
    """The thread pools of this process. To find them takes longer than a quick job, so it is done once."""
    import numpy  # noqa: F401 (so that its thread pool is there to be found)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _dask_client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise WeftError("a Dask cluster needs the package 'distributed'; install weft[dask]") from None
    try:
        return Client(address, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise WeftError(f"no Dask scheduler answers at {address!r} ({reason}); check the address") from None
