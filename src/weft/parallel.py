"""Work on several cores or on a cluster; the only file that knows joblib and Dask.

A job is a plain function and its argument, both picklable. What all jobs have in common is bound to the function by
``functools.partial``, and travels to each worker of a cluster once. Answers come back as soon as they are known, in any
order, each with the place of its argument, so that what the caller makes of them does not depend on the number of
workers. Every job runs with one thread of the linear algebra library: threads would compete with the workers for the
cores, and a sum that is split over more threads is rounded otherwise.

Walks over models are compiled code that lets other threads run. They run in threads (:func:`anywhere`), and so does
what is worked out :func:`beside` something else.

Workers end with the process that they work for, however that ends; and when they are lost, that is said
(:class:`~weft.errors.WorkerError`) instead of waited for. A worker of a cluster that is lost costs nothing but time:
another one does its jobs again, and an answer that has come back is never asked for again.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar, copy_context
from functools import cache, partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from weft.errors import WeftError, WorkerError
from weft.reading.arguments import ArgumentError
from weft.version import __version__

PATIENCE = 10.0
"""Seconds that a Dask scheduler has to answer, or to find a worker."""
PULSE = 2.0
"""Seconds without an answer after which a cluster is asked whether it has workers."""
WATCH = 0.5
"""Seconds between two looks of a worker at whether the process that it works for is still there."""
FEW, EACH, WINDOWS = 16, 4, 61
"""So many processes may always be asked for; more up to so many for each core; on Windows never more than these."""

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
        check_processes(n_jobs)
        self.n_jobs = n_jobs
        if dask is not None and not isinstance(dask, str) and not hasattr(dask, "submit"):
            raise ArgumentError(f"dask is {dask!r}; give the address of a scheduler, or a dask.distributed.Client")
        self._client = _dask_client(dask) if isinstance(dask, str) else dask

    @property
    def alone(self) -> bool:
        """Whether jobs run in this process, one after the other."""
        return self._client is None and (self.n_jobs == 1 or (self.n_jobs == -1 and _cores() == 1))

    def run(
        self, function: Callable[[Argument], Answer], arguments: Sequence[Argument]
    ) -> Iterator[tuple[int, Answer]]:
        """Run the function on every argument; each answer comes with its argument's place, as soon as it is known."""
        if self._client is not None:
            yield from _on_cluster(self._client, function, arguments)
        elif self.alone or len(arguments) < 2:
            yield from (_numbered(function, place, argument) for place, argument in enumerate(arguments))
        else:
            yield from _in_processes(self.n_jobs, function, arguments)

    def run_in_threads(
        self, function: Callable[[Argument], Answer], arguments: Sequence[Argument]
    ) -> Iterator[tuple[int, Answer]]:
        """The same, but in threads of this process instead of processes of this machine."""
        if self._client is not None or self.alone or len(arguments) < 2:
            yield from self.run(function, arguments)
        else:
            yield from _in_threads(_cores() if self.n_jobs == -1 else self.n_jobs, function, arguments)


_here: ContextVar[Workers | None] = ContextVar("workers", default=None)


@contextmanager
def working(workers: Workers | None) -> Iterator[None]:
    """Inside, jobs that may run anywhere run there; ``None`` changes nothing."""
    token = _here.set(workers or _here.get())
    try:
        yield
    finally:
        _here.reset(token)


def anywhere(function: Callable[[Argument], Answer], arguments: Sequence[Argument]) -> Iterator[tuple[int, Answer]]:
    """Like :meth:`Workers.run`, for jobs that are nearly all compiled code, where :func:`working` says.

    On this machine they run in threads, which such code lets run side by side (:mod:`weft.search.kernel`): a process
    would have to load it first, which takes as long as most of these jobs do. What a cluster loses is done here.
    """
    workers, known = _here.get() or Workers(), set()
    try:
        for place, answer in workers.run_in_threads(function, arguments):
            known.add(place)
            yield place, answer
    except WorkerError:
        left = [place for place in range(len(arguments)) if place not in known]
        yield from (_numbered(function, place, arguments[place]) for place in left)


def beside(function: Callable[[], Answer]) -> Callable[[], Answer]:
    """Begin something in a thread, while something else is done; what is returned waits for it and gives its answer."""
    settled: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
    context = copy_context()
    _thread(lambda: settled.put(_outcome(partial(context.run, function))))
    outcome = cache(lambda: _next(settled))  # there is one, however often it is asked for
    return lambda: _answer(outcome())


def _numbered(function: Callable[[Argument], Answer], place: int, argument: Argument) -> tuple[int, Answer]:
    with one_thread():
        return place, function(argument)


@contextmanager
def one_thread() -> Iterator[None]:
    """In here linear algebra runs in one thread: as every job does, for whoever works without one.

    The matrices of one test are small. Spread over threads they take up to ten times as long.
    """
    with _thread_pools().limit(limits=1):
        yield


