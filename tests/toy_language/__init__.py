"""A toy fifth language, Esperanto: one folder, and no other change anywhere."""

from veil.languages.base import LANGUAGES
from veil.languages.latin import LatinLanguage
from veil.languages.sentences import SentenceRules

ESPERANTO = LANGUAGES.add(
    "eo",
    LatinLanguage(
        "eo",
        "Esperanto",
        __name__,
        SentenceRules(
            abbreviations=frozenset({"s-ro", "s-ino", "d-ro", "d-rino", "ktp"}),
            before_number=frozenset({"n-ro"}),
            before_letter=frozenset({"hepatito", "vitamino"}),
        ),
    ),
)
