"""How rules, known patients and a model are joined."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from veil import Document, Span
from veil.core.values import DOUBT
from veil.detect.crf import LinearDetector
from veil.detect.hybrid import HybridDetector
from veil.detect.rules import RuleDetector

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


def test_nothing_is_found_in_clinical_values() -> None:
    """Neither rules nor the model find anything in one, nor is a name repeated there."""
    rules = {"cccc dddd": "VALUE", "dddd": "DATE", "bbbb cccc": "CITY"}
    assert joined(rules, {"cccc": "PATIENT"}) == [("bbbb cccc", "CITY"), ("cccc dddd", "VALUE")]
    text = "Dr. Marchetti removed the Marchetti drain."
    found = joined({"Marchetti drain": "VALUE"}, {"Marchetti": "DOCTOR"}, text=text)
    assert found == [("Marchetti", "DOCTOR"), ("Marchetti drain", "VALUE")]


def test_certain_and_known_spans_are_found_in_clinical_values() -> None:
    """A number with a valid checksum and a known name are identifiers wherever they stand."""
    found = joined({"12345 Marchetti": "VALUE"}, {}, certain={"12345": "SSN"})
    assert found == [("12345", "SSN"), ("12345 Marchetti", "VALUE")]
    found = joined({"12345 Marchetti": "VALUE"}, {}, known={"Marchetti": "PATIENT"})
    assert found == [("Marchetti", "PATIENT"), ("12345 Marchetti", "VALUE")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Opererades för höftfraktur med halvprotes 9\ndecember. Frisk.", "9\ndecember"),
        ("Opererades för höftfraktur med halvprotes 9\n  december.", "9\n  december"),
        ("Halvprotes 9\ndecember. Frisk.", "december"),
    ],
)
def test_a_date_is_extended_over_the_break_of_a_full_line(text: str, expected: str) -> None:
    """The day at the end of a full line belongs to the month on the next; short lines are lists."""
    model = Fixed("model", {"december": "DATE"})
    detector = HybridDetector([RuleDetector("sv")], language="sv", learned=model)
    (span,) = [span for span in detector.detect(Document("x", text)) if span.label == "DATE"]
    assert text[span.start : span.end] == expected


LINE = "BP 120/80, Hb 132, NIHSS 7, Rankin 3/6, Na 134, K 4.1, EF 55"
VALUES = ("BP 120/80", "Hb 132", "NIHSS 7", "Na 134", "K 4.1", "EF 55")


def found_in_line(text: str, words: str, label: str, score: float, *others: Span) -> bool:
    """Whether a model that weighs the rules finds words in a line with the values."""

    class Scored(Fixed):
        def detect(self, doc: Document) -> list[Span]:
            start = doc.text.index(words)
            return [Span(start, start + len(words), label, score, "model"), *others]

    present = {value: "VALUE" for value in VALUES if value in text}
    detector = HybridDetector(
        [Fixed("rules", present, "rules:en/value")], language="en", learned=Scored("model", {})
    )
    detector._weighs_rules = True
    spans = detector.detect(Document("x", text))
    return (words, label) in [(text[span.start : span.end], span.label) for span in spans]


@pytest.mark.parametrize(
    ("words", "label", "score", "expected"),
    [
        ("3/6", "DATE", 0.8, False),
        ("3/6", "DATE", 0.99, True),
        ("Rankin", "DOCTOR", 0.8, False),
        ("Rankin", "DOCTOR", 0.99, True),
        ("Rankin 3/6", "PROFESSION", 0.5, True),
        ("Okonkwo", "DOCTOR", 0.8, False),
        ("Okonkwo", "DOCTOR", 0.99, True),
    ],
)
def test_doubtful_names_and_numbers_between_values_are_values(
    words: str, label: str, score: float, expected: bool
) -> None:
    """A fraction or a name between values is an identifier only if the model is sure of it."""
    line = LINE.replace("Na 134", "Okonkwo, Na 134") if words == "Okonkwo" else LINE
    assert found_in_line(line, words, label, score) == expected


@pytest.mark.parametrize(
    ("text", "score", "expected"),
    [
        ("NIHSS 7; Rankin pending", 0.8, False),
        ("NIHSS 7; Rankin pending", 0.99, True),
        ("NIHSS 7; Dr Rankin pending", 0.8, True),
        ("NIHSS 7; Okonkwo pending", 0.5, True),
        ("scale pending; Rankin pending", 0.5, True),
    ],
)
def test_one_value_is_enough_for_a_doubtful_eponym(text: str, score: float, expected: bool) -> None:
    """Beside a value, a doubtful eponym is a value, unless a title precedes it."""
    name = "Okonkwo" if "Okonkwo" in text else "Rankin"
    assert found_in_line(text, name, "DOCTOR", score) == expected


@pytest.mark.parametrize(
    ("text", "words", "label"),
    [
        ("BP 120/80, seen by Rankin 3/6, Na 134, K 4.1", "Rankin", "DOCTOR"),
        ("BP 120/80, Hb 132, Okonkwo called, Na 134, K 4.1", "Okonkwo", "DOCTOR"),
        ("BP 120/80, Hb 132 Friday, Na 134, K 4.1", "Friday", "DATE"),
        ("BP 120/80, Hb 132, NIHSS 7 (3/6)", "3/6", "DATE"),
        ("BP 120/80,\nRankin\nNa 134, K 4.1", "Rankin", "DOCTOR"),
    ],
)
def test_what_may_identify_somebody_is_found_between_values(
    text: str, words: str, label: str
) -> None:
    """Who calls, words for days and the day after a finding are no values, nor other lines."""
    assert found_in_line(text, words, label, 0.6)


def test_a_certain_span_beside_it_makes_a_line_of_values_a_record_of_somebody() -> None:
    """Beside a certain date, a doubtful span between values is found."""
    text = f"3/4/2021 {LINE}"
    day = Span(0, len("3/4/2021"), "DATE", 0.99, "model")
    assert found_in_line(text, "Rankin", "DOCTOR", 0.8, day)


def test_what_was_found_once_is_found_everywhere() -> None:
    """A name of the model stands again at the end of the record."""
    text = "Seen by Marchetti. Plan by Marchetti."
    assert joined({}, {"Marchetti": "DOCTOR"}, text=text) == [("Marchetti", "DOCTOR")] * 2


def spans_of(
    rules: dict[str, str], learned: dict[str, str], *, labels: str
) -> list[tuple[str, str]]:
    """What rules and a model of another scheme find together."""
    detector = HybridDetector(
        [Fixed("rules", rules)],
        language="es",
        learned=Fixed("model", {**dict.fromkeys(WORDS[:8], "AGE"), **learned}),
        labels=labels,
    )
    spans = detector.detect(Document("x", TEXT))
    return [(TEXT[span.start : span.end], span.label) for span in spans][8:]


def test_labels_are_veils_whatever_the_scheme_of_the_model() -> None:
    """The spans of the model are converted to Veil's labels, those of the rules stay."""
    found = spans_of({"iiii": "DATE"}, {"jjjj": "FECHAS"}, labels="meddocan")
    assert found == [("iiii", "DATE"), ("jjjj", "DATE")]


