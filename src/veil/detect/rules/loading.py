"""Reading rules from TOML files; errors name the file and the rule.

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
whole match is the span, with the rule's `label`. Pieces of patterns have names: `{day}` stands for
the fragment `day`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import veil.detect.phones  # noqa: F401 - adds the checks of phone numbers
from veil.core.checks import CHECKS
from veil.core.errors import InputError, VeilError
from veil.core.labels import family
from veil.core.patterns import compile_pattern
from veil.core.toml import read_toml
from veil.detect.rules.adjustments import adjustment, lexicon_kind
from veil.detect.rules.rule import Examples, Rule
from veil.detect.rules.starts import start_test
from veil.languages import base_language, language_folder
from veil.languages.base import package_folder
from veil.lexicons import lexicon
from veil.lexicons.folding import KANJI_VARIANTS, fold_in_place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Set
    from pathlib import Path

    from veil.core.checks import Check

_SHARED = package_folder("veil.languages") / "shared" / "rules"
_TEXTS = {"name", "about", "label", "pattern", "before", "after", "fit"}
_LISTS = {"needs", "starts", "keys", "check", "shields", "find", "leave"}
_OTHERS = {"score", "certain"}
_KNOWN = _TEXTS | _LISTS | _OTHERS
# A match must not begin or end inside a word, unless a rule says otherwise.
_BORDER = r"\w"
_REFERENCE = re.compile(r"\{([A-Za-z][\w.-]*)\}")
_LEXICON = "lexicon."
_ENTRY = "entry."
_GROUPED = 24
_INITIAL = "initial."
# Beyond Latin-1, capitals and small letters alternate: a letter there counts as both, since a class
# of hundreds of single letters is slow to compile, and its neighbours are mostly plain letters.
_EXTENDED = "Ā-ɏḀ-ỿ"
_KANJI = compile_pattern("[\u3400-\u9fff\uf900-\ufaff]")
_BUILT_IN = {"Upper": f"A-ZÀ-ÖØ-Þ{_EXTENDED}", "lower": f"a-zß-öø-ÿªµº{_EXTENDED}"}


@cache
def load_rules(language: str, extra: Path | None = None) -> tuple[Rule, ...]:
    """Return the rules of a language, those for all languages and those of a user's folder."""
    base = base_language(language)
    files = rule_files(base)
    if extra is not None:
        if not extra.is_dir():
            raise InputError(f"{extra}: no such folder of rules")
        files += sorted(extra.glob("*.toml"))
    data = {file: read_toml(file) for file in files}
    fragments: dict[str, str] = {}
    own_fragments: dict[str, str] = {}  # they never change a rule of Veil
    for file, content in data.items():
        (own_fragments if file.parent == extra else fragments).update(_fragments(file, content))
    rules: list[Rule] = []
    own_rules: list[Rule] = []
    for file, content in data.items():
        if file.parent == extra:
            own = fragments | own_fragments
            own_rules += _rules(file, content, own, base, compiled=True)
        else:
            rules += _rules(file, content, fragments, base)
    if extra is not None and not own_rules:
        raise InputError(f"{extra}: holds no rules; write them into files NAME.toml")
    return tuple(_checked_names(rules + own_rules))


def rule_files(language: str) -> list[Path]:
    """Return the files with the rules of a language and those for all languages."""
    folders = (_SHARED, language_folder(language) / "rules")
    return [file for folder in folders for file in sorted(folder.glob("*.toml"))]


def automaton_rules(language: str) -> list[Rule]:
    """Return the rules that an automaton finds; fields are looked up by their keys."""
    return [rule for rule in load_rules(language) if not rule.keys]


def _fragments(file: Path, content: Mapping[str, Any]) -> Mapping[str, str]:
    fragments = content.get("fragments", {})
    texts = fragments.values() if isinstance(fragments, dict) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise InputError(f"{file}: the table [fragments] holds patterns in quotes by their names")
    return cast("dict[str, str]", fragments)


