"""Tags of the Penn Treebank kind, from universal tags, words and their neighbours.

The tagger of English is trained on universal tags only. A universal tag and the word determine most
tags of the Penn Treebank; the neighbours determine the forms of a verb. Distinctions that these
cannot make are left out: there is no RP, PDT, NNPS or LS.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from veil.languages.base import read_language_toml

if TYPE_CHECKING:
    from collections.abc import Sequence

_CODE = __name__.split(".")[-2]
_VERBS = ("VERB", "AUX")
_PLURAL = re.compile(r".{2,}[^siu']s")
_SUPERLATIVE = re.compile(r".{2,}est")
_COMPARATIVE = re.compile(r".{2,}er")
_NOMINAL = frozenset({"NOUN", "PROPN", "ADJ", "NUM"})
_BASE_AFTER = frozenset({"TO", "MD"})
_DO = frozenset({"do", "does", "did", "don't", "please"})
_UNDECIDED = "VBD or VBN"
_BASE = "VB or VBP"


def fine_tags(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return a tag for each word of a sentence, given its universal tags."""
    found: list[str] = []
    for index, (word, tag) in enumerate(zip(words, tags, strict=True)):
        lower = word.lower()
        fine = _of_word(lower, tag)
        if fine == _UNDECIDED:
            fine = _past_or_participle(words, tags, found)
        elif fine == _BASE:
            fine = _base_or_present(words, found)
        elif lower == "her" and tag == "PRON":
            fine = "PRP$" if tags[index + 1 : index + 2] and tags[index + 1] in _NOMINAL else fine
        found.append(fine)
    return found


@cache
def _words_of(tag: str) -> dict[str, str]:
    """The Penn tags of the words that are listed under a universal tag."""
    listed: dict[str, str] = {}
    for fine, words in read_language_toml(_CODE, "pos.toml").get(tag, {}).items():
        for word in words.split():
            listed.setdefault(word, fine)
    return listed


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(read_language_toml(_CODE, "pos.toml")[name]["words"].split())


@lru_cache(1 << 14)
def _of_word(word: str, tag: str) -> str:
    """The tag that a word has in any context, or a provisional tag."""
    if tag in _VERBS:
        return _of_verb(word)
    fine = _words_of(tag).get(word)
    if fine:
        return fine
    if tag == "NOUN" and _PLURAL.fullmatch(word):
        return "NNS"
    if tag == "ADJ" and _SUPERLATIVE.fullmatch(word):
        return "JJS"
    if tag == "ADJ" and _COMPARATIVE.fullmatch(word):
        return "JJR"
    return str(read_language_toml(_CODE, "pos.toml")["default"].get(tag, tag))


def _of_verb(word: str) -> str:
    fine = _words_of("VERB").get(word)
    if fine:
        return fine
    if word in _listed("past") or word.endswith("ed"):
        return _UNDECIDED
    if word.endswith("ing"):
        return "VBG"
    return "VBZ" if word.endswith("s") and not word.endswith("ss") else _BASE


def _past_or_participle(words: Sequence[str], tags: Sequence[str], found: Sequence[str]) -> str:
    """A participle after "be" or "have", skipping adverbs; a past tense after its subject."""
    for index in range(len(found) - 1, -1, -1):
        if words[index].lower() in _listed("auxiliary"):
            return "VBN"
        if tags[index] in {"NOUN", "PROPN", "PRON"}:
            return "VBD"
        if tags[index] not in {"ADV", "PART"}:
            return "VBN"
    return "VBD"


def _base_or_present(words: Sequence[str], found: Sequence[str]) -> str:
    """The base form after "to", a modal or "do", and at the start of a sentence."""
    for index in range(len(found) - 1, -1, -1):
        if found[index] in _BASE_AFTER or words[index].lower() in _DO:
            return "VB"
        if not found[index].startswith("RB"):
            return "VBP"
    return "VB"
