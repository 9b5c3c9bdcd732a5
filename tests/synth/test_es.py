"""Spanish dummy records: people, numbers and days that agree, in notes that differ."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest

from veil.core.checks import CHECKS
from veil.core.document import Document
from veil.core.labels import Converter, scheme
from veil.languages.es.synth import SpanishScenario, in_words, spelled
from veil.languages.es.synth.numbers import cuil_digit, rut_digit
from veil.synth.inject import inject
from veil.synth.notes import PROFILES, dummy_records, kinds, templates_of
from veil.synth.scenario import Request, plain_letters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veil.core.document import Record
    from veil.synth.segments import Segment

SEEDS = range(400)
LABELS = {
    *("PATIENT", "DOCTOR", "USERNAME", "PROFESSION", "AGE", "SEX", "RELATIVE", "DATE", "HOSPITAL"),
    *("ROOM", "ORGANIZATION", "STREET", "CITY", "STATE", "COUNTRY", "ZIP", "PHONE"),
    *("LOCATION-OTHER", "FAX", "EMAIL", "URL", "IPADDR", "SSN", "MEDICALRECORD", "HEALTHPLAN"),
    *("ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID", "IDNUM", "OTHER"),
}


@cache
def records(count: int, seed: int = 0) -> tuple[Record, ...]:
    return tuple(dummy_records("es", count, seed=seed))


def world(seed: int, kind: str = "") -> SpanishScenario:
    return SpanishScenario(Random(seed), profile=PROFILES.get(kind))  # noqa: S311 - no secret


def worlds_of(*countries: str) -> Iterator[SpanishScenario]:
    for seed in SEEDS:
        made = world(seed)
        if made.code in countries:
            yield made


def text(pieces: list[Segment]) -> str:
    return "".join(piece.text for piece in pieces)


def labelled(pieces: list[Segment], label: str) -> list[str]:
    return [piece.text for piece in pieces if piece.label == label]


def span_texts(record: Record, *labels: str) -> list[str]:
    return [
        record.document.text[span.start : span.end] for span in record.spans if span.label in labels
    ]


def test_kinds() -> None:
    """There are kinds of notes for every part of care, each with several layouts."""
    assert {"discharge", "nursing", "paediatrics", "newborn", "obstetrics"} <= set(kinds("es"))
    assert 25 <= len(kinds("es"))
    assert all(4 <= len(templates.notes) for templates in templates_of("es").values())


@pytest.mark.parametrize("kind", kinds("es"))
def test_every_kind_expands(kind: str) -> None:
    """Whatever the chance, a note has text, and spans that do not overlap."""
    made = list(dummy_records("es", 50, only=[kind], seed=1))
    assert len(made) == 50
    for record in made:
        assert record.document.text.strip()
        assert not record.set_aside


def test_every_shared_block_expands() -> None:
    """No block asks for a slot or a style that the world does not have."""
    templates = templates_of("es")["discharge"]
    for name in templates.blocks:
        for seed in range(30):
            pieces = templates.expand_block(name, world(seed), Random(seed))  # noqa: S311
            assert "{" not in text(pieces)


def test_same_seed_same_records() -> None:
    """A seed gives the same records, however many are asked for, and another seed others."""
    first = list(dummy_records("es", 40, seed=5))
    assert list(dummy_records("es", 80, seed=5))[:40] == first
    others = list(dummy_records("es", 40, seed=6))
    assert all(ours.document != other.document for ours, other in zip(first, others, strict=True))


def test_countries() -> None:
    """Most records are of Spain, and all six countries come."""
    counts = Counter(world(seed).code for seed in SEEDS)
    assert 0.6 < counts["es"] / len(SEEDS) < 0.8
    assert set(counts) == {"es", "mx", "ar", "cl", "co", "pe"}


def test_spanish_identity() -> None:
    """A DNI or, for migrants, a NIE has the letter of its number."""
    seen = Counter[str]()
    for made in worlds_of("es"):
        number = text(made.slot("dni"))
        fitting = "nie" if number[0] in "XYZ" else "dni"
        assert CHECKS.get(f"es-{fitting}")(number)
        seen[fitting] += 1
    assert seen["nie"] < seen["dni"]
    assert seen["nie"]


def test_identity_stays() -> None:
    """With its name or without, the number of somebody is the same one, and others have others."""
    for made in worlds_of("es", "mx", "cl", "ar", "co", "pe"):
        number = text(made.slot("dni"))
        assert labelled(made.slot("identity"), "MEDICALRECORD") == [number]
        assert text(made.slot("dni.relative")) != number


def test_social_security() -> None:
    """The number of the Spanish social security has its two check digits."""
    for made in worlds_of("es"):
        assert CHECKS.get("es-nss")(text(made.slot("nss")))


def test_curp() -> None:
    """A CURP is valid, and tells the birth and the sex of the patient."""
    for made in worlds_of("mx"):
        number = text(made.slot("dni"))
        assert CHECKS.get("mx-curp")(number)
        assert number[4:10] == f"{made.patient.birth:%y%m%d}"
        assert number[10] == ("M" if made.patient.sex == "female" else "H")


@pytest.mark.parametrize(
    ("number", "check"), [(12345678, "5"), (11111111, "1"), (6, "K"), (30686957, "4")]
)
def test_rut_digit(number: int, check: str) -> None:
    """The check character of known Chilean numbers is the known one."""
    assert rut_digit(number) == check


def test_rut() -> None:
    """A RUT has the check character of its digits."""
    for made in worlds_of("cl"):
        number, _, check = text(made.slot("dni")).replace(".", "").partition("-")
        assert rut_digit(int(number)) == check.upper()


def test_cuil_digit() -> None:
    """The check digit of a known Argentine number is the known one."""
    assert cuil_digit("2012345678") == "6"
    assert cuil_digit("3050001091") == "2"


def test_health_code() -> None:
    """The code of a health card tells the birth; women have forty added to the day."""
    found = 0
    for made in worlds_of("es"):
        code = text(made.slot("cip"))
        if re.fullmatch(r"[A-ZÑ]{4}\d{12}", code) and code[10:12] == "91":
            birth = made.patient.birth
            day = birth.day + 40 if made.patient.sex == "female" else birth.day
            assert code[4:10] == f"{birth:%y%m}{day:02}"
            found += 1
    assert found


def test_bank_accounts_and_telephones() -> None:
    """An IBAN, a card and the number of a telephone have valid check digits."""
    for made in worlds_of("es"):
        assert CHECKS.get("iban")(text(made.slot("bank")))
        assert CHECKS.get("imei")(text(made.slot("imei")))
    for made in worlds_of("mx"):
        assert CHECKS.get("card")(text(made.slot("bank")))


def test_phones() -> None:
    """A Spanish telephone has nine digits after the country's code."""
    for made in worlds_of("es"):
        number = re.sub(r",? ext.*", "", text(made.slot("phone")))
        digits = re.sub(r"\D", "", number)
        assert re.fullmatch(r"(?:00)?(?:34)?[6789]\d{8}", digits)


