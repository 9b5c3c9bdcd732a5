"""An evaluation as aligned tables for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.evaluate.errors import KINDS
from veil.evaluate.match import Counts
from veil.evaluate.tally import METRICS, SHARES
from veil.render.terminal import text_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.evaluate.match import Scores
    from veil.evaluate.metrics import LabelScores
    from veil.evaluate.summary import Evaluation

_SCORE_HEADER = ("P", "R", "F1", "macro P", "(SD)", "macro R", "(SD)", "macro F1")


def format_summary(evaluation: Evaluation) -> str:
    """Return all tables; scores have four significant digits, as in the official scripts."""
    sections = [
        _heading(evaluation),
        _official(evaluation),
        _protection(evaluation),
        _differences(evaluation),
        _two_way_and_names(evaluation),
        _by_label("Label", evaluation.labels),
        _by_label("Family", evaluation.families),
        _by_element(evaluation),
        _errors(evaluation),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def _heading(evaluation: Evaluation) -> str:
    lines = [
        f"{evaluation.documents} documents, {evaluation.gold_annotations} gold and "
        f"{evaluation.predicted_annotations} predicted annotations, "
        f"labels: {evaluation.scheme or 'of no known scheme'}"
    ]
    for side, missing in (
        ("predicted", evaluation.missing_predictions),
        ("gold", evaluation.missing_gold),
    ):
        if missing:
            lines.append(f"not scored: {len(missing)} document(s) that the {side} records lack")
    return "\n".join(lines)


def _official(evaluation: Evaluation) -> str:
    i2b2, meddocan = evaluation.i2b2, evaluation.meddocan
    rows = [["i2b2 2014"]]
    for prefix, levels in (("", i2b2.all), ("HIPAA ", i2b2.hipaa)):
        if levels:
            rows += [
                _score_row(f"{prefix}strict", levels.strict),
                _score_row(f"{prefix}relaxed", levels.relaxed),
                _score_row(f"{prefix}token", levels.token),
            ]
    for prefix, two in (("binary ", i2b2.binary), ("binary HIPAA ", i2b2.binary_hipaa)):
        if two:
            rows += [
                _score_row(f"{prefix}strict", two.strict),
                _score_row(f"{prefix}token", two.token),
            ]
    leak = "NA" if meddocan.leak is None else _number(meddocan.leak)
    rows += [
        ["MEDDOCAN"],
        _score_row("subtask 1", meddocan.subtask1),
        _score_row("subtask 2 strict", meddocan.subtask2_strict),
        _score_row("subtask 2 merged", meddocan.subtask2_merged),
        ["  leak (missed a sentence)", leak],
    ]
    return text_table(["", *_SCORE_HEADER], rows)


def _by_element(evaluation: Evaluation) -> str:
    rows = []
    for scores in evaluation.i2b2.elements:
        rows.append([scores.element])
        for prefix, two in (("", scores.all), ("HIPAA ", scores.hipaa)):
            # Most elements have only HIPAA types, or none of them.
            if two.strict.micro != Counts() and (not prefix or two != scores.all):
                rows += [
                    _score_row(f"{prefix}strict", two.strict),
                    _score_row(f"{prefix}token", two.token),
                ]
    return text_table(["i2b2 2014 by element", *_SCORE_HEADER], rows) if rows else ""


def _score_row(name: str, scores: Scores) -> list[str]:
    macro = scores.macro
    return [
        f"  {name}",
        *_prf(scores.micro),
        _number(macro.precision),
        f"({macro.precision_sd:.2})",
        _number(macro.recall),
        f"({macro.recall_sd:.2})",
        _number(macro.f1),
    ]


def _protection(evaluation: Evaluation) -> str:
    totals = evaluation.protection.totals._asdict()
    counts = {
        metric: f"{totals[part]} of {totals[whole]}" for metric, (part, whole) in SHARES.items()
    }
    rows = []
    for metric in METRICS:
        interval = evaluation.protection.metrics[metric]
        limits = f"{interval.low:.4f} - {interval.high:.4f}"
        count = counts.get(metric, "labels count")
        rows.append([metric, f"{interval.value:.4f}", limits, count])
    values = evaluation.values
    if values:
        share = values.changed / max(1, values.values)
        count = f"{values.changed} of {values.values}"
        rows.append(["clinical values changed", f"{share:.4f}", "", count])
    return text_table(["Protection (labels ignored)", "", "95 % interval", "count"], rows)


def difference_rows(evaluation: Evaluation) -> list[list[str]]:
    """For each metric: the baseline value, the new value, the change and its p."""
    return [
        [
            difference.metric,
            f"{difference.first:.4f}",
            f"{difference.second:.4f}",
            f"{difference.difference:+.4f}",
            f"{difference.p:.4f}",
        ]
        for difference in evaluation.differences
    ]


def _differences(evaluation: Evaluation) -> str:
    rows = difference_rows(evaluation)
    return text_table(["Compared", "baseline", "this", "change", "p"], rows) if rows else ""


def _two_way_and_names(evaluation: Evaluation) -> str:
    rows = [
        ["PHI or not, by annotation", *_prf(evaluation.two_way.instance)],
        ["PHI or not, by token", *_prf(evaluation.two_way.token)],
    ]
    if evaluation.names:
        rows += [
            ["first names", *_prf(evaluation.names.first)],
            ["last names", *_prf(evaluation.names.last)],
            ["first and last names", *_prf(evaluation.names.total)],
        ]
    return text_table(["", "P", "R", "F1"], rows)


def _by_label(title: str, scores: Sequence[LabelScores]) -> str:
    rows = [
        [
            row.label,
            str(row.support),
            *_prf(row.strict),
            _number(row.relaxed.f1),
            _number(row.token.f1),
        ]
        for row in scores
    ]
    header = [title, "gold", "P", "R", "F1", "relaxed F1", "token F1"]
    return text_table(header, rows) if rows else ""


def _errors(evaluation: Evaluation) -> str:
    counts = evaluation.analysis.by_kind()
    total = sum(counts.values())
    if not total:
        return "No errors"
    leaks = [error.kind for error in evaluation.analysis.errors if error.leak]
    rows = [
        [kind, str(counts[kind]), f"{counts[kind] / total:.1%}", str(leaks.count(kind))]
        for kind in KINDS
    ]
    return text_table(["Errors", "number", "share", "leaks"], rows)


def _prf(counts: Counts) -> list[str]:
    return [_number(counts.precision), _number(counts.recall), _number(counts.f1)]


def _number(value: float) -> str:
    return f"{value:.4}"
