"""Stand-ins for streets and addresses: the kind of street stays, its name and numbers change."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from veil.replace.things.choosing import chosen
from veil.replace.things.names import invented, phrase_number, spanish_noun
from veil.replace.things.phrases import Stretch, Token, rewrite, tokens
from veil.replace.things.words import key_of, longest_first, word_set, words
from veil.replace.things.writing import like, swedish_genitive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.replace.things.record import Record

_ORDINAL = re.compile(r"[0-9]+(?:st|nd|rd|th)", re.IGNORECASE)
_SEGMENT = re.compile(r"[^,;]+")


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
    fitting = spanish_noun(record, stretch) if record.language == "es" else None
    return fitting or like(stretch.text, _name(record, key_of(stretch.text)))


def _english(record: Record, text: str) -> str:
    """The last word for a kind of street is the kind: "Park Street" is a street named Park."""
    found = tokens(text)
    units = {token.start for at, token in enumerate(found) if _is_unit(found, at)}
    end = next((at for at, token in enumerate(found) if at and token.start in units), len(found))
    kinds = word_set("en", "street_kinds")
    kind = next((at for at in range(end - 1, 0, -1) if found[at].key in kinds), None)
    kept = set(units)
    if kind is not None and _has_name(found[:kind]):
        kept.add(found[kind].start)
    left = [token for token in found if token.start not in kept and not token.is_number]
    named = [token for token in left if token.key not in word_set("en", "directions")]
    if named or any(_ORDINAL.fullmatch(token.text) for token in found):
        kept |= {token.start for token in left if token not in named}
    return rewrite(
        text,
        stays=lambda token: token.start in kept,
        particles=frozenset(),
        name=partial(_renamed, record),
        number=partial(phrase_number, record),
    )


def _is_unit(found: Sequence[Token], at: int) -> bool:
    """Whether a word stands for a flat, a box or the like: before a number, or at the end."""
    units = word_set("en", "street_units")
    if found[at].key not in units:
        return False
    after = found[at + 1] if at + 1 < len(found) else None
    return after is None or after.is_number or len(after.text) == 1 or after.key in units


def _has_name(before: Sequence[Token]) -> bool:
    return any(not token.is_number or _ORDINAL.fullmatch(token.text) for token in before)


def _spanish(record: Record, text: str) -> str:
    """The word for the kind of street begins each part of an address."""
    units = word_set("es", "street_units")
    kinds = word_set("es", "street_kinds")

    def segment(match: re.Match[str]) -> str:
        found = [token for token in tokens(match[0]) if not token.is_number]
        first = (
            found[0].key if found and found[0].key in kinds and 1 < len(tokens(match[0])) else ""
        )
        return rewrite(
            match[0],
            stays=lambda token: token.key == first or token.key in units,
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
