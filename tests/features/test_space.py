"""Tests for veil.features.space."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from veil.features.forms import Resources
from veil.features.groups import WIDEST_WINDOW, Channel, feature_groups
from veil.features.positions import POSITION_FEATURES
from veil.features.space import (
    FeatureSpace,
    form_features,
    learn_forms,
    learn_positions,
    look_up,
    minimums,
)
from veil.features.stream import Stream, build_stream
from veil.languages import language

SPANISH = Resources("es")
TEXTS = ("Nombre: Ana\nsin dolor", "Nombre: Eva\nsin tos")


def learn(*channels: Channel) -> tuple[FeatureSpace, Stream]:
    """The feature space of the texts."""
    spanish = language("es")
    cuts = [spanish.tokens(text) for text in TEXTS]
    pieces = Counter(
        text[start:end] for text, doc in zip(TEXTS, cuts, strict=True) for start, end in doc
    )
    forms = learn_forms(channels, pieces, SPANISH)
    bare = FeatureSpace(channels, SPANISH, forms, {})
    stream = build_stream(TEXTS, cuts, bare.new_table())
    return FeatureSpace(channels, SPANISH, forms, learn_positions(channels, stream)), stream


@pytest.mark.parametrize(
    ("keys", "values", "places"),
    [
        ([], [1, 2], [0, 0]),
        ([5], [5, 4, 6], [1, 0, 0]),
        ([-2, 0, 7], [0, 7, -2, 1, 8, -3], [2, 3, 1, 0, 0, 0]),
        ([1], [], []),
    ],
)
def test_look_up(keys: list[int], values: list[int], places: list[int]) -> None:
    """Values have their place among the keys from 1; what is not there is 0."""
    found = look_up(np.array(keys, np.int64), np.array(values, np.int64))
    assert found.tolist() == places


def test_values_are_sorted_and_frequent() -> None:
    """Values that are rarer than the minimum are left out; the rest are numbered in order."""
    space, _ = learn(Channel("lower", minimum=2))
    assert space.forms == {"lower": {":": 2, "nombre": 3, "sin": 4}}
    assert space.size == 5


def test_the_least_minimum_counts() -> None:
    """Two channels of a feature share its values: the smaller minimum decides, in any order."""
    often, always = Channel("lower", minimum=2), Channel("lower", ((1,),), minimum=1)
    assert minimums([often, always]) == minimums([always, often]) == {"lower": 1}
    assert learn(often, always)[0].forms == learn(always, often)[0].forms
    place = Channel("position", minimum=5), Channel("position", ((1,),))
    left, right = (
        learn(*order)[0].positions["position"].tolist() for order in (place, place[::-1])
    )
    assert left == right == [0, 1, 2]


def test_features_through_places() -> None:
    """A feature that a place feature reads is learned too, without weights of its own."""
    channels = [Channel("bias"), Channel("field"), Channel("word")]
    assert form_features(channels) == ["normal", "word"]
    space, _ = learn(*channels)
    assert {slot.feature for slot in space.slots} == {"bias", "field", "word"}


def test_matrix() -> None:
    """A row a word, a column for each place looked at; the words of a window share weights."""
    channels = (Channel("lower", ((-1,), (0,))), Channel("lower", ((1, 2),)), Channel("bias"))
    space, stream = learn(*channels)
    matrix = space.matrix(stream)
    assert matrix.shape == (len(stream.words), 5)
    assert [space.describe(feature) for feature in matrix[0]] == [
        "lower[-1]=(edge)",
        "lower[0]=nombre",
        "lower[+1,+2]=:",
        "lower[+1,+2]=ana",
        "bias[0]=0",
    ]
    assert (0 <= matrix).all()
    assert (matrix < space.size).all()


def test_every_feature_is_described_once() -> None:
    """All features of the space have their own name."""
    space, _ = learn(
        Channel("lower", ((-1,), (0,), (1,))), Channel("position"), Channel("line-key")
    )
    names = [space.describe(feature) for feature in range(space.size)]
    assert len(set(names)) == len(names)


def test_features_of_lines_are_those_of_their_words() -> None:
    """Each word has the value of its line."""
    space, stream = learn(Channel("line-key"))
    described = [space.describe(feature) for (feature,) in space.matrix(stream).tolist()]
    assert described[:5] == ["line-key[0]=nombre"] * 3 + ["line-key[0]=(none)"] * 2


def test_widest_window() -> None:
    """A channel that looks further than the padding reaches is refused."""
    Channel("lower", ((-WIDEST_WINDOW,), (WIDEST_WINDOW,)))
    with pytest.raises(ValueError, match="a window reaches 5 tokens at most"):
        Channel("lower", ((WIDEST_WINDOW + 1,),))
    with pytest.raises(ValueError, match="a window reaches 5 tokens at most"):
        Channel("lower", ((-WIDEST_WINDOW - 1,),))


def test_features_of_lines_have_no_window() -> None:
    """No group looks at a feature of lines beside the word: a line has one value."""
    for channels in feature_groups().values():
        for channel in channels:
            if (
                channel.feature in POSITION_FEATURES
                and POSITION_FEATURES.get(channel.feature).by_line
            ):
                assert channel.windows == ((0,),)
