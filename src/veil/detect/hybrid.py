"""Rules, known patients and a learned model together.

What they find is joined in this way; `resolve` then settles what still overlaps.

1. **Certain** rules win: a number with a valid checksum, a mail address. Where another span reaches
   into one, it keeps the rest. What is **known** of the patient comes next.
2. A model that was trained to weigh the word of the rules, as Veil's own are, comes before them
   always. Any other knows records like those that it was trained on. It is **at home** in a record
   where it finds nine tenths of what the rules find; there the learned spans come before the
   rules', and elsewhere the rules' come before the learned ones.
3. Where a span of the one overlaps one of the other, boundaries and label of the one that comes
   first hold, and a span that only the other has is added: a miss is worse than a mask too many.
   Names are the exception: both are joined under the label that comes first, since half a name is
   a leak; but a model that weighs the rules has seen the longer name already.
4. Where the model comes first, its silence counts: a rule's span in which it finds nothing, even
   when asked again at a generous balance, is left out.
5. What was found once is found everywhere in the record (see `veil.detect.repeats`).
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

from veil.core.document import Spans
from veil.core.labels import VEIL, Converter, family_in, scheme
from veil.detect.crf import LinearDetector
from veil.detect.repeats import repeats
from veil.detect.rules import RuleDetector
from veil.resolve import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from veil.core.document import Document, Span
    from veil.detect.base import Detector

    Found = list[list[Span]]
    FoundOrNot = list[list[Span]] | list[None]

REACH = 100
"""So many characters around a place decide what rules and linear models find there."""

_KNOWN = "known:"
# At home is a model that finds this share of at least so many spans of the rules.
_AT_HOME = 0.9
_FEWEST_TO_JUDGE = 8
# How far the balance is lowered for a model's silence to count.
_GENEROUS = 2.0


class HybridDetector:
    """Joins what several detectors find into disjoint spans.

    `learned` speaks the labels of the scheme `labels`; the others speak Veil's, which are
    converted. `certain` are the sources of rules that are never wrong.
    """

    name = "hybrid"

    def __init__(
        self,
        others: Sequence[Detector],
        *,
        language: str,
        learned: Detector | None = None,
        labels: str = VEIL,
        certain: frozenset[str] = frozenset(),
    ) -> None:
        self.others = tuple(others)
        self.language = language
        self.learned = learned
        self.labels = labels
        self.certain = certain
        # Other models may look at the whole text, or at other texts.
        is_near_sighted = learned is None or isinstance(learned, LinearDetector)
        self.reach = REACH if is_near_sighted else None
        self._weighs_rules = isinstance(learned, LinearDetector) and learned.weighs_rules
        self._family = cache(partial(family_in, source=scheme(labels)))

    def detect(self, doc: Document) -> list[Span]:
        return self.detect_many([doc])[0]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        by_others = [other.detect_many(docs) for other in self.others]
        by_rules = [
            found
            for other, found in zip(self.others, by_others, strict=True)
            if isinstance(other, RuleDetector)
        ]
        sure, doubted = self._in_scheme(docs, by_others)
        learned, more = self._learned(docs, doubted, by_rules[0] if by_rules else None)
        found = zip(docs, sure, doubted, learned, more, strict=True)
        return [list(self._settle(*of_doc)) for of_doc in found]

    def _in_scheme(self, docs: Sequence[Document], by_others: list[Found]) -> tuple[Found, Found]:
        """What is sure and what is not of what the others found, in the labels of the model."""
        converter = Converter(scheme(VEIL), scheme(self.labels))
        sure: Found = []
        doubted: Found = []
        for doc, *others in zip(docs, *by_others, strict=True):
            ordered = sorted(
                (span for found in others for span in found), key=lambda span: span.key
            )
            converted = converter.convert_all(doc, ordered)
            sure.append([span for span in converted if self._is_sure(span)])
            doubted.append([span for span in converted if not self._is_sure(span)])
        return sure, doubted

    def _learned(
        self, docs: Sequence[Document], doubted: Found, rule_spans: Found | None
    ) -> tuple[Found, FoundOrNot]:
        """What the model finds, and what more about doubted spans; None if it cannot be asked."""
        if isinstance(self.learned, LinearDetector):
            # The model may ask what the rules say: they are not run a second time.
            return self.learned.detect_twice(
                docs, generous=_GENEROUS, about=doubted, rule_spans=rule_spans
            )
        found = self.learned.detect_many(docs) if self.learned else [[] for _ in docs]
        return found, [None] * len(docs)

    def _settle(
        self,
        doc: Document,
        sure: list[Span],
        rules: list[Span],
        learned: list[Span],
        more: list[Span] | None,
    ) -> Spans:
        learned_first = self._weighs_rules or _is_at_home(learned, rules)
        if learned_first and more is not None:
            heard, heard_again = _Places(learned), _Places(more)
            rules = [span for span in rules if heard.under(span) or heard_again.under(span)]
        first, second = (learned, rules) if learned_first else (rules, learned)
        joined = [*sure, *first, *self._beside(first, second)]
        spans = resolve(doc, joined, precedence=partial(self._precedence, learned_first))
        again = repeats(doc.text, spans, self.language, family=self._family)
        return _trimmed(doc, resolve(doc, [*spans, *again]) if again else spans)

    def _is_name(self, span: Span) -> bool:
        return self._family(span.label) == "NAME"

    def _is_sure(self, span: Span) -> bool:
        return span.source in self.certain or span.source.startswith(_KNOWN)

    def _precedence(self, learned_first: bool, span: Span) -> int:
        if span.source in self.certain:
            return 3
        if span.source.startswith(_KNOWN):
            return 2
        is_learned = self.learned is not None and span.source == self.learned.name
        return int(is_learned == learned_first)

    def _beside(self, first: list[Span], second: list[Span]) -> list[Span]:
        """What the second may add to the first: what does not overlap it, and names."""
        places = _Places(first)
        added = []
        for span in second:
            under = places.under(span)
            if not under:
                added.append(span)
            elif self._is_name(span) and all(map(self._is_name, under)) and not self._weighs_rules:
                added.append(replace(span, label=under[0].label, part=under[0].part))
        return added


def _trimmed(doc: Document, spans: Spans) -> Spans:
    """The spans without white space at their ends, where a certain one has cut them off."""
    text = doc.text
    if not any(text[span.start].isspace() or text[span.end - 1].isspace() for span in spans):
        return spans
    trimmed = []
    for span in spans:
        inner = text[span.start : span.end].strip()
        if inner:
            start = text.index(inner, span.start)
            trimmed.append(replace(span, start=start, end=start + len(inner)))
    return Spans(doc, trimmed)


def _is_at_home(learned: list[Span], rules: list[Span]) -> bool:
    """Whether the model finds nearly all that the rules find."""
    places = _Places(learned)
    found = sum(1 for span in rules if places.under(span))
    return _FEWEST_TO_JUDGE <= len(rules) and len(rules) * _AT_HOME <= found


class _Places:
    """Disjoint spans, to be asked which of them lie under another span."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans = sorted(spans, key=lambda span: span.start)
        self._starts = [span.start for span in self._spans]

    def under(self, span: Span) -> list[Span]:
        first = max(0, bisect_right(self._starts, span.start) - 1)
        last = bisect_right(self._starts, span.end - 1)
        return [own for own in self._spans[first:last] if span.start < own.end]
