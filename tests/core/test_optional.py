"""Tests for veil.core.errors."""

from __future__ import annotations

import pytest

from veil.core.errors import InputError, require


def test_module_that_is_there() -> None:
    """A module that can be imported is returned."""
    assert require("json", extra="train").loads("[1]") == [1]


def test_module_that_is_missing() -> None:
    """A missing module is an error that names the extra to install."""
    with pytest.raises(InputError, match=r"no_such_module.*pip install 'veil-deid\[train\]'"):
        require("no_such_module", extra="train")
