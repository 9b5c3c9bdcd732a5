"""Recipes: how to train a model, as TOML files; and the papers' methods without training."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError, UnknownNameError
from veil.core.labels import scheme
from veil.core.registry import Registry
from veil.core.toml import read_toml
from veil.detect.base import check_kind
from veil.detect.crf import (
    NETWORK,
    SVM,
    TRAINERS,
    VECTORS,
    LinearRecipe,
    check_vectors,
    dictionary_of,
    read_dictionary,
)
from veil.detect.linear.dropout import DropoutSettings
from veil.detect.names import AS_PUBLISHED, NameModules, NameOptions
from veil.detect.neural.network import NetworkSettings
from veil.detect.pipeline import DetectionPipeline
from veil.features.groups import WIDEST_WINDOW, feature_group
from veil.languages import language, language_part, language_with_dictionary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from veil.detect.base import Detector


_FOLDER = Path(__file__).parent / "recipes"
_SUFFIX = ".toml"
_SEQUENCES = ("lines", "sentences")
DICTIONARY = "dictionary"
# CRFsuite checks its own parameters.
_PARAMETERS = {
    "dropout": {field.name for field in fields(DropoutSettings)} - {"seed"},
    SVM: {"c", VECTORS},
}

Check = Callable[[Any], bool]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value


def _list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list) and bool(value) and all(map(check, value))


def _is_flat_table(value: Any) -> bool:
    return isinstance(value, dict) and not any(
        isinstance(item, (dict, list)) for item in value.values()
    )


def _is_windows(value: Any) -> bool:
    return isinstance(value, dict) and all(
        _list_of(_is_count)(pair) and len(pair) == 2 and max(pair) <= WIDEST_WINDOW
        for pair in value.values()
    )


_KEYS: dict[str, tuple[Check, str]] = {
    "about": (_is_text, "a sentence in quotes"),
    "deviations": (_list_of(_is_text), "a list of sentences in quotes"),
    "extends": (_is_text, "the name or path of another recipe"),
    "kind": (_is_text, "the kind of detector, in quotes"),
    "language": (_is_text, 'the code of a language, such as "es"'),
    "groups": (_list_of(_is_text), "a list of feature groups"),
    "windows": (
        _is_windows,
        f"a table of feature groups, each with [tokens before, tokens after] up to {WIDEST_WINDOW}",
    ),
    "trainer": (_is_text, "the name of a trainer, in quotes"),
    "tokens": (_is_text, "the name of a language or of a variant of one"),
    "sequences": (_is_text, '"lines" or "sentences"'),
    "scheme": (_is_text, "the name of a label scheme"),
    "parameters": (_is_flat_table, "a table of numbers and words"),
    "seeds": (_list_of(_is_count), "a list of whole numbers"),
    "outside": (_is_number, "a number"),
    "compact": (lambda value: isinstance(value, bool), "true or false"),
    "network": (lambda value: isinstance(value, dict), "a table of settings of a network"),
    "dictionary": (_is_text, "the path of a user dictionary"),
    "folds": (lambda value: _is_count(value) and 2 <= value, "a whole number from 2 on"),
}
_NEEDED = ("kind", "language", "trainer")


def names() -> list[str]:
    """The names of the recipes that come with Veil."""
    return sorted(file.stem for file in _FOLDER.glob(f"*{_SUFFIX}"))


def recipe(name: str | Path) -> LinearRecipe:
    """Return the recipe of that name, or the one in that TOML file."""
    file = _file_of(name)
    data = _read(file, ())
    missing = next((key for key in _NEEDED if key not in data), None)
    if missing is not None:
        raise InputError(f"{file}: the key '{missing}' is missing; it is {_KEYS[missing][1]}")
    for key in ("about", "deviations"):
        data.pop(key, None)
    if "windows" in data:
        data["windows"] = {name: tuple(pair) for name, pair in data["windows"].items()}
    for key in ("groups", "seeds"):
        if key in data:
            data[key] = tuple(data[key])
    try:
        if "network" in data:
            data["network"] = _network(data["network"])
        made = LinearRecipe(name=file.stem, **data)
        _check_names(made)
    except (UnknownNameError, InputError) as error:
        raise InputError(f"{file}: {error}") from None
    return made


def _network(data: Mapping[str, Any]) -> NetworkSettings:
    types = {field.name: type(field.default) for field in fields(NetworkSettings)}
    for key, value in data.items():
        if key not in types:
            raise UnknownNameError("setting of a network", key, types)
        if key == "groups":
            if not _list_of(_is_text)(value):
                raise InputError("the groups of a network must be a list of feature groups")
        elif not (_is_count if types[key] is int else _is_number)(value):
            raise InputError(f"the setting '{key}' of a network must be a number")
    return NetworkSettings(**{**data, "groups": tuple(data.get("groups", ()))})


@cache
def about(name: str) -> str:
    """The description of a recipe in a sentence."""
    return str(_read(_file_of(name), ()).get("about", ""))


@cache
def deviations(name: str) -> tuple[str, ...]:
    """How a recipe of a paper differs from the paper, one sentence each."""
    return tuple(_read(_file_of(name), ()).get("deviations", ()))


def for_language(made: LinearRecipe, code: str) -> LinearRecipe:
    """The recipe for texts of another language, with the tokens that are usual there."""
    language(code)
    if code == made.language:
        return made
    return replace(made, language=code, tokens="")


def _file_of(name: str | Path, *, beside: Path | None = None) -> Path:
    """Find the file: a path is a recipe of the user, a bare name is one of Veil's."""
    path = Path(name)
    if path.suffix == _SUFFIX:
        file = path if beside is None else beside / path
        if not file.is_file():
            raise InputError(f"{file}: no such recipe file")
        return file
    if str(name) not in names():
        raise UnknownNameError("recipe", str(name), names())
    return _FOLDER / f"{name}{_SUFFIX}"


