"""Swedish titles of staff and patients, which stand outside the spans of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from veil.synth.people import Person

# What the staff of each role are, and how often.
TITLES: Mapping[str, Mapping[str, float]] = {
    "doctor": {
        "överläkare": 20,
        "biträdande överläkare": 5,
        "specialistläkare": 15,
        "ST-läkare": 20,
        "underläkare": 11,
        "AT-läkare": 9,
        "BT-läkare": 3,
        "distriktsläkare": 8,
        "leg läkare": 6,
        "specialist i allmänmedicin": 2,
        "läkare": 4,
        "docent": 2,
        "klinikchef": 1,
        "professor": 1,
    },
    "nurse": {
        "sjuksköterska": 34,
        "undersköterska": 22,
        "distriktssköterska": 12,
        "specialistsjuksköterska": 6,
        "kontaktsjuksköterska": 5,
        "skötare": 4,
        "sjukvårdsbiträde": 2,
        "leg sjuksköterska": 10,
        "chefssjuksköterska": 2,
        "hälsovårdare": 1,
    },
    "midwife": {"barnmorska": 1},
    "therapist": {
        "fysioterapeut": 30,
        "arbetsterapeut": 25,
        "sjukgymnast": 10,
        "dietist": 10,
        "logoped": 10,
        "leg fysioterapeut": 6,
        "leg arbetsterapeut": 5,
    },
    "counsellor": {
        "kurator": 40,
        "psykolog": 30,
        "PTP-psykolog": 4,
        "socionom": 4,
        "leg psykolog": 8,
        "samtalsterapeut": 4,
        "hälso- och sjukvårdskurator": 4,
        "psykoterapeut": 5,
    },
    "officer": {
        "handläggare": 30,
        "socialsekreterare": 20,
        "biståndshandläggare": 15,
        "biståndsbedömare": 8,
        "enhetschef": 8,
        "boendestödjare": 6,
        "arbetskonsulent": 3,
        "rektor": 4,
        "skolsköterska": 4,
        "diakon": 2,
        "advokat": 2,
        "koordinator": 4,
    },
}

_WRITINGS = {
    "överläkare": ("öl", "öl", "överläkare", "ÖL", "Öl", "överläk"),
    "biträdande överläkare": ("bitr öl", "biträdande överläkare", "bitr. öl", "bÖL"),
    "specialistläkare": ("specialistläkare", "spec läk", "spec.läk.", "specialist"),
    "ST-läkare": ("ST-läkare", "ST-läk", "ST läk", "ST", "st-läk"),
    "underläkare": ("ul", "underläkare", "UL", "u-läk", "vik ul"),
    "AT-läkare": ("AT-läkare", "AT-läk", "AT", "at-läk"),
    "BT-läkare": ("BT-läkare", "BT-läk", "BT"),
    "distriktsläkare": ("distriktsläkare", "dl", "DL", "distr.läk", "husläkare", "familjeläkare"),
    "leg läkare": ("leg läk", "läk", "leg läkare", "leg.läk.", "läkare"),
    "läkare": ("läk", "läkare", "läkaren", "bakjour", "primärjour", "jourläkare", "avd läk", "PAL"),
    "sjuksköterska": ("ssk", "ssk", "sjuksköterska", "Ssk", "syster", "SSK", "sköterska"),
    "undersköterska": ("usk", "usk", "undersköterska", "Usk", "USK"),
    "distriktssköterska": ("dsk", "distriktssköterska", "DSK", "distriktsköterska", "distr.ssk"),
    "specialistsjuksköterska": ("spec.ssk", "specialistsjuksköterska", "ssk", "IVA-ssk"),
    "kontaktsjuksköterska": ("kontakt-ssk", "kontaktsjuksköterska", "kssk", "kontaktsköterska"),
    "leg sjuksköterska": ("leg ssk", "ssk", "leg. sjuksköterska"),
    "chefssjuksköterska": ("chefssjuksköterska", "chefssköterska", "vårdenhetschef"),
    "barnmorska": ("barnmorska", "bm", "BM", "barnmorskan", "bmsk"),
    "fysioterapeut": ("fysioterapeut", "fys.ter", "FT", "ft", "fysioterapeuten", "sjukgymnast"),
    "arbetsterapeut": ("arbetsterapeut", "AT", "arb.ter.", "arbetsterapeuten"),
    "leg fysioterapeut": ("leg fysioterapeut", "leg. fysioterapeut"),
    "leg psykolog": ("psykolog", "leg psykolog", "psykologen"),
    "kurator": ("kurator", "kuratorn", "kur"),
    "hälso- och sjukvårdskurator": ("kurator", "h&s-kurator"),
    "handläggare": ("handläggare", "handl", "handläggaren"),
    "socialsekreterare": ("socialsekreterare", "soc.sekr.", "socsekr", "soc sekr"),
}
_DOCTOR = ("dr", "dr", "Dr", "dr", "doktor", "Dr", "dr.", "d:r", "DR")


def title_before(person: Person, role: str, rng: Random) -> str:
    """What stands before the name: dr, öl, ssk, fru."""
    if role == "patient":
        kind = rng.random()
        if kind < 0.45:
            return rng.choice(("pat", "patienten", "pat", "Pat"))
        return rng.choice(
            ("fru", "Fru", "fröken") if person.sex == "female" else ("herr", "Herr", "hr")
        )
    if role == "doctor" and rng.random() < 0.45:
        return rng.choice(_DOCTOR)
    return rng.choice(_WRITINGS.get(person.title, (person.title,)))
