"""Ctrl-C, and a request to end (SIGTERM), that are heard while the solver works.

Python handles a signal only between two steps of its own, and the solver's grounding is one step that may take
minutes. So a thread listens too: if the main one has not come round a moment after the signal, the thread ends the
process. One of the two says the last words, never both.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

PATIENCE = 1.0
"""Seconds that the main thread has to end in good order."""
HEARD = (signal.SIGINT, signal.SIGTERM)


class Terminated(KeyboardInterrupt):
    """The process was told to end, which is dealt with as Ctrl-C is."""


def exit_code(number: int) -> int:
    """The exit code of a process that a signal ended.

    >>> exit_code(signal.SIGINT), exit_code(signal.SIGTERM)
    (130, 143)
    """
    return 128 + number


@contextmanager
def heard_at_once(last_words: Callable[[int], None]) -> Iterator[None]:
    """Within this, Ctrl-C and SIGTERM end the process in a moment; ``last_words`` says so, given the signal."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are none of its business
        return
    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    over, turn, said = threading.Event(), threading.Lock(), list[int]()

    def say(number: int) -> int:
        """Once, whoever comes first; call it in turn."""
        if not said:
            said.append(number)
            last_words(number)
        return exit_code(said[0])

    def listen() -> None:
        while received := ear.recv(1):
            if received[0] in HEARD:
                threading.excepthook = _silent  # the workers end too, and threads that wait for them would complain
                if not over.wait(PATIENCE):
                    with turn:
                        if not over.is_set():
                            os._exit(say(received[0]))

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    before = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
    try:
        with _leaks_unsaid(), _termination_raised():
            yield
    except KeyboardInterrupt as error:
        number = signal.SIGTERM if isinstance(error, Terminated) else signal.SIGINT
        _end_at_the_next(exit_code(number))
        with turn:
            code = say(number)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib would count the jobs that are not waited for
            traceback.clear_frames(error.__traceback__)  # so that what is under way ends now, and its workers with it
        raise SystemExit(code) from None
    finally:
        with turn:
            over.set()
        signal.set_wakeup_fd(before)
        with contextlib.suppress(OSError):
            mouth.close()  # which ends the listener
        listener.join(PATIENCE)
        ear.close()


@contextmanager
def passed_on(end: Callable[[], None]) -> Iterator[None]:
    """Within this, a signal interrupts nothing: it calls ``end``, and what is under way takes the time that it takes.

    It may come at any moment, and more than once, so ``end`` must be fit to be called before what it ends begins, and
    again.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    woken = signal.set_wakeup_fd(-1)  # first: what the listener has heard, it ends
    before = dict[signal.Signals, Any]()
    try:
        for number in HEARD:
            before[number] = signal.signal(number, lambda number, frame: end())
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)


@contextmanager
def _termination_raised() -> Iterator[None]:
    """Raise SIGTERM in the main thread, unless somebody else deals with it."""
    if signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGTERM) is _terminate:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated


def _end_at_the_next(code: int) -> None:
    """Whoever presses Ctrl-C again means it: nothing is tidied up then, and nothing more is said."""
    for number in HEARD:
        signal.signal(number, lambda number, frame: os._exit(code))


@contextmanager
def _leaks_unsaid() -> Iterator[None]:
    """Let the process that clears up after ours, if ours is ended by force, do so without a word on the terminal."""
    before = os.environ.get("PYTHONWARNINGS")
    wish = "ignore:resource_tracker:UserWarning"
    os.environ["PYTHONWARNINGS"] = f"{before},{wish}" if before else wish
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("PYTHONWARNINGS", None)
        else:
            os.environ["PYTHONWARNINGS"] = before


def _silent(failure: threading.ExceptHookArgs) -> None:
    """Say nothing."""
