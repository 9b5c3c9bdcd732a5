"""English names of institutions, firms and streets, numbers in words, and professions."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from veil.core.patterns import compile_pattern
from veil.replace.entities.addresses import rename_street
from veil.replace.entities.contacts import NORTH_AMERICA
from veil.replace.entities.language import EntityLanguage, name_key, rows, setting, word_set
from veil.replace.entities.names import invent_name, is_ordinal, phrase_number, rewrite, tokens
from veil.replace.entities.numbers import replace_number
from veil.replace.entities.spelling import match_case, possessive

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from veil.replace.entities.names import NamePhrase, NameToken
    from veil.replace.entities.record import EntityRecord
    from veil.replace.secret import Draw

_NUMBER = compile_pattern(r"[0-9]+")
_COMPASS_LETTER = compile_pattern(r"([0-9]{1,2})([NSEWnsew])")
# Roads are named by their number: I-94, US 83, A92.
_ROAD = compile_pattern(r"(?:I|US|SR|CR|FM|[AMN])[- ]?[0-9]{1,4}(?: ?[NSEW])?", re.IGNORECASE)
_STREETS = frozenset({"street", "road", "lane", "avenue", "ave", "rd"})
_STOREYS = frozenset({"floor", "fl", "level"})
_CROSSING = compile_pattern(r"(\s+(?:&|and|@)\s+)")
# Each number in words with those that may replace it; no surrogate for a room is "zero".
_IN_WORDS = {
    word: tuple(each for each in row if each not in ("oh", "zero"))
    for row in rows("en", "numbers")
    for word in row
}
_WORD = compile_pattern(rf"\b(?:{'|'.join(_IN_WORDS)})\b", re.IGNORECASE)
_ONLY_WORDS = compile_pattern(rf"{_WORD.pattern}(?:[ -]{_WORD.pattern})*", re.IGNORECASE)


class _English(EntityLanguage):
    def whole_name(self, record: EntityRecord, text: str, label: str) -> str | None:
        if label == "LOCATION-OTHER" and _ROAD.fullmatch(text):
            return _NUMBER.sub(lambda match: replace_number(record, match[0]), text)
        if _ONLY_WORDS.fullmatch(text):
            return self.number_in_words(record, text)
        return _known_firm(record, text)

    def fitting_name(self, record: EntityRecord, phrase: NamePhrase) -> str | None:
        text = phrase.text  # Nine East
        return self.number_in_words(record, text) if _ONLY_WORDS.fullmatch(text) else None

    def name_words(self, found: Sequence[NameToken]) -> set[int]:
        # "Chapel Street Surgery" is not a chapel, "Mill View" not a mill; "Mill Pharmacy" has no
        # name.
        names = {token.start for token, after in pairwise(found) if after.key in _STREETS}
        if 1 < len(found) and found[0].key in word_set("en", "name_openers"):
            after = found[1]
            is_kind = after.key in word_set("en", "institution_words", "department_words")
            particles = word_set("en", "name_particles")
            if not (is_kind or after.is_number or after.is_particle(particles)):
                names.add(found[0].start)
        return names

    def street(self, record: EntityRecord, text: str) -> str:
        # The last word for a kind of street is the kind: "Park Street" is a street named Park.
        if _CROSSING.search(text):
            streets = _CROSSING.split(text)
            streets[::2] = [self.street(record, each) for each in streets[::2]]
            return "".join(streets)
        found = tokens(text)
        units = {token.start for index, token in enumerate(found) if _is_unit(found, index)}
        end = next((i for i in range(len(found)) if _ends_name(found, i, units)), len(found))
        kinds = word_set("en", "street_kinds")
        kind = next((index for index in range(end - 1, 0, -1) if found[index].key in kinds), None)
        kept = set(units)
        if kind is not None and _has_name(found[:kind]):
            kept.add(found[kind].start)
        left = [token for token in found if token.start not in kept and not token.is_number]
        named = [token for token in left if token.key not in word_set("en", "directions")]
        # Country roads are numbered by a grid: 18209 E 1200 North Rd.
        in_grid = 1 < sum(token.is_number for token in found[:end])
        if named or in_grid or any(is_ordinal(token.text) for token in found):
            kept |= {token.start for token in left if token not in named}
        return rewrite(
            text,
            stays=lambda token: token.start in kept,
            particles=frozenset(),
            name=partial(rename_street, record),
            number=partial(phrase_number, record),
        )

    def number_in_words(self, record: EntityRecord, text: str) -> str | None:
        # Other dictated words are kept: "extension five five", "double oh one".
        if not _WORD.search(text):
            return None

        def make(draw: Draw) -> str:
            return _WORD.sub(lambda match: draw.choice(_IN_WORDS[match[0].lower()]), name_key(text))

        return match_case(
            text, record.surrogate("spoken", name_key(text), (make, record.is_no_original))
        )

    def phrase_number(self, record: EntityRecord, text: str) -> str | None:
        match = _COMPASS_LETTER.fullmatch(text)
        if match is not None:
            others = "NSEW".replace(match[2].upper(), "")
            letter = record.draw("letter", text.upper()).choice(others)
            return replace_number(record, match[1]) + match_case(match[2], letter)
        return None

    def phone_country(self, record: EntityRecord, digits: str) -> str:
        if record.country in NORTH_AMERICA:
            return "GB" if digits[0] == "0" else record.country
        is_long = len(digits) == 10 and digits[0] in "23456789"
        return "US" if is_long or (len(digits) == 11 and digits[0] == "1") else record.country

    def singular(self, key: str, known: Collection[str]) -> str:
        if not key.endswith("s"):
            return key
        return key[:-2] if key.endswith("es") and key[:-2] in known else key[:-1]

    def plural(self, word: str, *, is_listed: bool) -> str:
        if not is_listed:
            return word
        if word.endswith(("s", "x", "ch", "sh")):
            return f"{word}es"
        if word.endswith("y") and word[-2:-1] not in "aeiou":
            return f"{word[:-1]}ies"
        if word.endswith("wife"):
            return f"{word[:-2]}ves"
        return f"{word[:-3]}men" if word.endswith("man") else f"{word}s"


def _known_firm(record: EntityRecord, text: str) -> str | None:
    """Return the surrogate for a firm whose name does not indicate its kind."""
    name, ending = possessive(text)
    for firms, kind in setting("en", "firm_kinds").items():
        for spelling, rest in ((text, ""), (name, ending)):
            if name_key(spelling) in word_set("en", firms):
                return (
                    match_case(spelling, f"{invent_name(record, name_key(spelling))} {kind}") + rest
                )
    return None


def _ends_name(found: Sequence[NameToken], index: int, units: set[int]) -> bool:
    """Whether a word for a flat or the like follows the name of the street."""
    return found[index].start in units and any(
        not (token.is_number or token.start in units) for token in found[:index]
    )


def _is_unit(found: Sequence[NameToken], index: int) -> bool:
    """Whether a word means a flat, a box or the like: before a number, or at the end."""
    units = word_set("en", "street_units")
    if found[index].key not in units:
        return False
    if index and found[index].key in _STOREYS and is_ordinal(found[index - 1].text):
        return True
    after = found[index + 1] if index + 1 < len(found) else None
    return after is None or after.is_number or len(after.text) == 1 or after.key in units


def _has_name(before: Sequence[NameToken]) -> bool:
    return any(not token.is_number or is_ordinal(token.text) for token in before)


ENTITIES = _English("en")
