"""``weft explore``: a result as a page whose solver answers."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from weft.cli import options
from weft.cli.failures import CONSISTENT, complain
from weft.cli.interrupts import passed_on

EXAMPLES = """\b
weft explore result.json
weft explore result.json --no-browser --port 8765
"""
OPENING = 20.0
"""Seconds that a question may take before the page opens; there, one can ask on."""
ENDING = 0.3
"""Seconds that the solver has to end in good order after Ctrl-C."""


@click.command(short_help="Show a result in the browser and ask the solver what if.", epilog=EXAMPLES)
@click.argument("result")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="The port to listen on.  [default: a free port]",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="HOST",
    help="The address to listen on; any other than the default may let other machines in.",
)
@click.option("--no-browser", is_flag=True, help="Print the address, but do not open a browser.")
@options.assumed
@options.patience(0.0, "How long to work before the page opens; the rest follows when the page asks for it.")
@options.seconds("The time limit of each question to the solver; the page says what is not settled.")
def explore(
    result: str,
    port: int,
    host: str,
    no_browser: bool,
    claims: Sequence[str],
    patience: float,
    timeout: float | None,
) -> int:
    """Show RESULT in the browser, with a solver behind it.

    RESULT is a result file (weft-result/3). The page is that of weft report; what a reader assumes there is put to the
    solver, which answers: how many structures are left (exactly, or about how many and how surely), what holds in all
    of them, why, and what to do next.
    The printed address contains a secret: only those who know it can ask.
    """
    from weft.cli.progress import answering
    from weft.cli.tables import loaded
    from weft.report import server
    from weft.report.html import page
    from weft.report.live import Desk
    from weft.report.view import view_of, within

    server.check_installed()
    solutions = loaded(result, claims, timeout)
    with server.bound(host, port) as listening:
        if not server.is_loopback(host):
            complain(f"listening at {host}: anyone who can reach this machine and has the address can ask")
        with answering() as progress:
            opening = within(solutions, OPENING)
            opening.shown(fairly=True)  # what is shown then, and what suppositions are first answered with
            view = view_of(opening, patience=patience, progress=progress, folder=Path(result).parent)
            text = page(view, live=True)
        desk, token = Desk(solutions, Path(result).parent), server.new_token()
        running = server.server_of(server.application(text, desk, token, host, listening.getsockname()[1]))
        with passed_on(lambda: server.end(running)):  # whoever sees the address may press Ctrl-C before we go on
            address = server.address_of(listening, host, token)
            click.echo(address)
            sys.stdout.flush()
            complain("Ctrl-C ends it")
            if not no_browser:
                _open_browser(address)
            desk.open()
            try:
                server.serve(running, listening)
            finally:
                ended = desk.close(ENDING)
    if not ended:  # the solver is at a step that nothing interrupts, and nobody waits for it
        sys.stderr.flush()
        os._exit(CONSISTENT)
    return CONSISTENT


def _open_browser(address: str) -> None:
    """Open it, without waiting: some browsers come back only when they are closed."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
