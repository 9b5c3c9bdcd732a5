"""A study of name modules as an HTML page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.detect.names.detector import MODULES
from veil.orders.influence import influences
from veil.orders.tables import describe_study, extremes, group_title
from veil.render import NO_TEXT_NOTICE, render_page

if TYPE_CHECKING:
    from veil.evaluate.counts import Counts
    from veil.orders.scoring import Group
    from veil.orders.study import Study

_FINDERS = ("D", "T")


def study_page(study: Study, *, title: str) -> str:
    """Return the page: the paper's figures, all orders, and the effect of each module."""
    scores = {group: dict(study.ranked(group)) for group in study.groups}
    header = ["order"]
    for group in study.groups:
        header += [f"{group_title(study, group)}: P", "R", "F"]
    rows = [
        [
            order,
            *(
                f"{100 * score:.2f}"
                for group in study.groups
                for counts in [scores[group][order]]
                for score in (counts.precision, counts.recall, counts.f1)
            ),
        ]
        for order, _ in study.ranked("total")
    ]
    page = render_page(
        "name_study",
        title=title,
        notice=NO_TEXT_NOTICE,
        sentences=describe_study(study),
        groups=[_group(study, group) for group in study.groups],
        modules=MODULES,
        header=header,
        rows=rows,
    )
    return "".join(page)


def _group(study: Study, group: Group) -> dict[str, object]:
    shown = _shown(study, group)
    return {
        "title": group_title(study, group),
        "shown": [(order, note, counts) for order, (note, counts) in shown.items()],
        "orders": study.ranked(group),
        "named": set(shown),
        "influences": influences(study, group),
    }


def _shown(study: Study, group: Group) -> dict[str, tuple[str, Counts]]:
    """The orders of the figure: the modules that find names by themselves, and the extremes."""
    scores = dict(study.ranked(group))
    shown = {code: ("alone", scores[code]) for code in _FINDERS if code in scores}
    for note, order, counts in extremes(study, group):
        shown.setdefault(order, (note, counts))
    return shown
