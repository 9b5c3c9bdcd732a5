"""Numbers that a country gives to its people: social security, health services, insurance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.core.numbers import luhn_digit, nhs_digit
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.worlds.en_country import English

if TYPE_CHECKING:
    from collections.abc import Iterable

    from veil.synth.world import Request

_DIGITS = "0123456789"
_MEDICARE_LETTERS = "ACDEFGHJKMNPQRTUVWXY"
_NI_LETTERS = "ABCEHJKLMPRST"
_PPS_LETTERS = "WABCDEFGHIJKLMNOPQRSTUV"
_SSN_KEYS = ("SSN: ", "SSN ", "Social Security Number: ", "SS# ", "SSN#: ", "Soc Sec No: ")
_NHS_KEYS = ("NHS No: ", "NHS Number: ", "NHS number ", "NHS no. ", "NHS: ")
_PPS_KEYS = ("PPSN: ", "PPS No: ", "PPS number ")
_MEDICARE_KEYS = ("Medicare: ", "Medicare # ", "MBI: ", "Medicare ID ")
_AUSTRALIAN_KEYS = ("Medicare: ", "Medicare No: ", "Medicare card ")
_HEALTH_CARD_KEYS = ("HCN: ", "OHIP ", "Health Card: ", "Health card number: ", "PHN: ")
_GMS_KEYS = ("GMS No: ", "Medical Card No: ", "GMS number ")
_POLICY_KEYS = ("Policy No: ", "Membership No: ", "Policy number ")
_MEMBER_KEYS = (
    *("Member ID: ", "Policy #: ", "Insurance ID: ", "Subscriber ID: ", "Medicaid ID: "),
    *("Policy No. ", "Member # "),
)


class NationalNumbers(English):
    """Slots `{national}`, `{insurance}` and `{ssn}`; the first two bring the words before them."""

    def numbered(self, forms: str, label: str) -> Piece:
        """A number by one of the forms of a list."""
        return Piece(self.fill(self.rng.choice(words("en", forms))), label)

    def slot_ssn(self, request: Request) -> list[Piece]:
        return self.kept(request.key, lambda: [Piece(self._ssn(), "SSN")])

    def slot_national(self, request: Request) -> list[Piece]:
        """The number that the country gives to a citizen or patient, with its name."""
        makers = {
            "us": lambda: self._keyed(_SSN_KEYS, self._ssn(), "SSN"),
            "uk": self._british,
            "ie": lambda: self._keyed(_PPS_KEYS, self._pps(), "SSN"),
            "au": self._australian_medicare,
            "ca": lambda: self._keyed(("SIN: ", "SIN "), self._sin(), "SSN"),
        }
        return self.kept(request.key, makers[self.code])

    def slot_insurance(self, request: Request) -> list[Piece]:
        """The number of an insurance or public scheme, with its name."""
        makers = {
            "us": self._american_insurance,
            "uk": lambda: self._policy(_POLICY_KEYS),
            "ie": self._irish_insurance,
            "au": self._australian_medicare,
            "ca": lambda: self._keyed(_HEALTH_CARD_KEYS, self._health_card(), "HEALTHPLAN"),
        }
        return self.kept(request.key, makers[self.code])

    def _keyed(self, keys: tuple[str, ...], number: str, label: str) -> list[Piece]:
        return [Piece(self.rng.choice(keys)), Piece(number, label)]

    def _policy(self, keys: tuple[str, ...]) -> list[Piece]:
        return [Piece(self.rng.choice(keys)), self.numbered("plans", "HEALTHPLAN")]

    def _ssn(self) -> str:
        rng = self.rng
        area = rng.choice([number for number in range(1, 900) if number != 666])
        parts = f"{area:03}", f"{rng.randint(1, 99):02}", f"{rng.randint(1, 9999):04}"
        if rng.random() < 0.8:
            return "-".join(parts)
        hidden = (f"xxx-xx-{parts[2]}", f"***-**-{parts[2]}")
        return rng.choice(("".join(parts), " ".join(parts), *hidden))

    def _british(self) -> list[Piece]:
        rng = self.rng
        if rng.random() < 0.9:
            return self._keyed(_NHS_KEYS, self._nhs(), "MEDICALRECORD")
        prefix = rng.choice(_NI_LETTERS) + rng.choice(_NI_LETTERS)
        number = f"{prefix} {self.fill('99 99 99')} {rng.choice('ABCD')}"
        return self._keyed(("NI No: ",), rng.choice((number, number.replace(" ", ""))), "SSN")

    def _nhs(self) -> str:
        digits, check = "", None
        while check is None:
            digits = self.digits(9, first="4679")
            check = nhs_digit(digits)
        number = digits + check
        parts = number[:3], number[3:6], number[6:]
        return self.rng.choice((*(" ".join(parts),) * 3, number, "-".join(parts)))

    def _pps(self) -> str:
        digits = self.digits(7)
        return digits + _PPS_LETTERS[_weighted(digits, range(8, 1, -1)) % 23]

    def _sin(self) -> str:
        digits = self.digits(8, first="1234567")
        number = digits + luhn_digit(digits)
        return self.rng.choice((" ", "-")).join((number[:3], number[3:6], number[6:]))

    def _american_insurance(self) -> list[Piece]:
        rng = self.rng
        if rng.random() < 0.65:
            return self._policy(_MEMBER_KEYS)
        either = _MEDICARE_LETTERS + _DIGITS
        letter = _MEDICARE_LETTERS
        places = (_DIGITS[1:], letter, either, _DIGITS, letter, either, _DIGITS, letter, letter)
        number = "".join(map(rng.choice, (*places, _DIGITS, _DIGITS)))
        grouped = f"{number[:4]}-{number[4:7]}-{number[7:]}"
        return self._keyed(_MEDICARE_KEYS, rng.choice((number, grouped)), "HEALTHPLAN")

    def _irish_insurance(self) -> list[Piece]:
        if self.rng.random() < 0.5:
            return self._keyed(_GMS_KEYS, self.fill("9999999A"), "HEALTHPLAN")
        return self._policy(_POLICY_KEYS)

    def _australian_medicare(self) -> list[Piece]:
        digits = self.digits(8, first="23456")
        check = _weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9)) % 10
        number = f"{digits}{check}{self.rng.randint(1, 9)}"
        grouped = f"{number[:4]} {number[4:9]} {number[9]}"
        return self._keyed(
            _AUSTRALIAN_KEYS, self.rng.choice((grouped, grouped, number)), "HEALTHPLAN"
        )

    def _health_card(self) -> str:
        digits = self.digits(9)
        number = digits + luhn_digit(digits)
        version = f"-{self.fill('AA')}" if self.rng.random() < 0.4 else ""
        return self.rng.choice((f"{number[:4]}-{number[4:7]}-{number[7:]}{version}", number))


def _weighted(digits: str, weights: Iterable[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=True))
