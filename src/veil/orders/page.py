"""A study as one HTML page that opens offline and loads nothing."""

from __future__ import annotations

from html import escape
from importlib import resources
from typing import TYPE_CHECKING

from veil.detect.names.detector import MODULES
from veil.orders.charts import influence_ranges, scatter, score_bars
from veil.orders.influence import influences
from veil.orders.tables import describe_study, extremes, group_title
from veil.render import html_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veil.evaluate.counts import Counts
    from veil.orders.scoring import Group
    from veil.orders.study import Study

_FINDERS = ("D", "T")
_NOTICE = "This page holds numbers, and no text of a record."


def study_page(study: Study, *, title: str) -> str:
    """Return the page: the paper's figures, all orders, and what each module does."""
    style = resources.files("veil.orders").joinpath("orders.css").read_text("utf-8")
    sentences = "".join(f"<li>{escape(sentence)}</li>" for sentence in describe_study(study))
    parts = [f"<style>\n{style}</style>", _section("What was measured", f"<ul>{sentences}</ul>")]
    for group in study.groups:
        parts += _group(study, group)
    parts.append(_section("All orders", _table(study)))
    return "".join(html_page(title, parts, notice=_NOTICE))


def _group(study: Study, group: Group) -> Iterator[str]:
    title = group_title(study, group)
    shown = _shown(study, group)
    bars = score_bars([(order, what, counts) for order, (what, counts) in shown.items()])
    yield _section(title, bars)
    if 1 < len(study.orders):
        yield _section(
            f"{title}: all orders by recall and precision",
            scatter(study.ranked(group), shown.keys()),
        )
    found = influences(study, group)
    if found:
        note = (
            "<p>Dots are means over all pairs of orders that differ by that module alone, bars go "
            "from the lowest to the highest difference. Pairs whose shorter order finds nothing "
            "are left out.</p>"
        )
        yield _section(
            f"{title}: with a module minus without, in percentage points",
            note + influence_ranges(found, MODULES),
        )


def _shown(study: Study, group: Group) -> dict[str, tuple[str, Counts]]:
    """The orders of the figure: the modules that find names by themselves, and the extremes."""
    scores = dict(study.ranked(group))
    shown: dict[str, tuple[str, Counts]] = {}
    for code in _FINDERS:
        if code in scores:
            shown[code] = ("alone", scores[code])
    for what, order, counts in extremes(study, group):
        shown.setdefault(order, (what, counts))
    return shown


def _table(study: Study) -> str:
    heads, columns = ["order"], {}
    for group in study.groups:
        columns[group] = dict(study.ranked(group))
        heads += [f"{escape(group_title(study, group))}: P", "R", "F"]
    rows = []
    for order, _ in study.ranked("total"):
        cells = "".join(
            f"<td>{100 * score:.2f}</td>"
            for group in study.groups
            for counts in [columns[group][order]]
            for score in (counts.precision, counts.recall, counts.f1)
        )
        rows.append(f"<tr><th>{order}</th>{cells}</tr>")
    head = "".join(f"<th>{name}</th>" for name in heads)
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def _section(title: str, body: str) -> str:
    return f'<section><h2>{escape(title)}</h2><div class="card">{body}</div></section>'
