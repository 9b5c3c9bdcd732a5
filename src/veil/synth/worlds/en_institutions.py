"""Names of English hospitals, practices, homes, firms, schools and landmarks, put together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.synth.words import words
from veil.synth.worlds.en_names import english_plain
from veil.synth.worlds.institutions import Institution

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

_ROYALS = ("Elizabeth", "Mary", "Alexandra", "Anne", "Margaret", "Victoria", "Charlotte", "Diana")
_KINGS = ("George", "Edward", "Charles", "Alfred", "William", "Henry")
_SMALL_WORDS = frozenset({"of", "and", "the", "The", "&"})
_HEADS = re.compile(
    r" (?:Hospital|Medical Center|Medical Centre|Health System|Healthcare System|NHS .*Trust|Clinic"
    r"|Nursing Home|Surgery|Infirmary|Health Centre|Family Practice|Family Medicine)$"
)


class Namer:
    """Makes names of institutions of one country."""

    def __init__(self, rng: Random, code: str, city: Callable[[], str], state: str) -> None:
        self._rng = rng
        self._code = code
        self._side = "american" if code in ("us", "ca") else "british"
        self._city = city
        self._state = state

    def hospital(self) -> Institution:
        return self._institution(f"hospitals_{self._code}")

    def clinic(self) -> Institution:
        return self._institution(f"clinics_{self._side}")

    def care_home(self) -> Institution:
        return self._institution("care_homes")

    def dialysis(self) -> Institution:
        return self._institution("dialysis")

    def pharmacy(self) -> Institution:
        rng = self._rng
        if rng.random() < 0.5:
            name = rng.choice(words("en", f"pharmacies_{self._side}"))
        else:
            kind = rng.choice(("Pharmacy", "Pharmacy", "Drug", "Apothecary", "Chemist"))
            name = f"{rng.choice((english_plain(rng), self.place()))} {kind}"
        return Institution(name, name, name)

    def agency(self) -> str:
        return self._filled("agencies")

    def firm(self) -> str:
        rng = self._rng
        if rng.random() < 0.35:
            return rng.choice(words("en", f"companies_{self._side}"))
        start = rng.choice((english_plain(rng), self.place(), self.place(), self._city()))
        if rng.random() < 0.2:
            start = f"{english_plain(rng)} & {english_plain(rng)}"
        end = f" {rng.choice(words('en', f'firm_ends_{self._side}'))}" if rng.random() < 0.5 else ""
        return f"{start} {rng.choice(words('en', 'firm_kinds'))}{end}"

    def school(self, *, of_children: bool) -> str:
        rng = self._rng
        start = rng.choice(
            (
                english_plain(rng),
                self.place(),
                self._city(),
                f"St. {rng.choice(words('en', 'saints'))}'s",
            )
        )
        if of_children:
            return f"{start} {rng.choice(words('en', 'schools_of_children'))}"
        if rng.random() < 0.15:
            return f"University of {rng.choice((self._city(), self._state))}"
        return f"{start} {rng.choice(words('en', 'schools'))}"

    def church(self) -> str:
        rng = self._rng
        saint = f"St. {rng.choice(words('en', 'saints'))}'s"
        start = rng.choice((saint, saint, rng.choice(words("en", "virtues")), self.place()))
        return f"{start} {rng.choice(words('en', 'worship'))}"

    def authority(self, kinds: str) -> str:
        """A service of a town, its kind from one of the lists."""
        return f"{self._city()} {self._rng.choice(words('en', kinds))}"

    def landmark(self) -> str:
        rng = self._rng
        kind = rng.choice(words("en", "landmarks"))
        start = rng.choice((self.place(), english_plain(rng), self._city()))
        if kind in ("Lake", "Mountain", "River") and rng.random() < 0.5:
            before = {"Mountain": "Mount"}.get(kind, kind)
            return f"{before} {start}"
        return f"{start} {kind}"

    def place(self) -> str:
        """Two words that name a house, a firm or a suburb: Cedar Ridge, Stonebrook."""
        rng = self._rng
        start, end = rng.choice(words("en", "nature")), rng.choice(words("en", "features"))
        if rng.random() < 0.25 and " " not in start:
            return start + end.lower()
        return f"{start} {end}"

    def _institution(self, patterns: str) -> Institution:
        name = self._filled(patterns)
        short = _HEADS.sub("", name).removeprefix("The ")
        letters = [word[0] for word in re.split(r"[\s-]+", name) if word not in _SMALL_WORDS]
        initials = "".join(letters).upper()
        return Institution(name, short, initials if 2 <= len(initials) else name)

    def _filled(self, patterns: str) -> str:
        rng = self._rng
        pattern = rng.choice(words("en", patterns))
        makers: dict[str, Callable[[], str]] = {
            "city": self._city,
            "state": lambda: self._state,
            "surname": lambda: english_plain(rng),
            "saint": lambda: rng.choice(words("en", "saints")),
            "virtue": lambda: rng.choice(words("en", "virtues")),
            "place": self.place,
            "town": lambda: town_name(rng),
            "feature": lambda: rng.choice(words("en", "features")).rstrip("s"),
            "royal": lambda: rng.choice(_ROYALS),
            "king": lambda: rng.choice(_KINGS),
        }
        return re.sub(r"\{(\w+)\}", lambda match: makers[match[1]](), pattern)


def town_name(rng: Random) -> str:
    """A town that is on no map."""
    return rng.choice(words("en", "town_starts")) + rng.choice(words("en", "town_ends"))
