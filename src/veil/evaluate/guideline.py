"""Checks annotations against the labelling guideline (docs/labelling.md).

The checks for all languages are here. Other rules are in `labelling.toml` in the folder
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
EDGE, BRACKET, PERIOD, CUT = "edge", "bracket", "period", "cut"
REPEAT, TWO_LABELS = "unmarked-repeat", "two-labels"
COMMON_KINDS = {
    EDGE: "a space, bracket, quotation mark, comma, colon or semicolon at either end",
    BRACKET: "a bracket without its partner",
    PERIOD: "a final period that does not belong to an abbreviation or initial",
    CUT: "a span that begins or ends inside a number",
    REPEAT: "a name or number is marked in one place and not marked in another",
    TWO_LABELS: "the same words have two labels in one record",
}
"""The kinds of findings in all languages."""

_CONTEXT = 60
_NEVER = "(?!)"
_RULE_KEYS = set("kind labels about hint inside before after next between then find leave".split())
_SHORTEST_REPEAT = 3
_FEWEST_DIGITS = 4
_LONGEST_ABBREVIATION = 4

_OPENING = "([{<«“「『【〈《（［｛〔"
_CLOSING = ")]}>»”」』】〉》）］｝〕"
_PARTNERS = dict(zip(_CLOSING, _OPENING, strict=True))
_MARKS = ",:;、，：；。・|"
_APOSTROPHES = "'‘’`"
_REFERENCE = compile_pattern(r"\{([a-z_]+)\}")
_LAST_WORD = compile_pattern(r"([\w.'’-]+)\.\Z")
_ABBREVIATED = compile_pattern(
    r"[^\W\d_]|(?:[^\W\d_]+\.)+(?:[^\W\d_]|-)+|[^\W\d_aeiouyáéíóúåäö]+", re.I
)
_NAME_WORD = compile_pattern(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where annotations seem to break the guideline.

    `file` and `line` are where the mention begins; the line is counted in the text of the record if
    the format does not keep its lines. `about` describes the `kind`. `text` is the mention, with
    `show_text` only.
    """

    file: str
    record: str
    line: int
    start: int
    end: int
    label: str
    kind: str
    about: str
    is_hint: bool
    text: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of mention that breaks the guideline.

    `inside` is searched in the mention, `before` in the unmarked text before it; `after` matches
    where the unmarked text after it begins. With `next`, a span of such a label follows, `between`
    matches the text between them and `then` is searched in the second one. All of them must match.
    """

    kind: str
    labels: frozenset[str]
    about: str
    is_hint: bool
    inside: re.Pattern[str]
    before: re.Pattern[str]
    after: re.Pattern[str]
    next: frozenset[str]
    between: re.Pattern[str]
    then: re.Pattern[str]
    find: tuple[str, ...]
    leave: tuple[str, ...]

    def matches(
        self, text: str, span: Span, *, previous: Span | None = None, following: Span | None = None
    ) -> bool:
        """Whether a span between two others breaks the guideline."""
        start = max(previous.end if previous else 0, span.start - _CONTEXT)
        end = min(following.start if following else len(text), span.end + _CONTEXT)
        if span.label not in self.labels or not (
            self.inside.search(text[span.start : span.end])
            and self.before.search(text[start : span.start])
            and self.after.match(text[span.end : end])
        ):
            return False
        if not self.next:
            return True
        return (
            following is not None
            and following.label in self.next
            and self.between.fullmatch(text, span.end, following.start) is not None
            and self.then.search(text[following.start : following.end]) is not None
        )


@dataclass(frozen=True)
class Guideline:
    """The guideline of a language: its scheme and its rules.

    `names` and `numbers` are the labels whose mentions are marked everywhere in a record. A word
    with `title_before` it or `title_after` it is a name; before `not_repeated` it is an eponym.
    """

    scheme: str
    names: frozenset[str]
    numbers: frozenset[str]
    abbreviations: frozenset[str]
    title_before: re.Pattern[str]
    title_after: re.Pattern[str]
    not_repeated: re.Pattern[str]
    rules: tuple[Rule, ...]
    spaces_between_words: bool
    is_ordinary: Callable[[str], bool]


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
            raise InputError(f"{code}, {FILE}: '{key}' must be a list of words")
        return "|".join(map(re.escape, sorted(listed, key=len, reverse=True)))

    def pattern(source: str) -> re.Pattern[str]:
        return re.compile(_REFERENCE.sub(lambda reference: words(reference[1]), source))

    spoken = language(code)
    sentences = read_language_toml(code, "sentences.toml")
    listed = [data.get("abbreviations", ""), *sentences.values()]
    return Guideline(
        data["scheme"],
        frozenset(data["names"].split()),
        frozenset(data["numbers"].split()),
        frozenset(" ".join(listed).split()),
        pattern(data.get("title_before", _NEVER)),
        pattern(data.get("title_after", _NEVER)),
        pattern(data.get("not_repeated", _NEVER)),
        tuple(_rule(each, pattern) for each in data["rule"]),
        spoken.spaces_between_words,
        is_ordinary(code),
    )


def _rule(data: dict[str, Any], pattern: Callable[[str], re.Pattern[str]]) -> Rule:
    if unknown := data.keys() - _RULE_KEYS:
        raise InputError(f"{FILE}, {data.get('kind')}: unknown key '{min(unknown)}'")
    return Rule(
        data["kind"],
        frozenset(data["labels"].split()),
        data["about"],
        data.get("hint", False),
        pattern(data.get("inside", "")),
        pattern(data.get("before", "")),
        pattern(data.get("after", "")),
        frozenset(data.get("next", "").split()),
        pattern(data.get("between", "")),
        pattern(data.get("then", "")),
        tuple(data["find"]),
        tuple(data["leave"]),
    )


def check_record(
    record: Record, name: str, *, file: str = "", line: int = 1, show_text: bool = False
) -> list[Finding]:
    """Return the violations of a language's guideline in a record, in text order.

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
            about,
            is_hint,
            text[start:end] if show_text else None,
        )
        for start, end, label, kind, about, is_hint in sorted(found)
    ]


