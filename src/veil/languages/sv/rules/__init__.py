"""The functions that adjust matches of Swedish rules."""

from veil.languages.sv.rules import numbers, people, places
from veil.languages.sv.rules.words import ADJUSTMENTS, START_TESTS

__all__ = ["ADJUSTMENTS", "START_TESTS", "numbers", "people", "places"]
