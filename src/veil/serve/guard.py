"""Checks of every request: access, limits of size and time, and logging.

Nothing that a client sends appears in a log, a metric or an error: a log line has the method, the
declared route, the status, sizes and times.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import re
import secrets
import time
import traceback
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence

    from veil.serve.metrics import Metrics

    Message = MutableMapping[str, Any]
    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOG = logging.getLogger("veil.serve")
PROBLEM = "application/problem+json"
FHIR = "application/fhir+json"
BATCH = "/batch"
PRESIDIO = ("/analyze", "/anonymize")
_FHIR_PREFIX = "/fhir/"
_PROBES = frozenset({"/health", "/ready"})
_OPEN = _PROBES | {"/", "/static/{name}"}
"""Routes that need no token: probes, and the page, which contains no secrets."""
_DRAIN_SECONDS = 2.0
_METHODS = frozenset({"GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE"})
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[^:\[\]]*)(?::\d*)?")

_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": _CSP,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_HSTS = "max-age=31536000"


@dataclass(frozen=True)
class Limits:
    """Limits on size (bytes of a body), time (seconds) and concurrent requests."""

    size: int
    read_seconds: float
    requests: int
    time_seconds: float


@dataclass(frozen=True)
class Access:
    """Access rules: `hosts` are the host names that requests may use, None for any.

    With a `token`, requests must have it.
    """

    hosts: frozenset[str] | None
    token: bytes | None = field(repr=False)
    tls: bool = False


class ProblemError(Exception):
    """A request is refused; `detail` contains nothing that the client sent."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.detail = detail
        self.headers = dict(headers or {})
        self.more = more

    def body(self, path: str) -> tuple[str, bytes]:
        """The content type and the body, in the shape that clients of this route expect."""
        if path.startswith(_FHIR_PREFIX):
            issue = {"severity": "error", "code": _issue(self.status), "diagnostics": self.detail}
            return FHIR, _json({"resourceType": "OperationOutcome", "issue": [issue]})
        problem: dict[str, Any] = {
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            **self.more,
        }
        if path in PRESIDIO:
            problem["error"] = self.detail
        return PROBLEM, _json(problem)


def _issue(status: int) -> str:
    """The code of HL7's IssueType for a status."""
    codes = {401: "login", 403: "forbidden", 404: "not-found", 413: "too-long", 429: "throttled"}
    codes |= {408: "timeout", 503: "transient", 500: "exception"}
    return codes.get(status, "invalid")


