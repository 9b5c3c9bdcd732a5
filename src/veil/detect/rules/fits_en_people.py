"""Fits for English names where a title, a key or another word leads to them."""

from __future__ import annotations

import re

from veil.detect.rules.forms_en import (
    CLEAR,
    CLINICAL,
    COMMON,
    GIVEN,
    INITIAL,
    LANGUAGE,
    LISTED,
    MONTH,
    PARTICLE,
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
LOOK_BACK = 20


def reach(text: str, start: int, end: int, *, first: int, others: int) -> list[Word]:
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


def place_of(words: list[Word]) -> Place:
    return words[0].start, words[-1].end


def titled(text: str, start: int, end: int) -> Place | None:
    """A name after a title, which leaves no doubt: Dr. Room is a doctor, and so is Dr. X."""
    words = reach(text, start, end, first=POSSIBLE | COMMON, others=POSSIBLE)
    return place_of(words) if words else None


def keyed(text: str, start: int, end: int) -> Place | None:
    """A name in its field; one that looks like a common word must have company."""
    words = reach(
        text, start, _end_of_keyed(text, start, end), first=POSSIBLE | COMMON, others=POSSIBLE
    )
    names = names_among(words)
    if not names:
        return None
    if names[0].kind & COMMON and not any(word.kind & CLEAR for word in names):
        return None
    return place_of(words)


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
    inside = is_inside_sentence(text, start)
    words = reach(text, start, end, first=POSSIBLE if inside else LISTED, others=POSSIBLE)
    names = names_among(words)
    if not names:
        return None
    first = names[0].kind
    doubtful = first & (CLINICAL | MONTH) or not (inside or first & CLEAR)
    if doubtful and not any(word.kind & CLEAR for word in names):
        return None
    return place_of(words)


def is_inside_sentence(text: str, start: int) -> bool:
    return _INSIDE_SENTENCE.match(text[max(0, start - LOOK_BACK) : start]) is not None


def known_name(text: str, start: int, end: int) -> Place | None:
    """A name in lower case or in capitals, all of whose words are names and nothing else."""
    words = reach(text, start, end, first=CLEAR, others=CLEAR)
    return place_of(words) if names_among(words) else None


def is_full_name(names: list[Word]) -> bool:
    if len(names) < 2 or not names[0].kind & GIVEN:
        return False
    clear = [word for word in names if word.kind & CLEAR]
    doubtful = [word for word in names if word.kind & (CLINICAL | MONTH)]
    unknown = any(word.kind & UNKNOWN for word in names)
    if all(word.form.isupper() for word in names):
        return len(clear) == len(names)
    return bool(clear) and (bool(names[0].kind & CLEAR) or not unknown) and len(doubtful) < 2


def is_other(text: str, start: int, end: int) -> bool:
    found = text[start:end]
    return any(
        lexicon(LANGUAGE, kind).match(found) for kind in ("medical", "city", "region", "country")
    )


PEOPLE_FITS = {
    "en-titled": titled,
    "en-keyed": keyed,
    "en-name": name,
    "en-known-name": known_name,
}
