"""A second, small implementation of what the public i2b2 2014 script prints for the PHI track.

Written from the script's behaviour (github.com/kotfic/i2b2_evaluation_scripts), by other means than
Veil's scorers: annotations are plain tuples, tokens come from walking over characters, and every
evaluation is a filter, a key and a comparison of lists.
"""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ELEMENTS = {
    "NAME": ("PATIENT", "DOCTOR", "USERNAME"),
    "PROFESSION": ("PROFESSION",),
    "LOCATION": ("HOSPITAL", "ORGANIZATION", "STREET", "CITY", "STATE", "COUNTRY", "ZIP"),
    "AGE": ("AGE",),
    "DATE": ("DATE",),
    "CONTACT": ("PHONE", "FAX", "EMAIL", "URL"),
    "ID": ("MEDICALRECORD", "DEVICE", "IDNUM", "SSN"),
}
HIPAA = {
    *("PATIENT", "CITY", "STREET", "ZIP", "ORGANIZATION", "PHONE", "FAX", "EMAIL"),
    *("SSN", "MEDICALRECORD", "DEVICE"),
}


class Tag(NamedTuple):
    """An annotation: its XML element, its TYPE as written, and its offsets."""

    element: str
    type: str
    start: int
    end: int

    @property
    def is_hipaa(self) -> bool:
        """All ages and dates, and the types that the script's patterns match, in capitals only."""
        return self.element in {"AGE", "DATE"} or self.type in HIPAA


Document = tuple[str, "Sequence[Tag]", "Sequence[Tag]"]
Key = tuple[object, ...]
Numbers = tuple[float, ...]


def tokens(text: str, tags: Iterable[Tag]) -> list[Tag]:
    """Runs of ASCII letters and digits; an annotation without any has an empty one at its end."""
    found = []
    for tag in tags:
        own = []
        open_at = None
        for position in range(tag.start, tag.end + 1):
            inside = position < tag.end and text[position].isascii() and text[position].isalnum()
            if inside and open_at is None:
                open_at = position
            elif not inside and open_at is not None:
                own.append(tag._replace(start=open_at, end=position))
                open_at = None
        found += own or [tag._replace(start=tag.end)]
    return found


def script_scores(documents: Sequence[Document]) -> dict[str, Numbers]:
    """Return the numbers of each evaluation: P, R and F micro, then P, SD, R, SD and F macro."""

    def annotations(_: str, tags: Iterable[Tag]) -> list[Tag]:
        return list(tags)

    def typed(tag: Tag) -> Key:
        return (tag.element, tag.type.upper(), tag.start, tag.end)

    def typed_token(tag: Tag) -> Key:
        return (tag.element, tag.type, tag.start, tag.end)

    def extent(tag: Tag) -> Key:
        return (tag.start, tag.end)

    filters: dict[str, Callable[[Tag], bool]] = {"": lambda _: True, "HIPAA ": lambda t: t.is_hipaa}
    found = {}
    for prefix, keep in filters.items():
        found[f"{prefix}strict"] = _score(documents, annotations, keep, typed)
        found[f"{prefix}relaxed"] = _score(documents, annotations, keep, typed, distance=2)
        found[f"{prefix}token"] = _score(documents, tokens, keep, typed_token)
        found[f"binary {prefix}strict"] = _score(documents, annotations, keep, extent)
        found[f"binary {prefix}token"] = _score(documents, tokens, keep, extent)
        for element in ELEMENTS:

            def both(tag: Tag, element: str = element, keep: Callable[[Tag], bool] = keep) -> bool:
                return tag.element == element and keep(tag)

            found[f"{element} {prefix}strict"] = _score(documents, annotations, both, typed)
            found[f"{element} {prefix}token"] = _score(documents, tokens, both, typed_token)
    return found


def _score(
    documents: Sequence[Document],
    cut: Callable[[str, Iterable[Tag]], list[Tag]],
    keep: Callable[[Tag], bool],
    key: Callable[[Tag], Key],
    *,
    distance: int = 0,
) -> Numbers:
    counts = []
    for text, gold_tags, system_tags in documents:
        gold = {key(tag) for tag in cut(text, gold_tags) if keep(tag)}
        system = {key(tag) for tag in cut(text, system_tags) if keep(tag)}
        hits = [one for one in system if any(_same(one, other, distance) for other in gold)]
        missed = [one for one in gold if not any(_same(one, other, distance) for other in system)]
        counts.append((len(hits), len(system) - len(hits), len(missed)))
    tp, fp, fn = (sum(column) for column in zip(*counts, strict=True))
    precisions = [_share(tp, fp) for tp, fp, _ in counts]
    recalls = [_share(tp, fn) for tp, _, fn in counts]
    macro = statistics.fmean(precisions), statistics.fmean(recalls)
    return (
        *(_share(tp, fp), _share(tp, fn), _f(_share(tp, fp), _share(tp, fn))),
        *(macro[0], statistics.pstdev(precisions), macro[1], statistics.pstdev(recalls)),
        _f(*macro),
    )


def _same(one: Key, other: Key, distance: int) -> bool:
    *rest, end = one
    *other_rest, other_end = other
    return rest == other_rest and abs(end - other_end) <= distance  # type: ignore[operator]


def _share(part: int, rest: int) -> float:
    return part / (part + rest) if part + rest else 0.0


def _f(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
