"""The feature space: its channels, the values of each, and the place of each value's weights."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from veil.core import native
from veil.features import consistency  # noqa: F401 - it adds its features and the columns
from veil.features.forms import FORM_FEATURES, Forms, Resources
from veil.features.positions import POSITION_FEATURES
from veil.features.stream import FIRST_VALUE, FormTable
from veil.features.wording import EDGE, UNKNOWN, in_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from numpy.typing import NDArray

    from veil.features.groups import Channel
    from veil.features.stream import Described, Ints, Longs, Stream


class FeatureSlot(NamedTuple):
    """One window of a channel: its features are `base` to `base + size` in the space."""

    feature: str
    offsets: tuple[int, ...]
    base: int
    size: int


@dataclass(frozen=True)
class FeatureSpace:
    """Maps tokens to features: integers from 0 to `size`.

    `forms` are the values of form features, `positions` the sorted numbers of position features.
    Any other value becomes the feature RARE of its channel. `usual` is the value that nearly all
    tokens have, for position features that have one. `stored_words` describes the words among the
    forms (see `StoredWords`).
    """

    channels: tuple[Channel, ...]
    resources: Resources
    forms: Mapping[str, Mapping[str, int]]
    positions: Mapping[str, Longs]
    usual: Mapping[str, int] = field(default_factory=dict)
    stored_words: Described | None = field(default=None, repr=False, compare=False)

    @property
    def slots(self) -> list[FeatureSlot]:
        """All windows of all channels in order."""
        slots = []
        base = 0
        for channel in self.channels:
            size = self.values_of(channel.feature)
            for offsets in channel.windows:
                slots.append(FeatureSlot(channel.feature, offsets, base, size))
                base += size
        return slots

    @property
    def size(self) -> int:
        return sum(self.values_of(c.feature) * len(c.windows) for c in self.channels)

    def values_of(self, feature: str) -> int:
        """How many values a feature has, including RARE and padding."""
        if feature in self.positions:
            return len(self.positions[feature]) + 1
        return len(self.forms[feature]) + FIRST_VALUE

    def new_table(self) -> FormTable:
        return FormTable(self.forms, self.resources, self.stored_words)

    @cached_property
    def _compiled(self) -> _Compiled | None:
        """The compiled twin of the position features, if there is one."""
        return None if native.CORE is None else _Compiled(self.positions, native.CORE)

    def position_ids(self, stream: Stream) -> dict[str, Ints]:
        """The ids of all position features, over tokens or, for features of lines, over lines."""
        if self._compiled is not None:
            return self._compiled.ids(stream)
        return {
            feature: look_up(keys, POSITION_FEATURES.get(feature).compute(stream))
            for feature, keys in self.positions.items()
        }

    def matrix(self, stream: Stream) -> Ints:
        """The features of every word: one row per word, one column for each offset of each slot."""
        words = stream.words
        ids = self.position_ids(stream)
        columns = []
        for slot in self.slots:
            for offset in slot.offsets:
                if slot.feature not in ids:
                    values = stream.column(slot.feature)[words + offset]
                elif POSITION_FEATURES.get(slot.feature).by_line:
                    values = ids[slot.feature][stream.line[words]]
                else:
                    values = ids[slot.feature][words + offset]
                columns.append(values + slot.base)
        if not columns:
            return np.zeros((len(words), 0), np.int32)
        return np.stack(columns, axis=1).astype(np.int32)

    def describe(self, feature: int) -> str:
        """A feature with its value, for experts: "lower[-1]=dr"."""
        slot, value = self._slot_and_value(feature)
        where = ",".join(f"{offset:+d}" if offset else "0" for offset in slot.offsets)
        return f"{slot.feature}[{where}]={value}"

    def in_words(self, feature: int) -> str:
        """A feature with its value in words: "the word before is 'dr'"."""
        slot, value = self._slot_and_value(feature)
        return in_words(slot.feature, slot.offsets, value)

    def _slot_and_value(self, feature: int) -> tuple[FeatureSlot, str]:
        slot = self._all_slots[bisect_right(self._all_slots, feature, key=attrgetter("base")) - 1]
        return slot, self._value(slot.feature, feature - slot.base)

    @cached_property
    def _all_slots(self) -> list[FeatureSlot]:
        return [slot for slot in self.slots if slot.size]

    @cached_property
    def _values_of_forms(self) -> dict[str, list[str]]:
        return {feature: list(values) for feature, values in self.forms.items()}

    def _value(self, feature: str, value: int) -> str:
        if feature in self.positions:
            if value == 0:
                return UNKNOWN
            number = int(self.positions[feature][value - 1])
            return POSITION_FEATURES.get(feature).show(self._form_value, number)
        return self._form_value(feature, value)

    def _form_value(self, feature: str, value: int) -> str:
        if value < FIRST_VALUE:
            return (UNKNOWN, EDGE)[value]
        return self._values_of_forms[feature][value - FIRST_VALUE]


class _Compiled:
    """Finds the ids of position features in compiled code."""

    def __init__(self, positions: Mapping[str, Longs], core: ModuleType) -> None:
        self._core = core.Positions(list(positions.items()))
        self._names = list(positions)
        features = [POSITION_FEATURES.get(name) for name in self._names]
        self._by_line = [feature.by_line for feature in features]
        known = core.POSITION_FEATURES
        self._given = [
            None if name in known else feature.compute
            for name, feature in zip(self._names, features, strict=True)
        ]

    def ids(self, stream: Stream) -> dict[str, Ints]:
        lines = sum(self._by_line)
        of_lines = iter(np.empty((lines, len(stream.first)), np.int32))
        of_tokens = iter(np.empty((len(self._names) - lines, len(stream)), np.int32))
        ids: list[Ints] = [next(of_lines if each else of_tokens) for each in self._by_line]
        given = [compute and compute(stream) for compute in self._given]
        table = stream.table
        arrays = (
            *(stream.form, stream.start, stream.end, stream.doc, stream.line),
            *(stream.first, stream.last, table.values, table.word_of, table.codes, table.cases),
        )
        own = (table.columns.get(name, -1) for name in ("normal", "short-shape", "role"))
        no_role = table.vocabularies.get("role", {}).get("", -1)
        columns = (len(table.columns), *own, no_role)
        self._core.write_ids(arrays, columns, len(table.words), given, ids)
        return dict(zip(self._names, ids, strict=True))


def look_up(keys: Longs, values: Longs) -> Ints:
    """The indexes of values among sorted keys, from 1; 0 for values that are not among them."""
    if not len(keys):
        return np.zeros(len(values), np.int32)
    indexes = np.searchsorted(keys, values)
    indexes[indexes == len(keys)] = 0
    return np.where(keys[indexes] == values, indexes + 1, 0).astype(np.int32)


def form_features(channels: Sequence[Channel]) -> list[str]:
    """The form features that channels use, directly or through position features."""
    names: dict[str, None] = {}
    for channel in channels:
        if channel.feature in FORM_FEATURES:
            names[channel.feature] = None
        else:
            names.update(dict.fromkeys(POSITION_FEATURES.get(channel.feature).needs))
    return list(names)


def learn_forms(
    channels: Sequence[Channel], pieces: Counter[str], resources: Resources
) -> dict[str, dict[str, int]]:
    """Collect the values of form features that are frequent enough in the training set."""
    minimum = minimums(channels)
    names = form_features(channels)
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    forms = Forms([piece.rstrip() or "\n" for piece in pieces], resources)
    for name, counter in counts.items():
        for value, count in zip(FORM_FEATURES.get(name)(forms), pieces.values(), strict=True):
            counter[value] += count
    return {
        name: {
            value: number
            for number, value in enumerate(
                sorted(v for v, c in counts[name].items() if minimum.get(name, 1) <= c),
                start=FIRST_VALUE,
            )
        }
        for name in names
    }


def learn_positions(channels: Sequence[Channel], stream: Stream) -> dict[str, Longs]:
    """Collect the values of position features that are frequent enough in the training set."""
    words = stream.words
    positions: dict[str, Longs] = {}
    for name, minimum in minimums(channels).items():
        if name in FORM_FEATURES:
            continue
        feature = POSITION_FEATURES.get(name)
        values = feature.compute(stream)
        at: NDArray[np.int64] = values if feature.by_line else values[words]
        keys, counts = np.unique(at, return_counts=True)
        positions[name] = keys[minimum <= counts].astype(np.int64)
    return positions


def minimums(channels: Sequence[Channel]) -> dict[str, int]:
    """The minimum frequency of a feature's values: the lowest of its channels."""
    least: dict[str, int] = {}
    for channel in channels:
        least[channel.feature] = min(channel.minimum, least.get(channel.feature, channel.minimum))
    return least
