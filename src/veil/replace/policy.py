"""Policies: what happens to each label, as TOML.

    about = "Names are replaced, dates are shifted, everything else is tagged"
    default = "tag"

    [labels]
    NAME = "substitute"
    DATE = "shift"
    AGE = { action = "generalise", to = "decade" }

A label without an entry has the action of its family (for PATIENT, the action of NAME) or else the
default. The default cannot be "keep", so that a forgotten label is never left unmasked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError, UnknownNameError, VeilError
from veil.core.labels import VEIL, family, scheme
from veil.core.toml import read_toml
from veil.replace.base import REPLACERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from veil.replace.base import Replacer

KEEP = "keep"
_FOLDER = Path(__file__).parent / "policies"
_KEYS = ("about", "default", "labels")
# Modules that add actions to the registry when they are imported.
_ACTIONS = (
    "veil.replace.tags",
    "veil.replace.generalise",
    "veil.replace.dates",
    "veil.replace.surrogate",
)


@dataclass(frozen=True)
class Action:
    """The name of an action and its options."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)


class Policy:
    """An action and a replacer for each label."""

    def __init__(
        self, name: str, default: Action, labels: Mapping[str, Action], about: str = ""
    ) -> None:
        if default.name == KEEP:
            raise InputError(f"the default cannot be '{KEEP}': name the labels to keep instead")
        self.name = name
        self.about = about
        self.default = default
        self.labels = dict(labels)
        self._default_replacer = _replacer(default, "default")
        self._replacers = {label: _replacer(action, label) for label, action in labels.items()}
        # Cache of the action and the replacer by label.
        self._chosen: dict[str, tuple[Action, Replacer]] = {}

    def __reduce__(self) -> tuple[type[Policy], tuple[object, ...]]:
        return Policy, (self.name, self.default, self.labels, self.about)

    def action(self, label: str) -> Action:
        """Return the action of a label."""
        return self.choose(label)[0]

    def replacer(self, label: str) -> Replacer:
        """Return the replacer of a label."""
        return self.choose(label)[1]

    def choose(self, label: str) -> tuple[Action, Replacer]:
        """Return the action and the replacer of a label."""
        chosen = self._chosen.get(label)
        if chosen is None:
            key = label if label in self.labels else family(label)
            chosen = self._chosen[label] = (
                self.labels.get(key, self.default),
                self._replacers.get(key, self._default_replacer),
            )
        return chosen

    def __repr__(self) -> str:
        return f"Policy({self.name!r})"


def policies() -> list[str]:
    """Return the names of Veil's policies."""
    return sorted(file.stem for file in _FOLDER.glob("*.toml"))


def load_policy(name: str | Path) -> Policy:
    """Return the policy with this name, or the policy of a TOML file."""
    path = Path(name)
    if path.suffix == ".toml":
        return _read(path, path.stem)
    if str(name) not in policies():
        raise UnknownNameError("policy (or path of a TOML file)", str(name), policies())
    return _read(_FOLDER / f"{name}.toml", str(name))


def actions() -> list[str]:
    """Return the names of all actions."""
    _load_actions()
    return REPLACERS.names()


def _read(file: Path, name: str) -> Policy:
    data = read_toml(file)
    try:
        _check_keys(data)
        labels = {label: _action(value, label) for label, value in data.get("labels", {}).items()}
        default = _action(data["default"], "default")
        return Policy(name, default, labels, about=data.get("about", ""))
    except VeilError as error:
        raise InputError(f"{file}: {error}") from None


def _check_keys(data: Mapping[str, Any]) -> None:
    for key in data:
        if key not in _KEYS:
            raise UnknownNameError("key", key, _KEYS)
    if "default" not in data:
        raise InputError("the key 'default' is missing: the action for all other labels")
    if not isinstance(data.get("about", ""), str):
        raise InputError("the key 'about' must be a string in quotes")
    if not isinstance(data.get("labels", {}), dict):
        raise InputError("the key 'labels' must be a table: [labels]")
    for label in data.get("labels", {}):
        if label not in scheme(VEIL).labels:
            raise UnknownNameError("label", label, scheme(VEIL).labels)


def _action(value: object, key: str) -> Action:
    if isinstance(value, str):
        return Action(value)
    if isinstance(value, dict) and isinstance(value.get("action"), str):
        return Action(value["action"], {k: v for k, v in value.items() if k != "action"})
    raise InputError(f'{key}: an action must be a name, or a table such as {{ action = "tag" }}')


def _replacer(action: Action, key: str) -> Replacer:
    _load_actions()
    try:
        replacer = REPLACERS.get(action.name)(action.options)
        # Replacers that support only some labels raise an error for the others.
        if hasattr(replacer, "check") and key != "default":
            replacer.check(key)
    except VeilError as error:
        raise InputError(f"{key}: {error}") from None
    return replacer


@cache
def _load_actions() -> None:
    for module in _ACTIONS:
        import_module(module)
