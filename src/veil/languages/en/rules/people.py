"""English names: how far they extend, and how certain the words and the context make them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.core.patterns import compile_pattern
from veil.detect.rules import bits
from veil.detect.rules.adjustments import (
    KEY_FOLLOWS,
    WORD,
    Bounds,
    TextWord,
    any_of,
    bounds_of,
    without_initials,
)
from veil.languages.en.rules.words import LANGUAGE, kind_of
from veil.lexicons import Mark, lexicon, word_marks

if TYPE_CHECKING:
    from collections.abc import Iterator


_VERB_FOLLOWS = compile_pattern(r"[ \t][a-z]{2}")
_NAME_ENDS = compile_pattern(r"[ ]?[,.;()\n]|\Z|[ ]{2}|[ ](?:is|was|has|had|who|and|presents)\b")
_MAY_BE_VERBS = ("Will", "May", "Can")
# A word in lower case precedes, and nothing that ends a sentence.
_INSIDE_SENTENCE = compile_pattern(
    r"(?:.*[\s(/])?[a-z][\w'’-]*[\"”,]?(?:[ \t\n]{1,2}|[ ]?[-–][ ]|[ ]?\()[\"“]?\Z", re.DOTALL
)
_LOOK_BACK = 20
_NUMBER_FOLLOWS = compile_pattern(r"\.?[ \t]{1,2}\d")
_CREDENTIALS = compile_pattern(r"(?:M\.D|D\.O|R\.N|N\.P|P\.A|D\.D\.S|O\.D)(?![a-z])")


def _words_of_name(text: str, start: int, end: int) -> Iterator[TextWord]:
    """The words of a possible name, up to the key of a field, a date, credentials or a new line."""
    last = start
    for match in WORD.finditer(text, start, end):
        word = TextWord(*match.span(), match[0], kind_of(match[0]))
        if word.kind & bits.INITIAL and last != start and _CREDENTIALS.match(text, word.start):
            return
        if not word.kind & (bits.CLEAR | bits.INITIAL | bits.PARTICLE):
            if KEY_FOLLOWS.match(text, word.end):
                return
            if "\n" in text[last : word.start] and last != start:
                return
        if word.kind & bits.MONTH and _NUMBER_FOLLOWS.match(text, word.end):
            return
        yield word
        last = word.end


def _reach(
    text: str, start: int, end: int, *, first: int = bits.POSSIBLE, others: int = bits.POSSIBLE
) -> list[TextWord]:
    """The words from the start that are of these kinds, without particles at the end."""
    kept: list[TextWord] = []
    reached = 0
    for word in _words_of_name(text, start, end):
        if not word.kind & bits.PARTICLE:
            allowed = word.kind & ((others if reached else first) | bits.INITIAL)
            if not allowed and not _is_last_name(text, word, kept):
                break
            if not word.kind & bits.CLEAR and _is_verb(text, word):
                break
            reached = len(kept) + 1
        kept.append(word)
    return kept[:reached]


def _is_last_name(text: str, word: TextWord, before: list[TextWord]) -> bool:
    """Whether a common word is a surname: a given name precedes it, and the name ends."""
    return (
        word.kind == bits.COMMON
        and bool(before)
        and bool(before[-1].kind & bits.GIVEN and before[-1].kind & bits.CLEAR)
        and not word.form.isupper()
        and word.form[0].isupper()
        and _NAME_ENDS.match(text, word.end) is not None
    )


def _is_verb(text: str, word: TextWord) -> bool:
    """Whether "Will" is a verb, in the style of headings: "Dr. Smith Will follow"."""
    return word.form in _MAY_BE_VERBS and _VERB_FOLLOWS.match(text, word.end) is not None


def titled(text: str, start: int, end: int) -> Bounds | None:
    """A name after a title, which is sufficient evidence: Dr. Room is a doctor, and so is Dr. X."""
    words = _reach(text, start, end, first=bits.POSSIBLE | bits.COMMON)
    return bounds_of(words) if words else None


def keyed(text: str, start: int, end: int) -> Bounds | None:
    """A name in its field; a name that looks like a common word must be beside another name."""
    end = _end_of_keyed(text, start, end)
    words = _reach(text, start, end, first=bits.POSSIBLE | bits.COMMON)
    names = without_initials(words)
    if not names:
        return None
    if names[0].kind & bits.COMMON and not any_of(bits.CLEAR, names):
        return None
    return bounds_of(words)


def _end_of_keyed(text: str, start: int, end: int) -> int:
    """Where a name in its field may end: at a comma if the given name came first."""
    comma = text.find(",", start, end)
    if comma < 0:
        return end
    first, *others = WORD.findall(text, start, comma) or [""]
    given_first = others and kind_of(first) & bits.GIVEN and not kind_of(first) & bits.SURNAME
    return comma if given_first else end


def name(text: str, start: int, end: int) -> Bounds | None:
    """A name in a context that makes one likely: unknown words count inside a sentence only."""
    inside = _is_inside_sentence(text, start)
    words = _reach(
        text, start, end, first=bits.POSSIBLE if inside else bits.LISTED, others=bits.POSSIBLE
    )
    names = without_initials(words)
    if not names:
        return None
    first = names[0].kind
    doubtful = first & (bits.MEDICAL | bits.MONTH) or not (inside or first & bits.CLEAR)
    if doubtful and not any_of(bits.CLEAR, names):
        return None
    return bounds_of(words)


def _is_inside_sentence(text: str, start: int) -> bool:
    return _INSIDE_SENTENCE.match(text[max(0, start - _LOOK_BACK) : start]) is not None


def known_name(text: str, start: int, end: int) -> Bounds | None:
    """A name in lower case or in capitals whose words are all unambiguous names."""
    words = _reach(text, start, end, first=bits.CLEAR, others=bits.CLEAR)
    return bounds_of(words) if without_initials(words) else None


def _is_full_name(names: list[TextWord]) -> bool:
    if len(names) < 2 or not names[0].kind & bits.GIVEN:
        return False
    clear = [word for word in names if word.kind & bits.CLEAR]
    doubtful = [word for word in names if word.kind & (bits.MEDICAL | bits.MONTH)]
    unknown = any_of(bits.UNKNOWN, names)
    if all(word.form.isupper() for word in names):
        return len(clear) == len(names)
    return bool(clear) and (bool(names[0].kind & bits.CLEAR) or not unknown) and len(doubtful) < 2


def _first_kind(text: str, start: int, end: int) -> int:
    first = WORD.match(text, start, end)
    return kind_of(first[0]) if first else 0


def _unless_other(text: str, words: list[TextWord]) -> Bounds | None:
    """A full name, unless it is that of a town, a drug or the like."""
    named = _is_full_name(without_initials(words)) and not _is_other(text, *bounds_of(words))
    return bounds_of(words) if named else None


def _is_other(text: str, start: int, end: int) -> bool:
    found = text[start:end]
    return any(
        lexicon(LANGUAGE, kind).match(found) for kind in ("medical", "city", "region", "country")
    )


# Names without an introducing context: the words alone must identify them.
_NAME_AND_COMMA = compile_pattern(r"(?<![\w'’-])([A-Z][a-z]+), \Z")
# Abbreviations: ROM, IgA, TIAs; not McBride, DeMarco, O'Neill.
_MIXED_CASE = compile_pattern(
    r"(?!(?:Mc|Mac|De|Di|La|Le|Van|Fitz|St)[A-Z])\w*[A-Z]\w*[A-Z]|[A-Z][a-z]+[A-Z]\Z"
)
_INDENT = 40


def lone_name(text: str, start: int, end: int) -> Bounds | None:
    """An unambiguous name inside a sentence."""
    first = WORD.match(text, start, end)
    if first is None or not kind_of(first[0]) & bits.CLEAR or _MIXED_CASE.match(first[0]):
        return None
    if not _is_inside_sentence(text, start) and not _follows_name(text, start):
        return None
    words = _reach(text, start, end, first=bits.CLEAR, others=bits.CLEAR)
    if not words or (len(words) == 1 and words[0].kind & bits.PLACE):
        return None
    is_other = 1 < len(words) and _is_other(text, *bounds_of(words))
    return None if is_other else bounds_of(words)


def _follows_name(text: str, start: int) -> bool:
    """Whether a name and a comma precede: "Kevin, Brittany and Terri"."""
    before = _NAME_AND_COMMA.search(text, max(0, start - _LOOK_BACK), start)
    return before is not None and bool(kind_of(before[1]) & bits.CLEAR)


def known_given(text: str, start: int, end: int) -> Bounds | None:
    """An unambiguous given name, alone or with a surname, at a possible start of a sentence."""
    words = _reach(text, start, end, first=bits.CLEAR, others=bits.CLEAR)
    if (
        not words
        or not words[0].kind & bits.GIVEN
        or words[-1].end != end
        or words[0].kind & bits.PLACE
    ):
        return None
    return None if words[0].form.isupper() else bounds_of(words)


def full_name(text: str, start: int, end: int) -> Bounds | None:
    """A given name followed by a surname, which is a name in any context."""
    first = _first_kind(text, start, end)
    if not first & bits.GIVEN:
        return None
    # A name needs a clear word; searching for one first is cheap if there is none ("De La De La").
    if not first & bits.CLEAR and not any(
        kind_of(form) & bits.CLEAR for form in WORD.findall(text, start, end)
    ):
        return None
    words = _reach(text, start, end, first=bits.GIVEN)
    return _unless_other(text, words)


def surname_first(text: str, start: int, end: int) -> Bounds | None:
    """Surname, comma and given name: SMITH, JOHN Q."""
    comma = text.find(",", start, end)
    if comma < 0:
        return None
    surnames = _reach(text, start, comma)
    given = _reach(text, comma + 1, end, first=bits.GIVEN, others=bits.LISTED)
    if not surnames or surnames[-1].end != comma or not given or not given[0].kind & bits.GIVEN:
        return None
    both = [*surnames, *given]
    clear = sum(1 for word in both if word.kind & bits.CLEAR)
    doubtful = sum(1 for word in both if word.kind & (bits.PLACE | bits.MEDICAL | bits.MONTH))
    if not clear or clear <= doubtful:
        return None
    if surnames[0].kind & bits.UNKNOWN and not (
        given[0].kind & bits.CLEAR and _opens_line(text, start)
    ):
        return None
    if given[0].kind & bits.PLACE and _is_other(text, start, comma):
        return None
    if _is_other(text, given[0].start, given[-1].end):
        return None
    return bounds_of(both)


def _opens_line(text: str, start: int) -> bool:
    return text[max(0, start - _INDENT) : start].rpartition("\n")[2].strip() == ""


def header_name(text: str, start: int, end: int) -> Bounds | None:
    """Surname, comma and given name at the start of a line, whether or not lists contain them."""
    if not _opens_line(text, start):
        return surname_first(text, start, end)
    words = _reach(text, start, end)
    clear_of_doubt = all(not word.kind & (bits.MEDICAL | bits.MONTH | bits.PLACE) for word in words)
    whole = words and words[-1].end == end and 1 < len(without_initials(words))
    return bounds_of(words) if whole and clear_of_doubt else surname_first(text, start, end)


def unknown_name(text: str, start: int, end: int) -> Bounds | None:
    """Two or more words inside a sentence that may be a name and nothing else."""
    possible = _first_kind(text, start, end) & bits.POSSIBLE
    if not possible or not _is_inside_sentence(text, start):
        return None
    words = _reach(text, start, end)
    names = without_initials(words)
    if len(names) < 2 or any_of(bits.MEDICAL | bits.MONTH, names):
        return None
    if _is_other(text, *bounds_of(words)) or all(word.kind & bits.PLACE for word in names):
        return None
    return bounds_of(words) if any_of(bits.UNKNOWN | bits.CLEAR, names) else None


# Names before credentials or an age.
_NAME_BEFORE_AGE = compile_pattern(r"(?<![\w'’-])([A-Z][a-z]+),?[ ]\(?\Z")
_BETWEEN_NAMES = compile_pattern(r"[ \t]{1,2}|\.[ \t]?")
_BEFORE_CREDENTIALS = compile_pattern(r"\.?,?[ \t]{0,2}\Z")
_BEFORE_AGE = compile_pattern(
    r"(?:,|[ \n](?:\([^()\n]{1,20}\)[ ])?(?:is|was))?[ \n](?:an?[ ])?(?:[a-z-]{3,12},?[ ]){0,2}"
    r"(?:\(|aged?[ ])?\Z"
)
_LONGEST_NAME = 60


def age_after_name(text: str, start: int, end: int) -> Bounds | None:
    """An age after a given name: "Ethan 12, Chloe (9)"."""
    before = _NAME_BEFORE_AGE.search(text, max(0, start - _LONGEST_NAME), start)
    if before is None or not kind_of(before[1]) & bits.GIVEN or not kind_of(before[1]) & bits.CLEAR:
        return None
    return start, end


def name_before_credentials(text: str, start: int, end: int) -> Bounds | None:
    """The name before the matched letters: "Rachel K. Whitford, MD"."""
    words = _words_before(text, start, _BEFORE_CREDENTIALS)
    return bounds_of(words) if without_initials(words) else None


def full_name_before_credentials(text: str, start: int, end: int) -> Bounds | None:
    """The same before letters with other meanings as well: "Arlo Finch, DO"."""
    words = _words_before(text, start, _BEFORE_CREDENTIALS)
    return _unless_other(text, words)


def name_before_age(text: str, start: int, end: int) -> Bounds | None:
    """The name before the matched age: "Martha Collins is a 50-year-old"."""
    words = _words_before(text, start, _BEFORE_AGE)
    names = without_initials(words)
    known = any_of(bits.CLEAR, names) or _is_full_name(names)
    possible = [word for word in names if not word.kind & (bits.MEDICAL | bits.MONTH)]
    return bounds_of(words) if known or 1 < len(possible) == len(names) else None


def _words_before(text: str, end: int, between: re.Pattern[str]) -> list[TextWord]:
    """The words of the name before a place, with at most this between them."""
    begin = max(0, end - _LONGEST_NAME)
    gap = between.search(text, begin, end)
    if gap is None:
        return []
    kept: list[TextWord] = []
    border = gap.start()
    for match in reversed(list(WORD.finditer(text, begin, border))):
        word = TextWord(*match.span(), match[0], kind_of(match[0]))
        between_names = text[word.end : border]
        if kept and _BETWEEN_NAMES.fullmatch(between_names) is None:
            if _is_comma_of_surname(between_names, word, kept):
                kept.append(word)
            break
        if (not kept and between_names) or not word.kind & (
            bits.POSSIBLE | bits.INITIAL | bits.PARTICLE
        ):
            break
        if word.form[0].islower() and not word.kind & bits.PARTICLE:
            break
        kept.append(word)
        border = word.start
    kept.reverse()
    while kept and kept[0].kind & bits.PARTICLE:
        kept.pop(0)
    for index, word in enumerate(kept):
        if word.kind & bits.INITIAL and _CREDENTIALS.match(text, word.start):
            return kept[:index]
    return kept


def _is_comma_of_surname(between: str, word: TextWord, given: list[TextWord]) -> bool:
    """Whether a comma separates surname and given name: "ZHANG, WEI MD"."""
    return (
        between in (",", ", ")
        and bool(word.kind & bits.SURNAME and word.kind & bits.CLEAR)
        and bool(given[-1].kind & bits.GIVEN)
    )


def username(text: str, start: int, end: int) -> Bounds | None:
    """A user name, but not an answer such as "none"."""
    form = text[start:end].rstrip(".")
    if word_marks(LANGUAGE)(form) & Mark.COMMON.value or (
        form.isalpha() and kind_of(form) & bits.STOP
    ):
        return None
    return start, start + len(form)
