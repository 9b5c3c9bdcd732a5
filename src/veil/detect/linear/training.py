"""From annotated records to a model: examples, a trainer by name, calibration, the recall dial."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from veil.detect.linear.dropout import Examples
from veil.detect.linear.layout import lay_out
from veil.detect.linear.scoring import usual_values
from veil.detect.linear.tags import TagSet
from veil.features.columns import columns_of
from veil.features.forms import TRAINED_DICTIONARIES
from veil.features.space import FeatureSpace, learn_forms, learn_positions
from veil.languages import language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.core.document import Record
    from veil.detect.linear.layout import Columns
    from veil.features.forms import Resources
    from veil.features.groups import Channel
    from veil.features.stream import Ints, Stream
    from veil.features.vectors import WordVectors


def prepare(
    records: Sequence[Record],
    channels: tuple[Channel, ...],
    resources: Resources,
    *,
    tokens: str,
    sequences: str,
    given: Sequence[Columns] | None = None,
    dictionary: str = "",
) -> tuple[FeatureSpace, TagSet, Stream]:
    """Learn the feature space and the tags of records, and prepare their texts.

    `given` are additional columns, one mapping per record; `dictionary` is the content of a user
    dictionary.
    """
    texts = [record.document.text for record in records]
    layout = lay_out(
        texts,
        tokens=tokens,
        sequences=sequences,
        wanted=columns_of(channels),
        given=given,
        dictionary=dictionary,
    )
    pieces = Counter(
        text[start:end]
        for text, cuts in zip(texts, layout.offsets(), strict=True)
        for start, end in zip(*cuts, strict=True)
    )
    pieces["\n"] += sum(text.count("\n") for text in texts)
    forms = learn_forms(channels, pieces, resources)
    space = FeatureSpace(channels, resources, forms, {})
    stream = layout.stream(space.new_table())
    space = replace(space, positions=learn_positions(channels, stream))
    space = replace(space, usual=usual_values(space.position_ids(stream), stream))
    tagset = TagSet(sorted({span.label for record in records for span in record.spans}))
    return space, tagset, stream


def examples_of(
    stream: Stream,
    space: FeatureSpace,
    tagset: TagSet,
    records: Sequence[Record],
    vectors: WordVectors | None = None,
) -> Examples:
    words = stream.words
    tags = tagset.encode(stream, [record.spans for record in records])[words]
    first, length = sequences_of(stream, words)
    of_words = None
    if vectors is not None:
        of_words = vectors.rows(map(str.rstrip, stream.table.numbers))[stream.form[words]]
    matrix = space.matrix(stream)
    return Examples(matrix, tags, first, length, space.size, len(tagset), of_words)


def sequences_of(stream: Stream, words: Ints) -> tuple[Ints, Ints]:
    """The sequences of a stream as first rows and lengths among its words."""
    line = stream.line[words]
    opens = np.concatenate(([True], line[1:] != line[:-1])) if len(line) else line.astype(bool)
    first = np.flatnonzero(opens).astype(np.int32)
    return first, np.diff(np.append(first, len(words))).astype(np.int32)


# The labels of each scheme that fill the dictionaries of wi-deid-2015.
_LABELS_OF_DICTIONARY = {
    "state": {"STATE"},
    "street": {"STREET", "CALLE"},
    "country": {"COUNTRY", "PAIS"},
    "date": {"DATE", "FECHAS"},
    "city": {"CITY", "TERRITORIO", "LOCATION"},
}


def trained_dictionaries(
    records: Sequence[Record], channels: Sequence[Channel], tokens: str
) -> dict[str, frozenset[str]]:
    """Collect the lower-case tokens of the training spans, for dictionary features."""
    wanted = [
        name
        for name in TRAINED_DICTIONARIES
        if any(channel.feature == f"in-{name}-dictionary" for channel in channels)
    ]
    words: dict[str, set[str]] = {name: set() for name in wanted}
    split = language(tokens).tokens
    for record in records:
        for span in record.spans:
            for name in wanted:
                if span.label in _LABELS_OF_DICTIONARY[name]:
                    text = record.document.text[span.start : span.end]
                    words[name].update(text[start:end].lower() for start, end in split(text))
    return {name: frozenset(found) for name, found in words.items()}
