"""Stand-ins for the names in Spanish phrases that the words before them call for.

A saint follows "San", a noun of the right gender an article, a person a title; an adjective of
nationality becomes another one. What is left is a name, and somebody makes up another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.replace.entities.choosing import chosen, exchange
from veil.replace.entities.towns import find_place, is_nationality
from veil.replace.entities.words import key_of, word_set, words
from veil.replace.entities.writing import like

if TYPE_CHECKING:
    from veil.replace.entities.phrases import Stretch
    from veil.replace.entities.record import Record

VIRGIN_WORDS = frozenset({"virgen", "nuestra", "señora", "senora", "sra", "ntra"})
_FEWEST = 4
_ADJECTIVES = ("regions_male", "regions_female")
_ARTICLES = {
    "la": "nouns_la",
    "las": "nouns_las",
    "los": "nouns_los",
    "el": "nouns_el",
    "del": "nouns_el",
}


def fitting_name(record: Record, stretch: Stretch) -> str | None:
    """What fits the words before a name, or None where they call for nothing."""
    text, key = stretch.text, key_of(stretch.text)
    if key in words("es", "months"):
        return like(text, exchange(record, "months", words("es", "months").index(key)))
    if VIRGIN_WORDS.intersection(stretch.before[-3:]):
        virgin = _virgin(record, stretch)
        if virgin is not None:
            return virgin
    if stretch.before and stretch.before[-1] in word_set("es", "persons"):
        return like(text, _person(record, key.split(), title=stretch.before[-1]))
    return _adjective(record, text, key) or fitting_noun(record, stretch)


def _virgin(record: Record, stretch: Stretch) -> str | None:
    article = " ".join(word for word in stretch.before[-2:] if word not in VIRGIN_WORDS)
    options = tuple(
        entry[len(article) + 1 :]
        for entry in words("es", "virgins")
        if entry.startswith(f"{article} ") and len(entry.split()) == len(article.split()) + 1
    )
    if len(options) < _FEWEST:
        return None
    return like(stretch.text, chosen(record, f"virgin/{article}", key_of(stretch.text), options))


def _person(record: Record, names: list[str], *, title: str) -> str:
    """Somebody of the sex that a title tells; a king or a nun has no surname."""
    given_names = "given_female" if title in word_set("es", "women") else "given_male"
    if title in word_set("es", "royals"):
        return chosen(record, given_names, names[0], words("es", given_names))
    surname = chosen(record, "surname", names[-1], words("es", "surnames"))
    if len(names) == 1:
        return surname
    return f"{chosen(record, given_names, names[0], words('es', given_names))} {surname}"


def _adjective(record: Record, text: str, key: str) -> str | None:
    """Another country or region in whose name an institution is: Instituto Mexicano."""
    lists = [name for name in _ADJECTIVES if key in word_set("es", name)]
    if not lists and key[-1] in "ao" and is_nationality("es", key):
        lists = [f"nationalities_{key[-1]}"]
    if not lists or find_place(record, text, "LOCATION") is not None:
        return None
    return like(text, chosen(record, lists[0], key, words("es", lists[0])))


def fitting_noun(record: Record, stretch: Stretch) -> str | None:
    """A noun that fits the article before a name: La Paz -> La Encina."""
    fitting = _ARTICLES.get(stretch.before[-1], "") if stretch.before else ""
    listed = stretch.before[-1:] == ("del",) and find_place(record, stretch.text, "LOCATION")
    if not fitting or listed:
        return None
    key = key_of(stretch.text)
    return like(stretch.text, chosen(record, fitting, key, words("es", fitting)))
