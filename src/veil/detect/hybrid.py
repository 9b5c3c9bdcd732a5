"""Rules, known patients and a learned model together.

All spans carry Veil's labels: the spans of the model are converted first. The spans are joined in
the following way; `resolve` then settles remaining overlaps.

0. Inside a **clinical value** (`veil.core.values`) only certain rules and the table of known
   patients find anything. The values are returned with the spans.
1. **Certain** rules win: a number with a valid checksum, a mail address. A span that reaches into
   one keeps the rest; the model decides what kind of number it is. **Known** patients come next.
2. A model that has the rules as a feature, as Veil's own do, always comes before them. Other models
   are reliable on records like those that they were trained on. Such a model is **in domain** in a
   record if it finds nine tenths of what the rules find; there its spans come before the rules',
   and elsewhere the rules' spans come first.
3. Where a span of one overlaps one of the other, the boundaries and label of the one that comes
   first are used. A span that only the other has is added: a missed identifier is worse than an
   unnecessary mask. Names are the exception: both spans are joined under the label that comes
   first, since half a name is a leak; but a model with the rules as a feature has already used the
   longer name.
4. Of two labels of one family the more specific is used (CITY, not LOCATION), whichever comes
   first. Where the model's scheme has one label for both (FAX and PHONE), the rule decides.
5. Where the model comes first, the absence of a span counts, but only for labels that it was
   trained on: a rule's span with such a label is dropped if the model finds nothing in it, even at
   a lower threshold. In a **line of values** low probabilities count too: a name or a number
   without anything certain beside it is dropped, unless its probability exceeds a limit that rises
   with the number of values around it, is higher for eponyms and lower after a title.
6. Two halves of a name, place or profession at a **line break** are joined, and a date, an age or a
   phone number is extended across it if the rules find a longer one when both lines are joined.
7. What was found once is found everywhere in the record (see `veil.detect.repeats`), and a name has
   one type throughout, unless the model is nearly certain of another one somewhere.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import Document, Span, Spans
from veil.core.labels import VEIL, Converter, convert_to_veil, family, has_types, scheme
from veil.core.resolve import resolve
from veil.core.values import DOUBT, outside_values, split_values
from veil.detect.crf import LinearDetector
from veil.detect.extents import as_the_guideline_wants, joined_at_line_breaks
from veil.detect.linear.calibration import calibrated, log_odds
from veil.detect.repeats import repeats
from veil.detect.rules import RuleDetector
from veil.detect.rules.clinical import are_eponyms, begins_as_person, stands_as_person
from veil.languages import has_spaces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from veil.detect.base import Detector
    from veil.detect.linear.calibration import Calibration

    Found = list[list[Span]]
    FoundOrNot = list[list[Span]] | list[None]

REACH = 100
"""Rules and linear models depend on at most this number of characters around a token."""

_KNOWN = "known:"
_START, _KEY = attrgetter("start"), attrgetter("start", "end", "label")
# A model is in domain if it finds this share of the rules' spans, when there are at least so many.
_IN_DOMAIN = 0.9
_FEWEST_TO_JUDGE = 8
_CACHE_SIZE = 1 << 14
_NAMES_KEPT = 1 << 12
# How much lower the threshold is at which a model that finds nothing overrules a rule.
_GENEROUS = 2.0
# Policies keep times and states. A rule's TIME may contain a day, and its STATE may be a small
# region: if the model finds only a date or a place, these labels do not replace its own.
_NOT_REFINING = frozenset({"TIME", "STATE"})
_PEOPLE = ("PATIENT", "DOCTOR", "RELATIVE")
_SURE_OF_TYPE = 0.95
# How many values on each side of a span are counted, how far away they may be, and the log-odds
# below which a span among so many values is taken for a value. They were chosen on the development
# notes and on lines of clinical values.
_MOST_VALUES = 3
_FEWEST_VALUES = 2
_NEAR_VALUES = 80
_DOUBTFUL = 0.9
_ODDS_WITHOUT_VALUES = -3.0
# A fraction is a value more often than a word is, an eponym too; what a title precedes seldom is.
_MORE_FOR_NUMBERS = 0.6
_ODDS_OF_PEOPLE, _ODDS_OF_EPONYMS = 1.0, 2.0
# No span above these log-odds is taken for a value.
_HIGHEST_ODDS = max(_ODDS_WITHOUT_VALUES + 2 * _MOST_VALUES + _MORE_FOR_NUMBERS, _ODDS_OF_EPONYMS)
_LIKE_VALUES = frozenset({"NAME", "LOCATION", "ID", "DATE", "AGE"})
_NUMBERS = re.compile(r"[\d/.,:–-]+|[IVX]+")
# A line that was wrapped because it was full, and how much of both lines the rules read.
_LINE_BREAK = re.compile(r"[ \t]*\r?\n[ \t]*(?=\w)(?!\d+[.)][ ])")
_FULL_LINE = 40
_AROUND_BREAK = 40
_BROKEN = frozenset({"DATE", "AGE", "CONTACT"})
# Two letters at least: initials match too many names.
_WORD = re.compile(r"[^\W\d_][\w'’-]+")
# The labels of certain rules for a number of unknown kind.
_ANY_NUMBER = ("ID", "IDNUM")


class HybridDetector:
    """Joins what several detectors find into disjoint spans.

    The spans of `learned` have the labels of the scheme `labels`; those of all others have Veil's.
    `certain` are the sources of rules that are never wrong.
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
        # Other models may read the whole text, or other texts.
        is_near_sighted = learned is None or isinstance(learned, LinearDetector)
        self.reach = REACH if is_near_sighted else None
        self._weighs_rules = isinstance(learned, LinearDetector) and learned.weighs_rules
        self._of_model = scheme(labels)
        self._to_model = Converter(scheme(VEIL), self._of_model)
        self._calibration = (
            learned.model.settings.joined if isinstance(learned, LinearDetector) else {}
        )
        self._rules = next((other for other in others if isinstance(other, RuleDetector)), None)
        # The keys are label and part, or label and labels of the model if these depend on the text.
        self._counterparts: dict[tuple[str, object], _Counterpart] = {}
        self._ranks: dict[str, int] = {}
        self._calibrations: dict[tuple[str, str], Calibration | None] = {}
        self._by_text: dict[tuple[tuple[str, object], str], _Counterpart] = {}
        self._trained_on = frozenset(
            learned.model.tagset.labels
            if isinstance(learned, LinearDetector)
            else self._of_model.labels
        )

    def detect(self, doc: Document) -> list[Span]:
        return self.detect_many([doc])[0]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        by_others = [other.detect_many(docs) for other in self.others]
        by_rules = [
            found
            for other, found in zip(self.others, by_others, strict=True)
            if isinstance(other, RuleDetector)
        ]
        sure: Found = []
        rules: list[_Rules] = []
        values: Found = []
        for doc, *others in zip(docs, *by_others, strict=True):
            certain: list[Span] = []
            unsure: list[Span] = []
            by_detectors = [span for found in others for span in found]
            identifiers, own_values = split_values(sorted(by_detectors, key=_KEY))
            for span in identifiers:
                (certain if self._rank_of(span.source) else unsure).append(span)
            unsure = outside_values(unsure, own_values)
            sure.append(certain)
            rules.append(_Rules(unsure, [self._counterpart(doc, span) for span in unsure]))
            values.append(own_values)
        learned, more, doubts = self._learned(docs, rules, by_rules[0] if by_rules else None)
        by_doc = zip(docs, sure, rules, learned, more, values, strict=True)
        settled = [self._settle(*of_doc) for of_doc in by_doc]
        candidates = zip(settled, learned, rules, doubts, values, strict=True)
        return [
            [*spans, *own_values, *_doubts(spans, [*of_model, *of_rules.spans, *words], own_values)]
            for spans, of_model, of_rules, words, own_values in candidates
        ]

    def _counterpart(self, doc: Document, span: Span) -> _Counterpart:
        """The model's labels for a span of the rules; most do not depend on the text."""
        kind = span.label, span.part
        found = self._counterparts.get(kind)
        if found is not None:
            return found
        text = doc.text[span.start : span.end]
        found = self._by_text.get((kind, text))
        if found is None:
            found = self._made_counterpart(doc, span)
            if _CACHE_SIZE <= len(self._by_text):
                self._by_text.clear()
            self._by_text[kind, text] = found
        return found

    def _made_counterpart(self, doc: Document, span: Span) -> _Counterpart:
        labels = self._trained_on & self._to_model.labels(doc, span)
        found = self._counterparts.get((span.label, labels))
        if found is None:
            # The model was not trained on a label for which its scheme has only an approximation.
            is_judged = bool(labels) and self._of_model.covers(span.label)
            found = _Counterpart(labels, is_judged, self._may_refine(span.label, labels))
            is_fixed = not self._to_model.depends_on_text(span)
            self._counterparts[span.label, span.part if is_fixed else labels] = found
        return found

    def _learned(
        self, docs: Sequence[Document], rules: list[_Rules], rule_spans: Found | None
    ) -> tuple[Found, FoundOrNot, Found]:
        """The model's spans, its spans at a lower threshold, and the doubtful words.

        For a model without a threshold the second value is None for each document.
        """
        # Without probabilities every word is doubtful.
        all_of_it = [[Span(0, len(doc.text), DOUBT)] if doc.text else [] for doc in docs]
        if isinstance(self.learned, LinearDetector):
            # If the rules are a feature of the model, they are not run a second time.
            found, more, doubts = self.learned.detect_twice(
                docs,
                generous=_GENEROUS,
                about=[of_doc.judged for of_doc in rules],
                rule_spans=rule_spans,
            )
            return found, more, doubts if self._weighs_rules else all_of_it
        found = self.learned.detect_many(docs) if self.learned else [[] for _ in docs]
        return found, [None] * len(docs), all_of_it

    def _settle(
        self,
        doc: Document,
        sure: list[Span],
        rules: _Rules,
        learned: list[Span],
        more: list[Span] | None,
        values: list[Span],
    ) -> Spans:
        index = _SpanIndex(outside_values(learned, values))
        under = [index.under(span) for span in rules.spans]
        learned_first = self._weighs_rules or _is_in_domain(rules, under)
        in_veil = self._in_veil(doc, index.spans, rules, under)
        if learned_first:
            first, second = in_veil, rules.spans
            if more is not None:
                second, under = _unless_silent(rules, under, _SpanIndex(more))
        else:
            first, second = _with_types(rules.spans, _SpanIndex(in_veil)), in_veil
            index = _SpanIndex(first)
            first = index.spans
            under = [index.under(span) for span in second]
        sure = _with_kinds(sure, in_veil)
        joined = [*sure, *first, *self._beside(first, second, under)]
        spans = resolve(doc, joined, precedence=partial(self._precedence, learned_first))
        if learned_first and values:
            spans = self._outside_lines_of_values(doc, spans, values)
        spans = self._over_line_breaks(doc, spans)
        again = outside_values(repeats(doc.text, spans, self.language), values)
        if again:
            spans = resolve(doc, [*spans, *again])
        return _of_one_type(doc, self._calibrated(doc, as_the_guideline_wants(doc, spans)))

    def _outside_lines_of_values(self, doc: Document, spans: Spans, values: list[Span]) -> Spans:
        """The spans without those that are taken for values because values surround them."""
        scores = [1.0 if self._rank_of(span.source) else self._score(span) for span in spans]
        certain = [
            span.start for span, score in zip(spans, scores, strict=True) if _DOUBTFUL <= score
        ]
        kept = [
            span
            for span, score in zip(spans, scores, strict=True)
            if score == 1.0 or not self._is_value(doc, span, score, values, certain)
        ]
        return spans if len(kept) == len(spans) else Spans.in_order(doc, kept)

    def _is_value(
        self, doc: Document, span: Span, score: float, values: list[Span], certain: list[int]
    ) -> bool:
        """Whether a span in a line of values, without anything certain beside it, is one of them.

        `certain` are the offsets of the spans that are certainly not values.
        """
        text, kind = doc.text, family(span.label)
        is_learned = self.learned is not None and span.source == self.learned.name
        if is_learned and _HIGHEST_ODDS <= log_odds(score):
            return False
        if kind not in _LIKE_VALUES or not self._counterpart(doc, span).is_judged:
            return False
        first = max(text.rfind("\n", 0, span.start) + 1, span.start - _NEAR_VALUES)
        stop = text.find("\n", span.end, span.end + _NEAR_VALUES)
        last = stop if 0 <= stop else span.end + _NEAR_VALUES
        before = bisect_left(values, span.start, key=_START) - bisect_left(
            values, first, key=_START
        )
        after = bisect_left(values, last, key=_START) - bisect_left(values, span.end, key=_START)
        around = min(before, _MOST_VALUES) + min(after, _MOST_VALUES)
        is_name = kind in ("NAME", "LOCATION")
        is_eponym = is_name and are_eponyms(self.language, text, span.start, span.end)
        fewest = 1 if is_eponym or (is_name and not is_learned) else _FEWEST_VALUES
        if around < fewest:
            return False
        beside = certain[bisect_left(certain, first) : bisect_left(certain, last)]
        if any(start != span.start for start in beside):
            return False
        is_number = kind in ("DATE", "AGE")
        is_like_value = before and after and _NUMBERS.fullmatch(text, span.start, span.end)
        if is_number and not is_like_value:  # the date of a finding follows it
            return False
        if is_name and stands_as_person(self.language, text, span.start, span.end):
            return False
        if not is_learned:  # the model found nothing there
            return True
        limit = _ODDS_WITHOUT_VALUES + around
        if is_number:
            limit += _MORE_FOR_NUMBERS
        elif is_name and begins_as_person(self.language, text, span.start):
            limit = min(limit, _ODDS_OF_PEOPLE)
        elif is_eponym:
            limit = max(limit, _ODDS_OF_EPONYMS)
        return log_odds(score) < limit

    def _over_line_breaks(self, doc: Document, spans: Spans) -> Spans:
        """Join and extend spans at the break of a full line."""
        if "\n" not in doc.text:
            return spans
        spans = joined_at_line_breaks(doc, spans)
        if self._rules is None:
            return spans
        longer = []
        for span in spans:
            if family(span.label) not in _BROKEN:
                continue
            for line_break in _breaks_beside(doc.text, span):
                found = self._longer(self._rules, doc.text, span, line_break)
                if found and all(span is other or not _overlap(found, other) for other in spans):
                    longer.append(found)
        return resolve(doc, [*spans, *longer]) if longer else spans

    def _longer(
        self, rules: RuleDetector, text: str, span: Span, line_break: re.Match[str]
    ) -> Span | None:
        """The span that the rules find across the break if its lines are joined, or None."""
        first = max(text.rfind("\n", 0, line_break.start()) + 1, span.start - _AROUND_BREAK)
        stop = text.find("\n", line_break.end())
        last = min(stop if 0 <= stop else len(text), span.end + _AROUND_BREAK)
        before = text[first : line_break.start()]
        joint = " " if has_spaces(self.language) else ""
        after = len(before) + len(joint)
        joined = before + joint + text[line_break.end() : last]
        for hit in rules.detect(Document("", joined)):
            start, end = first + hit.start, line_break.end() + hit.end - after
            is_over_break = hit.start < len(before) and after < hit.end
            is_same = family(hit.label) == family(span.label) and _overlap(span, hit.at(start, end))
            if is_over_break and is_same:
                return span.at(min(start, span.start), max(end, span.end))
        return None

    def _calibrated(self, doc: Document, spans: Spans) -> Spans:
        """The spans with calibrated scores; certain spans keep theirs.

        Without calibration by development records, the scores are those of the detectors.
        """
        if not self._calibration:
            return spans
        return Spans.in_order(
            doc,
            [
                span if self._rank_of(span.source) else span.scored(self._score(span))
                for span in spans
            ],
        )

    def _score(self, span: Span) -> float:
        kind = span.source, span.label
        if kind not in self._calibrations:
            own = self._calibration.get(span.source.partition(":")[0])
            self._calibrations[kind] = own or self._calibration.get(family(span.label))
        calibration = self._calibrations[kind]
        return calibrated(span.score, calibration) if calibration else span.score

    def _in_veil(
        self, doc: Document, learned: list[Span], rules: _Rules, under: Sequence[range]
    ) -> list[Span]:
        """The model's spans in Veil's labels, as specific as the rules around them.

        `under` are the indexes of the model's spans that each span of the rules overlaps.
        """
        refined: dict[int, str] = {}
        for rule, counterpart, indexes in zip(rules.spans, rules.counterparts, under, strict=True):
            if not counterpart.may_refine:
                continue
            for index in indexes:
                span = learned[index]
                is_inside = rule.start <= span.start and span.end <= rule.end
                if is_inside and span.label in counterpart.labels:
                    refined.setdefault(index, rule.label)
        in_veil = convert_to_veil(doc, learned, self._of_model)
        for index, label in refined.items():
            in_veil[index] = in_veil[index].labelled(label, in_veil[index].part)
        return in_veil

    def _may_refine(self, label: str, in_scheme: frozenset[str]) -> bool:
        """Whether a rule's label may be more specific than the model's labels for such spans."""
        to_veil = self._of_model.to_veil
        return (
            any(to_veil[each].partition(":")[0] != label for each in in_scheme)
            and label not in _NOT_REFINING
            and not has_types(label)
        )

    def _rank_of(self, source: str) -> int:
        """Return the precedence of a source that is never wrong, 0 for any other."""
        rank = self._ranks.get(source)
        if rank is None:
            rank = 3 if source in self.certain else 2 if source.startswith(_KNOWN) else 0
            self._ranks[source] = rank
        return rank

    def _precedence(self, learned_first: bool, span: Span) -> int:
        is_learned = self.learned is not None and span.source == self.learned.name
        return self._rank_of(span.source) or int(is_learned == learned_first)

    def _beside(
        self, first: list[Span], second: list[Span], under: Sequence[range]
    ) -> Iterator[Span]:
        """What the second may add to the first: spans that do not overlap it, and names.

        `under` are the indexes of the first that each of the second overlaps.
        """
        for span, indexes in zip(second, under, strict=True):
            if not indexes:
                yield span
            elif not self._weighs_rules and _is_name(span):
                names = [first[index] for index in indexes]
                if all(map(_is_name, names)):
                    yield span.labelled(names[0].label, names[0].part)