@cache
def _thread_pools() -> Any:
    """The thread pools of this process. To find them takes longer than a quick job, so it is done once."""
    import numpy  # noqa: F401 (so that its thread pool is there to be found)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


# -- threads of this process -------------------------------------------------------------------------------------------


def _in_threads(
    number: int, function: Callable[[Argument], Answer], arguments: Sequence[Argument]
) -> Iterator[tuple[int, Answer]]:
    """Whoever stops asking waits for nothing: the jobs under way end by themselves, and no other is begun."""
    waiting, settled = SimpleQueue[tuple[int, Argument]](), SimpleQueue[tuple[Any, BaseException | None]]()
    over = threading.Event()
    for job in enumerate(arguments):
        waiting.put(job)

    def work() -> None:
        with suppress(Empty):
            while not over.is_set():
                place, argument = waiting.get_nowait()
                settled.put(_outcome(partial(_placed, function, place, argument)))

    for _ in range(min(number, len(arguments))):
        _thread(work)
    try:
        for _ in arguments:
            yield _answer(_next(settled))
    finally:
        over.set()


def _placed(function: Callable[[Argument], Answer], place: int, argument: Argument) -> tuple[int, Answer]:
    return place, function(argument)


def _thread(function: Callable[[], object]) -> None:
    """Begin something in a thread that no one waits for when the process ends."""
    threading.Thread(target=function, daemon=True).start()


def _outcome(function: Callable[[], Answer]) -> tuple[Answer | None, BaseException | None]:
    """What a function gives, or what it raises."""
    try:
        return function(), None
    except BaseException as error:  # for the thread that asked
        return None, error


def _answer(outcome: tuple[Any, BaseException | None]) -> Any:
    """What a function gave; what it raised is raised."""
    answer, error = outcome
    if error is not None:
        raise error
    return answer


def _next(settled: SimpleQueue[Any]) -> Any:
    """The next of what threads give, once it is there; in slices, so that Ctrl-C is heard."""
    while True:
        try:
            return settled.get(timeout=PULSE)
        except Empty:
            continue


# -- processes of this machine -----------------------------------------------------------------------------------------


def check_processes(n_jobs: object, name: str = "n_jobs") -> None:
    """Refuse what is no sensible number of processes; ``name`` is what the user calls it."""
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int) or n_jobs == 0 or n_jobs < -1:
        raise WeftError(f"{name} is {n_jobs!r}; give the number of processes, or -1 for one for each core")
    if n_jobs > FEW and n_jobs > (most := most_processes()):
        raise WeftError(
            f"{name} is {n_jobs}; give at most {most} processes on this machine, or -1 for one for each core"
        )


def most_processes() -> int:
    """How many processes may be asked for on this machine: more would only take each other's memory and time."""
    most = max(FEW, EACH * _cores())
    return min(most, WINDOWS) if sys.platform == "win32" else most


def _cores() -> int:
    """How many cores this process may use."""
    from joblib import cpu_count

    return int(cpu_count())


def _in_processes(
    n_jobs: int, function: Callable[[Argument], Answer], arguments: Sequence[Argument]
) -> Iterator[tuple[int, Answer]]:
    from joblib import Parallel, delayed, parallel_config

    with warnings.catch_warnings():
        # loky replaces a worker whose memory has grown, which loses nothing and is none of a user's business; and who
        # stops asking knows that the rest is not done.
        warnings.filterwarnings("ignore", "A worker stopped while some jobs were given", UserWarning)
        warnings.filterwarnings("ignore", r"\d+ tasks (which|have)", UserWarning)
        try:
            with parallel_config("loky", n_jobs=n_jobs, initializer=_begin_work, initargs=(os.getpid(),)), _deaf():
                found = Parallel(return_as="generator_unordered", batch_size="auto", pre_dispatch="all")(
                    delayed(_numbered)(function, place, argument) for place, argument in enumerate(arguments)
                )
            with _withdrawals_unsaid(), closing(found):
                yield from found
        except BrokenProcessPool:
            raise WorkerError(
                "a process ended before its work was done: killed from outside, or for want of memory; "
                "try fewer processes at a time"
            ) from None


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that start in here never hear Ctrl-C: a terminal sends it to all, and it is this process's business."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    from joblib.externals.loky.backend import resource_tracker as loky_resource_tracker

    for tracker in (resource_tracker, loky_resource_tracker):
        tracker.ensure_running()  # in here, to start them would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _withdrawals_unsaid() -> Iterator[None]:
    """When jobs are withdrawn, loky's thread that hands them out may miss one, say so and end, as it should."""
    before = threading.excepthook

    def hear(failure: threading.ExceptHookArgs) -> None:
        of_loky = failure.thread is not None and failure.thread.name == "ExecutorManagerThread"
        if not (of_loky and failure.exc_type is KeyError):
            before(failure)

    threading.excepthook = hear
    try:
        yield
    finally:
        if threading.excepthook is hear:
            threading.excepthook = before


