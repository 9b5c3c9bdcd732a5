"""Surrogates: realistic replacements for every label (action "substitute").

`people` makes names, mail addresses and logins, `dates` shifts dates, `entities` makes the rest.
A placeholder (***, ◯◯病院, [Name]) identifies no one and stays. A number with a valid check digit,
such as a card number, gets a surrogate with a valid check digit, whatever its label.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from veil.core.errors import RecordError, UnknownNameError
from veil.core.labels import VEIL, scheme
from veil.replace.base import LONGEST, REPLACERS, SURROGATES, from_options

if TYPE_CHECKING:
    from veil.core.document import Span
    from veil.replace.base import Case

# Modules that add surrogates to the registry when they are imported.
_MODULES = ("veil.replace.dates", "veil.replace.people", "veil.replace.entities")
# The numbers of rooms and wards may be Roman: XX, XXX.
_MAY_BE_ROMAN = frozenset({"ROOM", "DEPARTMENT"})
# The opening brackets of other tools' tags.
_OPENING = ("[", "<", "{", "【", "＜")
_HIDDEN_SIGNS = "〇XxＸｘ"
_HIDDEN = re.compile("〇|[XxＸｘ]{2,}")
# The lengths from which a valid check digit outweighs the label: of phones, and of others.
_LONG_FOR_A_PHONE = 13
_LONG = 10
_LONG_WITH_LETTERS = 9
_PHONES = frozenset({"PHONE", "FAX", "CONTACT"})
_NUMBER = re.compile(r"[0-9A-Za-z](?:[ .-]?[0-9A-Za-z])*")
_DIGIT = re.compile("[0-9０-９]")


class Surrogates:
    """Calls the function that makes the surrogates of a span's label."""

    def __init__(self) -> None:
        # Imported here: a policy without surrogates does not load these modules.
        for module in _MODULES:
            import_module(module)

    def replace(self, case: Case, span: Span) -> str:
        start, end, label = span.start, span.end, span.label
        text = case.document.text[start:end]
        if LONGEST < end - start:
            return f"[{label}]"
        if is_placeholder(text, label):
            return text
        if label not in ("DATE", "VEHICLE") and _is_checked_number(text, label, case.language):
            span = replace(span, label="ID")
        try:
            make = SURROGATES.get(span.label)
        except UnknownNameError:
            reason = f"no surrogate can be made for the label {label}"
            raise RecordError(reason, record=case.document.id) from None
        return make(case, span)


def is_placeholder(text: str, label: str) -> bool:
    """Whether a text is a placeholder: only punctuation, only the letter X, or a tag."""
    if text[0].isalnum() and text[0] not in _HIDDEN_SIGNS:
        return False
    bare = text if label in _MAY_BE_ROMAN else _HIDDEN.sub("", text)
    if not any(map(str.isalnum, bare)):
        return True
    stripped = text.strip()
    return stripped.startswith(_OPENING) and _tag().fullmatch(stripped) is not None


@cache
def _tag() -> re.Pattern[str]:
    """Return the pattern of other tools' tags: [Name], <PATIENT-2>, [**Hospital 17**], 【氏名】."""
    from veil.replace.people.styles import words_of_all

    words = "|".join([*sorted(words_of_all("placeholders")), *scheme(VEIL).labels])
    return re.compile(
        rf"(?:\[\**|[<{{【＜])\s*(?:{words})(?:[ -]?\d{{1,4}})?\s*(?:\**\]|[>}}】＞])",
        re.IGNORECASE,
    )


def _is_checked_number(text: str, label: str, language: str) -> bool:
    """Whether a text is a number with a valid check digit that is too long to pass by chance."""
    # Most texts are shorter than any such number or have no digit.
    if len(text) < _LONG_WITH_LETTERS or not _DIGIT.search(text):
        return False
    from veil.replace.entities.checked import kinds_of
    from veil.replace.entities.spelling import core_of, half_width

    number = half_width(text.strip())
    if not _NUMBER.fullmatch(number):
        return False
    core = core_of(number)
    shortest = _LONG_FOR_A_PHONE if label in _PHONES and core.isdigit() else _LONG
    if not core.isdigit():
        shortest = _LONG_WITH_LETTERS
    if len(core) < shortest or core.startswith("00"):
        return False
    return bool(kinds_of(core, language))


REPLACERS.add("substitute", from_options("substitute", Surrogates))
