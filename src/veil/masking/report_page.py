"""The report for people to read: one page, complete in itself, with small charts."""

from __future__ import annotations

from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Any

from veil.core.errors import printable
from veil.render import html_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_NOTICE = "This page holds names of files and records, labels and numbers, and no text of a record."


def report_page(
    name: str,
    head: Mapping[str, Any],
    withheld: Sequence[Mapping[str, Any]],
    files: Sequence[Mapping[str, Any]],
) -> Iterator[str]:
    """Yield the page piece by piece; of long lists it is given the beginning."""
    style = resources.files("veil.masking").joinpath("report.css").read_text("utf-8")
    sections = [
        f"<style>\n{style}</style>",
        _figures(head),
        _part("Still to do by a person", _to_do(head)),
        _part("Leak to be expected", _leak(head["leak"])),
        _part("Spans by label", _bars(head["spans"]["by_label"], "label")),
        _part("Spans by action", _bars(head["spans"]["by_action"], "action")),
        _part("Spans by detector", _bars(head["spans"]["by_detector"], "found by")),
        _part("Withheld", _withheld(head["records"], withheld)),
        _part("Skipped", _skipped(head["skipped"])),
        _part("Policy", _policy(head["policy"])),
        _part("Made with", _made_with(head)),
        _part("Places to review", _review(head["review"])),
        _part("Seal", _seal(head["seal"], files)),
    ]
    return html_page(f"Masked: {name}", sections, notice=_NOTICE)


def _part(title: str, content: str) -> str:
    return f'<section><h2>{escape(title)}</h2><div class="card">{content}</div></section>'


def _figures(head: Mapping[str, Any]) -> str:
    records, spans = head["records"], head["spans"]
    withheld = records["withheld"] + records["files_withheld"]
    figures = [
        (records["masked"], "records masked", ""),
        (withheld, "records or files withheld", "alert" if withheld else ""),
        (spans["found"], "spans found", ""),
        (head["review"]["found"], "spans to review", ""),
    ]
    return (
        '<section><div class="figures">'
        + "".join(
            f'<div class="{kind}"><b>{number:,}</b><span>{what}</span></div>'
            for number, what, kind in figures
        )
        + "</div></section>"
    )


def _to_do(head: Mapping[str, Any]) -> str:
    sample = head["sample"]
    if not sample["records"]:
        return "<p>No record was masked.</p>"
    return (
        f"<p>Read <b>{sample['size']:,}</b> of the {sample['records']:,} masked records, drawn at "
        f"random with <code>veil audit OUT --sample {sample['size']}</code>. If none of them tells "
        f"who somebody is, fewer than {sample['bounds_share']:.0%} of all do, with "
        f"{sample['confidence']:.0%} confidence.</p>"
    )


def _leak(leak: Mapping[str, Any]) -> str:
    if not leak["languages"]:
        return "<p>No record was masked.</p>"
    rows = []
    notes = []
    widest = max((each["high"] for each in leak["languages"].values() if each), default=0.0)
    for language, each in leak["languages"].items():
        if each is None:
            rows.append(_row([language or "not known", "not measured", "", ""]))
            continue
        rows.append(
            _row(
                [
                    language,
                    f"{each['share']:.2%} ({each['low']:.2%} to {each['high']:.2%})",
                    f"{each['expected_leaks']:,} ({each['expected_low']:,} to "
                    f"{each['expected_high']:,})",
                ],
                bar=_interval(each, widest),
            )
        )
        notes.append(
            f"<p>{escape(language)}: measured on {escape(str(each['measured_on']))} "
            f"({escape(str(each['measured_with']))}): {each['leaked_spans']:,} of "
            f"{each['spans']:,} spans stayed readable, in whole or in part.</p>"
        )
    header = ["language", "share that is missed", "spans missed here", "95 % interval"]
    return (
        _table(header, rows)
        + "".join(notes)
        + "<p>Records of another place or kind may leak more: the sample above tells.</p>"
    )


def _interval(each: Mapping[str, Any], widest: float) -> str:
    low, value, high = (100 * each[name] / widest for name in ("low", "share", "high"))
    return (
        '<svg class="interval" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" y="3" width="100" height="2"/>'
        f'<rect class="range" x="{low:.2f}" y="1" width="{max(0.6, high - low):.2f}" height="6"/>'
        f'<rect class="point" x="{max(0.0, min(99.2, value)):.2f}" width="0.8" height="8"/></svg>'
    )


def _bars(counts: Mapping[str, int], what: str) -> str:
    if not counts:
        return "<p>None.</p>"
    most = max(counts.values())
    rows = [_row([name, count], bar=_bar(count / most)) for name, count in counts.items()]
    return _table([what, "spans", ""], rows)