# Start, end, label, kind, description of the kind, and whether it is a hint.
_Found = tuple[int, int, str, str, str, bool]


def _check_edges(record: Record, rules: Guideline) -> Iterator[_Found]:
    text = record.document.text
    for span in record.annotations:
        mention = text[span.start : span.end]
        before, after = text[max(0, span.start - 1) : span.start], text[span.end : span.end + 1]
        for kind, is_wrong in (
            (EDGE, _has_edge(before, mention, after)),
            (BRACKET, not _is_balanced(mention)),
            (PERIOD, _has_period(mention, span.label, rules)),
            (CUT, _is_number(before + mention[0]) or _is_number(mention[-1] + after)),
        ):
            if is_wrong:
                yield *span.key, kind, COMMON_KINDS[kind], False


def _has_edge(before: str, mention: str, after: str) -> bool:
    first, last = mention[0], mention[-1]
    if first.isspace() or last.isspace() or first in _MARKS or last in _MARKS:
        return True
    if '"' in (first, last):
        # A name may begin or end with a nickname in quotation marks.
        return mention.count('"') != 2 or first == last
    if first in _APOSTROPHES or last in _APOSTROPHES:
        # An apostrophe belongs to the mention: '92, Ixoqi'.
        outer = (before or " ", first, last, after or " ")
        return sum(sign in _APOSTROPHES for sign in outer) > 1
    return _PARTNERS.get(last) == first and _is_balanced(mention[1:-1])


def _is_balanced(mention: str) -> bool:
    awaited = []
    for sign in mention:
        if sign in _OPENING:
            awaited.append(sign)
        elif sign in _PARTNERS and (not awaited or awaited.pop() != _PARTNERS[sign]):
            return False
    return not awaited


def _is_number(signs: str) -> bool:
    return len(signs) == 2 and signs.isdecimal()


def _has_period(mention: str, label: str, rules: Guideline) -> bool:
    last = _LAST_WORD.search(mention)
    if last is None:
        return False
    word = last[1].lower()
    if word in rules.abbreviations or _ABBREVIATED.fullmatch(word):
        return False
    # Names of places and bodies have too many abbreviations for a list.
    is_strict = label in rules.names | rules.numbers or not word.isalpha()
    return is_strict or _LONGEST_ABBREVIATION < len(word)


def _check_rules(record: Record, rules: Guideline) -> Iterator[_Found]:
    text, spans = record.document.text, [None, *record.spans, None]
    for previous, span, following in zip(spans, record.spans, spans[2:], strict=False):
        for rule in rules.rules:
            if rule.matches(text, span, previous=previous, following=following):
                yield *span.key, rule.kind, rule.about, rule.is_hint


def _check_repeats(record: Record, rules: Guideline) -> Iterator[_Found]:
    """Yield unmarked places of marked names and numbers.

    A single word of a name without a title is a hint: it may be an eponym or a word of another
    meaning.
    """
    text = record.document.text
    forms: dict[str, str] = {}
    whole: set[str] = set()
    for span in record.spans:
        mention = text[span.start : span.end]
        if span.label in rules.numbers and _FEWEST_DIGITS <= sum(map(str.isdigit, mention)):
            whole.add(mention)
            forms.setdefault(mention, span.label)
        elif span.label in rules.names:
            words = [word for word in _NAME_WORD.findall(mention) if _is_name(word, rules)]
            if len(words) > 1:
                whole.add(mention)
            for form in (mention, *words) if words else ():
                forms.setdefault(form, span.label)
    if not forms:
        return
    marked = bytearray(len(text))
    for span in record.annotations:
        marked[span.start : span.end] = b"\1" * (span.end - span.start)
    any_form = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
    if rules.spaces_between_words:
        any_form = rf"(?<![\w-])(?:{any_form})(?![\w-])"
    for match in re.finditer(any_form, text):
        start, end = match.span()
        before, after = text[max(0, start - _CONTEXT) : start], text[end : end + _CONTEXT]
        if any(marked[start:end]) or rules.not_repeated.match(after):
            continue
        has_title = rules.title_before.search(before) or rules.title_after.match(after)
        is_hint = match[0] not in whole and not has_title
        yield start, end, forms[match[0]], REPEAT, COMMON_KINDS[REPEAT], is_hint


def _is_name(word: str, rules: Guideline) -> bool:
    """Whether a word of a name has practically no other meaning."""
    if rules.is_ordinary(word):
        return False
    if rules.spaces_between_words:
        return _SHORTEST_REPEAT <= len(word) and word[0].isupper()
    return len(word) > 1


def _check_labels(record: Record) -> Iterator[_Found]:
    text = record.document.text
    labels: defaultdict[str, set[str]] = defaultdict(set)
    for span in record.spans:
        labels[text[span.start : span.end]].add(span.label)
    for span in record.spans:
        mention = text[span.start : span.end]
        if len(labels[mention]) > 1 and not mention.isdecimal():
            yield *span.key, TWO_LABELS, COMMON_KINDS[TWO_LABELS], True
