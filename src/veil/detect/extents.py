"""The bounds of a mention, as the labelling guideline defines them (docs/labelling.md).

Detectors decide by words and contexts. This module applies what holds for every mention, whatever
its words, to the spans that the detectors agree on.
"""

from __future__ import annotations

import re
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING

from veil.core.document import Spans
from veil.core.labels import family

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veil.core.document import Document, Span

# Characters at the edges of a mention that are not part of it; a bracket is part of it if its
# partner is inside.
_BRACKETS = '() [] {} <> «» “” "" 「」 『』 【】 〈〉 《》 （） ［］'.split()
_PARTNERS = {each: pair[each == pair[0]] for pair in _BRACKETS for each in pair}
_EDGES = frozenset([*_PARTNERS, *"„,;:|、，：；。"])
_EDGES_OF_WORDS = _EDGES | {"*"}
_NUMBERS = ("ID", "CONTACT")
# A tab or a wide gap separates two columns; exactly two spaces may be a typing error.
_GAP = re.compile(r"(?<=\S)(?:[^\S\r\n]{2,}|\t)(?=\S)")
_SLIP = "  "
# Both ends of a range are separate dates: 25-31 January, 24-25/12, 2017-2018, May 3-5.
_RANGE = re.compile(
    r"\d{1,2}(?:st|nd|rd|th|[.º])?(?P<sign>\s?[-–—]\s?)\d{1,2}"
    r"(?:(?:st|nd|rd|th)\b|[.º]?\s?(?:de\s)?[^\W\d_]{3}|/\d)"
    r"|(?:19|20)\d\d(?P<years>\s?[-–—]\s?)(?:19|20)\d\d\Z"
    r"|[^\W\d_]{3,9}\.?\s\d{1,2}(?P<days>\s?[-–—]\s?)[0-3]?\d\Z"
)
# A mention goes on in the next line if a line as long as any other ends in it.
_LINE_BREAK = re.compile(r"[ \t]*\r?\n[ \t]*")
_WORD = re.compile(r"\S+")
_WORDS = ("NAME", "LOCATION", "PROFESSION")
_WRAPPED = range(40, 121)
_SHARE_OF_WIDTH = 0.8
# A date that ends inside a number is cut before it: Kt/V May 1.52. One that begins inside a number
# is dropped.
_BEGINS_INSIDE = re.compile(r"\d[.,]")
_ENDS_INSIDE = re.compile(r"[.,]\d")
_LAST_NUMBER = re.compile(r"[\W\d]+\Z")
_MEASURED = ("DATE", "AGE")


def as_the_guideline_wants(doc: Document, spans: Spans) -> Spans:
    """Split the spans into columns and ends of ranges, and trim the marks around them."""
    found = []
    for span in spans:
        if _is_plain(doc.text[span.start : span.end], span.label):
            found.append(span)
            continue
        for piece in _pieces(doc.text, span):
            start, end = _trimmed(doc.text, span.label, *piece)
            if start < end:
                is_whole = (start, end) == (span.start, span.end)
                found.append(span if is_whole else span.at(start, end))
    return Spans.in_order(doc, found)


def joined_at_line_breaks(doc: Document, spans: Spans) -> Spans:
    """Join two spans of a label that a wrapped line divides: Hale in one line, County in the next.

    A line is wrapped if the next word would have made it about as long as the longest line of its
    paragraph.
    """
    text, found = doc.text, list(spans[:1])
    for span, following in pairwise(spans):
        kind = following.label, following.part
        if (span.label, span.part) == kind and family(span.label) in _WORDS:
            line_break = _LINE_BREAK.fullmatch(text, span.end, following.start)
            if line_break and text[span.end - 1].isalpha() and _is_wrapped(text, span, line_break):
                best = max(found[-1], following, key=attrgetter("score"))
                found[-1] = best.at(found[-1].start, following.end)
                continue
        found.append(following)
    return spans if len(found) == len(spans) else Spans.in_order(doc, found)


def _is_wrapped(text: str, span: Span, line_break: re.Match[str]) -> bool:
    """Whether the line of a span ends at this break because the next word does not fit in it.

    A span that begins its line is a line of its own: a signature, a letterhead.
    """
    start = text.rfind("\n", 0, span.start) + 1
    if not text[start : span.start].strip():
        return False
    first = text.rfind("\n\n", 0, line_break.start()) + 1
    last = text.find("\n\n", line_break.end())
    width = max(map(len, text[first : len(text) if last < 0 else last].splitlines()))
    length = line_break.start() - start
    word = _WORD.match(text, line_break.end())
    return (
        width in _WRAPPED and word is not None and _SHARE_OF_WIDTH * width <= length + len(word[0])
    )


def _is_plain(mention: str, label: str) -> bool:
    """Whether the two ends of a mention are enough to see that it stays unchanged."""
    # The only printable white space is a space.
    return (
        label not in _MEASURED
        and mention[0].isalnum()
        and mention[-1].isalnum()
        and mention.isprintable()
        and _SLIP not in mention
    )


def _pieces(text: str, span: Span) -> Iterator[tuple[int, int]]:
    start, end = span.start, span.end
    if span.label in _MEASURED:
        start, end = _without_pieces_of_numbers(text, start, end)
    for gap in _GAP.finditer(text, start, end):
        if gap[0] != _SLIP or _has_columns(text, gap.start()):
            yield start, gap.start()
            start = gap.end()
    if span.label == "DATE" and (found := _RANGE.match(text, start, end)):
        sign = found.lastgroup or "sign"
        yield start, found.start(sign)
        start = found.end(sign)
    yield start, end


def _without_pieces_of_numbers(text: str, start: int, end: int) -> tuple[int, int]:
    """The bounds without a number that is only partly inside; empty if nothing is left."""
    if text[start].isdigit() and _BEGINS_INSIDE.match(text, max(0, start - 2), start):
        return start, start
    if text[end - 1].isdigit() and _ENDS_INSIDE.match(text, end):
        number = _LAST_NUMBER.search(text, start, end)
        return start, number.start() if number else start
    return start, end


def _has_columns(text: str, offset: int) -> bool:
    """Whether the line at this offset has more than one gap."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    gaps = _GAP.finditer(text, start, len(text) if end < 0 else end)
    return next(gaps, None) is not None and next(gaps, None) is not None


def _trimmed(text: str, label: str, start: int, end: int) -> tuple[int, int]:
    """The bounds without white space, quotation marks, asterisks and lone brackets at the ends."""
    # Asterisks stand for digits in "***-**-1187".
    edges = _EDGES if family(label) in _NUMBERS else _EDGES_OF_WORDS
    while start < end and _is_edge(text[start], text[start + 1 : end], edges):
        start += 1
    while start < end and _is_edge(text[end - 1], text[start : end - 1], edges):
        end -= 1
    if start < end and _PARTNERS.get(text[start]) == text[end - 1] and start + 2 < end:
        start, end = start + 1, end - 1
    return start, end


def _is_edge(character: str, rest: str, edges: frozenset[str]) -> bool:
    """Whether a character at an end of a span is not part of it; `rest` is the rest of it."""
    if character not in edges and not character.isspace():
        return False
    partner = _PARTNERS.get(character)
    return partner is None or partner not in rest
