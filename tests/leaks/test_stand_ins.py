"""Stand-ins: time that grows with the length, check digits, and placeholders that stay."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

import pytest

from veil import Document, Span, Spans, Veil
from veil.core.labels import VEIL, scheme
from veil.core.numbers import is_luhn
from veil.detect.pipeline import DetectionPipeline
from veil.languages import language_codes
from veil.masking.masker import Masker
from veil.replace.base import Case
from veil.replace.policy import load_policy
from veil.replace.secret import Key, Secret

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

LANGUAGES = language_codes()

KEY = Key(b"a key for these tests")
SURROGATE = load_policy("surrogate")
CARDS = ["4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005", "４０１２888888881881"]
UNITS = ("Smith ", "www.a.", " a", "123-", "a@b.c ", "東京都山田", "やまだ", "x")


def case_of(text: str, label: str, language: str) -> Case:
    """A record that holds an identifier and a word on either side."""
    doc = Document("x", f"a {text} b", language)
    return Case(doc, Spans(doc, [Span(2, 2 + len(text), label)]), Secret(KEY, "p"))


def stand_in(text: str, label: str, language: str) -> str:
    case = case_of(text, label, language)
    return SURROGATE.replacer(label).replace(case, case.spans[0])


def calls_of(do: Callable[[], object]) -> int:
    """How many functions a call calls."""
    count = 0

    def tally(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(tally)
    try:
        do()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_work_grows_with_the_length(language: str) -> None:
    """A span that is four times as long takes at most about four times as many steps."""
    for label in scheme(VEIL).labels:
        for unit in UNITS:
            short, long = unit * (4_000 // len(unit)), unit * (16_000 // len(unit))
            stand_in(short[:40], label, language)  # tables are loaded
            few = calls_of(partial(stand_in, short, label, language))
            many = calls_of(partial(stand_in, long, label, language))
            assert many <= 6 * few + 2_000, (label, unit)


def test_a_long_name_does_not_slow_down_its_neighbours() -> None:
    """The other names of a record keep their stand-ins when a long span stands beside them."""
    text = "Smith " * 6_000
    doc = Document("x", f"{text}\nJohn Hale", "en")
    spans = Spans(doc, [Span(0, len(text), "NAME"), Span(len(text) + 1, len(doc.text), "NAME")])
    case = Case(doc, spans, Secret(KEY, "p"))
    long, short = (SURROGATE.replacer("NAME").replace(case, span) for span in spans)
    assert long == "[NAME]"
    assert len(short.split()) == 2
    assert "Hale" not in short


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("label", ["PHONE", "FAX", "CONTACT", "ID", "ACCOUNT", "USERNAME", "ZIP"])
@pytest.mark.parametrize(
    "card",
    [
        "4111 1111 1111 1111",
        "5555-5555-5555-4444",
        "378282246310005",
        "４１１１１１１１１１１１１１１１",
    ],
)
def test_card_numbers_stay_card_numbers(card: str, label: str, language: str) -> None:
    """A card number passes the check of Luhn after replacement, whatever its label."""
    new = stand_in(card, label, language)
    assert new != card
    assert is_luhn(new)


def test_phones_that_pass_a_check_pass_it_again() -> None:
    """A phone number that happens to pass the check of Luhn does so afterwards."""
    phones = [f"{area}-555-{number:04}" for area in (212, 617) for number in range(2000, 2060)]
    passing = [text for text in phones if is_luhn(text)]
    assert passing
    kept = [is_luhn(stand_in(text, "PHONE", "en")) for text in passing]
    assert all(kept)


@pytest.mark.parametrize(
    ("language", "label", "text"),
    [
        ("ja", "HOSPITAL", "◯◯病院"),
        ("ja", "HOSPITAL", "●●医院"),
        ("ja", "HOSPITAL", "XX病院"),
        ("ja", "NAME", "○○"),
        ("ja", "NAME", "【氏名】"),
        ("en", "HOSPITAL", "Hospital"),
        ("en", "HOSPITAL", "XX Hospital"),
        ("en", "HOSPITAL", "***"),
        ("en", "PATIENT", "[Name]"),
        ("en", "PATIENT", "____"),
        ("en", "DOCTOR", "XXX"),
        ("en", "CITY", "[**Hospital 17**]"),
        ("es", "HOSPITAL", "Hospital"),
        ("es", "PATIENT", "[Nombre]"),
        ("sv", "HOSPITAL", "XX sjukhus"),
        ("sv", "CITY", "---"),
    ],
)
def test_placeholders_stay(language: str, label: str, text: str) -> None:
    """What names nobody is left alone."""
    assert stand_in(text, label, language) == text


@pytest.mark.parametrize("text", ["[John Hale]", "Xavier", "XX Hale", "<Anna>", "A病院", "X"])
def test_names_beside_such_signs_do_not_stay(text: str) -> None:
    """Brackets and crosses beside a name do not make it a placeholder."""
    language = "ja" if "院" in text else "en"
    assert stand_in(text, "HOSPITAL" if language == "ja" else "PATIENT", language) != text


class Finder:
    """Finds given texts."""

    name = "finder"

    def __init__(self, found: dict[str, str]) -> None:
        self.found = found

    def detect(self, doc: Document) -> list[Span]:
        return [
            Span(doc.text.index(text), doc.text.index(text) + len(text), label)
            for text, label in self.found.items()
            if text in doc.text
        ]

    def detect_many(self, docs: Sequence[Document]) -> list[list[Span]]:
        return [self.detect(doc) for doc in docs]


def test_what_stays_is_no_edit() -> None:
    """A placeholder is reported as kept, and the record is not withheld because of it."""
    finder = Finder({"◯◯病院": "HOSPITAL", "田中太郎": "PATIENT", "72歳": "AGE"})
    masker = Masker(DetectionPipeline([finder], language="ja"), SURROGATE, key=KEY)
    masked = masker.mask(Document("1", "田中太郎、72歳、◯◯病院より紹介。"))
    assert "72歳、◯◯病院より紹介。" in masked.document.text
    assert [edit.label for edit in masked.edits] == ["PATIENT"]
    assert {span.label for span in masked.kept} == {"HOSPITAL", "AGE"}


def test_the_default_pipeline_leaves_placeholders() -> None:
    """Japanese placeholders that are found as hospitals stay in the text."""
    masked = Veil("ja", policy="surrogate", key=KEY).mask("患者：田中太郎様。◯◯病院より紹介。").text
    assert "◯◯病院" in masked
    assert "田中" not in masked
