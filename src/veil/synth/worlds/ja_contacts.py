"""Telephones, mail and the web in Japanese records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.world import Request
from veil.synth.worlds.ja_institutions import Institutions

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
