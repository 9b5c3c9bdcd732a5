"""The report's sections that hold numbers alone."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, NamedTuple

from veil.core.errors import printable
from veil.evaluate.charts import bar, heat_map, interval_bar
from veil.evaluate.counts import ratio
from veil.evaluate.errors import EXTENT_ERRORS, KINDS
from veil.evaluate.terminal import difference_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from veil.evaluate.counts import Counts, Scores
    from veil.evaluate.summary import Evaluation
    from veil.evaluate.tables import LabelScores
    from veil.evaluate.tally import Metric

_LEAKING_SHOWN = 50
_KIND_MEANINGS = {
    "missing": "in the gold standard, not found under its label",
    "extent": "found under its label, but cut short or drawn too wide",
    "type": "found exactly, under another label",
    "spurious": "found, but not in the gold standard under this label",
}


class Section(NamedTuple):
    """A part of the page with its anchor, its heading and its HTML."""

    name: str
    title: str
    body: str


def score_sections(evaluation: Evaluation) -> list[Section]:
    """Return the sections in the order of the page."""
    sections = [
        Section("protection", "Protection", _protection(evaluation)),
        Section("scores", "Scores", _scores(evaluation)),
    ]
    if evaluation.differences:
        sections.append(Section("baseline", "Against the baseline", _differences(evaluation)))
    return [
        *sections,
        Section("types", "By type", _types(evaluation)),
        Section("confusion", "Confusion", _confusion(evaluation)),
        Section("kinds", "Kinds of error", _kinds(evaluation)),
    ]


def _protection(evaluation: Evaluation) -> str:
    totals = evaluation.protection.totals
    metrics = evaluation.protection.metrics
    cards: list[tuple[Metric, str, str, int, int]] = [
        ("document leak", "bad", "Documents that leak", totals.leaking_documents, totals.documents),
        ("span leak", "bad", "Passages that leak", totals.leaked_spans, totals.gold_spans),
        ("span recall", "good", "Passages hidden whole", totals.covered_spans, totals.gold_spans),
        (
            "character recall",
            "good",
            "Identifying characters hidden",
            totals.common_characters,
            totals.gold_characters,
        ),
        (
            "character precision",
            "calm",
            "Hidden characters that identify",
            totals.common_characters,
            totals.predicted_characters,
        ),
    ]
    shown = []
    for metric, kind, meaning, count, whole in cards:
        interval = metrics[metric]
        shown.append(
            f'<li class="card {kind}"><h3>{meaning}</h3>'
            f'<p class="big">{interval.value:.1%}</p>{interval_bar(interval, kind)}'
            f"<p>{count:,} of {whole:,}<br>95 % interval {interval.low:.1%} to "
            f"{interval.high:.1%}</p></li>"
        )
    strict = metrics["strict f1"]
    shown.append(
        f'<li class="card calm"><h3>Strict F1, label counted</h3><p class="big">{strict.value:.4f}'
        f"</p>{interval_bar(strict, 'calm')}<p>the i2b2 and MEDDOCAN score<br>95 % interval "
        f"{strict.low:.4f} to {strict.high:.4f}</p></li>"
    )
    note = (
        '<p class="note">Labels do not matter here, except for strict F1: a name hidden as a place '
        "is hidden. A passage leaks when a letter or digit of it stays readable.</p>"
    )
    return f'<ul class="cards">{"".join(shown)}</ul>{note}{_leaking(evaluation)}'


def _leaking(evaluation: Evaluation) -> str:
    leaking = evaluation.protection.leaking
    if not leaking:
        return ""
    rows = [
        [f"<code>{html.escape(printable(record_id))}</code>", f"{count:,}"]
        for record_id, count in leaking[:_LEAKING_SHOWN]
    ]
    cut = (
        f'<p class="note">The {_LEAKING_SHOWN} worst of {len(leaking):,} documents are shown.</p>'
        if len(leaking) > _LEAKING_SHOWN
        else ""
    )
    table = _table(["document", "leaked passages"], rows)
    return f"<details><summary>Which documents leak</summary>{cut}{table}</details>"


def _scores(evaluation: Evaluation) -> str:
    i2b2, meddocan = evaluation.i2b2, evaluation.meddocan
    blocks = [("i2b2 2014, all types", i2b2.all), ("i2b2 2014, HIPAA types", i2b2.hipaa)]
    header = ["", "precision", "recall", "F1", "macro precision", "macro recall", "macro F1"]
    header += ["found", "spurious", "missed"]
    rows = []
    for title, levels in blocks:
        if levels:
            rows += [
                [f"<b>{title}</b>"],
                _score_row("strict", levels.strict),
                _score_row("relaxed", levels.relaxed),
                _score_row("token", levels.token),
            ]
    rows += [
        ["<b>MEDDOCAN</b>"],
        _score_row("subtask 1", meddocan.subtask1),
        _score_row("subtask 2 strict", meddocan.subtask2_strict),
        _score_row("subtask 2 merged", meddocan.subtask2_merged),
    ]
    if meddocan.leak is not None:
        rows.append(["leak (missed a sentence)", f"{meddocan.leak:.4f}", *[""] * 8])
    rows += [
        ["<b>PHI or not, label ignored</b>"],
        _count_row("by annotation", evaluation.two_way.instance),
        _count_row("by token", evaluation.two_way.token),
    ]
    if evaluation.names:
        rows += [
            ["<b>Names</b>"],
            _count_row("first", evaluation.names.first),
            _count_row("last", evaluation.names.last),
            _count_row("total", evaluation.names.total),
        ]
    note = (
        '<p class="note">Strict: start, end and label are right. Relaxed: the end may be off by '
        "two characters. Token: piece by piece. Macro: the mean over documents, with its standard "
        "deviation.</p>"
    )
    return _table(header, rows) + note


def _score_row(name: str, scores: Scores) -> list[str]:
    macro, row = scores.macro, _count_row(name, scores.micro)
    row[4:7] = [
        f"{macro.precision:.4f} <small>± {macro.precision_sd:.2f}</small>",
        f"{macro.recall:.4f} <small>± {macro.recall_sd:.2f}</small>",
        f"{macro.f1:.4f}",
    ]
    return row


def _count_row(name: str, counts: Counts) -> list[str]:
    scores = [f"{counts.precision:.4f}", f"{counts.recall:.4f}", f"<b>{counts.f1:.4f}</b>"]
    return [name, *scores, "", "", "", f"{counts.tp:,}", f"{counts.fp:,}", f"{counts.fn:,}"]


def _differences(evaluation: Evaluation) -> str:
    rows = difference_rows(evaluation)
    note = (
        '<p class="note">p: how often chance alone, swapping the two systems\' output document by '
        "document, makes a difference at least as large.</p>"
    )
    return _table(["", "baseline", "this system", "change", "p"], rows) + note


def _types(evaluation: Evaluation) -> str:
    body = _type_table(evaluation.labels)
    if evaluation.families:
        families = _type_table(evaluation.families)
        body = f"<h3>Labels</h3>{body}<h3>Families</h3>{families}"
    return body


def _type_table(scores: Sequence[LabelScores]) -> str:
    rows = []
    for row in sorted(scores, key=lambda row: -row.support):
        cells = "".join(
            f'<td class="score" data-name="{name}">{bar(value, kind)}<span>{value:.3f}</span></td>'
            for name, value, kind in (
                ("precision", row.strict.precision, "p"),
                ("recall", row.strict.recall, "r"),
                ("F1", row.strict.f1, "f"),
            )
        )
        rows.append(
            f'<tr><th scope="row">{html.escape(row.label)}</th><td data-name="gold">'
            f'{row.support:,}</td>{cells}<td data-name="relaxed F1">{row.relaxed.f1:.3f}</td>'
            f'<td data-name="token F1">{row.token.f1:.3f}</td></tr>'
        )
    header = ["", "gold", "precision", "recall", "F1", "relaxed F1", "token F1"]
    return _wrap(header, "".join(rows), "types")


def _confusion(evaluation: Evaluation) -> str:
    note = (
        '<p class="note">A row shows what became of a gold label where the system found the same '
        "extent; the margins hold what it missed, what it found beside it, and wrong extents. "
        "Darker is a larger share of the row, at the lower margins of the column.</p>"
    )
    return f'{note}<div class="scroll">{heat_map(evaluation.analysis.confusion)}</div>'


def _kinds(evaluation: Evaluation) -> str:
    analysis = evaluation.analysis
    counts = analysis.by_kind()
    total = sum(counts.values())
    leaks = [error.kind for error in analysis.errors if error.leak]
    rows = [
        [
            f'<span class="kind {kind}">{kind}</span> <small>{_KIND_MEANINGS[kind]}</small>',
            f"{counts[kind]:,}",
            f"{ratio(counts[kind], total):.1%}",
            f"{leaks.count(kind):,}",
        ]
        for kind in KINDS
    ]
    body = _table(["", "errors", "share", "of them leaks"], rows)
    extents = [
        [html.escape(label), *(f"{by_extent[extent]:,}" for extent in EXTENT_ERRORS)]
        for label, by_extent in analysis.extents_by_label().items()
    ]
    if extents:
        table = _table(["wrong extents", *EXTENT_ERRORS], extents)
        body += f"<details><summary>Wrong extents by label</summary>{table}</details>"
    return body


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of ready HTML cells; a row of one cell is a heading."""
    lines = []
    for first, *others in rows:
        span = "" if others else f' colspan="{len(header)}" class="group"'
        cells = "".join(f"<td>{cell}</td>" for cell in others)
        lines.append(f'<tr><th scope="row"{span}>{first}</th>{cells}</tr>')
    return _wrap(header, "".join(lines), "")


def _wrap(header: Sequence[str], body: str, kind: str) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in header)
    return (
        f'<div class="scroll"><table class="{kind}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )
