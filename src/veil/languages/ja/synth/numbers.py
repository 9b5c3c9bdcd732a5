"""Numbers and contacts of Japanese dummy records, with valid check digits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.core.numbers import luhn_digit, my_number_check_digit
from veil.languages.ja.synth.dates import weighted
from veil.languages.ja.synth.places import Institutions, prefectures
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.world import Request

if TYPE_CHECKING:
    from random import Random

    from veil.synth.people import Person, Profile

_PHONES = {
    "{a}-{b}-{c}": 20,
    "{a}({b}){c}": 2,
    "({a}){b}-{c}": 1.5,
    "{a}（{b}）{c}": 1,
    "{a} {b} {c}": 0.5,
}
_HOSTS = ("www.{}.example.jp", "https://www.{}.example.jp/", "http://{}.example.or.jp/info")


class Contacts(Institutions):
    """Slots of contacts."""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._phone_form = self.draw(_PHONES)

    def slot_phone(self, request: Request) -> list[Piece]:
        """Any telephone: at home or mobile."""
        return self.slot_mobile(request) if self.rng.random() < 0.5 else self.slot_tel(request)

    def slot_tel(self, request: Request) -> list[Piece]:
        """A telephone with an area code."""
        return [Piece(self._landline(), "PHONE")]

    def slot_mobile(self, request: Request) -> list[Piece]:
        start = self.rng.choice(("090", "080", "070", "090", "080", "050"))
        middle, end = self.digits(4), self.digits(4, first="0123456789")
        forms = {
            f"{start}-{middle}-{end}": 14,
            start + middle + end: 2,
            f"{start} {middle} {end}": 0.5,
        }
        forms |= {f"+81-{start[1:]}-{middle}-{end}": 0.3, f"{start}({middle}){end}": 0.5}
        return [Piece(self.draw(forms), "PHONE")]

    def slot_fax(self, request: Request) -> list[Piece]:
        return [Piece(self._landline(), "FAX")]

    def slot_ext(self, request: Request) -> list[Piece]:
        """The number of an extension or of a telephone inside the house."""
        return [Piece(self.digits(self.rng.choice((3, 4, 4, 4, 5))), "PHONE")]

    def slot_mail(self, request: Request) -> list[Piece]:
        """The patient's address, or with a view that of somebody else: `{mail.doctor}`."""
        person = self.person(Request(request.view or "patient", request.number))
        return self.kept(f"mail {request.view}{request.number}", lambda: [self._mail(person)])

    def _mail(self, person: Person) -> Piece:
        at = "＠" if self.rng.random() < 0.03 else "@"
        return Piece(self._handle(person) + at + self.rng.choice(words("ja", "domains")), "EMAIL")

    def slot_username(self, request: Request) -> list[Piece]:
        person = self.person(
            Request("nurse" if request.view == "nurse" else "doctor", request.number)
        )
        number = self.rng.choice((self._handle(person), self.fill("n99999"), self.fill("A9999")))
        return [Piece(number, "USERNAME")]

    def slot_handle(self, request: Request) -> list[Piece]:
        """The patient's name in a network."""
        return [Piece(self._handle(self.patient), "USERNAME")]

    def slot_url(self, request: Request) -> list[Piece]:
        word = self.rng.choice(("clinic", "hospital", "med", "kango", "yoyaku", "renkei", "kanja"))
        return [Piece(self.rng.choice(_HOSTS).format(word), "URL")]

    def slot_ip(self, request: Request) -> list[Piece]:
        return [Piece(f"192.168.{self.rng.randint(0, 254)}.{self.rng.randint(1, 254)}", "IPADDR")]

    def _landline(self) -> str:
        area = self.prefecture.area_code
        if self.rng.random() < 0.35:
            area = self.rng.choice(words("ja", "area_codes"))
        middle = self.digits(6 - len(area), first="23456789")
        return self._phone_form.format(a=area, b=middle, c=self.digits(4, first="0123456789"))

    def _handle(self, person: Person) -> str:
        first, last = (
            name.lower().replace(" ", "").replace("-", "") for name in self.latin_names(person)
        )
        year = f"{person.birth.year % 100:02}"
        forms = (
            f"{first}.{last}",
            f"{last}.{first}",
            f"{first[:1]}.{last}",
            f"{last}{year}",
            f"{last}_{first}",
        )
        more = (
            f"{first}{self.rng.randint(1, 99)}",
            f"{last}-{first[:1]}",
            f"{first}{last[:1]}{year}",
        )
        return self.rng.choice((*forms, *more))