class Guard:
    """The outermost layer of the service; `route_of` names the route of a path, as declared."""

    def __init__(
        self,
        app: App,
        *,
        limits: Limits,
        access: Access,
        metrics: Metrics,
        route_of: Callable[[str], str],
        is_ready: Callable[[], bool],
    ) -> None:
        self._app = app
        self._limits = limits
        self._access = access
        self._metrics = metrics
        self._route_of = route_of
        self._is_ready = is_ready
        headers = _HEADERS | ({"strict-transport-security": _HSTS} if access.tls else {})
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, send, self._headers, self._limits.read_seconds)
        route = self._route_of(scope["path"])
        begun = time.perf_counter()
        try:
            await self._serve(scope, route, receive, exchange)
        except ProblemError as problem:
            await exchange.refuse(problem, receive)
        except ClientGoneError:
            pass
        except Exception as error:
            # The message may quote a record: log only the type and the line.
            LOG.error("request failed", extra={"about": exchange.id, "error": kind_of(error)})
            await exchange.refuse(
                ProblemError(500, "internal", "the request failed; its id is in the log"), receive
            )
        finally:
            seconds = time.perf_counter() - begun
            method = scope["method"] if scope["method"] in _METHODS else "other"
            status = exchange.status or 499  # the client disconnected before the response
            self._metrics.add_request(method, route, status, seconds)
            LOG.info(
                "request",
                extra={
                    "id": exchange.id,
                    "method": method,
                    "route": route,
                    "status": status,
                    "milliseconds": round(1000 * seconds, 1),
                    "bytes": exchange.sent,
                },
            )

    async def _serve(self, scope: Scope, route: str, receive: Receive, exchange: _Exchange) -> None:
        headers = {name.decode("latin-1"): value for name, value in scope["headers"]}
        self._check_access(route, headers)
        if scope["method"] != "POST" or route == "other":
            await self._app(scope, receive, exchange.send)
            return
        if not self._is_ready():
            retry = {"retry-after": "2"}
            raise ProblemError(503, "loading", "the models are being loaded", headers=retry)
        if self._limits.requests <= self._metrics.in_flight:
            detail = f"{self._limits.requests} requests are in progress; try again later"
            raise ProblemError(429, "too-many-requests", detail, headers={"retry-after": "1"})
        self._metrics.in_flight += 1
        try:
            if route == BATCH:  # this route limits its lines itself
                await self._app(scope, receive, exchange.send)
            else:
                await self._with_body(scope, headers, receive, exchange)
        finally:
            self._metrics.in_flight -= 1

    def _check_access(self, route: str, headers: Mapping[str, bytes]) -> None:
        host = headers.get("host", b"").decode("latin-1")
        matched = _HOST.fullmatch(host)
        name = matched["name"].lower() if matched else ""
        is_own = self._access.hosts is None or name in self._access.hosts
        if not is_own and route not in _PROBES:  # probes use the address of a container
            # DNS rebinding: a page of another site may point its own name to this machine.
            detail = "the Host header names another host; see --allowed-host"
            raise ProblemError(421, "wrong-host", detail)
        origin = headers.get("origin")
        scheme = b"https://" if self._access.tls else b"http://"
        if origin is not None and origin.lower() != scheme + host.lower().encode("latin-1"):
            raise ProblemError(
                403, "cross-origin", "requests from pages of other sites are refused"
            )
        if self._access.token is not None and route not in _OPEN:
            kind, _, given = headers.get("authorization", b"").partition(b" ")
            is_right = hmac.compare_digest(given.strip(), self._access.token)
            if kind.lower() != b"bearer" or not is_right:
                raise ProblemError(
                    401,
                    "token",
                    "the bearer token is missing or wrong",
                    headers={"www-authenticate": "Bearer"},
                )

    async def _with_body(
        self, scope: Scope, headers: Mapping[str, bytes], receive: Receive, exchange: _Exchange
    ) -> None:
        """Read the whole body, within the limits, before calling the route."""
        body = await self._read(headers, receive)
        await self._app(scope, _replay(body, receive), exchange.send)

    async def _read(self, headers: Mapping[str, bytes], receive: Receive) -> bytes:
        limit, seconds = self._limits.size, self._limits.read_seconds
        too_large = ProblemError(413, "too-large", f"a body may have at most {limit} bytes")
        declared = headers.get("content-length", b"0")
        if not declared.isdigit() or limit < int(declared):
            raise too_large
        body = bytearray()
        try:
            async with asyncio.timeout(seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise ClientGoneError
                    body += message.get("body", b"")
                    if limit < len(body):
                        raise too_large
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            detail = f"the body did not arrive within {seconds:g} seconds"
            raise ProblemError(408, "slow-body", detail) from None


class ClientGoneError(Exception):
    """The client closed the connection, or did not read for too long."""


class _Exchange:
    """One request and its response: the common headers, and the state of sending."""

    def __init__(
        self, scope: Scope, send: Send, headers: Sequence[tuple[bytes, bytes]], seconds: float
    ) -> None:
        self.id = secrets.token_hex(8)
        self.status = 0
        self.sent = 0
        self._is_complete = False
        self._path = scope["path"]
        self._send = send
        self._headers = headers
        self._seconds = seconds
        self._abort = scope.get("extensions", {}).get("veil.abort", lambda: None)

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            own = {name for name, _ in message.get("headers", ())}
            added = [each for each in self._headers if each[0] not in own]
            request = (b"x-request-id", self.id.encode())
            message["headers"] = [*message.get("headers", ()), *added, request]
        elif not message.get("more_body", False):
            self._is_complete = True
        self.sent += len(message.get("body", b""))
        try:
            async with asyncio.timeout(self._seconds):
                await self._send(message)
        except TimeoutError:  # the client reads nothing
            self._abort()
            raise ClientGoneError from None

    async def refuse(self, problem: ProblemError, receive: Receive) -> None:
        """Respond with a problem, or close the connection if a response has begun."""
        if self.status:
            if not self._is_complete:
                self._abort()
            return
        content_type, body = problem.body(self._path)
        headers = {
            "content-type": content_type,
            "content-length": str(len(body)),
            "connection": "close",
            **problem.headers,
        }
        if problem.status in (401, 403, 404, 405, 421, 422, 503):
            del headers["connection"]
        written = [(name.encode(), value.encode()) for name, value in headers.items()]
        try:
            await self.send(
                {"type": "http.response.start", "status": problem.status, "headers": written}
            )
            await self.send({"type": "http.response.body", "body": body, "more_body": True})
            if problem.status == 413:
                await _drain(receive)
            await self.send({"type": "http.response.body", "body": b""})
        except ClientGoneError:
            return


async def _drain(receive: Receive) -> None:
    """Read the rest of a request, since a client may not read the response before."""
    try:
        async with asyncio.timeout(_DRAIN_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    return
    except TimeoutError:
        return


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a body that was already read, then the end of the connection."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return messages.pop() if messages else await receive()

    return replayed


def kind_of(error: BaseException) -> str:
    """The type of an error and its line; the message may quote a record."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


class LogFormatter(logging.Formatter):
    """Log lines as text or JSON; of exceptions, only the type and the line are written."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        entry |= {name: getattr(record, name) for name in _LOGGED if hasattr(record, name)}
        if record.exc_info and record.exc_info[1]:
            entry["error"] = kind_of(record.exc_info[1])
        if self._as_json:
            return json.dumps(entry)
        moment, level, message, *rest = entry.items()
        details = " ".join(f"{name}={value}" for name, value in rest)
        return f"{moment[1]} {level[1]} {message[1]} {details}".rstrip()


_LOGGED = ("id", "about", "method", "route", "status", "milliseconds", "bytes", "error")
