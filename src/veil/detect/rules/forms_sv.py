"""What a Swedish word may be where a name or a place may stand, worked out once for each form.

Swedish writes only names with a capital inside a sentence, but notes open a sentence every third
word, and many names are words as well (Hans, Inga, Bo, Axel, Berg).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from veil.detect.rules.words_sv import ABBREVIATIONS, SHORT_GIVEN, STOPS, WORDS_TOO
from veil.lexicons import Mark, is_ordinary, lexicon, word_marks
from veil.lexicons.folding import base_form, fold
from veil.lexicons.morphology import looks_like_swedish_surname

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Place = tuple[int, int]

LANGUAGE = "sv"
_REMEMBERED = 1 << 16
_WORD = re.compile(r"[^\W\d_]+(?:['’\u2010\u2011-][^\W\d_]+)*")
_KEY_FOLLOWS = re.compile(r"[ \t]*(?:\([^()\n]{0,20}\)[ \t]*)?[:=]")
_INITIALS = re.compile(r"[A-ZÅÄÖÉ](?:-[A-ZÅÄÖÉ])?")
_PARTICLES = frozenset(
    "af av von van der den de la el al bin ibn ben abu da di du dos zu ter ten".split()
)
_PLACES = (Mark.CITY | Mark.REGION | Mark.COUNTRY).value
_NEVER_NAME = (
    Mark.HOSPITAL_HEAD | Mark.TITLE | Mark.DOCTOR_TITLE | Mark.RELATIVE | Mark.MONTH | Mark.WEEKDAY
).value
_TITLES = (Mark.TITLE | Mark.DOCTOR_TITLE).value
_ORDINARY = (Mark.COMMON | Mark.MEDICAL | Mark.STREET_HEAD | Mark.PROFESSION).value
_MEDICAL = Mark.MEDICAL.value

# Plain numbers, since every capital asks for them.
GIVEN = 1
SURNAME = 2
CLEAR = 4
"""A name and nothing else."""
UNKNOWN = 8
PARTICLE = 16
INITIAL = 32
COMMON = 64
"""No name, but one may look like it: dr Grön."""
STOP = 128
PLACE = 256
"""In a list of places, whatever else it is."""
CAPITALS = 512
"""Two or three capitals, which are rarely a name."""
MEDICAL = 1024
LISTED = GIVEN | SURNAME
POSSIBLE = LISTED | UNKNOWN


class Word(NamedTuple):
    """A word of a text and what it may be."""

    start: int
    end: int
    kind: int
    form: str


@cache
def folded_entries(*kinds: str) -> frozenset[str]:
    """The entries of lexicons, folded."""
    return frozenset(form for kind in kinds for form in lexicon(LANGUAGE, kind).keys.folded)


def holds(entries: frozenset[str], folded: str) -> bool:
    """Whether entries hold a word or what it is the genitive of, å, ä and ö as they are written.

    Elsewhere text with å finds an entry without; here it would make Mats of "Mäts".
    """
    base = base_form(folded, LANGUAGE)
    return folded in entries or (base is not None and base in entries)


def _is_given(folded: str, form: str) -> bool:
    entries = folded_entries("given_female", "given_male")
    if holds(entries, folded):
        return True
    parts = form.split("-")
    capitals = 1 < len(parts) and all(part[:1].isupper() for part in parts)
    return capitals and any(holds(entries, fold(part)) for part in parts)


def _is_surname(folded: str, form: str) -> bool:
    if holds(folded_entries("surname"), folded):
        return True
    parts = form.split("-")
    return 1 < len(parts) and any(map(looks_like_swedish_surname, parts))


@lru_cache(_REMEMBERED)
def kind_of(form: str) -> int:
    """The bits of a form that may have a capital of its own."""
    folded = fold(form)
    if _INITIALS.fullmatch(form):
        return INITIAL
    if folded in _PARTICLES:
        return PARTICLE
    if folded in STOPS or form in ABBREVIATIONS:
        return STOP
    marks = word_marks(LANGUAGE)(form)
    built = looks_like_swedish_surname(form)
    kind = (PLACE if marks & _PLACES else 0) | (MEDICAL if marks & _MEDICAL else 0)
    if form.isupper() and len(form) < 4:
        kind |= CAPITALS
    surname = SURNAME if built or _is_surname(folded, form) else 0
    if marks & _TITLES and not surname:
        return STOP
    names = surname | (GIVEN if _is_given(folded, form) else 0)
    if names:
        return kind | names | (CLEAR if _is_clear(folded, marks, names, built=built) else 0)
    if marks & _NEVER_NAME:
        return kind | STOP
    common = marks & (_ORDINARY | _PLACES) or is_ordinary(LANGUAGE)(form)
    return kind | (COMMON if common else UNKNOWN)


def _is_clear(folded: str, marks: int, names: int, *, built: bool) -> bool:
    """Whether a word that lists of names hold is nothing else."""
    base = base_form(folded, LANGUAGE)
    if marks & (_MEDICAL | _PLACES | _NEVER_NAME) or folded in WORDS_TOO or base in WORDS_TOO:
        return False
    if is_ordinary(LANGUAGE)(folded) and not built:
        return False
    if names & GIVEN:
        # Three letters are too few, unless everybody knows the name.
        return 3 < len(folded) or folded in SHORT_GIVEN
    return built or (3 < len(folded) and not marks & _ORDINARY)


def words_of(text: str, start: int, end: int) -> Iterator[Word]:
    """The words of a possible name, up to the key of a field; a small word is a stop."""
    for match in _WORD.finditer(text, start, end):
        form = match[0]
        kind = kind_of(form)
        if not kind & (CLEAR | PLACE) and _KEY_FOLLOWS.match(text, match.end()):
            return
        if not form[0].isupper() and not kind & PARTICLE:
            kind = STOP
        yield Word(*match.span(), kind, form)


def reach(text: str, start: int, end: int, *, first: int, others: int) -> list[Word]:
    """The words from the start that are of these kinds, particles left out.

    A comma is passed once, between a surname and the given names behind it.
    """
    kept: list[Word] = []
    last = start
    noble = 0
    for word in words_of(text, start, end):
        if word.kind & PARTICLE:
            noble = COMMON
        else:
            named = any(known.kind & (POSSIBLE | COMMON) for known in kept)
            wanted = others | noble | _surname_after(kept) if named else first
            if not word.kind & (wanted | INITIAL):
                break
            noble = 0
            if "," in text[last : word.start] and not _reverses(kept, word):
                break
            kept.append(word)
            last = word.end
    return kept


def _surname_after(names: list[Word]) -> int:
    """What else a word may be after a given name that is nothing else: Åke Öst, Lena Glad."""
    alone = len(names) == 1 and names[0].kind & GIVEN and names[0].kind & CLEAR
    return COMMON if alone and not names[0].form.isupper() else 0


def _reverses(surname: list[Word], word: Word) -> bool:
    """Whether a word after a comma is the given name of the surname before it: Holm, Lena."""
    possible = all(known.kind & SURNAME or not known.kind & GIVEN for known in surname)
    return possible and bool(word.kind & (GIVEN | INITIAL | UNKNOWN))


NAME_GAPS = frozenset({" ", "  ", ". ", "."})
"""What stands between the words of a name."""


def capitals_before(text: str, end: int, *, gaps: frozenset[str] = NAME_GAPS) -> list[Word]:
    """The words with a capital, and particles among them, that end right here, on one line."""
    start = max(0, end - _LONGEST_RUN)
    start = max(start, text.rfind("\n", start, end) + 1)
    words: list[Word] = []
    border = end
    for match in reversed(list(_WORD.finditer(text, start, end))):
        form = match[0]
        if match.end() != end if border == end else text[match.end() : border] not in gaps:
            break
        kind = kind_of(form)
        if not form[0].isupper() and not (kind & PARTICLE and words):
            break
        words.append(Word(*match.span(), kind, form))
        border = match.start()
    while words and words[-1].kind & PARTICLE:
        words.pop()
    return words[::-1]


_LONGEST_RUN = 60


def in_swedish(
    fit: Callable[[str, int, int], Place | None],
) -> Callable[[str, str, int, int], Place | None]:
    """A fit as the table of fits has them, with the language first."""

    def fitted(_language: str, text: str, start: int, end: int) -> Place | None:
        return fit(text, start, end)

    return fitted


def may_open_name(word: str) -> bool:
    """Whether a word that lists of names hold, or an initial, begins with a capital."""
    return word[0].isupper() and bool(kind_of(word) & (LISTED | INITIAL))


SWEDISH_TESTS = {"<sv-name>": may_open_name}
