"""The explorer's server over a real socket: who may ask, what is refused, and that nothing brings it down."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from click.testing import CliRunner

from tests.browser import samples
from tests.support.live import drawn, endless
from tests.support.waiting import LONG_WAIT, until, until_the_solver_works
from weft.cli import main
from weft.report import server
from weft.report.html import page
from weft.report.live import Desk
from weft.report.question import Kind, Question
from weft.report.view import view_of
from weft.solutions.solution_set import SolutionSet

TOKEN = "a-token-that-only-this-test-knows"
JSON = {"Content-Type": "application/json"}
FIGURES = {"client": "page", "kind": "figures", "suppositions": []}


@dataclass(frozen=True)
class Running:
    """A server that runs in another thread."""

    port: int
    desk: Desk

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=LONG_WAIT)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            reply = connection.getresponse()
            return reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()
        finally:
            connection.close()

    def ask(self, question: object, **headers: str) -> tuple[int, Any]:
        body = question if isinstance(question, bytes) else json.dumps(question).encode()
        status, _, reply = self.send("POST", f"/{TOKEN}/ask", body, **{**JSON, **headers})
        return status, json.loads(reply)

    def still_answers(self) -> bool:
        return self.ask({**FIGURES, "client": "afterwards"})[0] == 200


@contextmanager
def serving(solutions: SolutionSet, host: str = "127.0.0.1") -> Iterator[Running]:
    desk, listening = Desk(solutions), server.bound("127.0.0.1", 0)
    port = listening.getsockname()[1]
    running = server.server_of(server.application("<p>the page</p>", desk, TOKEN, host, port))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
    desk.open()
    thread.start()
    try:
        yield Running(port, desk)
    finally:
        running.should_exit = True
        thread.join(LONG_WAIT)
        assert not thread.is_alive()
        assert desk.close(LONG_WAIT)


@pytest.fixture(scope="module")
def small() -> Iterator[Running]:
    with serving(samples.oracle()) as running:
        yield running


# -- who may ask -------------------------------------------------------------------------------------------------------


def test_the_page_comes_with_headers_that_keep_it_private(small: Running) -> None:
    status, headers, body = small.send("GET", f"/{TOKEN}/")
    assert (status, body) == (200, b"<p>the page</p>")
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert {name: headers[name.lower()] for name in server.HEADERS} == server.HEADERS
    assert "server" not in headers


def test_the_policy_of_the_page_is_a_header_too(small: Running) -> None:
    _, headers, _ = small.send("GET", f"/{TOKEN}/")
    shown = page(view_of(samples.oracle.__wrapped__()), live=True)  # the server works with the other
    assert f'http-equiv="Content-Security-Policy" content="{headers["content-security-policy"]}"' in shown


def test_every_reply_has_these_headers(small: Running) -> None:
    for method, path in (("GET", "/"), ("POST", f"/{TOKEN}/ask"), ("PUT", f"/{TOKEN}/ask"), ("GET", f"/{TOKEN}/ask")):
        _, headers, _ = small.send(method, path)
        assert {name: headers[name.lower()] for name in server.HEADERS} == server.HEADERS


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/x/",
        f"/{TOKEN[:-1]}/",
        f"/{TOKEN}x/",
        f"/{TOKEN}",
        f"/{TOKEN.upper()}/",
        f"/{TOKEN}/report.js",
        f"/{TOKEN}/../etc/passwd",
        f"/{TOKEN}/%2e%2e/etc/passwd",
        "/%ff%fe/",
        "//etc/passwd",
    ],
)
def test_nothing_is_told_without_the_token_and_no_path_leads_to_a_file(small: Running, path: str) -> None:
    for method in ("GET", "POST"):
        status, _, body = small.send(method, path)
        assert (status, json.loads(body)) == (404, {"error": "not found"})
    assert small.send("POST", "/wrong/ask", b"{}", **JSON)[0] == 404


def test_other_methods_are_refused(small: Running) -> None:
    for method, path in (("PUT", "ask"), ("GET", "ask"), ("OPTIONS", "ask"), ("DELETE", ""), ("POST", "")):
        status, headers, _ = small.send(method, f"/{TOKEN}/{path}")
        assert status == 405
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil", ""]
)
def test_a_foreign_host_is_refused(small: Running, host: str) -> None:
    host = host.format(port=small.port)
    assert small.send("GET", f"/{TOKEN}/", Host=host)[0] == 403
    assert small.ask(FIGURES, Host=host)[0] == 403


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LocalHost", "[::1]"])
def test_this_machine_goes_by_these_names(small: Running, host: str) -> None:
    assert small.send("GET", f"/{TOKEN}/", Host=f"{host}:{small.port}")[0] == 200


def test_a_host_that_was_given_is_known_and_one_that_is_everywhere_goes_by_numbers() -> None:
    with serving(samples.oracle(), host="lab.example") as running:
        assert running.send("GET", f"/{TOKEN}/", Host=f"lab.example:{running.port}")[0] == 200
        assert running.send("GET", f"/{TOKEN}/", Host=f"192.0.2.7:{running.port}")[0] == 403
    with serving(samples.oracle(), host="0.0.0.0") as running:
        assert running.send("GET", f"/{TOKEN}/", Host=f"192.0.2.7:{running.port}")[0] == 200
        assert running.send("GET", f"/{TOKEN}/", Host=f"[2001:db8::7]:{running.port}")[0] == 200
        assert running.send("GET", f"/{TOKEN}/", Host=f"evil.example:{running.port}")[0] == 403


def test_a_page_of_another_origin_may_not_ask(small: Running) -> None:
    own = f"http://127.0.0.1:{small.port}"
    assert small.ask(FIGURES, Origin=own)[0] == 200
    for origin in (
        "http://evil.example",
        "null",
        f"https://127.0.0.1:{small.port}",
        f"http://localhost:{small.port}",
        "",
    ):
        assert small.ask(FIGURES, Origin=origin)[0] == 403
    assert small.ask(FIGURES, Origin="null", Sec_Fetch_Site="same-origin")[0] == 200
    for site, asks, looks in (
        ("same-origin", 200, 200),
        ("none", 200, 200),
        ("same-site", 403, 200),
        ("cross-site", 403, 403),
        ("nonsense", 403, 403),
    ):
        assert small.ask(FIGURES, Sec_Fetch_Site=site)[0] == asks
        assert small.send("GET", f"/{TOKEN}/", Sec_Fetch_Site=site)[0] == looks


# -- what is asked -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"])
def test_only_json_is_read(small: Running, kind: str | None) -> None:
    headers = {} if kind is None else {"Content-Type": kind}
    assert small.send("POST", f"/{TOKEN}/ask", json.dumps(FIGURES).encode(), **headers)[0] == 415


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"garbage",
        b"\xff" * 100,
        b"[" * 60_000,
        b'{"a":' * 12_000,
        b'{"client": NaN}',
        b'{"client": ' + b"9" * 60_000 + b"}",
        json.dumps({**FIGURES, "kind": "everything"}).encode(),
        json.dumps({**FIGURES, "more": 1}).encode(),
        json.dumps({**FIGURES, "suppositions": [{"topic": "loves", "x": 0, "y": 1, "holds": True}]}).encode(),
        json.dumps({**FIGURES, "suppositions": [{"topic": "causes", "x": 0, "y": 9, "holds": True}]}).encode(),
        json.dumps({**FIGURES, "suppositions": [{"topic": "causes", "x": 0, "y": -1, "holds": True}]}).encode(),
        json.dumps({**FIGURES, "kind": "why", "pair": 99}).encode(),
    ],
)
def test_garbage_is_refused_in_one_line(small: Running, body: bytes) -> None:
    status, reply = small.ask(body)
    assert status == 400
    assert list(reply) == ["error"]
    assert "\n" not in reply["error"]
    assert len(reply["error"]) < 200


def test_too_much_is_refused_before_it_is_read(small: Running) -> None:
    for body in (b"[" * 100_000, b" " * 10_000_000, (b" " * 50_000 for _ in range(200))):
        assert _refused_or_cut_off(small, body)
        assert small.still_answers()


def _refused_or_cut_off(running: Running, body: Any) -> bool:
    """Whether too long a body got 413; the connection may be cut while it is sent, and then the reply is lost."""
    try:
        return running.send("POST", f"/{TOKEN}/ask", body, **JSON)[0] == 413
    except (OSError, HTTPException):
        return True


def test_a_length_that_is_a_lie_is_not_believed(small: Running) -> None:
    for length in ("1" * 5000, "99999999999", "-5", "ten"):
        with socket.create_connection(("127.0.0.1", small.port), timeout=LONG_WAIT) as connection:
            connection.sendall(
                f"POST /{TOKEN}/ask HTTP/1.1\r\nHost: 127.0.0.1:{small.port}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {length}\r\n\r\n{{}}".encode()
            )
            assert connection.recv(4096).split()[1] in (b"400", b"413")
    assert small.still_answers()


def test_who_sends_slowly_is_not_waited_for(small: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = (
        f"POST /{TOKEN}/ask HTTP/1.1\r\nHost: 127.0.0.1:{small.port}\r\nContent-Type: application/json\r\n"
        "Content-Length: 100\r\n\r\n{"
    ).encode()
    monkeypatch.setattr(server, "READING", 3600.0)
    with socket.create_connection(("127.0.0.1", small.port)) as connection:
        connection.sendall(begun)
        assert small.still_answers(), "others are not held up"
    monkeypatch.setattr(server, "READING", 0.5)
    with socket.create_connection(("127.0.0.1", small.port), timeout=LONG_WAIT) as connection:
        connection.sendall(begun)
        assert b" 408 " in connection.recv(4096)
        while connection.recv(4096):  # until the server hangs up
            pass


def test_half_sent_requests_keep_nobody_out(small: Running) -> None:
    with ExitStack() as open_:
        for _ in range(server.MOST_CONNECTIONS + 44):
            half = open_.enter_context(socket.create_connection(("127.0.0.1", small.port)))
            half.sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert small.send("GET", f"/{TOKEN}/")[0] == 200
        assert small.still_answers()


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: ", b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /"])
def test_who_sends_no_whole_request_is_hung_up_on(small: Running, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(server, "READING", 0.5)
    with socket.create_connection(("127.0.0.1", small.port), timeout=LONG_WAIT) as connection:
        connection.sendall(sent)
        _read_to_the_end(connection)


def test_who_sends_a_byte_at_a_time_is_hung_up_on(small: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "READING", 0.5)
    with socket.create_connection(("127.0.0.1", small.port), timeout=LONG_WAIT) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX-Long: ")
        until(lambda: _is_refused(connection, b"x"))


def _is_refused(connection: socket.socket, data: bytes) -> bool:
    try:
        connection.sendall(data)
    except (BrokenPipeError, ConnectionResetError):
        return True
    return False


def test_who_waits_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 3)
    monkeypatch.setattr(server, "READING", LONG_WAIT)
    with serving(samples.oracle()) as running, ExitStack() as open_:
        halves = [
            open_.enter_context(socket.create_connection(("127.0.0.1", running.port), timeout=LONG_WAIT))
            for _ in range(4)
        ]
        _read_to_the_end(halves[0])
        for half in halves[1:]:
            half.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert _read_to_the_end(half).startswith(b"HTTP/1.1 403 ")


def _read_to_the_end(connection: socket.socket) -> bytes:
    content = b""
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(65536):
            content += part
    return content


# -- answers -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("unhurried")
def test_two_pages_at_once_get_right_answers(small: Running) -> None:
    solutions = samples.oracle.__wrapped__()  # a solver of its own, to compare with
    names = solutions.evidence.variables

    def asks(client: str, seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(15):
            question = Question(client, Kind.FIGURES, drawn(rng, len(names)))
            documents = [one.document() for one in question.suppositions]
            status, reply = small.ask({"client": client, "kind": "figures", "suppositions": documents})
            asked.append((question, status, reply))

    asked: list[tuple[Question, int, Any]] = []
    threads = [threading.Thread(target=asks, args=(f"page{i}", i)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG_WAIT)
    assert len(asked) == 30
    for question, status, reply in asked:
        narrower = solutions.assume(*question.claims(names))
        assert status == 200
        assert reply["counted"] == [narrower.count(), True]
        assert reply["view"]["certain"] == list(narrower.summary().certain)


@pytest.mark.usefixtures("relentless")
def test_a_newer_question_of_the_same_page_ends_the_older() -> None:
    with serving(endless()) as running, ThreadPoolExecutor() as pool:
        older = pool.submit(running.ask, {**FIGURES, "kind": "graphs"})
        until_the_solver_works(running.desk)
        assert not older.done()
        status, reply = running.ask(FIGURES)
        assert (status, reply["kind"]) == (200, "figures")
        assert older.result(LONG_WAIT) == (409, {"error": "superseded"})


@pytest.mark.usefixtures("relentless")
def test_who_goes_away_is_not_worked_for() -> None:
    with serving(endless()) as running:
        body = json.dumps({**FIGURES, "kind": "graphs"}).encode()
        with socket.create_connection(("127.0.0.1", running.port)) as connection:
            connection.sendall(
                f"POST /{TOKEN}/ask HTTP/1.1\r\nHost: 127.0.0.1:{running.port}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n".encode()
                + body
            )
            until_the_solver_works(running.desk)
        assert running.still_answers(), "what nobody waits for would have gone on"


def test_of_many_requests_at_once_each_is_answered_or_refused() -> None:
    with serving(endless(8)) as running, ThreadPoolExecutor(200) as pool:
        questions = [{**FIGURES, "client": f"page{i % 40}"} for i in range(200)]
        found = list(pool.map(running.ask, questions, timeout=LONG_WAIT))
        statuses = {status for status, _ in found}
        assert 200 in statuses
        assert statuses <= {200, 409, 429, 503}
        assert all(reply["error"] for status, reply in found if status != 200)
        assert running.still_answers()


# -- the page ----------------------------------------------------------------------------------------------------------


def test_only_a_live_page_may_connect() -> None:
    view = view_of(samples.oracle())
    still, alive = page(view), page(view, live=True)
    assert "connect-src" not in still
    assert 'id="weft-live"' not in still
    assert "connect-src 'self'; base-uri 'none'" in alive
    assert '<script type="application/json" id="weft-live">{"ask": "ask"}</script>' in alive


# -- the command -------------------------------------------------------------------------------------------------------


@contextmanager
def explored(result: Path, *options: str, before: str = "") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """``weft explore`` in a process of its own, and the address that it prints."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"{before}\nfrom weft.cli import main; main()",
            "explore",
            str(result),
            "--no-browser",
            *options,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def _parts(address: str) -> tuple[str, int, str]:
    place, _, path = address.removeprefix("http://").partition("/")
    host, _, port = place.rpartition(":")
    return host, int(port), f"/{path}"


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_the_command_serves_until_a_signal_comes(tmp_path: Path, sent: signal.Signals) -> None:
    samples.oracle().save(tmp_path / "result.json")
    with ExitStack() as exits:
        process, address = exits.enter_context(explored(tmp_path / "result.json", "--assume", "X causes Y"))
        host, port, path = _parts(address)
        assert host == "127.0.0.1"
        connection = exits.enter_context(closing(HTTPConnection(host, port, timeout=LONG_WAIT)))
        connection.request("GET", path)
        assert b'id="weft-live"' in connection.getresponse().read()
        connection.request("POST", f"{path}ask", json.dumps({**FIGURES, "kind": "graphs"}), JSON)
        reply = json.loads(connection.getresponse().read())
        assert reply["counted"] == [samples.oracle().assume("X causes Y").count(), True]
        assert reply["view"]["assumed"] == ["X causes Y"]
        process.send_signal(sent)
        output, errors = process.communicate(timeout=LONG_WAIT)
        assert process.returncode == 0
        assert (output, errors) == ("", "weft: Ctrl-C ends it\n")