def _rules(
    file: Path,
    content: Mapping[str, Any],
    fragments: Mapping[str, str],
    language: str,
    *,
    compiled: bool = False,
) -> Iterator[Rule]:
    """Yield the rules of a file; `compiled`: report mistakes in their patterns at once."""
    unknown = sorted(content.keys() - {"about", "fragments", "rule"})
    if unknown:
        raise InputError(f"{file}: unknown key '{unknown[0]}'; known: about, fragments, rule")
    tables = content.get("rule", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise InputError(f"{file}: the key 'rule' is no list of rules; begin each with [[rule]]")
    for number, data in enumerate(tables, start=1):
        try:
            rule = _rule(data, file, fragments, language)
            if compiled:
                rule.compile()
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
        pattern = _expand(data["pattern"], fragments, language)
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
        adjust=adjustment(data["fit"], language) if "fit" in data else None,
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


def _check(name: str, language: str) -> Check:
    """Return a check by its name, that of a lexicon's entries, or with `not ` its opposite."""
    if name.startswith("not "):
        wanted = _check(name.removeprefix("not "), language)
        return lambda text: not wanted(text)
    if kind := lexicon_kind(name, language):
        return lambda text: lexicon(language, kind).match_folded(text)
    return CHECKS.get(name)


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
    """Return the rule of that name and all shields, with which its examples are tested."""
    return [rule for rule in rules if rule.name == name or rule.shields]


def _expand(
    pattern: str, fragments: Mapping[str, str], language: str, *, within: tuple[str, ...] = ()
) -> str:
    """Replace the names of fragments by their patterns.

    `{lexicon.month}` stands for the entries of a lexicon in any case, `{entry.medical}` for those
    that match as in look-ups, `{initial.surname}` for the kanji with which they begin, as the
    inside of a character class. `within` are the fragments that contain the pattern.
    """

    def piece(reference: re.Match[str]) -> str:
        name = reference[1]
        if name in _BUILT_IN:
            return _BUILT_IN[name]
        if name.startswith(_LEXICON):
            return _entries(language, name.removeprefix(_LEXICON), any_case=True)
        if name.startswith(_ENTRY):
            return _entries(language, name.removeprefix(_ENTRY), any_case=False)
        if name.startswith(_INITIAL):
            return _kanji_initials(language, name.removeprefix(_INITIAL))
        if name not in fragments:
            known = ", ".join(sorted({*fragments, *_BUILT_IN}))
            raise InputError(f"unknown fragment '{name}'; known: {known}, lexicon.NAME, entry.NAME")
        if name in within:
            raise InputError(
                f"the fragment '{name}' is part of itself: {' in '.join((name, *within))}"
            )
        return f"(?:{_expand(fragments[name], fragments, language, within=(name, *within))})"

    return _REFERENCE.sub(piece, pattern)


@cache
def _entries(language: str, name: str, *, any_case: bool) -> str:
    """Return a pattern of the entries of a lexicon that prefers the longest.

    An entry that begins with a capital matches only text that does so, unless `any_case` is set.
    Entries with a common beginning share it, so that a text is compared with few of tens of
    thousands of entries.
    """
    by_first: dict[str, set[str]] = {}
    for entry in lexicon(language, name):
        first, rest = entry.lstrip("-")[0], entry.lstrip("-")[1:].lower()
        is_capital = first.isupper() and not any_case
        for letter in {first} if is_capital else {*_both_cases(first)}:
            by_first.setdefault(letter, set()).add(rest)
    # A small letter and its capital mostly begin the same entries.
    letters: dict[frozenset[str], list[str]] = {}
    for letter in sorted(by_first):
        letters.setdefault(frozenset(by_first[letter]), []).append(re.escape(letter))
    found = [
        ("".join(own), f"[{''.join(own)}](?i:{_rests(rests)})") for rests, own in letters.items()
    ]
    # Alternatives are tried one after another: this skips most of hundreds at once.
    groups = [found[at : at + _GROUPED] for at in range(0, len(found), _GROUPED)]
    alternatives = [
        f"(?=[{''.join(first for first, _ in group)}])(?:{'|'.join(each for _, each in group)})"
        for group in groups
    ]
    return f"(?:{'|'.join(alternatives)})"


def _rests(texts: Set[str]) -> str:
    """Return a pattern of texts in small letters that prefers the longest."""
    by_first: dict[str, set[str]] = {}
    for text in texts - {""}:
        by_first.setdefault(text[0], set()).add(text[1:])
    if len(by_first) == 1 and "" not in texts:
        ((letter, rests),) = by_first.items()
        return _either_blank(letter) + _rests(rests)
    found = []
    for letter in sorted(by_first):
        # A set of letters is distinguished from other alternatives faster than a letter in any
        # case.
        cases = _both_cases(letter)
        head = f"(?-i:[{cases}])" if 1 < len(cases) else _either_blank(letter)
        found.append(head + _rests(by_first[letter]))
    pattern = f"(?:{'|'.join(found)})" if found else ""
    return f"{pattern}?" if found and "" in texts else pattern


def _either_blank(letter: str) -> str:
    return r"[ \t]+" if letter == " " else re.escape(letter)


def _both_cases(letter: str) -> str:
    """Return a letter in lower case and in upper case."""
    cases = letter.lower() + letter.upper()
    return cases if len(cases) == 2 and cases[0] != cases[1] else letter


@cache
def _kanji_initials(language: str, kind: str) -> str:
    """Return the kanji with which the entries of a lexicon begin, including variants."""
    initials = {entry[0] for entry in lexicon(language, kind).keys.folded}
    return "".join(
        sign
        for sign in sorted(initials | KANJI_VARIANTS)
        if _KANJI.fullmatch(sign) and fold_in_place(sign) in initials
    )
