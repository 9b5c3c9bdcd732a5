"""When a predicted annotation counts as a gold one: exactly, nearly, piece by piece."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from veil.evaluate.counts import Counts

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Set

    from veil.core.document import Span
    from veil.evaluate.pairing import Pair

# The i2b2 script takes runs of ASCII letters and digits. These are runs of Unicode ones: the same
# on ASCII text, and "Muñoz" or "山田" are tokens too.
_ALPHANUMERICS = re.compile(r"[^\W_]+")

RELAXED_DISTANCE = 2
"""By how many characters the end may be off at the i2b2 script's relaxed level."""


class Piece(NamedTuple):
    """A token of an annotation."""

    start: int
    end: int
    label: str


def count_common(gold: Set[Hashable], predicted: Set[Hashable]) -> Counts:
    """Compare two sets."""
    common = len(gold & predicted)
    return Counts(common, len(predicted) - common, len(gold) - common)


def count_strict(pair: Pair) -> Counts:
    """Same start, end and label.

    The i2b2 script compares the family (its XML element) as well; it follows from the label.
    """
    return count_common({span.key for span in pair.gold}, {span.key for span in pair.predicted})


def count_extents(pair: Pair) -> Counts:
    """Same start and end, whatever the label."""
    return count_common(
        {(span.start, span.end) for span in pair.gold},
        {(span.start, span.end) for span in pair.predicted},
    )


def count_relaxed(pair: Pair) -> Counts:
    """Same start and label, ends at most two characters apart, as the i2b2 script counts them.

    The script puts annotations into sets whose equality is not transitive: 0-4, 0-6 and 0-8 are
    pairwise near, near and apart. So a set keeps an annotation if it holds nothing near it yet;
    the true positives are the members of the smaller set (the predicted one if both are as large)
    that have a near one in the other; and tp + fp may exceed what was predicted.
    """
    gold = _Relaxed(pair.gold)
    predicted = _Relaxed(pair.predicted)
    fn = sum(not predicted.has_near(span) for span in gold.members)
    fp = sum(not gold.has_near(span) for span in predicted.members)
    if len(gold.members) < len(predicted.members):
        return Counts(len(gold.members) - fn, fp, fn)
    return Counts(len(predicted.members) - fp, fp, fn)


class _Relaxed:
    """The annotations that a set with the script's relaxed equality would keep."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self.members: list[Span] = []
        self._ends: dict[tuple[int, str], list[int]] = {}
        for span in spans:
            if not self.has_near(span):
                self.members.append(span)
                self._ends.setdefault((span.start, span.label), []).append(span.end)

    def has_near(self, span: Span) -> bool:
        ends = self._ends.get((span.start, span.label), ())
        return any(abs(span.end - end) <= RELAXED_DISTANCE for end in ends)


def pieces(text: str, spans: Iterable[Span]) -> Iterator[Piece]:
    """Yield the alphanumeric pieces of each annotation's text."""
    for span in spans:
        for match in _ALPHANUMERICS.finditer(text, span.start, span.end):
            yield Piece(match.start(), match.end(), span.label)


def count_tokens(pair: Pair) -> Counts:
    """The pieces of the annotations with their labels, as the i2b2 script counts them."""
    text = pair.document.text
    return count_common(
        {*pieces(text, pair.gold), *_script_starts(pair.gold)},
        {*pieces(text, pair.predicted), *_script_starts(pair.predicted)},
    )


def _script_starts(spans: Iterable[Span]) -> Iterator[Piece]:
    # For an annotation that opens the document the script adds an empty token.
    return (Piece(0, 0, span.label) for span in spans if span.start == 0)


def count_token_extents(pair: Pair) -> Counts:
    """The pieces of the annotations, whatever the label."""
    text = pair.document.text
    return count_common(
        {(piece.start, piece.end) for piece in pieces(text, pair.gold)},
        {(piece.start, piece.end) for piece in pieces(text, pair.predicted)},
    )
