"""The functions that adjust matches of English rules."""

from veil.languages.en.rules import institutions, people, places
from veil.languages.en.rules.words import ADJUSTMENTS

__all__ = ["ADJUSTMENTS", "institutions", "people", "places"]
