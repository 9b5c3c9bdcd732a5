"""Many clients, and clients that misbehave: others are served meanwhile."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

import httpx
import pytest

import veil

from .conftest import PLANTED, Server, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOTE = f"Discharge summary. Patient: {PLANTED}, seen by Dr. Anna Smith on 10/02/2021. BP 145/85."
SECONDS = float(os.environ.get("VEIL_SERVE_SECONDS", "5"))
"""How long fifty clients ask; 60 for the full run."""
_CLIENTS = 50
_PATIENCE = 300.0


def test_fifty_clients_are_served(server: Server, key_file: Path) -> None:
    """Fifty clients that ask all the time get the right answer to every request."""
    expected = {
        patient: veil.mask(NOTE, policy="surrogate", key=key_file, patient=patient)
        for patient in ("p1", "p2", "p3")
    }
    wrong: list[str] = []

    async def ask(number: int, client: httpx.AsyncClient, end: float) -> int:
        patient = f"p{number % 3 + 1}"
        body = {"text": NOTE, "policy": "surrogate", "patient": patient}
        count = 0
        while count == 0 or time.monotonic() < end:
            response = await client.post("/mask", json=body)
            if response.status_code != 200 or response.json()["text"] != expected[patient]:
                wrong.append(f"client {number}: {response.status_code}")
            count += 1
        return count

    async def ask_all() -> list[int]:
        end = time.monotonic() + SECONDS
        limits = httpx.Limits(max_connections=_CLIENTS)
        async with httpx.AsyncClient(
            base_url=server.url, timeout=_PATIENCE, limits=limits, trust_env=False
        ) as client:
            return await asyncio.gather(*(ask(each, client, end) for each in range(_CLIENTS)))

    counts = asyncio.run(ask_all())
    assert wrong == []
    assert min(counts) > 0


def test_client_that_stands_still_keeps_its_connection(server: Server) -> None:
    """A connection is there after a pause of 6 s, as in the process of a busy machine."""
    with connect(server) as connection, connection.makefile("rb") as answers:
        for pause in (0, 6):
            time.sleep(pause)
            connection.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert answers.readline().startswith(b"HTTP/1.1 200 ")
            length = 0
            while line := answers.readline().strip():
                name, _, value = line.partition(b": ")
                length = int(value) if name == b"content-length" else length
            answers.read(length)


@contextmanager
def others(server: Server) -> Iterator[list[int]]:
    """A client that asks all the time: the statuses of its answers."""
    statuses: list[int] = []
    stop = threading.Event()

    def ask() -> None:
        with server.client(timeout=_PATIENCE) as client:
            while True:
                statuses.append(client.post("/mask", json={"text": NOTE}).status_code)
                statuses.append(client.get("/health").status_code)
                if stop.wait(0.05):
                    return

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield statuses
    finally:
        stop.set()
        thread.join()
    assert set(statuses) == {200}


def connect(server: Server) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", server.port), timeout=_PATIENCE)
    made.settimeout(_PATIENCE)
    return made


def head(path: str = "/mask", *headers: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "host: localhost", "content-type: application/json"]
    return "\r\n".join([*lines, *headers, "", ""]).encode()


def answer_of(connection: socket.socket) -> bytes:
    """All that the server sends until it closes the connection."""
    received = b""
    while True:
        try:
            piece = connection.recv(65536)
        except ConnectionError:
            return received
        if not piece:
            return received
        received += piece


def test_fifty_megabytes_are_refused(server: Server) -> None:
    """A body of 50 MB is refused, declared or not, and the client can read why."""
    size = 50_000_000
    piece = (NOTE.encode() * 1000)[:65536]
    with others(server):
        for headers in ([f"content-length: {size}"], ["transfer-encoding: chunked"]):
            with connect(server) as connection:
                connection.sendall(head("/mask", *headers))
                chunked = b"%x\r\n%s\r\n" % (len(piece), piece)
                try:
                    for _ in range(size // len(piece)):
                        connection.sendall(chunked if "chunked" in headers[0] else piece)
                except ConnectionError:
                    pass
                received = answer_of(connection)
                assert received == b"" or received.startswith(b"HTTP/1.1 413 ")
                assert b"Quartermain" not in received
        with connect(server) as connection:
            connection.sendall(head("/mask", f"content-length: {size}", "expect: 100-continue"))
            assert answer_of(connection).startswith(b"HTTP/1.1 413 ")


def test_slow_clients_are_cut_off(server: Server) -> None:
    """Clients that send a byte now and then are cut off, in the head and in the body."""
    with others(server), ExitStack() as stack:
        heads = [stack.enter_context(connect(server)) for _ in range(20)]
        bodies = [stack.enter_context(connect(server)) for _ in range(20)]
        for each in heads:
            each.sendall(b"POST /mask HTTP/1.1\r\nhost: loc")
        for each in bodies:
            each.sendall(head("/mask", "content-length: 1000") + b'{"text": "')
        silent = stack.enter_context(connect(server))
        for _ in range(4):
            time.sleep(0.3)
            for each in (*heads, *bodies):
                with suppress(ConnectionError):
                    each.sendall(b"x")
        # One that sends after it was cut off may not get its answer.
        for group in (heads, bodies, [silent]):
            received = [answer_of(each) for each in group]
            assert {each[:13] for each in received} <= {b"", b"HTTP/1.1 408 "}
            assert any(b"application/problem+json" in each for each in received)


def test_clients_that_go_away_leave_nothing(server: Server, client: httpx.Client) -> None:
    """Requests of clients that close the connection do not stay in work."""
    body = json.dumps({"text": NOTE * 20}).encode()
    whole = head("/mask", f"content-length: {len(body)}") + body
    with others(server):
        for cut in (10, 100, len(whole) - 5, len(whole)):
            for _ in range(10):
                with connect(server) as connection:
                    connection.sendall(whole[:cut])
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        if "veil_in_flight 0" in client.get("/metrics").text:
            return
        time.sleep(0.1)
    pytest.fail("requests of clients that went away are still in work")


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\xff" * 100,
        b"GET / HTTP/1.1\r\n\r\n",
        b"POST /mask HTTP/1.1\r\nhost: localhost\r\ncontent-length: -5\r\n\r\n",
        b"POST /mask HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n"
        b"transfer-encoding: chunked\r\n\r\n",
        b"POST /mask HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"GET /" + b"x" * 100_000,
        b"GET / HTTP/1.1\r\nhost: localhost\r\n" + b"a: b\r\n" * 20_000,
        b"GET /\xff HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
        b"GET /ws HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade, close\r\n"
        b"upgrade: websocket\r\n\r\n",
    ],
)
def test_broken_http_is_refused(server: Server, client: httpx.Client, data: bytes) -> None:
    """What is no HTTP is refused, and the service goes on."""
    with connect(server) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        received = answer_of(connection)
        assert received == b"" or received[:12].decode() in {
            *("HTTP/1.1 400", "HTTP/1.1 404", "HTTP/1.1 408", "HTTP/1.1 421", "HTTP/1.1 413"),
        }
    assert client.get("/health").status_code == 200


def test_too_many_requests_are_told_to_wait(tmp_path: Path) -> None:
    """Above the limit requests get 429 while probes are answered; later all are served again."""
    start = head("/batch", "transfer-encoding: chunked")
    options = ("--rules-only", "--lang", "sv", "--workers", "1", "--max-requests", "2")
    with running(tmp_path, *options) as server, server.client() as client:
        with connect(server) as first, connect(server) as second:
            for each in (first, second):
                each.sendall(start)
                assert each.recv(12) == b"HTTP/1.1 200"
            response = client.post("/mask", json={"text": "x"})
            assert response.status_code == 429
            assert response.headers["retry-after"] == "1"
            assert client.get("/ready").status_code == 200
        deadline = time.monotonic() + _PATIENCE
        while client.post("/mask", json={"text": "x"}).status_code == 429:
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_batch_answers_while_it_is_sent(server: Server) -> None:
    """A line is answered before the next one is sent."""
    with connect(server) as connection:
        connection.sendall(head("/batch", "transfer-encoding: chunked"))
        with connection.makefile("rb") as answers:
            while answers.readline().strip():
                pass  # the head of the response
            for number in range(1, 4):
                line = json.dumps({"id": number, "text": NOTE}).encode() + b"\n"
                connection.sendall(b"%x\r\n%s\r\n" % (len(line), line))
                size = int(answers.readline(), 16)
                answer = json.loads(answers.read(size))
                assert answers.readline() == b"\r\n"
                assert (answer["id"], answer["line"]) == (number, number)
                assert PLANTED not in answer["text"]
            connection.sendall(b"0\r\n\r\n")
            assert answers.readline() == b"0\r\n"


def test_silent_batch_is_ended(server: Server) -> None:
    """A stream without data for too long ends with a line that says so."""
    with connect(server) as connection:
        connection.sendall(head("/batch", "transfer-encoding: chunked", "connection: close"))
        received = answer_of(connection)
    assert b'"error": "slow-body"' in received


def test_text_that_takes_too_long_is_cut_off(tmp_path: Path) -> None:
    """A text above the time limit is withheld with its worker; the others are served."""
    long = " ".join(f"{PLANTED} {number}/10/2021" for number in range(150_000))
    options = ("--workers", "2", "--time-limit", "10", "--lang", "en")
    with running(tmp_path, *options) as server, server.client() as client:
        with others(server):
            response = client.post("/mask", json={"text": long})
            assert response.status_code == 503
            assert response.json()["code"] == "time-limit"
            lines = [json.dumps({"id": 1, "text": long}), json.dumps({"id": 2, "text": NOTE})]
            batch = client.post("/batch", content="\n".join(lines))
            answers = [json.loads(line) for line in batch.text.splitlines()]
            assert ["withheld" in each for each in answers] == [True, False]
            assert [each["id"] for each in answers] == [1, 2]
        metrics = client.get("/metrics").text
        assert "veil_time_limits_total 2" in metrics
        assert server.stop() in (0, -15)
        assert PLANTED.split()[0] not in server.log.read_text("utf-8")
