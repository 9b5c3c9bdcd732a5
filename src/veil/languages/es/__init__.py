"""Spanish."""

from __future__ import annotations

from veil.languages.base import LANGUAGES
from veil.languages.latin import LatinLanguage, word_tokens
from veil.languages.sentences import read_sentence_rules

_RULES = read_sentence_rules(__name__)

SPANISH = LANGUAGES.add("es", LatinLanguage("es", "Spanish", __name__, _RULES))
SPANISH_WORDS = LANGUAGES.add(
    "es-words", LatinLanguage("es", "Spanish, whole words", __name__, _RULES, word_tokens)
)