# What the command does between the address and its end, in this order, and where that is.
MOMENTS = {
    "the address is shown": ("weft.cli.explore", "complain"),
    "the solver starts": ("weft.report.live", "Desk.open"),
    "the server starts": ("weft.report.server", "serve"),
    "the server listens for signals": ("uvicorn", "Server.capture_signals"),
    "the server has begun": ("uvicorn", "Server.startup"),
    "the solver is closed": ("weft.report.live", "Desk.close"),
}


@pytest.mark.parametrize("sent", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_signal_ends_it_in_good_order_at_any_moment(tmp_path: Path, moment: str, sent: str) -> None:
    samples.oracle().save(tmp_path / "result.json")
    module, name = MOMENTS[moment]
    interrupted = f"""
import signal, sys
from importlib import import_module
import_module({module!r})
*owners, name = {name!r}.split(".")
owner = sys.modules[{module!r}]
for one in owners:
    owner = getattr(owner, one)
before = getattr(owner, name)
def interrupted(*given, **named):
    signal.raise_signal(signal.{sent})
    found = before(*given, **named)
    signal.raise_signal(signal.{sent})  # some press it twice
    return found
setattr(owner, name, interrupted)
"""
    if moment == "the solver is closed":  # which it is only after a signal
        interrupted += f"""
from weft.report import server
server.serve = lambda running, listening: signal.raise_signal(signal.{sent})
"""
    with explored(tmp_path / "result.json", before=interrupted) as (process, address):
        assert address.startswith("http://127.0.0.1:")
        output, errors = process.communicate(timeout=LONG_WAIT)
        assert (process.returncode, output, errors) == (0, "", "weft: Ctrl-C ends it\n")


# Opens soon, says when it begins to answer, and would not end by itself while a test waits.
TELLING = """
import sys
import weft.cli.explore
from weft.report import live
sys.modules["weft.cli.explore"].OPENING = 1
answer = live._Answers.to
def told(answers, question):
    print("asked", flush=True)
    return answer(answers, question)
live._Answers.to, live.GRAPHS, live.GRAPHS_SUMMARY = told, 3600, 3600
"""


@pytest.mark.slow
def test_ctrl_c_is_heard_while_the_solver_works(tmp_path: Path) -> None:
    replace(endless(8), timeout=1).save(tmp_path / "result.json")
    with (
        explored(tmp_path / "result.json", "--patience", "0", before=TELLING) as (process, address),
        closing(HTTPConnection(*_parts(address)[:2], timeout=LONG_WAIT)) as connection,
        ThreadPoolExecutor() as pool,
    ):
        path = _parts(address)[2]
        connection.request("POST", f"{path}ask", json.dumps({**FIGURES, "kind": "graphs"}), JSON)
        waiting = pool.submit(connection.getresponse)
        assert process.stdout is not None
        assert process.stdout.readline() == "asked\n"
        assert not waiting.done()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=LONG_WAIT)
        assert (process.returncode, errors) == (0, "weft: Ctrl-C ends it\n")
        waiting.exception(LONG_WAIT)


