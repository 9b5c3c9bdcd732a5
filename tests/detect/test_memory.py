from __future__ import annotations

import pickle
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veil import Document, Span
from veil.core.document import Record, Spans
from veil.core.values import VALUE
from veil.detect import memory
from veil.detect.lists import AllowList
from veil.detect.memory import CorpusMemory, MemoryCounts, memory_of
from veil.detect.pipeline import DetectionPipeline

if TYPE_CHECKING:
    from collections.abc import Sequence

_MARKED = re.compile(r"<(\w+)>(.*?)</\1>")
THREE = ["Dr. <DOCTOR>Qvarnlund</DOCTOR> came."] * 3


def record(marked: str, *, language: str = "en", score: float = 0.99, source: str = "m") -> Record:
    """A record whose spans are marked in its text."""
    text, spans = "", []
    position = 0
    for match in _MARKED.finditer(marked):
        text += marked[position : match.start()]
        start = len(text)
        text += match[2]
        spans.append(Span(start, len(text), match[1], score, source))
        position = match.end()
    doc = Document("r", text + marked[position:], language)
    values = tuple(span for span in spans if span.label == VALUE)
    return Record(doc, Spans(doc, [span for span in spans if span not in values]), values=values)


def counted(records: Sequence[Record]) -> MemoryCounts:
    counts = MemoryCounts()
    for each in records:
        counts.add(each)
    return counts


def remember(*marked: str, language: str = "en") -> CorpusMemory:
    return memory_of(counted([record(each, language=language) for each in marked]))


def found(made: CorpusMemory, text: str, language: str = "en") -> list[tuple[str, str]]:
    return [
        (text[span.start : span.end], span.label)
        for span in made.detect(Document("d", text, language))
    ]


def test_a_name_that_is_certain_in_two_records_is_found_in_others() -> None:
    """In every case that a repeated name may have, with its genitive."""
    made = remember(*THREE[:2])
    for name in ("Qvarnlund", "QVARNLUND", "qvarnlund"):
        assert found(made, f"as per {name} today") == [(name, "DOCTOR")]
    assert found(made, "mötte Qvarnlunds fru", "sv") == []
    swedish = remember(*THREE[:2], language="sv")
    assert found(swedish, "mötte Qvarnlunds fru", "sv") == [("Qvarnlunds", "DOCTOR")]


def test_one_record_is_not_enough() -> None:
    """However many mentions there are in it."""
    made = remember("Dr. <DOCTOR>Qvarnlund</DOCTOR> and <DOCTOR>Qvarnlund</DOCTOR>")
    assert found(made, "per Qvarnlund") == []


@pytest.mark.parametrize(("score", "source"), [(0.9, "m"), (1.0, "repeats"), (1.0, "memory")])
def test_only_certain_spans_are_evidence(score: float, source: str) -> None:
    """Neither doubtful spans nor repetitions of others count."""
    records = [record(each, score=score, source=source) for each in THREE]
    assert found(memory_of(counted(records)), "per Qvarnlund") == []


def test_the_score_is_the_share_of_evidence() -> None:
    """Three records speak for the name, and one has it outside of spans."""
    made = remember(*THREE, "seen by qvarnlund")
    (span,) = made.detect(Document("d", "as per qvarnlund", "en"))
    assert span == Span(7, 16, "DOCTOR", 3 / 5, "memory")


def test_what_stands_outside_of_spans_too_often_is_forgotten() -> None:
    """Each spelling is judged by itself."""
    made = remember(*THREE, "qvarnlund 3 mg", "qvarnlund 4 mg")
    assert found(made, "qvarnlund 5 mg") == []
    assert found(made, "per Qvarnlund") == [("Qvarnlund", "DOCTOR")]


def test_frequent_words_need_more_evidence() -> None:
    """Young may be a name and is a word, which Qvarnlund is not."""
    name = "Dr. <DOCTOR>Young</DOCTOR> came."
    assert found(remember(name, name, name), "per Young") == [("Young", "DOCTOR")]
    assert found(remember(name, name, name, "Young man"), "per Young") == []
    assert found(remember(name, name, name), "a young man") == []


@pytest.mark.parametrize("word", ["May", "Monday", "Doctor", "Hospital", "Insulin"])
def test_the_stop_list_has_no_entries(word: str) -> None:
    """Months, weekdays, titles and clinical words are never entries."""
    made = remember(*[f"saw <DOCTOR>{word}</DOCTOR>"] * 5)
    assert found(made, f"the {word} again") == []


@pytest.mark.parametrize(
    ("unit", "is_found"), [("Lakeview General", True), ("Emergency Department", False)]
)
def test_units_of_ordinary_words_only_are_no_entries(unit: str, is_found: bool) -> None:
    made = remember(*[f"at <HOSPITAL>{unit}</HOSPITAL>."] * 3)
    assert bool(found(made, f"sent to {unit} today")) == is_found


def test_the_majority_decides_about_the_label() -> None:
    """Of labels in equally many records, the first in the alphabet."""
    doctor, patient = "<DOCTOR>Qvarnlund</DOCTOR>", "<PATIENT>Qvarnlund</PATIENT>"
    assert found(remember(doctor, patient, patient), "Qvarnlund") == [("Qvarnlund", "PATIENT")]
    assert found(remember(patient, doctor), "Qvarnlund") == [("Qvarnlund", "DOCTOR")]


