"""Numbers of records, samples, devices, licences, vehicles and accounts in Spanish records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.core.numbers import iban_check_digits, luhn_digit
from veil.synth.pieces import Piece
from veil.synth.worlds.es_country import Spanish

if TYPE_CHECKING:
    from veil.synth.world import Request

# Labels and forms of numbers that a house gives: 9 is a digit, A a letter, Y the year.
_FORMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "mrn": (
        "MEDICALRECORD",
        (
            "999999",
            "9999999",
            "99999999",
            "99-9999/99",
            "999.999",
            "NHC-999999",
            "Y/99999",
            "A999999",
        ),
    ),
    "episode": (
        "ACCOUNT",
        ("99999999", "9999999", "999999999", "Y9999999", "A-99999", "U99999999"),
    ),
    "invoice": ("ACCOUNT", ("Y/99999", "F-Y-9999", "A/999999", "9999-Y")),
    "sample": (
        "IDNUM",
        ("B-Y/99999", "yyB9999999", "B99-99999", "yy-B-99999", "C-99999", "yyB9999"),
    ),
    "request": (
        "IDNUM",
        ("Y9999999", "99999999", "P-999999", "9999999-A", "RX99999999", "99.999.999"),
    ),
    "employee": ("IDNUM", ("99999", "E-9999", "999999", "F99999", "T99999")),
    "certificate": ("IDNUM", ("9-99999999", "999999999-9", "AA999999", "Y-99999")),
    "court": ("IDNUM", ("999/Y", "9999/Y", "99/Y-A")),
    "call": ("IDNUM", ("99999", "Y999999", "999999-A", "99999/Y")),
    "serial": (
        "DEVICE",
        ("AAA999999A", "99999999", "SN99999999", "A9A-99999", "999999-A", "AA9999999"),
    ),
    "lot": ("DEVICE", ("AA9999", "99A9999", "A999A9", "999999", "99AA-9999")),
    "bio": ("BIOID", ("BIO-99999999", "HD-9999-AA", "FIR-99999-99", "BM99999999")),
}
_PLATES = {
    "es": ("9999 BBB", "9999BBB", "9999-BBB", "M-9999-BB"),
    "mx": ("AAA-99-99", "AAA-999-A", "AA-99-999"),
    "ar": ("AA 999 AA", "AAA 999", "AA999AA"),
    "cl": ("BBBB-99", "BB-BB-99", "AA-99-99"),
    "co": ("AAA-999", "AAA 999", "AAA99A"),
    "pe": ("A9A-999", "AAA-999", "A9A999"),
}
_LICENCES = {
    "es": (
        "99/99999",
        "9999999",
        "2828 99999",
        "28 28 99999",
        "08/99999",
        "99999",
        "289999999",
        "46-46-99999",
    ),
    "mx": ("9999999", "99999999"),
    "ar": ("99.999", "99999", "999999"),
    "cl": ("999999", "99999"),
    "co": ("99999", "99-9999", "999999"),
    "pe": ("99999", "099999"),
}
_LICENCE_NAMES = {
    "es": (
        "Nº Col. ",
        "NºCol: ",
        "Nº colegiado: ",
        "Col. ",
        "colegiado nº ",
        "N.º Col. ",
        "Col.: ",
        "NºCol ",
    ),
    "mx": ("Céd. Prof. ", "Ced. Prof: ", "Cédula profesional: ", "Céd. Prof. No. ", "D.G.P. "),
    "ar": ("M.N. ", "MN ", "MP ", "M.P. ", "Mat. "),
    "cl": ("Reg. ", "Registro Superintendencia: ", "RCM "),
    "co": ("R.M. ", "RM: ", "Reg. Med. ", "T.P. "),
    "pe": ("CMP ", "CMP: ", "C.M.P. ", "RNE "),
}


class Numbers(Spanish):
    """Slots `{mrn}`, `{episode}`, `{sample}`, `{serial}`, `{licence}`, `{plate}` ..."""

    def _number(self, request: Request) -> list[Piece]:
        label, forms = _FORMS[request.name]
        return self.fixed(request, label, lambda: self._filled(self.rng.choice(forms)))

    slot_mrn = slot_episode = slot_invoice = slot_sample = slot_request = slot_employee = _number
    slot_certificate = slot_court = slot_call = slot_serial = slot_lot = slot_bio = _number

    def _filled(self, form: str) -> str:
        year = f"{self.today.year}"
        parts = self.fill(form.replace("Y", "\0").replace("yy", "\1"))
        return parts.replace("\0", year).replace("\1", year[2:])

    def slot_bank(self, request: Request) -> list[Piece]:
        """A bank account or a card."""

        def make() -> str:
            account = self.digits(20, first="0123")
            iban = f"ES{iban_check_digits('ES', account)}{account}"
            card = self.digits(15, first="45")
            number = iban if self.is_spain() else card + luhn_digit(card)
            spaced = " ".join(number[at : at + 4] for at in range(0, len(number), 4))
            return self.rng.choice((number, spaced, spaced))

        return self.fixed(request, "ACCOUNT", make)

    def slot_plate(self, request: Request) -> list[Piece]:
        """The plate of a car."""

        def make() -> str:
            form = self.rng.choice(_PLATES[self.code])
            letters = "BCDFGHJKLMNPRSTVWXYZ"
            return self.fill("".join(self.rng.choice(letters) if c == "B" else c for c in form))

        return self.fixed(request, "VEHICLE", make)

    def slot_imei(self, request: Request) -> list[Piece]:
        digits = self.digits(14, first="3")
        return self.fixed(request, "DEVICE", lambda: digits + luhn_digit(digits))

    def slot_licence(self, request: Request) -> list[Piece]:
        """A doctor's licence, with the words before it: `{licence}`, `{licence2}`."""
        key = self.rng.choice(_LICENCE_NAMES[self.code])
        number = self.kept(
            request.key,
            lambda: [Piece(self.fill(self.rng.choice(_LICENCES[self.code])), "LICENSE")],
        )
        return number if request.view == "bare" else [Piece(key), *number]
