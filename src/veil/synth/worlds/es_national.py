"""Numbers that six countries give to their people, made of who they are and checked as they are."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from veil.core.numbers import curp_digit, dni_letter, luhn_digit, nie_letter, nss_digits
from veil.synth.pieces import Piece
from veil.synth.world import Request
from veil.synth.worlds.es_ages import Ages

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.synth.worlds.es_people import Hispanic

_CONSONANTS = re.compile("[BCDFGHJKLMNPQRSTVWXYZÑ]")
_VOWELS = re.compile("[AEIOU]")
_MEXICAN_STATES = (
    *"AS BC BS CC CL CM CS CH DF DG GT GR HG JC MC MN MS".split(),
    *"NT NL OC PL QT QR SP SL SR TC TS TL VZ YN ZS NE".split(),
)
_NAMES = {
    "es": ("DNI: ", "DNI ", "DNI/NIE: ", "NIF: ", "D.N.I.: ", "DNI nº ", "DNI/Pasaporte: "),
    "mx": ("CURP: ", "CURP ", "C.U.R.P.: "),
    "ar": ("DNI: ", "DNI ", "D.N.I. ", "CUIL: ", "Doc.: "),
    "cl": ("RUT: ", "RUT ", "RUN: ", "R.U.T.: "),
    "co": ("CC: ", "C.C. ", "Cédula: ", "Identificación: CC ", "cédula ", "Documento: "),
    "pe": ("DNI: ", "DNI ", "DNI N° ", "Documento: "),
}


def rut_digit(number: int) -> str:
    """The check character of a Chilean RUT: weights 2 to 7 from the right, modulus 11."""
    total = sum(int(digit) * (2 + place % 6) for place, digit in enumerate(reversed(str(number))))
    return "0123456789K0"[11 - total % 11]


def cuil_digit(digits: str) -> str | None:
    """The check digit of an Argentine CUIL; none where the number would need another prefix."""
    weights = (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)
    rest = 11 - sum(int(d) * w for d, w in zip(digits, weights, strict=True)) % 11
    return {11: "0", 10: None}.get(rest, str(rest))


class NationalNumbers(Ages):
    """Slots `{dni}`, `{nie}`, `{identity}`, `{nss}`, `{cip}`, `{card}`."""

    def slot_identity(self, request: Request) -> list[Piece]:
        """The country's number of a person, with the word before it: `{identity.relative2}`."""
        return [Piece(self.rng.choice(_NAMES[self.code])), *self.slot_dni(request)]

    def slot_dni(self, request: Request) -> list[Piece]:
        """The number alone: DNI, CURP, RUT, cédula."""
        role = request.view.rstrip("0123456789") or "patient"
        person = self.somebody(Request(role, request.view.removeprefix(role)))
        makers: dict[str, Callable[[], str]] = {
            "es": lambda: self._spanish(person),
            "mx": lambda: self._curp(person),
            "ar": lambda: self._argentine(person),
            "cl": self._rut,
            "co": self._colombian,
            "pe": lambda: self.digits(8, first="01234678"),
        }
        key = f"dni.{role}{request.view.removeprefix(role)}"
        # Hospitals know their patients by it, as MEDDOCAN has it.
        label = "MEDICALRECORD" if role == "patient" else "IDNUM"
        return self.kept(key, lambda: [Piece(makers[self.code](), label)])

    def _spanish(self, person: Hispanic) -> str:
        if self._origin == "migrant" and person.label == "PATIENT":
            prefix, digits = self.rng.choice("XYYZ"), self.digits(7, first="0123456789")
            letter = nie_letter(prefix, digits)
            between = self.rng.choice(("", "", "-"))
            return f"{prefix}{between}{digits}{between}{letter}"
        number = int(self.digits(8, first="0122345677"))
        letter, digits = dni_letter(number), f"{number:08}"
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
            f"{'M' if person.sex == 'female' else 'H'}{self.rng.choice(_MEXICAN_STATES)}{inner}"
            f"{self.rng.choice('0123456789' if person.birth.year < 2000 else 'ABCD')}"
        )
        return start + curp_digit(start)

    def _argentine(self, person: Hispanic) -> str:
        age = self.age_of(person)
        number = self.rng.randint(3_000_000, 9_000_000) + max(0, 75 - age) * 600_000
        prefix = "27" if person.sex == "female" else "20"
        check = cuil_digit(f"{prefix}{number:08}")
        dotted = f"{number:,}".replace(",", ".")
        if check and self.rng.random() < 0.2:
            return f"{prefix}-{number:08}-{check}"
        return self.rng.choice((dotted, dotted, str(number)))

    def _rut(self) -> str:
        number = self.rng.randint(4_000_000, 26_000_000)
        check = rut_digit(number)
        check = check.lower() if self.rng.random() < 0.2 else check
        dotted = f"{number:,}".replace(",", ".")
        return self.rng.choice((f"{dotted}-{check}", f"{dotted}-{check}", f"{number}-{check}"))

    def _colombian(self) -> str:
        number = self.rng.choice(
            (
                self.rng.randint(4_000_000, 99_999_999),
                self.rng.randint(1_000_000_000, 1_199_999_999),
            )
        )
        return self.rng.choice((str(number), str(number), f"{number:,}".replace(",", ".")))

    # -- insurance ------------------------------------------------------------------------------

    def slot_nss(self, request: Request) -> list[Piece]:
        """The number of the social security."""
        return self.fixed(request, "SSN", self._nss)

    def _nss(self) -> str:
        if not self.is_spain():
            digits = self.digits(10)
            number = digits + luhn_digit(digits)
            spaced = f"{number[:4]} {number[4:6]} {number[6:10]} {number[10]}"
            return self.rng.choice(
                (number, number, spaced, f"{number[:2]}-{number[2:10]}-{number[10]}")
            )
        province, serial = self.rng.randint(1, 50), self.rng.randint(100_000, 99_999_999)
        check = nss_digits(province, serial)
        between = self.rng.choice((" ", " ", "/", "-", ""))
        return between.join((f"{province:02}", f"{serial:08}", check))

    def slot_cip(self, request: Request) -> list[Piece]:
        """The code of the patient that a health service gives, as the number of a record."""
        return self.fixed(request, "MEDICALRECORD", self._health_code)

    def slot_card(self, request: Request) -> list[Piece]:
        """The number of a health card or a policy."""
        return self.fixed(request, "HEALTHPLAN", self._card)

    def _card(self) -> str:
        if self.is_spain() and self.rng.random() < 0.6:
            return self._health_code()
        forms = (
            "99-99999999-99",
            "9999999999",
            "99/999999/99",
            "AA999999999",
            "99999999",
            "61-999999-9/01",
        )
        return self.fill(self.rng.choice(forms))

    def _health_code(self) -> str:
        person = self.somebody(Request("patient"))
        female = person.sex == "female"
        names = [_letters(name) for name in (person.surname, person.second or person.surname)]
        consonants = "".join(_first_consonants(name) for name in names)
        letters = "".join(name[:2] for name in names)
        birth = person.birth
        day = birth.day + 40 if female else birth.day
        return self.draw(
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


def _letters(name: str) -> str:
    """A name in capitals of the plain alphabet, with Ñ."""
    kept = name.upper().replace("Ñ", "\0")
    plain = unicodedata.normalize("NFD", kept)
    made = "".join(c for c in plain if c.isascii() and (c.isalpha() or c == "\0"))
    return made.replace("\0", "Ñ") or "X"


def _first_consonants(name: str) -> str:
    return "".join([*_CONSONANTS.findall(name), "X", "X"][:2])


def _second_consonant(name: str) -> str:
    found = _CONSONANTS.search(name, 1)
    return found[0] if found else "X"
