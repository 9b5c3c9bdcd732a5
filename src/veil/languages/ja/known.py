"""Known people, places and dates in Japanese text, where no space separates words."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import Span
from veil.detect.known.context import Phrases
from veil.detect.known.vocabulary import KnownPart, vocabulary
from veil.detect.known.words import EXACT, MISSPELT, SpellingIndex
from veil.languages.base import Offsets
from veil.languages.ja.eras import ERAS, in_kanji, kanji_number
from veil.languages.ja.forms import analysis_form
from veil.lexicons import lexicon
from veil.lexicons.folding import fold_in_place
from veil.lexicons.lexicon import is_japanese

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from veil.detect.known.values import Known

# Dates: 昭和23年3月12日, S23.3.12, 3月12日生まれ.

_ERAS = {era.name: era.first_day.year for era in ERAS}
_ERA_LETTERS = {era.letter.lower(): era.name for era in ERAS}
_NUMERAL = r"(?:\d{1,4}|[〇一二三四五六七八九十百]{1,6}|元)"
_DATE = re.compile(
    r"(?=[\d〇一二三四五六七八九十百元明大昭平令mtshr])"
    rf"(?P<era>{'|'.join(_ERAS)}|[mtshr](?=[\s.]?\d))?[\s.]{{0,2}}(?P<year>{_NUMERAL})\s?"
    rf"(?:年|[-./])\s?(?P<month>{_NUMERAL})\s?(?:月|[-./])\s?"
    rf"(?P<day>{_NUMERAL})(?:\s?日|(?!\d))",
    re.ASCII,
)


def _date_parts(match: re.Match[str]) -> tuple[int, int, int]:
    """Year, month and day of a Japanese date; a year without an era or with two digits is kept."""
    year, month, day = (japanese_number(match[part]) for part in ("year", "month", "day"))
    era = match["era"]
    if era is not None:
        year += _ERAS[_ERA_LETTERS.get(era, era)] - 1
    return year, month, day


def japanese_number(written: str) -> int:
    """Read 23, 二十三, 二三 or 元, the first year of an era."""
    is_decimal = written.isdigit() and written.isascii()
    return int(written) if is_decimal else kanji_number(written)


_PART = re.compile(
    # A part beside another one belongs to a complete date.
    rf"(?<!年)(?P<month>{_NUMERAL})月\s?(?P<day>{_NUMERAL})日"
    rf"|(?P<era>{'|'.join(_ERAS)})?(?P<year>{_NUMERAL})年(?!\s?{_NUMERAL}月)",
    re.ASCII,
)
_BIRTH = re.compile("生|誕生")
_BEFORE, _BEHIND = 14, 4
_PARTIAL_SCORE = 0.8
_LONGEST_ERA = 65


def find_japanese_dates(text: str, dates: Sequence[date]) -> Iterator[Span]:
    """Yield dates in a text that was folded; a part of one counts only near a birth word."""
    for match in _DATE.finditer(text):
        if text[max(0, match.start() - 1) : match.start()].isdigit():
            continue
        year, month, day = _date_parts(match)
        if any(
            (month, day) == (known.month, known.day)
            and year in _year_numbers(known, has_era=match["era"] is not None)
            for known in dates
        ):
            yield Span(*match.span(), "DATE", 1.0, "known:date")
    for match in _PART.finditer(text):
        if _is_part(match, dates) and _is_near_birth(text, *match.span()):
            yield Span(*match.span(), "DATE", _PARTIAL_SCORE, "known:date/partial")


def _year_numbers(known: date, *, has_era: bool) -> set[int]:
    """The numbers that may stand for a year: all four digits, two of them, or those of an era."""
    if has_era:
        return {known.year}
    in_eras = {known.year - first + 1 for first in _ERAS.values()}
    return {known.year, known.year % 100} | {
        number for number in in_eras if 0 < number < _LONGEST_ERA
    }


def _is_part(match: re.Match[str], dates: Sequence[date]) -> bool:
    if match["day"]:
        part = japanese_number(match["month"]), japanese_number(match["day"])
        return any(part == (known.month, known.day) for known in dates)
    year = japanese_number(match["year"])
    if match["era"]:
        year += _ERAS[match["era"]] - 1
    return any(year == known.year for known in dates)


def _is_near_birth(text: str, start: int, end: int) -> bool:
    around = text[max(0, start - _BEFORE) : start] + text[end : end + _BEHIND]
    return _BIRTH.search(around) is not None


# Names and addresses in their parts.

_WITH_HIRAGANA = range(0x30A1, 0x30F7)
_FROM_KATAKANA_TO_HIRAGANA = -0x60
_SPACES = re.compile(r"[\s・,、，=＝]+")
_TITLE_BEHIND = re.compile(r"(?:先生|医師|看護師|教授|部長|院長|様|さん|さま|氏|殿|君)$")
_READING = re.compile(r"[(（](.+?)[)）]")
_POSTCODE = re.compile(r"〒?\s*(\d{3}-?\d{4})")
_ADDRESS = re.compile(
    r"(?P<state>東京都|北海道|(?:京都|大阪)府|[^\d市区町村]{2,3}県)?\s*"
    r"(?P<city>[^\d\s]{1,6}?市(?:[^\d\s]{1,4}?区)?|[^\d\s]{1,5}?[区町村])?\s*"
    r"(?P<town>[^\d〇一二三四五六七八九十\s]*)\s*"
    r"(?P<numbers>.*)"
)
_NUMBER = re.compile(r"[0-9]+|[〇一二三四五六七八九十]+")


class KnownForm(NamedTuple):
    """A text in its form for comparison, the same with katakana, and offsets to the text."""

    compared: str
    with_katakana: str
    offsets: Sequence[int]


class _Compared(dict[int, str]):
    """Maps code points to their form for comparison, which is cached."""

    def __missing__(self, code: int) -> str:
        is_katakana = code in _WITH_HIRAGANA
        character = chr(code + _FROM_KATAKANA_TO_HIRAGANA if is_katakana else code)
        self[code] = fold_in_place(character)
        return self[code]


_COMPARED = _Compared()


def form_of(text: str) -> KnownForm:
    """Fold full and half width, variants of kanji and katakana: ﾔﾏﾀﾞ and ヤマダ are やまだ."""
    form = analysis_form(text)
    return KnownForm(form.text.translate(_COMPARED), form.text, form.places)


def compared(value: str) -> str:
    return form_of(value).compared


class JapaneseName(NamedTuple):
    """The parts of a name in their form for comparison; an unsplit name is a family name."""

    family: str
    given: str


def parse_japanese_name(value: str) -> list[JapaneseName]:
    """Split a name at its space, or where a surname of the list ends; readings too."""
    readings = _READING.findall(value)
    names = [_READING.sub("", value), *readings]
    return [name for name in map(_parse, names) if name.family]


def _parse(value: str) -> JapaneseName:
    bare = _TITLE_BEHIND.sub("", value.strip())
    parts = [compared(part) for part in _SPACES.split(bare) if part]
    if not parts:
        return JapaneseName("", "")
    if 1 < len(parts):
        return JapaneseName(parts[0], "".join(parts[1:]))
    (name,) = parts
    surnames = lexicon("ja", "surname")
    cuts = [cut for cut in range(1, len(name)) if name[:cut] in surnames]
    good = [cut for cut in cuts if _is_given_name(name[cut:])]
    for cut in (*reversed(good), *reversed(cuts)):
        return JapaneseName(name[:cut], name[cut:])
    return JapaneseName(name, "")


def _is_given_name(name: str) -> bool:
    return name in lexicon("ja", "given_female") or name in lexicon("ja", "given_male")


class JapaneseAddress(NamedTuple):
    """The parts of an address in their form for comparison; `numbers` are of block and house."""

    postcode: str
    state: str
    city: str
    town: str
    numbers: tuple[str, ...]


def parse_japanese_address(value: str) -> JapaneseAddress:
    """Split an address: 東京都 新宿区 西新宿 2-8-1."""
    written = compared(value)
    postcode = _POSTCODE.search(written)
    match = _ADDRESS.fullmatch(_POSTCODE.sub("", written).strip())
    parts = match.groupdict() if match else {}
    return JapaneseAddress(
        postcode[1] if postcode else "",
        parts.get("state") or "",
        parts.get("city") or "",
        parts.get("town") or "",
        tuple(_NUMBER.findall(parts.get("numbers") or "")),
    )


# Searching.

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


class KnownString(NamedTuple):
    """A string to be searched for: a name or a part of one, a town, a hospital.

    `weak` ones count only in context. `given` are the names that may follow a family name.
    `numbers` are those of block and house that may follow a town.
    """

    key: str
    label: str
    what: str
    weak: bool = False
    given: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()


def name_literals(names: Iterable[JapaneseName], label: str, what: str) -> Iterator[KnownString]:
    """Yield a person's strings: family name, alone or with the given one, and given name."""
    names = list(names)
    for family in dict.fromkeys(name.family for name in names):
        given = tuple(name.given for name in names if name.family == family and name.given)
        yield KnownString(family, label, what, _is_weak(family), given)
    for given_name in dict.fromkeys(name.given for name in names):
        yield KnownString(given_name, label, what, _is_weak(given_name))


