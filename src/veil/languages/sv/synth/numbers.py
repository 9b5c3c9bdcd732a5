"""Numbers and contacts of Swedish dummy records, with valid check digits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.core.numbers import iban_check_digits, luhn_digit
from veil.languages.sv.synth.people import plain_letters, signature_code
from veil.languages.sv.synth.places import PlaceSlots
from veil.synth.pieces import Piece
from veil.synth.world import Request

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from veil.synth.people import Person

# Each kind of number with its label and forms: 9 is a digit, A a letter, Y or y the year.
_FORMS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "mrn": ("MEDICALRECORD", ("99999999", "999999", "A999999", "J99-999999", "9999-99999")),
    "order": ("IDNUM", ("99999999", "R999999999", "YYYY-9999999", "AA99999999", "999-999-999")),
    "sample": ("IDNUM", ("9999999999", "L99999999", "99 9999 9999", "9999999-9", "AA99999999")),
    "pathology": ("IDNUM", ("T99999-yy", "99999/yy", "B99-99999", "yyT99999", "C9999-yy")),
    "imaging": ("IDNUM", ("SE9999999999", "99999999-9", "RTG99999999", "SEAAA99999999")),
    "case": ("IDNUM", ("YYYY-999999", "9999-YYYY", "Å-9999-yy", "K 9999-yy", "9999999999")),
    "trip": ("IDNUM", ("9999-99999999", "99999999", "yy9999999", "AA99-999999")),
    "bag": ("IDNUM", ("A9999 yy 999999", "R9999 99 999999", "G9999999999")),
    "protocol": ("IDNUM", ("YYYY-99999-99", "YYYY-999999-99", "999-AA-99")),
    "hsa": ("IDNUM", ("SE9999999999-AA99", "SE9999999999-9A9A", "SE2321000999-E99999")),
    "policy": ("HEALTHPLAN", ("9999999-99", "AA9999999", "99-9999999-9", "F999999999")),
    "licence": ("LICENSE", ("9999999", "999999-9", "9999999")),
    "device": ("DEVICE", ("AAA999999A", "99999999", "9999-999-999", "AA999999", "PJN999999A")),
    "lot": ("DEVICE", ("AA9999", "A9999A", "99A999", "AAA99A9", "9999999")),
    "biobank": ("BIOID", ("BB-9999999", "999999-99", "BBK99999")),
}
_FINLAND_CHECK = "0123456789ABCDEFHJKLMNPRSTUVWXY"
_AREA_CODES = (
    "08 031 040 018 013 019 011 016 021 023 026 035 036 044 046 054 060 063 090 0240 0270 0322 "
    "0455 0480 0512 0611 0910"
).split()
_PLATES = "ABCDEFGHJKLMNOPRSTUWXYZ"


class NumberSlots(PlaceSlots):
    """Numbers, and addresses on the net, that belong to the people of the record."""

    # -- people ---------------------------------------------------------------------------------

    def slot_ssn(self, request: Request) -> list[Piece]:
        """A personal number, the same throughout; views `long`, `short`, `relative`, `mother`.

        Now and then the patient has a coordination number, a reserve number, or is a Finn.
        """
        role = request.view if request.view in ("relative", "mother") else "patient"
        person = self.person(Request(role, request.number))
        number = self.kept(
            f"ssn.{role}{request.number}", lambda: [Piece(self._personal_number(person))]
        )[0].text
        return [Piece(self._written_number(number, request.view), "SSN")]

    def _personal_number(self, person: Person) -> str:
        """YYYYMMDD-NNNC as a whole; other writings leave out parts of it."""
        kind = self.rng.random()
        if self.is_finland():
            return self._finnish_number(person.birth, person.sex == "male")
        if person.label == "PATIENT" and kind < 0.03:
            return self._reserve_number(person.birth)
        day = person.birth.day + (60 if kind < 0.07 else 0)
        digits = f"{person.birth:%y%m}{day:02}{self.digits(2, first='0123456789')}"
        digits += self.rng.choice("13579" if person.sex == "male" else "02468")
        return f"{person.birth.year // 100}{digits[:6]}-{digits[6:]}{luhn_digit(digits)}"

    def _reserve_number(self, birth: date) -> str:
        return self.rng.choice(
            (
                f"99{birth.year}{self.digits(6, first='0123456789')}",
                f"{birth:%Y%m%d}-{self.fill('A999')}",
                f"{birth:%Y%m%d}-{self.fill('AA99')}",
                f"{birth:%Y%m%d}-{self.fill('999')}R",
            )
        )

    def _finnish_number(self, birth: date, male: bool) -> str:
        sign = "A" if 2000 <= birth.year else "-"
        serial = self.rng.randrange(2, 900) // 2 * 2 + male
        check = _FINLAND_CHECK[int(f"{birth:%d%m%y}{serial:03}") % 31]
        return f"{birth:%d%m%y}{sign}{serial:03}{check}"

    def _written_number(self, number: str, view: str) -> str:
        """The whole number, or without its century, or without its hyphen."""
        if len(number) != 13 or number[8] != "-":
            return number
        short = number[2:]
        if 100 <= self.today.year - int(number[:4]):
            short = short.replace("-", "+")
        if view == "long":
            return number
        if view == "short":
            return short
        return self.draw(
            {
                number: 42,
                short: 34,
                number.replace("-", ""): 10,
                short.replace("-", ""): 4,
                short.replace("-", " "): 4,
                f"{number[:8]} {number[9:]}": 3,
                f"{number[:2]} {short}": 3,
            }
        )

    # -- telephones and the net -----------------------------------------------------------------

    def slot_phone(self, request: Request) -> list[Piece]:
        """A telephone: `mobile`, `line`, or one of both; the same for a number throughout."""
        view = request.view or self.draw({"mobile": 60, "line": 40})
        return self.kept(f"{request.key}.{view}", lambda: [Piece(self._phone(view), "PHONE")])

    def slot_fax(self, request: Request) -> list[Piece]:
        return self.fixed(request, "FAX", lambda: self._phone("line"))

    def slot_ext(self, request: Request) -> list[Piece]:
        """An extension or a pager: four or five digits."""

        def make() -> str:
            digits = self.digits(self.rng.choice((4, 4, 4, 5, 5, 6)))
            spaced = len(digits) == 5 and self.rng.random() < 0.3
            return f"{digits[:3]} {digits[3:]}" if spaced else digits

        return self.fixed(request, "PHONE", make)

    def _phone(self, view: str) -> str:
        if self.is_finland():
            start = "40" if view == "mobile" else "2"
            rest = self.digits(7)
            return self.rng.choice(
                (f"0{start} {rest}", f"+358 {start} {rest[:3]} {rest[3:]}", f"0{start}-{rest}")
            )
        if view == "mobile":
            area = self.rng.choice(("070", "073", "076", "072", "079"))
            rest = self.digits(7)
            groups = f"{rest[:3]} {rest[3:5]} {rest[5:]}"
        else:
            area = self.rng.choice(_AREA_CODES)
            rest = self.digits(8 if area == "08" else 10 - len(area) - self.rng.randint(0, 1))
            groups = _grouped(rest)
        return self.draw(
            {
                f"{area}-{groups}": 48,
                f"{area}-{rest}": 16,
                f"{area} {groups}": 10,
                f"{area}{rest}": 10,
                f"+46 {area[1:]} {groups}": 5,
                f"+46{area[1:]}{rest}": 3,
                f"+46 (0){area[1:]}-{groups}": 2,
                f"{area}/{groups}": 2,
                f"{area} - {groups}": 3,
                f"0046{area[1:]}{rest}": 1,
            }
        )

    def slot_mail(self, request: Request) -> list[Piece]:
        """An e-mail address made of a name; the view says whose: `relative`, `doctor2`."""
        role = request.view.rstrip("0123456789") or "patient"
        person = self.person(Request(role, request.view.removeprefix(role)))
        return self.kept(f"mail.{request.view}", lambda: [Piece(self._mail(person), "EMAIL")])

    def _mail(self, person: Person) -> str:
        first, last = plain_letters(person.given[0]), plain_letters(person.surname)
        if person.label == "DOCTOR":
            country = "fi" if self.is_finland() else "se"
            region = self.rng.choice(("region", "vard", ""))
            return f"{first}.{last}@{region}{plain_letters(self.town())}.{country}"
        local = self.rng.choice(
            (
                *(f"{first}.{last}", f"{first}{last}", f"{first}_{last}", f"{last}.{first}"),
                *(f"{first[:1]}.{last}", f"{first}.{last}{person.birth:%y}"),
                f"{first}{person.birth.year}",
            )
        )
        return f"{local}@{self.pick('mail_hosts')}"

    def slot_user(self, request: Request) -> list[Piece]:
        """A name to log in with, made of that of somebody of the staff: `{user.doctor}`."""
        role = request.view.rstrip("0123456789") or "doctor"
        person = self.person(Request(role, request.view.removeprefix(role)))
        first, last = plain_letters(person.given[0]), plain_letters(person.surname)
        code = signature_code(person).lower()
        choices = (f"{code}{self.digits(2)}", f"{code}001", f"{first[:3]}{last[:3]}")
        return self.kept(
            f"user.{request.view}", lambda: [Piece(self.rng.choice(choices), "USERNAME")]
        )

    def slot_url(self, request: Request) -> list[Piece]:
        town = plain_letters(self.town())
        return self.fixed(
            request,
            "URL",
            lambda: self.rng.choice(
                (
                    f"www.{town}ssjukhus.se",
                    f"https://www.region{town}.se/vard",
                    f"www.{town}vc.se",
                    f"http://{town}.se/patient",
                    f"vard.{town}.se",
                )
            ),
        )

    def slot_ip(self, request: Request) -> list[Piece]:
        parts = (self.rng.choice((10, 172, 192)), *(self.rng.randrange(1, 255) for _ in range(3)))
        return [Piece(".".join(map(str, parts)), "IPADDR")]

    # -- papers and things ----------------------------------------------------------------------

    def _number(self, request: Request) -> list[Piece]:
        label, forms = _FORMS[request.name]
        return self.fixed(request, label, lambda: self._filled(self.rng.choice(forms)))

    slot_mrn = slot_order = slot_sample = slot_pathology = slot_imaging = slot_case = _number
    slot_trip = slot_bag = slot_policy = slot_licence = slot_device = slot_lot = _number
    slot_protocol = slot_biobank = slot_hsa = _number

    def _filled(self, form: str) -> str:
        year = str(self.today.year)
        return self.fill(form).replace("YYYY", year).replace("yy", year[2:])

    def slot_account(self, request: Request) -> list[Piece]:
        """A bank account: clearing number and number, plusgiro, or IBAN."""
        return self.fixed(request, "ACCOUNT", self._account)

    def _account(self) -> str:
        account = self.digits(20)
        country = "FI" if self.is_finland() else "SE"
        number = account[:14] if self.is_finland() else account
        iban = f"{country}{iban_check_digits(country, number)}{number}"
        return self.rng.choice(
            (
                f"{self.digits(4)}-{self.digits(9)}",
                f"{self.digits(4)}, {self.digits(3)} {self.digits(3)} {self.digits(3)}",
                f"{self.digits(6)}-{self.digits(1)}",
                " ".join(iban[place : place + 4] for place in range(0, len(iban), 4)),
            )
        )

    def slot_plate(self, request: Request) -> list[Piece]:
        """The plate of a car: ABC 123, ABC 12D."""

        def make() -> str:
            between = self.rng.choice((" ", " ", "", "-"))
            tail = self.rng.choice((self.digits(3), self.digits(2) + self.rng.choice(_PLATES)))
            return "".join(self.rng.choices(_PLATES, k=3)) + between + tail

        return self.fixed(request, "VEHICLE", make)


def _grouped(digits: str) -> str:
    """Digits as telephone books group them: 123 45 67, 12 34 56, 123 45."""
    if len(digits) == 8:
        return f"{digits[:3]} {digits[3:6]} {digits[6:]}"
    first = 3 if len(digits) % 2 else 2
    rest = digits[first:]
    return " ".join(
        [digits[:first], *(rest[place : place + 2] for place in range(0, len(rest), 2))]
    )