def test_mail_is_made_of_the_name() -> None:
    """An e-mail address holds the given name or the surname of its owner."""
    for seed in SEEDS:
        made = world(seed)
        for role in ("patient", "doctor2"):
            local = text(made.slot(f"mail.{role}")).partition("@")[0]
            name = role.rstrip("2")
            person = made.person(Request(name, role.removeprefix(name)))
            first = plain_letters(person.given[0].split()[0])
            assert first in local or plain_letters(person.surname) in local


def test_kin_shares_surnames() -> None:
    """Siblings have both surnames of the patient, a father the first, a mother the second."""
    seen = Counter[str]()
    for seed in SEEDS:
        made = world(seed)
        patient = made.somebody_of("patient")
        assert made.somebody_of("father").surname == patient.surname
        mother = made.somebody_of("mother")
        assert not patient.second or mother.surname == patient.second
        kin = made.somebody_of("relative")
        seen[kin.relation] += 1
        if kin.relation in ("hermano", "hermana"):
            assert kin.surnames == patient.surnames
        if kin.relation in ("hijo", "hija") and patient.second and kin.second:
            assert patient.surname in (kin.surname, kin.second)
    assert 20 < len(seen)


def test_parents_are_older() -> None:
    """A mother and a father were grown up when the patient was born."""
    for seed in SEEDS:
        made = world(seed, "newborn")
        for role in ("mother", "father"):
            assert 18 * 365 < (made.patient.birth - made.person(Request(role)).birth).days


def test_people_stay_the_same() -> None:
    """Every way of writing a name writes that of the same person."""
    for seed in SEEDS:
        made = world(seed)
        person = made.somebody_of("patient")
        assert text(made.slot("patient.plain")) == f"{person.givens} {person.surnames}"
        assert text(made.slot("patient.caps_surname_one")) == person.surname.upper()
        assert labelled(made.slot("patient.sir_full"), "PATIENT")


def test_titles_stay_outside() -> None:
    """No span of a name holds a title or an article."""
    title = re.compile(r"^(?:Dra?|D|Dña|Dª|don|doña|Sra?|el|la)\b\.?", re.IGNORECASE)
    for record in records(400):
        for name in span_texts(record, "PATIENT", "DOCTOR"):
            found = title.match(name)
            # Initials, and surnames that begin with a particle, look like some of them.
            assert found is None or found[0].lower() in ("d", "d.", "la", "el"), name


def test_articles_agree() -> None:
    """In a sentence a title has the article of the doctor's sex."""
    articles = Counter[str]()
    for seed in SEEDS:
        made = world(seed)
        sex = made.person(Request("doctor")).sex
        article = made.slot("doctor.to")[0].text
        if article in ("al ", "a la "):
            assert (article == "al ") == (sex == "male")
            articles[article] += 1
    assert all(50 < count for count in articles.values())


def test_days_are_in_order() -> None:
    """What is past comes before the admission, this before today, and that before the next."""
    order = ("birth", "past", "admission", "today", "soon")
    for seed in SEEDS:
        made = world(seed)
        days = [made.date(Request("date", view=view)) for view in order]
        assert all(first <= second for first, second in pairwise(days))