def _doubts(spans: Spans, candidates: Iterable[Span], values: list[Span]) -> list[Span]:
    """Candidates outside values that overlap none of the final spans, as doubts."""
    index = _SpanIndex(spans)
    left = (span for span in candidates if not index.under(span))
    return [Span(span.start, span.end, DOUBT) for span in outside_values(left, values)]


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _breaks_beside(text: str, span: Span) -> Iterator[re.Match[str]]:
    """The line breaks directly before and after a span that follow a full line."""
    first = max(0, span.start - _FULL_LINE)
    before = first + len(text[first : span.start].rstrip())
    for offset in (before, span.end) if before < span.start else (span.end,):
        found = _LINE_BREAK.match(text, offset)
        if found and _FULL_LINE <= found.start() - text.rfind("\n", 0, found.start()):
            yield found


class _Counterpart(NamedTuple):
    """The labels of the model, among those that it was trained on, for a span of the rules.

    `is_judged` says whether the model's silence counts, `may_refine` whether the rule's label may
    be more specific than the model's.
    """

    labels: frozenset[str]
    is_judged: bool
    may_refine: bool


@dataclass(frozen=True, slots=True)
class _Rules:
    """The spans of the rules in a document, each with its counterpart."""

    spans: list[Span]
    counterparts: list[_Counterpart]

    @property
    def judged(self) -> list[Span]:
        """The spans of labels that the model was trained on."""
        pairs = zip(self.spans, self.counterparts, strict=True)
        return [span for span, counterpart in pairs if counterpart.is_judged]