def _is_weak(key: str) -> bool:
    shortest = 3 if _KANA.fullmatch(key) else 2
    return len(key) < shortest or vocabulary("ja").is_word(key)


class JapaneseIndex:
    """Finds known strings by their first characters, and known dates of birth."""

    def __init__(self, literals: Iterable[KnownString], dates: Sequence[date]) -> None:
        self._vocabulary = vocabulary("ja")
        self._honorifics = self._vocabulary.honorifics_behind
        self._dates = tuple(dates)
        self._literals: dict[str, list[KnownString]] = {}
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
        """Yield the mentions in a text."""
        form = form_of(text)
        for span in (
            *self._find_literals(form),
            *self._find_misspelt(form),
            *find_japanese_dates(form.compared, self._dates),
        ):
            start, end = form.offsets[span.start], form.offsets[span.end]
            yield Span(start, end, span.label, span.score, span.source)

    def _find_literals(self, form: KnownForm) -> Iterator[Span]:
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

    def _judge(
        self, form: KnownForm, start: int, literal: KnownString, phrases: Phrases
    ) -> Span | None:
        """Make a span of a matching string if the context shows that it is the known one."""
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
            return None  # 橋本病 is not a Hashimoto
        score = _IN_CONTEXT if literal.weak else _SCORES[EXACT]
        return Span(start, end, literal.label, score, f"{source}/{EXACT}")

    def _has_borders(self, form: KnownForm, start: int, end: int) -> bool:
        """Whether kana are not part of a longer word; between kanji no boundary is visible."""
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
        """Whether a title or a key shows that this is a person."""
        behind = end + 1 if text[end : end + 1].isspace() else end
        if text.startswith(self._honorifics, behind):
            return True
        before = _BEFORE_NAME.sub("", text[max(0, start - _LOOK_BACK) : start])
        return before.endswith(self._vocabulary.keys_before)

    def _find_misspelt(self, form: KnownForm) -> Iterator[Span]:
        for match in _KATAKANA_RUN.finditer(form.with_katakana):
            key = form.compared[match.start() : match.end()]
            neighbours = () if key in self._literals else self._spelling.neighbours(key)
            if neighbours and not self._vocabulary.is_other_word(match[0]):
                literal = self._literals[neighbours[0]][0]
                source = f"known:{literal.what}/{MISSPELT}"
                yield Span(*match.span(), literal.label, _SCORES[MISSPELT], source)


