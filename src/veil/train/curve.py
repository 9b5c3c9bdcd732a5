"""The learning curve as SVG that takes its colours from the page."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WIDTH, _HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 16, 30, 34
_LINES = (("f1", "f1", "F1"), ("character_recall", "recall", "character recall"))
_STEPS = 5


def curve_svg(points: Sequence[Mapping[str, Any]]) -> str:
    """F1 and character recall on the development records, by the number of training records."""
    lowest = min(float(point[name]) for point in points for name, _, _ in _LINES)
    floor = min(0.9, math.floor(lowest * 10) / 10)
    most = int(points[-1]["records"])

    def x(records: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * records / most

    def y(score: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - score) / (1 - floor)

    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img" '
        'aria-label="Learning curve: scores by number of training records">'
    ]
    for step in range(_STEPS + 1):
        score = floor + (1 - floor) * step / _STEPS
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(score):.1f}" y2="{y(score):.1f}"/>'
            f'<text x="{_LEFT - 8}" y="{y(score) + 4:.1f}" text-anchor="end">{score:.2f}</text>'
        )
    for point in points:
        place = x(point["records"])
        parts.append(
            f'<text x="{place:.1f}" y="{_HEIGHT - 12}" text-anchor="middle">{point["records"]}'
            "</text>"
        )
    for index, (name, kind, title) in enumerate(_LINES):
        places = [(x(point["records"]), y(point[name]), point[name]) for point in points]
        line = " ".join(f"{across:.1f},{down:.1f}" for across, down, _ in places)
        parts.append(f'<polyline class="{kind}" points="{line}"/>')
        parts += [
            f'<circle class="{kind}" cx="{across:.1f}" cy="{down:.1f}" r="3.5">'
            f"<title>{title} {score:.4f}</title></circle>"
            for across, down, score in places
        ]
        key = _LEFT + 150 * index
        parts.append(
            f'<circle class="{kind}" cx="{key + 4}" cy="12" r="4"/>'
            f'<text x="{key + 14}" y="16">{title}</text>'
        )
    return "".join([*parts, "</svg>"])
