from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta

from hypothesis import assume, given
from hypothesis import strategies as st

from veil import Document, Span, Spans
from veil.core.checks import CHECKS
from veil.core.errors import RecordError
from veil.core.labels import VEIL, scheme
from veil.core.numbers import is_ipv4, is_ipv6, luhn_digit
from veil.languages import language_codes
from veil.lexicons.folding import fold
from veil.replace.base import Case
from veil.replace.entities import replace_entity
from veil.replace.entities.language import words
from veil.replace.generalise.places import home_countries
from veil.replace.secret import Key, Secret

LANGUAGES = language_codes()

KEY = Key(b"a key of the tests")
KEPT = {"AGE", "SEX", "RELATIVE", "TIME"}
ELSEWHERE = {"NAME", "PATIENT", "DOCTOR", "USERNAME", "EMAIL", "DATE"}
LABELS = sorted(set(scheme(VEIL).labels) - KEPT - ELSEWHERE)
NUMBERS = ["ID", "MEDICALRECORD", "ACCOUNT", "DEVICE", "IDNUM", "LICENSE", "HEALTHPLAN", "SSN"]
# Texts of all sorts, among them pieces of what the labels are for.
PIECES = """
    12 7B 58th 0046 +46 (0)70 555-0142 AB-12 xxx- S:t S.L. Dr. Hospital sjukhus avd Calle C/ gatan
    Stor Oak Street Apt # 5º , ; . - / & och de la i of 市立 病院 〒220-0012 東京都 3丁目 緑町 ２４
    号室 ハイツ ｸﾘﾆｯｸ ○○ Ñ Å ß İ ﬁ www. .se/ :// @ ::1 Uppsala BOSTON 高崎 医療法人 第 号 当院 ・ ー
""".split()
TEXTS = st.text(min_size=1, max_size=25) | st.lists(
    st.sampled_from([*PIECES, " ", " ", "\n"]), min_size=1, max_size=8
).map("".join)
LANGUAGE = st.sampled_from(LANGUAGES)
NUMBER = st.from_regex(r"[1-9][0-9]{1,3}(?:[-/ .]?[0-9]{2,4}){1,3}", fullmatch=True)


def case_of(
    found: list[tuple[str, str]], language: str, *, patient: str = "p1", rest: str = ""
) -> Case:
    """A record that is its spans, one after the other, and some text after them."""
    text, spans = "", []
    for label, words_of_span in found:
        spans.append(Span(len(text), len(text) + len(words_of_span), label))
        text += f"{words_of_span}; "
    doc = Document("record", text + rest, language)
    return Case(doc, Spans(doc, spans), Secret(KEY, patient))


def replaced(case: Case) -> list[str]:
    return [replace_entity(case, span) for span in case.spans]


@given(TEXTS, st.sampled_from(LABELS), LANGUAGE)
def test_anything_has_a_stand_in_or_a_reason(text: str, label: str, language: str) -> None:
    """Whatever a span holds, replacing it gives a text, or an error that names none of it."""
    try:
        (new,) = replaced(case_of([(label, text)], language))
    except RecordError as error:
        reason = error.reason
    else:
        reason = ""
        assert bool(new.strip()) == bool(text.strip())
    assert not reason or reason.startswith("no surrogate could be made: ")


@given(
    st.lists(st.tuples(st.sampled_from(LABELS), TEXTS), min_size=1, max_size=5),
    LANGUAGE,
)
def test_the_order_of_asking_does_not_count(found: list[tuple[str, str]], language: str) -> None:
    """Text, key and patient decide alone what a span becomes, not which one is asked for first."""
    forwards, backwards = (case_of(found, language) for _ in range(2))
    try:
        first = {span: replace_entity(forwards, span) for span in forwards.spans}
        second = {span: replace_entity(backwards, span) for span in reversed(backwards.spans)}
    except RecordError:
        return
    assert first == second


@given(st.lists(st.tuples(st.sampled_from(LABELS), TEXTS), min_size=1, max_size=6), LANGUAGE)
def test_a_stand_in_is_no_original(found: list[tuple[str, str]], language: str) -> None:
    """What stands for a span is either left alone or none of the texts that were found."""
    case = case_of(found, language)
    try:
        made = replaced(case)
    except RecordError:
        return
    originals = {fold(" ".join(text.split())) for _, text in found}
    for new, (_, old) in zip(made, found, strict=True):
        assert new == old or fold(" ".join(new.split())) not in originals


