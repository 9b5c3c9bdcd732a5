"""The functions that adjust matches of Japanese rules."""

from veil.languages.ja.rules import institutions, people, places
from veil.languages.ja.rules.words import ADJUSTMENTS

__all__ = ["ADJUSTMENTS", "institutions", "people", "places"]
