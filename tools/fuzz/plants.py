"""Planted identifiers: unique strings in a context in which Veil always finds them."""

from __future__ import annotations

import string
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    Maker = Callable[[random.Random], str]

LANGUAGES = ("en", "es", "sv", "ja")


@dataclass(frozen=True, slots=True)
class Plant:
    """A planted identifier: `value` is unique, `sentence` is the value with its context.

    One that `is_line`, a name after a title or in a form field, is always found at a line start.
    """

    label: str
    value: str
    sentence: str
    is_line: bool = False


class Kind(NamedTuple):
    """A kind of plant; `{}` in the sentence is the value."""

    label: str
    sentence: str
    make: Maker


def digits(rng: random.Random, count: int) -> str:
    return "".join(rng.choices(string.digits, k=count))


def surname(rng: random.Random) -> str:
    """An invented surname that is in no word list."""
    endings = ("", "x", "rk", "lv", "nd", "m")
    syllables = (
        rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") + rng.choice(endings) for _ in range(4)
    )
    return "".join(syllables).capitalize()


def japanese_surname(rng: random.Random) -> str:
    return "".join(rng.sample("嶽鷲鱒榊淵櫛篠鴻蓼鞍蕪樋槙", k=4))


def word(rng: random.Random) -> str:
    """A unique word in lower case, for e-mail and web addresses."""
    return "".join(rng.choices(string.ascii_lowercase, k=10)) + digits(rng, 2)


def us_ssn(rng: random.Random) -> str:
    return f"{rng.randint(101, 665)}-{rng.randint(11, 99)}-{rng.randint(1001, 9999)}"


def us_phone(rng: random.Random) -> str:
    return f"(617) {rng.randint(220, 990)}-{digits(rng, 4)}"


def nhs_number(rng: random.Random) -> str:
    while True:
        number = digits(rng, 9)
        check = -sum(int(digit) * (10 - place) for place, digit in enumerate(number)) % 11
        if check < 10:
            return f"{number[:3]} {number[3:6]} {number[6:]}{check}"


def dni(rng: random.Random) -> str:
    number = rng.randint(10_000_000, 99_999_999)
    return f"{number}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}"


def personnummer(rng: random.Random) -> str:
    year = rng.randint(1930, 1999)
    short = f"{year % 100:02}{rng.randint(1, 12):02}{rng.randint(1, 28):02}{digits(rng, 3)}"
    doubled = (int(digit) * (2 - place % 2) for place, digit in enumerate(short))
    check = -sum(each // 10 + each % 10 for each in doubled) % 10
    return f"{year // 100}{short[:6]}-{short[6:]}{check}"


KINDS: dict[str, tuple[Kind, ...]] = {
    "en": (
        Kind("SSN", "SSN {}", us_ssn),
        Kind("SSN", "SSN: {}.", us_ssn),
        Kind("SSN", "NHS number {}", nhs_number),
        Kind("EMAIL", "e-mail: {}@example.org", word),
        Kind("EMAIL", "Contact {}@example.com today.", word),
        Kind("PHONE", "Phone: {}", us_phone),
        Kind("NAME", "Mr. {} was seen.", surname),
        Kind("NAME", "Dr. {} was called.", surname),
        Kind("NAME", "Patient name: {}", surname),
        Kind("MEDICALRECORD", "MRN: {}", lambda rng: digits(rng, 8)),
        Kind("URL", "https://www.example.org/{}", word),
    ),
    "es": (
        Kind("SSN", "DNI {}", dni),
        Kind("SSN", "DNI: {}.", dni),
        Kind("EMAIL", "Correo electrónico: {}@example.es", word),
        Kind(
            "PHONE",
            "Tel.: {}",
            lambda rng: f"6{digits(rng, 2)} {digits(rng, 3)} {digits(rng, 3)}",
        ),
        Kind("NAME", "Sr. {} acude hoy.", surname),
        Kind("NAME", "Dra. {} lo valora.", surname),
        Kind("NAME", "Nombre: {}", surname),
        Kind("MEDICALRECORD", "NHC: {}", lambda rng: digits(rng, 8)),
        Kind("URL", "https://www.example.es/{}", word),
    ),
    "sv": (
        Kind("SSN", "Personnummer {}", personnummer),
        Kind("SSN", "Personnummer: {}.", personnummer),
        Kind("EMAIL", "E-post: {}@example.se", word),
        Kind(
            "PHONE",
            "Tel: {}",
            lambda rng: f"070-{digits(rng, 3)} {digits(rng, 2)} {digits(rng, 2)}",
        ),
        Kind("NAME", "Herr {} söker.", surname),
        Kind("NAME", "Dr {} bedömer.", surname),
        Kind("NAME", "Doktor {} bedömer.", surname),
        Kind("URL", "https://www.example.se/{}", word),
    ),
    "ja": (
        Kind("PHONE", "電話 {}", lambda rng: f"090-{digits(rng, 4)}-{digits(rng, 4)}"),
        Kind("PHONE", "電話：{}", lambda rng: f"03-{digits(rng, 4)}-{digits(rng, 4)}"),
        Kind("EMAIL", "メール：{}@example.jp", word),
        Kind("NAME", "患者氏名：{}", japanese_surname),
        Kind("NAME", "{}医師が診察した。", japanese_surname),
        Kind("NAME", "{}さんが来院した。", japanese_surname),
        Kind("MEDICALRECORD", "カルテ番号：{}", lambda rng: digits(rng, 8)),
        Kind("MEDICALRECORD", "患者ID：{}", lambda rng: digits(rng, 8)),
        Kind("URL", "https://www.example.jp/{}", word),
    ),
}
"""The identifiers that are found in records of each language."""


def plant(rng: random.Random, language: str) -> Plant:
    """Make an identifier that is found in records of this language."""
    kind = rng.choice(KINDS[language])
    value = kind.make(rng)
    return Plant(kind.label, value, kind.sentence.format(value), kind.label == "NAME")


def bare(label: str, value: str) -> Plant:
    """An identifier without a context: a separate value, or a known one."""
    return Plant(label, value, value)