def _unless_silent(
    rules: _Rules, under: Sequence[range], generous: _SpanIndex
) -> tuple[list[Span], list[range]]:
    """The spans of the rules in which the model finds something, or that it cannot judge.

    `under` are the indexes of the model's spans that each overlaps, `generous` the model's spans at
    a lower threshold.
    """
    kept = [
        (span, indexes)
        for span, counterpart, indexes in zip(rules.spans, rules.counterparts, under, strict=True)
        if indexes or not counterpart.is_judged or generous.under(span)
    ]
    return [span for span, _ in kept], [indexes for _, indexes in kept]


def _with_kinds(sure: list[Span], learned: list[Span]) -> list[Span]:
    """Give certain numbers of unknown kind the kind that the model finds."""
    if all(span.label not in _ANY_NUMBER for span in sure):
        return sure
    kinds = {(span.start, span.end): span for span in learned if family(span.label) == "ID"}
    named = []
    for span in sure:
        kind = kinds.get((span.start, span.end)) if span.label in _ANY_NUMBER else None
        named.append(span.labelled(kind.label, kind.part) if kind else span)
    return named


def _is_name(span: Span) -> bool:
    return family(span.label) == "NAME"


def _with_types(spans: list[Span], others: _SpanIndex) -> list[Span]:
    """Give spans that have only a family the types of the spans in the other set."""
    return [
        next(
            (
                span.labelled(other.label, span.part)
                for other in (others.spans_under(span) if has_types(span.label) else ())
                if family(other.label) == span.label
            ),
            span,
        )
        for span in spans
    ]


