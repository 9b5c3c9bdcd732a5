"""A sample of masked records for a person to read, as a page or as text."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePath
from string import Formatter
from typing import TYPE_CHECKING, Any

from veil.core.document import Record, Span
from veil.core.errors import printable
from veil.core.labels import SCHEMES, scheme
from veil.masking.bounds import CONFIDENCE, largest_leak
from veil.render import record_view, render_page, terminal_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from veil.core.document import Document
    from veil.masking.audit import Drawn, MaskedOutput, Sample

REDACTED = "REDACTED"
_NOTICE = "This page contains text of masked records: protect it like the output."
_TAGS = ("[{label}-{number}]", "[{label}]")
_DOUBTFUL = "not-sure"


def sample_page(output: MaskedOutput, sample: Sample) -> Iterator[str]:
    """Yield a page with the records, and what was replaced in them marked where it can be told."""
    find = Replaced(output.report)
    records = (
        record_view(_marked(drawn, doc, find)) for drawn in sample.records for doc in _texts(drawn)
    )
    title = f"Sample of {output.path.name}: {len(sample.records):,} of {sample.population:,}"
    return render_page(
        "records", title=title, notice=_NOTICE, paragraphs=meaning(sample), records=records
    )


def sample_text(sample: Sample) -> Iterator[str]:
    """Yield the records as text."""
    for line in meaning(sample):
        yield f"{line}\n"
    for drawn in sample.records:
        for doc in _texts(drawn):
            yield f"\n== {_title(drawn, doc)}\n\n"
            yield terminal_record(Record.of(doc), colour=False).rstrip("\n") + "\n"


def meaning(sample: Sample) -> list[str]:
    """What the sample can prove, in words."""
    read = len(sample.records)
    if not read:
        return ["The output holds no record."]
    bound = largest_leak(sample.population, read)
    return [
        f"{read:,} of {sample.population:,} records, drawn at random with the seed {sample.seed}.",
        "Read all of them and note each that tells who somebody is. If there is none, at most "
        f"{bound:.2%} of all records do, with {CONFIDENCE:.0%} confidence.",
    ]


def _texts(drawn: Drawn) -> Iterable[Document]:
    return (doc for doc in drawn.documents if doc.text)


def _title(drawn: Drawn, doc: Document) -> str:
    alone = PurePath(drawn.file).with_suffix("").as_posix() == doc.id
    return printable(drawn.file if alone else f"{drawn.file}: {doc.id}")


def _marked(drawn: Drawn, doc: Document, find: Replaced) -> Record:
    spans = [span for span in find(drawn, doc) if span.end <= len(doc.text)]
    return Record.of(replace(doc, id=_title(drawn, doc)), spans)


class Replaced:
    """Finds what was replaced: tags and bars by their form, unsure spans by the report."""

    def __init__(self, report: Mapping[str, Any]) -> None:
        policy = report["policy"]
        actions = [policy["default"], *policy["labels"].values()]
        forms = dict.fromkeys(filter(None, map(_form, actions)))
        self._pattern = re.compile("|".join(forms)) if forms else None
        self._unsure: dict[tuple[str, str], list[Span]] = {}
        for each in report["review"]["spans"]:
            span = Span(each["start"], each["end"], each["label"], each["score"], _DOUBTFUL)
            self._unsure.setdefault((each["file"], each["record"]), []).append(span)

    def __call__(self, drawn: Drawn, doc: Document) -> Iterator[Span]:
        yield from self._unsure.get((drawn.file, doc.id), [])
        if self._pattern:
            for match in self._pattern.finditer(doc.text):
                label = _LABEL.search(match[0])
                yield Span(*match.span(), label[0] if label else REDACTED)


_LABEL = re.compile(
    "|".join(
        sorted({each for name in SCHEMES for each in scheme(name).labels}, key=len, reverse=True)
    )
)


def _form(action: Mapping[str, Any]) -> str | None:
    """A pattern for what an action writes, if it can be told from other text."""
    name = action["action"]
    if name == "redact":
        return f"{re.escape(action.get('character', '█'))}+"
    if name == "hash":
        return rf"(?:{_LABEL.pattern})-[0-9a-f]{{{action.get('length', 12)}}}"
    if name == "tag":
        given = action.get("form") or _TAGS[0 if action.get("numbered", True) else 1]
        return "".join(
            re.escape(text)
            + {"label": f"(?:{_LABEL.pattern})", "number": r"\d+"}.get(field or "", "")
            for text, field, _, _ in Formatter().parse(given)
        )
    return None
