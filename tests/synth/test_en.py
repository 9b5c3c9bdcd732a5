"""English dummy records: people, numbers and days that agree, in notes that differ."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest

from veil.core.checks import CHECKS
from veil.core.document import Document
from veil.core.labels import Converter, scheme
from veil.languages.en.synth import EnglishScenario, in_words, spelled
from veil.synth.inject import inject
from veil.synth.notes import PROFILES, dummy_records, kinds, templates_of
from veil.synth.scenario import Request, plain_letters

if TYPE_CHECKING:
    from veil.core.document import Record
    from veil.synth.segments import Segment

SEEDS = range(300)
# What the guideline of i2b2 2014 tags; its OTHER has no example anywhere.
LABELS = set(scheme("i2b2-2014").labels) - {"OTHER"}
TITLE = re.compile(r"(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Nurse|Doctor|Sister|Rev)\.? ")
SENTENCE = re.compile(r"[^\n.]+(?:\.(?!\s)[^\n.]*)*\.?")
POSTCODES = {
    "us": r"\d{5}(?:-\d{4})?",
    "uk": r"[A-Z]{1,2}\d{1,2} \d[A-Z]{2}",
    "au": r"\d{4}",
    "ie": r"[A-Z]\d\d [A-Z]\d[A-Z]\d",
    "ca": r"[A-Z]\d[A-Z] \d[A-Z]\d",
}


@cache
def records(count: int, seed: int = 0) -> tuple[Record, ...]:
    return tuple(dummy_records("en", count, seed=seed))


def world(seed: int, kind: str = "") -> EnglishScenario:
    return EnglishScenario(Random(seed), profile=PROFILES.get(kind))  # noqa: S311 - no secret


def text(pieces: list[Segment]) -> str:
    return "".join(piece.text for piece in pieces)


def labelled(pieces: list[Segment], *labels: str) -> list[str]:
    return [piece.text for piece in pieces if piece.label in labels]


def span_texts(record: Record, *labels: str) -> list[str]:
    return [
        record.document.text[span.start : span.end] for span in record.spans if span.label in labels
    ]


def test_kinds() -> None:
    """There are kinds of notes for every part of care, each with several layouts."""
    assert {"discharge", "nursing", "paediatrics", "newborn", "message"} <= set(kinds("en"))
    assert 25 <= len(kinds("en"))
    assert all(3 <= len(templates.notes) for templates in templates_of("en").values())


@pytest.mark.parametrize("kind", kinds("en"))
def test_every_kind_is_written_for_fifty_seeds(kind: str) -> None:
    """Every layout finds its slots and blocks, and leaves no sign of the grammar behind."""
    made = [next(dummy_records("en", 1, seed=seed, only=[kind])) for seed in range(50)]
    assert any(record.spans for record in made)
    for record in made:
        assert not re.search(r"[{}]|<[a-z-]+>|\[\||\|\]", record.document.text.replace("\r", ""))


def test_the_same_seed_gives_the_same_records() -> None:
    """A record depends on the seed and its number, not on how many are asked for."""
    assert list(dummy_records("en", 8, seed=3)) == list(dummy_records("en", 20, seed=3))[:8]
    assert list(dummy_records("en", 8, seed=3)) != list(dummy_records("en", 8, seed=4))


def test_every_label_of_the_guideline_occurs() -> None:
    """Three hundred records hold each label of i2b2 2014, and no other."""
    found = {span.label for record in records(300) for span in record.spans}
    assert found == LABELS


def test_records_can_be_written_as_the_challenges_had_them() -> None:
    """Nothing is lost in the scheme of 2014, and the eight types of 2006 all occur."""
    to_2014 = Converter(scheme("veil"), scheme("i2b2-2014"))
    assert all(len(to_2014.convert_record(each).spans) == len(each.spans) for each in records(50))
    to_2006 = Converter(scheme("veil"), scheme("i2b2-2006"))
    found = {span.label for each in records(50) for span in to_2006.convert_record(each).spans}
    assert found == set(scheme("i2b2-2006").labels)


def test_records_differ() -> None:
    """Five hundred records hold thousands of different sentences and names."""
    sentences: set[str] = set()
    names: set[str] = set()
    for record in records(500):
        sentences.update(match[0].strip() for match in SENTENCE.finditer(record.document.text))
        names.update(span_texts(record, "PATIENT", "DOCTOR"))
    assert 10_000 < len(sentences)
    assert 2_500 < len(names)


def test_most_sentences_identify_nobody() -> None:
    """At least half of the sentences hold no span."""
    bare = total = 0
    for record in records(200):
        for match in SENTENCE.finditer(record.document.text):
            if 1 < len(match[0].split()):
                total += 1
                bare += not any(
                    span.start < match.end() and match.start() < span.end for span in record.spans
                )
    assert total / 2 <= bare


def test_spans_follow_the_guideline() -> None:
    """Titles and genitives stay out of names, words out of ages, white space out of all."""
    for record in records(300):
        for span in record.spans:
            covered = record.document.text[span.start : span.end]
            assert covered == covered.strip()
            if span.label in ("PATIENT", "DOCTOR"):
                assert not TITLE.match(covered)
                assert not covered.endswith(("'s", "’s"))
            if span.label == "AGE":
                assert re.fullmatch(r"\d{1,3}|\d0['’]?[sS]|[A-Za-z-]+", covered)


@pytest.mark.parametrize(
    ("country", "slot", "check"),
    [
        ("us", "npi", "us-npi"),
        ("us", "dea", "us-dea"),
        ("us", "card", "card"),
        ("us", "vin", "vin"),
        ("uk", "iban", "iban"),
        ("uk", "ip", "ipv4"),
    ],
)
def test_numbers_are_valid(country: str, slot: str, check: str) -> None:
    """Numbers that have check digits have the right ones."""
    for seed in SEEDS:
        made = world(seed)
        if made.code == country:
            written = text(made.slot(slot))
            assert CHECKS.get(check)(written) or (slot == "ip" and CHECKS.get("ipv6")(written))


def test_national_numbers_are_valid() -> None:
    """Social security, health service and insurance numbers pass the checks of their country."""
    seen = set()
    for seed in SEEDS:
        made = world(seed)
        (number,) = (piece for piece in made.slot("national") if piece.label)
        if made.code == "us" and "x" not in number.text and "*" not in number.text:
            assert CHECKS.get("us-ssn")(number.text)
        if made.code == "uk" and number.label == "MEDICALRECORD":
            assert CHECKS.get("uk-nhs")(number.text)
        if made.code == "ca":
            assert CHECKS.get("luhn")(number.text)
        seen.add((made.code, number.label))
    assert {("us", "SSN"), ("uk", "MEDICALRECORD"), ("ie", "SSN"), ("au", "HEALTHPLAN")} <= seen


def test_the_second_letter_of_a_dea_number_is_that_of_the_doctor() -> None:
    """A doctor's licence to prescribe holds the first letter of the surname."""
    for seed in range(50):
        made = world(seed)
        surname = made.person(Request("doctor")).surname.upper()
        assert text(made.slot("dea"))[1] == next((c for c in surname if "A" <= c <= "Z"), "9")


