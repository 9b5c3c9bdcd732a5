"""The results of Presidio's two REST services, `/analyze` and `/anonymize`, from Veil.

The schemas and the rules for overlapping spans are those of presidio-analyzer and
presidio-anonymizer 2.2, so that their clients only need to change the address.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError
from veil.core.labels import VEIL, scheme
from veil.core.toml import read_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from veil.core.document import Record, Span

DEFAULT = "DEFAULT"
_SHORTEST_SALT = 16
_SALT_BYTES = 32
_HASHES = {"sha256": hashlib.sha256, "sha512": hashlib.sha512}
_BLANKS = re.compile(" +")


@cache
def _types() -> Mapping[str, str]:
    types: dict[str, str] = read_toml(Path(__file__).with_name("presidio.toml"))
    return types


def entity_types() -> list[str]:
    """The entity types that Veil finds, by their names in Presidio."""
    labels = (label.partition(":")[0] for label in scheme(VEIL).labels)
    return sorted({entity_type(label) for label in labels})


def entity_type(label: str) -> str:
    """Return the entity type of Presidio for one of Veil's labels."""
    return _types().get(label, label)


def analyzed(
    records: Sequence[Record],
    *,
    is_list: bool,
    entities: Sequence[str] | None,
    score_threshold: float | None,
    with_explanation: bool,
    allow_list: Sequence[str],
) -> list[Any]:
    """Return the response of `/analyze`: results for a text, or a list of them for several.

    An entity type may also be one of Veil's labels.
    """
    wanted = None if entities is None else set(entities)
    allowed = set(allow_list)

    def is_wanted(record: Record, span: Span) -> bool:
        return (
            (wanted is None or bool(wanted & {span.label, entity_type(span.label)}))
            and (score_threshold or 0.0) <= span.score
            and record.document.text[span.start : span.end] not in allowed
        )

    results = [
        [_result(span, with_explanation) for span in record.spans if is_wanted(record, span)]
        for record in records
    ]
    return results if is_list else results[0]


def _result(span: Span, with_explanation: bool) -> dict[str, Any]:
    explanation = {
        "recognizer": f"Veil {span.source.partition(':')[0]}",
        "pattern_name": span.source,
        "pattern": None,
        "original_score": span.score,
        "score": span.score,
        "textual_explanation": f"Identified as {span.label} by Veil",
        "score_context_improvement": 0,
        "supportive_context_word": "",
        "validation_result": None,
        "regex_flags": None,
    }
    return {
        "analysis_explanation": explanation if with_explanation else None,
        "end": span.end,
        "entity_type": entity_type(span.label),
        "score": span.score,
        "start": span.start,
    }


@dataclass
class _Found:
    """A result of an analyzer."""

    start: int
    end: int
    entity_type: str
    score: float


