"""Mention replacement: a known span swapped for another of its label, as augmentation."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import TYPE_CHECKING

from veil.core.document import Document, Record, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Pool = Mapping[tuple[str, str | None], Sequence[str]]


def mention_pool(records: Iterable[Record]) -> dict[tuple[str, str | None], list[str]]:
    """The texts of all spans by label and part, each once, in the order in which they came."""
    pool: defaultdict[tuple[str, str | None], dict[str, None]] = defaultdict(dict)
    for record in records:
        for span in record.spans:
            text = record.document.text[span.start : span.end]
            if "\n" not in text:
                pool[span.label, span.part][text] = None
    return {key: list(texts) for key, texts in pool.items()}


def swap_mentions(
    records: Iterable[Record], pool: Pool, *, share: float = 0.5, seed: int = 0
) -> Iterator[Record]:
    """Yield records in which a share of the spans has the text of another span of its label.

    Within a record the same text becomes the same other text, so that a name stays one name.
    """
    for record in records:
        rng = random.Random(f"{seed}/{record.id}")  # noqa: S311 - no secret
        yield _swap(record, pool, share, rng)


def _swap(record: Record, pool: Pool, share: float, rng: random.Random) -> Record:
    text = record.document.text
    chosen: dict[tuple[str, str], str] = {}
    pieces: list[str] = []
    spans: list[Span] = []
    position = length = 0
    for span in record.spans:
        old = text[span.start : span.end]
        key = (span.label, old)
        if key not in chosen:
            others = pool.get((span.label, span.part), ())
            chosen[key] = rng.choice(others) if others and rng.random() < share else old
        new = chosen[key]
        pieces += [text[position : span.start], new]
        length += span.start - position
        spans.append(Span(length, length + len(new), span.label, part=span.part))
        length += len(new)
        position = span.end
    pieces.append(text[position:])
    doc = record.document
    return Record.of(Document(doc.id, "".join(pieces), doc.language, doc.meta), spans)
