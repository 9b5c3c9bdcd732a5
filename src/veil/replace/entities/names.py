"""Invented names for what has a name of its own: institutions, firms, landmarks."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from veil.replace.entities.characters import LETTERS
from veil.replace.entities.choosing import chosen, exchange
from veil.replace.entities.numbers import number
from veil.replace.entities.spanish_names import fitting_name
from veil.replace.entities.spoken import is_spoken, spoken_number
from veil.replace.entities.towns import find_place, place
from veil.replace.entities.words import key_of, words
from veil.replace.entities.writing import like, possessive, pour

if TYPE_CHECKING:
    from veil.replace.entities.phrases import Stretch
    from veil.replace.entities.record import Record
    from veil.replace.secret import Draw

_ORDINAL = re.compile(r"([0-9]+)(st|nd|rd|th)", re.IGNORECASE)
_SAINTS = {
    "st": "saints",
    "saint": "saints",
    "sankt": "saints",
    "sankta": "saints",
    "t": "saints",
    "san": "saints_male",
    "santo": "saints_santo",
    "sant": "saints_male",
    "santa": "saints_female",
    "sta": "saints_female",
}
SAINT_WORDS = frozenset(_SAINTS) | {"our", "lady", "mount", "mt", "s", "ntra", "sra"}
CONJUNCTIONS = frozenset({"and", "y", "e", "och"})
_APART = re.compile(r"[^\W\d_](?:[-.&][^\W\d_])+\.?")
_CONSONANTS = re.compile("[b-df-hj-np-tv-xz]{2,4}")
_NUMBER_AND_WORD = re.compile(r"([0-9]+)([a-zåäö]{2,})")
_HOUSE_LETTER = re.compile(r"([0-9]*)([A-Ha-h])")
_COMPASS_LETTER = re.compile(r"([0-9]{1,2})([NSEWnsew])")
_LETTERS_AND_NUMBER = re.compile(r"([A-Z]{1,2})(-?)([0-9]{1,4})")
_ROOM_AND_BED = re.compile(r"([0-9]{2,4})([-/])([0-9]{1,2}|[A-Ha-h])")
_HOUSE_LETTERS = "ABCDEFGH"
# SESCAM, FONASA, ESSALUD
_LONGEST_ABBREVIATION = {"es": 7}
_VOWELS = "AEIOU"
_HARD_LETTERS = "".join(letter for letter in LETTERS if letter not in _VOWELS)


def invented(record: Record, value: str) -> str:
    """A name of a place that somebody made up, for a folded name."""

    def make(draw: Draw) -> str:
        head = draw.choice(words(record.language, "place_heads"))
        tail = draw.choice(words(record.language, "place_tails"))
        # "Gullhall" and not "Gulllösa": no letter stands three times.
        return head[:-1] + tail if head[-2:] == 2 * tail[0] else head + tail

    return record.stand_in("name", value, (make, record.is_new_name))


def is_abbreviation(text: str, language: str = "") -> bool:
    """Whether a word is of two to five capitals: MGH, SÖS, H-E-B; or of small consonants: cvs."""
    letters = _letters_of(text)
    longest = _LONGEST_ABBREVIATION.get(language, 5)
    is_upper = 2 <= len(letters) <= longest and all(map(str.isupper, letters))
    return is_upper or _CONSONANTS.fullmatch(text) is not None


def _letters_of(text: str) -> str:
    return re.sub("[-.&]", "", text) if _APART.fullmatch(text) else text


def abbreviation(record: Record, text: str) -> str:
    """Other capitals for an abbreviation; those of a ward become those of another ward."""
    listed = words(record.language, "unit_abbreviations")
    if text in listed:
        return exchange(record, "unit_abbreviations", listed.index(text))
    letters = _letters_of(text).upper()
    make = partial(_capitals, letters)
    new = record.stand_in(
        "abbreviation", letters, (make, record.is_new_number), (make, record.is_no_original)
    )
    return pour(text, new)


def _capitals(letters: str, draw: Draw) -> str:
    """Vowels for vowels, so that what is said as a word still can be: SESCAM."""
    return "".join(draw.choice(_VOWELS if each in _VOWELS else _HARD_LETTERS) for each in letters)


def phrase_number(record: Record, text: str) -> str:
    """Another number for one in a phrase; an English ordinal gets the ending that fits it."""
    match = _ORDINAL.fullmatch(text)
    if match is None:
        return _flat_number(record, text)
    new = number(record, match[1])
    last = "th" if new[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(new[-1], "th")
    return new + like(match[2], last)


def _flat_number(record: Record, text: str) -> str:
    """A number with the letter of a house or the word of a unit: 12B, 2tr."""
    match = _NUMBER_AND_WORD.fullmatch(text)
    if match is not None:
        return number(record, match[1]) + match[2]
    match = _ROOM_AND_BED.fullmatch(text)
    if match is not None:
        return _flat_number(record, match[1]) + match[2] + _flat_number(record, match[3])
    match = _LETTERS_AND_NUMBER.fullmatch(text)
    if match is not None:
        # All beds of a ward keep their letters in common: SS1, SS2.
        if len(match[1]) == 1:
            letters = record.draw("letter", match[1]).choice(_other_letters(match[1]))
        else:
            letters = abbreviation(record, match[1])
        return letters + match[2] + number(record, match[3])
    match = _COMPASS_LETTER.fullmatch(text)
    if match is not None and record.language == "en":
        letter = record.draw("letter", text.upper()).choice("NSEW".replace(match[2].upper(), ""))
        return number(record, match[1]) + like(match[2], letter)
    match = _HOUSE_LETTER.fullmatch(text)
    if match is not None and record.language == "es" and match[1] and match[2] == "a":
        return number(record, match[1]) + match[2]  # 4a. Calle: la cuarta
    if match is None:
        return number(record, text, key_words=False)
    letter = record.draw("letter", text.upper()).choice(_other_letters(match[2]))
    return (number(record, match[1]) if match[1] else "") + like(match[2], letter)


def _other_letters(letter: str) -> str:
    return _HOUSE_LETTERS.replace(letter.upper(), "")


def proper_name(record: Record, text: str) -> str:
    """The stand-in for a name: a listed place for a listed place, else an invented one."""
    name, ending = possessive(text)
    if find_place(record, name, "LOCATION") is not None or key_of(name) in record.places:
        return place(record, name, "LOCATION") + ending
    return like(name, invented(record, key_of(name))) + ending


def _other_saint(record: Record, text: str, saints: str) -> str:
    """Another saint, in the possessive where the old one is, with an apostrophe or without."""
    listed = words(record.language, saints)
    name, ending = possessive(text)
    keys = {key_of(saint) for saint in listed}
    if not ending and key_of(name) not in keys and key_of(name).removesuffix("s") in keys:
        name, ending = name[:-1], name[-1]  # St Lukes
    key = key_of(name)
    if key not in keys:  # "St Pats" must not become St Patrick
        listed = tuple(saint for saint in listed if not key_of(saint).startswith(key[:3]))
    return like(name, chosen(record, saints, key, listed)) + ending


def rename(record: Record, stretch: Stretch, *, all_capitals: bool) -> str:
    """The stand-in for the words of a phrase that name something."""
    text, key = stretch.text, key_of(stretch.text)
    if is_abbreviation(text, record.language) and not (all_capitals and text.isalpha()):
        return abbreviation(record, text)
    if len(text) == 1:
        return phrase_number(record, text)
    if record.language == "en" and is_spoken(text):
        return spoken_number(record, text)  # Nine East
    specialities = words(record.language, "specialities")
    if key in specialities:
        return like(text, exchange(record, "specialities", specialities.index(key)))
    saints = _SAINTS.get(stretch.before[-1], "") if stretch.before else ""
    if words(record.language, saints):
        return _other_saint(record, text, saints)
    fitting = fitting_name(record, stretch) if record.language == "es" else None
    return fitting or proper_name(record, text)
