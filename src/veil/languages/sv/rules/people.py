"""Swedish names: how far they extend, and how much evidence the context must give."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from veil.core.patterns import compile_pattern
from veil.detect.rules import bits
from veil.detect.rules.adjustments import WORD, Adjust, Bounds, TextWord, any_of, without_initials
from veil.languages.sv.rules.words import (
    ABBREVIATIONS,
    LANGUAGE,
    LISTS,
    NAME_GAPS,
    SETS,
    capitals_before,
    kind_of,
    reach,
    reach_of,
    words_of,
)
from veil.lexicons import Mark, is_ordinary, word_marks

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHORTEST_SUBJECT = 3
# The first letters of both names: AnJo for Anna Johansson.
_TWO_STARTS = compile_pattern(r"[A-ZÅÄÖ][a-zåäö]{1,2}[A-ZÅÄÖ][a-zåäö]{0,2}")
_APART = compile_pattern(r"[ ]?[,(/\n][ ]?\Z|[ ]{1,3}\Z")
_ENDS = compile_pattern(r"[ ]?(?:[,;/(\n]|\Z)")
_ASKED = compile_pattern(
    r"(?:[ ](?:av|hos|m)|(?:[Dd]isk|[Kk]onf|[Rr]ond|[Ss]amr|[Kk]onsult|[Aa]vst)[^\W\d_.]*[ ]med)"
    r"[ ]\Z"
)
_NO_SMALL_NAME = (Mark.COMMON | Mark.MEDICAL | Mark.PROFESSION | Mark.STREET_HEAD).value


def _span(start: int, words: list[TextWord]) -> Bounds | None:
    """From the start to the last word, unless all are initials or abbreviations."""
    names = without_initials(words)
    short = all(word.kind & bits.CAPITALS for word in names)
    if short and (len(names) < 2 or not all(word.kind & bits.LISTED for word in names)):
        return None
    return start, words[-1].end


def _name(
    text: str, start: int, end: int, *, first: int, others: int = bits.POSSIBLE
) -> Bounds | None:
    words = reach(text, start, end, first=first, others=others)
    if words and words[0].kind & bits.MEDICAL and not any_of(bits.LISTED, words[1:]):
        return None
    return _span(start, words)


def clear_name(text: str, start: int, end: int) -> Bounds | None:
    """A name whose first word is an unambiguous name."""
    words = reach(text, start, end, first=bits.CLEAR)
    sure = any_of(bits.CLEAR, words) and not words[0].kind & bits.MEDICAL
    return _span(start, words) if sure else None


def _two_words(text: str, start: int, end: int) -> Bounds | None:
    """Two or more words that may be names, listed or not: pat Hiltje Haugaard."""
    words = reach(text, start, end)
    names = without_initials(words)
    odd = any(word.kind & (bits.MEDICAL | bits.PLACE) or word.form.isupper() for word in names)
    return _span(start, words) if 1 < len(names) and not odd else None


def surely(text: str, start: int, end: int) -> Bounds | None:
    """A clear name, a given name with a surname (pat Bo Ek), or two words that may be names."""
    return (
        clear_name(text, start, end) or _full_name(text, start, end) or _two_words(text, start, end)
    )


def _full_name(text: str, start: int, end: int) -> Bounds | None:
    """A given name followed by a surname, which is a name in any context.

    The second word may be unlisted if the first is an unambiguous name; in capitals, where any word
    may look like a name, both must be in the lists.
    """
    return _full_name_of(words_of(text, start, end), text, start)


def _full_name_of(all_words: Iterable[TextWord], text: str, start: int) -> Bounds | None:
    """The same for words that begin there."""
    words = reach_of(all_words, text, start, first=bits.GIVEN)
    names = without_initials(words)
    if len(names) < 2 or not words[0].kind & bits.GIVEN:
        return None
    sure = bool(names[0].kind & bits.CLEAR)
    surnames = names[1:]
    if text[start : words[-1].end].isupper():
        known = all(word.kind & bits.LISTED for word in names)
        wanted = known and (sure or any_of(bits.CLEAR, surnames))
    else:
        wanted = sure or any(
            word.kind & bits.SURNAME and word.kind & bits.CLEAR for word in surnames
        )
    return _span(start, words) if wanted else None


def _surname_with_initials(text: str, start: int, end: int) -> Bounds | None:
    """Initials and a surname: J. Lindkvist, K-G Berg."""
    words = reach(text, start, end, first=bits.SURNAME, others=bits.LISTED)
    if len(words) < 2 or not words[0].kind & bits.INITIAL:
        return None
    named = without_initials(words)
    return _span(start, words) if named and named[0].kind & bits.CLEAR else None


def _alone(words: Iterable[TextWord], start: int) -> Bounds | None:
    """Unambiguous names in small letters after their capital."""
    end = None
    for word in words:
        if not word.kind & bits.CLEAR or word.form.isupper():
            break
        end = word.end
    return None if end is None else (start, end)


def bare_name(text: str, start: int, end: int) -> Bounds | None:
    """A name without an introducing context."""
    first = WORD.match(text, start, end)
    kind = kind_of(first[0]) if first else 0
    if kind & bits.INITIAL:
        return _surname_with_initials(text, start, end)
    if first and not kind & (bits.GIVEN | bits.CLEAR):
        return None
    words = list(words_of(text, start, end))
    bounds = _full_name_of(words, text, start) if kind & bits.GIVEN else None
    bounds = bounds or _alone(words, start)
    if bounds is None or not kind & bits.SURNAME:
        return bounds
    return _first_name_start(text, start), bounds[1]


def _first_name_start(text: str, start: int) -> int:
    """The start of a name whose first name is in no list: Eirian Lindkvist."""
    if text[start - 1 : start] == " ":
        for word in reversed(capitals_before(text, start - 1)[-2:]):
            if not word.kind & bits.UNKNOWN or word.form.isupper():
                break
            start = word.start
    return start


def surname(text: str, start: int, end: int) -> Bounds | None:
    words = reach(text, start, end, first=bits.SURNAME | bits.CLEAR, others=bits.LISTED)
    sure = any(word.kind & bits.CLEAR and word.kind & bits.SURNAME for word in words)
    return _span(start, words) if sure and not text[start : words[-1].end].isupper() else None


def small_name(text: str, start: int, end: int) -> Bounds | None:
    """An unambiguous name in small letters after a title."""
    form = text[start:end]
    common = word_marks(LANGUAGE)(form) & _NO_SMALL_NAME
    kind = kind_of(form.capitalize())
    # Frequent names are also among the frequent words.
    return (start, end) if kind & bits.CLEAR and (not common or kind & bits.GIVEN) else None


def initials_alone(text: str, start: int, end: int) -> Bounds | None:
    form = text[start:end]
    abbreviation = form in ABBREVIATIONS if 2 < len(form) else form in SETS["two_letters"]
    return None if abbreviation else (start, end)


def signature_code(text: str, start: int, end: int) -> Bounds | None:
    """The letters of a person's signature: neither an abbreviation nor a word."""
    form = text[start:end]
    return None if is_ordinary(LANGUAGE)(form) else initials_alone(text, start, end)


