"""Starting the service: addresses, TLS, logs, and limits on slow connections."""

from __future__ import annotations

import ipaddress
import json
import logging
import selectors
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from veil.core.errors import InputError
from veil.serve.app import Service, Setup, make_app
from veil.serve.guard import LOG, PROBLEM, Access, Limits, LogFormatter

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from veil.serve.engine import EngineOptions

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
_SHORTEST_TOKEN = 16
_CONNECTIONS_PER_REQUEST = 4
_SPARE_CONNECTIONS = 100
_GRACE_SECONDS = 10
_IDLE_SECONDS = 120
"""How long a connection is kept between requests.

Most clients and proxies close idle connections earlier (httpx after 5 s, nginx after 60 s, Go after
90 s). If the server closes first, a request in transit at that moment is lost.
"""


@dataclass(frozen=True)
class ServeOptions:
    """The addresses, TLS and limits of the service."""

    host: str = "127.0.0.1"
    port: int = 8000
    token_file: Path | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None
    allowed_hosts: Sequence[str] = ()
    workers: int = 1
    max_bytes: int = 10_000_000
    time_limit: float = 60.0
    read_timeout: float = 30.0
    max_requests: int = 100
    log_format: str = "text"

    @property
    def is_loopback(self) -> bool:
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return False

    @property
    def url_host(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host


def serve(
    engine: EngineOptions, options: ServeOptions, say: Callable[[str], None] = lambda _: None
) -> None:
    """Serve until the process is stopped; raise an error for invalid options.

    `say` gets the address and warnings.
    """
    access = _access(options)
    limits = Limits(
        options.max_bytes, options.read_timeout, options.max_requests, options.time_limit
    )
    service = Service(Setup(engine, limits, access, options.workers))
    config = uvicorn.Config(
        make_app(service),
        http=partial(  # type: ignore[arg-type]
            _Protocol,
            seconds=options.read_timeout,
            most=_CONNECTIONS_PER_REQUEST * options.max_requests + _SPARE_CONNECTIONS,
        ),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        ssl_certfile=options.tls_cert,
        ssl_keyfile=options.tls_key,
    )
    _check_tls(config, options)
    if not options.is_loopback and not access.tls:
        say(
            f"warning: texts and the token cross the network unencrypted to {options.host}; give "
            "--tls-cert and --tls-key, or let a proxy on the same machine do TLS"
        )
    server = uvicorn.Server(config)

    def stop() -> None:
        server.should_exit = True

    service.on_failure = stop
    with _listening(options) as listener:
        listener.listen()  # from here on, connections wait for the server
        port = listener.getsockname()[1]
        scheme = "https" if access.tls else "http"
        say(f"listening on {scheme}://{options.url_host}:{port} (stop with Ctrl+C)")
        _log_as(options.log_format)
        with suppress(KeyboardInterrupt):  # the server has already shut down cleanly
            server.run(sockets=[listener])
    if service.failure:
        raise InputError(service.failure)


def _access(options: ServeOptions) -> Access:
    if not options.is_loopback and options.token_file is None:
        raise InputError(
            f"--host {options.host}: other machines could reach the service; give --token-file "
            "FILE with a secret token (such as one line of `veil key FILE`)"
        )
    if (options.tls_cert is None) != (options.tls_key is None):
        raise InputError("give both --tls-cert and --tls-key, or neither")
    named = frozenset(name.lower() for name in options.allowed_hosts)
    own = _LOOPBACK | {options.url_host.lower()}
    hosts = own | named if options.is_loopback or named else None
    token = None if options.token_file is None else _token(options.token_file)
    return Access(hosts, token, options.tls_cert is not None)


def _token(file: Path) -> bytes:
    try:
        token = file.read_bytes().partition(b"\n")[0].strip()
    except OSError as error:
        raise InputError(f"{file}: the token cannot be read: {error.strerror}") from None
    if len(token) < _SHORTEST_TOKEN or not token.isascii() or b" " in token:
        raise InputError(
            f"{file}: the first line must be a token of at least {_SHORTEST_TOKEN} ASCII "
            "characters without blanks"
        )
    return token


def _check_tls(config: uvicorn.Config, options: ServeOptions) -> None:
    if options.tls_cert is None:
        return
    try:
        config.load()
    except OSError as error:  # includes TLS errors
        raise InputError(
            f"{options.tls_cert}, {options.tls_key}: not a certificate with its key: "
            f"{error.strerror or type(error).__name__}"
        ) from None


def _listening(options: ServeOptions) -> socket.socket:
    host = options.host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small packets at once only on explicit TCP sockets. Otherwise the second part of
    # a response on a kept connection waits 40 ms for the acknowledgement of the first.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, options.port))
    except OSError as error:
        listener.close()
        raise InputError(
            f"{options.url_host}:{options.port}: cannot listen there: {error.strerror}"
        ) from None
    return listener


def _log_as(log_format: str) -> None:
    """Write all logs to standard error, in one format."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LogFormatter(as_json=log_format == "json"))
    for name, level in (
        ("veil.serve", logging.INFO),
        ("uvicorn", logging.WARNING),
        ("asyncio", logging.WARNING),
    ):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False


class _Protocol(H11Protocol):
    """HTTP/1.1 with limits on connections and on the time of a request head.

    Uvicorn would wait forever for a client that sends one byte per minute.
    """

    def __init__(self, *args: Any, seconds: float, most: int, **options: Any) -> None:
        super().__init__(*args, **options)
        self._seconds = seconds
        self._most = most
        self._timer: asyncio.TimerHandle | None = None
        inner: Any = self.app

        async def app(scope: Any, receive: Any, send: Any) -> None:
            scope.setdefault("extensions", {})["veil.abort"] = self.transport.abort
            await inner(scope, receive, send)

        self.app = app

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self._most < len(self.connections) and not self._close_longest_idle():
            self._refuse(503, "too-many-connections", "too many connections")
        else:
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unwatch()
        self._unset_keepalive_if_required()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._set_timers()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._set_timers()

    def timeout_keep_alive_handler(self) -> None:
        self.timeout_keep_alive_task = None
        if self._has_data:  # the next request has arrived, and is read next
            self._set_timers()
        else:
            super().timeout_keep_alive_handler()

    def send_400_response(self, msg: str) -> None:
        self._refuse(400, "not-http", "not a request of HTTP/1.1")

    def _set_timers(self) -> None:
        """Limit the time of an idle connection, or of an incomplete request."""
        if self.transport.is_closing():
            return
        if self.cycle is not None and not self.cycle.response_complete:
            self._unwatch()
        elif self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]:
            self._unwatch()
            if self.timeout_keep_alive_task is None:
                self.timeout_keep_alive_task = self.loop.call_later(
                    self.timeout_keep_alive, self.timeout_keep_alive_handler
                )
        else:
            self._unset_keepalive_if_required()
            self._watch()

    @property
    def _has_data(self) -> bool:
        """Whether data have arrived that the event loop has not read yet."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.transport.get_extra_info("socket"), selectors.EVENT_READ)
            return bool(selector.select(0))

    def _close_longest_idle(self) -> bool:
        """Close the connection that has been idle longest, if any, to make room for another."""
        idle = [
            (task.when(), each)
            for each in self.connections
            if isinstance(each, _Protocol) and (task := each.timeout_keep_alive_task)
        ]
        for _, each in sorted(idle, key=itemgetter(0)):
            if not each.transport.is_closing() and not each._has_data:
                each._unset_keepalive_if_required()
                each.shutdown()
                self.connections.discard(each)
                return True
        return False

    def _watch(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(self._seconds, self._cut_off)

    def _unwatch(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _cut_off(self, looks: int = 1) -> None:
        self._timer = None
        if self.transport.is_closing():
            return
        if looks and self._has_data:  # a busy event loop may not have read the data yet
            self._timer = self.loop.call_later(0, self._cut_off, looks - 1)
        else:
            self._refuse(408, "slow-head", "the head of the request did not arrive in time")

    def _refuse(self, status: int, code: str, detail: str) -> None:
        """Respond without the application, and close the connection."""
        problem = {"title": code, "status": status, "code": code, "detail": detail}
        body = json.dumps(problem).encode()
        phrases = {400: "Bad Request", 408: "Request Timeout", 503: "Service Unavailable"}
        head = (
            f"HTTP/1.1 {status} {phrases[status]}\r\ncontent-type: {PROBLEM}\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()
        LOG.info("connection refused", extra={"status": status})


__all__ = ["ServeOptions", "serve"]
