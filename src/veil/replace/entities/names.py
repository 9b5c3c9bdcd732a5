"""Names that contain words for a kind, and invented names: institutions, firms, landmarks.

A phrase such as "Hospital San Carlos" is split into words that stay, numbers, and names. Each name
and number is replaced in place, so that everything else is unchanged.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import with_changes
from veil.core.patterns import compile_pattern
from veil.replace.entities.language import name_key, setting, shared_table, split_words, words
from veil.replace.entities.numbers import replace_number
from veil.replace.entities.record import NoEntriesError, choose, exchange
from veil.replace.entities.spelling import LETTERS, fill_in, match_case, possessive
from veil.replace.entities.towns import find_place, replace_place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from veil.replace.entities.record import EntityRecord
    from veil.replace.secret import Draw

_TOKEN = compile_pattern(
    r"(?:[^\W\d_]\.)+[^\W\d_ºª](?:\.|(?!\w))"  # S.L., S.L
    r"|[^\W\d_]&[^\W\d_](?!\w)"  # L&D
    r"|[^\W\d_]{3,}(?:['’-][^\W\d_]+)*"
    r"|[^\W_]*\d[^\W_]*(?:[-/:][^\W_]*\d[^\W_]*)*"  # 7B, 58th, 12/3
    r"|[^\W\d_]{1,2}(?:['’-][^\W\d_]+)*"
)
# A line begins with the first of several words; each letter and digit belongs to a word.
_FIRST_OF_SEVERAL = compile_pattern(
    rf"^(?:[^\w\n]|_)*+((?>{_TOKEN.pattern}))(?=.*[^\W_])", re.MULTILINE
)
# What may separate two words of one name.
_JOINT = compile_pattern(r"\.?\s+|-")
_REMEMBERED = 1 << 12
_APART = compile_pattern(r"[^\W\d_](?:[-.&][^\W\d_])+\.?")
_CONSONANTS = compile_pattern("[b-df-hj-np-tv-xz]{2,4}")
_NUMBER_AND_WORD = compile_pattern(r"([0-9]+)([a-zåäö]{2,})")
_HOUSE_LETTER = compile_pattern(r"([0-9]*)([A-Ha-h])")
_LETTERS_AND_NUMBER = compile_pattern(r"([A-Z]{1,2})(-?)([0-9]{1,4})")
_ROOM_AND_BED = compile_pattern(r"([0-9]{2,4})([-/])([0-9]{1,2}|[A-Ha-h])")
_HOUSE_LETTERS = "ABCDEFGH"
_VOWELS = "AEIOU"
_HARD_LETTERS = "".join(letter for letter in LETTERS if letter not in _VOWELS)


@cache
def saint_lists() -> dict[str, str]:
    """Return the list of saints for each word that precedes the name of a saint."""
    lists = shared_table("common")["saints"].items()
    return {word: name for name, entries in lists for word in split_words(entries)}


@cache
def kept_words() -> frozenset[str]:
    """Return the words that stay in every name: St, and."""
    return frozenset({*saint_lists(), *split_words(shared_table("common")["kept"]["words"])})


class NameToken(NamedTuple):
    """A word or number of a phrase, and its folded form."""

    start: int
    end: int
    text: str
    key: str
    is_number: bool

    def is_particle(self, particles: frozenset[str]) -> bool:
        """Whether a word is one of the particles; "A" in "8-A" is not."""
        return self.key in particles and not self.is_initial()

    def is_initial(self) -> bool:
        """Whether a word is one capital: the E of Luis E. Aranda."""
        return len(self.text) == 1 and self.text.isupper()


class NamePhrase(NamedTuple):
    """The words of a name, with the folded words before them and the one after them."""

    text: str
    before: tuple[str, ...]
    after: str


@lru_cache(_REMEMBERED)
def tokens(text: str) -> tuple[NameToken, ...]:
    """Return the words and numbers of a phrase."""
    return tuple(map(_token, _TOKEN.finditer(text)))


def _token(match: re.Match[str]) -> NameToken:
    word = match[0]
    return NameToken(*match.span(), word, name_key(word).rstrip("."), any(map(str.isdigit, word)))


def first_words(phrases: Iterable[str]) -> frozenset[str]:
    """Return the folded first words of those phrases that have several words."""
    found = _FIRST_OF_SEVERAL.findall("\n".join(phrases))
    return frozenset(name_key(word).rstrip(".") for word in set(found))


def rewrite(
    text: str,
    *,
    stays: Callable[[NameToken], bool],
    particles: frozenset[str],
    name: Callable[[NamePhrase], str],
    number: Callable[[str], str],
) -> str:
    """Return a phrase with new numbers and names; particles stay unless they are inside a name."""
    found = tokens(text)
    proper = [
        not (
            token.is_number
            or (token.key in particles and token.is_particle(particles))
            or stays(token)
        )
        for token in found
    ]
    changes, index = [], 0
    while index < len(found):
        token = found[index]
        if token.is_number:
            changes.append((token.start, token.end, number(token.text)))
        elif proper[index]:
            last = _end_of_name(text, found, proper, index, particles)
            before = tuple(other.key for other in found[:index])
            after = found[last + 1].key if last + 1 < len(found) else ""
            end = found[last].end
            phrase = NamePhrase(text[token.start : end], before, after)
            changes.append((token.start, end, name(phrase)))
            index = last
        index += 1
    return with_changes(text, changes)


def _end_of_name(
    text: str, found: Sequence[NameToken], proper: list[bool], first: int, particles: frozenset[str]
) -> int:
    """Return the index of the last word of the name that begins at `first`, particles included."""
    last = first
    for index in range(first + 1, len(found)):
        gap = text[found[index - 1].end : found[index].start]
        if _JOINT.fullmatch(gap) is None:
            break
        if proper[index]:
            last = index
        elif not found[index].is_particle(particles):
            break
    return last


# -- New names ----------------------------------------------------------------------------------


def invent_name(record: EntityRecord, value: str) -> str:
    """Return an invented name of a place for a folded name."""
    heads, tails = (words(record.language, name) for name in ("place_heads", "place_tails"))
    if not heads or not tails:
        raise NoEntriesError("no list to choose from")

    def make(draw: Draw) -> str:
        head, tail = draw.choice(heads), draw.choice(tails)
        # "Gullhall", "Gullösa": no letter occurs three times in a row.
        return head[:-1] + tail if head[-2:] == 2 * tail[0] else head + tail

    return record.surrogate("name", value, (make, record.is_new_name))


def is_abbreviation(text: str, language: str = "") -> bool:
    """Whether a word consists of a few capitals (MGH, SÖS, H-E-B) or small consonants (cvs)."""
    letters = _letters_of(text)
    longest = setting(language, "longest_abbreviation", 5) if language else 5
    is_upper = 2 <= len(letters) <= longest and all(map(str.isupper, letters))
    return is_upper or _CONSONANTS.fullmatch(text) is not None


def _letters_of(text: str) -> str:
    return re.sub("[-.&]", "", text) if _APART.fullmatch(text) else text


def replace_abbreviation(record: EntityRecord, text: str) -> str:
    """Return other capitals for an abbreviation; a listed unit becomes another listed unit."""
    listed = words(record.language, "unit_abbreviations")
    if text in listed:
        return exchange(record, "unit_abbreviations", listed.index(text))
    letters = _letters_of(text).upper()
    make = partial(_capitals, letters)
    new = record.surrogate(
        "abbreviation", letters, (make, record.is_new_number), (make, record.is_no_original)
    )
    return fill_in(text, new)


def _capitals(letters: str, draw: Draw) -> str:
    """Draw vowels for vowels, so that an acronym can still be pronounced: SESCAM."""
    return "".join(draw.choice(_VOWELS if each in _VOWELS else _HARD_LETTERS) for each in letters)


def phrase_number(record: EntityRecord, text: str) -> str:
    """Return another number for a number in a phrase."""
    if is_ordinal(text):
        new = replace_number(record, text[:-2])
        endings = shared_table("common")["ordinals"]
        keys = (str(int(new[-2:])), new[-1], "other")
        return new + match_case(text[-2:], next(endings[key] for key in keys if key in endings))
    made = record.rules.phrase_number(record, text)
    return _flat_number(record, text) if made is None else made


def is_ordinal(text: str) -> bool:
    """Whether a text is a number with an ending: 58th."""
    is_number = text[:-2].isdecimal()
    return is_number and text[-2:].lower() in shared_table("common")["ordinals"].values()


def _flat_number(record: EntityRecord, text: str) -> str:
    """Return another number with the letter of a house or the word of a unit: 12B, 2tr."""
    if text.isdecimal():
        return replace_number(record, text, key_words=False)
    match = _NUMBER_AND_WORD.fullmatch(text)
    if match is not None:
        return replace_number(record, match[1]) + match[2]
    match = _ROOM_AND_BED.fullmatch(text)
    if match is not None:
        return _flat_number(record, match[1]) + match[2] + _flat_number(record, match[3])
    match = _LETTERS_AND_NUMBER.fullmatch(text)
    if match is not None:
        # The beds of a ward still share their letters: SS1, SS2.
        if len(match[1]) == 1:
            letters = record.draw("letter", match[1]).choice(_other_letters(match[1]))
        else:
            letters = replace_abbreviation(record, match[1])
        return letters + match[2] + replace_number(record, match[3])
    match = _HOUSE_LETTER.fullmatch(text)
    if match is None:
        return replace_number(record, text, key_words=False)
    letter = record.draw("letter", text.upper()).choice(_other_letters(match[2]))
    return (replace_number(record, match[1]) if match[1] else "") + match_case(match[2], letter)


def _other_letters(letter: str) -> str:
    return _HOUSE_LETTERS.replace(letter.upper(), "")


def replace_proper_name(record: EntityRecord, text: str) -> str:
    """Return a listed place for a listed place, else an invented name."""
    name, ending = possessive(text)
    if find_place(record, name, "LOCATION") is not None or name_key(name) in record.places:
        return replace_place(record, name, "LOCATION") + ending
    return match_case(name, invent_name(record, name_key(name))) + ending


def _other_saint(record: EntityRecord, text: str, saints: str) -> str:
    """Return another saint, in the possessive if the old one is, with an apostrophe or without."""
    listed = words(record.language, saints)
    name, ending = possessive(text)
    keys = {name_key(saint) for saint in listed}
    if not ending and name_key(name) not in keys and name_key(name).removesuffix("s") in keys:
        name, ending = name[:-1], name[-1]  # St Lukes
    key = name_key(name)
    if key not in keys:  # "St Pats" must not become St Patrick
        listed = tuple(saint for saint in listed if not name_key(saint).startswith(key[:3]))
    return match_case(name, choose(record, saints, key, listed)) + ending


def rename(record: EntityRecord, phrase: NamePhrase, *, all_capitals: bool) -> str:
    """Return the surrogate for the words of a phrase that name something."""
    made = record.rules.rename(record, phrase, all_capitals=all_capitals)
    if made is not None:
        return made
    text, key = phrase.text, name_key(phrase.text)
    if is_abbreviation(text, record.language) and not (all_capitals and text.isalpha()):
        return replace_abbreviation(record, text)
    if len(text) == 1:
        return phrase_number(record, text)
    specialities = words(record.language, "specialities")
    if key in specialities:
        return match_case(text, exchange(record, "specialities", specialities.index(key)))
    saints = saint_lists().get(phrase.before[-1], "") if phrase.before else ""
    if words(record.language, saints):
        return _other_saint(record, text, saints)
    return record.rules.fitting_name(record, phrase) or replace_proper_name(record, text)
