"""The checks of annotations against the labelling guideline."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from veil.core.document import Document, Record, Span
from veil.core.labels import scheme
from veil.evaluate.guideline import COMMON_KINDS, FILE, Rule, check_record, guideline
from veil.languages.base import language_codes, language_folder

PAGE = Path(__file__).parents[2] / "docs" / "labelling.md"
CODES = [code for code in language_codes() if (language_folder(code) / FILE).is_file()]
CASES = [
    pytest.param(rule, example, is_found, id=f"{code}-{rule.kind}-{number}")
    for code in CODES
    for rule in guideline(code).rules
    for is_found, examples in ((True, rule.find), (False, rule.leave))
    for number, example in enumerate(examples)
]


def record_of(example: str, label: str) -> Record:
    """Make a record of a text whose spans are in double brackets."""
    text, spans = "", []
    for number, piece in enumerate(re.split(r"\[\[|\]\]", example)):
        if number % 2:
            spans.append(Span(len(text), len(text) + len(piece), label))
        text += piece
    return Record.of(Document("1", text), spans)


@pytest.mark.parametrize(("rule", "example", "is_found"), CASES)
def test_examples_of_rules(rule: Rule, example: str, is_found: bool) -> None:
    """A rule finds its positive examples and leaves its negative ones."""
    record = record_of(example, min(rule.labels))
    spans = [None, *record.spans, None]
    places = zip(spans, record.spans, spans[2:], strict=False)
    assert is_found == any(
        rule.matches(record.document.text, span, previous=previous, following=following)
        for previous, span, following in places
    )


def kinds(example: str, label: str = "PATIENT", *, hints: bool = False) -> list[str]:
    """The kinds of what is found in an English text whose spans are in double brackets."""
    found = check_record(record_of(example, label), "en")
    return [each.kind for each in found if hints or not each.is_hint]


@pytest.mark.parametrize(
    "example",
    [
        "met [[Ruth ]]today",
        "met [[Ruth,]] who",
        "([[(Ruth)]])",
        '"[[Ruth"]]',
        "'[[Ruth']]",
        "[[:Ruth]]",
    ],
)
def test_signs_at_an_end(example: str) -> None:
    """A space, bracket, quotation mark, comma or colon at an end is found."""
    assert "edge" in kinds(example)


@pytest.mark.parametrize(
    ("example", "label"),
    [
        ('[[Ruth "Bo"]] came', "PATIENT"),
        ("[[Ruth (Bo) Ek]] came", "PATIENT"),
        ("call [[(563) 555-0177]]", "PHONE"),
        ("in [['92]]", "DATE"),
        ("at [[Bashas']]", "ORGANIZATION"),
    ],
)
def test_signs_that_belong_to_a_mention(example: str, label: str) -> None:
    """A nickname, an area code and an apostrophe may stand at an end."""
    assert kinds(example, label) == []


def test_unbalanced_bracket() -> None:
    """A bracket without its partner is found, a pair inside is not."""
    assert kinds("call [[563) 555-0177]]", "PHONE") == ["bracket"]
    assert kinds("[[Ruth (Bo Ek]]) came") == ["bracket"]


@pytest.mark.parametrize(
    ("example", "label", "is_found"),
    [
        ("met [[Ruth Harlow.]]", "PATIENT", True),
        ("on [[3/4/2021.]]", "DATE", True),
        ("in [[Calder.]]", "CITY", True),
        ("met [[Ruth H.]]", "PATIENT", False),
        ("at [[Vale Ltd.]]", "ORGANIZATION", False),
        ("in [[Que.]]", "STATE", False),
        ("by [[X.P-R.]]", "DOCTOR", False),
    ],
)
def test_final_period(example: str, label: str, is_found: bool) -> None:
    """A final period is found unless an abbreviation or initial needs it."""
    assert kinds(example, label) == ["period"] * is_found


def test_number_that_is_cut() -> None:
    """A span that begins or ends inside a number is found, one that is glued to a word is not."""
    assert kinds("MRN [[4419]]036", "MEDICALRECORD") == ["cut"]
    assert kinds("since[[4/5/09]]", "DATE") == []


def test_repeats() -> None:
    """An unmarked name with a title, a whole name and a number are found, a word is a hint."""
    assert kinds("[[Ruth Harlow]] came. Mrs. Harlow slept.") == ["unmarked-repeat"]
    assert kinds("[[Ruth Harlow]] came. Ruth Harlow slept.") == ["unmarked-repeat"]
    assert kinds("[[4419036]] and 4419036", "IDNUM") == ["unmarked-repeat"]
    word = "[[Ruth Harlow]] came. Harlow slept."
    assert kinds(word) == []
    assert kinds(word, hints=True) == ["unmarked-repeat"]


def test_what_is_no_repeat() -> None:
    """Eponyms, ordinary words, other cases and parts of words are no repeats."""
    for example in (
        "[[Wilson]] came. Wilson's disease.",
        "[[May]] came. May cause pain.",
        "[[Harlow]] came. harlow",
        "[[Harlow]] came. Harlowton",
    ):
        assert kinds(example, hints=True) == []


def test_repeats_without_spaces_between_words() -> None:
    """A name with an honorific is found in Japanese, where no space sets it off."""
    record = record_of("[[薬師寺]]先生へ。その後薬師寺先生より返信。", "PERSON")
    assert [each.kind for each in check_record(record, "ja")] == ["unmarked-repeat"]


def test_two_labels_are_a_hint() -> None:
    """The same words with two labels in one record are a hint."""
    document = Document("1", "Harlow and Harlow")
    record = Record.of(document, [Span(0, 6, "PATIENT"), Span(11, 17, "CITY")])
    assert [(each.kind, each.is_hint) for each in check_record(record, "en")] == [
        ("two-labels", True),
        ("two-labels", True),
    ]


def test_findings_contain_no_text() -> None:
    """A finding has the mention only if it was asked for, and never in its repr."""
    record = record_of("met [[Dr. Harlow]]", "DOCTOR")
    [found] = check_record(record, "en")
    assert found.text is None
    [found] = check_record(record, "en", show_text=True)
    assert found.text == "Dr. Harlow"
    assert "Harlow" not in repr(found)


def test_every_kind_is_documented() -> None:
    """The page describes every kind of finding."""
    page = PAGE.read_text("utf-8")
    rules = [rule for code in CODES for rule in guideline(code).rules]
    assert not [
        kind for kind in {*COMMON_KINDS, *(r.kind for r in rules)} if f"`{kind}`" not in page
    ]


@pytest.mark.parametrize("code", CODES)
def test_labels_of_rules(code: str) -> None:
    """The rules of a language name labels of its scheme only."""
    rules = guideline(code)
    named = {*rules.names, *rules.numbers}.union(*(rule.labels | rule.next for rule in rules.rules))
    assert named <= set(scheme(rules.scheme).labels)
