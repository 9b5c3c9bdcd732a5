"""Clinical names and eponyms, and lists of clinical values, which do not refer to a person.

Two lists of folded words are used for every language: clinical names (drugs, organisms, devices),
which are not names of people, and eponyms, most of which are also surnames or places. An eponym
without other evidence is a clinical value only where a person is impossible: between other values,
as in "Garden 3, Singh 4, EBL 250". The words that distinguish people, places and days from values
are in the language's `rules/data/value_lists.toml`.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from veil.core.patterns import compile_pattern
from veil.detect.rules.adjustments import CACHE_SIZE, COMMON, GIVEN_MARKS, PLACE_MARKS
from veil.languages import read_language_toml
from veil.languages.base import package_folder
from veil.lexicons import Mark, is_ordinary, word_marks
from veil.lexicons.folding import fold

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

    from veil.detect.rules.adjustments import Bounds

_DATA = package_folder("veil.languages") / "data"
_NAME_MARKS = GIVEN_MARKS | PLACE_MARKS | (Mark.SURNAME | Mark.SURNAME_FORM).value
_WINDOW = 160
# Items recur less often than words do.
_ITEMS_KEPT = 1 << 13
_NEIGHBOURS = 5
_HALF = 0.5
_LONGEST_ITEM = 44
_LONGEST_NEUTRAL = 20
_LONGEST_ABBREVIATION = 6

# Some lists have full stops: "Prader 4. Nesbit. FGSI 7". A sentence of prose is not a short item. A
# set comes first because `re` skips the characters outside it fast.
_DELIMITER = compile_pattern(
    r"([,;|()\n\t:. ](?:(?<=[|()\n\t])|(?<=[,;])(?=\s)|(?<=[^\W\d_]:)(?=\s)|(?<=[ ])[-–—][ ]"
    r"|(?<=[\w%°)+]\.)(?=\s|\Z)))"
)
_STOPS = frozenset([",", ";", "|", "(", ")", "\n", "\t", ":", " - ", " – ", " — ", "."])
_BETWEEN_PARTS = compile_pattern(r"[-– /&]+")
_WORD = compile_pattern(r"[^\W\d_][^\W_]*(?:['’][^\W\d_]+)?")
_HAS_NUMBER = compile_pattern(r"(?<!\d)\d{1,5}(?!\d)")
_LONG_NUMBER = compile_pattern(
    r"\d{7,}|\d{1,2}[/.-]\d{1,2}[/.-](?:19|20)?\d\d(?!\d)|\d{3}[- ]\d{3,4}(?!\d)|@|(?:19|20)\d\d-"
)
_SIGN = compile_pattern(r"(?:\([-+±]{1,3}\)|[ ]?\+{1,4}|[ ][-–−])[ ]?\Z")
_GRADE = (
    r"(?:[IVX]{1,4}[A-Ea-e]?\d?|[A-E]\d{0,2}|\d[A-Ea-e][NPM]?\d?|[A-Z]\d(?:[A-Za-z]{1,2}\d?){0,6}"
    r"|\d\+)(?![\w/-]|\.\w)"
)
_NUMBER = (
    r"(?:[<>≤≥~=±+-]{0,2}[ ]?#?(?!0\d)\d{1,4}(?:[.,]\d{1,3})?"
    r"(?:[-–:x×/](?!0\d)\d{1,3}(?:[.,]\d{1,2})?){0,4})(?![\d/:]|[.,-]\d)"
)
_UNIT = (
    r"(?:[ ]?(?:%|°|º|deg|gr|mg|µg|g|ml|mL|cc|mm|cm|m|s|sec|min|h|J|W|Hz|Gy|kg|Fr|F|Ch|G|E|U|IU"
    r"|UI|dB|D|mA|mV|ms|[uµn]m|p|pt|pts)(?![\w/]))?"
)
# What may follow the name of a scale, a sign or a device in a list: points, a grade, a result.
_A_RESULT = (
    rf"(?:['’]s)?(?:[ :=]{{1,3}}{_GRADE}|[ ]?[:=#]?[ ]{_NUMBER}{_UNIT}"
    r"|[ ]?\([-+±]{1,3}\)|[ ]?\+{1,4}(?!\w)|[ ][-–−](?=[\s,;.)]|\Z))"
)
_RESULT = compile_pattern(_A_RESULT)
_LAST_GRADE = compile_pattern(rf"[ ]{_GRADE}\Z")
_PLAIN_INTEGER = compile_pattern(r"[ ]\d{1,4}\Z")
_END = r"[ ]?(?:[,;](?=\s)|[|)\n\t→]|->|[ ]\(|\.(?=\s|\Z)|\Z)"
_ITEM_END = compile_pattern(_END)
_REST_OF_ITEM = compile_pattern(rf"(?:{_A_RESULT})?(?:[ ][^\W\d_]+)?{_END}")
_WORD_AFTER = compile_pattern(r"[ ]([^\W\d_]+)")
_NEXT_ITEM = compile_pattern(r"[ ]?[,|][ ]([^\W\d_]+|\d{1,3}(?=[ ]?[,;|.\n]|\Z))")
_INITIAL_AFTER = compile_pattern(r",?[ ][^\W\d_a-zà-ÿ]\.")
_LAST_WORD = compile_pattern(r"(?<![^\W\d_])([^\W\d_]++)[\"”’)]?[.:]?[ ]{0,2}\Z")
_ENDS_OF_WORDS = frozenset('"”’).:')
_FRACTION = compile_pattern(r"(\d{1,3})/(\d{1,3})")
_IDENTIFIER = compile_pattern(r"#|\d{4}|\d-\d")
_YEAR = compile_pattern(r"(?:19|20)\d\d(?!\d)")
# One amino acid for another: M184V.
_SUBSTITUTION = compile_pattern(r"[ACDEFGHIKLMNPQRSTVWY]\d{2,3}[ACDEFGHIKLMNPQRSTVWY]")
_LAST_DAY = 31
_LAST_MONTH = 12
# Maximum scores for which a fraction is as likely a score as a day; with others it is rarely one.
_MAXIMA = frozenset((3, 4, 5, 6, 8, 9, 10))
_USUAL_MAXIMA = frozenset((5, 10))
_LIST = 2
_DENSE_LIST = 3
_LONG_LIST = 4
_FEWEST_SMALL_LETTERS = 6


class _Cues(NamedTuple):
    """Words of a language, folded."""

    people: frozenset[str]
    before: frozenset[str]
    after: frozenset[str]
    labels: frozenset[str]
    results: frozenset[str]


@cache
def _cues(language: str) -> _Cues | None:
    """The cue words of a language; None if it has none, like a language without clinical lists."""
    sets = read_language_toml(language, "rules/data/value_lists.toml").get("sets")
    return _Cues(*(frozenset(sets[name].split()) for name in _Cues._fields)) if sets else None


@cache
def eponyms() -> frozenset[str]:
    """Return the folded names of people and places in clinical eponyms."""
    return frozenset((_DATA / "eponyms.txt").read_text("utf-8").split())


@cache
def clinical_names() -> frozenset[str]:
    """Return the folded names of drugs, organisms and devices."""
    return frozenset((_DATA / "clinical_names.txt").read_text("utf-8").split())


def begins_clinical(word: str) -> bool:
    """Whether a word with a capital is an eponym or a clinical name, or the genitive of one."""
    if not word[0].isupper():
        return False
    folded = fold(word)
    return any(
        form in eponyms() or form in clinical_names() for form in (folded, folded.removesuffix("s"))
    )


class _Kind(NamedTuple):
    """Properties of a word of a list."""

    is_clinical: bool
    is_eponym: bool
    is_name: bool
    is_given: bool
    is_abbreviation: bool
    is_substitution: bool
    is_ordinary: bool
    is_cue: bool  # for a person, a place or a day

    @property
    def is_known(self) -> bool:
        return self.is_clinical or self.is_eponym


_KINDS: dict[_Kind, _Kind] = {}


@lru_cache(CACHE_SIZE)
def _kind(language: str, word: str) -> _Kind:
    cues = _cues(language)
    folded = fold(word)
    forms = {folded, folded.removesuffix("'s").removesuffix("’s"), folded.removesuffix("s")}
    marks = word_marks(language)(word)
    short = len(word) <= _LONGEST_ABBREVIATION
    digits = 0 if word.isalpha() else sum(map(str.isdigit, word))
    inner = 0 < digits <= 2 or any(map(str.isupper, word[1:]))
    kind = _Kind(
        not forms.isdisjoint(clinical_names()),
        not forms.isdisjoint(eponyms()),
        bool(marks & _NAME_MARKS),
        bool(marks & GIVEN_MARKS),
        short and (word.isupper() or inner) and 1 < len(word) and digits <= 2,
        bool(_SUBSTITUTION.fullmatch(word)),
        is_ordinary(language)(word),
        cues is not None
        and (folded in cues.labels or folded in cues.people or folded in cues.after),
    )
    return _KINDS.setdefault(kind, kind)  # many words have the same


@lru_cache(_ITEMS_KEPT)
def _weight(language: str, item: str) -> float:
    """The weight of an item for a list of clinical values: 1 for, -1 against, 0 for prose.

    An eponym that may be a person's name, and an abbreviation alone, count half: a list of them is
    only weak evidence.
    """
    cues = _cues(language)
    if cues is None or _LONGEST_ITEM < len(item):
        return 0
    words = _WORD.findall(item)
    folded = [fold(word) for word in words]
    if (
        not cues.people.isdisjoint(folded)
        or (folded and folded[0] in cues.labels)
        or _LONG_NUMBER.search(item)
    ):
        return -1
    kinds = [_kind(language, word) for word in words if word[0].isupper() and 1 < len(word)]
    names = [kind for kind in kinds if not kind.is_abbreviation]
    if any(not kind.is_known and kind.is_name for kind in names):
        # A given name before a surname is a person, in any context.
        return -1 if 1 < len(names) and names[0].is_given else 0
    doubtful = any(kind.is_name and not kind.is_clinical for kind in names)
    has_result = bool(_SIGN.search(item)) or bool(folded and folded[-1] in cues.results)
    if doubtful:
        result = _RESULT.search(item)
        is_result = has_result or (result and not _PLAIN_INTEGER.fullmatch(result[0]))
        return 1 if is_result else _HALF
    if has_result or (words and _HAS_NUMBER.search(item)):
        return 1
    if names:
        return int(all(kind.is_known for kind in names))
    return _HALF if kinds and len(kinds) == len(words) else 0


def _weigh(language: str, pieces: Iterable[str], written: list[str]) -> float | None:
    """The weight of the items on one side of a list, the nearest first; None if one is a person.

    Items in another sentence count half. The items are added to `written`.
    """
    total, share, number = 0.0, 1.0, 0
    for piece in pieces:
        if piece in _STOPS:
            share = _HALF if piece == "." else share
            continue
        item = piece.strip(" *•-")
        if not item:
            continue
        weight = _weight(language, item)
        if weight < 0 and not number:
            return None
        total += weight if weight < 0 else share * weight
        written.append(item)
        if weight < 0 or (not weight and _LONGEST_NEUTRAL < len(item)) or number == _NEIGHBOURS:
            break
        number += 1
    return total


def _pieces_after(text: str, end: int) -> Iterator[str]:
    """Yield the pieces of a line after an item with their delimiters, on demand."""
    stop = text.find("\n", end, end + _WINDOW)
    right = text[end : end + _WINDOW if stop < 0 else stop]
    position = None  # the first piece belongs to the item itself
    for delimiter in _DELIMITER.finditer(right):
        first, last = delimiter.span()
        if position is not None:
            yield right[position:first]
        yield right[first:last]
        position = last
    if position is not None:
        yield right[position:]


def _pieces_before(text: str, start: int) -> Iterator[str]:
    """The pieces of a line before an item, the nearest first."""
    first = max(0, start - _WINDOW)
    left = text[max(first, text.rfind("\n", first, start) + 1) : start]
    return islice(reversed(_DELIMITER.split(left)), 1, None)


class _Need(NamedTuple):
    """The minimum weight of a list for a name in it to be a value.

    `is_name`: it is nothing but a name; `is_risky`: a given name or an ordinary word.
    """

    weight: float
    is_name: bool = False
    is_risky: bool = False
    is_abbreviation: bool = False
    is_unknown: bool = False


def _is_listed(language: str, text: str, start: int, end: int, need: _Need) -> bool:
    """Whether the items before and after an item show that it is not a person."""
    written: list[str] = []
    weights = []
    for pieces_beside, offset in ((_pieces_after, end), (_pieces_before, start)):
        weight = _weigh(language, pieces_beside(text, offset), written)
        # A person beside it outweighs the whole list.
        if weight is None or (need.is_unknown and weight < _LIST):
            return False
        weights.append(weight)
    if need.is_abbreviation and sum(map(str.islower, "".join(written))) < _FEWEST_SMALL_LETTERS:
        return False
    if need.is_name and min(weights) < 1:
        # A name at the end of a line may be a signature, one at its start may be the subject.
        return _LONG_LIST <= sum(weights) and not need.is_risky
    return need.weight <= sum(weights)


def begins_as_person(language: str, text: str, start: int, *, is_drug: bool = False) -> bool:
    """Whether a title, a role, a given name or an initial comes directly before.

    Drugs, organisms and devices may also follow prepositions.
    """
    cues = _cues(language)
    # In a list, a delimiter precedes most items.
    ending = text[max(0, start - 3) : start].removesuffix(" ").removesuffix(" ")[-1:]
    if not (ending.isalnum() or ending in _ENDS_OF_WORDS):
        return False
    last = _LAST_WORD.search(text, max(0, start - 24), start)
    if cues is None or last is None:
        return False
    word = last[1]
    if fold(word) in (cues.people if is_drug else cues.before):
        return True
    if text[last.end(1)] in ".:" if last.end(1) < start else False:
        return len(word) == 1
    if not word[0].isupper():
        return False
    kind = _kind(language, word)
    if len(word) == 1:
        return True
    return kind.is_given and not kind.is_clinical


def _goes_on_as_person(language: str, text: str, end: int) -> bool:
    """Whether a word follows that only goes with people: an action, a property or another name."""
    cues = _cues(language)
    if cues is None or _INITIAL_AFTER.match(text, end):
        return True
    following = _WORD_AFTER.match(text, end)
    if following is None:
        return False
    word = following[1]
    if fold(word) in cues.after:
        return True
    kind = _kind(language, word)
    return word[0].isupper() and not (kind.is_known or kind.is_abbreviation or kind.is_ordinary)


def _parts(text: str, start: int, end: int) -> tuple[str, ...]:
    return tuple(filter(None, _BETWEEN_PARTS.split(text[start:end])))


def stands_as_person(language: str, text: str, start: int, end: int) -> bool:
    """Whether a word follows that only goes with people.

    In a language without such words: whether one of these words is a name that no clinical term
    contains.
    """
    if _cues(language) is not None:
        return _goes_on_as_person(language, text, end)
    kinds = [_kind(language, part) for part in _parts(text, start, end)]
    return any(kind.is_name and not kind.is_known for kind in kinds)


def are_eponyms(language: str, text: str, start: int, end: int) -> bool:
    """Whether each of these words is an eponym or a clinical name."""
    parts = _parts(text, start, end)
    return bool(parts) and all(_kind(language, part).is_known for part in parts)


def clinical_name(language: str, text: str, start: int, end: int) -> Bounds | None:
    """A drug, an organism or a device, or two hyphenated eponyms that are not a person's name."""
    parts = _parts(text, start, end)
    kinds = [_kind(language, part) for part in parts]
    if len(parts) == 1:
        if not kinds[0].is_clinical or kinds[0].is_name:
            return None
        if parts[0].isupper() or kinds[0].is_ordinary:
            return None
    elif not all(kind.is_known for kind in kinds) or all(kind.is_name for kind in kinds):
        return None
    if any(kind.is_given for kind in kinds):
        return None
    is_drug = len(parts) == 1
    if begins_as_person(language, text, start, is_drug=is_drug):
        return None
    return None if _goes_on_as_person(language, text, end) else (start, end)


