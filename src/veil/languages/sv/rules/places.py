"""Swedish streets, towns, regions, countries, care units, organisations and occupations."""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import takewhile

from veil.core.patterns import compile_pattern
from veil.detect.rules import bits
from veil.detect.rules.adjustments import Bounds, TextWord, alternatives
from veil.languages.sv.rules.words import LANGUAGE, LISTS, SETS, capitals_before, kind_of, words_of
from veil.lexicons import Mark, is_ordinary, lexicon, word_marks
from veil.lexicons.folding import fold

_PROPER = bits.LISTED | bits.UNKNOWN | bits.PLACE
_SPACE = frozenset({" "})
_ROYAL = frozenset({"drottning", "kung", "prins", "prinsessan"})
_COUNTRY_OR_REGION = (Mark.COUNTRY | Mark.REGION).value
_CITY = Mark.CITY.value
_DIRECTIONS = SETS["directions"]
_PLACE_WORDS = SETS["place_words"]
_ADJECTIVES = ("isk", "iska", "iskt")
_LONGEST_ACRONYM = 4
_SAINT = compile_pattern(r"(?:S:ta?|St|Sankta?)[ ]\Z")


def _is_proper(word: TextWord) -> bool:
    """Whether a word may be the proper name of a unit."""
    folded = fold(word.form)
    if folded in SETS["proper_units"] or folded in _DIRECTIONS or word.kind & bits.PLACE:
        return True
    if word.kind & (bits.STOP | bits.MEDICAL) or folded.endswith(_ADJECTIVES):
        return False
    # A genitive makes a name of a common word: Lugnets vårdcentral.
    return bool(word.kind & _PROPER) or (5 < len(folded) and folded.endswith("s"))


def _with_saint(text: str, start: int) -> int:
    """The start of a name that begins with a saint: S:t Eriksgatan."""
    saint = _SAINT.search(text, max(0, start - 7), start)
    return saint.start() if saint else start


def _opens(word: TextWord) -> bool:
    """Whether a word with a capital may begin a sentence before a proper name."""
    return fold(word.form) in SETS["openings"]


_COUNT_FOLLOWS = compile_pattern(rf"[ ]?(?:{alternatives(LISTS['count_follows'])})\b")
_FIRST_WORD = compile_pattern(r"[^\W\d_]+")
_SHORTEST_STEM = 2
_NUMBERLESS = ("gatan", "vägen", "gränden", "promenaden", "esplanaden")


def street(text: str, start: int, end: int) -> Bounds | None:
    """A street from its last word: a compound, or a second word after a name (Lilla torget 4)."""
    head = _FIRST_WORD.match(text, start, end)
    if head is None or _COUNT_FOLLOWS.match(text, end):
        return None
    folded = head[0].lower()
    ending = next((ending for ending in LISTS["street_ends"] if folded.endswith(ending)), "")
    number = head.end() < end
    if not ending or folded.startswith(LISTS["no_streets"]):
        return None
    words = capitals_before(text, start - 1, gaps=_SPACE) if text[start - 1 : start] == " " else []
    while words and (_opens(words[0]) or _is_ordinary_opening(words[0])):
        words = words[1:]
    if _SHORTEST_STEM <= len(folded) - len(ending):
        if not head[0][0].isupper() or not (number or ending in _NUMBERLESS):
            return None
        modified = bool(words) and _is_modifier(words[-1])
        first = next((word for word in words if _is_modifier(word)), None)
        return _with_saint(text, first.start if modified and first else start), end
    # "Drottning Kristinas väg", "Lilla Torget": the street is two words or more.
    if words and (number or words[-1].form.endswith("s")):
        return _with_saint(text, words[0].start), end
    return None


def street_abbreviated(text: str, start: int, end: int) -> Bounds | None:
    """Åkerv. 33: an unlisted word with a capital that v. or g. abbreviates."""
    while 0 < start and text[start - 1].isalpha():
        start -= 1
    stem = text[start:end].partition(".")[0]
    street = stem[0].isupper() and 4 < len(stem) and bool(kind_of(stem) & bits.UNKNOWN)
    return (start, end) if street else None


