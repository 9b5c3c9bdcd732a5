"""Trained models: those of Veil, in folders beside this file, and any others."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError, UnknownNameError
from veil.core.labels import read_scheme
from veil.core.toml import read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping

SETTINGS, CARD = "model.toml", "CARD.md"
_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class ModelInfo:
    """The description of a model, without its weights; `size` is in bytes.

    `bias` is that of the model by default. `dial` are pairs of a bias and the character recall that
    it had on development records.
    """

    folder: Path
    name: str
    kind: str
    language: str
    scheme: str | None
    size: int
    bias: float = 0.0
    dial: tuple[tuple[float, float], ...] = ()
    card: Mapping[str, Any] = field(default_factory=dict)


def installed() -> list[Path]:
    """The folders of the models that come with Veil."""
    return sorted(file.parent for file in _FOLDER.glob(f"*/{SETTINGS}"))


def find_model(name: str | Path) -> Path:
    """Return a model folder by its path, or by the name of an installed model."""
    folder = Path(name)
    if (folder / SETTINGS).is_file():
        return folder
    known = {each.name: each for each in installed()}
    if str(name) in known:
        return known[str(name)]
    if folder.exists():
        raise InputError(f"{folder}: no model here: {SETTINGS} is missing")
    if len(folder.parts) > 1 or not known:
        raise InputError(f"{folder}: no such model folder")
    raise UnknownNameError("model or model folder", str(name), known)


def describe(folder: Path) -> ModelInfo:
    """Read the description of a model."""
    file = folder / SETTINGS
    data = read_toml(file)
    for key in ("name", "kind", "language"):
        if not isinstance(data.get(key), str):
            raise InputError(f"{file}: the key '{key}' is missing; the file is damaged")
    own_scheme = folder / f"{data.get('scheme')}.toml"
    if own_scheme.is_file():
        read_scheme(own_scheme)
    return ModelInfo(
        folder,
        data["name"],
        data["kind"],
        data["language"],
        data.get("scheme"),
        sum(each.stat().st_size for each in folder.rglob("*") if each.is_file()),
        data.get("outside", 0.0),
        tuple((bias, recall) for bias, recall in data.get("dial", ())),
        data.get("card", {}),
    )


def card_text(folder: Path) -> str | None:
    """The text of the model card, if the folder has one."""
    file = folder / CARD
    return file.read_text("utf-8") if file.is_file() else None
