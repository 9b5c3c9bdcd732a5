"""Surrogates for people: their names, user names and e-mail addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.core.errors import RecordError
from veil.replace.base import SURROGATES
from veil.replace.people.people import ACCOUNT_LABELS, NAME_LABELS, People
from veil.replace.people.renaming import new_texts

if TYPE_CHECKING:
    from veil.core.document import Span
    from veil.replace.base import Case

__all__ = ["person_numbers", "replace_person"]


def replace_person(case: Case, span: Span) -> str:
    """Return the new text of a name, user name or e-mail address.

    Each word of a name has its own surrogate, drawn for the patient and the word, so that
    "Anna Lindgren", "Lindgren, Anna" and "A. Lindgren" agree within and between records.
    """
    try:
        return case.once(new_texts)[span.start, span.end]
    except KeyError:
        raise RecordError(
            f"no name, user name or e-mail address at {span.start}-{span.end} ({span.label})",
            record=case.document.id,
        ) from None


def person_numbers(case: Case) -> dict[Span, int]:
    """Number the people of a record, separately for each label, in order of first appearance.

    All mentions of a person have the same number. A surname or initials alone have the number of
    the full name, unless they could belong to two people.
    """
    return case.once(People).numbers()


for _label in (*NAME_LABELS, *ACCOUNT_LABELS):
    SURROGATES.add(_label, replace_person)