@given(NUMBER, st.sampled_from(NUMBERS), LANGUAGE, st.text(max_size=40))
def test_a_number_keeps_its_form_and_is_new(
    text: str, label: str, language: str, rest: str
) -> None:
    """A number becomes another with digits in the same places that is not in the text.

    IP addresses are excluded: they become reserved addresses.
    """
    assume(not is_ipv4(text) and not is_ipv6(text))
    case = case_of([(label, text)], language, rest=rest)
    (new,) = replaced(case)
    assert re.sub("[0-9]", "9", new) == re.sub("[0-9]", "9", text)
    digits = re.sub("[^0-9]", "", new)
    assume(4 < len(digits))
    wide = unicodedata.normalize("NFKC", case.document.text)
    assert digits not in re.sub("[^0-9]", "", wide)


@given(NUMBER, LANGUAGE, st.sampled_from(["", " ", "-", "."]))
def test_separators_make_no_other_number(text: str, language: str, separator: str) -> None:
    """A number gets the same stand-in with and without its separators, unless it is an address."""
    digits = re.sub("[^0-9]", "", text)
    written = separator.join(digits[at : at + 3] for at in range(0, len(digits), 3))
    assume(not any(is_ipv4(each) or is_ipv6(each) for each in (text, written)))
    (first,) = replaced(case_of([("ID", text)], language))
    (second,) = replaced(case_of([("ID", written)], language))
    assert re.sub("[^0-9]", "", first) == re.sub("[^0-9]", "", second)


@given(
    st.dates(date(1902, 6, 1), date(2024, 12, 31)),
    st.integers(0, 999),
    st.integers(-400, 400).filter(bool),
)
def test_personnummer_keep_their_distances(born: date, serial: int, days: int) -> None:
    """A birth number moves by exactly the days of the record, and stays valid."""
    digits = f"{born:%y%m%d}{serial:03}"
    text = f"{born:%Y%m%d}-{serial:03}{luhn_digit(digits)}"
    case = case_of([("SSN", text)], "sv")
    case.memory["days"] = days
    (new,) = replaced(case)
    assert new[:8] == f"{born + timedelta(days):%Y%m%d}"
    assert CHECKS.get("se-personnummer")(new)
    assert int(new[-2]) % 2 == serial % 2


@given(LANGUAGE, st.data())
def test_a_place_is_the_same_in_all_records_of_a_patient(
    language: str, data: st.DataObject
) -> None:
    """A town gets one stand-in for a patient, whatever its case and record."""
    home = data.draw(st.sampled_from(home_countries(language)))
    town = data.draw(st.sampled_from(words(language, f"towns_{home}") or words("ja", "cities")))
    label = data.draw(st.sampled_from(["CITY", "LOCATION"]))
    (first,) = replaced(case_of([(label, town)], language))
    (again,) = replaced(case_of([(label, town.upper())], language, rest="another record"))
    assert first.casefold() == again.casefold()
    assert first != town


NAME = st.text("bdfghjklmnprtvz", min_size=6, max_size=9).map(str.title)
NAMED = [
    ("en", "HOSPITAL", "{} Hospital"),
    ("en", "HOSPITAL", "St. {}'s Medical Center"),
    ("en", "STREET", "12 {} Street Apt 4"),
    ("en", "STREET", "Apt 4, 12 {} Park"),
    ("en", "ORGANIZATION", "{} & Sons Ltd"),
    ("en", "DEPARTMENT", "{} 4 West"),
    ("es", "HOSPITAL", "Hospital Universitario {}"),
    ("es", "HOSPITAL", "Clínica Virgen de la {}"),
    ("es", "HOSPITAL", "Hospital Dr. {}"),
    ("es", "STREET", "C/ de la {}, 12, 3º B"),
    ("es", "LOCATION", "Calle {} 3, 28013 Madrid"),
    ("sv", "HOSPITAL", "{}s sjukhus"),
    ("sv", "HOSPITAL", "Vårdcentralen {}"),
    ("sv", "HOSPITAL", "{}sjukhuset"),
    ("sv", "STREET", "{}gatan 12 A"),
    ("sv", "STREET", "{} väg 3"),
    ("sv", "LOCATION", "{}vägen 3, 751 85 Uppsala"),
    ("sv", "CITY", "{}s kommun"),
]


@given(st.sampled_from(NAMED), NAME, st.sampled_from([str, str.upper, str.lower]))
def test_nothing_of_a_name_is_left(
    named: tuple[str, str, str], name: str, write: type[str]
) -> None:
    """Wherever a name stands in what is replaced, it is gone afterwards."""
    language, label, template = named
    (new,) = replaced(case_of([(label, write(template.format(name)))], language))
    assert name.casefold() not in new.casefold()