def anonymized(
    text: str,
    results: Sequence[tuple[int, int, str, float]],
    operators: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """Return the response of `/anonymize`: the new text, and the replacements, last first."""
    found = _joined(text, _settled([_Found(*result) for result in results]))
    default = operators.get(DEFAULT, {"type": "replace"})
    made: list[tuple[_Found, str, str, int]] = []
    new, limit = text, len(text)
    for each in sorted(found, key=lambda each: (each.start, each.end), reverse=True):
        operator = operators.get(each.entity_type, default)
        replacement = _replacement(text[each.start : each.end], each.entity_type, operator)
        rest = new[min(each.end, limit) :]
        new, limit = new[: each.start] + replacement + rest, each.start
        made.append((each, replacement, str(operator["type"]), len(rest) + len(replacement)))
    items = [
        {
            "start": len(new) - from_end,
            "end": len(new) - from_end + len(replacement),
            "entity_type": each.entity_type,
            "text": replacement,
            "operator": operator,
            "score": each.score,
        }
        for each, replacement, operator, from_end in made
    ]
    return {"text": new, "items": items}


def _settled(results: Sequence[_Found]) -> list[_Found]:
    """Join overlapping results of one type, and drop results inside others."""
    merged: dict[int, _Found] = {}
    last_of: dict[str, int] = {}
    for index, each in enumerate(sorted(results, key=lambda each: (each.start, each.end))):
        before = merged.get(last_of.get(each.entity_type, -1))
        if before and max(before.start, each.start) < min(before.end, each.end):
            # The joined result takes the position of the last one.
            del merged[last_of[each.entity_type]]
            each.start, each.end = before.start, max(before.end, each.end)
            each.score = max(before.score, each.score)
        merged[index] = each
        last_of[each.entity_type] = index
    return [merged[index] for index in sorted(merged.keys() - _inside(merged))]


def _inside(results: Mapping[int, _Found]) -> set[int]:
    """The results inside others; of equal extents, the one with the highest score stays."""
    inside: set[int] = set()
    furthest = -1
    for index in sorted(
        results,
        key=lambda index: (
            results[index].start,
            -results[index].end,
            -results[index].score,
            -index,
        ),
    ):
        end = results[index].end
        if end <= furthest:
            inside.add(index)
        furthest = max(furthest, end)
    return inside


def _joined(text: str, results: Sequence[_Found]) -> list[_Found]:
    """Join neighbours of one type that are separated only by spaces."""
    joined: list[_Found] = []
    for each in results:
        before = joined[-1] if joined else None
        if (
            before
            and before.entity_type == each.entity_type
            and _BLANKS.fullmatch(text[before.end : each.start])
        ):
            joined.pop()
            each.start = before.start
        joined.append(each)
    return joined


def _replacement(old: str, entity_type: str, operator: Mapping[str, Any]) -> str:
    replace = _OPERATORS.get(str(operator.get("type")))
    if replace is None:
        raise InputError(f"unknown operator; known: {', '.join(_OPERATORS)}")
    return replace(old, entity_type, operator)


def _replace(old: str, entity_type: str, operator: Mapping[str, Any]) -> str:
    new = operator.get("new_value")
    if new is not None and not isinstance(new, str):
        raise InputError("replace: new_value must be a string")
    return new or f"<{entity_type}>"


def _redact(old: str, entity_type: str, operator: Mapping[str, Any]) -> str:
    return ""


def _keep(old: str, entity_type: str, operator: Mapping[str, Any]) -> str:
    return old


def _mask(old: str, entity_type: str, operator: Mapping[str, Any]) -> str:
    sign, count = operator.get("masking_char"), operator.get("chars_to_mask")
    from_end = operator.get("from_end")
    if not isinstance(sign, str) or len(sign) != 1:
        raise InputError("mask: masking_char must be one character")
    if not isinstance(count, int) or isinstance(count, bool):
        raise InputError("mask: chars_to_mask must be a whole number")
    if not isinstance(from_end, bool):
        raise InputError("mask: from_end must be true or false")
    count = max(0, min(len(old), count))
    if from_end:
        return old[: len(old) - count] + sign * count
    return sign * count + old[count:]


def _hash(old: str, entity_type: str, operator: Mapping[str, Any]) -> str:
    make = _HASHES.get(str(operator.get("hash_type", "sha256")))
    if make is None:
        raise InputError(f"hash: hash_type must be one of {', '.join(_HASHES)}")
    salt = operator.get("salt")
    if salt is not None and (not isinstance(salt, str) or len(salt.encode()) < _SHORTEST_SALT):
        raise InputError(f"hash: salt must be a string of at least {_SHORTEST_SALT} bytes")
    salted = secrets.token_bytes(_SALT_BYTES) if salt is None else salt.encode()
    return make(old.encode() + salted).hexdigest()


_OPERATORS: dict[str, Callable[[str, str, Mapping[str, Any]], str]] = {
    "replace": _replace,
    "redact": _redact,
    "mask": _mask,
    "hash": _hash,
    "keep": _keep,
}


def operators() -> list[str]:
    """The names of the operators of `/anonymize`."""
    return list(_OPERATORS)