def test_ctrl_c_does_not_wait_for_a_step_that_nothing_interrupts(tmp_path: Path) -> None:
    samples.oracle().save(tmp_path / "result.json")
    busy = """
import time
from weft.report import live
def warm_up(answers):
    print("at work", flush=True)
    time.sleep(3600)
live._Answers.warm_up = warm_up
"""
    with explored(tmp_path / "result.json", before=busy) as (process, address):
        assert address.startswith("http://127.0.0.1:")
        assert process.stdout is not None
        assert process.stdout.readline() == "at work\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=LONG_WAIT)  # not after an hour
        assert (process.returncode, errors) == (0, "weft: Ctrl-C ends it\n")


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    samples.oracle().save(tmp_path / "result.json")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        found = CliRunner().invoke(
            main, ["explore", str(tmp_path / "result.json"), "--no-browser", "--port", str(port)]
        )
    assert found.exit_code == 2
    assert found.stderr == (
        f"weft: port {port} of 127.0.0.1 is in use; give another --port, or none to take a free one\n"
    )


@pytest.mark.parametrize(
    ("host", "message"),
    [("no-such-host.invalid", "there is no host 'no-such-host.invalid'"), ("192.0.2.1", "cannot be used")],
)
def test_a_host_that_is_not_here_is_named(tmp_path: Path, host: str, message: str) -> None:
    samples.oracle().save(tmp_path / "result.json")
    found = CliRunner().invoke(main, ["explore", str(tmp_path / "result.json"), "--no-browser", "--host", host])
    assert found.exit_code == 2
    assert message in found.stderr
    assert found.stderr.count("\n") == 1


def test_a_bad_result_is_named(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text("{}")
    for name in ("result.json", "nothing.json"):
        found = CliRunner().invoke(main, ["explore", str(tmp_path / name), "--no-browser"])
        assert found.exit_code == 2
        assert found.stderr.count("\n") == 1
        assert name in found.stderr


def test_without_the_packages_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "find_spec", lambda name: None)
    found = CliRunner().invoke(main, ["explore", str(tmp_path / "result.json")])
    assert found.exit_code == 2
    assert 'pip install "weft[explore]"' in found.stderr


def test_other_hosts_come_with_a_warning_and_the_browser_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: SimpleQueue[str] = SimpleQueue()
    addresses: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.put)
    # It serves until the browser, which another thread opens, is open.
    monkeypatch.setattr(server, "serve", lambda application, listening: addresses.append(opened.get(timeout=LONG_WAIT)))
    samples.oracle().save(tmp_path / "result.json")
    found = CliRunner().invoke(main, ["explore", str(tmp_path / "result.json"), "--host", "0.0.0.0"])
    assert found.exit_code == 0
    assert addresses == [found.stdout.strip()]
    assert opened.empty()
    assert "listening at 0.0.0.0: anyone who can reach this machine and has the address can ask" in found.stderr
