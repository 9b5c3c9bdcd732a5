"""Telephones, addresses of the network and user names in English records."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from veil.synth.pieces import Piece
from veil.synth.words import words
from veil.synth.world import Request
from veil.synth.worlds.en_country import English

if TYPE_CHECKING:
    from veil.synth.people import Person

_DOMAINS = {
    "us": ("org", "edu", "com", "net"),
    "uk": ("nhs.uk", "org.uk", "co.uk"),
    "ca": ("ca", "on.ca"),
    "au": ("com.au", "gov.au", "org.au"),
    "ie": ("ie", "hse.ie"),
}
_PAGES = (
    *("www.{host}", "https://www.{host}/{word}", "https://{word}.{host}", "{word}.{host}"),
    *("http://{host}/{word}/{n}", "https://{host}/{word}?id={n}", "www.{host}/{word}"),
)
_MAIL_NAMES = (
    *("{first}.{last}", "{first}.{last}", "{f}{last}", "{first}{last}{yy}", "{first}_{last}"),
    *("{last}.{first}", "{f}.{last}", "{first}{l}{nn}", "{last}{f}", "{first}{nn}"),
)
_LOGINS = (
    *("{f}{last}", "{f}{last}{n}", "{f}{l}{nnn}", "{last}{f}", "{F}{LAST}", "{F}{L}{nnn}{n}"),
    *("{first}.{last}", "{f}{l}{nn}", "{f}{l}{n}"),
)
_PORTAL_NAMES = (
    "{first}{l}{yy}",
    "{word}{word}{n}",
    "{first}_{year}",
    "{last}.{first}",
    "{word}{yy}",
)
_PATIENT_WORDS = (
    "garden",
    "lucky",
    "papa",
    "nana",
    "blue",
    "sunny",
    "golf",
    "fish",
    "cat",
    "music",
)


class Contacts(English):
    """Slots `{phone}`, `{mobile}`, `{fax}`, `{pager}`, `{ext}`, `{email}`, `{url}`, `{ip}` ..."""

    # -- telephones -----------------------------------------------------------------------------

    def slot_phone(self, request: Request) -> list[Piece]:
        """A number of the country; with a number in the slot, always the same one."""
        local = request.view == "local" or (not request.view and self.rng.random() < 0.08)
        return self._telephone(request, "local_phones" if local else "phones", "PHONE")

    def slot_mobile(self, request: Request) -> list[Piece]:
        return self._telephone(request, "phones" if self.is_american() else "mobiles", "PHONE")

    def slot_fax(self, request: Request) -> list[Piece]:
        return self._telephone(request, "faxes", "FAX")

    def slot_pager(self, request: Request) -> list[Piece]:
        forms = "pagers_american" if self.is_american() else "pagers_british"
        return [Piece(self._dialled(forms), "PHONE")]

    def slot_ext(self, request: Request) -> list[Piece]:
        return [Piece(self._dialled("extensions"), "PHONE")]

    def _telephone(self, request: Request, forms: str, label: str) -> list[Piece]:
        def make() -> list[Piece]:
            country = "american" if self.is_american() else self.code
            return [Piece(self._dialled(f"{forms}_{country}"), label)]

        return self.kept(request.key, make) if request.number else make()

    def _dialled(self, forms: str) -> str:
        """A number by one of the forms of a list: # any digit, N one from 2 to 9."""
        form = self.rng.choice(words("en", forms))
        digits = re.sub("[#N]", lambda match: self._digit(match[0]), form)
        return re.sub(r"\{(\w+)\}", lambda match: self._code(match[1]), digits)

    def _digit(self, kind: str) -> str:
        return self.rng.choice("23456789" if kind == "N" else "0123456789")

    def _code(self, kind: str) -> str:
        lists = {"five": "uk_dialling_five", "city": "uk_dialling", "dial": "ie_dialling"}
        return self.rng.choice(words("en", lists.get(kind, f"{self.code}_area_codes")))

    # -- the network ----------------------------------------------------------------------------

    def slot_email(self, request: Request) -> list[Piece]:
        """The address of the patient, or of the role that the view names."""
        person = self.person(Request(request.view or "patient", request.number))
        hosts = words("en", "mail_hosts")
        host = self._host() if person.label == "DOCTOR" else self.rng.choice(hosts)
        key = f"email{request.view}{request.number}"
        return self.kept(
            key, lambda: [Piece(f"{self._account_name(person, _MAIL_NAMES)}@{host}", "EMAIL")]
        )

    def slot_url(self, request: Request) -> list[Piece]:
        word = self.rng.choice(words("en", "web_words"))
        form = self.rng.choice(_PAGES)
        return [Piece(form.format(host=self._host(), word=word, n=self.digits(4)), "URL")]

    def slot_ip(self, request: Request) -> list[Piece]:
        rng = self.rng
        if rng.random() < 0.15:
            return [Piece(":".join(f"{rng.randrange(1, 65536):x}" for _ in range(8)), "IPADDR")]
        start = rng.choice(("10.", "192.168.", "172.16.", f"{rng.randint(11, 223)}."))
        rest = 4 - start.count(".")
        return [Piece(start + ".".join(str(rng.randint(0, 255)) for _ in range(rest)), "IPADDR")]

    def slot_username(self, request: Request) -> list[Piece]:
        """What a doctor logs in with, or with the view `patient` the patient of a portal."""
        person = self.person(Request(request.view or "doctor", request.number))
        forms = _PORTAL_NAMES if person.label == "PATIENT" else _LOGINS
        key = f"username{request.view}{request.number}"
        return self.kept(key, lambda: [Piece(self._account_name(person, forms), "USERNAME")])

    def slot_handle(self, request: Request) -> list[Piece]:
        """The patient's name in a social network."""
        return [Piece(self._account_name(self.patient, ("@{first}_{word}{nn}",)), "USERNAME")]

    def _account_name(self, person: Person, forms: tuple[str, ...]) -> str:
        """A name in the network that is made from somebody's name and year of birth."""
        first, last = plain_letters(person.given[0]), plain_letters(person.surname)
        return self.rng.choice(forms).format(
            first=first,
            last=last,
            f=first[0],
            l=last[0],
            F=first[0].upper(),
            L=last[0].upper(),
            LAST=last.upper()[:7],
            year=person.birth.year,
            yy=f"{person.birth.year % 100:02}",
            n=self.rng.randint(1, 9),
            nn=self.digits(2),
            nnn=self.digits(3),
            word=self.rng.choice(_PATIENT_WORDS),
        )

    def _host(self) -> str:
        """The domain of a hospital or practice."""
        rng = self.rng
        start = rng.choice(words("en", "nature")) + rng.choice(words("en", "features"))
        kind = rng.choice(("health", "hospital", "med", "clinic", "medical", "care", ""))
        return f"{plain_letters(start)}{kind}.{rng.choice(_DOMAINS[self.code])}"


def plain_letters(name: str) -> str:
    """A name in the letters that addresses of the network have."""
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z]", "", bare) or "user"
