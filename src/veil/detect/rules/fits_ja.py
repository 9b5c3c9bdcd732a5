"""Fits for Japanese, which has no spaces: lists and the analyser say where names begin and end.

The analyser is slow, so it is asked only about the characters around a match, and only where the
lists leave a doubt.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from veil.detect.rules.japanese.addresses import address, number_plate, town
from veil.detect.rules.japanese.after import given_name, person_after
from veil.detect.rules.japanese.before import person_before
from veil.detect.rules.japanese.full_names import full_name
from veil.detect.rules.japanese.institutions import institution, named_behind
from veil.detect.rules.japanese.listed import (
    after_country,
    any_profession,
    before_country,
    before_place,
    before_profession,
    patients_profession,
    profession,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def _japanese(
    fit: Callable[[str, int, int], tuple[int, int] | None],
) -> Callable[[str, str, int, int], tuple[int, int] | None]:
    """A fit as the table of fits has them, with the language first."""

    def fitted(_language: str, text: str, start: int, end: int) -> tuple[int, int] | None:
        return fit(text, start, end)

    return fitted


FITS = {
    # The match is an honorific; the name stands before it.
    "ja-before": _japanese(person_before),
    # As before, but the lists must hold the name: 様 also means "like".
    "ja-known-before": _japanese(partial(person_before, strict=True)),
    # A name is due here, as behind a colon.
    "ja-named": _japanese(partial(person_after, trusted=True)),
    # A name may stand here: the lists must hold it.
    "ja-name": _japanese(partial(person_after, trusted=False)),
    "ja-given": _japanese(given_name),
    "ja-full-name": _japanese(full_name),
    # The match is the head of a name that ends with it.
    "ja-institution": _japanese(institution),
    "ja-named-institution": _japanese(partial(institution, small_words=False)),
    "ja-specific-institution": _japanese(partial(institution, specific=True, small_words=False)),
    # The match is the head of a name that begins with it.
    "ja-named-behind": _japanese(named_behind),
    # The match is a prefecture, or the last character of a town's name.
    "ja-address": _japanese(address),
    "ja-town": _japanese(town),
    # The match is what follows the place on a number plate.
    "ja-number-plate": _japanese(number_plate),
    # The match says that somebody lives or was where the words before it say.
    "ja-place-before": _japanese(before_place),
    "ja-country-before": _japanese(before_country),
    "ja-country": _japanese(after_country),
    "ja-profession": _japanese(profession),
    "ja-any-profession": _japanese(any_profession),
    "ja-listed-profession": _japanese(patients_profession),
    "ja-profession-before": _japanese(before_profession),
}
