"""A progress bar on standard error; only on a terminal and without --quiet."""

from __future__ import annotations

import contextlib
import itertools
import math
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")

_WIDTH = 30
_SECONDS_BETWEEN_DRAWINGS = 0.1


def is_shown(*, quiet: bool) -> bool:
    """Whether to show a progress bar."""
    return not quiet and sys.stderr.isatty()


def track(items: Iterable[T], total: int | None, *, what: str, quiet: bool) -> Iterator[T]:
    """Yield the items and draw the progress."""
    drawn = time.monotonic()
    with drawing(quiet=quiet) as draw:
        for count, item in enumerate(items, start=1):
            yield item
            if drawn + _SECONDS_BETWEEN_DRAWINGS <= time.monotonic():
                drawn = time.monotonic()
                draw(partial(describe, count, total, what))


@contextlib.contextmanager
def meter(*, what: str, quiet: bool) -> Iterator[Callable[[int | None], None]]:
    """Yield a function that draws the progress; call it with the total at each step."""
    steps = itertools.count(1)
    with drawing(quiet=quiet) as draw:
        yield lambda total: draw(partial(describe, next(steps), total, what))


@contextlib.contextmanager
def drawing(*, quiet: bool) -> Iterator[Callable[[Callable[[float], str]], None]]:
    """Yield a function that draws a line; its argument makes the line from the elapsed seconds."""
    if not is_shown(quiet=quiet):
        yield lambda _: None
        return
    started = time.monotonic()
    _draw("starting")
    try:
        yield lambda line: _draw(line(time.monotonic() - started))
    finally:
        _draw("")


def describe_share(
    count: int,
    what: str,
    share: float,
    seconds: float,
    *,
    before: tuple[int, float],
    total: tuple[int, int],
    note: str,
) -> str:
    """One line: a bar, the share that is done, the count, the speed, a note and the time left.

    `before` is the count and the share at the time from which the seconds count; `total` is the
    number and size of all files.
    """
    rate = (count - before[0]) / seconds if seconds > 0 else 0.0
    gained = share - before[1]
    left = _time_left((1 - share) * seconds / gained) if gained > 0 else ""
    files, size = total
    of = f" of {files:,} file(s), {size / 1e6:,.1f} MB" if files else ""
    return f"{_bar(share)} {share:4.0%}  {count:,} {what}{of}  {_speed(rate, what)}  {note}{left}"


def describe(count: int, total: int | None, what: str, seconds: float) -> str:
    """One line: the count and speed, with a bar and the time left if the total is known."""
    rate = count / seconds if seconds > 0 else 0.0
    speed = _speed(rate, what)
    if not total:
        return f"{count:,} {what}  {speed}"
    left = _time_left(max(0, total - count) / rate) if rate else ""
    share = min(1.0, count / total)
    return f"{_bar(share)} {share:4.0%}  {count:,}/{total:,}  {speed}{left}"


def _time_left(seconds: float) -> str:
    """The time left in minutes, rounded up."""
    minutes = math.ceil(seconds / 60)
    return f"  {minutes:,} min left" if minutes > 1 else "  less than a minute left"


def _speed(rate: float, what: str) -> str:
    return f"{rate:,.0f} {what}/s" if rate >= 10 else f"{rate:.2f} {what}/s"


def _bar(share: float) -> str:
    return ("█" * round(min(1.0, share) * _WIDTH)).ljust(_WIDTH, "░")


def _draw(line: str) -> None:
    sys.stderr.write(f"\r\x1b[2K{line}")
    sys.stderr.flush()