def signature_letters(text: str, start: int, end: int) -> Bounds | None:
    """The capitals of a signature and the small letters after its slash."""
    form = text[start:end]
    return initials_alone(text, start, end) if form.isupper() else (start, end)


def signature(text: str, start: int, end: int) -> Bounds | None:
    """A signature: a name of the lists, or initials at the end of a line."""
    words = reach(text, start, end)
    named = without_initials(words)
    if (1 < len(words) and named) or any_of(bits.CLEAR, words):
        return start, words[-1].end
    initials = text[start:end].replace(".", "").replace(" ", "")
    line_ends = not text[end : end + 1] or text[end : end + 1] in "\n,("
    if line_ends and 1 < len(initials) < 5 and initials.isupper():
        return initials_alone(text, start, end)
    return (start, end) if line_ends and _TWO_STARTS.fullmatch(initials) else None


def _name_before(
    text: str,
    start: int,
    end: int,
    *,
    accept: Adjust,
    gaps: frozenset[str] = NAME_GAPS,
) -> Bounds | None:
    """The name directly before a word that shows it to be one: "Karin Ek, leg läk"."""
    apart = _APART.search(text, max(0, start - 3), start)
    name_end = apart.start() if apart else start
    for word in capitals_before(text, name_end, gaps=gaps):
        if not word.kind & bits.PARTICLE:
            bounds = accept(text, word.start, name_end)
            if bounds is not None and bounds[1] == name_end:
                return bounds
    return None


