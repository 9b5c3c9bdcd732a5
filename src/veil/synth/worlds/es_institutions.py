"""Names of hospitals, health centres, homes, firms and schools, put together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.synth.words import words
from veil.synth.worlds.es_names import plain_surname
from veil.synth.worlds.institutions import Institution

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

_FIELD = re.compile(r"\{(\w+)\}")
_HEADS = re.compile(
    r"^(?:(?:Hospital|Complejo|Clínica|Centro|Consultorio|Sanatorio|Policlínic[oa]|C\.S\.|CS)"
    r"(?: (?:Hospitalario|Asistencial|Universitari[oa]?|General|Comarcal|Regional|Clínico"
    r"|Provincial"
    r"|de Salud|de Mayores|Infantil|Materno-Infantil|Médico|Base|Nacional|Interzonal|Zonal))*)"
    r" (?:de |del )?"
)
_SMALL_WORDS = frozenset({"de", "del", "la", "las", "los", "el", "y", "No.", "N°", "nº"})


class Namer:
    """Makes names of institutions of one country."""

    def __init__(self, rng: Random, code: str, city: Callable[[], str], region: str) -> None:
        self._rng = rng
        self._code = code
        self._city = city
        self._region = region
        self._american = "" if code == "es" else "_american"

    def institution(self, patterns: str) -> Institution:
        """A hospital, a health centre or a home, by one of a list's patterns."""
        name = self.filled(patterns)
        short = _HEADS.sub("", name).strip('"')
        letters = [word[0] for word in re.findall(r"[\wÀ-ÿ.]+", name) if word not in _SMALL_WORDS]
        initials = "".join(letters).upper()
        usable = 3 <= len(initials) <= 6 and initials.isalpha()
        return Institution(name, short or name, initials if usable else name)

    def hospital(self) -> Institution:
        return self.institution(f"hospitals_{self._code}")

    def clinic(self) -> Institution:
        return self.institution(f"clinics_{self._code}")

    def care_home(self) -> Institution:
        return self.institution(f"care_homes{self._american}")

    def dialysis(self) -> Institution:
        return self.institution("dialysis_centres")

    def school(self) -> str:
        return self.filled("schools_american" if self._american else "schools_es")

    def agency(self) -> str:
        return self.filled("agencies_american" if self._american else "agencies_es")

    def firm(self) -> str:
        rng = self._rng
        if rng.random() < 0.2:
            return rng.choice(words("es", f"companies{self._american or '_es'}"))
        head = rng.choice(words("es", "firm_heads"))
        middle = rng.choice(
            (plain_surname(rng), self._city(), rng.choice(words("es", "firm_middles")))
        )
        if rng.random() < 0.15:
            middle = f"{plain_surname(rng)} y {plain_surname(rng)}"
        if rng.random() < 0.55:
            return f"{head} {middle}"
        return f"{head} {middle} {rng.choice(words('es', f'firm_tails{self._american}'))}"

    def pharmacy(self) -> str:
        rng = self._rng
        owner = rng.choice((f"Lda. {plain_surname(rng)}", plain_surname(rng), self._city()))
        return f"{rng.choice(('Farmacia', 'Farmacia', 'Botica', 'Óptica'))} {owner}"

    def listed(self, name: str) -> str:
        """An entry of the country's list: insurers_es, services_mx."""
        return self._rng.choice(words("es", f"{name}_{self._code}"))

    def street(self) -> str:
        """The name of a street, without the word for it."""
        rng = self._rng
        kind = rng.random()
        if kind < 0.5:
            return rng.choice(words("es", f"street_names{self._american}"))
        if kind < 0.65:
            return self.person()
        if kind < 0.75:
            title = rng.choice(("Dr.", "Doctor", "Dr", "Pintor", "General", "Padre"))
            return f"{title} {plain_surname(rng)}"
        if kind < 0.85:
            return rng.choice(
                (f"San {self._saint()}", f"Santa {self._woman()}", f"Virgen {self._virgin()}")
            )
        return rng.choice(
            (
                f"de {self._city()}",
                f"de {self.village()}",
                f"Río {rng.choice(words('es', 'rivers'))}",
            )
        )

    def person(self) -> str:
        """Somebody famous enough for a street, a school or a hospital."""
        rng = self._rng
        given = rng.choice(words("es", rng.choice(("given_male", "given_male", "given_female"))))
        return f"{given} {plain_surname(rng)}"

    def village(self) -> str:
        """A village that is on no map."""
        rng = self._rng
        return (
            f"{rng.choice(words('es', 'village_starts'))} {rng.choice(words('es', 'village_ends'))}"
        )

    def quarter(self) -> str:
        return self._rng.choice(words("es", "quarter_names"))

    def filled(self, patterns: str) -> str:
        """One of a list's patterns with its fields filled in."""
        pattern = self._rng.choice(words("es", patterns))
        return _FIELD.sub(lambda match: self._value(match[1]), pattern)

    def _hall(self) -> str:
        """What half of all hospitals are called after."""
        rng = self._rng
        return rng.choice(
            (
                *(f"San {self._saint()}", f"Santa {self._woman()}", f"Virgen {self._virgin()}"),
                *(f"Nuestra Señora {self._virgin()}", rng.choice(words("es", "landscapes"))),
                *(
                    self.person(),
                    self.person(),
                    plain_surname(rng),
                    f"La {self._any('particle_stems')}",
                ),
                rng.choice(words("es", "royals")),
            )
        )

    def _saint(self) -> str:
        return self._any("saints_male")

    def _woman(self) -> str:
        return self._any("saints_female")

    def _virgin(self) -> str:
        return self._any("virgins")

    def _any(self, name: str) -> str:
        return self._rng.choice(words("es", name))

    def _value(self, field: str) -> str:
        rng = self._rng
        makers: dict[str, Callable[[], str]] = {
            "city": self._city,
            "region": lambda: self._region,
            "province": lambda: self._region,
            "village": self.village,
            "quarter": self.quarter,
            "street": lambda: self.street().removeprefix("de "),
            "person": self.person,
            "doctor": lambda: f"{self._any('given_male')} {plain_surname(rng)}",
            "surname": lambda: plain_surname(rng),
            "hall": self._hall,
            "saint": self._saint,
            "woman": self._woman,
            "virgin": self._virgin,
            "royal": lambda: self._any("royals"),
            "landscape": lambda: self._any("landscapes"),
            "feminine": lambda: self._any("particle_stems"),
            "masculine": lambda: self._any("masculine_stems"),
            "plural": lambda: self._any("plural_female_stems"),
            "plural_m": lambda: self._any("plural_stems"),
            "animal": lambda: self._any("animals"),
            "river": lambda: self._any("rivers"),
            "institute": lambda: self._any("institutes"),
            "number": lambda: str(rng.randint(1, 98)),
        }
        return makers[field]()
