"""Letters by which somebody signs, found as last names: anli of Anna Lind, AL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.replace.people.tables import base, key_of, latin_language, strength

if TYPE_CHECKING:
    from veil.core.document import Span
    from veil.replace.base import Case

_NAME_LABELS = frozenset({"NAME", "PATIENT", "DOCTOR"})
_LONGEST = 5
_LONGEST_INITIALS = 3
_VOWEL = re.compile("[aeiouy]", re.IGNORECASE)
_MEMORY = __name__


def is_signature(case: Case, span: Span) -> bool:
    """Whether a last name is but letters of somebody's names, in small letters or capitals."""
    if span.part != "last" or _LONGEST < span.end - span.start:
        return False
    text = case.text(span)
    if not (1 < len(text) and text.isascii() and text.isalpha()):
        return False
    if not (text.islower() or text.isupper()):
        return False
    language = latin_language(base(case.language))
    if any(strength(key_of(text), language, role) for role in ("given", "surname")):
        return False
    # What can be spoken may be a name where all names are in small letters or capitals.
    return len(text) <= _LONGEST_INITIALS or not _VOWEL.search(text) or _has_capitalised(case)


def _has_capitalised(case: Case) -> bool:
    """Whether any name of a record is written with a capital and small letters."""
    if _MEMORY not in case.memory:
        case.memory[_MEMORY] = any(
            span.label in _NAME_LABELS and case.text(span).istitle() for span in case.spans
        )
    found: bool = case.memory[_MEMORY]
    return found
