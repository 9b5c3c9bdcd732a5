"""Fits for English names: how far one reaches from where a pattern found it."""

from __future__ import annotations

import re

from veil.detect.rules.forms_en import (
    CLEAR,
    CLINICAL,
    COMMON,
    CREDENTIALS,
    GIVEN,
    INITIAL,
    LANGUAGE,
    LISTED,
    MONTH,
    PARTICLE,
    PLACE,
    POSSIBLE,
    SURNAME,
    UNKNOWN,
    WORD,
    Place,
    Word,
    kind,
    names_among,
    words_of_name,
)
from veil.lexicons import lexicon

_VERB_FOLLOWS = re.compile(r"[ \t][a-z]{2}")
_NAME_ENDS = re.compile(r"[ ]?[,.;()\n]|\Z|[ ]{2}|[ ](?:is|was|has|had|who|and|presents)\b")
_MAY_BE_VERBS = ("Will", "May", "Can")
# A word in lower case stands before, and nothing that ends a sentence.
_INSIDE_SENTENCE = re.compile(
    r"(?:.*[\s(/])?[a-z][\w'’-]*[\"”,]?(?:[ \t\n]{1,2}|[ ]?[-–][ ]|[ ]?\()[\"“]?\Z", re.DOTALL
)
_NAME_AND_COMMA = re.compile(r"(?<![\w'’-])([A-Z][a-z]+), \Z")
_LOOK_BACK = 20
# Abbreviations: ROM, IgA, TIAs; not McBride, DeMarco, O'Neill.
_MIXED_CASE = re.compile(
    r"(?!(?:Mc|Mac|De|Di|La|Le|Van|Fitz|St)[A-Z])\w*[A-Z]\w*[A-Z]|[A-Z][a-z]+[A-Z]\Z"
)
_LONGEST_NAME = 60
_INDENT = 40
_NAME_BEFORE_AGE = re.compile(r"(?<![\w'’-])([A-Z][a-z]+),?[ ]\(?\Z")
_BETWEEN_NAMES = re.compile(r"[ \t]{1,2}|\.[ \t]?")
_BEFORE_CREDENTIALS = re.compile(r"\.?,?[ \t]{0,2}\Z")
_BEFORE_AGE = re.compile(
    r"(?:,|[ \n](?:\([^()\n]{1,20}\)[ ])?(?:is|was))?[ \n](?:an?[ ])?(?:[a-z-]{3,12},?[ ]){0,2}"
    r"(?:\(|aged?[ ])?\Z"
)


def _reach(text: str, start: int, end: int, *, first: int, others: int) -> list[Word]:
    """The words from the start that are of these kinds, without particles at the end."""
    kept: list[Word] = []
    reached = 0
    for word in words_of_name(text, start, end):
        if not word.kind & PARTICLE:
            allowed = word.kind & ((others if reached else first) | INITIAL)
            if not allowed and not _is_last_name(text, word, kept):
                break
            if not word.kind & CLEAR and _is_verb(text, word):
                break
            reached = len(kept) + 1
        kept.append(word)
    return kept[:reached]


def _is_last_name(text: str, word: Word, before: list[Word]) -> bool:
    """Whether a common word is a surname: the given name stands before it, and the name ends."""
    return (
        word.kind == COMMON
        and bool(before)
        and bool(before[-1].kind & GIVEN and before[-1].kind & CLEAR)
        and not word.form.isupper()
        and word.form[0].isupper()
        and _NAME_ENDS.match(text, word.end) is not None
    )


def _is_verb(text: str, word: Word) -> bool:
    """Whether "Will" opens a predicate, in the style of headings: "Dr. Smith Will follow"."""
    return word.form in _MAY_BE_VERBS and _VERB_FOLLOWS.match(text, word.end) is not None


def _place(words: list[Word]) -> Place:
    return words[0].start, words[-1].end


def titled(text: str, start: int, end: int) -> Place | None:
    """A name after a title, which leaves no doubt: Dr. Room is a doctor, and so is Dr. X."""
    words = _reach(text, start, end, first=POSSIBLE | COMMON, others=POSSIBLE)
    return _place(words) if words else None


def keyed(text: str, start: int, end: int) -> Place | None:
    """A name in its field; one that looks like a common word must have company."""
    words = _reach(
        text, start, _end_of_keyed(text, start, end), first=POSSIBLE | COMMON, others=POSSIBLE
    )
    names = names_among(words)
    if not names:
        return None
    if names[0].kind & COMMON and not any(word.kind & CLEAR for word in names):
        return None
    return _place(words)


def _end_of_keyed(text: str, start: int, end: int) -> int:
    """Where a name in its field may end: at a comma if the given name came first."""
    comma = text.find(",", start, end)
    if comma < 0:
        return end
    first, *others = WORD.findall(text, start, comma) or [""]
    given_first = others and kind(first) & GIVEN and not kind(first) & SURNAME
    return comma if given_first else end


