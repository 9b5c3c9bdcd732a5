from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import InputError, UnknownNameError
from veil.models import card_text, describe, find_model, installed

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("folder", installed(), ids=lambda folder: folder.name)
def test_installed_models_are_described(folder: Path) -> None:
    """Each installed model is found by its name and names its licence."""
    assert find_model(folder.name) == folder
    info = describe(folder)
    assert info.name == folder.name
    assert info.card["licence"]


def test_a_folder_is_described(small_model: Path) -> None:
    """What `model.toml` says, the size of all files and the card are read without the weights."""
    info = describe(find_model(small_model))
    assert (info.name, info.kind, info.language, info.scheme) == ("quick", "crf", "es", "meddocan")
    assert info.size == sum(file.stat().st_size for file in small_model.iterdir())
    assert info.card["recipe"] == "quick"
    assert (card_text(small_model) or "").startswith("# Model quick\n")


def test_names_that_are_no_model_are_said(tmp_path: Path) -> None:
    """An unknown name lists the installed ones; a folder without a model is told apart."""
    with pytest.raises(UnknownNameError, match="known: "):
        find_model("veil-tlh")
    with pytest.raises(InputError, match="no such model folder"):
        find_model(tmp_path / "none")
    with pytest.raises(InputError, match=r"model\.toml is missing"):
        find_model(tmp_path)
