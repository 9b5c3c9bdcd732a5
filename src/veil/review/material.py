"""The records of a review: their texts and initial spans.

An audit pairs each masked record with its original. The two texts show what was masked
(`veil.review.align`); detectors with the settings of the run give the score and the source of each
span. An annotation starts from the annotations of the records, or from detected spans.
"""

from __future__ import annotations

import heapq
import zlib
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from itertools import islice, zip_longest
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.batches import in_batches
from veil.core.document import WHOLE, Record, Span, Spans
from veil.core.errors import InputError, RecordError, attempt
from veil.core.labels import VEIL, Converter, convert_to_veil, scheme
from veil.core.resolve import resolve
from veil.core.values import outside_values, split_values
from veil.detect.assembly import RULES
from veil.detect.why import parts_of
from veil.files.reading import Reader
from veil.files.schemes import with_known_scheme
from veil.io import find_format, record_of
from veil.masking.masker import Masker
from veil.masking.plan import Plan
from veil.render.highlight import span_family
from veil.replace.policy import load_policy, policies
from veil.replace.secret import Key
from veil.review.align import UNKNOWN, align

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from veil.core.document import Document
    from veil.core.labels import Scheme
    from veil.detect.assembly import DetectionOptions
    from veil.detect.pipeline import Outcome
    from veil.io.base import Item
    from veil.masking.audit import MaskedOutput

ANNOTATION, MODEL = "annotation", "model"
_LEAST_TO_READ = 200  # characters; shorter texts take as long to read
BETWEEN = "\n"
"""The separator of the texts of one record: the cells of a row, the elements of a resource."""


@dataclass(frozen=True, slots=True)
class Mark:
    """An initial span of a review; its offsets are in the text of the record."""

    id: str
    start: int
    end: int
    label: str
    score: float | None = None
    sources: tuple[str, ...] = ()
    disagreement: bool = False
    masked_start: int | None = None
    masked_end: int | None = None