def name(text: str, start: int, end: int) -> Place | None:
    """A name where the context makes one likely: unknown words count inside a sentence only."""
    inside = _is_inside_sentence(text, start)
    words = _reach(text, start, end, first=POSSIBLE if inside else LISTED, others=POSSIBLE)
    names = names_among(words)
    if not names:
        return None
    first = names[0].kind
    doubtful = first & (CLINICAL | MONTH) or not (inside or first & CLEAR)
    if doubtful and not any(word.kind & CLEAR for word in names):
        return None
    return _place(words)


def _is_inside_sentence(text: str, start: int) -> bool:
    return _INSIDE_SENTENCE.match(text[max(0, start - _LOOK_BACK) : start]) is not None


def known_name(text: str, start: int, end: int) -> Place | None:
    """A name in lower case or in capitals, all of whose words are names and nothing else."""
    words = _reach(text, start, end, first=CLEAR, others=CLEAR)
    return _place(words) if names_among(words) else None


def lone_name(text: str, start: int, end: int) -> Place | None:
    """A name that is nothing else, inside a sentence."""
    first = WORD.match(text, start, end)
    if first is None or not kind(first[0]) & CLEAR or _MIXED_CASE.match(first[0]):
        return None
    words = _reach(text, start, end, first=CLEAR, others=CLEAR)
    if not words or (len(words) == 1 and words[0].kind & PLACE):
        return None
    if 1 < len(words) and _is_other(text, *_place(words)):
        return None
    return _place(words) if _is_inside_sentence(text, start) or _follows_name(text, start) else None


def _follows_name(text: str, start: int) -> bool:
    """Whether a name and a comma stand before: "Kevin, Brittany and Terri"."""
    before = _NAME_AND_COMMA.search(text, max(0, start - _LOOK_BACK), start)
    return before is not None and bool(kind(before[1]) & CLEAR)


def known_given(text: str, start: int, end: int) -> Place | None:
    """A given name that is nothing else, alone or with a surname, where a sentence may begin."""
    words = _reach(text, start, end, first=CLEAR, others=CLEAR)
    if not words or not words[0].kind & GIVEN or words[-1].end != end or words[0].kind & PLACE:
        return None
    return None if words[0].form.isupper() else _place(words)


def full_name(text: str, start: int, end: int) -> Place | None:
    """A given name and a surname in a row, which need no context to be a name."""
    first = WORD.match(text, start, end)
    if first is None or not kind(first[0]) & GIVEN:
        return None
    words = _reach(text, start, end, first=GIVEN, others=POSSIBLE)
    names = names_among(words)
    return _place(words) if _is_full_name(names) and not _is_other(text, *_place(words)) else None


def _is_full_name(names: list[Word]) -> bool:
    if len(names) < 2 or not names[0].kind & GIVEN:
        return False
    clear = [word for word in names if word.kind & CLEAR]
    doubtful = [word for word in names if word.kind & (CLINICAL | MONTH)]
    unknown = any(word.kind & UNKNOWN for word in names)
    if all(word.form.isupper() for word in names):
        return len(clear) == len(names)
    return bool(clear) and (bool(names[0].kind & CLEAR) or not unknown) and len(doubtful) < 2


def _is_other(text: str, start: int, end: int) -> bool:
    found = text[start:end]
    return any(
        lexicon(LANGUAGE, kind).match(found) for kind in ("medical", "city", "region", "country")
    )


def surname_first(text: str, start: int, end: int) -> Place | None:
    """Surname, comma and given name: SMITH, JOHN Q."""
    comma = text.find(",", start, end)
    if comma < 0:
        return None
    surnames = _reach(text, start, comma, first=POSSIBLE, others=POSSIBLE)
    given = _reach(text, comma + 1, end, first=GIVEN, others=LISTED)
    if not surnames or surnames[-1].end != comma or not given or not given[0].kind & GIVEN:
        return None
    both = [*surnames, *given]
    clear = sum(1 for word in both if word.kind & CLEAR)
    doubtful = sum(1 for word in both if word.kind & (PLACE | CLINICAL | MONTH))
    if not clear or clear <= doubtful:
        return None
    if surnames[0].kind & UNKNOWN and not (given[0].kind & CLEAR and _opens_line(text, start)):
        return None
    if given[0].kind & PLACE and _is_other(text, start, comma):
        return None
    if _is_other(text, given[0].start, given[-1].end):
        return None
    return _place(both)


def _opens_line(text: str, start: int) -> bool:
    return text[max(0, start - _INDENT) : start].rpartition("\n")[2].strip() == ""


