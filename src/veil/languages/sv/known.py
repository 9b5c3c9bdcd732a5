"""Forms of Swedish personal identity numbers, for finding known patients."""

from __future__ import annotations

from veil.detect.known.vocabulary import KnownPart


class _SwedishKnown(KnownPart):
    def id_forms(self, key: str) -> list[str]:
        """Return a number with and without its century: 19480312-1234, 480312-1234."""
        if key.isdigit() and len(key) == 12:
            return [key[2:]]
        return ["19" + key, "20" + key] if key.isdigit() and len(key) == 10 else []


KNOWN = _SwedishKnown()