def test_mail_and_logins_are_made_from_names() -> None:
    """An address holds the first or the last name of whom it belongs to."""
    for seed in SEEDS:
        made = world(seed)
        for role in ("patient", "doctor", "relative"):
            person = made.person(Request(role))
            mail = text(made.slot(f"email.{role}"))
            names = plain_letters(person.given[0]), plain_letters(person.surname)
            assert any(name in mail.partition("@")[0] for name in names)
            assert mail == text(made.slot(f"email.{role}"))


def test_people_keep_their_names() -> None:
    """A role is the same person from the first mention to the last."""
    for seed in range(50):
        made = world(seed)
        surname = made.patient.surname
        assert labelled(made.slot("patient.last"), "PATIENT") == [surname]
        assert surname in text(made.slot("patient.titled_full"))
        assert surname.upper() in text(made.slot("patient.caps_last_first"))
        assert text(made.slot("relative.kin")) == text(made.slot("relative.kin"))


@pytest.mark.parametrize("kind", ["", "newborn", "paediatrics", "obstetrics"])
def test_days_come_in_order(kind: str) -> None:
    """Nothing happens before the birth, and the stay goes from admission to discharge."""
    order = ("birth", "past3", "past2", "past", "admission", "surgery", "today", "soon")
    for seed in SEEDS:
        made = world(seed, kind)
        days = [made.date(Request("date", view=view)) for view in order]
        assert days == sorted(days)
        assert made.date(Request("date", view="birth")) <= made.date(Request("date", view="recent"))


