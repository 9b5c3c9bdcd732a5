"""The charts of the report, as SVG that takes its colours from the page."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, NamedTuple

from veil.evaluate.counts import ratio

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veil.evaluate.errors import Confusion
    from veil.evaluate.significance import Interval

_CELL = 30
_GAP = 8  # between the matrix and its margins
_CHARACTER = 6.4  # the width of one of a label's characters
_STRONG = 0.55  # from this opacity on, a number is written in the page's colour


def bar(value: float, kind: str) -> str:
    """A bar from 0 to 1 that stretches to its place."""
    return (
        '<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" width="100" height="8"/>'
        f'<rect class="{kind}" width="{100 * value:.2f}" height="8"/></svg>'
    )


def interval_bar(interval: Interval, kind: str) -> str:
    """A value with its interval on a line from 0 to 1."""
    low, high, value = (100 * limit for limit in (interval.low, interval.high, interval.value))
    return (
        '<svg class="interval" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" y="3" width="100" height="2"/>'
        f'<rect class="{kind} range" x="{low:.2f}" y="1" width="{max(0.6, high - low):.2f}" '
        'height="6"/>'
        f'<rect class="{kind}" x="{max(0.0, min(99.2, value - 0.4)):.2f}" width="0.8" height="8"/>'
        "</svg>"
    )


def heat_map(confusion: Confusion) -> str:
    """The confusion matrix: gold labels down, predicted labels across, errors at the margins."""
    labels = confusion.labels
    size = len(labels)
    edge = 24 + _CHARACTER * max((len(label) for label in labels), default=0)
    whole = edge + _place(size + 2) + 8

    parts = [
        f'<svg class="heat" viewBox="0 0 {whole:.0f} {whole:.0f}" width="{whole:.0f}" '
        f'height="{whole:.0f}" role="img" aria-label="Confusion matrix: gold labels down, '
        'predicted labels across">',
        f'<text class="axis" x="{edge - 8:.0f}" y="{edge - 8:.0f}" text-anchor="end">'
        "gold ↓ &#160; predicted →</text>",
    ]
    for index, name in enumerate([*labels, "missing", "extent"]):
        middle = edge + _place(index, size) + _CELL / 2 + 4
        parts.append(
            f'<text class="{_label_class(index, size)}" transform="translate({middle:.0f},'
            f'{edge - 8:.0f}) rotate(-90)">{html.escape(name)}</text>'
        )
    for index, name in enumerate([*labels, "spurious", "extent"]):
        middle = edge + _place(index, size) + _CELL / 2 + 4
        parts.append(
            f'<text class="{_label_class(index, size)}" x="{edge - 8:.0f}" y="{middle:.0f}" '
            f'text-anchor="end">{html.escape(name)}</text>'
        )
    for row, column, cell in _cells(confusion):
        parts.append(_draw(cell, edge + _place(column, size), edge + _place(row, size)))
    return "".join([*parts, "</svg>"])


def _place(index: int, size: int = 0) -> int:
    return _CELL * index + (_GAP if size <= index else 0)


def _label_class(index: int, size: int) -> str:
    return "label" if index < size else "label margin"


class _Cell(NamedTuple):
    number: int
    whole: int
    kind: str
    hint: str


def _cells(confusion: Confusion) -> Iterator[tuple[int, int, _Cell]]:
    """Yield row, column and content; the two margins follow the labels."""
    labels = confusion.labels
    size = len(labels)
    for row, gold in enumerate(labels):
        counts = [confusion.cells.get((gold, predicted), 0) for predicted in labels]
        missing, extent = confusion.missing.get(gold, 0), confusion.gold_extent.get(gold, 0)
        support = sum(counts) + missing + extent
        for column, (predicted, count) in enumerate(zip(labels, counts, strict=True)):
            kind = "right" if gold == predicted else "wrong"
            yield row, column, _Cell(count, support, kind, f"{gold} predicted as {predicted}")
        yield row, size, _Cell(missing, support, "wrong", f"{gold} missing")
        yield row, size + 1, _Cell(extent, support, "odd", f"{gold} with a wrong extent")
    for column, predicted in enumerate(labels):
        counts = [confusion.cells.get((gold, predicted), 0) for gold in labels]
        spurious = confusion.spurious.get(predicted, 0)
        extent = confusion.predicted_extent.get(predicted, 0)
        found = sum(counts) + spurious + extent
        yield size, column, _Cell(spurious, found, "odd", f"{predicted} spurious")
        yield size + 1, column, _Cell(extent, found, "odd", f"{predicted} with a wrong extent")


def _draw(cell: _Cell, x: float, y: float) -> str:
    square = f'x="{x + 1:.0f}" y="{y + 1:.0f}" width="{_CELL - 2}" height="{_CELL - 2}" rx="4"'
    if not cell.number:
        return f'<rect class="empty" {square}/>'
    share = ratio(cell.number, cell.whole)
    # The square root lets rare confusions be seen beside thousands of hits.
    opacity = 0.12 + 0.88 * math.sqrt(share)
    ink = "count strong" if opacity >= _STRONG else "count"
    return (
        f"<g><title>{html.escape(cell.hint)}: {cell.number} ({share:.1%})</title>"
        f'<rect class="{cell.kind}" {square} fill-opacity="{opacity:.2f}"/>'
        f'<text class="{ink}" x="{x + _CELL / 2:.0f}" y="{y + _CELL / 2 + 4:.0f}" '
        f'text-anchor="middle">{cell.number}</text></g>'
    )
