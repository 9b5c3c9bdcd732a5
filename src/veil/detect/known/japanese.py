"""Known names and places in Japanese script, where no space sets off a word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import Span
from veil.detect.known.context import Phrases
from veil.detect.known.dates import japanese_number
from veil.detect.known.japanese_dates import find_japanese_dates
from veil.detect.known.japanese_names import form_of
from veil.detect.known.vocabulary import read_data, vocabulary
from veil.detect.known.words import EXACT, MISSPELT, SpellingIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from veil.detect.known.japanese_names import Form, JapaneseName

_KANA = re.compile("[\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe]+")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc-\u30fe]")
_HIRAGANA = re.compile("[\u3041-\u3096\u309d\u309e]")
_KATAKANA_RUN = re.compile("[\u30a1-\u30fa\u30fc-\u30fe]{4,}")
_BETWEEN_NAMES = re.compile(r"[\s・=]{0,2}")
_PARTICLE = re.compile("[はがをにのともでへや](?![\u3041-\u3096])")
_BEFORE_NAME = re.compile(r"[\s:\[(「]*$")
_BETWEEN_NUMBERS = r"\s*(?:丁目|番地|番|号|の|[-\u2010-\u2015\u2212ー])?の?\s*"
_UNIT = re.compile("丁目|番地|番|号室?")
_SHORTEST_MISSPELT_KANA = 5
_LOOK_BACK = 12
_SCORES = {EXACT: 1.0, MISSPELT: 0.8}
_IN_CONTEXT = 0.9


class Literal(NamedTuple):
    """A string to be found: a name or a part of one, a town, a hospital.

    `weak` ones count in context alone. `given` are what may follow a family name. `numbers` are
    those of block and house that may follow a town.
    """

    key: str
    label: str
    what: str
    weak: bool = False
    given: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()


def name_literals(names: Iterable[JapaneseName], label: str, what: str) -> Iterator[Literal]:
    """Yield what may stand for somebody: the family name, alone or with the given one, and that."""
    names = list(names)
    for family in dict.fromkeys(name.family for name in names):
        given = tuple(name.given for name in names if name.family == family and name.given)
        yield Literal(family, label, what, _is_weak(family), given)
    for given_name in dict.fromkeys(name.given for name in names):
        yield Literal(given_name, label, what, _is_weak(given_name))


def _is_weak(key: str) -> bool:
    shortest = 3 if _KANA.fullmatch(key) else 2
    return len(key) < shortest or vocabulary("ja").is_word(key)


class JapaneseIndex:
    """Finds known strings at their first characters, and known dates of birth."""

    def __init__(self, literals: Iterable[Literal], dates: Sequence[date]) -> None:
        data = read_data("ja")
        self._vocabulary = vocabulary("ja")
        self._honorifics = tuple(data["honorifics_behind"].split())
        self._keys_before = tuple(data["keys_before"].split())
        self._dates = tuple(dates)
        self._literals: dict[str, list[Literal]] = {}
        for literal in literals:
            if literal.key:
                self._literals.setdefault(literal.key, []).append(literal)
        lengths: dict[str, set[int]] = {}
        for key in self._literals:
            lengths.setdefault(key[0], set()).add(len(key))
        self._lengths = {first: sorted(sizes, reverse=True) for first, sizes in lengths.items()}
        self._first = (
            re.compile("[" + re.escape("".join(sorted(lengths))) + "]") if lengths else None
        )
        phrases = self._vocabulary.medical.keys.folded
        self._in_medical_phrases = frozenset(
            key for key in self._literals if any(key in phrase for phrase in phrases)
        )
        self._spelling = SpellingIndex(
            key
            for key in self._literals
            if _KANA.fullmatch(key) and _SHORTEST_MISSPELT_KANA <= len(key)
        )

    def __bool__(self) -> bool:
        return bool(self._literals or self._dates)

    def find(self, text: str) -> Iterator[Span]:
        """Yield what is found in a text."""
        form = form_of(text)
        for span in (
            *self._find_literals(form),
            *self._find_misspelt(form),
            *find_japanese_dates(form.compared, self._dates),
        ):
            start, end = form.places[span.start], form.places[span.end]
            yield Span(start, end, span.label, span.score, span.source)

    def _find_literals(self, form: Form) -> Iterator[Span]:
        text, end = form.compared, 0
        phrases = Phrases(text, self._vocabulary.medical.find)
        for match in self._first.finditer(text) if self._first else ():
            start = match.start()
            if start < end:
                continue
            for length in self._lengths[match[0]]:
                spans = (
                    self._judge(form, start, literal, phrases)
                    for literal in self._literals.get(text[start : start + length], ())
                )
                span = next(filter(None, spans), None)
                if span is not None:
                    end = span.end
                    yield span
                    break

    def _judge(self, form: Form, start: int, literal: Literal, phrases: Phrases) -> Span | None:
        """Make a span of a string in a text if it stands there for what is known."""
        text, end = form.compared, start + len(literal.key)
        source = f"known:{literal.what}"
        full = _with_given(text, end, literal.given)
        if full is not None and self._has_borders(form, start, full[0]):
            end, how = full
            return Span(start, end, literal.label, _SCORES[how], f"{source}/{how}")
        end = _with_numbers(text, end, literal.numbers)
        if not self._has_borders(form, start, end):
            return None
        named = self._is_named(text, start, end)
        if not named and literal.weak:
            return None
        if not named and literal.key in self._in_medical_phrases and phrases.hold(start, end):
            return None  # 橋本病 is no Hashimoto
        score = _IN_CONTEXT if literal.weak else _SCORES[EXACT]
        return Span(start, end, literal.label, score, f"{source}/{EXACT}")

    def _has_borders(self, form: Form, start: int, end: int) -> bool:
        """Whether kana are no piece of a longer word; kanji have no borders to be seen."""
        written = form.with_katakana
        if _KANA.fullmatch(written, start, end) is None:
            return True
        script = _KATAKANA if _KATAKANA.match(written, start) else _HIRAGANA
        if 0 < start and script.match(written, start - 1):
            return False
        if not script.match(written, end):
            return True
        return script is _HIRAGANA and (
            written.startswith(self._honorifics, end) or _PARTICLE.match(written, end) is not None
        )

    def _is_named(self, text: str, start: int, end: int) -> bool:
        """Whether a title or a key says that here is a person."""
        behind = end + 1 if text[end : end + 1].isspace() else end
        if text.startswith(self._honorifics, behind):
            return True
        before = _BEFORE_NAME.sub("", text[max(0, start - _LOOK_BACK) : start])
        return before.endswith(self._keys_before)

    def _find_misspelt(self, form: Form) -> Iterator[Span]:
        for match in _KATAKANA_RUN.finditer(form.with_katakana):
            key = form.compared[match.start() : match.end()]
            neighbours = () if key in self._literals else self._spelling.neighbours(key)
            if neighbours and not self._vocabulary.is_other_word(match[0]):
                literal = self._literals[neighbours[0]][0]
                source = f"known:{literal.what}/{MISSPELT}"
                yield Span(*match.span(), literal.label, _SCORES[MISSPELT], source)


def _with_given(text: str, end: int, given: tuple[str, ...]) -> tuple[int, str] | None:
    """Where a full name ends whose family name ends here; one letter may be wrong."""
    gap = _BETWEEN_NAMES.match(text, end)
    begin = gap.end() if gap else end
    for name in given:
        if text.startswith(name, begin):
            return begin + len(name), EXACT
    for name in given:
        written = text[begin : begin + len(name)]
        same = sum(left == right for left, right in zip(written, name, strict=False))
        if 2 <= len(name) == len(written) and same == len(name) - 1 and written.isalpha():
            return begin + len(name), MISSPELT
    return None


def _with_numbers(text: str, end: int, numbers: tuple[str, ...]) -> int:
    """Where an address ends whose town ends here."""
    start = end
    for place, number in enumerate(numbers):
        joint = r"\s*" if place == 0 else _BETWEEN_NUMBERS
        forms = "|".join(_number_forms(number))
        found = re.compile(rf"{joint}(?:{forms})(?![0-9])").match(text, end)
        if found is None:
            break
        end = found.end()
    unit = _UNIT.match(text, end) if start < end else None
    return unit.end() if unit else end


def _number_forms(number: str) -> tuple[str, ...]:
    """A number in digits and in kanji."""
    value = japanese_number(number)
    digits = "〇一二三四五六七八九"
    forms = [str(value), number]
    if 0 < value < 10:
        forms.append(digits[value])
    elif 10 <= value < 100:
        tens, ones = divmod(value, 10)
        forms.append(("" if tens == 1 else digits[tens]) + "十" + (digits[ones] if ones else ""))
    return tuple(dict.fromkeys(forms))
