"""The memory of a corpus: what is certain in some records is found in all others.

A name that follows "Dr." in three records may have no such context in a fourth. aramaki-2006 lets
the majority of a corpus decide what a word is, and carlsson-2010 learns names from the records
themselves. This module does both for a corpus of any size, in two passes:

1. `MemoryCounts` counts, for each name, unit and number format, the records in which it is certain
   (the *evidence*), and for each word and number format the records in which it occurs outside of
   all spans (the evidence *against* it).
2. `memory_of` makes a `CorpusMemory` of the forms with enough evidence. It finds all mentions that
   no other detector has found.

The counts are sums over records. They do not depend on the order of the records, nor on how these
are distributed among processes, and their size is limited, however many records there are.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple
from zlib import crc32

from veil.core.document import Record, Span
from veil.core.labels import family
from veil.core.patterns import compile_pattern
from veil.core.search import Strings
from veil.detect import repeats
from veil.languages import base_language, has_spaces, language
from veil.lexicons import Mark, is_ordinary, word_marks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from veil.core.document import Document, Part
    from veil.detect.pipeline import DetectionPipeline

SOURCE = "memory"
CERTAIN = 0.95
"""A span with at least this score is certain."""
FEWEST_RECORDS = 2
"""The number of records in which a form must be certain."""

Kind = Literal["word", "whole", "format"]
Label = tuple[str, "Part | None"]
Form = tuple[str, str]
"""A language, and a word of a name, a whole name or unit, or the format of a number."""

# How many times as many records must be evidence for a form as against it. Some records against it
# contain mentions that were missed, which the memory should find. The higher factor is for forms
# that are often not names: frequent words (Rosa de Bengala), short words in capitals (ANA) and
# formats of numbers, which lab values may share.
_PLAIN, _DOUBTFUL = 3, 5
_LONGEST_ACRONYM = 5
_UNITS = frozenset({"HOSPITAL", "DEPARTMENT", "ORGANIZATION"})
_SHORTEST_UNIT = 3
_LONGEST = 80
# Letters and digits, half or full width, in groups.
_ALPHANUMERIC = "0-9A-Za-z０-９Ａ-Ｚａ-ｚ"
_NUMBER = compile_pattern(
    rf"(?<![{_ALPHANUMERIC}])[{_ALPHANUMERIC}]+(?:[-/.:‐－][{_ALPHANUMERIC}]+)*"
)
_SHORTEST_NUMBER, _FEWEST_DIGITS, _LONGEST_NUMBER = 6, 4, 32
_SHORTEST_PLAIN_NUMBER = 8
# The maximum number of forms of each kind, and the number of counters of words outside of spans.
_MOST_FORMS = 1 << 18
_COUNTERS = 1 << 20
# Only whole words are counted: "Marie" in "Charcot-Marie-Tooth" is not one.
_HYPHENS = "-\u2010\u2011"
_NO_WORD_BEFORE = rf"(?<!\w)(?<!\w[{_HYPHENS}])"
_IN_COMPOUND = compile_pattern(rf"[{_HYPHENS}]\w")


def _counter(code: str, word: str) -> int:
    """The index of a word's counter; words that share one have their counts added up."""
    return crc32(f"{code}\0{word}".encode(errors="replace")) % _COUNTERS


@dataclass
class MemoryCounts:
    """What a corpus says about forms: sums over its records.

    `certain` counts, for each form, the records with each label; `outside` counts the records in
    which words occur outside of all spans. It contains text of records: it must not be written to
    disk.
    """

    certain: dict[Kind, dict[Form, Counter[Label]]] = field(default_factory=dict, repr=False)
    outside: Counter[int] = field(default_factory=Counter, repr=False)

    def add(self, record: Record) -> None:
        """Count the forms of a record, each of them once."""
        doc = record.document
        if not doc.language:
            return
        code = base_language(doc.language)
        found: dict[tuple[Kind, str], Label] = {}
        for span in record.spans:
            if CERTAIN <= span.score and span.source not in (repeats.SOURCE, SOURCE):
                for each in _forms(doc.text[span.start : span.end], span.label, code):
                    found.setdefault(each, (span.label, span.part))
        for (kind, form), label in found.items():
            self._count(kind, (code, form), Counter({label: 1}))
        taken = sorted((*record.spans, *record.values), key=lambda span: span.start)
        free = repeats.without_spans(doc.text, _disjoint(taken))
        self.outside.update({_counter(code, word) for word in _words(free, code)})
        self.outside.update({_counter(code, each) for _, _, each in _number_formats(free)})

    def merge(self, other: MemoryCounts) -> None:
        """Add the counts of other records."""
        for kind, forms in other.certain.items():
            for form, labels in forms.items():
                self._count(kind, form, labels)
        self.outside.update(other.outside)

    def _count(self, kind: Kind, form: Form, labels: Counter[Label]) -> None:
        forms = self.certain.setdefault(kind, {})
        forms.setdefault(form, Counter()).update(labels)
        if 2 * _MOST_FORMS <= len(forms):
            self.certain[kind] = _limited(forms)


