"""Forms of Spanish identity numbers, for finding known patients."""

from __future__ import annotations

from veil.core.numbers import dni_letter
from veil.detect.known.vocabulary import KnownPart


class _SpanishKnown(KnownPart):
    def id_forms(self, key: str) -> list[str]:
        """Return a DNI with and without its check letter."""
        if not key[:8].isdigit():
            return []
        if len(key) == 9 and key[8].isalpha():
            return [key[:8]]
        return [key + dni_letter(int(key)).lower()] if len(key) == 8 else []


KNOWN = _SpanishKnown()
