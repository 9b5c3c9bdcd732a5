"""English words for things that look like names: eponyms, scales, brands, organisms."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from veil.core.patterns import compile_pattern
from veil.detect.rules import bits
from veil.detect.rules.adjustments import CACHE_SIZE, GIVEN_MARKS, PLACE_MARKS, Bounds
from veil.languages.en.rules.words import LANGUAGE, SETS, is_ordinary, kind_of
from veil.lexicons import Mark, lexicon, word_marks
from veil.lexicons.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = compile_pattern(r"[^\W\d_]+(?:(?:['’]|-(?:(?:van|von|de)[ ])?)[^\W\d_]+)*")
_JOINT = compile_pattern(r"[ ]?[/,+][ ]?|[ ](?:(?:and|or|vs\.?)[ ])?(?:(?:de|van|von)[ ])?")
_GENITIVE = ("'s", "’s")
_PARTICLES = frozenset("de del du la le van von der st".split())
_SIDE = compile_pattern(r"[ ][LR](?!\w|\.[ ]?[A-Z])")
_HYPHEN = compile_pattern(r"-(?:(?:van|von|de)[ ])?")
_AMOUNT = compile_pattern(
    r"[ ](?!(?:19|20)\d\d)\d{1,4}(?:\.\d{1,3})?(?:[ ]x[ ]?\d{1,2})?(?![\d/]|[.-]\d|[ ]?(?:yo"
    r"|y/o|yrs?|years?|[MF])\b)"
)
_LOOK_BACK = 24
_TITLE_BEFORE = compile_pattern(
    r"(?:.*[^\w])?(?:(?:Drs?|Mr|Mrs|Ms|Miss|Mx|Prof|Professor|Doctor|Sister|Brother|Nurse|Rev"
    r"|Fr"
    r"|Father|Pastor|Judge|Officer|Sgt|Det|Capt|Coach|Baby|Boy|Girl|Uncle|Aunt)\.?[ ]{1,2}"
    r"|[A-Z]\.[ ]{0,2}"
    r"|(?:RN|NP|PA|PA-C|LPN|CNA|MD|DO|SW|PT|OT|RT|ENT|Ortho|Uro|Onc|Neuro|Surg|Res)[ ]"
    r"|[Pp]artner[ ])\Z",
    re.DOTALL,
)
_PERSON_BEFORE = compile_pattern(
    r"(?:.*[^\w/])?(?i:by|per|d/w|with|w/|cc|attn|name|named|pt|patient|provider|attending"
    r"|surgeon|pcp"
    r"|signed|told|called|paged|asked|nurse|from|dear|re|client|resident|intern|fellow|to|saw"
    r"|met"
    r"|wife|husband|mother|father|son|daughter|sister|brother|mom|dad|neighbou?r|friend"
    r"|roommate|f/u|pathologist|assistant"
    r"|anaes|anaesthetist|anesthesia|physician|doctor|consultant|author|witness|dictated|seen"
    r"|follows|sees)[ ]?[:,]?[ ]{1,6}\Z",
    re.DOTALL,
)
_LINE_BEFORE = compile_pattern(r"(?:.*[\n\t|])?[ ]*\Z", re.DOTALL)
_PERSON_AFTER = compile_pattern(
    r"(?:,?[ ](?:M\.?D|D\.?O|R\.?N|N\.?P|PA|PA-C|PhD|DPM|DDS|CRNA|LPN|Jr|Sr|MRN|DOB|MBBS"
    r"|FRCS)\b|,?[ ][A-Z]\.|[ ][AC-KM-QS-Z](?![\w./+-])|[ ](?:attg|attending|artist|rn|RMO)\b"
    r"|[ ]\((?:rad|med|surg|onc|path|ENT|GI|IR|card|neuro|ortho|anes|CT\d|ST\d|PGY)"
    r"|['’]s[ ](?:office|notes?|recs|team|service|clinic|practice)\b"
    r"|[ ](?:called|says|said|states|stated|saw|paged|aware|agrees|wants|denies|reports|lives"
    r"|informed|notified"
    r"|comes|asked|asks|told|thinks|recommends|recommended|reviewed|feels|came|went|gave"
    r"|Street|St|Road|Rd|Avenue|Ave"
    r"|Lane|Drive|Hospital|Clinic|Medical|House|Center|Centre|Health|Ward|Wing|Unit|Pavilion"
    r"|Family|University"
    r"|General|Memorial|Regional|School|County|Home|Court|Park|Pharmacy)\b)"
)
_NUMBER_FOLLOWS = compile_pattern(r"-?\d|[ ]\d{3} ")
_AGE_AFTER = compile_pattern(r"[ ]?-?(?:y\b|yo\b|y/o|yr|yrs|year|[MF]\b)|[ ]?[/-]\d")
_NEXT_WORD = compile_pattern(r",?[ ]([^\W\d_]+)")
_LAST_WORD = compile_pattern(r"(?:.*[^\w'’-])?([^\W\d_]+)[ ]\Z", re.DOTALL)
_CUE = compile_pattern(r"(?:DD?x:?|[^A-Z]*?)[ ](?=(?:de|van|von)[ ]|[A-Z])")
_NAME_MARKS = GIVEN_MARKS | PLACE_MARKS | Mark.SURNAME.value


def eponym(text: str, start: int, end: int) -> Bounds | None:
    """An eponym in a context that shows it: before its noun, its result or its grade."""
    words = [*_words_of_name(text, start, end)]
    if not words or not all(_is_eponym(word) for word in words):
        return None
    return None if _is_name_of_person(text, start) else (start, end)


def suspected_eponym(text: str, start: int, end: int) -> Bounds | None:
    """An eponym after words that lead to a diagnosis: "c/w Dercum"."""
    cue = _CUE.match(text, start, end)
    if cue is None or eponym(text, cue.end(), end) is None or _goes_on_as_person(text, end):
        return None
    return start, end


def scale(text: str, start: int, end: int) -> Bounds | None:
    """A scale named after a person, and its points: Braden 14, but not a patient and an age."""
    words = [*_words_of_name(text, start, end)]
    if not all(_is_eponym(word) for word in words) or not any(_is_scale(word) for word in words):
        return None
    before = text[max(0, start - _LOOK_BACK) : start]
    if (
        _is_name_of_person(text, start)
        or _LINE_BEFORE.match(before)
        or _PERSON_BEFORE.match(before)
    ):
        return None
    return None if _AGE_AFTER.match(text, end) else (start, end)


def thing(text: str, start: int, end: int) -> Bounds | None:
    """Things that are known by a name alone, one or several in a row: Trendelenburg, Kerlix."""
    last = position = start
    certain = False
    word = ""
    while match := _WORD.match(text, position, end):
        phrase = _phrase(text, match.end(), end, match[0])
        if not (phrase or _is_bare(match[0]) or (certain and _is_eponym(match[0]))):
            break
        word = match[0]
        certain = certain or bool(phrase) or _is_bare(word)
        last = phrase or match.end() - (2 if word.endswith(_GENITIVE) else 0)
        if side := _SIDE.match(text, last, end):
            last = side.end()
        joint = _JOINT.match(text, max(last, match.end()), end)
        if joint is None:
            break
        position = joint.end()
    if last == start or _is_name_of_person(text, start) or _NUMBER_FOLLOWS.match(text, last):
        return None
    before = text[max(0, start - _LOOK_BACK) : start]
    if _PERSON_BEFORE.match(before) or _goes_on_as_person(text, last):
        return None
    amount = _AMOUNT.match(text, last) if fold(word) in SETS["brands"] else None
    return start, amount.end() if amount else last


def _begins_eponym(word: str) -> bool:
    """Whether an eponym may begin with a word: "Jackson" of "Jackson-Pratt", "O" of "O'Brien"."""
    return word[0].isupper() and (
        len(word) == 1 or fold(word) in _first_words("compounds") or _is_eponym(word)
    )


def _begins_thing(word: str) -> bool:
    """Whether the name of a thing may begin with a word."""
    return _begins_eponym(word) or (
        word[0].isupper()
        and (fold(word) in _first_words("phrases") | _first_words("brands") or _is_bare(word))
    )


@cache
def _first_words(name: str) -> frozenset[str]:
    """The first words of the entries of a set that have several words."""
    return frozenset(re.split(r"\W", entry)[0] for entry in SETS[name])


def _phrase(text: str, position: int, end: int, first: str) -> int | None:
    """The end of a listed name of two words, after the first word."""
    second = _WORD.match(text, position + 1, end) if text[position : position + 1] == " " else None
    if second and f"{fold(first)}-{fold(_nominative(second[0]))}" in SETS["phrases"]:
        return second.end()
    return None


def _words_of_name(text: str, start: int, end: int) -> Iterator[str]:
    """The words of a name at the beginning of a match; genitives and particles are left out."""
    last = start
    for match in _WORD.finditer(text, start, end):
        word = match[0]
        if text[last : match.start()].strip(" -–/.") or not word[0].isupper():
            if fold(word) in _PARTICLES or word == "and":
                continue
            return
        last = match.end()
        if fold(word) in _PARTICLES:
            continue
        if last - match.start() == 1 or word.isupper():
            return
        yield _nominative(word)


def _nominative(word: str) -> str:
    return word[:-2] if word.endswith(_GENITIVE) else word


def _is_scale(word: str) -> bool:
    return any(part in SETS["scales"] for part in fold(word).split("-"))


@lru_cache(CACHE_SIZE)
def _is_eponym(word: str) -> bool:
    """Whether a word is a name after which something is named."""
    folded = fold(_nominative(word)).replace("'", "").replace("’", "")
    if any(folded in SETS[name] for name in ("eponyms", "bare", "compounds", "scales")):
        return True
    if word[0].isupper() and lexicon(LANGUAGE, "medical").match(_nominative(word)):
        return True
    parts = _HYPHEN.split(_nominative(word))
    return 1 < len(parts) and all(part and _is_eponym(part) for part in parts)


@lru_cache(CACHE_SIZE)
def _is_bare(word: str) -> bool:
    """Whether a word means the thing if no person is near: no list of names contains it."""
    if not word[0].isupper():
        return False
    form = _nominative(word)
    folded = fold(form)
    if any(folded in SETS[name] for name in ("bare", "brands", "compounds")):
        return True
    if "-" in form and _is_eponym(form):
        return any(fold(part) in SETS["bare"] for part in _HYPHEN.split(form))
    if word_marks(LANGUAGE)(form) & _NAME_MARKS:
        return False
    if form.isupper():
        return folded in SETS["abbreviations"]
    return folded in _capitalised_clinical_words() and not is_ordinary(form)


@cache
def _capitalised_clinical_words() -> frozenset[str]:
    """The words with a capital in the clinical lexicons: drugs, eponyms, devices."""
    words = (word for kind in ("medical", "clinical") for word in lexicon(LANGUAGE, kind))
    return frozenset(fold(word) for word in words if word[0].isupper() and not word.isupper())


def _is_name_of_person(text: str, start: int) -> bool:
    """Whether a title, an initial or a given name precedes."""
    before = text[max(0, start - _LOOK_BACK) : start]
    if _TITLE_BEFORE.match(before):
        return True
    last = _LAST_WORD.match(before)
    if last is None or not last[1][0].isupper():
        return False
    kind = kind_of(last[1])
    return bool(kind & bits.GIVEN and kind & bits.CLEAR) and not _is_eponym(last[1])


def _goes_on_as_person(text: str, end: int) -> bool:
    """Whether a given name, a degree, an address or an action of a person follows."""
    if _PERSON_AFTER.match(text, end):
        return True
    following = _NEXT_WORD.match(text, end)
    if following is None or not following[1][0].isupper():
        return False
    kind = kind_of(following[1])
    return bool(kind & (bits.CLEAR | bits.PLACE)) and not _is_eponym(following[1])


START_TESTS = {"<eponym>": _begins_eponym, "<thing>": _begins_thing}
