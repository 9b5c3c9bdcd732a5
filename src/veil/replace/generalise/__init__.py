"""The action "generalise": less exact values; a text that cannot be read becomes a tag."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from veil.core.errors import InputError, UnknownNameError
from veil.core.labels import VEIL, scheme
from veil.replace.base import REPLACERS, from_options
from veil.replace.generalise.ages import DECADE, OLDEST, OVER, following, generalised_age
from veil.replace.generalise.dates import Level, generalised_date
from veil.replace.generalise.places import country_of, first_digits
from veil.replace.tags import Tag

if TYPE_CHECKING:
    from veil.core.document import Span
    from veil.replace.base import Case

_LEVELS: dict[str, Level] = {"month": "month", "year": "year", DECADE: "decade"}
_COUNTRY, _DIGITS, _KIND = "country", "three-digits", "kind"
# The labels that each `to` applies to. A family is listed if one of its labels is.
_LABELS = {
    "year": ("DATE",),
    "month": ("DATE",),
    DECADE: ("AGE", "DATE"),
    OVER: ("AGE",),
    _DIGITS: ("ZIP",),
    _COUNTRY: ("CITY", "LOCATION"),
    _KIND: scheme(VEIL).labels,
}
_TAG = Tag(numbered=False)


@dataclass(frozen=True)
class Generalise:
    """Turns dates into years, ages into decades, towns into countries, high ages into 90+."""

    to: str
    above: int = OLDEST

    def __post_init__(self) -> None:
        if self.to not in _LABELS:
            raise UnknownNameError("value of the option 'to':", self.to, _LABELS)
        if not 0 < self.above <= 150:
            raise InputError("the option 'above' must be an age from 1 to 150")

    def check(self, label: str) -> None:
        """Raise an error for a label that cannot be generalised in this way."""
        if label not in _LABELS[self.to]:
            fitting = [to for to, labels in _LABELS.items() if label in labels]
            raise UnknownNameError("value of the option 'to' for this label:", self.to, fitting)

    def replace(self, case: Case, span: Span) -> str:
        return self._generalised(case, span) or _TAG.replace(case, span)

    def _generalised(self, case: Case, span: Span) -> str | None:
        """Return the new text, or None if the old one cannot be read."""
        text = case.text(span)
        if self.to == _COUNTRY and span.label == "COUNTRY":
            return text
        if self.to == _COUNTRY and span.label == "CITY":
            return country_of(case, span)
        if self.to == _DIGITS and span.label == "ZIP":
            return first_digits(text, case.language)
        if self.to in (DECADE, OVER) and span.label == "AGE":
            after = following(case, span)
            return generalised_age(
                text, case.language, to=self.to, above=self.above, following=after
            )
        if self.to in _LEVELS and span.label == "DATE":
            return generalised_date(case, span, to=_LEVELS[self.to], above=self.above)
        return None


REPLACERS.add("generalise", from_options("generalise", Generalise))
