"""Spanish names in phrases, streets and professions.

A saint follows "San", a noun of the right gender an article, a person a title; an adjective of
nationality is replaced by another one. Other words are a name, and another one is invented.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from veil.lexicons import lexicon
from veil.replace.entities.addresses import rename_street
from veil.replace.entities.language import EntityLanguage, name_key, word_set, words
from veil.replace.entities.names import kept_words, phrase_number, rewrite, tokens
from veil.replace.entities.numbers import replace_number
from veil.replace.entities.record import choose, exchange
from veil.replace.entities.spelling import match_case
from veil.replace.entities.towns import find_place, is_nationality

if TYPE_CHECKING:
    from collections.abc import Collection

    from veil.replace.entities.names import NamePhrase, NameToken
    from veil.replace.entities.record import EntityRecord

_FEWEST = 4
_ADJECTIVES = ("regions_male", "regions_female")
_SEGMENT = re.compile(r"[^,;]+")
_FLOOR = re.compile("([0-9]+)(a)")
_EITHER_ENDS = ("ista", "nte", "il", "al", "ar", "az", "e")
_GROUPS = ("feminine", "masculine", "either")
_SHORTEST_ADJECTIVE = 4


class _Spanish(EntityLanguage):
    def fitting_name(self, record: EntityRecord, phrase: NamePhrase) -> str | None:
        text, key = phrase.text, name_key(phrase.text)
        if key in words("es", "months"):
            return match_case(text, exchange(record, "months", words("es", "months").index(key)))
        virgin = _virgin(record, phrase)
        if virgin is not None:
            return virgin
        if phrase.before and phrase.before[-1] in word_set("es", "persons"):
            return match_case(text, _person(record, key.split(), title=phrase.before[-1]))
        return _adjective(record, text, key) or self.street_name(record, phrase)

    def town_names(self) -> Collection[str]:
        return lexicon("es", "city").keys.words

    def is_town_name(self, record: EntityRecord, text: str, before: str) -> bool:
        # "Hospital San Juan" is named after a saint, "Universidad de San Juan" after a town.
        if tokens(text)[0].key in kept_words() and before != "de":
            return False
        # "Arganda del Rey" contains a word for a kind, as do other towns that no list contains.
        is_known = name_key(text) in lexicon("es", "city").keys.words
        return is_known or find_place(record, text, "CITY") is not None

    def street(self, record: EntityRecord, text: str) -> str:
        # The word for the kind of street begins each part of an address.
        return _SEGMENT.sub(lambda match: _street_segment(record, match[0], text), text)

    def street_name(self, record: EntityRecord, phrase: NamePhrase) -> str | None:
        """Return a noun that fits the article before a name: La Paz -> La Encina."""
        article = phrase.before[-1] if phrase.before else ""
        fitting = f"nouns_{'el' if article == 'del' else article}"
        nouns = words("es", fitting)
        if not nouns or (article == "del" and find_place(record, phrase.text, "LOCATION")):
            return None
        return match_case(phrase.text, choose(record, fitting, name_key(phrase.text), nouns))

    def phrase_number(self, record: EntityRecord, text: str) -> str | None:
        match = _FLOOR.fullmatch(text)  # 4a. Calle: la cuarta
        return None if match is None else replace_number(record, match[1]) + match[2]

    def profession_group(self, word: str) -> str:
        head, *rest = name_key(word).split()
        # "auxiliar administrativa", but not "auxiliar de clínica"
        adjective = rest[0][-1] if rest and _SHORTEST_ADJECTIVE <= len(rest[0]) else ""
        listed = (each for each in _GROUPS if head in words("es", f"{each}_professions"))
        group = next(listed, "either" if head.endswith(_EITHER_ENDS) else "")
        if group:
            return {"a": "feminine", "o": "masculine"}.get(adjective, group)
        return "feminine" if head.endswith("a") else "masculine"

    def singular(self, key: str, known: Collection[str]) -> str:
        # "peones agrícolas" are several, "afinador de pianos" is one.
        if not key.split()[0].endswith("s"):
            return key
        return key[:-2] if key.endswith("es") and key[:-2] in known else key[:-1]

    def plural(self, word: str, *, is_listed: bool) -> str:
        head, _, tail = word.partition(" ")
        plural = f"{head}s" if head[-1] in "aeiouáéó" else f"{head}es"
        return f"{plural} {tail}".strip()


def _virgin(record: EntityRecord, phrase: NamePhrase) -> str | None:
    virgin_words = words("es", "virgin_words")
    if not set(virgin_words).intersection(phrase.before[-3:]):
        return None
    article = " ".join(word for word in phrase.before[-2:] if word not in virgin_words)
    options = tuple(
        entry[len(article) + 1 :]
        for entry in words("es", "virgins")
        if entry.startswith(f"{article} ") and len(entry.split()) == len(article.split()) + 1
    )
    if len(options) < _FEWEST:
        return None
    return match_case(
        phrase.text, choose(record, f"virgin/{article}", name_key(phrase.text), options)
    )


def _person(record: EntityRecord, names: list[str], *, title: str) -> str:
    """Return a person of the sex that a title shows; a king or a nun has no surname."""
    given_names = "given_female" if title in word_set("es", "women") else "given_male"
    if title in word_set("es", "royals"):
        return choose(record, given_names, names[0], words("es", given_names))
    surname = choose(record, "surname", names[-1], words("es", "surnames"))
    if len(names) == 1:
        return surname
    return f"{choose(record, given_names, names[0], words('es', given_names))} {surname}"


def _adjective(record: EntityRecord, text: str, key: str) -> str | None:
    """Return another country or region in the name of an institution: Instituto Mexicano."""
    lists = [name for name in _ADJECTIVES if key in word_set("es", name)]
    if not lists and key[-1] in "ao" and is_nationality("es", key):
        lists = [f"nationalities_{key[-1]}"]
    if not lists or find_place(record, text, "LOCATION") is not None:
        return None
    return match_case(text, choose(record, lists[0], key, words("es", lists[0])))


def _street_segment(record: EntityRecord, segment: str, text: str) -> str:
    units, sides, kinds = (word_set("es", f"street_{name}") for name in ("units", "sides", "kinds"))
    found = tokens(segment)
    words_in = [token for token in found if not token.is_number]
    # The C of "2º C" is not a street.
    has_kind = bool(words_in) and words_in[0].key in kinds and words_in[0] != found[-1]

    def stays(token: NameToken) -> bool:
        if token.key in sides:
            # "Calle Norte 5" has it as its name, "Calle 5 Norte" has not.
            return not (has_kind and token == found[1])
        # "2 c. al sur" counts blocks, while the letter of a flat is a capital.
        is_small_letter = len(token.text) == 1 and token.text.islower() and not text.islower()
        is_kind = has_kind and token.key == words_in[0].key
        return is_kind or is_small_letter or token.key in units

    return rewrite(
        segment,
        stays=stays,
        particles=word_set("es", "particles"),
        name=partial(rename_street, record),
        number=partial(phrase_number, record),
    )


ENTITIES = _Spanish("es")