def _of_one_type(doc: Document, spans: Spans) -> Spans:
    """Give all mentions of a name in a record one type: PATIENT throughout.

    The type with the highest sum of scores is chosen, over the mentions that contain all words of a
    name ("Rossi", "Dr. Ana Rossi"). A mention whose own type is nearly certain keeps it: a doctor
    may have the same name as the patient.
    """
    # Indexed by each of their words: a record may name thousands of people.
    mentions: dict[str, list[tuple[frozenset[str], Span]]] = {}
    for span in spans:
        if span.label in _PEOPLE:
            words = _name_words(doc.text[span.start : span.end])
            for word in words:
                mentions.setdefault(word, []).append((words, span))
    if not mentions:
        return spans
    sums_of: dict[frozenset[str], dict[str, float]] = {}
    typed = []
    for span in spans:
        is_open = span.label == "NAME" or (span.label in _PEOPLE and span.score < _SURE_OF_TYPE)
        words = _name_words(doc.text[span.start : span.end]) if is_open else frozenset()
        if words:
            if words not in sums_of:
                sums_of[words] = _sums_of_types(words, mentions)
            sums, own = sums_of[words], span.label
            best = max(sums, key=lambda label: (sums[label], label == own), default="")
            if best not in ("", own) and (own != "NAME" or len(sums) == 1):
                span = span.labelled(best, span.part)
        typed.append(span)
    return Spans.in_order(doc, typed)


