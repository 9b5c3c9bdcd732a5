"""Swedish dummy records: people, numbers and days that agree, in notes that differ."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest

from veil.core.checks import CHECKS
from veil.core.document import Document
from veil.core.labels import Converter, scheme
from veil.languages import language_folder
from veil.languages.sv.synth import SwedishScenario
from veil.synth.inject import inject
from veil.synth.notes import PROFILES, dummy_records, kinds, templates_of
from veil.synth.patterns import read_blocks, words
from veil.synth.scenario import Request, plain_letters

if TYPE_CHECKING:
    from veil.core.document import Record
    from veil.synth.segments import Segment

SEEDS = range(300)
PERSONAL = ("se-personnummer", "se-samordningsnummer", "se-reservnummer")
LABELS = {
    *("PATIENT", "DOCTOR", "USERNAME", "PROFESSION", "AGE", "DATE", "HOSPITAL", "DEPARTMENT"),
    *("ROOM", "ORGANIZATION", "STREET", "CITY", "STATE", "COUNTRY", "ZIP", "LOCATION-OTHER"),
    *("PHONE", "FAX", "EMAIL", "URL", "IPADDR", "SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT"),
    *("LICENSE", "VEHICLE", "DEVICE", "BIOID", "IDNUM"),
}


@cache
def records(count: int, seed: int = 0) -> tuple[Record, ...]:
    return tuple(dummy_records("sv", count, seed=seed))


def scenario(seed: int, kind: str = "") -> SwedishScenario:
    return SwedishScenario(Random(seed), profile=PROFILES.get(kind))  # noqa: S311 - no secret


def text(segments: list[Segment]) -> str:
    return "".join(segment.text for segment in segments)


def span_texts(record: Record, *labels: str) -> list[str]:
    return [
        record.document.text[span.start : span.end] for span in record.spans if span.label in labels
    ]


def test_kinds() -> None:
    """There are kinds of notes for every part of care, each with several layouts."""
    assert {"discharge", "nursing", "paediatrics", "newborn", "obstetrics"} <= set(kinds("sv"))
    assert 25 <= len(kinds("sv"))
    assert all(4 <= len(templates.notes) for templates in templates_of("sv").values())


@pytest.mark.parametrize("kind", kinds("sv"))
def test_every_kind_expands(kind: str) -> None:
    """Whatever the chance, a note has text, and spans that do not overlap."""
    made = list(dummy_records("sv", 50, only=[kind], seed=1))
    assert len(made) == 50
    for record in made:
        assert record.document.text.strip()
        assert not record.set_aside


def test_same_seed_same_records() -> None:
    """A seed gives the same records, however many are asked for, and another seed others."""
    first = list(dummy_records("sv", 40, seed=5))
    assert list(dummy_records("sv", 80, seed=5))[:40] == first
    others = list(dummy_records("sv", 40, seed=6))
    assert all(ours.document != other.document for ours, other in zip(first, others, strict=True))


def test_personal_numbers() -> None:
    """The personal number is valid and tells the birth and the sex of the patient."""
    kinds_seen = Counter[str]()
    for seed in SEEDS:
        made = scenario(seed)
        number = text(made.slot("ssn.long"))
        born = made.patient.birth
        if made.has_trait("finland"):
            assert CHECKS.get("fi-personal-code")(number)
            assert number.startswith(f"{born:%d%m%y}")
            kinds_seen["finnish"] += 1
            continue
        fitting = [name for name in PERSONAL if CHECKS.get(name)(number)]
        assert fitting
        kinds_seen[fitting[0]] += 1
        if fitting[0] == "se-personnummer":
            assert number.startswith(f"{born:%Y%m%d}")
            assert int(number[-2]) % 2 == (made.patient.sex == "male")
    assert set(kinds_seen) == {*PERSONAL, "finnish"}


def test_personal_number_stays() -> None:
    """However it is written, the number is the same one throughout a record."""
    for seed in SEEDS:
        made = scenario(seed)
        written = {re.sub(r"\W", "", text(made.slot("ssn")))[-4:] for _ in range(5)}
        assert len(written) == 1


def test_bank_accounts() -> None:
    """An IBAN among the accounts has valid check digits."""
    numbers = [text(scenario(seed).slot("account")) for seed in SEEDS]
    ibans = [number for number in numbers if number.startswith(("SE", "FI"))]
    assert ibans
    assert all(CHECKS.get("iban")(number) for number in ibans)


def test_mail_is_made_of_the_name() -> None:
    """An e-mail address holds the first or the last name of its owner."""
    for seed in SEEDS:
        made = scenario(seed)
        for role in ("patient", "relative", "doctor"):
            person = made.person(Request(role))
            local = text(made.slot(f"mail.{role}")).partition("@")[0]
            names = (plain_letters(person.given[0]), plain_letters(person.surname))
            assert any(name in local for name in names)


def test_days_in_order() -> None:
    """Birth, past, admission, surgery, today and the next visit follow each other."""
    order = ("birth", "past", "recent", "admission", "surgery", "today", "next")
    for seed in SEEDS:
        made = scenario(seed)
        days = [made.date(Request("date", view=name)) for name in order]
        assert days == sorted(days)


@pytest.mark.parametrize("kind", ["", "paediatrics", "newborn", "obstetrics"])
def test_age_fits_the_birth(kind: str) -> None:
    """The age is that of somebody born on the day of birth; that of infants has a unit."""
    for seed in range(100):
        made = scenario(seed, kind)
        age = text(made.slot("age.num"))
        days = (made.today - made.patient.birth).days
        if age.isdecimal():
            assert int(age) in (days // 366, days // 365, int(days / 365.25))
            assert 2 <= int(age)
        else:
            assert days < 2 * 366
            assert re.search("dag|dygn|veck|v|mån|år", age)


def test_relatives_fit() -> None:
    """A daughter is a woman and younger, a mother a woman and older than the patient."""
    seen = Counter[str]()
    for seed in SEEDS:
        made = scenario(seed)
        relative = made.person(Request("relative"))
        seen[relative.relation] += 1
        if relative.relation in ("dotter", "mor", "mamma"):
            assert relative.sex == "female"
            older = relative.birth < made.patient.birth
            assert older == (relative.relation != "dotter")
    assert 15 <= len(seen)


def test_names_are_apart() -> None:
    """First and last names are spans of their own, with the genitive -s inside."""
    for seed in SEEDS:
        made = scenario(seed)
        first, space, last = made.slot("patient.full/gen")
        assert (first.part, space.label, last.part) == ("first", None, "last")
        assert first.text == made.patient.given[0]
        assert last.text.startswith(made.patient.surname)
        assert last.text[-1] in "sxz"


def test_titles_stay_outside() -> None:
    """No span of a name holds the title before it."""
    titles = re.compile(r"(?:dr|doktor|ssk|usk|öl|fru|herr|överläkare|syster)\b", re.IGNORECASE)
    names = [name for record in records(600) for name in span_texts(record, "PATIENT", "DOCTOR")]
    assert 3000 <= len(names)
    assert not [name for name in names if titles.match(name)]


def test_prepositions_stay_outside() -> None:
    """No span of a date begins with a preposition."""
    dates = [date for record in records(600) for date in span_texts(record, "DATE")]
    leads = re.compile(r"(?:i|den|på|under|sedan|från|till|år|förra|nu)\s", re.IGNORECASE)
    assert not [date for date in dates if leads.match(date)]


def test_days_tell_whether_they_are_whole() -> None:
    """A writing is full when the day, the month and the year can be read from it."""
    made = scenario(0)
    blocks = read_blocks(language_folder("sv") / "synth" / "slots.txt")
    styles = {name.removeprefix("day.") for name in blocks if name.startswith("day.")}
    full = set(words("sv", "full_dates"))
    assert full < styles
    for style in styles:
        segment = made.slot(f"date.past/{style}")[0]
        assert segment.part == ("full" if style in full else "partial")
        if style == "season":
            assert segment.text.split()[0] in ("våren", "sommaren", "hösten", "vintern")
        if style in full:
            assert made.date(Request("date", view="past")).strftime("%y") in segment.text


def test_all_labels() -> None:
    """Every label comes in a thousand records, those of the Stockholm scheme in three hundred."""
    assert {span.label for record in records(1000) for span in record.spans} == LABELS
    converter = Converter(scheme("veil"), scheme("stockholm"))
    found = {
        span.label
        for record in records(1000)[:300]
        for span in converter.convert_record(record).spans
    }
    assert found == set(scheme("stockholm").labels)


def test_variety() -> None:
    """Five hundred records have thousands of sentences and names."""
    made = records(1000)[:500]
    sentences = {
        sentence.strip()
        for record in made
        for sentence in re.split(r"(?<=[.!?])\s|\n", record.document.text)
    }
    assert 7000 <= len(sentences)
    names = Counter(name for record in made for name in span_texts(record, "PATIENT", "DOCTOR"))
    assert 2000 <= len(names)
    assert names.most_common(1)[0][1] <= 25


def test_much_has_no_identifier() -> None:
    """More than half of the sentences hold nothing to protect."""
    clean = total = 0
    for record in records(1000)[:300]:
        for match in re.finditer(r"[^\n.!?]*\w[^\n.!?]*[.!?]?", record.document.text):
            total += 1
            clean += not any(
                span.start < match.end() and match.start() < span.end for span in record.spans
            )
    assert total < 2 * clean


def test_identities_for_real_text() -> None:
    """Real text without people gets a head, sentences and a signature that all may hold names."""
    docs = [
        Document(f"doc-{number}", "Patienten mår bra. Pat har feber. Patienten sover.\n" * 5, "sv")
        for number in range(20)
    ]
    made = list(inject(docs, "sv", silver=lambda doc: (), seed=3))
    assert all("feber" in record.document.text for record in made)
    parts = {span.part for record in made for span in record.spans}
    assert {"first", "last", "full", "partial"} <= parts
