"""Checks annotations against the labelling guideline (docs/labelling.md).

What every language has in common is here. The rest are the rules of `labelling.toml` in the folder
of a language, each with examples.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError
from veil.core.patterns import compile_pattern
from veil.languages.base import base_language, language, read_language_toml
from veil.lexicons import is_ordinary, kinds, lexicon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from veil.core.document import Record, Span

FILE = "labelling.toml"
EDGE, BRACKET, PERIOD = "edge", "bracket", "period"
REPEAT, TWO_LABELS = "unmarked-repeat", "two-labels"
COMMON_KINDS = {
    EDGE: "a space, bracket, quotation mark, comma, colon or semicolon at either end",
    BRACKET: "a bracket without its partner",
    PERIOD: "a final period that belongs to no abbreviation or initial",
    REPEAT: "a name or number is marked in one place and not marked in another",
    TWO_LABELS: "the same words have two labels in one record",
}
"""The kinds of findings that every language has."""

_HINTS = {TWO_LABELS}
_CONTEXT = 60
_SHORTEST_REPEAT = 3
_FEWEST_DIGITS = 4

_OPENING = "([{<«“「『【〈《（［｛〔"
_CLOSING = ")]}>»”」』】〉》）］｝〕"
_PARTNERS = dict(zip(_CLOSING, _OPENING, strict=True))
_MARKS = ',:;"、，：；。．・|'
_QUOTES = "'‘’`"
_REFERENCE = compile_pattern(r"\{([a-z_]+)\}")
_LAST_WORD = compile_pattern(r"([\w.'’-]+)\.\Z")
_ABBREVIATED = compile_pattern(r"[^\W\d_]|.*\..*|[^\W\d_aeiouyåäöáéíóú]+", re.I)
_NAME_WORD = compile_pattern(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where annotations seem to break the guideline.

    `file` and `line` say where the mention begins; the line is counted in the text of the record if
    the format does not keep its lines. `text` is the mention, if it was asked for.
    """

    file: str
    record: str
    line: int
    start: int
    end: int
    label: str
    kind: str
    is_hint: bool
    text: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of mention that breaks the guideline.

    `inside` is searched in the mention, `before` in the text before it and `after` begin where
    it ends. With `next`, a span of such a label follows, `between` matches all of the text between
    them and `then` is searched in the second one. All that are given must match.
    """

    kind: str
    labels: frozenset[str]
    about: str
    is_hint: bool
    inside: re.Pattern[str]
    before: re.Pattern[str] | None
    after: re.Pattern[str] | None
    next: frozenset[str]
    between: re.Pattern[str]
    then: re.Pattern[str]
    find: tuple[str, ...]
    leave: tuple[str, ...]

    def matches(self, text: str, span: Span, following: Span | None) -> bool:
        if span.label not in self.labels or not self.inside.search(text[span.start : span.end]):
            return False
        if self.next:
            return (
                following is not None
                and following.label in self.next
                and self.between.fullmatch(text, span.end, following.start) is not None
                and self.then.search(text[following.start : following.end]) is not None
            )
        start = max(0, span.start - _CONTEXT)
        return (
            self.before is None or self.before.search(text[start : span.start]) is not None
        ) and (self.after is None or self.after.match(text[span.end :][:_CONTEXT]) is not None)


@dataclass(frozen=True)
class Guideline:
    """The guideline of a language: its scheme and its rules.

    `names` and `numbers` are the labels whose mentions are marked everywhere in a record.
    `not_repeated` matches what follows a word that is no name there: an eponym.
    """

    scheme: str
    names: frozenset[str]
    numbers: frozenset[str]
    abbreviations: frozenset[str]
    not_repeated: re.Pattern[str] | None
    rules: tuple[Rule, ...]
    spaces_between_words: bool
    is_ordinary: Callable[[str], bool]

    @property
    def kinds(self) -> dict[str, str]:
        """What each kind of finding means; the first rule of a kind describes it."""
        return {**{rule.kind: rule.about for rule in reversed(self.rules)}, **COMMON_KINDS}


@cache
def guideline(name: str) -> Guideline:
    """Return the guideline of a language."""
    code = base_language(name)
    data = read_language_toml(code, FILE)
    if not data:
        raise InputError(f"'{code}' has no labelling guideline")

    def words(key: str) -> str:
        found = data["words"].get(key) or read_language_toml(code, "people.toml").get(key)
        listed = found.split() if found else lexicon(code, key).entries if key in kinds() else ()
        if not listed:
            raise InputError(f"{code}, {FILE}: '{key}' is no list of words")
        return "|".join(map(re.escape, sorted(listed, key=len, reverse=True)))

    def pattern(source: str) -> re.Pattern[str]:
        return re.compile(_REFERENCE.sub(lambda reference: words(reference[1]), source))

    spoken = language(code)
    sentences = read_language_toml(code, "sentences.toml")
    listed = [data.get("abbreviations", ""), *(text for text in sentences.values())]
    return Guideline(
        data["scheme"],
        frozenset(data["names"].split()),
        frozenset(data["numbers"].split()),
        frozenset(" ".join(listed).split()),
        pattern(data["not_repeated"]) if "not_repeated" in data else None,
        tuple(_rule(each, pattern) for each in data["rule"]),
        spoken.spaces_between_words,
        is_ordinary(code),
    )


def _rule(data: dict[str, Any], pattern: Callable[[str], re.Pattern[str]]) -> Rule:
    known = {"kind", "labels", "about", "hint", "inside", "next", "between", "then", "find"}
    if unknown := data.keys() - known - {"before", "after", "leave"}:
        raise InputError(f"{FILE}, {data.get('kind')}: unknown key '{min(unknown)}'")
    return Rule(
        data["kind"],
        frozenset(data["labels"].split()),
        data["about"],
        data.get("hint", False),
        pattern(data.get("inside", "")),
        pattern(data["before"]) if "before" in data else None,
        pattern(data["after"]) if "after" in data else None,
        frozenset(data.get("next", "").split()),
        pattern(data.get("between", "")),
        pattern(data.get("then", "")),
        tuple(data["find"]),
        tuple(data["leave"]),
    )


def check_record(
    record: Record, name: str, *, file: str = "", line: int = 1, show_text: bool = False
) -> list[Finding]:
    """Return what breaks the guideline of a language in a record, in the order of the text.

    `line` is the line of the file on which the text begins.
    """
    text, rules = record.document.text, guideline(name)
    found = {
        *_check_edges(record, rules),
        *_check_rules(record, rules),
        *_check_repeats(record, rules),
        *_check_labels(record),
    }
    return [
        Finding(
            file,
            record.id,
            line + text.count("\n", 0, start),
            start,
            end,
            label,
            kind,
            is_hint,
            text[start:end] if show_text else None,
        )
        for start, end, label, kind, is_hint in sorted(found)
    ]


# Start, end, label, kind, and whether it is a hint.
_Found = tuple[int, int, str, str, bool]


def _check_edges(record: Record, rules: Guideline) -> Iterator[_Found]:
    for span in record.annotations:
        mention = record.document.text[span.start : span.end]
        for kind, is_wrong in (
            (EDGE, _has_edge(mention)),
            (BRACKET, not _is_balanced(mention)),
            (PERIOD, _has_period(mention, rules.abbreviations)),
        ):
            if is_wrong:
                yield *span.key, kind, False


def _has_edge(mention: str) -> bool:
    first, last = mention[0], mention[-1]
    if first.isspace() or last.isspace() or last in _MARKS + _QUOTES or first in _MARKS:
        # A nickname in quotation marks may begin or end a name.
        return not (mention.count('"') == 2 and '"' in (first, last) and first != last)
    if first in _QUOTES:
        return not mention[1:2].isdigit()  # '92
    if first in _OPENING and last in _CLOSING:
        return _is_balanced(mention[1:-1])
    return (first in _CLOSING or last in _OPENING) or (
        (first in _OPENING or last in _CLOSING) and not _is_balanced(mention)
    )


def _is_balanced(mention: str) -> bool:
    awaited = []
    for sign in mention:
        if sign in _OPENING:
            awaited.append(sign)
        elif sign in _PARTNERS and (not awaited or awaited.pop() != _PARTNERS[sign]):
            return False
    return not awaited


def _has_period(mention: str, abbreviations: frozenset[str]) -> bool:
    last = _LAST_WORD.search(mention)
    if last is None or mention.endswith(".."):
        return False
    word = last[1].lower()
    return not (word in abbreviations or _ABBREVIATED.fullmatch(word))


def _check_rules(record: Record, rules: Guideline) -> Iterator[_Found]:
    spans: list[Span | None] = [*record.spans, None]
    for span, following in zip(record.spans, spans[1:], strict=True):
        for rule in rules.rules:
            if rule.matches(record.document.text, span, following):
                yield *span.key, rule.kind, rule.is_hint


def _check_repeats(record: Record, rules: Guideline) -> Iterator[_Found]:
    text = record.document.text
    labels: dict[str, str] = {}
    for span in record.spans:
        mention = text[span.start : span.end]
        if span.label in rules.names:
            for word in _names_in(mention, rules):
                labels.setdefault(word, span.label)
        elif span.label in rules.numbers:
            if _FEWEST_DIGITS <= sum(map(str.isdigit, mention)):
                labels.setdefault(mention, span.label)
    if not labels:
        return
    forms = "|".join(map(re.escape, sorted(labels, key=len, reverse=True)))
    covered = bytearray(len(text))
    for span in record.annotations:
        covered[span.start : span.end] = b"\1" * (span.end - span.start)
    for match in re.finditer(rf"(?<![\w-])(?:{forms})(?![\w-])", text):
        start, end = match.span()
        if any(covered[start:end]):
            continue
        if rules.not_repeated and rules.not_repeated.match(text[end:][:_CONTEXT]):
            continue
        yield start, end, labels[match[0]], REPEAT, False


def _names_in(mention: str, rules: Guideline) -> Iterator[str]:
    """Yield the words of a name that are hardly anything else."""
    for word in _NAME_WORD.findall(mention):
        if rules.spaces_between_words:
            is_name = _SHORTEST_REPEAT <= len(word) and word[0].isupper()
        else:
            is_name = 2 <= len(word)
        if is_name and not rules.is_ordinary(word):
            yield word


def _check_labels(record: Record) -> Iterator[_Found]:
    text = record.document.text
    labels: defaultdict[str, set[str]] = defaultdict(set)
    for span in record.spans:
        labels[text[span.start : span.end]].add(span.label)
    for span in record.spans:
        if len(labels[text[span.start : span.end]]) > 1:
            yield *span.key, TWO_LABELS, TWO_LABELS in _HINTS