def _limited(forms: dict[Form, Counter[Label]]) -> dict[Form, Counter[Label]]:
    """The forms of the lowest hashes, at most `_MOST_FORMS`.

    A form that was dropped can never be among the final ones, so that the counts of those that are
    kept are complete, whatever the order of the records.
    """
    if len(forms) <= _MOST_FORMS:
        return forms
    lowest = sorted(forms, key=lambda form: (crc32("\0".join(form).encode(errors="replace")), form))
    return {form: forms[form] for form in lowest[:_MOST_FORMS]}


def _disjoint(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, without what an earlier one covers."""
    left: list[Span] = []
    position = 0
    for span in spans:
        if position < span.end:
            left.append(span.at(max(position, span.start), span.end))
            position = span.end
    return left


def _forms(text: str, label: str, code: str) -> Iterator[tuple[Kind, str]]:
    """The forms for which a span with this text is evidence."""
    if _LONGEST < len(text):
        return
    kind = family(label)
    if kind == "NAME":
        yield from _name_forms(text, code)
    elif label in _UNITS and _SHORTEST_UNIT <= len(text) and not _is_ordinary(text, code):
        yield "whole", text
    elif kind == "ID":
        formats = [each for start, end, each in _number_formats(text) if end - start == len(text)]
        yield from (("format", each) for each in formats)


def _name_forms(text: str, code: str) -> Iterator[tuple[Kind, str]]:
    if has_spaces(code):
        if any(map(str.isdigit, text)):
            return
        words = repeats.WORD.findall(text)
        alone = [word for word in words if repeats.is_name_alone(word, code)]
        # A form that other records may use.
        yield from (("word", word.capitalize() if word.isupper() else word) for word in alone)
    else:
        words = [part for part in repeats.BETWEEN_PARTS.split(text) if 2 <= len(part)]
        stopped = repeats.NO_NAME_ALONE
        alone = [word for word in words if not word_marks(code)(word) & stopped]
        yield from (("word", word) for word in alone)
    if 1 < len(words) and alone:
        yield "whole", text


def _is_ordinary(text: str, code: str) -> bool:
    """Whether a text consists of ordinary, clinical and similar words only."""
    words = repeats.WORD.findall(text) if has_spaces(code) else [text]
    return all(
        is_ordinary(code)(word) or word_marks(code)(word) & repeats.NO_NAME_ALONE for word in words
    )


def _words(text: str, code: str) -> Iterable[str]:
    """The words of a text in the form in which they are counted outside of spans."""
    if has_spaces(code):
        return repeats.WORD.findall(text)
    tokens = (text[start:end] for start, end in language(code).tokens(text))
    return (token for token in tokens if token.isalpha())


def _number_formats(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the bounds of possible identifying numbers, and their format: AB-1234, AA-9999."""
    for match in _NUMBER.finditer(text):
        number = match[0]
        if not _SHORTEST_NUMBER <= len(number) <= _LONGEST_NUMBER:
            continue
        each = "".join(map(_format_of, number))
        if _FEWEST_DIGITS <= each.count("9") and not _is_amount(each):
            yield *match.span(), each


def _is_amount(number_format: str) -> bool:
    """Whether numbers of a format may be amounts: 394000, 100.000 or 1234.56."""
    is_plain = number_format.strip("9") == "" and len(number_format) < _SHORTEST_PLAIN_NUMBER
    return is_plain or set(number_format) == {"9", "."}


def _format_of(character: str) -> str:
    if character.isdigit():
        return "9"
    if character.isalpha():
        return "A" if character.isupper() else "a"
    return character


class Entry(NamedTuple):
    """The label of a form; `evidence` and `against` are numbers of records."""

    label: str
    part: Part | None
    evidence: int
    against: int

    @property
    def score(self) -> float:
        return self.evidence / (self.evidence + self.against + 1)


@dataclass(frozen=True)
class Entries:
    """The entries of a language: forms as they occur in texts, and formats of numbers."""

    forms: dict[str, Entry] = field(default_factory=dict, repr=False)
    formats: dict[str, Entry] = field(default_factory=dict, repr=False)


def memory_of(counts: MemoryCounts) -> CorpusMemory:
    """Make the memory of all forms with enough evidence."""
    # Of two forms with the same spelling, the one with more evidence is used.
    enough = [
        (kind, form, labels)
        for kind, forms in counts.certain.items()
        for form, labels in _limited(forms).items()
        if FEWEST_RECORDS <= labels.total()
    ]
    enough.sort(key=lambda each: (-each[2].total(), each[1], each[0]))
    languages: dict[str, Entries] = {}
    counted: list[Entry] = []
    for kind, (code, text), labels in enough:
        entries = languages.setdefault(code, Entries())
        chosen = entries.formats if kind == "format" else entries.forms
        label, part = min(labels, key=lambda each: (-labels[each], each[0], each[1] or ""))
        evidence = labels.total()
        spellings: dict[str, Entry] = {}
        for form in _written(kind, text, code):
            against = _against(counts, kind, form, code)
            if form not in chosen and _factor(kind, form, code) * against <= evidence:
                spellings[form] = Entry(label, part, evidence, against)
        chosen.update(spellings)
        counted += list(spellings.values())[:1]
    return CorpusMemory(languages, counted)


def memory_counter(
    load: Callable[[], DetectionPipeline],
) -> Callable[[list[Document]], MemoryCounts]:
    """Load a pipeline, and return a function that counts what it finds in documents."""
    pipeline = load()

    def count(docs: list[Document]) -> MemoryCounts:
        counts = MemoryCounts()
        for outcome in pipeline.detect_batch(docs):
            if isinstance(outcome, Record):
                counts.add(outcome)
        return counts

    return count


def load_with_memory(
    load: Callable[[], DetectionPipeline], memory: CorpusMemory
) -> DetectionPipeline:
    """Load a pipeline, and add a memory to it."""
    pipeline = load()
    pipeline.memory = memory
    return pipeline


def _written(kind: Kind, text: str, code: str) -> Sequence[str]:
    """The spellings of a form in texts."""
    is_word = kind == "word" and has_spaces(code)
    return repeats.case_forms(text, code) if is_word else (text,)


def _against(counts: MemoryCounts, kind: Kind, form: str, code: str) -> int:
    """An upper bound for the records with a form outside of spans: those with its rarest word."""
    words = [form] if kind == "format" else list(_words(form, code))
    return min((counts.outside[_counter(code, word)] for word in words), default=0)


def _factor(kind: Kind, form: str, code: str) -> int:
    if kind == "format":
        return _DOUBTFUL
    is_acronym = form.isupper() and len(form) <= _LONGEST_ACRONYM
    is_word = word_marks(code)(form) & Mark.COMMON.value or is_ordinary(code)(form)
    return _DOUBTFUL if kind == "word" and (is_acronym or is_word) else _PLAIN


class CorpusMemory:
    """Finds what is certain elsewhere in the corpus.

    `counted` has one entry for all spellings of a form. A memory contains text of records: it must
    not be written to disk.
    """

    name = SOURCE

    def __init__(self, languages: Mapping[str, Entries], counted: Sequence[Entry] = ()) -> None:
        self.languages = dict(languages)
        self._counted = tuple(counted)
        lengths = (len(form) for each in languages.values() for form in each.forms)
        self.reach = max(lengths, default=0) + _LONGEST_NUMBER

    def __repr__(self) -> str:
        return f"CorpusMemory({len(self._counted)} entries)"

    def entry_counts(self) -> dict[str, int]:
        """The number of entries by label."""
        return dict(sorted(Counter(entry.label for entry in self._counted).items()))

    def evidence_counts(self) -> dict[int, int]:
        """The number of entries by the number of records in which they are certain."""
        return dict(sorted(Counter(entry.evidence for entry in self._counted).items()))

    def detect(self, doc: Document) -> list[Span]:
        return self.detect_beside(doc, [])

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [self.detect(doc) for doc in docs]

    def detect_beside(self, doc: Document, found: Iterable[Span]) -> list[Span]:
        """Find mentions outside of all spans of other detectors, including clinical values."""
        code = base_language(doc.language) if doc.language else ""
        entries = self.languages.get(code)
        if entries is None:
            return []
        taken = _disjoint(sorted(found, key=lambda span: span.start))
        more = [
            _span(start, end, entries.forms[form])
            for start, end, form in repeats.mentions_outside(
                doc.text, taken, code, self._searches[code].find
            )
            if not _IN_COMPOUND.match(doc.text, end)
        ]
        if not has_spaces(code):
            more += self._after_words(doc.text, [*taken, *more], code)
        for start, end, each in _number_formats(repeats.without_spans(doc.text, [*taken, *more])):
            if each in entries.formats:
                more.append(_span(start, end, entries.formats[each]))
        return more

    def _after_words(self, text: str, taken: Sequence[Span], code: str) -> Iterator[Span]:
        """Yield forms that follow an ordinary word or a span without a space: 昨日鵜養が."""
        free = repeats.without_spans(text, taken)
        hits = list(self._searches[code].find(free))
        if not hits:
            return
        words = {end: free[start:end] for start, end in language(code).tokens(free)}
        spans = {span.end for span in taken}
        position = 0
        for start, form in hits:
            end = start + len(form)
            if (
                position <= start
                and (start in spans or is_ordinary(code)(words.get(start, "")))
                and repeats.ends_name(text, end, code)
            ):
                yield _span(start, end, self.languages[code].forms[form])
                position = end

    @cached_property
    def _searches(self) -> dict[str, Strings]:
        return {
            code: Strings(each.forms, before=_NO_WORD_BEFORE if has_spaces(code) else "")
            for code, each in self.languages.items()
        }


def _span(start: int, end: int, entry: Entry) -> Span:
    return Span(start, end, entry.label, entry.score, SOURCE, entry.part)
