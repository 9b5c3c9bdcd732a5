"""Metrics in the text format of Prometheus, without text of records."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from veil.serve.engine import Counts

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """The counts of the service since it started."""

    def __init__(self) -> None:
        self._started = time.time()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._latency: dict[str, list[int]] = {}
        self._seconds: Counter[str] = Counter()
        self._spans: Counter[str] = Counter()
        self._documents = self._withheld = self._characters = 0
        self.time_limits = 0
        self.in_flight = 0

    def add_request(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests[method, route, status] += 1
        buckets = self._latency.setdefault(route, [0] * (len(_BUCKETS) + 1))
        buckets[bisect_left(_BUCKETS, seconds)] += 1
        self._seconds[route] += seconds  # type: ignore[assignment]

    def add(self, counts: Counts) -> None:
        self._spans.update(counts.labels)
        self._documents += counts.documents
        self._withheld += counts.withheld
        self._characters += counts.characters

    def withhold(self) -> None:
        self._withheld += 1

    def text(self, **gauges: int) -> str:
        """All metrics; the gauges are those of the workers."""
        return "\n".join([*self._lines(gauges), ""])

    def _lines(self, gauges: Mapping[str, int]) -> Iterator[str]:
        yield from _head("requests_total", "counter", "Requests by route and status.")
        for (method, route, status), count in sorted(self._requests.items()):
            labels = f'method="{method}",route="{route}",status="{status}"'
            yield f"veil_requests_total{{{labels}}} {count}"
        yield from _head("request_seconds", "histogram", "Time from request to end of response.")
        for route, buckets in sorted(self._latency.items()):
            total = 0
            for limit, count in zip((*_BUCKETS, "+Inf"), buckets, strict=True):
                total += count
                yield f'veil_request_seconds_bucket{{route="{route}",le="{limit}"}} {total}'
            yield f'veil_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}'
            yield f'veil_request_seconds_count{{route="{route}"}} {total}'
        yield from _head("spans_total", "counter", "Spans found, by label.")
        for label, count in sorted(self._spans.items()):
            yield f'veil_spans_total{{label="{label}"}} {count}'
        singles = (
            ("documents_total", "counter", "Texts processed.", self._documents),
            ("withheld_total", "counter", "Texts withheld.", self._withheld),
            ("characters_total", "counter", "Characters read.", self._characters),
            ("time_limits_total", "counter", "Texts cut off at the time limit.", self.time_limits),
            ("in_flight", "gauge", "Requests in progress.", self.in_flight),
            ("start_time_seconds", "gauge", "When the service started.", int(self._started)),
        )
        for name, kind, about, value in singles:
            yield from _head(name, kind, about)
            yield f"veil_{name} {value}"
        for name, value in gauges.items():
            yield from _head(name, "gauge", "State of the workers.")
            yield f"veil_{name} {value}"


def _head(name: str, kind: str, about: str) -> tuple[str, str]:
    return f"# HELP veil_{name} {about}", f"# TYPE veil_{name} {kind}"
