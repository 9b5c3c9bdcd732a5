"""Scores: i2b2 2014, MEDDOCAN, by label and family, of PHI against the rest, of names.

The i2b2 scores follow Stubbs, Kotfila and Uzuner 2015 and the track's public script
(github.com/kotfic/i2b2_evaluation_scripts); the MEDDOCAN scores follow Marimon et al. 2019 and the
official script (github.com/PlanTL-GOB-ES/MEDDOCAN-Evaluation-Script).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from veil.core.labels import family_in
from veil.evaluate.match import (
    Counts,
    Pair,
    Scores,
    count_common,
    count_extents,
    count_relaxed,
    count_strict,
    count_token_extents,
    count_tokens,
    ratio,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from veil.core.document import Document, Span
    from veil.core.labels import Scheme

    SentenceCounts = Mapping[str, int] | Callable[[Document], int]


# Veil's labels carry the names of the i2b2 types. IDNUM is not here: the script means to count it,
# but its pattern for it ends in a blank and never matches, and published HIPAA scores lack it.
HIPAA_TYPES = frozenset(
    {"PATIENT", "CITY", "STREET", "ZIP", "ORGANIZATION", "DATE", "AGE", "PHONE", "FAX", "EMAIL"}
    | {"SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID"}
)

_WHOLLY_HIPAA = ("AGE", "DATE")


@dataclass(frozen=True, slots=True)
class LevelScores:
    """The three levels of the script."""

    strict: Scores
    relaxed: Scores
    token: Scores


@dataclass(frozen=True, slots=True)
class TwoLevelScores:
    """The two levels of the script's binary scores and scores by element."""

    strict: Scores
    token: Scores


@dataclass(frozen=True, slots=True)
class ElementScores:
    """The annotations of one XML element (NAME, LOCATION ...), their types compared."""

    element: str
    all: TwoLevelScores
    hipaa: TwoLevelScores


@dataclass(frozen=True, slots=True)
class I2b2Scores:
    """All scores of the script; HIPAA and elements only if the label scheme is known.

    `binary` ignores types.
    """

    all: LevelScores
    hipaa: LevelScores | None
    binary: TwoLevelScores
    binary_hipaa: TwoLevelScores | None
    elements: tuple[ElementScores, ...]


def score_i2b2(pairs: Sequence[Pair], *, scheme: Scheme | None = None) -> I2b2Scores:
    """Score as the i2b2 2014 script."""
    hipaa = [pair.only(lambda label: is_hipaa(label, scheme)) for pair in pairs] if scheme else None
    return I2b2Scores(
        all=_levels(pairs),
        hipaa=None if hipaa is None else _levels(hipaa),
        binary=_binary(pairs),
        binary_hipaa=None if hipaa is None else _binary(hipaa),
        elements=() if hipaa is None else _elements(pairs, hipaa, scheme),
    )


def is_hipaa(label: str, scheme: Scheme) -> bool:
    """Whether a label is of a HIPAA type; one that names a whole family (NAME, ID) is of none.

    As in the script, types are in capitals, except those of all dates and ages.
    """
    veil_label = scheme.to_veil.get(label, "").partition(":")[0]
    return veil_label in HIPAA_TYPES or _element(label, scheme) in _WHOLLY_HIPAA


def _element(label: str, scheme: Scheme | None) -> str | None:
    """The XML element of a type, ignoring case."""
    return family_in(label, scheme) or family_in(label.upper(), scheme)


def _levels(pairs: Sequence[Pair]) -> LevelScores:
    exact = _two_levels(pairs)
    return LevelScores(
        strict=exact.strict,
        relaxed=Scores.of([count_relaxed(pair) for pair in _without_case(pairs)]),
        token=exact.token,
    )


def _two_levels(pairs: Sequence[Pair]) -> TwoLevelScores:
    return TwoLevelScores(
        strict=Scores.of([count_strict(pair) for pair in _without_case(pairs)]),
        token=Scores.of([count_tokens(pair) for pair in pairs]),
    )


def _without_case(pairs: Sequence[Pair]) -> Iterator[Pair]:
    # The script compares the types of annotations without regard to case, those of tokens with it.
    return (pair.relabelled(str.upper) for pair in pairs)


def _binary(pairs: Sequence[Pair]) -> TwoLevelScores:
    return TwoLevelScores(
        strict=Scores.of([count_extents(pair) for pair in pairs]),
        token=Scores.of([count_token_extents(pair) for pair in pairs]),
    )


def _elements(
    pairs: Sequence[Pair], hipaa: Sequence[Pair], scheme: Scheme | None
) -> tuple[ElementScores, ...]:
    labels_of: defaultdict[str, set[str]] = defaultdict(set)
    for label in {span.label for pair in pairs for span in (*pair.gold, *pair.predicted)}:
        element = _element(label, scheme)
        if element:
            labels_of[element].add(label)
    return tuple(
        ElementScores(
            element,
            _two_levels([pair.only(labels.__contains__) for pair in pairs]),
            _two_levels([pair.only(labels.__contains__) for pair in hipaa]),
        )
        for element, labels in sorted(labels_of.items())
    )


Extent = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MeddocanScores:
    """Subtask 1, and subtask 2 in its two modes.

    `leak` is false negatives of subtask 1 a sentence; None where a document's sentences are not
    known (the script prints NA).
    """

    subtask1: Scores
    leak: float | None
    subtask2_strict: Scores
    subtask2_merged: Scores