def listed_name(language: str, text: str, start: int, end: int) -> Bounds | None:
    """A name in a list of clinical values, with its result: Singh 4 in "Garden 3, Singh 4, EBL 9".

    Eponyms, clinical names and abbreviations need two values near them, others three and a result
    that is not an age.
    """
    cues = _cues(language)
    # Few capitals begin an item, and this check is faster than looking up words.
    if cues is None or not _REST_OF_ITEM.match(text, end):
        return None
    name = _listed_words(language, text[start:end])
    if name is None:
        return None
    end = start + name.end
    result = _RESULT.match(text, end)
    last = result.end() if result else end
    if not _ITEM_END.match(text, last):
        following = _WORD_AFTER.match(text, last)
        if following is None or fold(following[1]) not in cues.results:
            return None
        last = following.end()
        if not _ITEM_END.match(text, last):
            return None
        result = result or following
    if not _fits(result):
        return None
    start += name.start
    need = _need(language, name.parts, result[0] if result else "", is_joined=name.is_joined)
    if need is None or begins_as_person(language, text, start):
        return None
    if not result and _is_entry_of_person(language, text, last):
        return None
    return (start, last) if _is_listed(language, text, start, last, need) else None


class _ListedWords(NamedTuple):
    """The words of a match that may be a value in a list, and their bounds in it."""

    start: int
    end: int
    parts: tuple[str, ...]
    is_joined: bool


