"""Lists of names, places and words by language, and the user's own."""

from veil.lexicons.lexicon import Lexicon
from veil.lexicons.marks import Mark, is_ordinary, looks_like_surname, marks_inputs, word_marks
from veil.lexicons.store import kinds, lexicon, list_names, user_lexicon

__all__ = [
    "Lexicon",
    "Mark",
    "is_ordinary",
    "kinds",
    "lexicon",
    "list_names",
    "looks_like_surname",
    "marks_inputs",
    "user_lexicon",
    "word_marks",
]
