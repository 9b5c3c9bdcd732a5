"""Invented names for what has a name of its own: institutions, firms, landmarks."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from veil.replace.things.characters import LETTERS
from veil.replace.things.choosing import chosen, exchange
from veil.replace.things.numbers import number
from veil.replace.things.towns import find_place, place
from veil.replace.things.words import key_of, word_set, words
from veil.replace.things.writing import like, possessive, swedish_genitive

if TYPE_CHECKING:
    from veil.replace.secret import Draw
    from veil.replace.things.phrases import Stretch
    from veil.replace.things.record import Record

_ORDINAL = re.compile(r"([0-9]+)(st|nd|rd|th)", re.IGNORECASE)
_SAINTS = {
    "st": "saints",
    "saint": "saints",
    "t": "saints",
    "san": "saints_male",
    "santo": "saints_male",
    "sant": "saints_male",
    "santa": "saints_female",
    "sta": "saints_female",
}
SAINT_WORDS = frozenset(_SAINTS) | {"our", "lady", "mount", "mt", "s", "ntra", "sra"}
VIRGIN_WORDS = frozenset({"virgen", "nuestra", "señora", "senora", "sra", "ntra"})
CONJUNCTIONS = frozenset({"and", "y", "e", "och"})
_NUMBER_AND_WORD = re.compile(r"([0-9]+)([a-zåäö]{2,})")
_HOUSE_LETTER = re.compile(r"([0-9]*)([A-Ha-h])")
_FIRM_ENDS = frozenset({"ab", "hb", "kb", "co"})
_FEWEST = 4
_HOUSE_LETTERS = "ABCDEFGH"
_ARTICLES = {
    "la": "nouns_la",
    "las": "nouns_las",
    "los": "nouns_los",
    "el": "nouns_el",
    "del": "nouns_el",
}


def invented(record: Record, value: str) -> str:
    """A name of a place that somebody made up, for a folded name."""

    def make(draw: Draw) -> str:
        head = draw.choice(words(record.language, "place_heads"))
        tail = draw.choice(words(record.language, "place_tails"))
        # "Gullhall" and not "Gulllösa": no letter stands three times.
        return head[:-1] + tail if head[-2:] == 2 * tail[0] else head + tail

    return record.stand_in("name", value, (make, record.is_new_name))


def is_abbreviation(text: str) -> bool:
    """Whether a word is of two to five capitals: MGH, SÖS, HUM."""
    return 2 <= len(text) <= 5 and all(map(str.isupper, text))


def abbreviation(record: Record, text: str) -> str:
    """Other capitals for an abbreviation; those of a ward become those of another ward."""
    listed = words(record.language, "unit_abbreviations")
    if text in listed:
        return exchange(record, "unit_abbreviations", listed.index(text))
    make = partial(_capitals, len(text))
    return record.stand_in(
        "abbreviation", text, (make, record.is_new_number), (make, record.is_no_original)
    )


def _capitals(count: int, draw: Draw) -> str:
    return "".join(draw.choice(LETTERS) for _ in range(count))


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
    match = _HOUSE_LETTER.fullmatch(text)
    if match is None:
        return number(record, text, key_words=False)
    letters = _HOUSE_LETTERS.replace(match[2].upper(), "")
    letter = record.draw("letter", text.upper()).choice(letters)
    return (number(record, match[1]) if match[1] else "") + like(match[2], letter)


def proper_name(record: Record, text: str) -> str:
    """The stand-in for a name: a listed place for a listed place, else an invented one."""
    name, ending = possessive(text)
    if find_place(record, name, "LOCATION") is not None:
        return place(record, name, "LOCATION") + ending
    return like(name, invented(record, key_of(name))) + ending


def rename(record: Record, stretch: Stretch, *, all_capitals: bool) -> str:
    """The stand-in for the words of a phrase that name something."""
    text, key = stretch.text, key_of(stretch.text)
    if not all_capitals and is_abbreviation(text):
        return abbreviation(record, text)
    if len(text) == 1:
        return phrase_number(record, text)
    specialities = words(record.language, "specialities")
    if key in specialities:
        return like(text, exchange(record, "specialities", specialities.index(key)))
    saints = _SAINTS.get(stretch.before[-1], "") if stretch.before else ""
    if words(record.language, saints):
        name, ending = possessive(text)
        return (
            like(name, chosen(record, saints, key_of(name), words(record.language, saints)))
            + ending
        )
    special = {"es": _spanish, "sv": _swedish}.get(record.language)
    return (special and special(record, stretch)) or proper_name(record, text)


def _spanish(record: Record, stretch: Stretch) -> str | None:
    text, key = stretch.text, key_of(stretch.text)
    if key in words("es", "months"):
        return like(text, exchange(record, "months", words("es", "months").index(key)))
    if VIRGIN_WORDS.intersection(stretch.before[-3:]):
        article = " ".join(word for word in stretch.before[-2:] if word not in VIRGIN_WORDS)
        fitting = tuple(
            entry[len(article) + 1 :]
            for entry in words("es", "virgins")
            if entry.startswith(f"{article} ") and len(entry.split()) == len(article.split()) + 1
        )
        if _FEWEST <= len(fitting):
            return like(text, chosen(record, f"virgin/{article}", key, fitting))
    if stretch.before and stretch.before[-1] in word_set("es", "persons"):
        surname = chosen(record, "surname", key.split()[-1], words("es", "surnames"))
        if len(key.split()) == 1:
            return like(text, surname)
        given = chosen(record, "given", key.split()[0], words("es", "given"))
        return like(text, f"{given} {surname}")
    return spanish_noun(record, stretch)


def spanish_noun(record: Record, stretch: Stretch) -> str | None:
    """A noun that fits the article before a name: La Paz -> La Encina."""
    fitting = _ARTICLES.get(stretch.before[-1], "") if stretch.before else ""
    listed = stretch.before[-1:] == ("del",) and find_place(record, stretch.text, "LOCATION")
    if not fitting or listed:
        return None
    key = key_of(stretch.text)
    return like(stretch.text, chosen(record, fitting, key, words("es", fitting)))


def _swedish(record: Record, stretch: Stretch) -> str | None:
    text = stretch.text
    key = key_of(text)
    compound = swedish_compound(record, text)
    if compound is not None:
        return compound
    if key.endswith("ska") and 5 < len(key):
        return like(text, chosen(record, "adjective", key, words("sv", "adjectives")))
    # "Hägerstens sjukhus": before the word for its kind a name stands in the genitive.
    genitive = key.endswith("s") and " " not in key and stretch.after not in _FIRM_ENDS
    if genitive and stretch.after and find_place(record, text, "LOCATION") is None:
        base = text[:-1].removesuffix(":")
        return like(text, swedish_genitive(proper_name(record, base)))
    return None


def swedish_compound(record: Record, text: str) -> str | None:
    """Another compound with the same end, or None: Örnsjukhuset, ortopedkliniken."""
    word = text.split()[-1]
    key = key_of(word)
    specialities = words("sv", "specialities")
    for end in words("sv", "speciality_ends"):
        stem = key.removesuffix(end)
        if stem != key and stem in specialities:
            if end == "en" and not stem.endswith(("log", "kirurg", "ortoped")):
                continue
            doctors = tuple(entry for entry in specialities if entry.endswith(("log", "kirurg")))
            options = doctors if end == "en" else specialities
            return like(text, chosen(record, f"speciality/{end}", stem, options) + end)
    for end in words("sv", "institution_ends"):
        if key.endswith(end) and len(end) + 2 <= len(key):
            stem = chosen(record, "stem", key.removesuffix(end), words("sv", "place_heads"))
            return like(text, stem + word[len(word) - len(end) :])
    return None
