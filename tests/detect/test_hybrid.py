"""How rules, known patients and a model are joined."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from veil import Document, Span
from veil.detect.crf import LinearDetector
from veil.detect.hybrid import HybridDetector

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil import Record

TEXT = "aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj kkkk llll 12345 Marchetti Pozo"
WORDS = TEXT.split()


@dataclass
class Fixed:
    """A detector that finds what it is told: words of the text, with labels."""

    name: str
    words: dict[str, str]
    source: str = ""
    seen: list[str] = field(default_factory=list)

    def detect(self, doc: Document) -> list[Span]:
        found = []
        for words, label in self.words.items():
            start = doc.text.index(words)
            source = self.source or self.name
            found.append(Span(start, start + len(words), label, 0.9, source))
        return found

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [self.detect(doc) for doc in docs]


def joined(
    rules: dict[str, str],
    learned: dict[str, str],
    *,
    certain: dict[str, str] | None = None,
    known: dict[str, str] | None = None,
    text: str = TEXT,
) -> list[tuple[str, str]]:
    detector = HybridDetector(
        [
            Fixed("rules", rules, "rules:en/some"),
            Fixed("rules", certain or {}, "rules:en/sure"),
            Fixed("known", known or {}, "known:name"),
        ],
        language="en",
        learned=Fixed("model", learned),
        certain=frozenset({"rules:en/sure"}),
    )
    spans = detector.detect(Document("x", text))
    return [(text[span.start : span.end], span.label) for span in spans]


def dates(count: int) -> dict[str, str]:
    return dict.fromkeys(WORDS[:count], "DATE")


def test_both_are_united() -> None:
    """What only one of them finds is found."""
    assert joined({"aaaa": "DATE"}, {"bbbb": "AGE"}) == [("aaaa", "DATE"), ("bbbb", "AGE")]


def test_rules_come_first_where_the_model_is_not_at_home() -> None:
    """Where the model finds little of what the rules find, their labels and boundaries hold."""
    rules = {**dates(8), "iiii jjjj": "CITY"}
    assert joined(rules, {"jjjj kkkk": "HOSPITAL"})[-1] == ("iiii jjjj", "CITY")


def test_the_model_comes_first_where_it_is_at_home() -> None:
    """Where the model finds nearly all that the rules find, its labels and boundaries hold."""
    rules = {**dates(10), "kkkk llll": "CITY"}
    learned = {**dates(10), "llll": "HOSPITAL"}
    assert joined(rules, learned)[-1] == ("llll", "HOSPITAL")


def test_names_are_joined_under_the_label_that_comes_first() -> None:
    """Half a name is a leak: both halves become one span."""
    learned = {**dates(10), "Marchetti": "DOCTOR"}
    found = joined({**dates(10), "Marchetti Pozo": "PATIENT"}, learned)
    assert found[-1] == ("Marchetti Pozo", "DOCTOR")


def test_certain_rules_win_over_everything() -> None:
    """A span that reaches into a certain one keeps the rest only."""
    found = joined(dates(10), {**dates(10), "llll 12345": "PHONE"}, certain={"12345": "SSN"})
    assert found[-2:] == [("llll", "PHONE"), ("12345", "SSN")]


def test_what_is_known_wins_over_what_was_learnt() -> None:
    """The label of a known value holds even where the model is at home."""
    learned = {**dates(10), "Marchetti": "DOCTOR"}
    found = joined(dates(10), learned, known={"Marchetti": "PATIENT"})
    assert found[-1] == ("Marchetti", "PATIENT")


def test_what_was_found_once_is_found_everywhere() -> None:
    """A name of the model stands again at the end of the record."""
    text = "Seen by Marchetti. Plan by Marchetti."
    assert joined({}, {"Marchetti": "DOCTOR"}, text=text) == [("Marchetti", "DOCTOR")] * 2


def test_labels_are_those_of_the_model() -> None:
    """Rules speak Veil's labels, and are changed to the model's scheme."""
    detector = HybridDetector(
        [Fixed("rules", {"aaaa": "DATE"})],
        language="es",
        learned=Fixed("model", {"bbbb": "FECHAS"}),
        labels="meddocan",
    )
    assert [span.label for span in detector.detect(Document("x", TEXT))] == ["FECHAS"] * 2


def test_without_a_model_rules_stand_alone() -> None:
    """Overlapping rules are settled, and nothing else is needed."""
    detector = HybridDetector([Fixed("rules", {"aaaa": "DATE", "aaaa bbbb": "AGE"})], language="en")
    assert [span.label for span in detector.detect(Document("x", TEXT))] == ["AGE"]


@pytest.mark.parametrize("generous", [0.0, 3.0])
def test_a_model_is_asked_at_two_balances_at_once(
    generous: float, toy_detector: LinearDetector, toy_records: list[Record]
) -> None:
    """Tagging at two balances gives what tagging twice gives."""
    docs = [record.document for record in toy_records]
    found, more = toy_detector.detect_twice(docs, generous=generous)
    assert found == toy_detector.detect_many(docs)
    other = type(toy_detector)(toy_detector.model, outside=toy_detector.outside - generous)
    assert [[span.key for span in spans] for spans in more] == [
        [span.key for span in spans] for spans in other.detect_many(docs)
    ]


def test_a_model_is_asked_about_some_spans_only(
    toy_detector: LinearDetector, toy_records: list[Record]
) -> None:
    """At the lower balance it tells of the spans asked about in which it found nothing before."""
    docs = [record.document for record in toy_records]
    usual = toy_detector.detect_many(docs)
    silent = LinearDetector(toy_detector.model, outside=toy_detector.outside + 60)
    asked = [spans[:1] for spans in usual]
    found, told = silent.detect_twice(docs, generous=60.0, about=asked)
    assert not any(found)
    assert sum(map(len, asked)) <= sum(map(len, told)) < sum(map(len, usual))
    for wanted, spans in zip(asked, told, strict=True):
        assert {span.key for span in wanted} <= {span.key for span in spans}
    _, told = toy_detector.detect_twice(docs, generous=1.0, about=usual)
    assert not any(told)
