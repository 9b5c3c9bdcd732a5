"""Languages: each is one module that adds itself to `LANGUAGES` when it is imported here."""

from veil.languages import english, japanese, spanish, swedish
from veil.languages.base import LANGUAGES, Language, language
from veil.languages.identification import identify, identify_scores, other_language

__all__ = [
    "LANGUAGES",
    "Language",
    "english",
    "identify",
    "identify_scores",
    "japanese",
    "language",
    "other_language",
    "spanish",
    "swedish",
]