def test_labels_outside_the_scheme_of_the_model_stay() -> None:
    """A rule's label that the model's scheme lacks is neither changed nor dropped."""
    found = spans_of({"iiii": "PROFESSION", "jjjj": "URL"}, {}, labels="stockholm")
    assert found == [("iiii", "PROFESSION"), ("jjjj", "URL")]


def test_a_model_label_outside_its_scheme_is_not_dropped() -> None:
    """A span of a model is kept; if its label is unknown, it becomes OTHER."""
    assert spans_of({}, {"iiii": "NO_SUCH"}, labels="stockholm") == [("iiii", "OTHER")]


@pytest.mark.parametrize(
    ("rule", "learned", "expected"),
    [
        ("CITY", "LOCATION", "CITY"),
        ("LOCATION", "LOCATION", "LOCATION"),
        ("FAX", "PHONE", "FAX"),
        ("URL", "PHONE", "URL"),
        ("MEDICALRECORD", "ID", "MEDICALRECORD"),
        ("DEPARTMENT", "HEALTH_CARE_UNIT", "DEPARTMENT"),
        ("CITY", "HEALTH_CARE_UNIT", "HOSPITAL"),
        ("STATE", "LOCATION", "LOCATION"),
    ],
)
def test_the_more_specific_label_wins(rule: str, learned: str, expected: str) -> None:
    """A rule refines a label of the model's scheme that stands for several of Veil's."""
    rules = {**dict.fromkeys(WORDS[:8], "AGE"), "iiii jjjj": rule}
    assert spans_of(rules, {"iiii": learned}, labels="stockholm") == [("iiii", expected)]


def test_a_name_has_one_type_throughout_a_record() -> None:
    """A name that a rule calls DOCTOR once is a DOCTOR where the model says no more than a name."""
    text = "aaaa bbbb cccc dddd eeee ffff gggg hhhh Marchetti iiii Marchettis jjjj Pozo"
    rules = {**dict.fromkeys(WORDS[:8], "AGE"), "hhhh Marchetti": "DOCTOR"}
    learned = {**dict.fromkeys(WORDS[:7], "AGE"), "Marchetti ": "LAST_NAME"}
    learned |= {"Marchettis": "LAST_NAME", "Pozo": "LAST_NAME"}
    detector = HybridDetector(
        [Fixed("rules", rules)], language="sv", learned=Fixed("model", learned), labels="stockholm"
    )
    spans = detector.detect(Document("x", text))
    found = {text[span.start : span.end]: (span.label, span.part) for span in spans}
    assert found["Marchettis"] == ("DOCTOR", "last")
    assert found["Pozo"] == ("NAME", "last")


