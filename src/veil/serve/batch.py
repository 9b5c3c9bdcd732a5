"""NDJSON in both directions: one result line for each request line, in the same order.

Only a few groups of lines are processed at a time: while the client reads no results, no more of
its lines are read, so that memory is bounded for streams of any length. For a line that fails, the
result is the reason why it is withheld; other lines are not affected.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from starlette.responses import Response

from veil.serve.engine import WithheldError
from veil.serve.guard import ClientGoneError
from veil.serve.workers import BusyError, TaskFailedError, TimeLimitError, WorkerLostError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from pydantic import BaseModel

    from veil.serve.engine import Answer
    from veil.serve.guard import Limits, Receive, Scope, Send
    from veil.serve.metrics import Metrics
    from veil.serve.workers import Workers

    Line = dict[str, Any]

NDJSON = "application/x-ndjson"
_MOST_LINES = 32
_MOST_CHARACTERS = 1 << 16


class BatchResponse(Response):
    """Reads request lines and writes response lines concurrently."""

    media_type = NDJSON

    def __init__(
        self,
        *,
        action: str,
        policy: str,
        model: type[BaseModel],
        check: Callable[[Line], str | None],
        workers: Workers,
        ahead: int,
        limits: Limits,
        metrics: Metrics,
    ) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._action = action
        self._policy = policy
        self._model = model
        self._check = check
        self._workers = workers
        self._ahead = ahead
        self._limits = limits
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        under_way: asyncio.Queue[asyncio.Task[bytes] | bytes | None] = asyncio.Queue(self._ahead)
        reader = asyncio.create_task(self._read(receive, under_way))
        try:
            while (made := await under_way.get()) is not None:
                body = made if isinstance(made, bytes) else await made
                await send({"type": "http.response.body", "body": body, "more_body": True})
            await reader
            await send({"type": "http.response.body", "body": b""})
        finally:
            reader.cancel()
            while not under_way.empty():
                left = under_way.get_nowait()
                if isinstance(left, asyncio.Task):
                    left.cancel()

    async def _read(
        self, receive: Receive, under_way: asyncio.Queue[asyncio.Task[bytes] | bytes | None]
    ) -> None:
        """Start processing groups of lines; wait while too many groups are in progress."""
        lines = _Lines(self._limits.size)
        try:
            async for chunk in self._chunks(receive):
                for group in _groups(self._parsed(*line) for line in lines.add(chunk)):
                    await under_way.put(asyncio.create_task(self._work(group)))
            for group in _groups(self._parsed(*line) for line in lines.rest()):
                await under_way.put(asyncio.create_task(self._work(group)))
        except TimeoutError:
            seconds = f"{self._limits.read_seconds:g}"
            detail = f"no data within {seconds} seconds; the rest of the stream was not read"
            await under_way.put(_line({"error": "slow-body", "detail": detail}))
        finally:
            await under_way.put(None)

    async def _chunks(self, receive: Receive) -> AsyncIterator[bytes]:
        more = True
        while more:
            async with asyncio.timeout(self._limits.read_seconds):
                message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientGoneError
            yield message.get("body", b"")
            more = message.get("more_body", False)

    def _parsed(self, number: int, data: bytes | None) -> Line:
        """A line for a worker, or the reason why it is withheld, without content of the line."""
        if data is None:
            reason = f"a line of more than {self._limits.size} bytes"
            return {"line": number, "withheld": reason}
        try:
            line = self._model.model_validate_json(data).model_dump(exclude_none=True)
        except ValidationError as error:
            kinds = {each["type"] for each in error.errors(include_input=False, include_url=False)}
            return {"line": number, "withheld": f"not a valid line: {', '.join(sorted(kinds))}"}
        own = {"line": number} | ({"id": line["id"]} if "id" in line else {})
        problem = self._check(line)
        return {**own, "withheld": problem} if problem else {"line": number, **line}

    async def _work(self, group: list[Line]) -> bytes:
        try:
            return self._counted(await self._run(group))
        except (
            TimeLimitError,
            WorkerLostError,
            TaskFailedError,
            WithheldError,
            BusyError,
        ) as error:
            if len(group) == 1:
                return self._withheld(group[0], error)
        # One of the lines is too slow: process each line separately.
        return b"".join([await self._work([line]) for line in group])

    def _run(self, group: list[Line]) -> Any:
        return self._workers.run("batch", action=self._action, policy=self._policy, lines=group)

    def _counted(self, answer: Answer) -> bytes:
        self._metrics.add(answer.counts)
        return answer.body

    def _withheld(self, line: Line, error: Exception) -> bytes:
        self._metrics.withhold()
        reason = "it failed"
        if isinstance(error, TimeLimitError):
            self._metrics.time_limits += 1
            reason = f"it took more than {self._limits.time_seconds:g} seconds"
        elif isinstance(error, BusyError):
            reason = "no worker became free in time"
        own: Line = {key: line[key] for key in ("line", "id") if key in line}
        return _line(own | {"withheld": reason})


class _Lines:
    """Splits a stream into numbered lines; a line that is too long is None."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._open = bytearray()
        self._is_too_long = False
        self._number = 0

    def add(self, chunk: bytes) -> Iterator[tuple[int, bytes | None]]:
        start = 0
        while (end := chunk.find(b"\n", start)) != -1:
            self._extend(chunk[start:end])
            yield from self._taken()
            start = end + 1
        self._extend(chunk[start:])

    def rest(self) -> Iterator[tuple[int, bytes | None]]:
        if self._open or self._is_too_long:
            yield from self._taken()

    def _extend(self, piece: bytes) -> None:
        if self._longest < len(self._open) + len(piece):
            self._is_too_long = True
        if self._is_too_long:
            self._open.clear()
        else:
            self._open += piece

    def _taken(self) -> Iterator[tuple[int, bytes | None]]:
        self._number += 1
        data = None if self._is_too_long else bytes(self._open)
        self._open.clear()
        self._is_too_long = False
        if data is None or data.strip():
            yield self._number, data


def _groups(lines: Iterator[Line]) -> Iterator[list[Line]]:
    """Group lines for a worker: as many as have arrived, within limits."""
    group: list[Line] = []
    size = 0
    for line in lines:
        group.append(line)
        size += len(line.get("text", ""))
        if len(group) == _MOST_LINES or _MOST_CHARACTERS <= size:
            yield group
            group, size = [], 0
    if group:
        yield group


def _line(value: Line) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"
