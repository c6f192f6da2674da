"""The explorer's server: the page of a result, and a solver that the page can ask.

====== =========== ==========================================================================================
method path        answer
====== =========== ==========================================================================================
GET    /TOKEN/     the page (:mod:`weft.report.html`)
POST   /TOKEN/ask  what the solver says (:mod:`weft.report.question`, :mod:`weft.report.live`), as JSON
====== =========== ==========================================================================================

It is for the one who started it. Other programs on the machine, and other web sites in the same browser, may reach the
port. So nothing is told without the token, which only the one who started it has seen; a request must be addressed to
this machine (a foreign name that was made to point here is refused), and must not come from another site's page. No
path leads to a file. A question is read up to a size and for a time, and no connection is kept open without one
(:mod:`weft.report.connections`).
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import secrets
import socket
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from weft.errors import WeftError
from weft.report.html import policy
from weft.report.live import Busy, Closed, Desk, Superseded
from weft.report.question import QuestionError, read_question

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

MOST_BYTES = 64 * 1024
"""The longest question."""
READING = 5.0
"""Seconds in which the head of a request must have come, and then its question."""
KEEPING = 5
"""Seconds that a connection is kept open for the next request."""
MOST_CONNECTIONS = 256
"""More are not kept open at a time."""
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
ANYWHERE = ("0.0.0.0", "::")


def new_token() -> str:
    """What the address of an explorer has that nobody can guess."""
    return secrets.token_urlsafe(24)


# -- the port ----------------------------------------------------------------------------------------------------------


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens there; a port of 0 is any that is free."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family)
    except (socket.gaierror, UnicodeError):
        raise WeftError(f"there is no host {host!r}; give an address of this machine, or leave it out") from None
    except OSError as error:
        what = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used ({(error.strerror or '').lower()})"
        raise WeftError(f"port {port} of {host} {what}; give another --port, or none to take a free one") from None


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def address_of(listening: socket.socket, host: str, token: str) -> str:
    """What to open in a browser."""
    anywhere = host in ANYWHERE
    return f"http://{LOOPBACK[0] if anywhere else _in_address(host)}:{listening.getsockname()[1]}/{token}/"


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


# -- the application ---------------------------------------------------------------------------------------------------


def check_installed() -> None:
    """Say what to install if the server's packages are not there."""
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise WeftError('the explorer needs the packages starlette and uvicorn; pip install "weft[explore]"')


