"""The parts of the service without a network: limits, streams, workers, logs and options."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import uvicorn
from uvicorn.server import ServerState

from veil import InputError
from veil.cli import main
from veil.detect.assembly import DetectionOptions
from veil.replace.secret import Key
from veil.serve.app import BatchLine
from veil.serve.batch import BatchResponse
from veil.serve.engine import Answer, Counts, EngineOptions, WithheldError
from veil.serve.guard import Access, Guard, Limits, LogFormatter
from veil.serve.metrics import Metrics
from veil.serve.server import ServeOptions, _listening, _Protocol, serve
from veil.serve.workers import TimeLimitError, WorkerLostError, Workers

from .conftest import PLANTED, running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

LIMITS = Limits(size=1000, read_seconds=60.0, requests=4, time_seconds=60.0)
ENGINE = EngineOptions(DetectionOptions(lang="sv", model="rules"), "tag", Key(b"k" * 32))


class FakeWorkers:
    """Workers that answer with the ids of lines; a line called "poison" ends its worker."""

    def __init__(self) -> None:
        self.groups: list[list[Any]] = []

    async def run(self, task: str, **options: Any) -> Answer:
        lines = options["lines"]
        self.groups.append([line.get("id") for line in lines])
        await asyncio.sleep(0)
        if any(line.get("id") == "poison" for line in lines):
            raise TimeLimitError
        made = [json.dumps({"id": line.get("id")}).encode() + b"\n" for line in lines]
        return Answer(b"".join(made), Counts())


def batch_response(workers: FakeWorkers) -> BatchResponse:
    return BatchResponse(
        action="mask",
        policy="tag",
        model=BatchLine,
        check=lambda _: None,
        workers=workers,  # type: ignore[arg-type]
        ahead=2,
        limits=LIMITS,
        metrics=Metrics(),
    )


def test_stream_waits_for_its_reader() -> None:
    """While the client reads nothing, only a few of its chunks are read."""

    async def stream() -> tuple[int, int]:
        taken = 0
        may_send = asyncio.Event()
        sent: list[bytes] = []

        async def receive() -> dict[str, Any]:
            nonlocal taken
            taken += 1
            line = json.dumps({"id": taken, "text": "x"}).encode() + b"\n"
            return {"type": "http.request", "body": line, "more_body": taken < 500}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body":
                await may_send.wait()
                sent.append(message["body"])

        response = asyncio.create_task(batch_response(FakeWorkers())({}, receive, send))
        for _ in range(2000):
            await asyncio.sleep(0)
        blocked = taken
        may_send.set()
        await response
        ids = [json.loads(line)["id"] for line in b"".join(sent).splitlines()]
        assert ids == list(range(1, 501))
        return blocked, taken

    blocked, taken = asyncio.run(stream())
    assert blocked < 10
    assert taken == 500


def test_one_line_does_not_spoil_its_group() -> None:
    """If a group is cut off, its lines are done one by one, and one is withheld."""
    workers = FakeWorkers()

    async def stream() -> list[dict[str, Any]]:
        lines = [{"id": name, "text": "x"} for name in ("a", "poison", "b")]
        body = b"\n".join(json.dumps(line).encode() for line in lines) + b"\n"
        sent: list[bytes] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message.get("body", b""))

        await batch_response(workers)({}, receive, send)
        return [json.loads(line) for line in b"".join(sent).splitlines()]

    answers = asyncio.run(stream())
    assert [each["id"] for each in answers] == ["a", "poison", "b"]
    assert answers[1]["withheld"] == "it took more than 60 seconds"
    assert workers.groups == [["a", "poison", "b"], ["a"], ["poison"], ["b"]]


def guarded(
    app: Callable[..., Awaitable[None]],
    *,
    limits: Limits = LIMITS,
    body: bytes = b"{}",
    send_forever: bool = False,
    ready: bool = True,
) -> tuple[list[Any], list[str]]:
    """Send a request through the guard: the messages that it sent, and whether it was aborted."""
    sent: list[Any] = []
    aborted: list[str] = []

    async def call() -> None:
        guard = Guard(
            app,
            limits=limits,
            access=Access(hosts=None, token=None),
            metrics=Metrics(),
            route_of=lambda path: path,
            is_ready=lambda: ready,
        )

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            if send_forever:
                await asyncio.Event().wait()
            sent.append(message)

        scope = {
            "type": "http",
            "method": "POST",
            "path": "/mask",
            "headers": [(b"host", b"localhost")],
            "extensions": {"veil.abort": lambda: aborted.append("aborted")},
        }
        await guard(scope, receive, send)

    asyncio.run(call())
    return sent, aborted


async def broken(scope: Any, receive: Any, send: Any) -> None:
    raise ValueError(f"an error about {PLANTED}")


async def half(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    raise ValueError(f"an error about {PLANTED}")


async def fine(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"done"})


def test_unforeseen_errors_show_no_text(caplog: pytest.LogCaptureFixture) -> None:
    """An unforeseen error gives 500; the log has its kind and place, and not its message."""
    caplog.set_level(logging.INFO, "veil.serve")
    sent, aborted = guarded(broken)
    assert sent[0]["status"] == 500
    assert PLANTED not in repr(sent)
    assert not aborted
    shown = [LogFormatter(as_json=True).format(record) for record in caplog.records]
    assert any("ValueError at test_parts.py" in line for line in shown)
    assert not any(PLANTED in line for line in shown)


def test_half_an_answer_is_cut_off() -> None:
    """If an error comes in the middle of an answer, the connection ends without its end."""
    sent, aborted = guarded(half)
    assert [each["type"] for each in sent] == ["http.response.start"]
    assert aborted == ["aborted"]


def test_client_that_does_not_read_is_cut_off() -> None:
    """A client that does not take the answer in time loses the connection."""
    limits = Limits(size=1000, read_seconds=0.05, requests=4, time_seconds=60.0)
    sent, aborted = guarded(fine, limits=limits, send_forever=True)
    assert (sent, aborted) == ([], ["aborted"])


def test_loading_service_says_so() -> None:
    """Before the models are loaded, requests get 503 and are asked to come back."""
    sent, _ = guarded(fine, ready=False)
    assert sent[0]["status"] == 503
    assert (b"retry-after", b"2") in sent[0]["headers"]


def test_all_answers_have_security_headers() -> None:
    """Answers and problems have the same security headers."""
    for app in (fine, broken):
        headers = dict(guarded(app)[0][0]["headers"])
        assert headers[b"cache-control"] == b"no-store"
        assert headers[b"x-content-type-options"] == b"nosniff"
        assert b"content-security-policy" in headers


REQUEST = b"POST /mask HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}"


class Listening:
    """Connections of `_Protocol` in this process, and the clients at their other ends."""

    def __init__(self, port: int, made: list[_Protocol]) -> None:
        self._port = port
        self._made = made

    async def connect(self) -> tuple[socket.socket, _Protocol]:
        loop = asyncio.get_running_loop()
        client = socket.socket()
        client.setblocking(False)
        known = len(self._made)
        await loop.sock_connect(client, ("127.0.0.1", self._port))
        while len(self._made) == known or self._made[-1].transport is None:
            await asyncio.sleep(0)
        return client, self._made[-1]


@asynccontextmanager
async def listening(app: Any, *, most: int = 100) -> AsyncIterator[Listening]:
    made: list[_Protocol] = []
    config = uvicorn.Config(app, log_config=None, ws="none", timeout_keep_alive=600)
    state = ServerState()

    def make() -> _Protocol:
        made.append(_Protocol(config, state, {}, seconds=600.0, most=most))
        return made[-1]

    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
    try:
        yield Listening(server.sockets[0].getsockname()[1], made)
    finally:
        server.close()
        for each in made:
            each.transport.abort()
        await asyncio.sleep(0)


async def until_read(protocol: _Protocol) -> None:
    """Wait until the event loop has read what was sent to a connection."""
    while protocol._has_data:
        await asyncio.sleep(0)


async def answer(client: socket.socket) -> bytes:
    """An answer without a body, or nothing if the connection is closed."""
    loop = asyncio.get_running_loop()
    received = b""
    while not received.endswith(b"\r\n\r\n") and (piece := await loop.sock_recv(client, 4096)):
        received += piece
    return received.partition(b"\r\n")[0]


async def empty(scope: Any, receive: Any, send: Any) -> None:
    """Answer without a body, before the body of the request is read."""
    headers = [(b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


@pytest.mark.parametrize("sent", [REQUEST, REQUEST[:20]])
def test_connection_is_kept_if_its_next_request_has_arrived(sent: bytes) -> None:
    """A request that arrived at the moment when its connection times out is answered."""

    async def run() -> list[bytes]:
        loop = asyncio.get_running_loop()
        async with listening(empty) as listener:
            client, protocol = await listener.connect()
            with client:
                await loop.sock_sendall(client, REQUEST)
                answers = [await answer(client)]
                client.send(sent)  # in the buffer of the system, not read by the event loop
                protocol.timeout_keep_alive_handler()
                await loop.sock_sendall(client, REQUEST[len(sent) :])
                answers.append(await answer(client))
                client.send(REQUEST)
                protocol._cut_off()
                answers.append(await answer(client))
                protocol.timeout_keep_alive_handler()
                answers.append(await answer(client))
                return answers

    assert asyncio.run(run()) == [b"HTTP/1.1 200 OK"] * 3 + [b""]


def test_time_for_a_head_begins_with_the_head() -> None:
    """An idle connection has the time between requests; one with part of a head, that of heads."""

    async def run() -> list[tuple[bool, bool]]:
        loop = asyncio.get_running_loop()
        timers: list[tuple[bool, bool]] = []
        async with listening(empty) as listener:
            client, protocol = await listener.connect()
            with client:
                for first, rest in (
                    (REQUEST, b""),
                    (REQUEST[:-2], REQUEST[-2:]),  # the body comes after the answer
                    (REQUEST + REQUEST[:20], b""),  # the next head begins before the answer
                ):
                    await loop.sock_sendall(client, first)
                    await answer(client)
                    await loop.sock_sendall(client, rest)
                    await until_read(protocol)
                    is_idle = protocol.timeout_keep_alive_task is not None
                    timers.append((is_idle, protocol._timer is not None))
        return timers

    assert asyncio.run(run()) == [(True, False), (True, False), (False, True)]


def test_idle_connections_make_room_for_others() -> None:
    """Above the limit the connection that is idle longest is closed; without one, the new one."""

    async def run() -> list[bytes]:
        loop = asyncio.get_running_loop()
        async with listening(empty, most=2) as listener:
            (first, _), (second, own) = await listener.connect(), await listener.connect()
            for each in (first, second):
                await loop.sock_sendall(each, REQUEST)
                await answer(each)
            third, _ = await listener.connect()
            answers = [await answer(first)]
            await loop.sock_sendall(second, REQUEST[:20])
            await until_read(own)
            fourth, _ = await listener.connect()
            answers.append(await answer(fourth))
            for each in (second, third):
                await loop.sock_sendall(each, REQUEST[20:] if each is second else REQUEST)
                answers.append(await answer(each))
            for each in (first, second, third, fourth):
                each.close()
            return answers

    refused, ok = b"HTTP/1.1 503 Service Unavailable", b"HTTP/1.1 200 OK"
    assert asyncio.run(run()) == [b"", refused, ok, ok]


@pytest.mark.parametrize("forked", [True, False])
def test_workers_are_replaced(forked: bool) -> None:
    """A worker that is ended is replaced, whether workers are forked or started anew."""
    if forked and sys.platform != "linux":
        pytest.skip("processes are forked on Linux only")

    async def work() -> None:
        workers = Workers(ENGINE, 1, time_limit=60.0, forked=forked)
        try:
            await workers.start()
            request = {"policy": "tag", "text": "Tel 070-174 06 58", "language": "sv"}
            first = await workers.run("mask", **request)
            assert b"[PHONE-1]" in first.body
            with pytest.raises(WithheldError) as withheld:
                await workers.run("mask", **request, known={PLANTED: "x"})
            assert PLANTED not in str(withheld.value)
            (process,) = workers._all
            process.kill()
            assert process._end.poll(60), "the worker has not ended"
            with pytest.raises((TimeLimitError, WorkerLostError)):
                await workers.run("mask", **request)
            assert (await workers.run("mask", **request)).body == first.body
            assert workers.replaced == 1
        finally:
            workers.close()

    asyncio.run(work())


def test_workers_that_cannot_load_say_why(tmp_path: Path) -> None:
    """What is wrong with the options is an error of the start."""
    allow = tmp_path / "gone.txt"
    options = EngineOptions(
        DetectionOptions(lang="sv", model="rules", allow=allow), "tag", Key(b"k" * 32)
    )

    async def work() -> None:
        workers = Workers(options, 1, time_limit=60.0)
        try:
            with pytest.raises(InputError, match=r"gone\.txt"):
                await workers.start()
        finally:
            workers.close()

    asyncio.run(work())


def test_own_policy_is_offered_by_name(tmp_path: Path) -> None:
    """A policy of a file is the default, under its name, beside Veil's own."""
    file = tmp_path / "mine.toml"
    file.write_text('about = "mine"\ndefault = "tag"\n', "utf-8")
    options = EngineOptions(DetectionOptions(), file, Key(b"k" * 32))
    assert options.default_policy == "mine"
    assert {"mine", "tag"} <= set(options.policies)


