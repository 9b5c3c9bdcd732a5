"""An evaluation as one HTML file that opens offline and loads nothing."""

from __future__ import annotations

import html
from importlib import resources
from typing import TYPE_CHECKING

from veil.evaluate.counts import ratio
from veil.evaluate.report_errors import error_section
from veil.evaluate.report_scores import score_sections

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.core.document import Record
    from veil.evaluate.summary import Evaluation

# The page may run and style itself, and load or send nothing: a browser enforces it.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_WARNING = "Contains text of the records: keep it as the records are kept."


def html_report(
    evaluation: Evaluation, gold: Sequence[Record], predicted: Sequence[Record], *, title: str
) -> str:
    """Return the page. It holds text around errors, so it needs the records' protection."""
    sections = [
        *score_sections(evaluation),
        error_section(evaluation.analysis.errors, gold, predicted),
    ]
    links = "".join(
        f'<a href="#{section.name}">{html.escape(section.title)}</a>' for section in sections
    )
    body = "".join(
        f'<section id="{section.name}"><h2>{html.escape(section.title)}</h2>{section.body}'
        "</section>"
        for section in sections
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<!-- {_WARNING} -->
<title>{html.escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<style>{_asset("report.css")}</style>
</head>
<body>
<header class="top">
<p class="warning" role="note"><b>Confidential.</b> {_WARNING}</p>
<h1>{html.escape(title)}</h1>
{_verdict(evaluation)}
{_missing(evaluation)}
</header>
<nav aria-label="Sections">{links}</nav>
<main>{body}</main>
<footer>Made by Veil. This file is complete in itself: it loads nothing and sends nothing.</footer>
<script>{_asset("report.js")}</script>
</body>
</html>
"""


def _verdict(evaluation: Evaluation) -> str:
    totals = evaluation.protection.totals
    clean = totals.documents - totals.leaking_documents
    share = ratio(clean, totals.documents)
    leaks = (
        f" The other {totals.leaking_documents:,} leave {totals.leaked_spans:,} of all "
        f"{totals.gold_spans:,} identifying passages readable, in whole or in part."
        if totals.leaking_documents
        else ""
    )
    return (
        f'<p class="verdict">In <b>{clean:,} of {totals.documents:,} documents</b> ({share:.1%}) '
        f"no letter or digit of an identifying passage stays readable.{leaks}</p>"
        f'<p class="facts">{evaluation.gold_annotations:,} gold and '
        f"{evaluation.predicted_annotations:,} predicted annotations · label scheme: "
        f"{html.escape(evaluation.scheme or 'not known')}</p>"
    )


def _missing(evaluation: Evaluation) -> str:
    parts = []
    for side, missing in (
        ("predicted", evaluation.missing_predictions),
        ("gold", evaluation.missing_gold),
    ):
        if missing:
            ids = ", ".join(map(html.escape, missing))
            parts.append(
                f'<details class="alert"><summary><b>Not scored: {len(missing):,} document(s)</b> '
                f"that the {side} records lack.</summary><p>{ids}</p></details>"
            )
    return "".join(parts)


def _asset(name: str) -> str:
    return resources.files("veil.evaluate").joinpath(name).read_text("utf-8")