def application(page: str, desk: Desk, token: str, host: str, port: int) -> ASGIApp:
    """The page and the solver behind it, as an ASGI application that listens at a host and port."""
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.responses import HTMLResponse
    from starlette.routing import Route

    content = page.encode("utf-8")
    guard = {"Content-Security-Policy": policy(live=True)}
    gate = _Gate(token, host, port)

    async def show(request: Request) -> Response:
        return gate.refusal(request) or HTMLResponse(content, headers={**HEADERS, **guard})

    async def ask(request: Request) -> Response:
        return gate.refusal(request) or await _asked(request, desk)

    async def refuse(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return gate.refusal(request) or _error(error.status_code, error.detail, **(error.headers or {}))

    app = Starlette(
        routes=[Route("/{token}/", show, methods=["GET"]), Route("/{token}/ask", ask, methods=["POST"])],
        exception_handlers={HTTPException: refuse},
    )
    app.router.redirect_slashes = False  # it would answer before anyone has looked at the token
    return app


class _Gate:
    """Who may come in."""

    def __init__(self, token: str, host: str, port: int) -> None:
        self._token = token.encode()
        self._own = {*LOOPBACK, _in_address(host).lower()}
        self._anywhere = host in ANYWHERE
        self._port = port

    def refusal(self, request: Request) -> Response | None:
        """Why a request is refused, if it is."""
        host = request.headers.get("host", "").lower()
        if not self._is_own(host):
            return _error(403, "this is not the host that was asked for")
        site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
        reading = request.method in ("GET", "HEAD")
        if site not in (None, "none", "same-origin", *(("same-site",) if reading else ())):
            return _error(403, "a page of another site may not ask")
        # A browser that is told to send no referrer may send no origin either; then it says that the site is the same.
        if origin not in (None, f"http://{host}") and (origin, site) != ("null", "same-origin"):
            return _error(403, "a page of another origin may not ask")
        given = request.path_params.get("token", "").encode("utf-8", "replace")
        return None if secrets.compare_digest(given, self._token) else _error(404, "not found")

    def _is_own(self, host: str) -> bool:
        name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
        name, port = (name, port) if name else (host, "80")
        if port != str(self._port):
            return False
        return name in self._own or (self._anywhere and _is_this_machine(name))


def _is_this_machine(name: str) -> bool:
    """Whether a server that listens everywhere goes by that name: a number, which nobody can redirect, or its own."""
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(name.strip("[]"))
        return True
    return name == socket.gethostname().lower()


async def _asked(request: Request, desk: Desk) -> Response:
    from starlette.requests import ClientDisconnect
    from starlette.responses import Response

    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return _error(415, "a question is sent as application/json")
    try:
        async with asyncio.timeout(READING):
            text = await _body(request)
        if text is None:
            return _error(413, f"a question has at most {MOST_BYTES:,} bytes", Connection="close")
        answer = asyncio.wrap_future(desk.ask(read_question(text, desk.size)))
        return Response(await _unless_gone(request, answer), media_type="application/json", headers=HEADERS)
    except TimeoutError:
        return _error(408, f"the question did not come within {READING:g} seconds", Connection="close")
    except (Busy, Closed):
        return _error(503, "too many questions wait; ask again", **{"Retry-After": "1"})
    except (Superseded, ClientDisconnect):
        return _error(409, "superseded")
    except QuestionError as error:
        return _error(400, str(error))
    except WeftError as error:
        return _error(400, " ".join(str(error).split()))
    except Exception as error:  # the page shows it; the server goes on
        return _error(500, f"the solver failed ({type(error).__name__}); please report it")


async def _body(request: Request) -> bytes | None:
    """What was sent; ``None`` if it is too long, whatever length it says it has."""
    said = request.headers.get("content-length", "")
    if said.isdecimal() and len(said) < 20 and int(said) > MOST_BYTES:
        return None
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > MOST_BYTES:
            return None
    return bytes(content)


async def _unless_gone(request: Request, answer: asyncio.Future[bytes]) -> bytes:
    """The answer; if the one who asked goes away, the question is withdrawn."""
    gone = asyncio.ensure_future(request.receive())  # the body has come, so the next that is received is the end
    try:
        await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            raise Superseded
        return answer.result()
    finally:
        gone.cancel()
        answer.cancel()


def _error(status: int, message: str, **headers: str) -> Response:
    from starlette.responses import JSONResponse

    return JSONResponse({"error": message}, status, headers={**HEADERS, **headers})


# -- running it --------------------------------------------------------------------------------------------------------


def serve(running: Any, listening: socket.socket) -> None:
    """Serve until Ctrl-C, until the process is told to end, or until :func:`end`.

    The signal is raised again after that, for whoever dealt with it before.
    """
    running.run(sockets=[listening])


def end(running: Any) -> None:
    """Let a server come to its end, or one that has yet to begin end as soon as it does."""
    running.should_exit = True


def server_of(application: ASGIApp) -> Any:
    """A uvicorn server that says nothing."""
    import uvicorn

    from weft.report.connections import BoundedProtocol

    options: Mapping[str, Any] = {
        "loop": "asyncio",
        "http": BoundedProtocol,
        "ws": "none",
        "lifespan": "off",
        "interface": "asgi3",
        "log_config": None,
        "log_level": "critical",
        "access_log": False,
        "proxy_headers": False,
        "server_header": False,
        "limit_concurrency": MOST_CONNECTIONS + 1,  # only if so many are being answered; who waits makes room
        "timeout_keep_alive": KEEPING,
        "timeout_graceful_shutdown": 0,  # the answers to come would be waited for
    }
    return uvicorn.Server(uvicorn.Config(application, **options))