def _is_modifier(word: TextWord) -> bool:
    return fold(word.form) in _DIRECTIONS or word.form.endswith("s")


def _is_ordinary_opening(word: TextWord) -> bool:
    ordinary = word.kind & (bits.COMMON | bits.STOP) and not word.kind & bits.PLACE
    return bool(ordinary) and fold(word.form) not in _DIRECTIONS | _ROYAL


def _towns(text: str, start: int, end: int, *, others: bool) -> Bounds | None:
    """The place that begins here, listed or not, in a context that requires one."""
    listed = _entry(text, start, end, "city", "region", "country")
    if listed:
        town = others or not _entry(text, *listed, "region", "country")
        return listed if town else None
    kept_end = None
    for word in words_of(text, start, end):
        marks = word_marks(LANGUAGE)(word.form)
        short = word.form.isupper() and len(word.form) <= _LONGEST_ACRONYM
        elsewhere = not others and marks & _COUNTRY_OR_REGION and not marks & _CITY
        if word.kind & (bits.STOP | bits.MEDICAL) or short or elsewhere:
            break
        if kept_end is None and not word.kind & _PROPER:
            break
        kept_end = word.end
    return None if kept_end is None else (start, kept_end)


_COUNTRY_LETTERS = compile_pattern(r"\b(?:SE|S|FI|FIN|AX|NO|DK)[- ]\Z")
_TOWN_FOLLOWS = compile_pattern(r"[ ]{1,2}([^\W\d_]+(?:-[^\W\d_]+)?)")


def postcode(text: str, start: int, end: int) -> Bounds | None:
    """Five digits before a possible town, with the letters of the country before them."""
    town = _TOWN_FOLLOWS.match(text, end)
    if town is None or not _towns(text, town.start(1), town.end(1), others=False):
        return None
    country = _COUNTRY_LETTERS.search(text, max(0, start - 4), start)
    return (country.start() if country else start), end


def _entry(text: str, start: int, end: int, *kinds: str) -> Bounds | None:
    """The longest run of words from the start that is an entry of one of these lexicons."""
    for word in reversed(list(words_of(text, start, end))):
        phrase = text[start : word.end]
        if any(lexicon(LANGUAGE, kind).match(phrase) for kind in kinds):
            return start, word.end
    return None


_PLACE_LEADS = compile_pattern(rf"\b(?:{alternatives(LISTS['place_leads'])})[ ]\Z")
_LOOSE_LEADS = compile_pattern(rf"\b(?:{alternatives(LISTS['loose_leads'])})[ ]\Z")


def listed_town(text: str, start: int, end: int) -> Bounds | None:
    """A town of the lists; how ambiguous it may be depends on the word before it.

    After "i" every entry is one; after "till", which also precedes people, entries that are not
    words; elsewhere entries that are neither words nor names.
    """
    bounds = _entry(text, start, end, "city")
    if bounds is None:
        return None
    following = list(words_of(text, bounds[1], end))
    if following and following[0].kind & bits.CLEAR:
        return None
    begin = max(0, start - 9)
    if _PLACE_LEADS.search(text, begin, start):
        return bounds
    if fold(text[bounds[0] : bounds[1]]) in _PLACE_WORDS:
        return None
    loose = _LOOSE_LEADS.search(text, begin, start)
    return bounds if loose or _clear_town(text, *bounds) else None


def _clear_town(text: str, start: int, end: int) -> Bounds | None:
    """A town of the lists that is neither a name nor a word."""
    form = text[start:end]
    kinds = [kind_of(part) for part in form.split()]
    if (
        any(kind & (bits.LISTED | bits.MEDICAL | bits.CAPITALS) for kind in kinds)
        or fold(form) in _PLACE_WORDS
    ):
        return None
    return (start, end) if lexicon(LANGUAGE, "city").match(form) else None


