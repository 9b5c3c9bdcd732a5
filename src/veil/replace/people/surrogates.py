"""What replaces the names, user names and e-mail addresses of people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.core.errors import RecordError
from veil.replace.base import SURROGATES
from veil.replace.people.record import People
from veil.replace.people.renaming import Renaming

if TYPE_CHECKING:
    from veil.core.document import Span
    from veil.replace.base import Case

_TEXTS = "veil.replace.people.texts"


class PeopleSurrogates:
    """Gives everybody in a record another name.

    The words of names have stand-ins of their own, drawn for the patient and the word, so that
    "Anna Lindgren", "Lindgren, Anna" and "A. Lindgren" agree in a record and among records.
    """

    def replace(self, case: Case, span: Span) -> str:
        """The new text of a span of a name, user name or e-mail address."""
        if _TEXTS not in case.memory:
            case.memory[_TEXTS] = Renaming(case, People.of(case)).texts()
        texts: dict[tuple[int, int], str] = case.memory[_TEXTS]
        try:
            return texts[span.start, span.end]
        except KeyError:
            raise RecordError(
                f"no name, user name or e-mail address at {span.start}-{span.end} ({span.label})",
                record=case.document.id,
            ) from None


def person_numbers(case: Case) -> dict[Span, int]:
    """Number the people of a record, each label on its own, in order of first appearance.

    All mentions of a person have one number: a surname or initials alone that of the full name,
    unless the record names two people of whom they could be.
    """
    return People.of(case).numbers()


for _label in ("NAME", "PATIENT", "DOCTOR", "USERNAME", "EMAIL"):
    SURROGATES.add(_label, PeopleSurrogates().replace)