@lru_cache(_ITEMS_KEPT)
def _listed_words(language: str, words: str) -> _ListedWords | None:
    """Return the words of a match that may be a value in a list; None if there are none."""
    cues = _cues(language)
    if cues is None:
        return None
    grade = _LAST_GRADE.search(words)
    start, end = 0, grade.start() if grade else len(words)
    parts = _parts(words, start, end)
    while 1 < len(parts) and _leads(language, parts[0], cues):
        # The rated object precedes the name of the scale: "Calcaneus Sanders IIB".
        start = words.index(parts[1], start + len(parts[0]))
        parts = parts[1:]
    if not _may_be_listed(parts, [_kind(language, part) for part in parts]):
        return None
    return _ListedWords(start, end, parts, " " not in words[start:end])


def _leads(language: str, word: str, cues: _Cues) -> bool:
    """Whether a word before a name is neither part of it nor a sign of a person or a place."""
    kind = _kind(language, word)
    if kind.is_known or kind.is_given:
        return False
    if not ((kind.is_abbreviation and word.isupper()) or (kind.is_ordinary and not kind.is_name)):
        return False
    folded = fold(word)
    return folded not in cues.before and folded not in cues.labels


def _is_entry_of_person(language: str, text: str, end: int) -> bool:
    """Whether a given name or an age follows, as in a list of people: "Young, 83"."""
    following = _NEXT_ITEM.match(text, end)
    if following is None:
        return False
    kind = _kind(language, following[1])
    return following[1].isdigit() or (kind.is_given and not kind.is_known)


