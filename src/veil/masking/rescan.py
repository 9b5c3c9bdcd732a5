"""Rescanning: finds what is left in a masked text outside the replacements.

The new text is searched for the originals of all replacements, and scanned by the detectors. What
detectors find depends on the surrounding text, which has changed only near replacements and matters
only for doubtful words. So the sentences around doubtful words near replacements are scanned and,
if anything is found there, the whole record. Detectors without a limited reach always scan the
whole record.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from veil.core.document import WHOLE, Document, Span
from veil.core.errors import RecordError
from veil.core.labels import family
from veil.core.patterns import compile_pattern
from veil.core.search import SHORTEST, Strings
from veil.core.view import views_of
from veil.detect.pipeline import document_views
from veil.languages import FALLBACK_LANGUAGE, LANGUAGES, has_spaces
from veil.lexicons import is_ordinary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from veil.detect.pipeline import DetectionPipeline, Outcome
    from veil.replace.base import Edit, Masked

REMAINING = "again"
"""The source of spans that the search for originals found."""

# Originals of these families are searched for in the rest of the text; a sex or an age is not
# identifying by itself, and "5" occurs in every record.
_SEARCHED = frozenset({"NAME", "LOCATION", "CONTACT", "ID", "DATE"})
_FEWEST_LETTERS = 3
_FEWEST_KANJI = 2
_KANJI_OR_KANA = compile_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f]")
_FEWEST_DIGITS = 5
_WORD = compile_pattern(r"\w")
_ENDS_OF_SENTENCES = ("\n", ". ", "。")
# From this number of originals on, they are searched for together.
_MANY = 256
# Above this share of the text, scanning the whole text is as fast.
_NEARLY_ALL = 0.85


def scan(
    pipeline: DetectionPipeline,
    masked: Sequence[Masked],
    doubts: Sequence[Sequence[Span] | None],
    *,
    is_kept: Callable[[Span], bool],
) -> list[Outcome | None]:
    """Scan masked documents and return what is found in each, or None if nothing new is found.

    `doubts` are the doubtful words of each original, None if any word may be one; `is_kept` says
    which spans may stay.
    """
    outcomes: list[Outcome | None] = [None] * len(masked)
    to_scan = list(range(len(masked)))
    if pipeline.reach is not None:
        excerpts = {}
        for index, (each, doubtful) in enumerate(zip(masked, doubts, strict=True)):
            excerpt = _excerpt(each, pipeline.reach, doubtful)
            if excerpt.document.text:
                excerpts[index] = excerpt
        found = pipeline.detect_batch([excerpt.document for excerpt in excerpts.values()])
        to_scan = []
        for (index, excerpt), outcome in zip(excerpts.items(), found, strict=True):
            if excerpt.document is masked[index].document:
                outcomes[index] = outcome
            elif isinstance(outcome, RecordError) or any(
                not is_kept(span) for span in _untouched(outcome.spans, excerpt.replacements)
            ):
                to_scan.append(index)
    again = pipeline.detect_batch([masked[index].document for index in to_scan])
    for index, outcome in zip(to_scan, again, strict=True):
        outcomes[index] = outcome
    return outcomes


@dataclass(frozen=True)
class _Excerpt:
    """Parts of a masked document, and the offsets of the replacements in them."""

    document: Document
    replacements: list[tuple[int, int]]


def _excerpt(masked: Masked, reach: int, doubts: Sequence[Span] | None) -> _Excerpt:
    """The sentences around doubtful words near replacements, or the document if they are most."""
    text, replacements = masked.document.text, masked.new_offsets
    places = replacements if doubts is None else _doubtful_places(masked, doubts, reach)
    windows = _sentences(text, places, reach)
    if len(text) * _NEARLY_ALL < sum(end - start for start, end in windows):
        return _Excerpt(masked.document, replacements)
    ends = [last for _, last in replacements]
    inside: list[tuple[int, int]] = []
    length = 0  # of the excerpt before a window
    for start, end in windows:
        for first, last in replacements[bisect_left(ends, start) :]:
            if end < first:
                break
            inside.append((length + max(first, start) - start, length + min(last, end) - start))
        length += end - start + 1  # a line break separates two windows
    excerpt = "\n".join(text[start:end] for start, end in windows)
    return _Excerpt(replace(masked.document, text=excerpt), inside)


def _doubtful_places(
    masked: Masked, doubts: Sequence[Span], reach: int
) -> Sequence[tuple[int, int]]:
    """The offsets in the new text of doubtful words within reach of a replacement.

    If replacements are parts of a doubtful word, they are the offsets of these replacements.
    """
    edits, replacements = masked.edits, masked.new_offsets
    starts, ends = [edit.start for edit in edits], [edit.end for edit in edits]
    places = []
    for doubt in doubts:
        first, stop = bisect_right(ends, doubt.start), bisect_left(starts, doubt.end)
        if first < stop:
            if doubt.start < starts[first] or ends[first] < doubt.end:
                places += replacements[first:stop]
            continue
        before = replacements[first - 1][1] if first else -reach - 1
        shift = before - ends[first - 1] if first else 0
        start, end = doubt.start + shift, doubt.end + shift
        after = replacements[first][0] if first < len(edits) else end + reach + 1
        if start - before <= reach or after - end <= reach:
            places.append((start, end))
    return sorted(set(places))


def _sentences(text: str, places: Iterable[tuple[int, int]], reach: int) -> list[tuple[int, int]]:
    """The sentences within reach of places, which are sorted; those that touch are joined."""
    windows: list[tuple[int, int]] = []
    for first, last in places:
        start, end = windows.pop() if windows else (0, 0)
        if end <= last + reach:
            begun = _start_of_sentence(text, end, first - reach)
            if end < begun:
                if start < end:
                    windows.append((start, end))
                start = begun
            end = max(end, _end_of_sentence(text, last + reach))
        windows.append((start, end))
    return windows


def _start_of_sentence(text: str, after: int, index: int) -> int:
    ends = (text.rfind(mark, after, max(after, index)) for mark in _ENDS_OF_SENTENCES)
    return max((end + 1 for end in ends if 0 <= end), default=after)


def _end_of_sentence(text: str, index: int) -> int:
    nearest = len(text)
    for mark in _ENDS_OF_SENTENCES:  # no mark is searched for beyond the nearest one
        end = text.find(mark, index, nearest)
        nearest = end + 1 if 0 <= end else nearest
    return nearest


def remaining_originals(masked: Masked, edits: Iterable[Edit]) -> list[Span]:
    """Find the originals of these edits in the unchanged parts of the text.

    Both are compared as detectors read them: "John" is found in "Jo\u200bhn" too.
    """
    doc = masked.document
    if WHOLE in doc.meta:
        return []
    replaced = [edit for edit in edits if edit.new != edit.old]
    originals: dict[str, Edit] = {}
    for edit in replaced:
        originals.setdefault(edit.old, edit)
    # All of them are checked together first, since very few have a view.
    if views_of("\n\n".join(originals), keep_wide=not has_spaces(doc.language)):
        for edit in replaced:
            for view in document_views(replace(doc, text=edit.old)):
                originals.setdefault(view.text, edit)
    found = _occurrences(doc.text, originals, doc.language or FALLBACK_LANGUAGE)
    for view in document_views(doc):
        found += [
            span.at(*view.to_original(span.start, span.end))
            for span in _occurrences(view.text, originals, doc.language or FALLBACK_LANGUAGE)
        ]
    return to_original(masked, dict.fromkeys(found))


def _occurrences(text: str, originals: Mapping[str, Edit], language: str) -> list[Span]:
    """Find originals in a text; the longest counts among those with the same start."""
    by_form: defaultdict[str, list[str]] = defaultdict(list)
    for original in originals:
        if SHORTEST <= len(original):
            by_form[_folded(original)].append(original)
    # Very few are found, since they were replaced. Searching for each of a few is fastest.
    folded = _folded(text)
    forms = [form for form in by_form if form in folded] if len(by_form) < _MANY else [*by_form]
    if not forms:
        return []
    indices = list(Strings(forms).find(folded))
    wanted: dict[str, Edit] = {}
    identifying: set[str] = set()
    for form in dict.fromkeys(form for _, form in indices):
        for original in by_form[form]:
            if _is_identifying(original, originals[original].label):
                wanted.setdefault(_search_key(original, language), originals[original])
                identifying.add(form)
    found = []
    position = 0
    for start, form in indices:
        end = start + len(form)
        if start < position or form not in identifying or not _is_whole(text, start, end):
            continue
        position = end
        edit = wanted.get(_search_key(text[start:end], language))
        if edit is not None:
            found.append(Span(start, end, edit.label, source=REMAINING))
    return found


def _folded(text: str) -> str:
    """Fold the case of a text character by character, so that offsets stay the same."""
    folded = text.casefold()
    if len(folded) == len(text):
        return folded
    return "".join(
        each if len(each := letter.casefold()) == 1 else letter.lower()[0] for letter in text
    )


def _is_identifying(original: str, label: str) -> bool:
    """Whether an original is identifying anywhere in a text: not a 5, a month or an age."""
    if family(label) not in _SEARCHED:
        return False
    digits = sum(map(str.isdigit, original))
    letters = sum(map(str.isalpha, original)) if label != "DATE" else 0
    fewest = _FEWEST_KANJI if _KANJI_OR_KANA.match(original) else _FEWEST_LETTERS
    return fewest <= letters or _FEWEST_DIGITS <= digits


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether a match is not a part of a longer word; Japanese has no spaces between words."""
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    return not (
        (_WORD.match(before) and not _KANJI_OR_KANA.match(text, start))
        or (_WORD.match(after) and not _KANJI_OR_KANA.match(text, end - 1))
    )


def _search_key(text: str, language: str) -> str:
    """The form for comparing texts: without case, unless only case distinguishes Will from will."""
    ordinary = language in LANGUAGES and is_ordinary(language)(text)
    return text if ordinary else text.casefold()


def to_original(masked: Masked, spans: Iterable[Span]) -> list[Span]:
    """Spans of the new text that touch no replacement, with their offsets in the original."""
    found = []
    indices = masked.new_offsets
    ends = [end for _, end in indices]
    for span in _untouched(spans, indices):
        before = bisect_right(ends, span.start)
        shift = masked.edits[before - 1].end - ends[before - 1] if before else 0
        found.append(replace(span, start=span.start + shift, end=span.end + shift))
    return found


def _untouched(spans: Iterable[Span], replacements: Sequence[tuple[int, int]]) -> list[Span]:
    """The spans that no replacement touches, in order; both lie within one text."""
    found = []
    at = 0
    for span in sorted(spans, key=lambda span: span.start):
        while at < len(replacements) and replacements[at][1] <= span.start:
            at += 1
        if at == len(replacements) or span.end <= replacements[at][0]:
            found.append(span)
    return found