# Kinds of insurance that an insurer's number of eight digits begins with.
_INSURANCES = ("01", "06", "06", "31", "32", "34", "39", "39", "63", "67")
_PUBLIC_FUNDS = ("12", "21", "38", "51", "54", "54", "80", "88")
_PLATE_KANA = "あいうえかきくけこさすせそたちつてとなにぬねのはひふほまみむめもやゆよらりるろわ"


class Numbers(Contacts):
    """Slots of numbers."""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._record_form = self.draw(weighted("records"))

    # -- of patients ----------------------------------------------------------------------------

    def slot_mrn(self, request: Request) -> list[Piece]:
        return self.kept(
            request.key, lambda: [Piece(self.fill(self._record_form), "MEDICALRECORD")]
        )

    def slot_insurer(self, request: Request) -> list[Piece]:
        """The number of the insurer, of eight digits or, for that of a town, six."""
        kind = "" if self.rng.random() < 0.3 else self.rng.choice(_INSURANCES)
        return self.kept(request.key, lambda: [Piece(self._with_luhn(kind), "HEALTHPLAN")])

    def slot_symbol(self, request: Request) -> list[Piece]:
        """Symbol and number of the insured, each a span, with the words before them."""
        symbol = self.rng.choice(
            (self.digits(8), self.digits(4), self.quarter_head()[0] + self.digits(2))
        )
        number = self.digits(self.rng.randint(2, 7))
        form = self.rng.randrange(4)
        if form == 0:
            return [Piece("記号・番号："), Piece(f"{symbol}・{number}", "HEALTHPLAN")]
        between = (" 番号", "　番号 ", "　番号：", "、番号")[form]
        pieces = [
            Piece(("記号", "記号 ", "記号：", "記号")[form]),
            Piece(symbol, "HEALTHPLAN"),
            Piece(between),
        ]
        pieces.append(Piece(number, "HEALTHPLAN"))
        if self.rng.random() < 0.3:
            pieces += [
                Piece(self.rng.choice((" 枝番", "（枝番）", "　枝番："))),
                Piece(self.rng.choice(("00", "01", "02")), "HEALTHPLAN"),
            ]
        return pieces

    def slot_fund(self, request: Request) -> list[Piece]:
        """The number of those who bear the cost."""
        return [Piece(self._with_luhn(self.rng.choice(_PUBLIC_FUNDS)), "HEALTHPLAN")]

    def slot_recipient(self, request: Request) -> list[Piece]:
        digits = self.digits(6)
        return [Piece(digits + luhn_digit(digits), "HEALTHPLAN")]

    def slot_care(self, request: Request) -> list[Piece]:
        """The number of somebody insured for care."""
        return self.kept(request.key, lambda: [Piece(f"000{self.digits(7)}", "HEALTHPLAN")])

    def slot_elderly(self, request: Request) -> list[Piece]:
        return [Piece(self.digits(8, first="0123"), "HEALTHPLAN")]

    def slot_mynumber(self, request: Request) -> list[Piece]:
        return self.kept(request.key, lambda: [Piece(self._my_number(), "SSN")])

    def slot_handbook(self, request: Request) -> list[Piece]:
        """The number of a handbook: of the disabled, of mothers."""
        number = self.digits(self.rng.choice((5, 6, 7)))
        return [
            Piece(self.rng.choice((f"第{number}号", number, f"{self.fill('A')}{number}")), "IDNUM")
        ]

    def slot_passport(self, request: Request) -> list[Piece]:
        return [
            Piece(self.fill(self.rng.choice(("AA9999999", "AA99999999AA", "A99999999"))), "IDNUM")
        ]

    def slot_pension(self, request: Request) -> list[Piece]:
        return [Piece(self.fill("9999-999999"), "IDNUM")]

    def slot_specimen(self, request: Request) -> list[Piece]:
        year = self.today.year % 100
        forms = (
            f"S{year:02}-{self.digits(4)}",
            f"{year:02}-{self.digits(5)}",
            f"H{self.digits(7)}",
        )
        more = (
            self.digits(8),
            f"P{self.today.year}-{self.digits(4)}",
            f"{year:02}P{self.digits(5)}",
        )
        return self.kept(request.key, lambda: [Piece(self.rng.choice((*forms, *more)), "IDNUM")])

    def slot_idnum(self, request: Request) -> list[Piece]:
        form = self.rng.choice(
            ("9999999", "99999999", "A9999", "9999-99999", "AA-9999", "99999", "999-9999-99")
        )
        return [Piece(self.fill(form), "IDNUM")]

    def slot_account(self, request: Request) -> list[Piece]:
        return [Piece(self.digits(7, first="0123456789"), "ACCOUNT")]

    def slot_card(self, request: Request) -> list[Piece]:
        digits = self.rng.choice(("4", "51", "35")) + self.digits(14)
        number = digits[:15] + luhn_digit(digits[:15])
        gap = self.rng.choice((" ", "-", ""))
        return [Piece(gap.join(number[place : place + 4] for place in range(0, 16, 4)), "ACCOUNT")]

    def slot_bioid(self, request: Request) -> list[Piece]:
        return [
            Piece(self.fill(self.rng.choice(("FP-999999", "GEN-99-9999", "VEIN99999"))), "BIOID")
        ]

    # -- of those who treat them, of things -----------------------------------------------------

    def slot_licence(self, request: Request) -> list[Piece]:
        """The number of a driving licence."""
        number = self.digits(12)
        spaced = f"{number[:2]} {number[2:4]} {number[4:10]} {number[10:]}"
        return [Piece(self.rng.choice((number, number, f"第{number}号", spaced)), "LICENSE")]

    def slot_registration(self, request: Request) -> list[Piece]:
        """The number under which a doctor or a nurse is registered."""
        number = self.digits(6)
        return [Piece(self.rng.choice((f"第{number}号", number, f"第 {number} 号")), "LICENSE")]

    def slot_narcotics(self, request: Request) -> list[Piece]:
        """The number that lets a doctor prescribe narcotics."""
        return [Piece(self.rng.choice((self.fill("99-99999"), f"第{self.digits(4)}号")), "LICENSE")]

    def slot_serial(self, request: Request) -> list[Piece]:
        form = self.rng.choice(
            ("AAA999999A", "AA99999", "99999999", "AA-999999", "9999-9999", "A99-99999")
        )
        return [Piece(self.fill(form), "DEVICE")]

    def slot_lot(self, request: Request) -> list[Piece]:
        return [
            Piece(
                self.fill(self.rng.choice(("AA9999", "A999A", "999999A", "99A99", "AAA999"))),
                "DEVICE",
            )
        ]

    def slot_blood(self, request: Request) -> list[Piece]:
        """The number of a unit of blood."""
        return [Piece(self.fill("99-9999-9999"), "DEVICE")]

    def slot_plate(self, request: Request) -> list[Piece]:
        place = self.rng.choice(words("ja", "plates"))
        number = self.rng.choice((self.fill("99-99"), self.fill("9999"), f"・・{self.digits(2)}"))
        gap = self.rng.choice((" ", " ", ""))
        kind = self.rng.choice(("300", "500", "330", "580", "501", "480", "100"))
        return [Piece(gap.join((place, kind, self.rng.choice(_PLATE_KANA), number)), "VEHICLE")]

    def slot_chassis(self, request: Request) -> list[Piece]:
        return [Piece(self.fill("AAA99-9999999"), "VEHICLE")]

    def _with_luhn(self, kind: str) -> str:
        """Kind of insurance, prefecture, insurer and check digit."""
        prefecture = prefectures().index(self.prefecture) + 1
        digits = f"{kind}{prefecture:02}{self.digits(3, first='0123456789')}"
        return digits + luhn_digit(digits)

    def _my_number(self) -> str:
        digits = self.digits(11)
        number = digits + my_number_check_digit(digits)
        gap = self.rng.choice(("", "", " ", "-"))
        return gap.join(number[place : place + 4] for place in (0, 4, 8))
