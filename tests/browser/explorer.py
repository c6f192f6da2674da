"""``weft explore`` as a process or in a thread, and its page in a browser."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.conftest import Opened
from tests.support.waiting import LONG_WAIT
from weft.report import server
from weft.report.html import page
from weft.report.live import Desk
from weft.report.view import view_of
from weft.solutions.solution_set import SolutionSet

if TYPE_CHECKING:
    pass


class Process:
    """A running ``weft explore`` of an answer."""

    def __init__(self, solutions: SolutionSet, file: Path, *options: str) -> None:
        solutions.save(file)
        weft = (sys.executable, "-c", "import sys; from weft.cli import main; sys.exit(main())")
        command = [*weft, "explore", str(file), "--no-browser", *options]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:")

    def kill(self) -> None:
        """End it at once, as a crash would."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def in_thread(solutions: SolutionSet, patience: float = 5.0) -> Iterator[str]:
    """The same in this process, where a test may change how much it ships; gives the address."""
    desk, token = Desk(solutions), server.new_token()
    with server.bound("127.0.0.1", 0) as listening:
        text = page(view_of(solutions, patience=patience), live=True)
        application = server.application(text, desk, token, "127.0.0.1", listening.getsockname()[1])
        running = server.server_of(application)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
        desk.open()
        thread.start()
        try:
            yield server.address_of(listening, "127.0.0.1", token)
        finally:
            running.should_exit = True
            thread.join(LONG_WAIT)
            desk.close(LONG_WAIT)


class Explorer(Opened):
    """The explorer's page in a tab of its own."""

    def settle(self) -> None:
        """Wait until the solver has told everything that the page asks."""
        self.page.wait_for_function("() => weft.live.done && !weft.state.provisional")

    def counted(self) -> None:
        """Wait until the solver has told how many structures remain."""
        told = "weft.state.toldOf(weft.state.suppositions)"
        self.page.wait_for_function(f"() => {told}.base !== undefined && ({told}.patient || weft.state.standing.exact)")

    def asked(self) -> int:
        """How many questions were sent when there was nothing left to ask."""
        self.settle()
        return len(self.requests)
