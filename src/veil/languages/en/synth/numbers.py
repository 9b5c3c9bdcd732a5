"""Numbers in English dummy records that have check digits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.core.numbers import (
    dea_digit,
    iban_check_digits,
    luhn_digit,
    nhs_digit,
    npi_digit,
    vin_check_digit,
)
from veil.synth.patterns import random_form
from veil.synth.scenario import Request, Scenario, by_four
from veil.synth.segments import Segment

if TYPE_CHECKING:
    from collections.abc import Iterable

_PPS_LETTERS = "WABCDEFGHIJKLMNOPQRSTUV"
_VIN_CHARACTERS = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"


class Numbers(Scenario):
    """Slots of numbers with check digits; `slots.txt` has the others."""

    def _grouped(self, number: str, label: str, *groups: tuple[str, int, int, int]) -> Segment:
        """Return a number, whole or in three groups: (separator, end, end, weight)."""
        forms = {sep.join((number[:a], number[a:b], number[b:])): w for sep, a, b, w in groups}
        return Segment(self.draw(forms), label)

    def slot_ssn(self, request: Request) -> list[Segment]:
        """A social security number, sometimes with only its last digits readable."""

        def make() -> list[Segment]:
            area = self.rng.choice([number for number in range(1, 900) if number != 666])
            last = f"{self.rng.randint(1, 9999):04}"
            digits = f"{area:03}{self.rng.randint(1, 99):02}{last}"
            if self.rng.random() < 0.1:
                return [Segment(self.rng.choice((f"xxx-xx-{last}", f"***-**-{last}")), "SSN")]
            groups = (("-", 3, 5, 16), ("", 3, 5, 1), (" ", 3, 5, 1))
            return [self._grouped(digits, "SSN", *groups)]

        return self.kept(request.key, make)

    def slot_nhs(self, request: Request) -> list[Segment]:
        digits, check = "", None
        while check is None:
            digits = self.digits(9, first="4679")
            check = nhs_digit(digits)
        groups = ((" ", 3, 6, 3), ("", 3, 6, 1), ("-", 3, 6, 1))
        return [self._grouped(digits + check, "MEDICALRECORD", *groups)]

    def slot_pps(self, request: Request) -> list[Segment]:
        digits = self.digits(7)
        letter = _PPS_LETTERS[_weighted_sum(digits, range(8, 1, -1)) % 23]
        return [Segment(digits + letter, "SSN")]

    def slot_sin(self, request: Request) -> list[Segment]:
        digits = self.digits(8, first="1234567")
        return [self._grouped(digits + luhn_digit(digits), "SSN", (" ", 3, 6, 1), ("-", 3, 6, 1))]

    def slot_medicare(self, request: Request) -> list[Segment]:
        """The number of an Australian card."""
        digits = self.digits(8, first="23456")
        check = _weighted_sum(digits, (1, 3, 7, 9, 1, 3, 7, 9)) % 10
        number = f"{digits}{check}{self.rng.randint(1, 9)}"
        return [self._grouped(number, "HEALTHPLAN", (" ", 4, 9, 2), ("", 4, 9, 1))]

    def slot_healthcard(self, request: Request) -> list[Segment]:
        """The number of a Canadian card, sometimes with the letters of its version."""
        digits = self.digits(9)
        number = digits + luhn_digit(digits)
        if self.rng.random() < 0.2:
            number += f"-{random_form('AA', self.rng)}"
            return [self._grouped(number, "HEALTHPLAN", ("-", 4, 7, 1))]
        return [self._grouped(number, "HEALTHPLAN", ("-", 4, 7, 3), ("", 4, 7, 5))]

    def slot_card(self, request: Request) -> list[Segment]:
        """The number of a payment card."""
        start = self.rng.choice(("4", "51", "54", "37")) + self.digits(13)
        digits = start[: 14 if start.startswith("37") else 15]
        digits += luhn_digit(digits)
        if len(digits) == 16 and self.rng.random() < 0.7:
            digits = by_four(digits, self.rng.choice((" ", "-")))
        return [Segment(digits, "ACCOUNT")]

    def slot_iban(self, request: Request) -> list[Segment]:
        country, bank = self.rng.choice((("GB", "NWBK"), ("IE", "AIBK"), ("GB", "BARC")))
        account = bank + self.digits(14, first="0123456789")
        number = f"{country}{iban_check_digits(country, account)}{account}"
        return [Segment(self.rng.choice((number, by_four(number, " "))), "ACCOUNT")]

    def slot_npi(self, request: Request) -> list[Segment]:
        digits = self.digits(9, first="12")
        return [Segment(digits + npi_digit(digits), "LICENSE")]

    def slot_dea(self, request: Request) -> list[Segment]:
        """A doctor's prescription number; its second letter is that of the surname."""
        surname = self.person(Request("doctor", request.number)).surname.upper()
        letter = next((c for c in surname if "A" <= c <= "Z"), "9")
        digits = self.digits(6)
        return [Segment(self.rng.choice("ABFM") + letter + digits + dea_digit(digits), "LICENSE")]

    def slot_vin(self, request: Request) -> list[Segment]:
        vin = "".join(self.rng.choices(_VIN_CHARACTERS, k=17))
        return [Segment(vin[:8] + vin_check_digit(vin) + vin[9:], "VEHICLE")]


def _weighted_sum(digits: str, weights: Iterable[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=True))
