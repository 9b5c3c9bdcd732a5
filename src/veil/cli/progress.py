"""A progress bar on standard error, where a person looks; never in pipes or with --quiet."""

from __future__ import annotations

import contextlib
import itertools
import sys
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")

_WIDTH = 30
_SECONDS_BETWEEN_DRAWINGS = 0.1


def is_shown(*, quiet: bool) -> bool:
    """Whether somebody would see a bar."""
    return not quiet and sys.stderr.isatty()


def track(items: Iterable[T], *, total: int | None, what: str, quiet: bool) -> Iterator[T]:
    """Yield the items and draw how far we are."""
    if not is_shown(quiet=quiet):
        yield from items
        return
    started = drawn = time.monotonic()
    count = 0
    try:
        for item in items:
            yield item
            count += 1
            now = time.monotonic()
            if drawn + _SECONDS_BETWEEN_DRAWINGS <= now:
                drawn = now
                _draw(describe(count, total, what, now - started))
    finally:
        _draw("")


@contextlib.contextmanager
def meter(*, total: int | None, what: str, quiet: bool) -> Iterator[Callable[[], None]]:
    """Give a function to be called at each step, and draw how far we are."""
    if not is_shown(quiet=quiet):
        yield lambda: None
        return
    started = time.monotonic()
    steps = itertools.count(1)

    def step() -> None:
        _draw(describe(next(steps), total, what, time.monotonic() - started))

    try:
        yield step
    finally:
        _draw("")


def describe(count: int, total: int | None, what: str, seconds: float) -> str:
    """One line: a bar and the time left where the total is known, and the speed."""
    rate = count / seconds if seconds > 0 else 0.0
    speed = f"{rate:,.0f} {what}/s" if rate >= 10 else f"{rate:.2f} {what}/s"
    if not total:
        return f"{count:,} {what}  {speed}"
    done = min(1.0, count / total)
    bar = ("█" * round(done * _WIDTH)).ljust(_WIDTH, "░")
    left = f"  {max(0, total - count) / rate:,.0f} s left" if rate else ""
    return f"{bar} {count:,}/{total:,}  {speed}{left}"


def _draw(line: str) -> None:
    sys.stderr.write(f"\r\x1b[2K{line}")
    sys.stderr.flush()
