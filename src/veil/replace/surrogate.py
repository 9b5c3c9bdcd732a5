"""Surrogates: realistic stand-ins for every label (action "substitute").

`people` makes names, mail addresses and logins, `dates` shifts dates, `entities` makes the rest.
A placeholder (***, ◯◯病院, [Name]) identifies nobody and stays. A number with a valid check digit,
such as a card number, gets a stand-in with a valid check digit, whatever its label.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from veil.core.labels import VEIL, scheme
from veil.replace.base import REPLACERS
from veil.replace.options import from_options

if TYPE_CHECKING:
    from veil.core.document import Span
    from veil.replace.base import Case

_PEOPLE = frozenset({"NAME", "PATIENT", "DOCTOR", "USERNAME", "EMAIL"})
# The numbers of rooms and wards may be Roman: XX, XXX.
_MAY_BE_ROMAN = frozenset({"ROOM", "DEPARTMENT"})
_HIDDEN = re.compile("〇|[XxＸｘ]{2,}")
_TAGS = """
    anonymised anonymized deleted hidden hospital masked name patient redacted removed unknown
    anonimizado apellidos eliminado nombre oculto paciente borttaget dolt namn sjukhus
    伏字 削除 匿名 名前 患者 患者名 氏名 病院 病院名
""".split()
# What tools for de-identification write: [Name], <PATIENT-2>, [**Hospital 17**], 【氏名】.
_TAG = re.compile(
    rf"(?:\[\**|[<{{【＜])\s*(?:{'|'.join([*_TAGS, *scheme(VEIL).labels])})(?:[ -]?\d{{1,4}})?\s*"
    r"(?:\**\]|[>}】＞])",
    re.IGNORECASE,
)
# From so many digits on, a check digit says more than the label of a phone or of anything else.
_LONG_FOR_A_PHONE = 13
_LONG = 10
_PHONES = frozenset({"PHONE", "FAX", "CONTACT"})
_NUMBER = re.compile(r"[0-9A-Za-z](?:[ .-]?[0-9A-Za-z])*")


class Surrogates:
    """Gives each span to the one who makes its kind."""

    def __init__(self) -> None:
        # Imported here: a policy without surrogates does not load what they need.
        from veil.replace.dates import DateShifter
        from veil.replace.entities import EntitySurrogates
        from veil.replace.people import PeopleSurrogates

        self._dates = DateShifter()
        self._people = PeopleSurrogates()
        self._entities = EntitySurrogates()

    def replace(self, case: Case, span: Span) -> str:
        text = case.text(span)
        if case.is_too_long(span):
            return f"[{span.label}]"
        if is_placeholder(text, span.label):
            return text
        if span.label == "DATE":
            return self._dates.replace(case, span)
        if span.label != "VEHICLE" and _is_checked_number(text, span.label, case.language):
            return self._entities.replace(case, replace(span, label="ID"))
        maker = self._people if span.label in _PEOPLE else self._entities
        return maker.replace(case, span)


def is_placeholder(text: str, label: str) -> bool:
    """Whether a text only holds a place: signs without letters or digits, crosses, or a tag."""
    bare = text if label in _MAY_BE_ROMAN else _HIDDEN.sub("", text)
    return not any(map(str.isalnum, bare)) or _TAG.fullmatch(text.strip()) is not None


def _is_checked_number(text: str, label: str, language: str) -> bool:
    """Whether a text is a number with a valid check digit that is too long to pass by chance."""
    from veil.replace.entities.checked import kinds_of
    from veil.replace.entities.writing import core_of, half_width

    number = half_width(text.strip())
    if not _NUMBER.fullmatch(number) or not any(map(str.isdigit, number)):
        return False
    core = core_of(number)
    shortest = _LONG_FOR_A_PHONE if label in _PHONES and core.isdigit() else _LONG
    if len(core) < (shortest if core.isdigit() else 9) or core.startswith("00"):
        return False
    return bool(kinds_of(core, language.partition("-")[0]))


REPLACERS.add("substitute", from_options("substitute", Surrogates))
