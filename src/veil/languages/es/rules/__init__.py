"""The functions that adjust matches of Spanish rules."""

from veil.languages.es.rules import places
from veil.languages.es.rules.people import ADJUSTMENTS

__all__ = ["ADJUSTMENTS", "places"]
