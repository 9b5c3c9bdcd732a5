"""The leak to be expected, from what was measured of the models on records with a gold standard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from veil.masking.bounds import CONFIDENCE, expected_misses, wilson
from veil.models import describe

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from veil.masking.run import Detection
    from veil.masking.tally import Tally

HIGH = "high"


def expected_leak(tally: Tally, detection: Detection) -> dict[str, Any]:
    """What each language's records are likely to leak; None where it was not measured."""
    found = tally.count_by("language")
    return {
        "confidence": CONFIDENCE,
        "languages": {
            language: _of_language(language, found.get(language, 0), detection)
            for language in sorted(tally.languages)
        },
    }


def _of_language(language: str, found: int, detection: Detection) -> dict[str, Any] | None:
    measured = [_leak(each, found) for each in _measured(language, detection)]
    if not measured:
        return None
    # Of several sets of records the hardest counts.
    worst = max(measured, key=lambda each: (each["share"], each["high"]))
    return {"spans_found": found, **worst}


def _measured(language: str, detection: Detection) -> Iterator[Mapping[str, Any]]:
    """What the cards of the language's models say for the balance that was chosen, if they do."""
    for folder in detection.models:
        info = describe(folder)
        entries = [
            entry
            for entry in info.card.get("measured", ())
            if info.language == language and entry.get("spans") and "leaked_spans" in entry
        ]
        wants_high = detection.settings.get("recall") == HIGH
        fitting = [entry for entry in entries if (HIGH in entry.get("how", "")) == wants_high]
        yield from fitting or entries


def _leak(entry: Mapping[str, Any], found: int) -> dict[str, Any]:
    share = wilson(entry["leaked_spans"], entry["spans"])
    misses = [expected_misses(found, each) for each in share]
    expected = [None if each is None else round(each, 1) for each in misses]
    return {
        "measured_on": entry.get("data", ""),
        "measured_with": entry.get("how", ""),
        "records": entry.get("records"),
        "spans": entry["spans"],
        "leaked_spans": entry["leaked_spans"],
        "character_recall": entry.get("character_recall"),
        "share": round(share.value, 6),
        "low": round(share.low, 6),
        "high": round(share.high, 6),
        "expected_leaks": expected[0],
        "expected_low": expected[1],
        "expected_high": expected[2],
    }
