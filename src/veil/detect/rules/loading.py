"""From TOML files to rules; whatever is wrong is said with the file and the rule.

    [fragments]
    day = '0?[1-9]|[12]\\d|3[01]'

    [[rule]]
    name = "day-and-month"
    label = "DATE"
    pattern = '{day}/(?:0?[1-9]|1[0-2])'
    check = "day-month"
    find = ["seen on [[3/5]] again"]
    leave = ["BP 12/80"]

A named group of the pattern makes the span, `(?P<doctor>...)`, whose name is a label in lower case
with `_` for `-`; digits at its end tell groups of one label apart. Without such a group the
whole match is the span, with the rule's `label`.
"""

from __future__ import annotations

import re
from functools import cache, partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import veil.detect.phones  # noqa: F401 - adds the checks of phone numbers
from veil.core.checks import CHECKS
from veil.core.errors import InputError, UnknownNameError, VeilError
from veil.core.labels import family
from veil.core.toml import read_toml
from veil.detect.rules.fits import fit
from veil.detect.rules.fragments import expand
from veil.detect.rules.rule import Examples, Rule
from veil.detect.rules.starts import start_test
from veil.languages import base_language, language_codes, language_folder
from veil.lexicons import kinds, lexicon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_SHARED = Path(str(resources.files("veil.languages"))) / "shared" / "rules"
_TEXTS = {"name", "about", "label", "pattern", "before", "after", "fit"}
_LISTS = {"needs", "starts", "keys", "check", "shields", "find", "leave"}
_OTHERS = {"score", "certain"}
_KNOWN = _TEXTS | _LISTS | _OTHERS
# Nothing of a word may touch a match, unless a rule says otherwise.
_BORDER = r"\w"


@cache
def load_rules(language: str, extra: Path | None = None) -> tuple[Rule, ...]:
    """The rules of a language, those shared by all included, and those of a user's folder."""
    base = base_language(language)
    folders = [_SHARED, language_folder(base) / "rules"]
    if extra is not None:
        if not extra.is_dir():
            raise InputError(f"{extra}: no such folder of rules")
        folders.append(extra)
    files = [file for folder in folders for file in sorted(folder.glob("*.toml"))]
    data = {file: read_toml(file) for file in files}
    fragments: dict[str, str] = {}
    own_fragments: dict[str, str] = {}  # they change no rule of Veil's, whatever their names
    for file, content in data.items():
        (fragments if is_veils(file) else own_fragments).update(_fragments(file, content))
    rules = [
        rule
        for file, content in data.items()
        for rule in _rules(
            file, content, fragments if is_veils(file) else fragments | own_fragments, base
        )
    ]
    if extra is not None and all(is_veils(rule.file) for rule in rules):
        raise InputError(f"{extra}: holds no rules; write them into files NAME.toml")
    return tuple(_checked_names(rules))


def is_veils(file: Path | None) -> bool:
    """Whether a rule of this file came with Veil."""
    if file is None:
        return False
    folders = [_SHARED, *(language_folder(code) / "rules" for code in language_codes())]
    return file.parent in folders


def _fragments(file: Path, content: Mapping[str, Any]) -> Mapping[str, str]:
    fragments = content.get("fragments", {})
    texts = fragments.values() if isinstance(fragments, dict) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise InputError(f"{file}: the table [fragments] holds patterns in quotes by their names")
    return cast("dict[str, str]", fragments)


def _rules(
    file: Path, content: Mapping[str, Any], fragments: Mapping[str, str], language: str
) -> Iterable[Rule]:
    unknown = sorted(content.keys() - {"about", "fragments", "rule"})
    if unknown:
        raise InputError(f"{file}: unknown key '{unknown[0]}'; known: about, fragments, rule")
    tables = content.get("rule", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise InputError(f"{file}: the key 'rule' is no list of rules; begin each with [[rule]]")
    for number, data in enumerate(tables, start=1):
        try:
            rule = _rule(data, file, fragments, language)
            if not is_veils(file):
                rule.compile()  # a user's mistake is told at once; Veil's own rules are tested
            yield rule
        except (VeilError, re.error, OverflowError) as error:
            name = data.get("name") or f"number {number}"
            raise InputError(f"{file}, rule {name}: {error}") from None


def _rule(data: Mapping[str, Any], file: Path, fragments: Mapping[str, str], language: str) -> Rule:
    for key, value in data.items():
        _check_type(key, value)
    for key in ("name", "pattern"):
        if key not in data:
            raise InputError(f"the key '{key}' is missing")
    after = data.get("after", _BORDER)

    def source() -> str:
        pattern = expand(data["pattern"], fragments, language)
        return f"(?:{pattern})" + (f"(?![{after}])" if after else "")

    return Rule(
        name=f"{language}/{data['name']}",
        source=source,
        label="" if "shields" in data else _label(data["label"]) if "label" in data else None,
        before=data.get("before", _BORDER),
        needs=tuple(text.lower() for text in _listed(data, "needs")),
        starts=tuple(text.lower() for text in _listed(data, "starts") if not _is_test(text)),
        start_tests=tuple(
            start_test(text, language) for text in _listed(data, "starts") if _is_test(text)
        ),
        keys=_listed(data, "keys"),
        fit=fit(data["fit"], language) if "fit" in data else None,
        checks=tuple(_check(name, language) for name in _listed(data, "check")),
        score=float(data.get("score", 1.0)),
        certain=data.get("certain", False),
        shields=frozenset(_label(label) for label in _listed(data, "shields")),
        examples=Examples(_listed(data, "find"), _listed(data, "leave")),
        file=file,
    )


def _is_test(start: str) -> bool:
    return start.startswith(("<", "entry:", "-"))


def _check_type(key: str, value: Any) -> None:
    if key not in _KNOWN:
        raise InputError(f"unknown key '{key}'; known: {', '.join(sorted(_KNOWN))}")
    items = value if isinstance(value, list) else [value]
    texts = all(isinstance(item, str) and item for item in items)
    if (
        (key in _TEXTS and not isinstance(value, str))
        or (key in _LISTS and not texts)
        or (key == "certain" and not isinstance(value, bool))
        or (key == "score" and not (isinstance(value, (int, float)) and 0 < value <= 1))
    ):
        raise InputError(f"the key '{key}' has a value that it cannot have")


def _listed(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = data.get(key, ())
    return (value,) if isinstance(value, str) else tuple(value)


def _label(name: str) -> str:
    family(name)
    return name


def _check(name: str, language: str) -> Callable[[str], bool]:
    """A check by its name, one of a lexicon's entries, or the opposite of either with `not `."""
    if name.startswith("not "):
        wanted = _check(name.removeprefix("not "), language)
        return lambda text: not wanted(text)
    if name.startswith("entry:"):
        kind = name.removeprefix("entry:")
        if kind not in kinds():
            raise UnknownNameError("kind of lexicon", kind, kinds())
        return partial(_is_entry, language, kind)
    return CHECKS.get(name)


def _is_entry(language: str, kind: str, text: str) -> bool:
    return lexicon(language, kind).match_folded(text)


def _checked_names(rules: list[Rule]) -> list[Rule]:
    seen: dict[str, Path | None] = {}
    for rule in rules:
        if rule.name in seen:
            raise InputError(
                f"{rule.file}: two rules have the name {rule.name}; choose another, since it "
                f"is taken in {seen[rule.name]}"
            )
        seen[rule.name] = rule.file
    return rules


def only(rules: Iterable[Rule], name: str) -> list[Rule]:
    """The rule of that name with all shields: what its examples are tried with."""
    return [rule for rule in rules if rule.name == name or rule.shields]
