"""Ctrl-C that is heard while the solver works.

Python handles a signal only between two steps of its own, and the solver's grounding is one step that may take
minutes. So a thread listens too: if the main one has not come round a moment after Ctrl-C, the thread ends the process.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 1.0
"""Seconds that the main thread has to end in good order."""


@contextmanager
def heard_at_once(last_words: Callable[[], int]) -> Iterator[None]:
    """Within this, Ctrl-C ends the process in a moment; ``last_words`` says so and gives the exit code."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are none of its business
        return
    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    over = threading.Event()

    def listen() -> None:
        while received := ear.recv(1):
            if received[0] == signal.SIGINT:
                threading.excepthook = _silent  # the workers end too, and threads that wait for them would complain
                if not over.wait(PATIENCE):
                    os._exit(last_words())

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    before = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        over.set()
        signal.set_wakeup_fd(before)
        with contextlib.suppress(OSError):
            mouth.close()  # which ends the listener
        listener.join(PATIENCE)
        ear.close()


def _silent(failure: threading.ExceptHookArgs) -> None:
    """Say nothing."""
