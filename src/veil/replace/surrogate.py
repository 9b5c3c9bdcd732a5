"""Surrogates: realistic stand-ins, each made by who knows its kind (action "substitute").

Names, mail addresses and logins are for `people`, dates are shifted, all else is for `things`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.replace.base import REPLACERS
from veil.replace.options import from_options

if TYPE_CHECKING:
    from veil.core.document import Span
    from veil.replace.base import Case

_PEOPLE = frozenset({"NAME", "PATIENT", "DOCTOR", "USERNAME", "EMAIL"})


class Surrogates:
    """Gives each span to the one who makes its kind."""

    def __init__(self) -> None:
        # Imported here: a policy without surrogates does not load what they need.
        from veil.replace.dates import DateShifter
        from veil.replace.people import PeopleSurrogates
        from veil.replace.things import ThingSurrogates

        self._dates = DateShifter()
        self._people = PeopleSurrogates()
        self._things = ThingSurrogates()

    def replace(self, case: Case, span: Span) -> str:
        if span.label == "DATE":
            return self._dates.replace(case, span)
        maker = self._people if span.label in _PEOPLE else self._things
        return maker.replace(case, span)


REPLACERS.add("substitute", from_options("substitute", Surrogates))
