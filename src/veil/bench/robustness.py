"""Recall when the characters of identifiers are changed, by mutation."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from veil.core.document import Record, Span, Spans
from veil.core.labels import family_in
from veil.detect.assembly import default_pipeline
from veil.evaluate.tally import cover, leaks
from veil.languages import identify

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from veil.core.labels import Scheme
    from veil.detect.pipeline import DetectionPipeline

CLEAN = "clean"
# A direct identifier identifies a person without further knowledge.
_DIRECT_FAMILIES = frozenset({"NAME", "CONTACT", "ID"})
_DIRECT_LABELS = frozenset({"STREET"})

_WORD = re.compile(r"[^\W_]{2,}")
_CYRILLIC = str.maketrans("ABCEHIJKMOPSTXYaceijopsxy", "АВСЕНІЈКМОРЅТХУасеіјорѕху")
_WIDE = {**{code: code + 0xFEE0 for code in range(0x21, 0x7F)}, 0x20: 0x3000}
_BOLD = {
    **{ord("A") + index: 0x1D400 + index for index in range(26)},
    **{ord("a") + index: 0x1D41A + index for index in range(26)},
    **{ord("0") + index: 0x1D7CE + index for index in range(10)},
}


def _inside_words(inserted: str) -> Callable[[str], str]:
    def mutate(text: str) -> str:
        def split(word: re.Match[str]) -> str:
            half = len(word[0]) // 2
            return word[0][:half] + inserted + word[0][half:]

        return _WORD.sub(split, text)

    return mutate


def _broken(text: str) -> str:
    """Break the longest word in its middle, as at the end of a line."""
    words = list(_WORD.finditer(text))
    if not words:
        return text
    longest = max(words, key=lambda word: len(word[0]))
    middle = (longest.start() + longest.end()) // 2
    return f"{text[:middle]}-\n{text[middle:]}"


def _entities(word: re.Match[str]) -> str:
    return "".join(f"&#{ord(character)};" for character in word[0])


MUTATIONS: Mapping[str, Callable[[str], str]] = {
    CLEAN: lambda text: text,
    "zero-width space": _inside_words("\u200b"),
    "byte order mark": _inside_words("\ufeff"),
    "soft hyphen": _inside_words("\u00ad"),
    "full-width": lambda text: text.translate(_WIDE),
    "hyphen + newline": _broken,
    "HTML entities": lambda text: _WORD.sub(_entities, text),
    "letter-spaced": lambda text: "   ".join(" ".join(word) for word in text.split()),
    "decomposed accents": lambda text: unicodedata.normalize("NFD", text),
    "Cyrillic look-alikes": lambda text: text.translate(_CYRILLIC),
    "no-break space": lambda text: text.replace(" ", "\u00a0"),
    "mathematical letters": lambda text: text.translate(_BOLD),
}


@dataclass(frozen=True)
class Robustness:
    """The result of `run_robustness_benchmark`: recall by language and mutation."""

    documents: Mapping[str, int]
    identifiers: Mapping[str, int]
    recall: Mapping[str, Mapping[str, float]]


def run_robustness_benchmark(
    records: Sequence[Record], *, language: str | None = None
) -> Robustness:
    """Measure the recall of identifiers, unchanged and with changed characters.

    An identifier counts as found if each of its letters and digits lies in a span of any label. The
    records of each language are searched by its default pipeline.
    """
    by_language: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        doc = record.document
        by_language[language or doc.language or identify(doc.text)].append(record)
    recall = {}
    for code, own in by_language.items():
        pipeline = default_pipeline(code)
        recall[code] = {
            name: _recall(pipeline, [mutated(record, mutate) for record in own])
            for name, mutate in MUTATIONS.items()
        }
    return Robustness(
        documents={code: len(own) for code, own in by_language.items()},
        identifiers={
            code: sum(len(record.spans) for record in own) for code, own in by_language.items()
        },
        recall=recall,
    )


def direct_identifiers(record: Record, source: Scheme | None) -> Record:
    """A record with only the spans that are direct identifiers in its scheme."""

    def is_direct(label: str) -> bool:
        veil_label = source.to_veil.get(label) if source else None
        return family_in(label, source) in _DIRECT_FAMILIES or veil_label in _DIRECT_LABELS

    doc = record.document
    return Record(doc, Spans(doc, [span for span in record.spans if is_direct(span.label)]))


def mutated(record: Record, mutate: Callable[[str], str]) -> Record:
    """A record whose spans' texts are changed."""
    pieces: list[str] = []
    spans: list[Span] = []
    position = length = 0
    text = record.document.text
    for span in record.spans:
        new = mutate(text[span.start : span.end])
        before = text[position : span.start]
        start = length + len(before)
        length, position = start + len(new), span.end
        pieces += (before, new)
        spans.append(replace(span, start=start, end=length))
    doc = replace(record.document, text="".join([*pieces, text[position:]]))
    return Record(doc, Spans(doc, spans))


def _recall(pipeline: DetectionPipeline, records: Sequence[Record]) -> float:
    """The share of identifiers that are found; those of withheld records count as found."""
    found = total = 0
    outcomes = pipeline.detect_many(record.document for record in records)
    for record, outcome in zip(records, outcomes, strict=True):
        total += len(record.spans)
        if isinstance(outcome, Record):
            doc = outcome.document
            covered = cover(doc, outcome.spans)
            found += sum(not leaks(doc, covered, span.start, span.end) for span in record.spans)
        else:
            found += len(record.spans)
    return found / total if total else 1.0


def format_robustness_benchmark(result: Robustness) -> str:
    """The table that `veil bench robustness` prints."""
    codes = list(result.recall)
    lines = [
        f"{code}: {result.documents[code]} documents, "
        f"{result.identifiers[code]:,} direct identifiers"
        for code in codes
    ]
    lines += ["", "recall in percent, and in percent of the clean recall"]
    lines.append(f"{'':24}" + "".join(f"{code:>14}" for code in codes))
    for name in MUTATIONS:
        cells = []
        for code in codes:
            recall, clean = result.recall[code][name], result.recall[code][CLEAN]
            ratio = f"{100 * recall / clean:6.1f}" if clean and name != CLEAN else ""
            cells.append(f"{100 * recall:7.1f}{ratio:>7}")
        lines.append(f"{name:24}" + "".join(cells))
    return "\n".join(lines) + "\n"