def _fits(result: re.Match[str] | None) -> bool:
    """Whether a result contains neither a year nor a day."""
    if result is None:
        return True
    return not _YEAR.search(result[0]) and all(
        _is_score(int(fraction[1]), int(fraction[2])) for fraction in _FRACTION.finditer(result[0])
    )


def _is_score(part: int, whole: int) -> bool:
    """Whether a fraction is a score rather than a day."""
    if _LAST_DAY < max(part, whole) or _LAST_MONTH < min(part, whole) or not part:
        return True
    return part <= whole


def _has_usual_maximum(result: str, maxima: frozenset[int]) -> bool:
    """Whether a fraction that may be a day has a usual maximum score as its denominator."""
    fraction = _FRACTION.search(result)
    if fraction is None or _LAST_DAY < max(int(fraction[1]), int(fraction[2])):
        return True
    return int(fraction[2]) in maxima


def _may_be_listed(parts: tuple[str, ...], kinds: list[_Kind]) -> bool:
    """Whether words may be a value in a list, with some kind of result."""
    if any(kind.is_cue for kind in kinds):
        return False
    if _are_clinical(kinds):
        return not all(part.isupper() for part in parts)
    if len(parts) == 1 and (kinds[0].is_substitution or kinds[0].is_abbreviation):
        return True
    return _may_be_unknown(parts, kinds)


