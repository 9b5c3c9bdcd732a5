"""Names of people: whatever stands in a record, it does not come back, and forms agree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from veil import Document, Span, Spans
from veil.core.errors import RecordError
from veil.languages.ja.kana import hiragana, katakana
from veil.languages.ja.people_names import pool
from veil.replace.base import Case
from veil.replace.people import person_numbers, replace_person
from veil.replace.people.styles import name_key
from veil.replace.people.tables import lists
from veil.replace.secret import Key, Secret

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.replace.people.pieces import Surrogate

LABELS = ("NAME", "PATIENT", "DOCTOR")
LANGUAGES = ("en", "es", "sv")
ORIGINS = ("english", "spanish", "swedish", "finnish", "arabic", "polish", "chinese", "irish")
PIECES = [
    *("Anna", "Lindgren", "A.", "AL", "de la", "Cruz", "O'Brien", "von", "Dr.", "Mª", "Min-jun"),
    *("山田", "太郎", "ヤマダ", "ﾀﾛｳ", "さん", "様", "・", "　", "々", "ー", "（", "）", "Ｋ．"),
    *(" ", ", ", "-", "'", "’s", '"', "@", ".", "3", "Å", "\u0301", "\n"),
]
TEXT = st.one_of(
    st.text(min_size=1, max_size=16),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join),
)
GIVEN = st.sampled_from(
    sorted({name for origin in ORIGINS for name in lists()[origin].get("female", ())})
)
SURNAME = st.sampled_from(
    sorted({name for origin in ORIGINS for name in lists()[origin].get("surname", ())})
)
KANJI_FAMILY = st.sampled_from(pool("family"))
KANJI_GIVEN = st.sampled_from([*pool("female"), *pool("male")])
PATIENTS = st.text(max_size=8)


def case_of(texts: Sequence[tuple[str, str]], language: str | None, patient: str = "p") -> Case:
    """A record that holds texts with their labels, one a line."""
    joined, spans = "", []
    for text, label in texts:
        spans.append(Span(len(joined), len(joined) + len(text), label))
        joined += f"{text}\n: "
    doc = Document("record", joined, language)
    return Case(doc, Spans(doc, spans), Secret(Key(b"a key of the tests"), patient))


def new_texts(case: Case) -> list[str]:
    return [replace_person(case, span) for span in case.spans]


@given(
    st.lists(st.tuples(TEXT, st.sampled_from([*LABELS, "EMAIL", "USERNAME"])), max_size=5),
    st.sampled_from([*LANGUAGES, "ja", "fi", None]),
)
def test_no_text_is_its_own_stand_in(texts: list[tuple[str, str]], language: str | None) -> None:
    """Any text with a letter or digit changes, and every span has a number."""
    case = case_of(texts, language)
    assert set(person_numbers(case)) == set(case.spans)
    try:
        made = new_texts(case)
    except RecordError:
        return
    for span, new in zip(case.spans, made, strict=True):
        assert new != case.text(span) or not any(letter.isalnum() for letter in new)


@given(
    st.lists(st.tuples(GIVEN, SURNAME, st.sampled_from(LABELS)), min_size=1, max_size=6),
    st.sampled_from(LANGUAGES),
    PATIENTS,
)
def test_no_original_comes_back(
    people: list[tuple[str, str, str]], language: str, patient: str
) -> None:
    """No word of a name of the record stands in any new name."""
    case = case_of([(f"{one} {two}", label) for one, two, label in people], language, patient)
    old = {name_key(word) for one, two, _ in people for word in (one, two)}
    for new in new_texts(case):
        assert not old & {name_key(word) for word in re.split(r"[ -]", new)}


@given(GIVEN, SURNAME, st.sampled_from(LANGUAGES), PATIENTS)
def test_forms_of_a_name_agree(one: str, two: str, language: str, patient: str) -> None:
    """The name in full, turned round, in capitals and by its parts is one new name."""
    forms = [f"{one} {two}", f"{two}, {one}", f"{one} {two}".upper(), f"{one[0]}. {two}"]
    case = case_of([(form, "PATIENT") for form in forms], language, patient)
    turned = new_texts(case)[1]
    surname, given_name = turned.split(", ")
    assert new_texts(case)[3] == f"{given_name[0]}. {surname}"
    assert len(set(person_numbers(case).values())) == 1


@given(GIVEN, SURNAME, st.sampled_from(LANGUAGES), PATIENTS)
def test_draws_depend_on_key_patient_and_text_alone(
    one: str, two: str, language: str, patient: str
) -> None:
    """The same record gives the same names again."""
    texts = [(f"{one} {two}", "PATIENT"), (two, "DOCTOR")]
    assert new_texts(case_of(texts, language, patient)) == new_texts(
        case_of(texts, language, patient)
    )


@given(KANJI_FAMILY, KANJI_GIVEN, PATIENTS)
def test_japanese_readings_are_those_of_the_new_name(
    family: Surrogate, given_name: Surrogate, patient: str
) -> None:
    """A reading beside a name becomes the reading of the new name; nothing of either stays."""
    name = f"{family.written}　{given_name.written}"
    reading = f"{katakana(family.reading)}　{katakana(given_name.reading)}"
    case = case_of([(name, "PATIENT"), (reading, "PATIENT")], "ja", patient)
    written, read = (text.split("\u3000") for text in new_texts(case))
    known = {each.written: each.reading for each in pool("family")}
    known |= {each.written: each.reading for each in (*pool("female"), *pool("male"))}
    assert [hiragana(part) for part in read] == [known[part] for part in written]
    assert family.written not in "".join(written)
    assert not any(family.reading in hiragana(part) for part in read)