def _secret(folder: Path, text: str) -> Path:
    file = folder / "secret"
    file.write_text(text, "ascii")
    return file


def test_wrong_options_are_refused(tmp_path: Path) -> None:
    """Each option that would be unsafe, or cannot work, is an error that names it."""
    short, missing = _secret(tmp_path, "short\n"), tmp_path / "missing"
    long = tmp_path / "long"
    long.write_text("0123456789abcdef\n", "ascii")
    cases = {
        "--token-file": ServeOptions(host="0.0.0.0", port=0),  # noqa: S104
        "at least 16": ServeOptions(port=0, token_file=short),
        "cannot be read": ServeOptions(port=0, token_file=missing),
        "give both --tls-cert and --tls-key": ServeOptions(port=0, tls_cert=short),
        "not a certificate": ServeOptions(port=0, tls_cert=short, tls_key=short),
        "cannot listen": ServeOptions(host="127.0.0.1.invalid", port=0, token_file=long),
    }
    for message, options in cases.items():
        with pytest.raises(InputError, match=message):
            serve(ENGINE, options)


def test_command_refuses_what_has_no_effect(capsys: pytest.CaptureFixture[str]) -> None:
    """Options that a service cannot follow, and wrong numbers, are errors with code 2."""
    assert main(["serve", "--two-pass"]) == 2
    assert main(["serve", "--host", "0.0.0.0"]) == 2  # noqa: S104
    assert "--token-file" in capsys.readouterr().err
    for wrong in (["--port", "70000"], ["--max-size", "0"], ["--time-limit", "nan"]):
        with pytest.raises(SystemExit) as left:
            main(["serve", *wrong])
        assert left.value.code == 2