def test_dates_tell_the_day() -> None:
    """The numeric date of a field is that of the birth, in the country's order."""
    for seed in SEEDS:
        made = world(seed)
        born = made.patient.birth
        written = text(made.slot("date.birth/num"))
        numbers = [int(number) for number in re.findall(r"\d+", written)]
        assert born.day in numbers
        assert born.year in numbers or born.year % 100 in numbers


def test_age_fits_the_birth() -> None:
    """The age that a field tells is that of the birth date on the day of the record."""
    for seed in SEEDS:
        made = world(seed)
        number = re.match(r"\d+", text(made.slot("age.field")))
        assert number
        assert int(number[0]) == made.age_of(made.patient)


def test_ages_have_their_unit() -> None:
    """An age in a sentence holds its unit, as MEDDOCAN counts it."""
    for seed in SEEDS:
        for kind in ("", "paediatrics", "newborn"):
            (age,) = labelled(world(seed, kind).slot("age"), "AGE")
            assert re.search(r"(?:año|mes|semana|día|hora)", age)


@pytest.mark.parametrize(
    ("number", "words"),
    [(21, "veintiún"), (31, "treinta y un"), (40, "cuarenta"), (72, "setenta y dos"), (1, "un")],
)
def test_in_words(number: int, words: str) -> None:
    """A number before a noun is written as Spanish has it."""
    assert in_words(number) == words


def test_sex_agrees() -> None:
    """Words for the patient's sex, and endings that agree with it, are of one sex."""
    for seed in SEEDS:
        made = world(seed)
        female = made.patient.sex == "female"
        assert text(made.slot("o")) == ("a" if female else "o")
        assert text(made.slot("masculine")) == ("femenino" if female else "masculino")
        assert labelled(made.slot("man"), "SEX")[0] in (
            ("mujer",) if female else ("varón", "hombre", "niño")
        )


def test_words_of_the_country() -> None:
    """Plain text has the words of its country, and abbreviations where somebody is in a hurry."""
    plain = "Informe de alta. Teléfono móvil {}"
    assert spelled(plain, "es", "none") == plain
    assert spelled(plain, "mx", "none") == "Informe de egreso. Teléfono celular {}"
    assert spelled("El paciente, con fiebre", "es", "great") == "El pac, c/ fiebre"


def test_every_label_occurs() -> None:
    """Five hundred records hold every label that the guideline knows."""
    seen = {span.label for record in records(500) for span in record.spans}
    assert seen == LABELS


def test_records_can_be_written_as_meddocan() -> None:
    """Every span has a type in MEDDOCAN's scheme, kin and sex among them."""
    converter = Converter(scheme("veil"), scheme("meddocan"))
    types = Counter[str]()
    for record in records(300):
        converted = converter.convert_record(record)
        assert len(converted.spans) == len(record.spans)
        types.update(span.label for span in converted.spans)
    assert types["NOMBRE_SUJETO_ASISTENCIA"]
    assert types["FAMILIARES_SUJETO_ASISTENCIA"]
    assert types["SEXO_SUJETO_ASISTENCIA"]


def test_kin_with_a_name_is_one_span() -> None:
    """A word for kin and the name right after it are one span; names of friends are no kin."""
    for seed in SEEDS:
        made = world(seed)
        segments = made.slot("kin.named")
        kin = made.somebody_of("relative").label == "RELATIVE"
        assert kin == any(segment.label == "RELATIVE" for segment in segments)
        neighbours = zip(segments, segments[1:], segments[2:], strict=False)
        assert not any(
            first.label == last.label == "RELATIVE" and between.text == " "
            for first, between, last in neighbours
        )


def test_variety() -> None:
    """Records repeat neither sentences nor names."""
    sentences = Counter[str]()
    names = Counter[str]()
    for record in records(500):
        masked = record.document.text
        for span in reversed(record.spans):
            masked = f"{masked[: span.start]}#{masked[span.end :]}"
        sentences.update(part.strip() for part in re.split(r"[.\n]", masked) if 15 < len(part))
        names.update(span_texts(record, "PATIENT", "DOCTOR"))
    assert 5000 < len(sentences)
    assert 2100 < len(names)
    assert sentences.most_common(1)[0][1] < 60
    assert names.most_common(1)[0][1] < 25


def test_half_of_the_lines_name_nobody() -> None:
    """About half of the sentences are without anything to protect."""
    bare = total = 0
    for record in records(300):
        starts = {span.start for span in record.spans}
        for sentence in re.finditer(r"[^.;\n]{12,}", record.document.text):
            total += 1
            bare += not any(sentence.start() <= start < sentence.end() for start in starts)
    assert 0.47 < bare / total


def test_identities_are_put_into_other_text() -> None:
    """Plain Spanish text gets people from the shared blocks."""
    body = "El paciente refiere tos. La paciente mejora. " * 8
    docs = [Document(f"note-{number}", body, "es") for number in range(20)]
    made = list(inject(docs, "es", silver=lambda doc: []))
    assert all("PATIENT" in {span.label for span in record.spans} for record in made)
