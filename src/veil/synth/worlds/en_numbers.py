"""Numbers in English records that identify somebody, with the check digits that real ones have."""

from __future__ import annotations

from veil.core.numbers import dea_digit, iban_check_digits, luhn_digit, npi_digit, vin_check_digit
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.world import Request
from veil.synth.worlds.en_national import NationalNumbers

_VIN_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"
_AMERICAN_KEYS = ("NPI: ", "NPI ", "NPI# ", "DEA: ", "DEA# ", "Lic. No. ", "License #: ")
_KEYS = {
    "uk": ("GMC No: ", "GMC ", "GMC: "),
    "ie": ("IMC No. ", "Medical Council No. ", "IMC: "),
    "au": ("Provider No: ", "Provider No. ", "AHPRA "),
    "ca": ("CPSO ", "License # ", "CPSO# "),
}
_REGISTRATIONS = {"uk": "9999999", "ie": "999999", "au": "999999AA", "ca": "99999"}


class Numbers(NationalNumbers):
    """Slots of numbers; some of them bring the words before the number as well."""

    # -- of patients ----------------------------------------------------------------------------

    def slot_mrn(self, request: Request) -> list[Piece]:
        """The number of the patient's record, without what it is called."""
        return self.kept(
            request.key, lambda: [self.numbered(f"records_{self.code}", "MEDICALRECORD")]
        )

    def slot_patientid(self, request: Request) -> list[Piece]:
        """The number of the record with what it is called here."""
        key = self.rng.choice(words("en", f"record_keys_{self.code}"))
        colon = self.rng.choice((": ", ": ", ":", " ", " - "))
        return [Piece(key + colon), *self.slot_mrn(Request("mrn", request.number))]

    def slot_plan(self, request: Request) -> list[Piece]:
        return self.kept(request.key, lambda: [self.numbered("plans", "HEALTHPLAN")])

    def slot_group(self, request: Request) -> list[Piece]:
        return [self.numbered("groups", "HEALTHPLAN")]

    def slot_account(self, request: Request) -> list[Piece]:
        return self.kept(request.key, lambda: [self.numbered("accounts", "ACCOUNT")])

    def slot_card(self, request: Request) -> list[Piece]:
        """The number of a payment card."""
        start = self.rng.choice(("4", "51", "54", "37")) + self.digits(13)
        digits = start[: 14 if start.startswith("37") else 15]
        digits += luhn_digit(digits)
        if len(digits) == 16 and self.rng.random() < 0.7:
            gap = self.rng.choice((" ", "-"))
            digits = gap.join(digits[place : place + 4] for place in range(0, 16, 4))
        return [Piece(digits, "ACCOUNT")]

    def slot_iban(self, request: Request) -> list[Piece]:
        country, bank = self.rng.choice((("GB", "NWBK"), ("IE", "AIBK"), ("GB", "BARC")))
        account = bank + self.digits(14, first="0123456789")
        number = f"{country}{iban_check_digits(country, account)}{account}"
        grouped = " ".join(number[place : place + 4] for place in range(0, len(number), 4))
        return [Piece(self.rng.choice((number, grouped)), "ACCOUNT")]

    def slot_bioid(self, request: Request) -> list[Piece]:
        return [self.numbered("biometrics", "BIOID")]

    # -- of those who treat them ----------------------------------------------------------------

    def slot_npi(self, request: Request) -> list[Piece]:
        digits = self.digits(9, first="12")
        return [Piece(digits + npi_digit(digits), "LICENSE")]

    def slot_dea(self, request: Request) -> list[Piece]:
        """The number that lets a doctor prescribe; its second letter is that of the surname."""
        surname = self.person(Request("doctor", request.number)).surname.upper()
        letter = next((c for c in surname if "A" <= c <= "Z"), "9")
        digits = self.digits(6)
        return [Piece(self.rng.choice("ABFM") + letter + digits + dea_digit(digits), "LICENSE")]

    def slot_registration(self, request: Request) -> list[Piece]:
        """The number under which a doctor is registered, with what it is called."""
        key = self.rng.choice(_AMERICAN_KEYS if self.code == "us" else _KEYS[self.code])
        if key.startswith("NPI"):
            return [Piece(key), *self.slot_npi(request)]
        if key.startswith("DEA"):
            return [Piece(key), *self.slot_dea(request)]
        if self.code == "us":
            return [Piece(key), self.numbered("state_licences", "LICENSE")]
        pattern = "MED0009999999" if key == "AHPRA " else _REGISTRATIONS[self.code]
        return [Piece(key), Piece(self.fill(pattern), "LICENSE")]

    def slot_licence(self, request: Request) -> list[Piece]:
        """A driving licence or passport."""
        return [self.numbered("licences", "LICENSE")]

    # -- of things ------------------------------------------------------------------------------

    def slot_serial(self, request: Request) -> list[Piece]:
        return [self.numbered("serials", "DEVICE")]

    def slot_lot(self, request: Request) -> list[Piece]:
        return [self.numbered("lots", "DEVICE")]

    def slot_model(self, request: Request) -> list[Piece]:
        return [self.numbered("models", "DEVICE")]

    def slot_udi(self, request: Request) -> list[Piece]:
        return [Piece(f"(01){self.digits(14, first='01')}", "DEVICE")]

    def slot_plate(self, request: Request) -> list[Piece]:
        return self.kept(request.key, lambda: [self.numbered(f"plates_{self.code}", "VEHICLE")])

    def slot_vin(self, request: Request) -> list[Piece]:
        vin = "".join(self.rng.choices(_VIN_LETTERS, k=17))
        return [Piece(vin[:8] + vin_check_digit(vin) + vin[9:], "VEHICLE")]

    def slot_accession(self, request: Request) -> list[Piece]:
        return self.kept(request.key, lambda: [self.numbered("accessions", "IDNUM")])

    def slot_idnum(self, request: Request) -> list[Piece]:
        return [self.numbered("other_ids", "IDNUM")]