def _bar(share: float) -> str:
    return (
        '<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" y="3" width="100" height="2"/>'
        f'<rect class="value" width="{100 * share:.2f}" height="8"/></svg>'
    )


def _withheld(records: Mapping[str, Any], listed: Sequence[Mapping[str, Any]]) -> str:
    count = records["withheld"] + records["files_withheld"]
    if not count:
        return "<p>Nothing: every record that was read is in the output.</p>"
    rows = [
        _row(
            [
                each["file"],
                each["record"] or "the whole file, or what is left of it",
                each["reason"],
            ]
        )
        for each in listed
    ]
    return _table(["file", "record", "reason"], rows) + _more(len(listed), count)


def _skipped(skipped: Mapping[str, Any]) -> str:
    if not skipped["hidden"]:
        return "<p>Nothing: the input has no hidden files.</p>"
    rows = [_row([name]) for name in skipped["listed"]]
    return _table(["hidden file or folder"], rows) + _more_hidden(len(rows), skipped["hidden"])


def _more_hidden(listed: int, count: int) -> str:
    return f"<p>{count - listed:,} more are not listed.</p>" if listed < count else ""


def _policy(policy: Mapping[str, Any]) -> str:
    rows = [_row([label, _action(action)]) for label, action in policy["labels"].items()]
    rows.append(_row(["all others", _action(policy["default"])]))
    return (
        f"<p><b>{escape(policy['name'])}</b>. {escape(policy['about'])}</p>"
        f"{_table(['label', 'action'], rows)}"
    )


def _action(action: Mapping[str, Any]) -> str:
    options = [f"{name} = {value}" for name, value in action.items() if name != "action"]
    return ", ".join([action["action"], *options])


def _made_with(head: Mapping[str, Any]) -> str:
    key = head["key"]
    kept = "made for this run and not kept" if key["made_for_this_run"] else "from a key file"
    settings = ", ".join(f"{name} = {value}" for name, value in head["detection"].items())
    rows = [
        _row(["Veil", head["veil"]]),
        _row(["started, ended", f"{head['times']['started']}, {head['times']['ended']}"]),
        _row(["key", f"{key['fingerprint']} ({kept})"]),
        _row(["detection", settings or "Veil's defaults"]),
        _row(["searched and scanned again", "yes" if head["rescan"] else "searched only"]),
        _row(["rules and word lists", head["rules"]]),
        *(_row([name, digest]) for name, digest in head["given"].items()),
        *(
            _row([f"{model['name']}, {file}", digest])
            for model in head["models"]
            for file, digest in model["files"].items()
        ),
    ]
    return _table(["", ""], rows)


def _review(review: Mapping[str, Any]) -> str:
    if not review["spans"]:
        return f"<p>No replaced span had a score below {review['score_below']}.</p>"
    rows = [
        _row(
            [
                each["file"],
                each["record"],
                f"{each['start']}–{each['end']}",
                each["label"],
                f"{each['score']:.2f}",
            ]
        )
        for each in review["spans"]
    ]
    return (
        "<p>Its finder was not sure of these; the offsets are those of the masked text.</p>"
        "<details><summary>the least sure spans</summary>"
        f"{_table(['file', 'record', 'characters', 'label', 'score'], rows)}"
        f"{_more(len(rows), review['found'])}</details>"
    )


def _seal(seal: Mapping[str, Any], files: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        _row([each["path"], each["input"] or "not readable", each["output"] or "withheld"])
        for each in files
    ]
    return (
        f"<p>SHA-256 over the hashes of all {seal['files']:,} files: "
        f"<code>{seal['digest']}</code></p>"
        "<p><code>veil audit OUT --check</code> tells whether the output is still the same. Hashes "
        "of input files are keyed (HMAC-SHA-256): only the owner of the key can check them.</p>"
        f"<details><summary>files</summary>{_table(['file', 'input (keyed)', 'output'], rows)}"
        f"{_more(len(rows), seal['files'])}</details>"
    )


def _more(listed: int, count: int) -> str:
    return f"<p>{count - listed:,} more are in the JSON report.</p>" if listed < count else ""


def _row(cells: Sequence[str | int], *, bar: str = "") -> str:
    shown = "".join(
        f'<td class="number">{cell:,}</td>'
        if isinstance(cell, int)
        else f"<td>{escape(printable(cell))}</td>"
        for cell in cells
    )
    drawn = f'<td class="bar">{bar}</td>' if bar else ""
    return f"<tr>{shown}{drawn}</tr>"


def _table(header: Iterable[str], rows: Iterable[str]) -> str:
    heads = "".join(f"<th>{escape(name)}</th>" for name in header)
    return f"<table><tr>{heads}</tr>{''.join(rows)}</table>"