def _sums_of_types(
    words: frozenset[str], mentions: Mapping[str, list[tuple[frozenset[str], Span]]]
) -> dict[str, float]:
    """The sum of scores of each type, over the mentions that contain all of the words."""
    sums: dict[str, float] = {}
    for others, other in min((mentions.get(word, []) for word in words), key=len):
        if words <= others:
            sums[other.label] = sums.get(other.label, 0.0) + other.score
    return sums


@lru_cache(_NAMES_KEPT)
def _name_words(name: str) -> frozenset[str]:
    """The words of a name in the form used for comparison: without case and genitive."""
    return frozenset(word.removesuffix("s").rstrip("'’") for word in _WORD.findall(name.casefold()))


def _is_in_domain(rules: _Rules, under: Sequence[range]) -> bool:
    """Whether the model finds nearly all that the rules find."""
    pairs = zip(rules.counterparts, under, strict=True)
    found = [bool(indexes) for counterpart, indexes in pairs if counterpart.is_judged]
    return _FEWEST_TO_JUDGE <= len(found) and len(found) * _IN_DOMAIN <= sum(found)


class _SpanIndex:
    """Disjoint spans in order, with a search for those that overlap another span."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self.spans = sorted(spans, key=_START)
        self._starts = [span.start for span in self.spans]

    def under(self, span: Span) -> range:
        """The indexes of the spans that overlap another."""
        first = bisect_right(self._starts, span.start)
        if first and span.start < self.spans[first - 1].end:
            first -= 1
        return range(first, bisect_left(self._starts, span.end, first))

    def spans_under(self, span: Span) -> list[Span]:
        return [self.spans[index] for index in self.under(span)]
