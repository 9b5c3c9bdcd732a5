"""Names in Latin letters, taken apart into words, initials and what stays as it is."""

from __future__ import annotations

import re
from functools import cache

from veil.lexicons.folding import fold
from veil.replace.people.origins import surname_origin
from veil.replace.people.pieces import Piece
from veil.replace.people.tables import key_of, listed, strength

_LETTER = r"[^\W\d_]"
_TOKEN = re.compile(rf"[Mm]\.ª|{_LETTER}(?:{_LETTER}|[\u0300-\u036f]|['’ʼ](?={_LETTER}))*|\d+")
_ELISION = re.compile(r"(?:[dlDL]['’ʼ])(?=..)")
_POSSESSIVE = re.compile(r"['’ʼ][sS]$")
_APOSTROPHES = ("'", "’", "ʼ")
_OPENING, _CLOSING = frozenset("\"'“”«„‘(’"), frozenset("\"'”“»’)")
ELIDED = "d'"
_HYPHENS = ("-", "\u2010", "\u2011")
_LONGEST_INITIALS = 3
_LONGEST_SHORTENED = 4

# What stands beside a name and says nothing of the person. Titles that are surnames, too (Bishop,
# Dean), are not among them: a name must not stay.
_TITLES = frozenset(
    """
    dr dra drs mr mrs ms mx miss prof profa professor doktor doctor doctora docent leg herr hr fru
    froken frk ssk usk dsk sr sra srta sres senor senora senorita dona dna lic lcdo lcda overlakare
    sjukskoterska underskoterska
    """.split()
)
_RANKS = frozenset(
    """
    det detective sgt sergeant cpl pfc pvt lt capt captain officer deputy inspector insp inv judge
    justice pc dc constable trooper fr rev reverend pastor rabbi
    """.split()
)
_TITLES_OF = {"es": frozenset({"don", "d", "da"})}
_AFTER_NAME = frozenset(
    "jr sr ii iii iv esq md phd rn np mph dds dvm pharmd aprn lpn bsn msn facs frcp mrcp".split()
)
_PARTICLES = frozenset(
    """
    af al ap av bin bint da das de del della den der des di do dos du e el het i ibn la las le les
    los san santa st ste te ten ter the ul van vande vander vom von y zu zum zur
    """.split()
)
# These begin a given name or are one where a capital begins a mention with them.
_NAMES_AT_THE_START = frozenset({"al", "ap", "della", "den", "di", "do", "el", "e", "i", "y", "te"})
_ARABIC_ARTICLES = frozenset({"al", "el", "ul"})
_VIETNAMESE_MIDDLES = frozenset({"thi", "van"})
_VIETNAMESE_SURNAMES = frozenset({"le", "do", "la"})
_BETWEEN_NAMES = frozenset(
    """
    and och samt und et or eller nee ne fodd fodda born geb nacida nacido viuda vda alias aka kallad
    called dit dite conocido conocida como
    """.split()
)
# Son or daughter of, as it is written in India, Singapore and Malaysia.
_SON_OF = re.compile(r"\b(?:[sdw]/o|a/[lp])\b", re.IGNORECASE)
_BORN = frozenset({"f"})
_SHORTENED = {
    "es": {"ma": "maria", "m.a": "maria", "fco": "francisco", "fca": "francisca"},
    "en": {"wm": "william", "chas": "charles", "geo": "george", "thos": "thomas"},
}


def pieces_of(text: str, language: str, *, is_part: bool = False) -> list[Piece]:
    """Take a mention apart; roles and genitives are not known yet.

    `is_part` says that it is a first or last name, and so no pair of initials.
    """
    tokens = [
        (start, end) for match in _TOKEN.finditer(text) for start, end in _without_elision(match)
    ]
    tokens = _with_small_second_parts(text, tokens)
    kept = _kept(text, tokens, language, is_part=is_part)
    # A mention of nothing but titles and small words is a name that looks like them.
    if not any(text[start:end][0].isalpha() for start, end in tokens if (start, end) not in kept):
        kept = set()
    mixed_case = any(
        text[start:end].upper() != text[start:end]
        for start, end in tokens
        if (start, end) not in kept
    )
    alone = len(tokens) == 1 and not is_part
    pieces: list[Piece] = []
    led = ""
    for start, end in tokens:
        if (start, end) in kept:
            word = key_of(text[start:end])
            led = f"{led} {word}".strip() if word in _PARTICLES else ""
            continue
        piece = _piece(text, start, end, language, mixed_case=mixed_case, alone=alone)
        is_elided = 0 < start and text[start - 1] in _APOSTROPHES and not piece.is_called
        piece.led, led = (ELIDED if is_elided and not led else led), ""
        piece.joined = bool(pieces) and pieces[-1].end == start - 1 and text[start - 1] in _HYPHENS
        pieces.append(piece)
    return pieces


def _without_elision(match: re.Match[str]) -> list[tuple[int, int]]:
    """The place of a word without the d' or l' before it, which stays but in D'Andre Moss."""
    start, end = match.span()
    is_given = start == 0 and match[0].startswith("D") and match.string[end : end + 1] == " "
    may_be = match[0][1:2] in _APOSTROPHES and not is_given
    elision = _ELISION.match(match[0]) if may_be else None
    return [(start + elision.end(), end)] if elision else [(start, end)]