def small_town(text: str, start: int, end: int) -> Bounds | None:
    """A town in small letters after a preposition."""
    return (start, end) if _is_small_town(text[start:end]) else None


@lru_cache(1 << 14)
def _is_small_town(word: str) -> bool:
    form = word.capitalize()
    return _clear_town(form, 0, len(form)) is not None and not is_ordinary(LANGUAGE)(form)


def region(text: str, start: int, end: int) -> Bounds | None:
    bounds = _entry(text, start, end, "region")
    return None if bounds is None or fold(text[start : bounds[1]]) in _PLACE_WORDS else bounds


def country(text: str, start: int, end: int) -> Bounds | None:
    bounds = _entry(text, start, end, "country")
    if bounds and "och" not in text[start : bounds[1]] and _entry(text, *bounds, "region"):
        return None
    if bounds is None or (bounds[1] - start < 4 and text[start : bounds[1]] not in ("USA", "UK")):
        return None
    return None if fold(text[start : bounds[1]]) in _PLACE_WORDS else bounds


town = partial(_towns, others=False)
place = partial(_towns, others=True)


# Care units, wards, organisations and occupations. A unit counts by its proper name or number:
# "vårdcentralen" alone is not an identifier.

_VERBS = ("as", "ad", "ade", "at", "ar", "er")
# The department before its hospital is part of its name: medicinkliniken, Ekeby sjukhus.
_CLINIC = compile_pattern(
    r"\b(?:[^\W\d_]{3,14}iska[ ])?[^\W\d_]{0,20}(?:kliniken|klinik|mottagningen|avdelningen),?[ ]\Z"
)
_LONGEST_CLINIC = 44


def unit(text: str, start: int, end: int) -> Bounds | None:
    """A proper name before the kind of its unit; words before the name are left out."""
    words = capitals_before(text, start - 1, gaps=_SPACE)[-_LONGEST_UNIT:]
    for index, word in enumerate(words):
        if _is_proper(word) and not (index == 0 and _opens(word)):
            begun = _with_saint(text, word.start)
            if 0 < index and fold(words[index - 1].form) in _ROYAL:
                begun = words[index - 1].start
            clinic = _CLINIC.search(text, max(0, begun - _LONGEST_CLINIC), begun)
            return (clinic.start() if clinic else begun), _with_town(text, end)
    return None


def _with_town(text: str, end: int) -> int:
    """The end of a unit that is directly followed by its town: Hallands sjukhus Halmstad."""
    town = _TOWN_FOLLOWS.match(text, end)
    return town.end(1) if town and _clear_town(text, *town.span(1)) else end


_LONGEST_UNIT = 3


def unit_head(text: str, start: int, end: int) -> Bounds | None:
    """A head with the name after it: vårdcentralen Gripen. The name ends before a stop."""
    words = list(words_of(text, start, end))[1:]
    if words and words[0].form == "i":
        words = words[1:]
    kept = list(takewhile(_may_name_unit, words))
    return (start, kept[-1].end) if kept else None


def _may_name_unit(word: TextWord) -> bool:
    verb = word.kind & bits.COMMON and word.form.endswith(_VERBS)
    return bool(word.kind & bits.PLACE) or not (word.kind & (bits.STOP | bits.MEDICAL) or verb)


_UNIT_END = compile_pattern(rf"(.+?)(?:{alternatives(LISTS['unit_ends'])})\Z")


def unit_compound(text: str, start: int, end: int) -> Bounds | None:
    """One word for a unit whose first part is a proper name."""
    parts = _UNIT_END.match(text[start:end].lower())
    if parts is None or parts[1].endswith(LISTS["generic_units"]):
        return None
    return start, end


