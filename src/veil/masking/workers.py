"""What masking makes of the items of a file: new texts, and what was found in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from veil.core.errors import RecordError
from veil.masking.tally import DOUBTFUL_BELOW, Doubtful, Found
from veil.replace.policy import KEEP

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from veil.core.document import Document
    from veil.masking.masker import Masker
    from veil.replace.base import Masked

    Together = tuple[Document, ...]
    """The documents of an item, which are written together or not at all."""


class Done(NamedTuple):
    """The new texts of an item and what was found in it; `doubtful` lack the file's place.

    `masked` are there if they were asked for: they hold what stood in the texts.
    """

    texts: tuple[str, ...]
    languages: tuple[str, ...]
    found: list[Found]
    doubtful: list[Doubtful]
    masked: tuple[Masked, ...]


class Refused(NamedTuple):
    """Why an item is withheld."""

    record: str
    reason: str


Result = Done | Refused


def mask_items(
    masker: Masker, items: Sequence[Together], *, with_masked: bool = False
) -> list[Result]:
    """Mask the documents of items together; an item of which one fails is withheld."""
    outcomes = iter(masker.mask_batch([doc for item in items for doc in item]))
    results: list[Result] = []
    for item in items:
        masked: list[Masked] = []
        refused = None
        for outcome in [next(outcomes) for _ in item]:
            if isinstance(outcome, RecordError):
                refused = refused or outcome
            else:
                masked.append(outcome)
        results.append(
            Refused(refused.record or "", refused.reason) if refused else _done(masked, with_masked)
        )
    return results


def _done(masked: Sequence[Masked], with_masked: bool) -> Done:
    return Done(
        tuple(each.document.text for each in masked),
        tuple({each.document.language or "": None for each in masked}),
        [found for each in masked for found in _found(each)],
        [doubtful for each in masked for doubtful in _doubtful(each)],
        tuple(masked) if with_masked else (),
    )


def _found(masked: Masked) -> Iterator[Found]:
    language = masked.document.language or ""
    for edit in masked.edits:
        yield Found(edit.label, edit.action, _family(edit.source), language)
    for span in masked.kept:
        yield Found(span.label, KEEP, _family(span.source), language)


def _family(source: str) -> str:
    """The detector of a source: "rules" for "rules:en/date"."""
    return source.partition(":")[0] or "unnamed"


def _doubtful(masked: Masked) -> Iterator[Doubtful]:
    if all(DOUBTFUL_BELOW <= edit.score for edit in masked.edits):
        return
    record = masked.document.id
    for edit, (start, end) in zip(masked.edits, masked.new_offsets, strict=True):
        if edit.score < DOUBTFUL_BELOW:
            yield Doubtful(round(edit.score, 4), "", record, start, end, edit.label)
