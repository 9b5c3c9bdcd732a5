"""Telephones, mail and the net in Spanish records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.lexicons.folding import fold, without_diacritics
from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.world import Request
from veil.synth.worlds.es_addresses import Addresses
from veil.synth.worlds.es_mentions import People

if TYPE_CHECKING:
    from veil.synth.worlds.es_people import Hispanic

_CODES = {"es": "34", "mx": "52", "ar": "54", "cl": "56", "co": "57", "pe": "51"}
_DOMAINS = {"es": "es", "mx": "gob.mx", "ar": "gov.ar", "cl": "cl", "co": "gov.co", "pe": "gob.pe"}
# How the numbers of mobiles begin; in Mexico as those of lines do.
_MOBILES = {
    "es": ("6", "6", "6", "7"),
    "ar": ("11", "11", "15"),
    "cl": ("9",),
    "co": ("300", "310", "312", "315", "320", "350"),
    "pe": ("9",),
}
_SITES = {"es": "es", "mx": "com.mx", "ar": "com.ar", "cl": "cl", "co": "com.co", "pe": "pe"}
_URLS = (
    *("www.{0}.{1}", "https://www.{0}.{1}/citas", "http://{0}.org", "www.{0}.com"),
    *("{0}.{1}/pacientes", "https://portal.{0}.net"),
)


class Contacts(People, Addresses):
    """Slots `{phone}`, `{fax}`, `{ext}`, `{mail}`, `{user}`, `{url}`, `{ip}`."""

    def slot_phone(self, request: Request) -> list[Piece]:
        """A telephone, the same for a number throughout: `mobile`, `line`, or one of both."""
        kind = request.view or self.draw({"mobile": 6, "line": 4})
        return self.kept(
            f"{request.key}.{request.view}", lambda: [Piece(self._phone(kind), "PHONE")]
        )

    def slot_fax(self, request: Request) -> list[Piece]:
        return self.fixed(request, "FAX", lambda: self._phone("line"))

    def slot_ext(self, request: Request) -> list[Piece]:
        """An extension or a pager: four digits to six."""
        return self.fixed(request, "PHONE", lambda: self.digits(self.rng.choice((4, 4, 5, 6))))

    def _phone(self, kind: str) -> str:
        area, rest = self._phone_digits(kind)
        rng = self.rng
        if self.is_spain():
            digits = area + rest
            national = self.draw(
                {
                    digits: 9,
                    f"{digits[:3]} {digits[3:6]} {digits[6:]}": 7,
                    f"{digits[:3]} {digits[3:5]} {digits[5:7]} {digits[7:]}": 5,
                    f"{digits[:3]}.{digits[3:6]}.{digits[6:]}": 0.7,
                    f"{digits[:3]}-{digits[3:6]}-{digits[6:]}": 0.8,
                    f"{digits[:3]} {digits[3:]}": 0.8,
                    f"{digits[:2]} {digits[2:5]} {digits[5:7]} {digits[7:]}": 1,
                }
            )
        else:
            half = f"{rest[:-4]}{rng.choice((' ', '-', ''))}{rest[-4:]}"
            national = rng.choice(
                (f"({area}) {half}", f"{area} {half}", f"{area}{rest}", f"{area}-{half}")
            )
        code = _CODES[self.code]
        start = self.draw(
            {"": 12, f"+{code} ": 1.5, f"+{code}": 0.4, f"(+{code}) ": 0.2, f"00{code} ": 0.2}
        )
        tail = (
            f"{rng.choice((' ext. ', ' ext ', ', ext. '))}{self.digits(4)}"
            if rng.random() < 0.05
            else ""
        )
        return start + national + (tail if kind == "line" else "")

    def _phone_digits(self, kind: str) -> tuple[str, str]:
        """The code of an area or network, and the rest of the number."""
        area = self.home_town().area
        if kind == "mobile":
            area = self.rng.choice(_MOBILES.get(self.code, (area,)))
        length = {"es": 9, "cl": 9 if kind == "mobile" else 8 + len(area), "pe": 9}
        if self.code == "pe" and kind == "line":
            return area, self.digits(7)
        if self.code == "ar" and area == "15":
            return area, self.digits(7)
        first = "0123456789" if self.is_spain() and kind == "mobile" else "123456789"
        return area, self.digits(length.get(self.code, 10) - len(area), first=first)

    def slot_mail(self, request: Request) -> list[Piece]:
        """An e-mail address made of a name; the view says whose: `patient`, `doctor2`."""
        person = self._whose(request, "patient")
        return self.kept(f"mail.{request.view}", lambda: [Piece(self._mail(person), "EMAIL")])

    def _whose(self, request: Request, default: str) -> Hispanic:
        role = request.view.rstrip("0123456789") or default
        return self.somebody(Request(role, request.view.removeprefix(role)))

    def _mail(self, person: Hispanic) -> str:
        rng = self.rng
        first, last = _letters_of(person)
        if person.label == "DOCTOR":
            host = rng.choice(("salud", "hospital", "h")) + plain_letters(self.home_town().name)
            local = rng.choice((f"{first}.{last}", f"{first[0]}{last}", f"{last}.{first[:1]}"))
            return f"{local}@{host}.{_DOMAINS[self.code]}"
        forms = (f"{first}.{last}", f"{first}{last}", f"{first}_{last}", f"{last}.{first}")
        year = person.birth.year
        local = rng.choice(
            (*forms, f"{first[:1]}.{last}", f"{first}.{last}{year % 100:02}", f"{first}{year}")
        )
        return f"{local}@{rng.choice(words('es', 'mail_hosts'))}"

    def slot_user(self, request: Request) -> list[Piece]:
        """A name to log in with: `{user.doctor}`, or of a net: `{user.patient}`."""
        person = self._whose(request, "doctor")

        def make() -> str:
            first, last = _letters_of(person)
            if person.label == "DOCTOR":
                forms = (f"{first[:1]}{last}", f"{last[:4]}{first[:2]}01", f"{first}.{last}")
                return self.rng.choice((*forms, f"{first[:1]}{last[:5]}{self.digits(2)}"))
            number = self.digits(2)
            forms = (
                f"@{first}_{last}",
                f"@{first}{last[:3]}{number}",
                f"{first}.{last[:3]}{number}",
            )
            return self.rng.choice(forms)

        return self.kept(f"user.{request.view}", lambda: [Piece(make(), "USERNAME")])

    def slot_url(self, request: Request) -> list[Piece]:
        head = self.rng.choice(("hospital", "salud", "clinica", ""))
        name = head + plain_letters(self.home_town().name)
        return self.fixed(
            request, "URL", lambda: self.rng.choice(_URLS).format(name, _SITES[self.code])
        )

    def slot_ip(self, request: Request) -> list[Piece]:
        parts = (
            self.rng.choice((10, 172, 192, 83)),
            *(self.rng.randrange(1, 255) for _ in range(3)),
        )
        return self.fixed(request, "IPADDR", lambda: ".".join(map(str, parts)))


def _letters_of(person: Hispanic) -> tuple[str, str]:
    """Given name and surname as addresses of the net have them."""
    return plain_letters(person.given[0].split()[0]), plain_letters(person.surname)


def plain_letters(text: str) -> str:
    """A name as addresses of the net have it: small letters without accents."""
    plain = without_diacritics(fold(text))
    return "".join(c for c in plain if c.isascii() and c.isalnum()) or "x"