def _listed_name(text: str, start: int, end: int) -> Bounds | None:
    """A name with an unambiguous word, or two words that the lists contain."""
    words = reach(text, start, end, first=bits.LISTED)
    listed = [word for word in words if word.kind & bits.LISTED]
    sure = 1 < len(listed) or any_of(bits.CLEAR, words)
    return _span(start, words) if sure else _two_words(text, start, end)


def _subject(text: str, start: int, end: int) -> Bounds | None:
    """Words that may be a name, listed or not, before a verb with personal subjects."""
    words = reach(text, start, end)
    odd = any(
        word.kind & (bits.MEDICAL | bits.PLACE)
        or word.form.isupper()
        or len(word.form) < _SHORTEST_SUBJECT
        for word in words
    )
    noun = any(
        word.kind & bits.UNKNOWN and word.form.endswith(LISTS["noun_ends"]) for word in words
    )
    return None if odd or noun or 2 < len(words) else _span(start, words)


def _genitive(text: str, start: int, end: int) -> Bounds | None:
    bounds = surely(text, start, end)
    return bounds if bounds and text[bounds[1] - 1] in "sS" else None


def colleague(text: str, start: int, end: int) -> Bounds | None:
    """A colleague who was consulted or did something, but not a treatment."""
    if _ASKED.search(text, max(0, start - 24), start):
        bounds = _name(text, start, end, first=bits.SURNAME | bits.CLEAR | bits.UNKNOWN)
        return bounds or _full_name(text, start, end)
    return surely(text, start, end)


def staff_field(text: str, start: int, end: int) -> Bounds | None:
    """A name after a key for staff, or initials."""
    form = text[start:end].replace(".", "").replace(" ", "")
    if 1 < len(form) < 5 and form.isupper():
        return initials_alone(text, start, end)
    bounds = _name(text, start, end, first=bits.POSSIBLE)
    # A common word is a name only if nothing follows it: "Läkare: Grön".
    if bounds is None and _ENDS.match(text, end):
        bounds = _name(text, start, end, first=bits.COMMON)
    return bounds


def aged(text: str, start: int, end: int) -> Bounds | None:
    """A given name, or two words that may be names, directly before an age."""
    bounds = _name(text, start, end, first=bits.GIVEN, others=bits.LISTED)
    bounds = bounds or _two_words(text, start, end)
    return bounds if bounds and bounds[1] == end else None


def eponym(text: str, start: int, end: int) -> Bounds | None:
    """A term with a name before it: Sjögrens syndrom."""
    words = capitals_before(text, start - 1)
    return (words[-2:][0].start, end) if words else None


# The context allows a name.
name = partial(_name, first=bits.POSSIBLE)
# The context is sufficient evidence: "Läkare: Grön" is a name.
named = partial(_name, first=bits.POSSIBLE | bits.COMMON)
# The context is weak evidence: the lists must contain the first word.
known_name = partial(_name, first=bits.LISTED)
listed_before = partial(_name_before, accept=_listed_name)
patient_before = partial(_name_before, accept=_listed_name, gaps=NAME_GAPS | {", "})
surely_before = partial(_name_before, accept=surely)
subject_before = partial(_name_before, accept=_subject)
genitive_before = partial(_name_before, accept=_genitive)
