"""Numbers of people in six Spanish-speaking countries, with their check digits."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from veil.core.numbers import (
    curp_digit,
    dni_letter,
    iban_check_digits,
    luhn_digit,
    nie_letter,
    nss_digits,
)
from veil.languages.es.synth.people import PeopleSlots
from veil.synth.scenario import by_four
from veil.synth.segments import Segment

if TYPE_CHECKING:
    from veil.languages.es.synth.people import Hispanic
    from veil.synth.scenario import Request

_CONSONANTS = re.compile("[BCDFGHJKLMNPQRSTVWXYZÑ]")
_VOWELS = re.compile("[AEIOU]")
_ANY_DIGIT = "0123456789"
# The first digits of mobile numbers; in Mexico they are those of landlines.
_MOBILES = {
    "es": ("6", "6", "6", "7"),
    "ar": ("11", "11", "15"),
    "cl": ("9",),
    "co": ("300", "310", "312", "315", "320", "350"),
    "pe": ("9",),
}


def rut_digit(number: int) -> str:
    """Return the check character of a Chilean RUT: weights 2 to 7 from the right, modulus 11."""
    total = sum(int(digit) * (2 + index % 6) for index, digit in enumerate(reversed(str(number))))
    return "0123456789K0"[11 - total % 11]


def cuil_digit(digits: str) -> str | None:
    """Return the check digit of an Argentine CUIL; None if the number needs another prefix."""
    weights = (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)
    rest = 11 - sum(int(d) * w for d, w in zip(digits, weights, strict=True)) % 11
    return {11: "0", 10: None}.get(rest, str(rest))


class Numbers(PeopleSlots):
    """Slots of numbers of people, accounts and telephones; `slots.txt` has the others."""

    def slot_identity(self, request: Request) -> list[Segment]:
        """The country's personal number, with its name: `{identity.relative2}`."""
        return [Segment(self.text("identity_key")), *self.slot_dni(request)]

    def slot_dni(self, request: Request) -> list[Segment]:
        """The number alone: DNI, CURP, RUT, cédula."""
        person = self.somebody_of(request.view)
        # Hospitals identify their patients by it, as in MEDDOCAN.
        label = "MEDICALRECORD" if person.role == "patient" else "IDNUM"
        key = f"dni.{request.view or 'patient'}"
        return self.kept(key, lambda: [Segment(self._identity(person), label)])

    def _identity(self, person: Hispanic) -> str:
        match self.code:
            case "es":
                return self._spanish(person)
            case "mx":
                return self._curp(person)
            case "ar":
                return self._argentine(person)
            case "cl":
                number = self.rng.randint(4_000_000, 26_000_000)
                check = rut_digit(number)
                check = check.lower() if self.rng.random() < 0.2 else check
                return f"{self.rng.choice((_dotted(number), _dotted(number), number))}-{check}"
            case "co":
                low, high = self.rng.choice(
                    ((4_000_000, 99_999_999), (1_000_000_000, 1_199_999_999))
                )
                number = self.rng.randint(low, high)
                return str(self.rng.choice((number, number, _dotted(number))))
            case _:
                return self.digits(8, first="01234678")

    def _spanish(self, person: Hispanic) -> str:
        if self.origin == "migrant" and person.label != "DOCTOR":
            prefix, digits = self.rng.choice("XYYZ"), self.digits(7, first=_ANY_DIGIT)
            between = self.rng.choice(("", "", "-"))
            return f"{prefix}{between}{digits}{between}{nie_letter(prefix, digits)}"
        digits = self.digits(8, first="0122345677")
        letter = dni_letter(int(digits))
        dotted = f"{digits[:2]}.{digits[2:5]}.{digits[5:]}"
        return self.draw(
            {
                f"{digits}{letter}": 10,
                f"{digits}-{letter}": 3,
                f"{dotted}-{letter}": 1.5,
                f"{dotted}{letter}": 0.6,
                f"{digits} {letter}": 0.8,
                f"{dotted} {letter}": 0.4,
                f"{digits}{letter.lower()}": 0.3,
            }
        )

    def _curp(self, person: Hispanic) -> str:
        first, last = _letters(person.givens.split()[0]), _letters(person.surname.split()[-1])
        second = _letters(person.second.split()[-1]) if person.second else "X"
        vowel = _VOWELS.search(last, 1)
        inner = "".join(_second_consonant(name) for name in (last, second, first))
        start = (
            f"{last[0]}{vowel[0] if vowel else 'X'}{second[0]}{first[0]}{person.birth:%y%m%d}"
            f"{'M' if person.sex == 'female' else 'H'}{self.word('mexican_states')}{inner}"
            f"{self.rng.choice(_ANY_DIGIT if person.birth.year < 2000 else 'ABCD')}"
        )
        return start + curp_digit(start)

    def _argentine(self, person: Hispanic) -> str:
        age = self.age_of(person)
        number = self.rng.randint(3_000_000, 9_000_000) + max(0, 75 - age) * 600_000
        prefix = "27" if person.sex == "female" else "20"
        check = cuil_digit(f"{prefix}{number:08}")
        if check and self.rng.random() < 0.2:
            return f"{prefix}-{number:08}-{check}"
        return str(self.rng.choice((_dotted(number), _dotted(number), number)))

    def slot_nss(self, request: Request) -> list[Segment]:
        """The social security number."""
        return self.kept(request.key, lambda: [Segment(self._nss(), "SSN")])

    def _nss(self) -> str:
        if self.code != "es":
            digits = self.digits(10)
            number = digits + luhn_digit(digits)
            spaced = f"{number[:4]} {number[4:6]} {number[6:10]} {number[10]}"
            hyphened = f"{number[:2]}-{number[2:10]}-{number[10]}"
            return self.rng.choice((number, number, spaced, hyphened))
        province, serial = self.rng.randint(1, 50), self.rng.randint(100_000, 99_999_999)
        between = self.rng.choice((" ", " ", "/", "-", ""))
        return between.join((f"{province:02}", f"{serial:08}", nss_digits(province, serial)))

    def slot_healthcode(self, request: Request) -> list[Segment]:
        """The patient's code in a health service."""
        person = self.somebody_of("patient")
        female = person.sex == "female"
        names = [_letters(name) for name in (person.surname, person.second or person.surname)]
        consonants = "".join(_first_consonants(name) for name in names)
        letters = "".join(name[:2] for name in names)
        birth = person.birth
        day = birth.day + 40 if female else birth.day
        code = self.draw(
            {
                f"{consonants}{birth:%y%m}{day:02}91{self.digits(4)}": 4,
                f"{letters}{int(female)}{birth:%y%m%d}{self.digits(3, first='0')}": 2,
                f"{letters} {int(female)} {birth:%y%m%d} 0{self.digits(1)} {self.digits(1)}": 1,
                f"AN{self.digits(10)}": 1.5,
                self.digits(10): 1.5,
                self.digits(8): 1,
                f"BBBB{self.fill('AA')}{self.digits(10)}": 0.6,
            }
        )
        return [Segment(code)]

    def slot_bank(self, request: Request) -> list[Segment]:
        """A bank account or a card."""

        def make() -> list[Segment]:
            account = self.digits(20, first="0123")
            card = self.digits(15, first="45")
            iban = f"ES{iban_check_digits('ES', account)}{account}"
            number = iban if self.code == "es" else card + luhn_digit(card)
            forms = (number, by_four(number), by_four(number))
            return [Segment(self.rng.choice(forms), "ACCOUNT")]

        return self.kept(request.key, make)

    def slot_imei(self, request: Request) -> list[Segment]:
        digits = self.digits(14, first="3")
        return self.kept(request.key, lambda: [Segment(digits + luhn_digit(digits), "DEVICE")])

    # -- telephones -----------------------------------------------------------------------------

    def slot_phone(self, request: Request) -> list[Segment]:
        """A telephone number, the same for an index throughout: `mobile`, `line`, or either."""
        kind = request.view or self.draw({"mobile": 6, "line": 4})
        key = f"{request.key}.{request.view}"
        return self.kept(key, lambda: [Segment(self._phone(kind), "PHONE")])

    def slot_extended(self, request: Request) -> list[Segment]:
        """A telephone number with its extension, as one span."""
        (line,) = self.slot(f"phone{request.number}.line")
        return [Segment(f"{line.text} ext. {self.text('ext')}", "PHONE")]

    def slot_fax(self, request: Request) -> list[Segment]:
        return self.kept(request.key, lambda: [Segment(self._phone("line"), "FAX")])

    def _phone(self, kind: str) -> str:
        area, rest = self._phone_digits(kind)
        rng = self.rng
        if self.code == "es":
            d = area + rest
            national = self.draw(
                {
                    d: 9,
                    f"{d[:3]} {d[3:6]} {d[6:]}": 7,
                    f"{d[:3]} {d[3:5]} {d[5:7]} {d[7:]}": 5,
                    f"{d[:3]}.{d[3:6]}.{d[6:]}": 0.7,
                    f"{d[:3]}-{d[3:6]}-{d[6:]}": 0.8,
                    f"{d[:3]} {d[3:]}": 0.8,
                    f"{d[:2]} {d[2:5]} {d[5:7]} {d[7:]}": 1,
                }
            )
        else:
            half = f"{rest[:-4]}{rng.choice((' ', '-', ''))}{rest[-4:]}"
            forms = (f"({area}) {half}", f"{area} {half}", f"{area}{rest}", f"{area}-{half}")
            national = rng.choice(forms)
        code = self.country["telephone"]
        starts = {"": 12, f"+{code} ": 1.5, f"+{code}": 0.4, f"(+{code}) ": 0.2, f"00{code} ": 0.2}
        tail = ""
        if kind == "line" and rng.random() < 0.05:
            tail = f"{rng.choice((' ext. ', ' ext ', ', ext. '))}{self.digits(4)}"
        return self.draw(starts) + national + tail

    def _phone_digits(self, kind: str) -> tuple[str, str]:
        """Return the code of an area or network, and the rest of the number."""
        area = self.home_town().area
        if kind == "mobile":
            area = self.rng.choice(_MOBILES.get(self.code, (area,)))
        if (self.code, kind) == ("pe", "line") or area == "15":
            return area, self.digits(7)
        length = {"es": 9, "cl": 9 if kind == "mobile" else 8 + len(area), "pe": 9}
        first = _ANY_DIGIT if self.code == "es" and kind == "mobile" else "123456789"
        return area, self.digits(length.get(self.code, 10) - len(area), first=first)


def _dotted(number: int) -> str:
    return f"{number:,}".replace(",", ".")


def _letters(name: str) -> str:
    """Return a name in capitals of the plain alphabet, with Ñ."""
    kept = name.upper().replace("Ñ", "\0")
    plain = unicodedata.normalize("NFD", kept)
    letters = "".join(c for c in plain if c.isascii() and (c.isalpha() or c == "\0"))
    return letters.replace("\0", "Ñ") or "X"


def _first_consonants(name: str) -> str:
    return "".join([*_CONSONANTS.findall(name), "X", "X"][:2])


def _second_consonant(name: str) -> str:
    found = _CONSONANTS.search(name, 1)
    return found[0] if found else "X"
