"""The report's section that shows each error in its place: the only one that holds text."""

from __future__ import annotations

import html
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from veil.core.errors import printable
from veil.evaluate.errors import KINDS, Error
from veil.evaluate.excerpts import Excerpts
from veil.evaluate.report_scores import Section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.core.document import Record, Span

MOST_ERRORS = 2_000

_LEGEND = (
    '<p class="legend"><mark class="both">underlined and shaded</mark> identifying, and found '
    '<mark class="gold">underlined only</mark> identifying, stays readable '
    '<mark class="predicted">shaded only</mark> found, but not identifying</p>'
)


def error_section(
    errors: Sequence[Error], gold: Sequence[Record], predicted: Sequence[Record]
) -> Section:
    """Show the errors, what leaks first, each with its surroundings."""
    if not errors:
        return Section("errors", "Errors", "<p>There are none.</p>")
    gold_by_id = {record.id: record for record in gold}
    predicted_by_id = {record.id: record for record in predicted}

    @cache
    def excerpts(record_id: str) -> Excerpts:
        return Excerpts(gold_by_id[record_id], predicted_by_id[record_id])

    ranked = sorted(errors, key=lambda error: (not error.leak, KINDS.index(error.kind)))
    shown = ranked[:MOST_ERRORS]
    cut = (
        f'<p class="note"><b>{len(shown):,} of {len(errors):,} errors are shown</b>, those that '
        "leak first.</p>"
        if len(shown) < len(errors)
        else ""
    )
    items = "".join(_item(error, excerpts(error.document).around(error)) for error in shown)
    return Section(
        "errors", "Errors", f'{_LEGEND}{cut}{_filters(shown)}<ol class="errors">{items}</ol>'
    )


def _filters(errors: Sequence[Error]) -> str:
    """The controls, which stay hidden until the script that they need runs."""
    kinds = Counter(error.kind for error in errors)
    labels = sorted({span.label for error in errors for span in _spans(error)})
    buttons = [("all", "all", len(errors)), ("leak", "leaks", sum(error.leak for error in errors))]
    buttons += [(kind, kind, kinds[kind]) for kind in KINDS]
    pressed = "".join(
        f'<button type="button" data-show="{value}" aria-pressed="{str(value == "all").lower()}">'
        f"{name} <small>{count:,}</small></button>"
        for value, name, count in buttons
    )
    options = "".join(f"<option>{html.escape(label)}</option>" for label in labels)
    return (
        f'<form class="filters" id="filters" hidden><div class="buttons">{pressed}</div>'
        f'<select aria-label="Label"><option value="">every label</option>{options}</select>'
        '<input type="search" placeholder="search" aria-label="Search document, label or text">'
        '<output aria-live="polite"></output></form>'
    )


def _item(error: Error, excerpt: str) -> str:
    labels = html.escape("\t".join(span.label for span in _spans(error)))
    readable = "partly readable" if error.kind == "extent" else "stays readable"
    leak = f'<span class="leak">{readable}</span>' if error.leak else ""
    return (
        f'<li data-kind="{error.kind}" data-leak="{int(error.leak)}" data-labels="{labels}">'
        f'<p class="what"><span class="kind {error.kind}">{error.extent or error.kind}</span>'
        f"{_labels(error)}{leak}<code>{html.escape(printable(error.document))} "
        f'<span class="offsets">{error.start}–{error.end}</span></code></p>'
        f'<p class="excerpt">{excerpt}</p></li>'
    )


def _labels(error: Error) -> str:
    if error.kind == "type" and error.gold and error.predicted:
        return (
            f"<b>{html.escape(error.gold.label)}</b> found as "
            f"<b>{html.escape(error.predicted.label)}</b>"
        )
    return f"<b>{html.escape(_spans(error)[0].label)}</b>"


def _spans(error: Error) -> list[Span]:
    return [span for span in (error.gold, error.predicted) if span]