def _are_clinical(kinds: list[_Kind]) -> bool:
    """Whether words are eponyms and clinical names, with at most abbreviations among them."""
    return any(kind.is_known for kind in kinds) and all(
        kind.is_known or kind.is_abbreviation for kind in kinds
    )


def _may_be_unknown(parts: tuple[str, ...], kinds: list[_Kind]) -> bool:
    """Whether one or two words outside the clinical lists may be the name of a scale or a sign."""
    return (
        len(parts) <= 2
        and not kinds[0].is_ordinary
        and not any(kind.is_given for kind in kinds)
        and all(part[1:].islower() for part in parts)
    )


@lru_cache(_ITEMS_KEPT)
def _need(language: str, parts: tuple[str, ...], result: str, *, is_joined: bool) -> _Need | None:
    """The minimum weight of a list for words that may be a value in it; None if they are not."""
    kinds = [_kind(language, part) for part in parts]
    if _are_clinical(kinds):
        if 1 < len(kinds) and kinds[0].is_given and not is_joined:
            return None
        if not all(kind.is_eponym for kind in kinds) and not _has_usual_maximum(result, _MAXIMA):
            return None
        if result or 1 < len(kinds):
            return _Need(_LIST if _has_usual_maximum(result, _MAXIMA) else _LONG_LIST)
        if not kinds[0].is_name:
            return None if kinds[0].is_ordinary else _Need(_LIST)
        is_risky = kinds[0].is_given or kinds[0].is_ordinary
        return _Need(_LONG_LIST if is_risky else _DENSE_LIST, is_name=True, is_risky=is_risky)
    if len(parts) == 1 and kinds[0].is_substitution:
        return _Need(_LIST)
    if len(parts) == 1 and kinds[0].is_abbreviation and result:
        fits = not _FRACTION.search(result) and not _IDENTIFIER.search(result)
        return _Need(_LIST, is_abbreviation=True) if fits else None
    if not _may_be_unknown(parts, kinds):
        return None
    if not _has_usual_maximum(result, _USUAL_MAXIMA):
        return None
    if len(parts) == 1 and result and not _PLAIN_INTEGER.fullmatch(result):
        return _Need(_DENSE_LIST)
    return _Need(_LONG_LIST, is_unknown=True)


