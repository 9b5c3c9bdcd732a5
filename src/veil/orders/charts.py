"""The charts of a study, as SVG that takes its colours from the page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence, Set

    from veil.evaluate.counts import Counts
    from veil.orders.influence import Influence

_WIDTH = 680
_LEFT, _RIGHT = 96, 52
_BAR, _GAP, _BETWEEN = 11, 2, 16
_SCORES = (("p", "precision"), ("r", "recall"), ("f", "F"))
_SIDE, _EDGE = 460, 44
_ISO_F, _ISO_STEPS = (0.2, 0.4, 0.6, 0.8), 40
_LABEL_WIDTH, _LABEL_HEIGHT = 60, 13


def score_bars(orders: Sequence[tuple[str, str, Counts]]) -> str:
    """Precision, recall and F of some orders, as figures 1 to 3 of the paper have them."""
    block = 3 * (_BAR + _GAP) + _BETWEEN
    height = 24 + block * len(orders)
    across = _WIDTH - _LEFT - _RIGHT
    parts = [_open(_WIDTH, height, "Precision, recall and F of orders"), _legend()]
    for row, (order, what, counts) in enumerate(orders):
        top = 24 + row * block
        middle = top + 1.5 * (_BAR + _GAP)
        parts.append(
            f'<text class="order" x="{_LEFT - 10}" y="{middle:.0f}" text-anchor="end">'
            f"{escape(order)}</text>"
            f'<text class="small" x="{_LEFT - 10}" y="{middle + 13:.0f}" text-anchor="end">'
            f"{escape(what)}</text>"
        )
        values = (counts.precision, counts.recall, counts.f1)
        for index, ((kind, title), value) in enumerate(zip(_SCORES, values, strict=True)):
            y = top + index * (_BAR + _GAP)
            parts.append(
                f'<rect class="track" x="{_LEFT}" y="{y}" width="{across}" height="{_BAR}"/>'
                f'<rect class="{kind}" x="{_LEFT}" y="{y}" width="{across * value:.1f}" '
                f'height="{_BAR}"><title>{escape(order)} {title} {value:.2%}</title></rect>'
                f'<text class="small" x="{_LEFT + across + 6}" y="{y + _BAR - 2}">'
                f"{100 * value:.2f}</text>"
            )
    return "".join([*parts, "</svg>"])


def scatter(orders: Sequence[tuple[str, Counts]], named: Set[str]) -> str:
    """All orders by recall and precision, with lines of equal F; some of them with their name."""
    size = _SIDE + 2 * _EDGE

    def x(recall: float) -> float:
        return _EDGE + _SIDE * recall

    def y(precision: float) -> float:
        return _EDGE + _SIDE * (1 - precision)

    parts = [_open(size, size, "All orders by recall and precision")]
    for step in range(6):
        score = step / 5
        parts.append(
            f'<line x1="{x(0)}" x2="{x(1)}" y1="{y(score):.0f}" y2="{y(score):.0f}"/>'
            f'<line y1="{y(0)}" y2="{y(1)}" x1="{x(score):.0f}" x2="{x(score):.0f}"/>'
            f'<text class="small" x="{x(0) - 6}" y="{y(score) + 4:.0f}" text-anchor="end">'
            f'{100 * score:.0f}</text><text class="small" x="{x(score):.0f}" y="{y(0) + 16}" '
            f'text-anchor="middle">{100 * score:.0f}</text>'
        )
    parts.append(
        f'<text x="{x(1)}" y="{y(0) + 34}" text-anchor="end">recall →</text>'
        f'<text x="{x(0) - 6}" y="{y(1) - 14}">precision ↑</text>'
    )
    for f1 in _ISO_F:
        # The curve is its own mirror image: half of it is by recall, half by precision.
        half = [f1 + (1 - f1) * step / _ISO_STEPS for step in range(_ISO_STEPS + 1)]
        right = [(recall, f1 * recall / (2 * recall - f1)) for recall in half]
        places = [(recall, precision) for precision, recall in reversed(right)] + right
        line = " ".join(f"{x(recall):.1f},{y(precision):.1f}" for recall, precision in places)
        parts.append(
            f'<polyline class="iso" points="{line}"/><text class="small iso" x="{x(1) + 4}" '
            f'y="{y(places[-1][1]) + 4:.0f}">F {100 * f1:.0f}</text>'
        )
    parts += _dots(orders, named, x, y)
    return "".join([*parts, "</svg>"])


def _dots(
    orders: Sequence[tuple[str, Counts]],
    named: Set[str],
    x: Callable[[float], float],
    y: Callable[[float], float],
) -> Iterator[str]:
    """Yield a dot for each distinct score, and the names of orders where there is room."""
    together: dict[Counts, list[str]] = {}
    for order, counts in orders:
        if counts.tp + counts.fp:
            together.setdefault(counts, []).append(order)
    labels: list[tuple[float, float, str]] = []
    # Those with a name are drawn last, over the others.
    for counts, equals in sorted(together.items(), key=lambda pair: not named.isdisjoint(pair[1])):
        across, down = x(counts.recall), y(counts.precision)
        chosen = [order for order in equals if order in named]
        hint = (
            f"{', '.join(equals)}: precision {counts.precision:.2%}, recall {counts.recall:.2%}, "
            f"F {counts.f1:.2%}"
        )
        yield (
            f'<circle class="{"named" if chosen else "other"}" cx="{across:.1f}" cy="{down:.1f}" '
            f'r="5"><title>{escape(hint)}</title></circle>'
        )
        if chosen:
            labels.append((across + 8, down - 6, ", ".join(chosen)))
    for across, down, label in _apart(labels):
        yield f'<text class="order" x="{across:.1f}" y="{down:.1f}">{escape(label)}</text>'


def _apart(labels: Sequence[tuple[float, float, str]]) -> Iterator[tuple[float, float, str]]:
    """Move labels down that would lie over another."""
    placed: list[tuple[float, float]] = []
    for across, down, label in labels:
        while any(
            abs(across - other) < _LABEL_WIDTH and abs(down - height) < _LABEL_HEIGHT
            for other, height in placed
        ):
            down += _LABEL_HEIGHT
        placed.append((across, down))
        yield across, down, label


def influence_ranges(found: Sequence[Influence], names: dict[str, str]) -> str:
    """The mean effect of each module with its range, on a line from the worst to the best."""
    effects = [effect for each in found for effect in (each.precision, each.recall, each.f1)]
    reach = max(0.01, *(max(-effect.low, effect.high) for effect in effects))
    left, right = 150, 70
    across = _WIDTH - left - right

    def x(value: float) -> float:
        return left + across * (value + reach) / (2 * reach)

    block = 3 * 16 + 14
    height = 44 + block * len(found)
    parts = [_open(_WIDTH, height, "Effect of each module on precision, recall and F"), _legend()]
    parts.append(
        f'<line class="zero" x1="{x(0):.1f}" x2="{x(0):.1f}" y1="24" y2="{height - 20}"/>'
        f'<text class="small" x="{x(-reach):.1f}" y="{height - 6}">{-100 * reach:.0f}</text>'
        f'<text class="small" x="{x(0):.1f}" y="{height - 6}" text-anchor="middle">0</text>'
        f'<text class="small" x="{x(reach):.1f}" y="{height - 6}" text-anchor="end">'
        f"+{100 * reach:.0f}</text>"
    )
    for row, each in enumerate(found):
        top = 34 + row * block
        parts.append(
            f'<text class="order" x="{left - 14}" y="{top + 20}" text-anchor="end">{each.code} '
            f'{escape(names[each.code])}</text><text class="small" x="{left - 14}" y="{top + 34}" '
            f'text-anchor="end">{each.pairs} pairs</text>'
        )
        three = (each.precision, each.recall, each.f1)
        for index, ((kind, title), effect) in enumerate(zip(_SCORES, three, strict=True)):
            y = top + 6 + 16 * index
            width = max(1.0, x(effect.high) - x(effect.low))
            parts.append(
                f'<rect class="{kind} range" x="{x(effect.low):.1f}" y="{y}" '
                f'width="{width:.1f}" height="8" rx="4"/>'
                f'<circle class="{kind}" cx="{x(effect.mean):.1f}" cy="{y + 4}" r="5">'
                f"<title>{title}: {100 * effect.mean:+.2f}, from {100 * effect.low:+.2f} to "
                f"{100 * effect.high:+.2f}</title></circle>"
                f'<text class="small" x="{left + across + 8}" y="{y + 8}">'
                f"{100 * effect.mean:+.2f}</text>"
            )
    return "".join([*parts, "</svg>"])


def _open(width: int, height: float, label: str) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height:.0f}" width="{width}" height="{height:.0f}" role="img" '
        f'aria-label="{label}">'
    )


def _legend() -> str:
    return "".join(
        f'<rect class="{kind}" x="{_LEFT + 110 * index}" y="4" width="10" height="10"/>'
        f'<text class="small" x="{_LEFT + 110 * index + 15}" y="13">{title}</text>'
        for index, (kind, title) in enumerate(_SCORES)
    )