def _unit_field(text: str, start: int, end: int, *, any_word: bool) -> Bounds | None:
    """The value of a field for a unit; `any_word`: a common word may be its name."""
    words = list(words_of(text, start, end))
    if not words or fold(words[0].form) in SETS["no_units"]:
        return None
    proper = any(_is_proper(word) for word in words if word.form[0].isupper())
    named = proper or (any_word and not words[0].kind & (bits.STOP | bits.MEDICAL))
    return (start, words[-1].end) if named else None


def ward(text: str, start: int, end: int) -> Bounds | None:
    """The whole word that ends in avd: ortopedavd 24."""
    begun = start
    while 0 < begun and (text[begun - 1].isalpha() or text[begun - 1] == "-"):
        begun -= 1
    apart = " " in text[start:end] or "." in text[start:end]
    return (begun, end) if begun == start or apart else None


def ward_name(text: str, start: int, end: int) -> Bounds | None:
    name = list(words_of(text, start, end))[1:]
    # "avd." may end a sentence: then a common word begins the next.
    wrong = bits.STOP | bits.MEDICAL | (bits.COMMON if "." in text[start:end] else 0)
    return (start, end) if name and not name[0].kind & wrong else None


def club(text: str, start: int, end: int) -> Bounds | None:
    name = list(words_of(text, start, end))[1:]
    return (start, end) if name and _is_proper(name[0]) else None


_COMPANY_GAPS = frozenset({" ", " & ", " och ", " i "})
_COMPANY = compile_pattern(rf"[ ](?:{alternatives(LISTS['company_forms'])})\Z")


def organisation(text: str, start: int, end: int) -> Bounds | None:
    """A proper name before the kind of its organisation; a company may have any name."""
    company = text[start:end] in LISTS["company_forms"]
    for word in capitals_before(text, start - 1, gaps=_COMPANY_GAPS):
        if fold(word.form) in SETS["no_company"]:
            return None
        if _opens(word):
            continue
        if _is_proper(word) or (company and not word.kind & bits.MEDICAL):
            return word.start, end
    return None


def school(text: str, start: int, end: int) -> Bounds | None:
    return None if fold(text[start:end]).startswith(LISTS["generic_schools"]) else (start, end)


_OUTSIDE = ("bolaget", "företaget", "föreningen")


def organisation_head(text: str, start: int, end: int) -> Bounds | None:
    """A head with a name after it; of a company only the name is marked."""
    bounds = unit_head(text, start, end)
    if bounds is None:
        return None
    head = text[start:end].partition(" ")[0]
    if head.lower() in _OUTSIDE:
        return start + len(head) + 1, bounds[1]
    return bounds


def employer(text: str, start: int, end: int) -> Bounds | None:
    """A possible employer: not a town, a drug or a ward."""
    kept_end = None
    for word in words_of(text, start, end):
        if word.kind & (bits.STOP | bits.MEDICAL) and not _COMPANY.search(text[start : word.end]):
            break
        elsewhere = word.kind & bits.PLACE or (word.kind & bits.GIVEN and word.kind & bits.CLEAR)
        if kept_end is None and elsewhere and not _COMPANY.search(text, start, end):
            break
        kept_end = word.end
    return None if kept_end is None else (start, kept_end)


def organisation_field(text: str, start: int, end: int) -> Bounds | None:
    words = list(words_of(text, start, end))
    if not words or words[0].kind & bits.MEDICAL or _opens(words[0]):
        return None
    company = _COMPANY.search(text, start, end) is not None
    named = words[0].kind & _PROPER or company or _is_proper(words[0])
    return (start, words[-1].end) if named else None


_OCCUPATION_ENDS = compile_pattern(rf"[ ](?:{alternatives(LISTS['occupation_ends'])})\b")


def occupation(text: str, start: int, end: int) -> Bounds | None:
    if fold(text[start:end]).split()[0] in SETS["no_occupation"]:
        return None
    cut = _OCCUPATION_ENDS.search(text, start, end)
    return start, cut.start() if cut else end


unit_field = partial(_unit_field, any_word=False)
unit_named = partial(_unit_field, any_word=True)