@dataclass(frozen=True, slots=True)
class TextPart:
    """A document of a record: its id, and the position of its text in the record's text."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReviewText:
    """The texts of a record, compressed: all records of a review are kept in memory."""

    name: str
    parts: tuple[TextPart, ...]
    packed: bytes = field(repr=False)
    packed_masked: bytes | None = field(repr=False, default=None)

    @classmethod
    def of(cls, name: str, docs: Sequence[Document], masked: Sequence[str] | None) -> ReviewText:
        parts, at = [], 0
        for doc in docs:
            parts.append(TextPart(doc.id, at, at + len(doc.text)))
            at += len(doc.text) + len(BETWEEN)
        text = BETWEEN.join(doc.text for doc in docs)
        return cls(
            name,
            tuple(parts),
            _pack(text),
            None if masked is None else _pack(BETWEEN.join(masked)),
        )

    @property
    def original(self) -> str:
        return _unpack(self.packed)

    @property
    def masked(self) -> str | None:
        return None if self.packed_masked is None else _unpack(self.packed_masked)

    def part_of(self, start: int, end: int) -> TextPart | None:
        """The part that contains a range, if a single part does."""
        return next((part for part in self.parts if part.start <= start and end <= part.end), None)


@dataclass(frozen=True, slots=True)
class Analysed:
    """The result of detectors for a record: its language, its spans, and its value for training.

    `doubts` are pairs of an uncertainty and a hash of the mention; `missed` is the number of spans
    that a single detector finds where the record has none.
    """

    language: str | None
    marks: tuple[Mark, ...]
    doubts: tuple[tuple[float, bytes], ...] = ()
    missed: int = 0


def _pack(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 1)


def _unpack(data: bytes) -> str:
    return zlib.decompress(data).decode("utf-8", "surrogatepass")


@dataclass(frozen=True)
class PairedRecord:
    """A record to be audited: its documents, and their masked texts."""

    name: str
    documents: tuple[Document, ...]
    masked: tuple[str, ...]

    @property
    def text(self) -> ReviewText:
        return ReviewText.of(self.name, self.documents, self.masked)


def read_pairs(
    output: MaskedOutput, originals: Sequence[Path], key: Key | None = None
) -> Iterator[PairedRecord]:
    """Yield the records of masked output with their originals, in the order of the originals.

    Every file of the output needs its original, since a review covers the whole output.
    """
    plan = Plan(tuple(originals), output.folder, None if output.path.is_dir() else output.path.name)
    if output.report["rename"]:
        if key is None:
            raise InputError(
                f"{output.path}: files were renamed; give --key-file with the run's key"
            )
        plan = plan.renamed(key)
    withheld = defaultdict(set)
    for each in output.report["withheld"]:
        withheld[each["file"]].add(each["record"])
    written = set(output.files())
    for file in plan.files():
        if file.path not in written:
            continue
        written.remove(file.path)
        target = output.folder / file.path
        name = file.path.removesuffix(target.suffix)
        options = output.run_options
        left_out = withheld[file.path]
        before_items = (
            item
            for item in _items(file.source, options, file.record)
            if not any(doc.id in left_out for doc in item.documents)
        )
        pairs = zip_longest(before_items, _items(target, output.options, name))
        for number, (before, after) in enumerate(pairs, start=1):
            if before is None or after is None:
                raise InputError(
                    f"{target} and {file.source}: have different numbers of records; is this the "
                    "original of the masked output?"
                )
            pair = _paired(file.path, number, before, after)
            if pair is None:
                raise InputError(
                    f"{target} and {file.source}: record {number} has other parts in the original"
                )
            yield pair
    if written:
        raise InputError(
            f"{output.path}: {len(written):,} file(s) have no original, such as {min(written)}; "
            "give --original for everything that was masked"
        )


def _items(file: Path, options: Any, name: str) -> Iterator[Item]:
    """The items of a file with a text, without repeats."""
    if not file.stat().st_size:  # everything in it was withheld
        return
    for item in find_format(file).items(file, options, name=name):
        if not isinstance(item, RecordError) and item.documents and not item.repeat:
            yield item


def _paired(path: str, number: int, before: Item, after: Item) -> PairedRecord | None:
    docs, masked = before.documents, after.documents
    if len(docs) != len(masked):
        by_id = {doc.id: doc.text for doc in masked}
        if not all(doc.id in by_id for doc in docs):
            return None
        texts = tuple(by_id[doc.id] for doc in docs)
    else:
        texts = tuple(doc.text for doc in masked)
    alone = len(docs) == 1 and docs[0].id == str(Path(path).with_suffix(""))
    name = path if alone or not docs else f"{path}: {docs[0].id if len(docs) == 1 else number}"
    return PairedRecord(name, docs, texts)


class Detectors:
    """The detectors of a review: combined, and rules and model separately."""

    def __init__(self, options: DetectionOptions) -> None:
        self.pipeline = options.load(veil_labels=True)

    def alone(self, outcomes: Sequence[Outcome]) -> list[dict[str, list[Span]]]:
        """The spans of the rules alone and of the model alone, in documents of known language.

        Empty if only one of them is used.
        """
        found: list[dict[str, list[Span]]] = [{} for _ in outcomes]
        by_language: dict[str, list[tuple[int, Document]]] = {}
        for index, outcome in enumerate(outcomes):
            if not isinstance(outcome, RecordError) and WHOLE not in outcome.document.meta:
                doc = outcome.document
                by_language.setdefault(doc.language or "", []).append((index, doc))
        for code, members in by_language.items():
            docs = [doc for _, doc in members]
            results = attempt("comparing detectors", partial(self._apart, code, docs))
            if not isinstance(results, RecordError):
                for (index, _), result in zip(members, results, strict=False):
                    found[index] = result
        return found

    def _apart(self, code: str, docs: Sequence[Document]) -> list[dict[str, list[Span]]]:
        linear, rules, labels = parts_of(self.pipeline, code)
        if linear is None or rules is None:
            return []
        by_rules = rules.detect_many(docs)
        # The rules are features of the model, so they need not run again.
        by_model, *_ = linear.detect_twice(
            docs, generous=0.0, about=[[] for _ in docs], rule_spans=by_rules
        )
        found = []
        for doc, of_rules, of_model in zip(docs, by_rules, by_model, strict=True):
            identifiers = outside_values(*split_values(of_rules))
            in_veil = convert_to_veil(doc, of_model, scheme(labels or VEIL))
            found.append({RULES: list(resolve(doc, identifiers)), MODEL: in_veil})
        return found


def audited(
    pairs: Iterable[PairedRecord], output: MaskedOutput, detectors: Detectors
) -> Iterator[tuple[PairedRecord, Analysed]]:
    """Yield each record with its masked spans."""
    name = output.report["policy"]["name"]
    policy = load_policy(name if name in policies() else "tag")
    key = Key(bytes.fromhex(output.report["seal"]["digest"]))
    masker = Masker(detectors.pipeline, policy, key=key, rescan=output.report["rescan"])
    for batch in in_batches(pairs, lambda pair: sum(len(doc.text) for doc in pair.documents)):
        docs = [doc for pair in batch for doc in pair.documents]
        outcomes = masker.mask_batch(docs)
        records: list[Outcome] = [
            each
            if isinstance(each, RecordError)
            else record_of(replace(doc, language=each.document.language))
            for doc, each in zip(docs, outcomes, strict=True)
        ]
        left = iter(zip(docs, outcomes, records, detectors.alone(records), strict=True))
        for pair in batch:
            yield pair, _audited(pair, list(islice(left, len(pair.documents))))


def _audited(pair: PairedRecord, found: Sequence[tuple[Any, ...]]) -> Analysed:
    marks: list[Mark] = []
    doubts: list[tuple[float, bytes]] = []
    language, missed = None, 0
    at = masked_at = 0
    for (doc, outcome, record, alone), masked in zip(found, pair.masked, strict=True):
        edits = () if isinstance(outcome, RecordError) else outcome.edits
        if not isinstance(record, RecordError):
            language = language or record.document.language
        spans = [Span(each.start, each.end, each.label, each.score, each.source) for each in edits]
        places = align(doc.text, masked, spans)
        if places is None:
            raise InputError(f"{pair.name}: is not the masked text of its original")
        for place in places:
            span = place.span
            own = span or Span(place.start, place.end, UNKNOWN)
            beside = own.at(place.start, place.end)
            sources, disagrees = _sources(beside, alone, span.source if span else "")
            marks.append(
                Mark(
                    f"s{len(marks) + 1}",
                    at + place.start,
                    at + place.end,
                    own.label,
                    round(span.score, 4) if span else None,
                    sources,
                    disagrees,
                    masked_at + place.masked_start,
                    masked_at + place.masked_end,
                )
            )
            if span:
                doubts.append(_doubt(doc, beside))
        covered = [(place.start, place.end) for place in places]
        if not isinstance(outcome, RecordError):  # spans that the policy keeps were not missed
            covered += [(span.start, span.end) for span in outcome.kept]
        missed += _missed(alone, covered)
        at += len(doc.text) + len(BETWEEN)
        masked_at += len(masked) + len(BETWEEN)
    return Analysed(language, tuple(marks), tuple(doubts), missed)


def _doubt(doc: Document, span: Span) -> tuple[float, bytes]:
    mention = doc.text[span.start : span.end].casefold().encode("utf-8", "surrogatepass")
    return 1.0 - span.score, blake2b(mention, digest_size=8).digest()


def _sources(
    span: Span, alone: Mapping[str, Sequence[Span]], source: str
) -> tuple[tuple[str, ...], bool]:
    """The detectors that found a span, and whether rules and model disagree about it.

    Rules find few names, so a span of the model alone is not a disagreement.
    """
    found = {
        name: [each for each in spans if each.start < span.end and span.start < each.end]
        for name, spans in alone.items()
    }
    names = [name for name in (MODEL, RULES) if found.get(name)]
    kind = source.partition(":")[0]
    if kind and kind not in names and not (kind.startswith("veil-") and MODEL in names):
        names.append(MODEL if kind.startswith("veil-") else kind)
    disagrees = any(
        span_family(each) != span_family(span) or (each.start, each.end) != (span.start, span.end)
        for spans in found.values()
        for each in spans
    ) or (MODEL in found and bool(found.get(RULES)) and not found[MODEL])
    return tuple(names), disagrees


def _missed(alone: Mapping[str, Sequence[Span]], covered: Sequence[tuple[int, int]]) -> int:
    """The number of spans of a single detector that touch no span of the record."""
    return sum(
        not any(start < span.end and span.start < end for start, end in covered)
        for spans in alone.values()
        for span in spans
    )


@dataclass
class AnnotationSource:
    """Records to be annotated: their paths, reading options and labels."""

    path: Path
    reading: Mapping[str, Any]
    problems: list[RecordError] = field(default_factory=list)
    labels: Scheme = field(default_factory=lambda: scheme(VEIL))
    is_annotated: bool = False

    def read(self) -> Iterator[tuple[ReviewText, Any]]:
        """Yield each text and its record."""
        reader = Reader(self.reading)
        records, guessed = with_known_scheme(reader.read(self.path))
        self.is_annotated = guessed is not None
        if guessed is not None:
            self.labels = guessed
        for record in records:
            yield ReviewText.of(record.id, [record.document], None), record
        self.problems = reader.log.problems


def annotated(
    source: AnnotationSource, detectors: Detectors
) -> Iterator[tuple[ReviewText, Analysed]]:
    """Yield each record with its annotations or, if no record has any, with detected spans."""
    for batch in in_batches(source.read(), lambda pair: len(pair[1].document.text)):
        converter = Converter(scheme(VEIL), source.labels)
        docs = [record.document for _, record in batch]
        outcomes = detectors.pipeline.detect_batch(docs)
        alone = detectors.alone(outcomes)
        for (text, record), outcome, single in zip(batch, outcomes, alone, strict=True):
            doc, detected = record.document, []
            if not isinstance(outcome, RecordError):
                doc = outcome.document
                single = {
                    name: list(converter.convert_record(Record(doc, Spans(doc, spans))).spans)
                    for name, spans in single.items()
                }
                detected = list(converter.convert_record(outcome).spans)
            begun = list(record.spans) if source.is_annotated else detected
            yield text, _annotated(doc, begun, detected, single, given=source.is_annotated)


def _annotated(
    doc: Document,
    begun: Sequence[Span],
    detected: Sequence[Span],
    alone: Mapping[str, Sequence[Span]],
    *,
    given: bool,
) -> Analysed:
    marks = []
    doubts = []
    by_key = {(span.start, span.end): span for span in detected}
    for number, span in enumerate(begun, start=1):
        same = by_key.get((span.start, span.end))
        sources, disagrees = _sources(span, alone, same.source if same else "")
        if given:
            sources = (ANNOTATION, *sources)
            disagrees = same is None or span_family(same) != span_family(span)
        score = round(same.score, 4) if same and same.label == span.label else None
        marks.append(
            Mark(f"s{number}", span.start, span.end, span.label, score, sources, disagrees)
        )
    for span in detected:
        doubts.append(_doubt(doc, span))
    missed = _missed(
        {**alone, "all": detected} if given else alone, [(span.start, span.end) for span in begun]
    )
    return Analysed(doc.language, tuple(marks), tuple(doubts), missed)


def learning_order(records: Sequence[tuple[int, Sequence[tuple[float, bytes]]]]) -> list[int]:
    """The order of records by value for training: different uncertain mentions in short texts.

    `records` are the length and the doubts of each. The weight of a mention is halved for each
    earlier record that has it; the length is the cost of reading.
    """
    seen: dict[bytes, int] = defaultdict(int)

    def value(index: int) -> float:
        length, doubts = records[index]
        gain = sum(doubt * float(0.5 ** seen[mention]) for doubt, mention in doubts)
        return gain / sqrt(max(_LEAST_TO_READ, length))

    heap = [(-value(index), index) for index in range(len(records))]
    heapq.heapify(heap)
    order = []
    while heap:
        _, index = heapq.heappop(heap)
        # Values only decrease as records are chosen: one that is still the highest is the best.
        now = -value(index)
        if heap and heap[0] < (now, index):
            heapq.heappush(heap, (now, index))
            continue
        order.append(index)
        for _, mention in records[index][1]:
            seen[mention] += 1
    return order