def score_meddocan(
    pairs: Sequence[Pair], *, sentences: SentenceCounts | None = None
) -> MeddocanScores:
    """Score as the MEDDOCAN script; `sentences` maps an id to its count, or counts a document's."""
    subtask1 = Scores.of([count_strict(pair) for pair in pairs])
    counts = [_sentence_count(pair.document, sentences) for pair in pairs]
    known = [count for count in counts if count is not None]
    return MeddocanScores(
        subtask1=subtask1,
        leak=ratio(subtask1.micro.fn, sum(known)) if len(known) == len(counts) else None,
        subtask2_strict=Scores.of([count_extents(pair) for pair in pairs]),
        subtask2_merged=Scores.of([count_merged(pair) for pair in pairs]),
    )


def _sentence_count(doc: Document, sentences: SentenceCounts | None) -> int | None:
    if sentences is None:
        return None
    return sentences.get(doc.id) if isinstance(sentences, Mapping) else sentences(doc)


def count_merged(pair: Pair) -> Counts:
    """Count extents, including those that match after joining neighbours.

    A joined extent that both sides share is one true positive, regardless of its number of
    annotations.
    """
    gold = {(span.start, span.end) for span in pair.gold}
    predicted = {(span.start, span.end) for span in pair.predicted}
    text = pair.document.text
    shared = gold & predicted | merge(text, pair.gold) & merge(text, pair.predicted)
    return Counts(
        len(shared),
        sum(not _is_inside(extent, shared) for extent in predicted - gold),
        sum(not _is_inside(extent, shared) for extent in gold - predicted),
    )


def merge(text: str, spans: Iterable[Span]) -> set[Extent]:
    """Join annotations with no alphanumeric character between them.

    As in the script, a joined extent ends where its last annotation ends, even if an earlier one
    reaches further.
    """
    merged: list[Extent] = []
    for start, end in sorted((span.start, span.end) for span in spans):
        if merged and not any(map(str.isalnum, text[merged[-1][1] : start])):
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return set(merged)


def _is_inside(extent: Extent, containers: Iterable[Extent]) -> bool:
    return any(start <= extent[0] and extent[1] <= end for start, end in containers)


@dataclass(frozen=True, slots=True)
class LabelScores:
    """The scores of one label or family; `support` is its number of gold annotations."""

    label: str
    support: int
    strict: Counts
    relaxed: Counts
    token: Counts


@dataclass(frozen=True, slots=True)
class TwoWayScores:
    """PHI or not, the label ignored (aramaki-2006, table 4), by annotation and by token."""

    instance: Counts
    token: Counts


@dataclass(frozen=True, slots=True)
class NameScores:
    """First names, last names and both together (carlsson-2010, figures 1 to 3)."""

    first: Counts
    last: Counts
    total: Counts


def score_labels(pairs: Sequence[Pair]) -> tuple[LabelScores, ...]:
    """Score each label that occurs, sorted by name.

    The strict column is MedNLP's score by tag and, with the token column, table 5 of aramaki-2006.
    """
    by_label: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        for label, part in _split_by_label(pair).items():
            by_label[label].append(part)
    return tuple(
        LabelScores(
            label,
            sum(len({span.key for span in pair.gold}) for pair in parts),
            *(
                sum(map(count, parts), Counts())
                for count in (count_strict, count_relaxed, count_tokens)
            ),
        )
        for label, parts in sorted(by_label.items())
    )


def _split_by_label(pair: Pair) -> dict[str, Pair]:
    gold: defaultdict[str, list[Span]] = defaultdict(list)
    predicted: defaultdict[str, list[Span]] = defaultdict(list)
    for span in pair.gold:
        gold[span.label].append(span)
    for span in pair.predicted:
        predicted[span.label].append(span)
    return {
        label: Pair(pair.document, tuple(gold[label]), tuple(predicted[label]))
        for label in {**gold, **predicted}
    }


def score_families(pairs: Sequence[Pair], *, scheme: Scheme | None) -> tuple[LabelScores, ...]:
    """Score each family: a doctor's name labelled as a patient's counts as a name found.

    wi-deid-2015, table 4, "Overall": the types of a family are combined as instances of it.
    """

    def as_families(spans: Sequence[Span]) -> tuple[Span, ...]:
        families = ((span, family_in(span.label, scheme)) for span in spans)
        return tuple(replace(span, label=family) for span, family in families if family)

    return score_labels(
        [Pair(pair.document, as_families(pair.gold), as_families(pair.predicted)) for pair in pairs]
    )


def score_two_way(pairs: Sequence[Pair]) -> TwoWayScores:
    """Score PHI against the rest."""
    return TwoWayScores(
        sum(map(count_extents, pairs), Counts()),
        sum(map(count_token_extents, pairs), Counts()),
    )


def score_names(pairs: Sequence[Pair], *, scheme: Scheme | None = None) -> NameScores | None:
    """Score first and last names, or return None where neither side tells them apart."""

    def count(part: str) -> Counts:
        def extents(spans: Sequence[Span]) -> set[Hashable]:
            return {(span.start, span.end) for span in spans if _name_part(span, scheme) == part}

        return sum(
            (count_common(extents(pair.gold), extents(pair.predicted)) for pair in pairs), Counts()
        )

    first, last = count("first"), count("last")
    total = first + last
    return NameScores(first, last, total) if total != Counts() else None


def _name_part(span: Span, scheme: Scheme | None) -> str | None:
    if span.part is not None:
        return span.part
    mapped = scheme.to_veil.get(span.label, "").partition(":")[2] if scheme else ""
    return mapped or {"FIRST_NAME": "first", "LAST_NAME": "last"}.get(span.label)