def _with_given(text: str, end: int, given: tuple[str, ...]) -> tuple[int, str] | None:
    """The end and score of a full name after a family name; one letter may differ."""
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
    """The end of an address after its town."""
    start = end
    for index, number in enumerate(numbers):
        joint = r"\s*" if index == 0 else _BETWEEN_NUMBERS
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
    forms = [str(value), number]
    if 0 < value < 100:
        forms.append(in_kanji(value))
    return tuple(dict.fromkeys(forms))


# Strings to search for.

# 東京 is 東京都, 新宿 is 新宿区.
_WITHOUT_UNIT = re.compile("(?<=..)[都府県市区]$")
# Latin words and numbers are adjacent to kana and kanji without spaces.
_KANA_OR_KANJI = "\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f"
_TOKEN = re.compile(rf"[{_KANA_OR_KANJI}]+|[^\W\d_{_KANA_OR_KANJI}]+|\d+|\S")


def _own(values: Iterable[str]) -> list[str]:
    return [value for value in values if is_japanese(value)]


def _strings(known: Known) -> Iterator[KnownString]:
    """Yield the strings to search for, from the values of a record."""
    names = [
        name
        for value in _own((*known.names, *known.readings))
        for name in parse_japanese_name(value)
    ]
    yield from name_literals([*names, *_joined_names(known)], "PATIENT", "name")
    for values, label, what in (
        (known.relatives, "PATIENT", "relative"),
        (known.doctors, "DOCTOR", "doctor"),
    ):
        for value in _own(values):
            yield from name_literals(parse_japanese_name(value), label, what)
    for value in _own(known.addresses):
        address = parse_japanese_address(value)
        yield from _place_literals((address.state,), "STATE", "state")
        yield from _place_literals((address.city,), "CITY", "city")
        if 1 < len(address.town):
            yield KnownString(address.town, "STREET", "street", numbers=address.numbers)
    for values, label, what in (
        (known.cities, "CITY", "city"),
        (known.states, "STATE", "state"),
        (known.countries, "COUNTRY", "country"),
        (known.hospitals, "HOSPITAL", "hospital"),
        (known.employers, "ORGANIZATION", "employer"),
    ):
        yield from _place_literals(_own(values), label, what)


def _joined_names(known: Known) -> list[JapaneseName]:
    """The names that the table has in two columns, family and given name."""
    families, given = (
        [compared("".join(value.split())) for value in _own(values)]
        for values in (known.last_names, known.first_names)
    )
    return [JapaneseName(*pair) for pair in product(families or [""], given or [""])]


def _place_literals(values: Iterable[str], label: str, what: str) -> Iterator[KnownString]:
    for value in values:
        key = compared("".join(value.split()))
        for form in dict.fromkeys((key, _WITHOUT_UNIT.sub("", key))):
            if 1 < len(form):
                yield KnownString(form, label, what)


class _JapaneseKnown(KnownPart):
    def parse_date(self, written: str) -> tuple[int, int, int] | None:
        match = _DATE.fullmatch(written)
        return _date_parts(match) if match and ("年" in written or match["era"]) else None

    def offsets(self, text: str) -> Offsets:
        return Offsets.of(match.span() for match in _TOKEN.finditer(text))

    def is_own_script(self, value: str) -> bool:
        return is_japanese(value)

    def finder(self, known: Known, dates: Sequence[date]) -> JapaneseIndex:
        return JapaneseIndex(_strings(known), dates)

    def postcodes(self, known: Known) -> list[str]:
        return [parse_japanese_address(value).postcode for value in _own(known.addresses)]


KNOWN = _JapaneseKnown()
