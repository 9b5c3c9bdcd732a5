"""Swedish."""

from __future__ import annotations

from veil.languages.base import LANGUAGES
from veil.languages.latin import LatinLanguage, word_tokens
from veil.languages.sentences import read_sentence_rules

_RULES = read_sentence_rules(__name__)

SWEDISH = LANGUAGES.add("sv", LatinLanguage("sv", "Swedish", __name__, _RULES, genitive="s"))
SWEDISH_WORDS = LANGUAGES.add(
    "sv-words",
    LatinLanguage("sv", "Swedish, whole words", __name__, _RULES, word_tokens, genitive="s"),
)
