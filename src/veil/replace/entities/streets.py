"""Stand-ins for streets and addresses: the kind of street stays, its name and numbers change."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from veil.replace.entities.choosing import chosen
from veil.replace.entities.names import invented, phrase_number
from veil.replace.entities.phrases import Stretch, Token, rewrite, tokens
from veil.replace.entities.spanish_names import fitting_noun
from veil.replace.entities.words import key_of, longest_first, word_set, words
from veil.replace.entities.writing import like, swedish_genitive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.replace.entities.record import Record

_ORDINAL = re.compile(r"[0-9]+(?:st|nd|rd|th)", re.IGNORECASE)
_STOREYS = frozenset({"floor", "fl", "level"})
_SEGMENT = re.compile(r"[^,;]+")
_CROSSING = re.compile(r"(\s+(?:&|and|@)\s+)")


def street(record: Record, text: str) -> str:
    """The stand-in for a street, with or without its number and flat."""
    rewriters = {"en": _english, "sv": _swedish}
    new = rewriters.get(record.language, _spanish)(record, text)
    if key_of(new) == key_of(text):
        # Nothing but the word for its kind: Broadway, Esplanaden, Stora gatan.
        name = _name(record, key_of(text))
        return like(text, name if record.language != "sv" else f"{name}gatan")
    return new


def _name(record: Record, value: str) -> str:
    name = "street_stems" if record.language == "sv" else "street_names"
    return chosen(record, "street", value, words(record.language, name))


def _renamed(record: Record, stretch: Stretch) -> str:
    if len(stretch.text) == 1:
        return phrase_number(record, stretch.text)
    fitting = fitting_noun(record, stretch) if record.language == "es" else None
    return fitting or like(stretch.text, _name(record, key_of(stretch.text)))


def _english(record: Record, text: str) -> str:
    """The last word for a kind of street is the kind: "Park Street" is a street named Park."""
    if _CROSSING.search(text):
        streets = _CROSSING.split(text)
        streets[::2] = [_english(record, each) for each in streets[::2]]
        return "".join(streets)
    found = tokens(text)
    units = {token.start for at, token in enumerate(found) if _is_unit(found, at)}
    end = next((at for at in range(len(found)) if _ends_name(found, at, units)), len(found))
    kinds = word_set("en", "street_kinds")
    kind = next((at for at in range(end - 1, 0, -1) if found[at].key in kinds), None)
    kept = set(units)
    if kind is not None and _has_name(found[:kind]):
        kept.add(found[kind].start)
    left = [token for token in found if token.start not in kept and not token.is_number]
    named = [token for token in left if token.key not in word_set("en", "directions")]
    # Country roads are numbered by a grid: 18209 E 1200 North Rd.
    in_grid = 1 < sum(token.is_number for token in found[:end])
    if named or in_grid or any(_ORDINAL.fullmatch(token.text) for token in found):
        kept |= {token.start for token in left if token not in named}
    return rewrite(
        text,
        stays=lambda token: token.start in kept,
        particles=frozenset(),
        name=partial(_renamed, record),
        number=partial(phrase_number, record),
    )


def _ends_name(found: Sequence[Token], at: int, units: set[int]) -> bool:
    """Whether a word for a flat or the like stands behind the name of the street."""
    return found[at].start in units and any(
        not (token.is_number or token.start in units) for token in found[:at]
    )


def _is_unit(found: Sequence[Token], at: int) -> bool:
    """Whether a word stands for a flat, a box or the like: before a number, or at the end."""
    units = word_set("en", "street_units")
    if found[at].key not in units:
        return False
    if at and found[at].key in _STOREYS and _ORDINAL.fullmatch(found[at - 1].text):
        return True
    after = found[at + 1] if at + 1 < len(found) else None
    return after is None or after.is_number or len(after.text) == 1 or after.key in units


def _has_name(before: Sequence[Token]) -> bool:
    return any(not token.is_number or _ORDINAL.fullmatch(token.text) for token in before)


def _spanish(record: Record, text: str) -> str:
    """The word for the kind of street begins each part of an address."""
    units = word_set("es", "street_units")
    sides = word_set("es", "street_sides")
    kinds = word_set("es", "street_kinds")

    def segment(match: re.Match[str]) -> str:
        found = tokens(match[0])
        words_in = [token for token in found if not token.is_number]
        # The C of "2º C" is no street.
        has_kind = bool(words_in) and words_in[0].key in kinds and words_in[0] != found[-1]

        def stays(token: Token) -> bool:
            if token.key in sides:
                # "Calle Norte 5" has it for its name, "Calle 5 Norte" has not.
                return not (has_kind and token == found[1])
            # "2 c. al sur" counts blocks, while the letter of a flat is a capital.
            is_small_letter = len(token.text) == 1 and token.text.islower() and not text.islower()
            is_kind = has_kind and token.key == words_in[0].key
            return is_kind or is_small_letter or token.key in units

        return rewrite(
            match[0],
            stays=stays,
            particles=word_set("es", "particles"),
            name=partial(_renamed, record),
            number=partial(phrase_number, record),
        )

    return _SEGMENT.sub(segment, text)


def _swedish(record: Record, text: str) -> str:
    units = word_set("sv", "street_units", "directions", "street_kinds")
    return rewrite(
        text,
        stays=lambda token: token.key in units,
        particles=frozenset(),
        name=partial(_swedish_name, record),
        number=partial(phrase_number, record),
    )


def _swedish_name(record: Record, stretch: Stretch) -> str:
    """A compound keeps its end: Storgatan -> Lärkgatan; other names become those of farms."""
    text = stretch.text
    if len(text) == 1:
        return phrase_number(record, text)
    folded = key_of(text)
    for end in longest_first("sv", "street_ends"):
        if folded.endswith(end) and len(end) < len(folded):
            return like(
                text, _name(record, folded.removesuffix(end)) + text[len(text) - len(end) :].lower()
            )
    if stretch.after in word_set("sv", "street_kinds"):
        return like(text, swedish_genitive(invented(record, folded)))
    return like(text, invented(record, folded))
