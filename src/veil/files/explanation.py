"""Explain the spans that a model finds, and the texts that it misses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from veil.core.errors import InputError, RecordError, printable
from veil.detect.assembly import DetectionOptions
from veil.detect.linear.explain import explain, merged
from veil.detect.why import explain_missed, parts_of
from veil.files.reading import FilesResult, Reader, Reading
from veil.io.outputs import check_pages, write_text
from veil.render import render_page
from veil.render.highlight import span_family

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Unpack

    from veil.core.document import Document
    from veil.detect.assembly import Recall
    from veil.detect.crf import LinearDetector
    from veil.detect.linear.explain import Explanation
    from veil.detect.pipeline import DetectionPipeline
    from veil.detect.why import Why
    from veil.files.reading import FilePath

_EXCERPT = 120


@dataclass
class ExplanationResult(FilesResult):
    """Explanations of the spans that a model finds, and of texts that it missed."""

    explanations: list[tuple[Document, Explanation]] = field(default_factory=list)
    missed: list[tuple[Document, Why]] = field(default_factory=list)


def explain_files(
    source: FilePath,
    *,
    model: FilePath | None = None,
    missed: Sequence[tuple[int, int] | str] = (),
    record: str | None = None,
    lang: str | None = None,
    recall: Recall | None = None,
    bias: float | None = None,
    top: int = 8,
    html: FilePath | None = None,
    overwrite: bool = False,
    **reading: Unpack[Reading],
) -> ExplanationResult:
    """Explain the spans that a model finds, or why texts were `missed`.

    `model` is by default Veil's model of each record's language; misses are then explained together
    with the rules. `missed` are start and end offsets in a record, or texts to search for in all
    records. `record` is the id of one record of the file. `html` is a page to write with the `top`
    features.
    """
    if top < 1:
        raise InputError("--top must be at least 1")
    check_pages([html], [source], overwrite=overwrite)
    pipeline = DetectionOptions(model=model, lang=lang, recall=recall, bias=bias).load()
    reader = Reader(reading)
    result = ExplanationResult()
    docs = [each.document for each in reader.read(source) if record in (None, each.id)]
    if record is not None and not docs:
        raise InputError(f"{source}: no record has the id '{record}'")
    for doc, start, end in _stretches(docs, missed, source):
        result.missed.append((doc, explain_missed(doc, start, end, pipeline=pipeline)))
    for doc in docs if not missed else ():
        linear = _linear_of(pipeline, doc)
        result.explanations += [(doc, found) for found in explain(linear, doc)]
    result.add(reader.log)
    if html is not None:
        names = {explained.span.source for _, explained in result.explanations}
        title = "Why this was missed" if missed else f"Why {_listed(names) or 'nothing'} found this"
        views = [
            *(_explanation_view(doc, found, top) for doc, found in result.explanations),
            *(_missed_view(doc, why, top) for doc, why in result.missed),
        ]
        write_text(html, render_page("explanation", title=title, explanations=views))
    return result


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _linear_of(pipeline: DetectionPipeline, doc: Document) -> LinearDetector:
    """The linear model of a document's language."""
    language = pipeline.language_of(doc)
    if isinstance(language, RecordError):
        raise RecordError(language.reason, record=doc.id)
    linear = parts_of(pipeline, language or "")[0]
    if linear is None:
        raise InputError(f"{doc.id}: no model with a single linear pass (crf or window-svm)")
    return linear


def _stretches(
    docs: Sequence[Document], missed: Sequence[tuple[int, int] | str], source: FilePath
) -> Iterator[tuple[Document, int, int]]:
    """Yield the documents and offsets of missed texts."""
    for each in missed:
        if isinstance(each, str):
            found = [
                (doc, match.start(), match.end())
                for doc in docs
                for match in re.finditer(re.escape(each), doc.text)
                if each
            ]
            if not found:
                raise InputError(f"{source}: no record contains the missed text")
            yield from found
        elif len(docs) != 1:
            raise InputError(
                f"{source}: has {len(docs):,} records; say with --record ID to which of them the "
                "offsets belong"
            )
        else:
            yield (docs[0], *each)


def _explanation_view(doc: Document, found: Explanation, top: int) -> dict[str, object]:
    """An explanation for the page template."""
    span = found.span
    reasons = merged(found.reasons)
    return {
        **_excerpt(doc, span.start, span.end),
        "family": span_family(span).lower(),
        "label": span.label,
        "sentences": [found.title],
        "ahead": span.label,
        "behind": found.runner_up,
        "reasons": reasons[:top],
        "others": len(reasons[top:]),
    }


def _missed_view(doc: Document, why: Why, top: int) -> dict[str, object]:
    """The reasons for a miss, for the page template."""
    reasons = merged(why.reasons)
    return {
        **_excerpt(doc, why.start, why.end),
        "family": span_family(why.span).lower() if why.span else "missed",
        "label": why.span.label if why.span else "missed",
        "sentences": why.sentences,
        "ahead": why.candidates[0].label if why.candidates else "the label",
        "behind": "no identifier",
        "reasons": reasons[:top],
        "others": len(reasons[top:]),
    }


def _excerpt(doc: Document, start: int, end: int) -> dict[str, object]:
    return {
        "record": printable(doc.id),
        "language": doc.language,
        "before": _cut_start(doc.text[max(0, start - _EXCERPT) : start], is_all=start <= _EXCERPT),
        "text": doc.text[start:end],
        "after": _cut_end(doc.text[end:][:_EXCERPT], is_all=len(doc.text) <= end + _EXCERPT),
    }


def _cut_start(text: str, *, is_all: bool) -> str:
    """The text before an excerpt, starting at a word if words are separated by blanks."""
    if is_all:
        return text.lstrip()
    _, blank, rest = text.partition(" ")
    return f"… {(rest if blank else text).lstrip()}"


def _cut_end(text: str, *, is_all: bool) -> str:
    """The text after an excerpt, ending at a word."""
    if is_all:
        return text.rstrip()
    rest, blank, _ = text.rpartition(" ")
    return f"{(rest if blank else text).rstrip()} …"