def age_after_name(text: str, start: int, end: int) -> Place | None:
    """An age behind a given name: "Ethan 12, Chloe (9)"."""
    before = _NAME_BEFORE_AGE.search(text, max(0, start - _LONGEST_NAME), start)
    if before is None or not kind(before[1]) & GIVEN or not kind(before[1]) & CLEAR:
        return None
    return start, end


def header_name(text: str, start: int, end: int) -> Place | None:
    """Surname, comma and given name at the head of a line, whether or not the lists hold them."""
    if not _opens_line(text, start):
        return surname_first(text, start, end)
    words = _reach(text, start, end, first=POSSIBLE, others=POSSIBLE)
    clear_of_doubt = all(not word.kind & (CLINICAL | MONTH | PLACE) for word in words)
    whole = words and words[-1].end == end and 1 < len(names_among(words))
    return _place(words) if whole and clear_of_doubt else surname_first(text, start, end)


def unknown_name(text: str, start: int, end: int) -> Place | None:
    """Two or more words inside a sentence that could be a name, and can be nothing else."""
    first = WORD.match(text, start, end)
    if first is None or not kind(first[0]) & POSSIBLE:
        return None
    words = _reach(text, start, end, first=POSSIBLE, others=POSSIBLE)
    names = names_among(words)
    if len(names) < 2 or any(word.kind & (CLINICAL | MONTH) for word in names):
        return None
    if _is_other(text, *_place(words)) or all(word.kind & PLACE for word in names):
        return None
    unknown = any(word.kind & (UNKNOWN | CLEAR) for word in names)
    return _place(words) if unknown and _is_inside_sentence(text, start) else None


def name_before_credentials(text: str, start: int, end: int) -> Place | None:
    """The name before the letters that stand here: "Rachel K. Whitford, MD"."""
    words = _words_before(text, start, _BEFORE_CREDENTIALS)
    return _place(words) if names_among(words) else None


def full_name_before_credentials(text: str, start: int, end: int) -> Place | None:
    """The same before letters that mean other things as well: "Arlo Finch, DO"."""
    words = _words_before(text, start, _BEFORE_CREDENTIALS)
    names = names_among(words)
    return _place(words) if _is_full_name(names) and not _is_other(text, *_place(words)) else None


def name_before_age(text: str, start: int, end: int) -> Place | None:
    """The name before the age that stands here: "Martha Collins is a 50-year-old"."""
    words = _words_before(text, start, _BEFORE_AGE)
    names = names_among(words)
    known = any(word.kind & CLEAR for word in names) or _is_full_name(names)
    possible = [word for word in names if not word.kind & (CLINICAL | MONTH)]
    return _place(words) if known or 1 < len(possible) == len(names) else None


def _words_before(text: str, end: int, between: re.Pattern[str]) -> list[Word]:
    """The words of the name that stands before a place, with no more than this between them."""
    begin = max(0, end - _LONGEST_NAME)
    gap = between.search(text, begin, end)
    if gap is None:
        return []
    kept: list[Word] = []
    border = gap.start()
    for match in reversed(list(WORD.finditer(text, begin, border))):
        word = Word(*match.span(), match[0], kind(match[0]))
        between_names = text[word.end : border]
        if kept and _BETWEEN_NAMES.fullmatch(between_names) is None:
            if _is_comma_of_surname(between_names, word, kept):
                kept.append(word)
            break
        if (not kept and between_names) or not word.kind & (POSSIBLE | INITIAL | PARTICLE):
            break
        if word.form[0].islower() and not word.kind & PARTICLE:
            break
        kept.append(word)
        border = word.start
    kept.reverse()
    while kept and kept[0].kind & PARTICLE:
        kept.pop(0)
    for place, word in enumerate(kept):
        if word.kind & INITIAL and CREDENTIALS.match(text, word.start):
            return kept[:place]
    return kept


def _is_comma_of_surname(between: str, word: Word, given: list[Word]) -> bool:
    """Whether a comma stands between surname and given name: "ZHANG, WEI MD"."""
    return (
        between in (",", ", ")
        and bool(word.kind & SURNAME and word.kind & CLEAR)
        and bool(given[-1].kind & GIVEN)
    )


PEOPLE_FITS = {
    "en-titled": titled,
    "en-keyed": keyed,
    "en-name": name,
    "en-known-name": known_name,
    "en-lone-name": lone_name,
    "en-known-given": known_given,
    "en-full-name": full_name,
    "en-surname-first": surname_first,
    "en-header-name": header_name,
    "en-unknown-name": unknown_name,
    "en-name-before-credentials": name_before_credentials,
    "en-full-name-before-credentials": full_name_before_credentials,
    "en-name-before-age": name_before_age,
    "en-age-after-name": age_after_name,
}