def listed_score(language: str, text: str, start: int, end: int) -> Bounds | None:
    """A score as a fraction at the end of an item of a list of values: grip 4/5, TOF 4/4."""
    cues = _cues(language)
    if cues is None or not _ITEM_END.match(text, end):
        return None
    item = _DELIMITER.split(text[max(0, start - _LONGEST_ITEM) : start])[-1]
    words = _WORD.findall(item)
    if not words or len(item) == _LONGEST_ITEM:
        return None
    last = words[-1]
    kind = _kind(language, last)
    folded = [fold(word) for word in words]
    if not cues.labels.isdisjoint(folded) or not cues.people.isdisjoint(folded):
        return None
    part, whole = (int(number) for number in text[start:end].split("/"))
    if not _is_score(part, whole):
        return None
    if last.islower() and whole in _USUAL_MAXIMA:
        need = _Need(_LONG_LIST)
    elif last[0].isupper() and kind.is_eponym:
        need = _Need(_DENSE_LIST if whole in _MAXIMA else _LONG_LIST)
    elif kind.is_abbreviation and last.isalpha():
        need = _Need(_DENSE_LIST if whole in _MAXIMA else _LONG_LIST, is_abbreviation=True)
    else:
        return None
    return (start, end) if _is_listed(language, text, start, end, need) else None


COMMON["clinical-name"] = clinical_name
COMMON["listed-name"] = listed_name
COMMON["listed-score"] = listed_score