def _with_small_second_parts(text: str, tokens: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join what is one name in spite of its hyphen: Min-jun."""
    joined: list[tuple[int, int]] = []
    for start, end in tokens:
        if joined and joined[-1][1] == start - 1 and text[start - 1] in _HYPHENS:
            first = text[slice(*joined[-1])]
            is_one = first[0].isupper() and not first.isupper() and text[start:end].islower()
            is_one = is_one or listed(key_of(f"{first}-{text[start:end]}"), "given")
            if is_one and key_of(first) not in _PARTICLES:
                joined[-1] = (joined[-1][0], end)
                continue
        joined.append((start, end))
    return joined


def _kept(
    text: str, tokens: list[tuple[int, int]], language: str, *, is_part: bool
) -> set[tuple[int, int]]:
    """The tokens that stay: titles, small words before surnames, "and"."""
    kept: set[tuple[int, int]] = set()
    titles = _titles(language)
    seen_name = False
    for number, (start, end) in enumerate(tokens):
        word = text[start:end]
        key = key_of(word)
        after = tokens[number + 1] if number + 1 < len(tokens) else None
        is_kept = (
            (key in titles and after is not None and _is_title(text, end, key, after, language))
            or (seen_name and key in _AFTER_NAME)
            or (key in _BETWEEN_NAMES and (word.islower() or key == "vda") and after is not None)
            or _SON_OF.search(text, max(0, start - 2), end + 2) is not None
            or (seen_name and word in _BORN and after is not None and any(map(str.isupper, text)))
            or (
                after is not None
                and _is_particle(text, number, (start, end), after, language, is_part=is_part)
            )
        )
        if is_kept:
            kept.add((start, end))
        else:
            seen_name = True
    return kept


@cache
def _titles(language: str) -> frozenset[str]:
    return _TITLES | _TITLES_OF.get(language, frozenset())


def _is_title(text: str, end: int, key: str, after: tuple[int, int], language: str) -> bool:
    """Whether what looks like a title is one: no comma follows, and a given name Spanish "D."."""
    if "," in text[end : after[0]]:
        return False
    if language != "es" or key not in ("d", "da"):
        return True
    follower = key_of(text[slice(*after)])
    return strength(follower, language, "surname") < strength(follower, language, "given") == 2


def _is_particle(
    text: str,
    number: int,
    place: tuple[int, int],
    after: tuple[int, int],
    language: str,
    *,
    is_part: bool,
) -> bool:
    """Whether the token of that number and place is a small word before a surname."""
    word = text[slice(*place)]
    key = key_of(word)
    if key not in _PARTICLES:
        return False
    between = text[place[1] : after[0]]
    follower = key_of(text[slice(*after)])
    if key in _ARABIC_ARTICLES and between in _HYPHENS:
        return True
    if not (between.isspace() or (between == ". " and key in ("st", "ste"))):
        return False
    if len(key) == 1:  # "Ramón y Cajal"; a capital or a full stop would make it an initial
        return 0 < number and word.islower() and language == "es"
    if word.islower():
        return True
    if key in _VIETNAMESE_SURNAMES and follower in _VIETNAMESE_MIDDLES:
        return False
    if number == 0 and key in _NAMES_AT_THE_START:
        is_arabic = is_part or surname_origin(follower, language) == "arabic"
        return key in _ARABIC_ARTICLES and is_arabic
    return True


def _piece(
    text: str, start: int, end: int, language: str, *, mixed_case: bool, alone: bool
) -> Piece:
    word = text[start:end]
    if word[0].isdigit():
        return Piece(start, end, word, "digits")
    suffix = ""
    possessive = _POSSESSIVE.search(word)
    is_called = _is_called(text, start, end)
    if possessive:
        suffix = possessive[0]
        word = word[: possessive.start()]
    elif word[-1] in "sS" and text[end : end + 1] in _APOSTROPHES and not is_called:
        suffix = text[end]
        end += 1
    key = key_of(word)
    full = _SHORTENED.get(language, {}).get(key)
    if full and (text[end : end + 1] == "." or word[-1] in "ªº"):
        stop = end + (text[end : end + 1] == ".")
        # The small raised letter of Mª is no small letter in a name of capitals.
        is_upper = text.replace("ª", "").replace("º", "").isupper()
        return Piece(start, stop, key.upper() if is_upper else word, "name", full, role="given")
    if _is_initials(text, word, end, language, mixed_case=mixed_case, alone=alone):
        # Å is no A; "AB" are two initials, "Chr." is one.
        letters = fold(word) if word.isupper() or alone else fold(word)[:1]
        return Piece(start, end, word, "initials", letters, suffix=suffix)
    return Piece(start, end, word, "name", key, suffix=suffix, is_called=is_called)


def _is_called(text: str, start: int, end: int) -> bool:
    return 0 < start and end < len(text) and text[start - 1] in _OPENING and text[end] in _CLOSING


def _is_initials(
    text: str, word: str, end: int, language: str, *, mixed_case: bool, alone: bool
) -> bool:
    letters = len(key_of(word))
    if letters == 1:
        return True
    before_stop = text[end : end + 1] == "."
    if letters <= _LONGEST_SHORTENED and before_stop and text[end + 1 :].strip():
        return letters < _LONGEST_SHORTENED or not listed(key_of(word), "given")  # "Chr. Berg"
    if _LONGEST_INITIALS < letters:
        return False
    if alone and word.islower():  # signatures: "akl"
        return not any(strength(key_of(word), language, role) for role in ("given", "surname"))
    if alone and word.isupper():
        return letters < _LONGEST_INITIALS or not listed(key_of(word), "given")
    return word.isupper() and mixed_case


def is_title(word: str) -> bool:
    """Whether a word is a title that stands before a name, or a rank before a surname."""
    key = key_of(word)
    return key in _TITLES or key in _RANKS
