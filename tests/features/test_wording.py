from __future__ import annotations

import pytest

from veil.detect.linear.model import load_model
from veil.features import consistency  # noqa: F401 - it adds its features and the columns
from veil.features.forms import FORM_FEATURES
from veil.features.positions import POSITION_FEATURES
from veil.features.wording import WORDINGS, in_words, place, shape_in_words
from veil.models import installed

EACH = 400


def test_every_feature_has_a_wording() -> None:
    """A feature of words or positions without one would be shown by its name."""
    known = {*FORM_FEATURES.names(), *POSITION_FEATURES.names()}
    plugged_in = {name for name in known if name.startswith("test-")}
    assert known - plugged_in == set(WORDINGS.names())


@pytest.mark.parametrize("model", [folder.name for folder in installed()])
def test_features_of_models_are_said_in_words(model: str) -> None:
    """Values all over the space of each model that comes with Veil make sentences."""
    (folder,) = [each for each in installed() if each.name == model]
    space = load_model(folder).space
    for slot in space.slots:
        step = max(1, slot.size // EACH)
        for value in {0, 1, *range(0, slot.size, step), slot.size - 1}:
            said = space.in_words(slot.base + value)
            assert said == said.strip()
            assert "[" not in said.partition("'")[0]
            assert not said.startswith(f"{slot.feature} is '"), said
            assert said[0].islower(), said


@pytest.mark.parametrize(
    ("feature", "offsets", "value", "said"),
    [
        ("lower", (-1,), "dr.", "the word before is 'dr.'"),
        ("normal", (2,), "00000", "the second word after is a number of 5 digits"),
        ("normal", (0,), "(rare)", "the word is unknown to the model"),
        ("shape", (-3,), "(edge)", "there is no third word before"),
        ("bag", (-5, -4), "ward", "the fourth or fifth word before is 'ward'"),
        ("suffix3", (0,), "son", "the word ends with 'son'"),
        ("suffix3", (0,), "", "the word has less than 3 letters"),
        (
            *("shape", (0,), "Xxxx-Xx"),
            "the word looks like 'Xxxx-Xx' (1 capital letter, 3 small letters, '-', 1 capital "
            "letter, 1 small letter)",
        ),
        (
            *("name-marks", (0,), "5C"),
            "the word, written with a capital, is in the lists of given names of women and "
            "surnames",
        ),
        (
            "place-marks",
            (1,),
            "0a",
            "the word after, written in small letters, is in no list of places",
        ),
        ("word-marks", (0,), "0d", "the word is a number"),
        ("code", (0,), "MC", "the word is a month, written with a capital"),
        ("template", (0,), "date, first", "the word begins what looks like a date"),
        ("line-key", (0,), "nombre", "the line begins with the field 'nombre'"),
        (
            "field-and-distance",
            (0,),
            "sexo +2",
            "the word is number 2 after the colon of the field 'sexo'",
        ),
        ("rule", (0,), "B-DOCTOR", "a rule finds DOCTOR that begins with the word"),
        ("rule", (-1,), "O", "no rule finds the word before"),
        ("my-feature", (0,), "x", "my-feature is 'x'"),
    ],
)
def test_wordings(feature: str, offsets: tuple[int, ...], value: str, said: str) -> None:
    """Words, lists, shapes, fields and rules are said so that no feature need be known."""
    assert in_words(feature, offsets, value) == said


def test_places_and_shapes() -> None:
    """Words are counted from the word in question, and characters by their kind."""
    assert [place((offset,)) for offset in (0, -1, 1, -2)] == [
        "the word",
        "the word before",
        "the word after",
        "the second word before",
    ]
    assert shape_in_words("d4") == "a number of 4 digits"
    assert shape_in_words("Xx", is_short=True) == "capital letters, small letters"
    assert shape_in_words("漢漢") == "2 kanji"
