from __future__ import annotations

import pytest

from veil.core.errors import InputError
from veil.detect.linear.layout import lay_out
from veil.features.columns import columns_of, value_key, value_of
from veil.features.forms import Resources
from veil.features.groups import Channel
from veil.features.positions import POSITION_FEATURES
from veil.features.stream import FormTable


def test_keys_are_the_same_in_every_run() -> None:
    """Keys are part of trained models: they must never change."""
    assert value_key("NOUN") == 2011299689
    assert value_of(value_key("名詞")) == "名詞"


def test_columns_of_channels() -> None:
    """Only features that come from outside are columns, each once."""
    channels = [Channel("pos"), Channel("word"), Channel("pos"), Channel("sentence-start")]
    assert columns_of(channels) == ("pos",)


def test_a_missing_column_says_what_it_needs() -> None:
    """Features that need the labels of a first pass raise an error without one."""
    stream = lay_out(["a"], tokens="en", sequences="lines").stream(FormTable({}, Resources("en")))
    with pytest.raises(InputError, match="two-stage"):
        POSITION_FEATURES.get("token-majority-in-record").compute(stream)
