"""Charts of the HTML pages, as SVG that takes its colours from the style sheet."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from markupsafe import Markup


class Scores(Protocol):
    """Precision, recall and F of one system; equal scores have equal hashes."""

    @property
    def precision(self) -> float: ...
    @property
    def recall(self) -> float: ...
    @property
    def f1(self) -> float: ...


class Effect(Protocol):
    """The mean and the range of differences of one score."""

    @property
    def mean(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


class Influence(Protocol):
    """The effect of one module on the scores over some pairs of orders."""

    @property
    def code(self) -> str: ...
    @property
    def pairs(self) -> int: ...
    @property
    def precision(self) -> Effect: ...
    @property
    def recall(self) -> Effect: ...
    @property
    def f1(self) -> Effect: ...


class Confusion(Protocol):
    """Counts of gold and predicted labels, and of errors without a counterpart."""

    @property
    def labels(self) -> Sequence[str]: ...
    @property
    def cells(self) -> Mapping[tuple[str, str], int]: ...
    @property
    def missing(self) -> Mapping[str, int]: ...
    @property
    def spurious(self) -> Mapping[str, int]: ...
    @property
    def gold_extent(self) -> Mapping[str, int]: ...
    @property
    def predicted_extent(self) -> Mapping[str, int]: ...


_SCORES = (("p", "precision"), ("r", "recall"), ("f", "F"))


def _element(name: str, *content: str | Markup, **attributes: str | float) -> Markup:
    """One SVG element; `class_` is `class`, `_` in attribute names is `-`, numbers are rounded."""
    from markupsafe import Markup

    shown = [
        Markup(' {}="{}"').format(
            key.rstrip("_").replace("_", "-"),
            _number(value) if isinstance(value, int | float) else value,
        )
        for key, value in attributes.items()
    ]
    return Markup("<{0}{1}>{2}</{0}>").format(
        name, Markup("").join(shown), Markup("").join(content)
    )


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _chart(
    width: float, height: float, title: str, parts: list[Markup], class_: str = "chart"
) -> Markup:
    return _element(
        "svg",
        *parts,
        class_=class_,
        viewBox=f"0 0 {_number(width)} {_number(height)}",
        width=width,
        height=height,
        role="img",
        aria_label=title,
    )


def _text(text: str, x: float, y: float, *, class_: str = "small", anchor: str = "start") -> Markup:
    return _element("text", text, class_=class_, x=x, y=y, text_anchor=anchor)


def _legend(left: float) -> list[Markup]:
    return [
        part
        for index, (class_, title) in enumerate(_SCORES)
        for part in (
            _element("rect", class_=class_, x=left + 110 * index, y=4, width=10, height=10),
            _text(title, left + 110 * index + 15, 13),
        )
    ]


def score_bars(rows: Sequence[tuple[str, str, Scores]]) -> Markup:
    """Precision, recall and F of named systems: figures 1 to 3 of carlsson-2010."""
    left, width, bar, step = 96, 532, 11, 13
    block = 3 * step + 16
    parts = _legend(left)
    for row, (name, note, scores) in enumerate(rows):
        top = 24 + row * block
        parts += [
            _text(name, left - 10, top + 19, class_="strong", anchor="end"),
            _text(note, left - 10, top + 32, anchor="end"),
        ]
        values = (scores.precision, scores.recall, scores.f1)
        for index, ((class_, title), value) in enumerate(zip(_SCORES, values, strict=True)):
            y = top + index * step
            hint = _element("title", f"{name} {title} {value:.2%}")
            parts += [
                _element("rect", class_="track", x=left, y=y, width=width, height=bar),
                _element("rect", hint, class_=class_, x=left, y=y, width=width * value, height=bar),
                _text(f"{100 * value:.2f}", left + width + 6, y + 9),
            ]
    return _chart(680, 24 + block * len(rows), "Precision, recall and F", parts)


def scatter(rows: Sequence[tuple[str, Scores]], named: Collection[str]) -> Markup:
    """Systems by recall and precision, with lines of equal F; some of them with their name."""
    side, edge = 460, 44

    def x(recall: float) -> float:
        return edge + side * recall

    def y(precision: float) -> float:
        return edge + side * (1 - precision)

    parts = []
    for step in range(6):
        score = step / 5
        parts += [
            _element("line", x1=x(0), x2=x(1), y1=y(score), y2=y(score)),
            _element("line", x1=x(score), x2=x(score), y1=y(0), y2=y(1)),
            _text(f"{100 * score:.0f}", x(0) - 6, y(score) + 4, anchor="end"),
            _text(f"{100 * score:.0f}", x(score), y(0) + 16, anchor="middle"),
        ]
    parts += [
        _text("recall →", x(1), y(0) + 34, class_="", anchor="end"),
        _text("precision ↑", x(0) - 6, y(1) - 14, class_=""),
    ]
    for f1 in (0.2, 0.4, 0.6, 0.8):
        # The curve is symmetric: half of it is computed from recall, half from precision.
        half = [f1 + (1 - f1) * step / 40 for step in range(41)]
        right = [(recall, f1 * recall / (2 * recall - f1)) for recall in half]
        points = [(recall, precision) for precision, recall in reversed(right)] + right
        parts += [
            _element("polyline", class_="iso", points=_points(points, x, y)),
            _text(f"F {100 * f1:.0f}", x(1) + 4, y(points[-1][1]) + 4),
        ]
    parts += _dots(rows, named, x, y)
    return _chart(side + 2 * edge, side + 2 * edge, "Systems by recall and precision", parts)


def _points(
    points: Sequence[tuple[float, float]],
    x: Callable[[float], float],
    y: Callable[[float], float],
) -> str:
    return " ".join(f"{x(across):.1f},{y(down):.1f}" for across, down in points)


def _dots(
    rows: Sequence[tuple[str, Scores]],
    named: Collection[str],
    x: Callable[[float], float],
    y: Callable[[float], float],
) -> Iterator[Markup]:
    """Yield a dot for each distinct score, and the labels of the named systems."""
    systems: dict[Scores, list[str]] = {}
    for name, scores in rows:
        if scores.precision or scores.recall:
            systems.setdefault(scores, []).append(name)
    labels: list[tuple[float, float, str]] = []
    # Named systems are drawn last, over the others.
    for scores, names in sorted(systems.items(), key=lambda pair: any(n in named for n in pair[1])):
        across, down = x(scores.recall), y(scores.precision)
        chosen = [name for name in names if name in named]
        hint = (
            f"{', '.join(names)}: precision {scores.precision:.2%}, recall {scores.recall:.2%}, "
            f"F {scores.f1:.2%}"
        )
        class_ = "named" if chosen else "other"
        yield _element("circle", _element("title", hint), class_=class_, cx=across, cy=down, r=5)
        if chosen:
            labels.append((across + 8, down - 6, ", ".join(chosen)))
    taken: list[tuple[float, float]] = []
    for across, down, label in labels:
        while any(abs(across - x0) < 60 and abs(down - y0) < 13 for x0, y0 in taken):
            down += 13  # labels must not overlap
        taken.append((across, down))
        yield _text(label, across, down, class_="strong")


def influence_ranges(found: Sequence[Influence], names: Mapping[str, str]) -> Markup:
    """The mean effect of each module with its range."""
    effects = [effect for each in found for effect in (each.precision, each.recall, each.f1)]
    reach = max(0.01, *(max(-effect.low, effect.high) for effect in effects))
    left, width, block = 150, 460, 62
    height = 44 + block * len(found)

    def x(value: float) -> float:
        return left + width * (value + reach) / (2 * reach)

    parts = [
        *_legend(96),
        _element("line", class_="zero", x1=x(0), x2=x(0), y1=24, y2=height - 20),
        _text(f"{-100 * reach:.0f}", x(-reach), height - 6),
        _text("0", x(0), height - 6, anchor="middle"),
        _text(f"+{100 * reach:.0f}", x(reach), height - 6, anchor="end"),
    ]
    for row, each in enumerate(found):
        top = 34 + row * block
        parts += [
            _text(
                f"{each.code} {names[each.code]}",
                left - 14,
                top + 20,
                class_="strong",
                anchor="end",
            ),
            _text(f"{each.pairs} pairs", left - 14, top + 34, anchor="end"),
        ]
        three = (each.precision, each.recall, each.f1)
        for index, ((class_, title), effect) in enumerate(zip(_SCORES, three, strict=True)):
            y = top + 6 + 16 * index
            low, mean = x(effect.low), x(effect.mean)
            span = max(1.0, x(effect.high) - low)
            hint = _element(
                "title",
                f"{title}: {100 * effect.mean:+.2f}, from {100 * effect.low:+.2f} to "
                f"{100 * effect.high:+.2f}",
            )
            parts += [
                _element(
                    "rect",
                    class_=f"{class_} range",
                    x=low,
                    y=y,
                    width=span,
                    height=8,
                    rx=4,
                ),
                _element("circle", hint, class_=class_, cx=mean, cy=y + 4, r=5),
                _text(f"{100 * effect.mean:+.2f}", left + width + 8, y + 8),
            ]
    return _chart(680, height, "Effect of each module on precision, recall and F", parts)


def learning_curve(points: Sequence[Mapping[str, Any]]) -> Markup:
    """F1 and character recall on the development records, by the number of training records."""
    width, height, left, right, top, bottom = 640, 300, 48, 16, 30, 34
    lines = (("f1", "p", "F1"), ("character_recall", "r", "recall (characters)"))
    lowest = min(float(point[name]) for point in points for name, _, _ in lines)
    floor = min(0.9, math.floor(lowest * 10) / 10)
    most = int(points[-1]["records"])

    def x(records: float) -> float:
        return left + (width - left - right) * records / most

    def y(score: float) -> float:
        return top + (height - top - bottom) * (1 - score) / (1 - floor)

    parts = []
    for step in range(6):
        score = floor + (1 - floor) * step / 5
        parts += [
            _element("line", x1=left, x2=width - right, y1=y(score), y2=y(score)),
            _text(f"{score:.2f}", left - 8, y(score) + 4, anchor="end"),
        ]
    parts += [
        _text(str(point["records"]), x(point["records"]), height - 12, anchor="middle")
        for point in points
    ]
    for index, (name, class_, title) in enumerate(lines):
        curve = [(float(point["records"]), float(point[name])) for point in points]
        parts.append(_element("polyline", class_=class_, points=_points(curve, x, y)))
        parts += [
            _element(
                "circle",
                _element("title", f"{title} {score:.4f}"),
                class_=class_,
                cx=x(records),
                cy=y(score),
                r=3.5,
            )
            for records, score in curve
        ]
        legend = left + 150 * index
        parts += [
            _element("circle", class_=class_, cx=legend + 4, cy=12, r=4),
            _text(title, legend + 14, 16),
        ]
    return _chart(width, height, "Learning curve: scores by number of training records", parts)


_CELL = 30
_MARGIN = 8  # between the labels and the two margins of the matrix
_CHARACTER = 6.4  # width of a character of a label
_HALF = 0.5


class _Cell(NamedTuple):
    number: int
    whole: int
    kind: str
    title: str


def confusion_matrix(confusion: Confusion) -> Markup:
    """Gold labels down, predicted labels across, errors without a counterpart at the margins."""
    labels = confusion.labels
    edge = 24 + _CHARACTER * max((len(label) for label in labels), default=0)

    def offset(index: int) -> float:
        return edge + _CELL * index + (_MARGIN if len(labels) <= index else 0)

    parts = [_text("gold ↓ \xa0 predicted →", edge - 8, edge - 8, class_="axis", anchor="end")]
    for index, name in enumerate([*labels, "missing", "offsets"]):
        class_ = "label" if index < len(labels) else "label margin"
        turned = f"translate({offset(index) + 19:.0f},{edge - 8:.0f}) rotate(-90)"
        parts.append(_element("text", name, class_=class_, transform=turned))
    for index, name in enumerate([*labels, "spurious", "offsets"]):
        class_ = "label" if index < len(labels) else "label margin"
        parts.append(_text(name, edge - 8, offset(index) + 19, class_=class_, anchor="end"))
    parts += [_draw(cell, offset(column), offset(row)) for row, column, cell in _cells(confusion)]
    size = edge + _CELL * (len(labels) + 2) + _MARGIN + 8
    title = "Confusion matrix: gold labels down, predicted labels across"
    return _element(
        "svg",
        *parts,
        class_="heat",
        viewBox=f"0 0 {size:.0f} {size:.0f}",
        width=size,
        height=size,
        role="img",
        aria_label=title,
    )


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
        yield row, size + 1, _Cell(extent, support, "odd", f"{gold} with wrong offsets")
    for column, predicted in enumerate(labels):
        counts = [confusion.cells.get((gold, predicted), 0) for gold in labels]
        spurious = confusion.spurious.get(predicted, 0)
        extent = confusion.predicted_extent.get(predicted, 0)
        found = sum(counts) + spurious + extent
        yield size, column, _Cell(spurious, found, "odd", f"{predicted} spurious")
        yield size + 1, column, _Cell(extent, found, "odd", f"{predicted} with wrong offsets")


def cell_opacity(share: float) -> float:
    """The opacity of a cell, avoiding the middle range where text would be unreadable.

    The square root makes rare confusions visible beside thousands of hits.
    """
    return 0.9 + 0.1 * share if is_strong(share) else 0.08 + 0.5 * math.sqrt(share)


def is_strong(share: float) -> bool:
    """Whether a cell has at least half of its row, so that its number has the page's colour."""
    return _HALF <= share


def _draw(cell: _Cell, x: float, y: float) -> Markup:
    square: dict[str, float] = {
        "x": x + 1,
        "y": y + 1,
        "width": _CELL - 2,
        "height": _CELL - 2,
        "rx": 4,
    }
    if not cell.number:
        return _element("rect", class_="empty", **square)
    share = cell.number / cell.whole
    opacity = cell_opacity(share)
    ink = "count strong" if is_strong(share) else "count"
    middle_x, middle_y = x + _CELL / 2, y + _CELL / 2 + 4
    return _element(
        "g",
        _element("title", f"{cell.title}: {cell.number} ({share:.1%})"),
        _element("rect", class_=cell.kind, fill_opacity=f"{opacity:.2f}", **square),
        _text(str(cell.number), middle_x, middle_y, class_=ink, anchor="middle"),
    )
