"""Names of people in Spanish records: frequent, regional, American, of migrants, and words."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from veil.synth.people import draw_given, draw_surname
from veil.synth.words import words

if TYPE_CHECKING:
    from random import Random

    from veil.synth.people import Sex

# What writers make of frequent names.
_SHORT_GIVEN = {
    "María": ("Mª", "Mª", "Mª", "M.ª", "Ma.", "M."),
    "Francisco": ("Fco.", "Fco"),
    "Francisca": ("Fca.",),
    "José": ("J.", "Jse."),
    "Antonio": ("Ant.", "A."),
    "Juan": ("J.", "Jn."),
}
_SHORT_SURNAMES = {
    "García": "Gª",
    "Fernández": "Fdez.",
    "Hernández": "Hdez.",
    "Martínez": "Mtnez.",
    "Rodríguez": "Rguez.",
    "González": "Glez.",
    "Gutiérrez": "Gtrez.",
    "Jiménez": "Jmnez.",
    "Sánchez": "Schez.",
    "Domínguez": "Dguez.",
    "Pérez": "Pz.",
    "Santamaría": "Sta. María",
}
# Where names come from: of Spain at large, of its regions, of America, of migrants.
_ORIGINS = {
    "es": {"": 60, "regional": 20, "american": 7, "migrant": 7, "word": 6},
    "mx": {"": 25, "american": 65, "migrant": 2, "word": 6, "regional": 2},
    "ar": {"": 35, "american": 52, "migrant": 5, "word": 4, "regional": 4},
    "cl": {"": 38, "american": 54, "migrant": 2, "word": 4, "regional": 2},
    "co": {"": 32, "american": 60, "migrant": 1, "word": 6, "regional": 1},
    "pe": {"": 32, "american": 60, "migrant": 2, "word": 5, "regional": 1},
}


def draw_origin(rng: Random, country: str) -> str:
    """Where somebody's names come from."""
    weights = _ORIGINS[country]
    return rng.choices(list(weights), list(weights.values()))[0]


def spanish_given(rng: Random, sex: Sex, origin: str) -> str:
    """A given name, now and then a compound one: María José, José Luis, Juan de Dios."""
    kind = rng.random()
    if origin in ("", "american", "word") and kind < 0.22:
        return _compound(rng, sex)
    if origin != "migrant" and 0.92 < kind:
        return draw_given(rng, "es", sex)
    return rng.choice(_listed(origin, sex))


def spanish_surname(rng: Random, origin: str) -> str:
    """A surname: one word, or with particles or a hyphen."""
    kind = rng.random()
    if origin == "migrant":
        return rng.choice(words("es", "migrant_surnames"))
    if kind < 0.09:
        return rng.choice(words("es", "word_surnames"))
    if kind < 0.15:
        return _with_particle(rng)
    if kind < 0.18:
        return f"{plain_surname(rng)}-{plain_surname(rng)}"
    if kind < 0.22:
        return rng.choice(words("es", "surname_starts")) + rng.choice(words("es", "surname_ends"))
    if kind < 0.32:
        return draw_surname(rng, "es")
    if origin in ("regional", "american"):
        return rng.choice(words("es", f"{origin}_surnames"))
    return rng.choice(words("es", "surnames"))


def plain_surname(rng: Random) -> str:
    """A surname of one word."""
    return rng.choice(words("es", rng.choice(("surnames", "surnames", "regional_surnames"))))


def shortened(rng: Random, name: str) -> str:
    """A name with some of its words as writers abbreviate them: Mª Carmen Fdez. Gª."""
    made = []
    for place, word in enumerate(name.split(" ")):
        if place == 0 and word in _SHORT_GIVEN:
            made.append(rng.choice(_SHORT_GIVEN[word]))
        elif word in _SHORT_SURNAMES and rng.random() < 0.6:
            made.append(_SHORT_SURNAMES[word])
        else:
            made.append(word)
    return " ".join(made)


@cache
def _listed(origin: str, sex: Sex) -> tuple[str, ...]:
    return words("es", f"{origin}_given_{sex}" if origin == "word" else _list_of(origin, sex))


def _list_of(origin: str, sex: Sex) -> str:
    return f"{origin}_{sex}" if origin else f"given_{sex}"


def _compound(rng: Random, sex: Sex) -> str:
    if sex == "female":
        first = rng.choice(("María", "María", "María", "Ana", "Rosa", "Luz"))
        tail = rng.choice(words("es", "maria_tails" if first == "María" else "given_female"))
        return f"{first} {tail}"
    first = rng.choice(("José", "José", "Juan", "Luis", ""))
    if first:
        return f"{first} {rng.choice(words('es', f'{_folded(first)}_tails'))}"
    return f"{rng.choice(words('es', 'given_male'))} {rng.choice(words('es', 'given_male'))}"


def _folded(name: str) -> str:
    return {"José": "jose", "Juan": "juan", "Luis": "luis"}[name]


def _with_particle(rng: Random) -> str:
    """De la Fuente, del Río, Ruiz de Alda, García y Bellido."""
    if rng.random() < 0.3:
        return f"{plain_surname(rng)} de {rng.choice(words('es', 'tail_towns'))}"
    particle = rng.choice(words("es", "particles"))
    if particle in ("San", "Santa"):
        return f"{particle} {rng.choice(words('es', _SAINTS[particle])).split()[0]}"
    if particle == "y":
        return f"{plain_surname(rng)} y {plain_surname(rng)}"
    stems = words("es", _STEMS.get(particle.lower(), "tail_towns"))
    return f"{particle} {rng.choice(stems)}"


_SAINTS = {"San": "saints_male", "Santa": "saints_female"}
_STEMS = {
    "de la": "particle_stems",
    "del": "masculine_stems",
    "de los": "plural_stems",
    "de las": "plural_female_stems",
}


@cache
def short_forms() -> dict[str, tuple[str, ...]]:
    """Given names with the short forms that people use."""
    forms: dict[str, tuple[str, ...]] = {}
    for pair in words("es", "nicknames"):
        name, _, short = pair.partition("=")
        forms[name] = (*forms.get(name, ()), short)
    return forms
