"""Reduced EAGLES tags of AnCora, from universal tags and words.

cotik-2019 (section 3.3) uses the 85 tags to which Stanford CoreNLP reduces the EAGLES tags of
AnCora. Veil's tagger of Spanish is trained on universal tags, because its treebank has no others.
The universal tag, lists of words and the endings of verbs and nouns determine these tags. Their
first two letters are the part of speech and its type, which is the paper's reduced tag: np is a
proper noun, pp a personal pronoun. Distinctions that endings do not show are lost: the present
subjunctive of regular verbs is a present indicative, and "hablamos" is a present.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from veil.languages.base import read_language_toml

if TYPE_CHECKING:
    from collections.abc import Sequence

_CODE = __name__.split(".")[-2]
_PLURAL = re.compile(r".{2,}[aeiouáéíóú]s")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?")
_CLITICS = r"(?:me|te|se|nos|os|l[aeo]s?){0,2}"
# Mood and tense, in the order in which they are tried.
_ENDINGS = {
    "if": re.compile(r".{2,}r(?:é|ás|á|emos|éis|án)"),
    "ic": re.compile(r".{2,}r(?:ía|ías|íamos|íais|ían)"),
    "ii": re.compile(r".+(?:aba|abas|ábamos|abais|aban|ía|ías|íamos|íais|ían)"),
    "si": re.compile(r".+(?:[ai]e?ra|[ai]e?ras|[áé]ramos|[ai]e?ran|i?ese|i?eses|i?esen|ase|asen)"),
    "is": re.compile(r".+(?:é|í|ó|aste|iste|imos|asteis|isteis|aron|eron)"),
    "g": re.compile(rf".+(?:[aá]ndo|[ié]éndo|[iy]endo){_CLITICS}"),
    "n": re.compile(rf".+[aeiáéí]r{_CLITICS}"),
    "p": re.compile(r".+(?:[aií]d[oa]s?)"),
}
_LISTED = {"participle": "p", "past": "is", "subjunctive": "sp", "imperfect": "ii"}
_PRESENT = "ip"
_WITHOUT_TENSE = ("g", "n", "p")


def fine_tags(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return a tag for each word of a sentence, given its universal tags."""
    return [_of_word(word.lower(), tag) for word, tag in zip(words, tags, strict=True)]


@cache
def _words_of(tag: str) -> dict[str, str]:
    """The tags of the words that are listed under a universal tag."""
    listed: dict[str, str] = {}
    for fine, words in read_language_toml(_CODE, "pos.toml").get(tag, {}).items():
        for word in words.split():
            listed.setdefault(word, fine)
    return listed


@cache
def _forms(name: str) -> frozenset[str]:
    return frozenset(read_language_toml(_CODE, "pos.toml")[name]["words"].split())


@lru_cache(1 << 14)
def _of_word(word: str, tag: str) -> str:
    if tag in {"VERB", "AUX"}:
        return _of_verb(word)
    fine = _words_of(tag).get(word)
    if fine:
        return fine
    if tag == "NOUN" and _PLURAL.fullmatch(word):
        return "nc0p000"
    if tag == "NUM" and _DATE.fullmatch(word):
        return "w"
    return str(read_language_toml(_CODE, "pos.toml")["default"].get(tag, tag.lower()))


def _of_verb(word: str) -> str:
    kind = "a" if word in _forms("haber") else "s" if word in _forms("ser") else "m"
    form = _form_of_verb(word)
    return f"v{kind}{form}0000" if form in _WITHOUT_TENSE else f"v{kind}{form}000"


def _form_of_verb(word: str) -> str:
    for name, form in _LISTED.items():
        if word in _forms(name):
            return form
    return next((form for form, ending in _ENDINGS.items() if ending.fullmatch(word)), _PRESENT)