def test_formats_of_numbers_are_entries() -> None:
    """Numbers of the same format are found, others and amounts are not."""
    made = remember("id <IDNUM>QX-123456</IDNUM>", "id <IDNUM>RB-654321</IDNUM>")
    assert found(made, "see ZZ-111111, ZZ-1111 and zz-111111") == [("ZZ-111111", "IDNUM")]
    made = remember(*["id <IDNUM>123.456</IDNUM>, id <IDNUM>123456</IDNUM>"] * 2)
    assert found(made, "platelets 143.000 or 143000") == []


def test_parts_of_compounds_are_no_mentions() -> None:
    """Charcot-Marie-Tooth is not about Marie; a genitive is."""
    made = remember(*["<PATIENT>Qvarnlund</PATIENT> slept."] * 2)
    assert found(made, "Charcot-Qvarnlund-Tooth disease") == []
    assert found(made, "Qvarnlund's wife") == [("Qvarnlund", "PATIENT")]


def test_the_longest_form_is_one_span() -> None:
    """A whole name is found as such, and its words alone."""
    made = remember(*["saw <PATIENT>Ilka Qvarnlund</PATIENT>."] * 2)
    assert found(made, "told Ilka Qvarnlund; Ilka slept") == [
        ("Ilka Qvarnlund", "PATIENT"),
        ("Ilka", "PATIENT"),
    ]


def test_japanese_names_stand_alone() -> None:
    """A name between particles or after an ordinary word is found, a part of a word is not."""
    made = remember(*["<DOCTOR>鵜養</DOCTOR>先生が診察。"] * 2, language="ja")
    assert found(made, "本日、鵜養に報告した。", "ja") == [("鵜養", "DOCTOR")]
    assert found(made, "抗菌薬は昨日鵜養が変更。", "ja") == [("鵜養", "DOCTOR")]
    assert found(made, "大鵜養川の近く", "ja") == []


def test_languages_are_apart() -> None:
    made = remember(*THREE)
    assert found(made, "por Qvarnlund", "es") == []


def test_nothing_is_found_inside_of_other_spans_and_values() -> None:
    """What others found stays as it is, clinical values too."""
    made = remember(*THREE)
    doc = Document("d", "Qvarnlund sign, Qvarnlund", "en")
    beside = made.detect_beside(doc, [Span(0, 14, VALUE)])
    assert [(span.start, span.end) for span in beside] == [(16, 25)]
    assert made.detect_beside(doc, [Span(0, 14, VALUE), Span(20, 25, "NAME")]) == []


def test_the_allow_list_holds() -> None:
    """A term that the user allows is not found by the memory either."""
    pipeline = DetectionPipeline([], language="en", allow=AllowList(["qvarnlund"]))
    pipeline.memory = remember(*THREE)
    assert not pipeline.detect(Document("d", "per Qvarnlund"))
    pipeline.allow = None
    assert len(pipeline.detect(Document("d", "per Qvarnlund"))) == 1


def test_no_text_is_shown() -> None:
    """Neither counts nor a memory show a name in their repr."""
    counts = counted([record(each) for each in THREE])
    assert "varnlund" not in f"{counts!r} {memory_of(counts)!r} {memory_of(counts).languages!r}"
    assert memory_of(counts).entry_counts() == {"DOCTOR": 1}
    assert memory_of(counts).evidence_counts() == {3: 1}


def test_the_counts_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same forms stay whatever the order of the records, with complete counts."""
    monkeypatch.setattr(memory, "_MOST_FORMS", 5)
    records = [
        record(f"Dr. <DOCTOR>{first}varn{last}und</DOCTOR>")
        for first in "QRSTWZ"
        for last in "lkbdfg"
        for _ in range(2)
    ]
    one, other = counted(records), counted(records[::-1])
    assert len(one.certain["word"]) < 10
    assert memory_of(one).languages == memory_of(other).languages
    assert memory_of(one).evidence_counts() == {2: 5}


_names = st.sampled_from(["Qvarnlund", "Young", "Rosa", "Ilka Qvarnlund", "QVARNLUND"])
_records = st.builds(
    lambda name, label, word, score: record(
        f"saw <{label}>{name}</{label}> with {word}, id <IDNUM>AB-12345</IDNUM>", score=score
    ),
    _names,
    st.sampled_from(["PATIENT", "DOCTOR", "HOSPITAL"]),
    st.sampled_from(["Qvarnlund", "young", "Rosa", "ROSA", "fever", "CD-54321"]),
    st.sampled_from([0.5, 0.99]),
)


@given(st.lists(_records, max_size=12), st.randoms(), st.integers(1, 4))
def test_order_and_split_of_records_do_not_matter(
    records: list[Record], rng: object, parts: int
) -> None:
    """The memory of a corpus is the same however its records come and are shared."""
    expected = memory_of(counted(records))
    shuffled = list(records)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    total = MemoryCounts()
    for part in range(parts):
        total.merge(pickle.loads(pickle.dumps(counted(shuffled[part::parts]))))  # noqa: S301
    made = memory_of(total)
    assert made.languages == expected.languages
    assert made.evidence_counts() == expected.evidence_counts()
