"""Mentions of people, numbers and places that are known in advance from a table."""

from veil.detect.known.detector import KnownDetector, known_in_meta
from veil.detect.known.table import KnownTable
from veil.detect.known.values import Known

__all__ = ["Known", "KnownDetector", "KnownTable", "known_in_meta"]