@pytest.mark.parametrize(("own", "expected"), [(0.6, "DOCTOR"), (0.97, "PATIENT")])
def test_the_likelier_type_of_a_name_holds_for_all_its_mentions(own: float, expected: str) -> None:
    """A mention has the type with the higher sum of scores, unless its own is nearly certain."""
    text = "Dr. Ana Rossi wrote. Rossi will call. Seen by Rossi."
    first, second = text.index("Rossi will"), text.rindex("Rossi")
    spans = [
        Span(4, 13, "DOCTOR", 0.98, "model"),
        Span(first, first + 5, "PATIENT", own, "model"),
        Span(second, second + 5, "DOCTOR", 0.7, "model"),
    ]

    class Model(Fixed):
        def detect(self, doc: Document) -> list[Span]:
            return spans

    detector = HybridDetector([], language="en", learned=Model("model", {}))
    found = detector.detect(Document("x", text))
    assert [span.label for span in found] == ["DOCTOR", expected, "DOCTOR"]


def test_the_model_names_the_kind_of_a_certain_number() -> None:
    """A checksum tells that there is a number of a person, the context whose and which."""
    certain, learned = {"12345": "IDNUM"}, {"12345": "MEDICALRECORD"}
    assert joined({}, learned, certain=certain) == [("12345", "MEDICALRECORD")]


def test_the_type_of_the_model_completes_the_family_of_a_rule() -> None:
    """Where the rules come first, a family of theirs takes the type that the model gives."""
    rules = {**dates(8), "iiii": "ID"}
    assert joined(rules, {"iiii": "LICENSE"})[-1] == ("iiii", "LICENSE")


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
    found, more, _ = toy_detector.detect_twice(docs, generous=generous)
    assert found == toy_detector.detect_many(docs)
    other = type(toy_detector)(toy_detector.model, outside=toy_detector.outside - generous)
    assert [[span.key for span in spans] for spans in more] == [
        [span.key for span in spans] for spans in other.detect_many(docs)
    ]


def test_what_is_nearly_found_is_doubtful(
    toy_detector: LinearDetector, toy_records: list[Record]
) -> None:
    """Words with a low probability of being part of a span are doubtful, found ones are not."""
    docs = [record.document for record in toy_records]
    doubtful = 0
    for raised in range(0, 40, 2):
        harder = LinearDetector(toy_detector.model, outside=toy_detector.outside + raised)
        found, _, doubts = harder.detect_twice(docs, generous=0.0)
        for spans, words in zip(found, doubts, strict=True):
            doubtful += len(words)
            assert {word.label for word in words} <= {DOUBT}
            assert not any(a.start < b.end and b.start < a.end for a in spans for b in words)
    assert doubtful


def test_a_model_is_asked_about_some_spans_only(
    toy_detector: LinearDetector, toy_records: list[Record]
) -> None:
    """Spans in `about` are scored at the second threshold only if nothing was found in them."""
    docs = [record.document for record in toy_records]
    usual = toy_detector.detect_many(docs)
    silent = LinearDetector(toy_detector.model, outside=toy_detector.outside + 60)
    asked = [spans[:1] for spans in usual]
    found, told, _ = silent.detect_twice(docs, generous=60.0, about=asked)
    assert not any(found)
    assert sum(map(len, asked)) <= sum(map(len, told)) < sum(map(len, usual))
    for wanted, spans in zip(asked, told, strict=True):
        assert {span.key for span in wanted} <= {span.key for span in spans}
    _, told, _ = toy_detector.detect_twice(docs, generous=1.0, about=usual)
    assert not any(told)


@pytest.mark.parametrize(
    ("found", "kept"),
    [
        ('Ana Gil",', "Ana Gil"),
        ("『青葉台病院", "青葉台病院"),
        ("**Smith**", "Smith"),
        ("(011) 4567", "(011) 4567"),
        ("Hospital (HUVN)", "Hospital (HUVN)"),
        ('Robert "Bo"', 'Robert "Bo"'),
        ("<a@b.se>", "a@b.se"),
        (" Ek ", "Ek"),
    ],
)
def test_marks_around_a_mention_are_no_part_of_it(found: str, kept: str) -> None:
    """Blanks, quotation marks, asterisks and lone brackets at the ends of a span are cut off."""
    assert joined({}, {found: "HOSPITAL"}, text=f"x{found}x")[0] == (kept, "HOSPITAL")


def test_asterisks_of_a_number_are_part_of_it() -> None:
    """They stand for digits that somebody else has masked."""
    assert joined({}, {"***-**-1187": "SSN"}, text="x ***-**-1187 x") == [("***-**-1187", "SSN")]
