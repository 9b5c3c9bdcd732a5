"""Tests for word classes."""

from __future__ import annotations

import numpy as np
import pytest

from veil.features.forms import FORM_FEATURES, Forms, Resources
from veil.languages import language_codes
from veil.lexicons.classes import WordClasses, checksum, classes_inputs, word_classes

WORDS = ["hall", "Hall", "ward"]


@pytest.fixture
def classes() -> WordClasses:
    keys, order = np.unique([checksum(word) for word in WORDS], return_index=True)
    numbers = (order + 1).astype(np.uint16)
    return WordClasses(keys.astype(np.uint32), numbers, numbers * 10)


def test_classes_are_looked_up(classes: WordClasses) -> None:
    """A word has the class of its spelling, else that of its lower case, else none."""
    words = ["hall", "Hall", "HALL", "Ward", "unlisted", ""]
    assert classes.of(words, fine=True) == ["1", "2", "1", "3", "", ""]
    assert classes.of(words, fine=False) == ["10", "20", "10", "30", "", ""]
    assert classes.of([], fine=True) == []


@pytest.mark.parametrize("code", language_codes())
def test_bundled_classes_are_sound(code: str) -> None:
    """Checksums are sorted and without repeats, and every listed word has both classes."""
    found = word_classes(code)
    if found is None:
        assert classes_inputs(code) == []
        return
    assert (np.diff(found.keys.astype(np.int64)) > 0).all()
    assert found.fine.all()
    assert found.coarse.all()
    assert len(found.keys) == len(found.fine) == len(found.coarse)


@pytest.mark.parametrize(
    ("code", "alike", "other"),
    [
        ("en", ("monday", "tuesday"), "kidney"),
        ("es", ("lunes", "martes"), "riñón"),
        ("ja", ("看護", "介護"), "月曜"),
    ],
)
def test_similar_words_share_a_class(code: str, alike: tuple[str, str], other: str) -> None:
    """Words that occur in similar contexts are in one coarse class, and others are not."""
    feature = FORM_FEATURES.get("coarse-class")
    first, second, third = feature(Forms([*alike, other], Resources(code)))
    assert first == second != third
    assert first


def test_language_without_classes_has_one_value() -> None:
    """The features exist in every language."""
    without = [code for code in language_codes() if word_classes(code) is None]
    for code in without:
        assert FORM_FEATURES.get("class")(Forms(["a", "b"], Resources(code))) == ["", ""]