def _read(file: Path, before: Sequence[Path]) -> dict[str, Any]:
    """The keys of a recipe, including those from the recipe that it extends."""
    if file in before:
        raise InputError(f"{file}: recipes that extend each other in a circle")
    data = read_toml(file)
    for key, value in data.items():
        if key not in _KEYS:
            raise InputError(f"{file}: unknown key '{key}'; known: {', '.join(sorted(_KEYS))}")
        check, meaning = _KEYS[key]
        if not check(value):
            raise InputError(f"{file}: the key '{key}' must be {meaning}")
    parameters = data.get("parameters", {})
    if VECTORS in parameters:
        if not _is_text(parameters[VECTORS]):
            raise InputError(f"{file}: the parameter '{VECTORS}' must be the path of a file")
        parameters[VECTORS] = str(file.parent / parameters[VECTORS])
    if DICTIONARY in data:
        data[DICTIONARY] = file.parent / data[DICTIONARY]
    base = data.pop("extends", None)
    if base is None:
        return data
    try:
        found = _file_of(base, beside=file.parent)
    except UnknownNameError as error:
        raise InputError(f"{file}: extends: {error}") from None
    return _merge(_read(found, (*before, file)), data)


def _merge(base: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """Later keys win; deviations are added, and so are parameters if the trainer is the same."""
    merged = {**base, **data}
    if "deviations" in base:
        merged["deviations"] = [*base["deviations"], *data.get("deviations", ())]
    if merged.get("trainer") == base.get("trainer"):
        parameters = {**base.get("parameters", {}), **data.get("parameters", {})}
        return {**merged, "parameters": parameters}
    return {**merged, "parameters": data.get("parameters", {})}


def _check_names(made: LinearRecipe) -> None:
    check_kind(made.kind)
    TRAINERS.get(made.trainer)
    if not made.groups and made.trainer != NETWORK:
        raise InputError("the key 'groups' is missing; it is a list of feature groups")
    if made.network is None and made.trainer == NETWORK:
        raise InputError(f"the trainer '{NETWORK}' needs a table [network]")
    for group in (*made.groups, *(made.network.groups if made.network else ())):
        feature_group(group)
    for group in made.windows:
        if group not in made.groups:
            raise UnknownNameError("feature group of this recipe", group, made.groups)
    language(made.tokens or made.language)
    if made.scheme is not None:
        scheme(made.scheme)
    if made.sequences not in _SEQUENCES:
        raise UnknownNameError("kind of sequences", made.sequences, _SEQUENCES)
    known = _PARAMETERS.get(made.trainer, made.parameters)
    for key in made.parameters:
        if key not in known:
            raise UnknownNameError("parameter", key, known)
    check_vectors(made)
    dictionary_of(made)


@dataclass(frozen=True)
class Method:
    """A method of a paper that needs no training; its labels are Veil's."""

    about: str
    language: str
    order: str = ""
    published: bool = False
    detector: str = ""

    def make(self, dictionary: Path | None = None) -> Detector:
        """Make the detector, with the words of a user dictionary if it analyses texts."""
        if self.order:
            if dictionary is not None:
                raise InputError(f"{dictionary}: name modules have no user dictionary")
            settings = AS_PUBLISHED if self.published else NameOptions()
            return NameModules(self.language, self.order, options=settings)
        part, _, name = self.detector.partition(":")
        options: dict[str, Any] = {}
        if dictionary is not None:
            content = read_dictionary(dictionary, self.language)
            options["language"] = language_with_dictionary(self.language, content, dictionary)
        made: Detector = getattr(language_part(self.language, part), name)(**options)
        return made


METHODS: Registry[Method] = Registry("method")
for _name, _settings in read_toml(Path(__file__).with_name("methods.toml")).items():
    METHODS.add(_name, Method(**_settings))


def method_pipeline(name: str, dictionary: Path | None = None) -> DetectionPipeline:
    """Make a pipeline of a method of a paper that needs no training."""
    method = METHODS.get(name)
    return DetectionPipeline([method.make(dictionary)], language=method.language)