def _begin_work(master: int) -> None:
    """The first thing that a worker does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":  # where the number of a parent that is gone stays as it was
        threading.Thread(target=_end_with, args=(master,), daemon=True).start()


def _end_with(master: int) -> None:
    """End this process as soon as the one that it works for is gone, even if that was killed and could not say so."""
    while os.getppid() == master:
        time.sleep(WATCH)
    os._exit(1)


# -- a Dask cluster ----------------------------------------------------------------------------------------------------


def _dask_client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise WeftError("a Dask cluster needs the package 'distributed'; install weft[dask]") from None
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what is wrong with this client is told once, and by weft
    try:
        return Client(address, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise WeftError(f"no Dask scheduler answers at {address!r} ({reason}); check the address") from None


def _on_cluster(
    client: Any, function: Callable[[Argument], Answer], arguments: Sequence[Argument]
) -> Iterator[tuple[int, Answer]]:
    """As :meth:`Workers.run`. What is not done when the caller stops asking is withdrawn with the last reference."""
    settled: SimpleQueue[Any] = SimpleQueue()
    with _losses_told(client), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph", UserWarning)  # tables may be large
        carried = client.submit(_itself, function, pure=False) if isinstance(function, partial) else function
        waiting = {
            future.key: future
            for place, argument in enumerate(arguments)
            for future in [client.submit(_worked, __version__, carried, place, argument, pure=False)]
        }
        for future in waiting.values():
            future.add_done_callback(settled.put)
    for _ in arguments:
        future = _next_settled(client, settled)
        answer = _answer_of(client, future)
        del waiting[future.key]  # with a reference left, the job would be done again if its worker were lost
        del future
        yield answer


def _itself(function: Callable[[Argument], Answer]) -> Callable[[Argument], Answer]:
    """The job that brings to the cluster what others have in common.

    (Dask's own way, to scatter it, loses it with the workers that have it; a job is done again.)
    """
    return function


_one_at_a_time = threading.Lock()


def _worked(version: str, function: Callable[[Argument], Answer], place: int, argument: Argument) -> tuple[int, Answer]:
    """A job, on a worker. One with several threads does them one after the other: they are not made for threads."""
    if version != __version__:
        raise WorkerError(f"a Dask worker has weft {__version__}, not {version}; install the same on all machines")
    with _one_at_a_time:
        return _numbered(function, place, argument)


def _next_settled(client: Any, settled: SimpleQueue[Any]) -> Any:
    while True:
        try:
            return settled.get(timeout=PULSE)
        except Empty:  # a worker may be at a long job, or there is none
            _check_workers(client)


def _answer_of(client: Any, future: Any) -> Any:
    """What a settled job gave. If its worker is lost before that is here, the job is done again."""
    while True:
        if future.status == "error":
            raise _raised_by(future, client)
        with _losses_told(client):
            try:
                return future.result(timeout=PATIENCE)
            except TimeoutError:
                if future.status != "error":
                    _check_workers(client)
            except BaseException:
                if future.status != "error":  # the cluster's failure, not the job's
                    raise


def _check_workers(client: Any) -> None:
    with _losses_told(client):
        client.wait_for_workers(1, timeout=PATIENCE)


@contextmanager
def _losses_told(client: Any) -> Iterator[None]:
    """What Dask raises when a part of the cluster is lost, in our words."""
    try:
        yield
    except TimeoutError:
        raise _lost(client, "has no workers; start some") from None
    except (CancelledError, OSError):
        raise _lost(client, "went away") from None
    except Exception as error:  # what is sent after the loss was seen; not every version of Dask has a name for it
        if isinstance(error, WorkerError) or client.status != "closed":
            raise
        raise _lost(client, "went away") from None


def _raised_by(future: Any, client: Any) -> BaseException:
    """What a job raised, unless it was the cluster that failed."""
    from distributed import KilledWorker

    error: BaseException = future.exception()
    if isinstance(error, KilledWorker):
        return _lost(client, "lost several workers over one job: killed from outside, or for want of memory")
    missing = error if error.__cause__ is None else error.__cause__  # the scheduler says that it could not read the job
    if isinstance(missing, ImportError):
        remedy = f"install weft {__version__} and what it needs on all machines of the cluster"
        return _lost(client, f"or a worker, has no module {missing.name!r}; {remedy}", mark=",")
    return error


def _lost(client: Any, what: str, mark: str = "") -> WorkerError:
    at = "" if client.scheduler is None else f" at {client.scheduler.address!r}"  # a client that is closed has none
    return WorkerError(f"the Dask scheduler{at}{mark} {what}")
