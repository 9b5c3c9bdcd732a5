"""Names of people in English records: frequent, rare, foreign, compound, invented, and words."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from veil.synth.people import draw_given, draw_surname
from veil.synth.words import words

if TYPE_CHECKING:
    from random import Random

    from veil.synth.people import Sex

_PREFIXES = (
    *(
        "Mc",
        "Mc",
        "Mac",
        "O'",
        "O'",
        "O’",
        "D'",
        "De ",
        "de ",
        "de la ",
        "Del ",
        "Di ",
        "La ",
        "Le",
    ),
    *(
        "van ",
        "van der ",
        "van den ",
        "Van ",
        "von ",
        "St. ",
        "St ",
        "Al-",
        "El-",
        "al-",
        "Abu ",
        "Ben-",
    ),
    *("Fitz", "ter ", "dos ", "da ", "Ó ", "Ní ", "bin ", "Mac "),
)
_SECOND_NAMES = ("Ann", "Lee", "Jo", "Lynn", "Mae", "Marie", "Beth", "Jane", "Lou", "Kate", "Rose")


def english_given(rng: Random, sex: Sex) -> str:
    """A given name."""
    kind = rng.random()
    if kind < 0.45:
        return rng.choice(words("en", f"given_{sex}"))
    if kind < 0.51:
        return rng.choice(words("en", f"word_given_{sex}"))
    if kind < 0.55:
        first = rng.choice(words("en", f"given_{sex}"))
        second = rng.choice(_SECOND_NAMES) if sex == "female" else english_given(rng, sex)
        return first + rng.choice(("-", " ")) + second.split()[0]
    if kind < 0.60:
        return rng.choice(words("en", "surname_starts")) + rng.choice(words("en", "given_ends"))
    return draw_given(rng, "en", sex)


def english_surname(rng: Random) -> str:
    """A surname."""
    kind = rng.random()
    if kind < 0.36:
        return rng.choice(words("en", "surnames"))
    if kind < 0.44:
        return rng.choice(words("en", "word_surnames"))
    if kind < 0.49:
        first, second = english_plain(rng), english_plain(rng)
        return first + rng.choice(("-", "-", "-", " ")) + second
    if kind < 0.55:
        return rng.choice(_PREFIXES) + english_plain(rng)
    if kind < 0.62:
        return rng.choice(words("en", "surname_starts")) + rng.choice(words("en", "surname_ends"))
    return draw_surname(rng, "en")


def english_plain(rng: Random) -> str:
    """A surname of one part."""
    if rng.random() < 0.6:
        return rng.choice(words("en", "surnames"))
    return draw_surname(rng, "en")


@cache
def short_forms() -> dict[str, tuple[str, ...]]:
    """Given names with the short forms that people use."""
    forms: dict[str, tuple[str, ...]] = {}
    for pair in words("en", "nicknames"):
        name, _, short = pair.partition("=")
        forms[name] = (*forms.get(name, ()), short)
    return forms