def test_used_port_is_an_error(tmp_path: Path) -> None:
    """A port that is taken gives a message that names it, and code 2."""
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"127.0.0.1:{port}: cannot listen"):
            serve(ENGINE, ServeOptions(port=port))


def test_service_speaks_tls(tmp_path: Path) -> None:
    """With a certificate the service speaks TLS alone, and says so to browsers."""
    import ssl

    cert, key = _certificate(tmp_path)
    options = ("--tls-cert", str(cert), "--tls-key", str(key), "--rules-only", "--lang", "sv")
    with running(tmp_path, *options, "--workers", "1", ready=False) as server:
        trust = ssl.create_default_context(cafile=str(cert))
        with server.client(verify=trust) as client:
            response = client.get("/health", headers={"origin": server.url})
            assert response.status_code == 200
            assert "max-age" in response.headers["strict-transport-security"]
        plain = server.url.replace("https", "http")
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"{plain}/health", trust_env=False, timeout=30)


def _certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that signs itself, and its key."""
    import datetime
    import ipaddress

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    cert_file, key_file = folder / "cert.pem", folder / "key.pem"
    cert_file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return cert_file, key_file


def test_metrics_are_well_formed() -> None:
    """Each line is a comment, or a name with labels and a number; buckets grow."""
    metrics = Metrics()
    for seconds in (0.001, 0.2, 99.0):
        metrics.add_request("POST", "/mask", 200, seconds)
    metrics.add(Counts({"DATE": 2}, 100, 1, 0))
    text = metrics.text(workers=2)
    values = {}
    for line in text.splitlines():
        if not line.startswith("# "):
            name, _, value = line.rpartition(" ")
            values[name] = float(value)
    buckets = [value for name, value in values.items() if "_bucket" in name]
    assert buckets == sorted(buckets)
    assert buckets[-1] == values['veil_request_seconds_count{route="/mask"}'] == 3
    assert values['veil_spans_total{label="DATE"}'] == 2


def test_service_without_its_packages_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without FastAPI, the command names the extra to install."""
    monkeypatch.setitem(sys.modules, "fastapi", None)
    assert main(["serve"]) == 2
    assert "veil-deid[serve]" in capsys.readouterr().err


def test_answers_are_sent_at_once() -> None:
    """A connection does not wait for more to send: the two parts of an answer follow at once."""

    async def accepted() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        class Look(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                own = transport.get_extra_info("socket")
                found.set_result(own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
                transport.close()

        loop = asyncio.get_running_loop()
        listener = _listening(ServeOptions(port=0))
        async with await loop.create_server(Look, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname()[:2])
            chosen = await found
            writer.close()
            await writer.wait_closed()
        return chosen

    assert asyncio.run(accepted()) == 1
