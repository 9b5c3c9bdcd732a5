"""The second look: what still stands in a masked text outside the replacements.

The new text is searched for every original that a replacement stood for, and scanned by the
detectors. What detectors find at a place depends on the text around it, and that has changed near
replacements alone: so the surroundings of these are scanned, and wherever anything turns up, all of
the record. Detectors that look further than their surroundings see all of every record.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from veil.core.document import WHOLE, Document, Span
from veil.core.errors import RecordError
from veil.core.labels import family
from veil.core.search import SHORTEST, Strings
from veil.detect.pipeline import document_views
from veil.languages import FALLBACK_LANGUAGE, LANGUAGES
from veil.lexicons import is_ordinary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from veil.detect.pipeline import DetectionPipeline, Outcome
    from veil.replace.base import Edit, Masked

SURVIVOR = "again"
"""The source of spans that the search for originals found."""

# Of these families an original is searched for in the rest of the text; a sex or an age is no
# secret by itself, and "5" stands in every record.
_SEARCHED = frozenset({"NAME", "LOCATION", "CONTACT", "ID", "DATE"})
_FEWEST_LETTERS = 3
_FEWEST_KANJI = 2
_KANJI_OR_KANA = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f]")
_FEWEST_DIGITS = 5
_WORD = re.compile(r"\w")
_ENDS_OF_SENTENCES = ("\n", ". ", "。")
# Surroundings that make up so much of a text are no shorter than all of it is.
_NEARLY_ALL = 0.85


def scan(
    pipeline: DetectionPipeline, masked: Sequence[Masked], *, is_kept: Callable[[Span], bool]
) -> list[Outcome | None]:
    """Scan masked documents: what is found in each, or None where nothing new is.

    `is_kept` says which spans may stand there.
    """
    outcomes: list[Outcome | None] = [None] * len(masked)
    looked_at = list(range(len(masked)))
    if pipeline.reach is not None:
        excerpts = [_excerpt(each, pipeline.reach) for each in masked]
        found = pipeline.detect_batch([excerpt.document for excerpt in excerpts])
        looked_at = []
        for place, (excerpt, outcome) in enumerate(zip(excerpts, found, strict=True)):
            if excerpt.document is masked[place].document:
                outcomes[place] = outcome
            elif isinstance(outcome, RecordError) or any(
                not is_kept(span) for span in _untouched(outcome.spans, excerpt.replacements)
            ):
                looked_at.append(place)
    again = pipeline.detect_batch([masked[place].document for place in looked_at])
    for place, outcome in zip(looked_at, again, strict=True):
        outcomes[place] = outcome
    return outcomes


@dataclass(frozen=True)
class _Excerpt:
    """Parts of a masked document, and where in them the replacements stand."""

    document: Document
    replacements: list[tuple[int, int]]


def _excerpt(masked: Masked, reach: int) -> _Excerpt:
    """The sentences within reach of the replacements; the document itself if these are most."""
    text, places = masked.document.text, masked.new_offsets
    windows: list[tuple[int, int]] = []
    replacements = []
    shift = 0  # from the text to the excerpt
    for first, last in places:
        start, end = windows.pop() if windows else (0, 0)
        if last + reach < end:  # nothing to add
            windows.append((start, end))
            replacements.append((first - shift, last - shift))
            continue
        begun = _start_of_sentence(text, end, first - reach)
        if end < begun:
            if start < end:
                windows.append((start, end))
            shift += begun - end - (start < end)  # a line break stands between two windows
            start = begun
        windows.append((start, max(end, _end_of_sentence(text, last + reach))))
        replacements.append((first - shift, last - shift))
    if len(text) * _NEARLY_ALL < sum(end - start for start, end in windows):
        return _Excerpt(masked.document, places)
    excerpt = "\n".join(text[start:end] for start, end in windows)
    return _Excerpt(replace(masked.document, text=excerpt), replacements)


def _start_of_sentence(text: str, after: int, place: int) -> int:
    ends = (text.rfind(mark, after, max(after, place)) for mark in _ENDS_OF_SENTENCES)
    return max((end + 1 for end in ends if 0 <= end), default=after)


def _end_of_sentence(text: str, place: int) -> int:
    nearest = len(text)
    for mark in _ENDS_OF_SENTENCES:  # none is searched for beyond the nearest
        end = text.find(mark, place, nearest)
        nearest = end + 1 if 0 <= end else nearest
    return nearest


def survivors(masked: Masked, edits: Iterable[Edit]) -> list[Span]:
    """Where an original of these edits stands in what was left of the text.

    Both are compared as detectors read them: "John" stands in "Jo\u200bhn" too.
    """
    doc = masked.document
    if WHOLE in doc.meta:
        return []
    replaced = [edit for edit in edits if edit.new != edit.old]
    originals: dict[str, Edit] = {}
    for edit in replaced:
        originals.setdefault(edit.old, edit)
    # One look at all of them together: hardly any has a view.
    if document_views(replace(doc, text="\n\n".join(originals))):
        for edit in replaced:
            for view in document_views(replace(doc, text=edit.old)):
                originals.setdefault(view.text, edit)
    found = _standing(doc.text, originals, doc.language or FALLBACK_LANGUAGE)
    for view in document_views(doc):
        found += [
            span.at(*view.to_original(span.start, span.end))
            for span in _standing(view.text, originals, doc.language or FALLBACK_LANGUAGE)
        ]
    return at_home(masked, dict.fromkeys(found))


def _standing(text: str, originals: Mapping[str, Edit], language: str) -> list[Span]:
    """Where originals stand in a text; the longest of those that begin at a place counts."""
    by_form: defaultdict[str, list[str]] = defaultdict(list)
    for original in originals:
        if SHORTEST <= len(original):
            by_form[_folded(original)].append(original)
    # Hardly any stands there still: they were replaced.
    places = list(Strings(by_form).find(_folded(text)))
    wanted: dict[str, Edit] = {}
    telling: set[str] = set()
    for form in dict.fromkeys(form for _, form in places):
        for original in by_form[form]:
            if _is_telling(original, originals[original].label):
                wanted.setdefault(_search_key(original, language), originals[original])
                telling.add(form)
    found = []
    position = 0
    for start, form in places:
        end = start + len(form)
        if start < position or form not in telling or not _is_whole(text, start, end):
            continue
        position = end
        hidden = wanted.get(_search_key(text[start:end], language))
        if hidden is not None:
            found.append(Span(start, end, hidden.label, source=SURVIVOR))
    return found


def _folded(text: str) -> str:
    """The text without case, character by character: offsets stay the same."""
    folded = text.casefold()
    if len(folded) == len(text):
        return folded
    return "".join(
        each if len(each := letter.casefold()) == 1 else letter.lower()[0] for letter in text
    )


def _is_telling(original: str, label: str) -> bool:
    """Whether an original says something wherever it stands: not a 5, a month or an age."""
    if family(label) not in _SEARCHED:
        return False
    digits = sum(map(str.isdigit, original))
    letters = sum(map(str.isalpha, original)) if label != "DATE" else 0
    fewest = _FEWEST_KANJI if _KANJI_OR_KANA.match(original) else _FEWEST_LETTERS
    return fewest <= letters or _FEWEST_DIGITS <= digits


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether a stretch is no part of a longer word; Japanese does not part its words."""
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    return not (
        (_WORD.match(before) and not _KANJI_OR_KANA.match(text, start))
        or (_WORD.match(after) and not _KANJI_OR_KANA.match(text, end - 1))
    )


def _search_key(text: str, language: str) -> str:
    """How texts are compared: without case, unless it is all that tells Will from will."""
    ordinary = language in LANGUAGES and is_ordinary(language)(text)
    return text if ordinary else text.casefold()


def at_home(masked: Masked, spans: Iterable[Span]) -> list[Span]:
    """Spans of the new text that touch no replacement, at their places in the original."""
    found = []
    places = masked.new_offsets
    ends = [end for _, end in places]
    for span in _untouched(spans, places):
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