def test_the_age_fits_the_birth() -> None:
    """The age of an adult is that of the birthday before the day of the record."""
    for seed in SEEDS:
        made = world(seed)
        birth, today = made.patient.birth, made.today
        years = today.year - birth.year - ((today.month, today.day) < (birth.month, birth.day))
        assert labelled(made.slot("age"), "AGE") == [str(years)]


def test_small_children_are_days_weeks_or_months_old() -> None:
    """A newborn has no age in years."""
    for seed in range(50):
        made = world(seed, "newborn")
        assert made.age_parts()[1] in ("day", "week")
        assert re.search(r"day|week|d |wk", text(made.slot("aged")))


def test_kin_have_ages_that_are_possible() -> None:
    """Mothers are older than the patient, daughters younger."""
    for seed in SEEDS:
        made = world(seed)
        kin = made.person(Request("relative"))
        if kin.relation in ("mother", "mom", "grandmother", "father"):
            assert kin.birth < made.patient.birth
        if kin.relation in ("daughter", "son", "granddaughter"):
            assert made.patient.birth < kin.birth


def test_a_record_is_of_one_country() -> None:
    """Postcodes, dates and titles are those of the country."""
    seen = set()
    for seed in SEEDS:
        made = world(seed)
        seen.add(made.code)
        assert re.fullmatch(POSTCODES[made.code], text(made.slot("zip")))
        if made.code in ("uk", "ie", "au"):
            day = made.date(Request("date", view="today"))
            assert f"{day:%m/%d/}" not in text(made.slot("date.today/num")) or day.day < 13
    assert seen == set(POSTCODES)


@pytest.mark.parametrize(
    ("style", "written"),
    [
        ("iso", r"\d{4}-\d\d-\d\d"),
        ("year", r"\d{4}|'\d\d"),
        ("weekday", r"[A-Z][a-z]+"),
        ("ordinal", r"\d{1,2}(?:st|nd|rd|th)"),
        ("decade", r"\d{3}0'?s"),
        ("season", r"(?:winter|spring|summer|fall|autumn)(?: of)? \d{4}"),
        ("compact", r"\d{8}"),
    ],
)
def test_dates_are_written_in_many_ways(style: str, written: str) -> None:
    """A template may ask for one way of writing a day."""
    for seed in range(30):
        assert re.fullmatch(written, text(world(seed).slot(f"date.past/{style}")))


def test_a_range_of_days_is_two_dates() -> None:
    """What stands between two dates belongs to neither."""
    for seed in range(30):
        pieces = world(seed).slot("date.admission/range")
        assert [piece.label for piece in pieces] == ["DATE", None, "DATE"]


def test_a_weekday_is_that_of_the_date() -> None:
    """The name of the day fits the calendar."""
    for seed in range(100):
        made = world(seed)
        day = made.date(Request("date", view="soon"))
        assert date.strftime(day, "%A").startswith(text(made.slot("date.soon/weekday"))[:3])


@pytest.mark.parametrize(
    ("american", "country", "british"),
    [
        ("Anemia and edema.", "uk", "Anaemia and oedema."),
        ("ESOPHAGUS", "ie", "OESOPHAGUS"),
        ("colorectal laboratory", "au", "colorectal laboratory"),
        ("the PCP sent her to the ER", "uk", "the GP sent her to the A&E"),
        ("color of the center", "ca", "colour of the centre"),
        ("Anemia", "us", "Anemia"),
    ],
)
def test_spelling_is_that_of_the_country(american: str, country: str, british: str) -> None:
    """Templates are American; other countries spell and name things otherwise."""
    assert spelled(american, country, telegraphic=False) == british


def test_haste_shortens() -> None:
    """Some authors write in abbreviations."""
    assert spelled("Patient with chest pain", "us", telegraphic=True) == "Pt w/ CP"


def test_numbers_in_words() -> None:
    """Ages may be written out."""
    assert [in_words(number) for number in (7, 15, 40, 72)] == [
        *("seven", "fifteen", "forty", "seventy-two"),
    ]


def test_identities_can_be_put_into_other_text() -> None:
    """Real text gets people from the shared blocks, and keeps its words."""
    docs = [Document(str(number), "The patient is well. No fever.\n", "en") for number in range(20)]
    made = list(inject(docs, "en", silver=lambda _: (), seed=1))
    assert any(record.spans for record in made)
    assert all("No fever." in record.document.text for record in made)
