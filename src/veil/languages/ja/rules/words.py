"""What a Japanese word may be: a surname, a given name, a place, or an ordinary word.

The lists are used first, and ipadic for words that they lack. Records also write names in kana and
in Latin letters, so a word is looked up in all these forms.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from itertools import product

from veil.core.patterns import compile_pattern
from veil.detect.rules.adjustments import CACHE_SIZE, GIVEN_MARKS, word_lists
from veil.languages.ja import JAPANESE
from veil.lexicons import Mark, lexicon, word_marks
from veil.lexicons.folding import fold_in_place

LANGUAGE = "ja"
SETS, LISTS = word_lists(LANGUAGE)

KANJI = "\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HIRAGANA = "\u3041-\u3096\u309d\u309e"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30fe\uff66-\uff9f"
LATIN = "A-Za-zÀ-ɏＡ-Ｚａ-ｚ"

_SURNAME = Mark.SURNAME.value
_PLACE = (Mark.CITY | Mark.REGION).value
_ORDINARY = (
    Mark.COMMON
    | Mark.MEDICAL
    | Mark.TITLE
    | Mark.DOCTOR_TITLE
    | Mark.PROFESSION
    | Mark.RELATIVE
    | Mark.NATIONALITY
    | Mark.HOSPITAL_HEAD
    | Mark.MONTH
    | Mark.WEEKDAY
).value
_TO_KATAKANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}
_ALL_KANJI = compile_pattern(f"[{KANJI}]+")
# Given names that no list needs to contain: kana or two kanji before 子, kana before 代 and the
# like.
_GIVEN_FORM = compile_pattern(
    f"[{HIRAGANA}]{{2,3}}[子代江枝美恵香奈]|[{KANJI}]{{2}}子|[{KATAKANA}]{{2}}子"
)
# Surnames with a particle inside: 竹ノ内, 三ツ矢; 三ヶ月 is not one.
_SURNAME_FORM = compile_pattern(f"[{KANJI}]{{1,2}}[ノツヶケ](?![月所国年日])[{KANJI}]{{1,2}}")
_LENGTHS_OF_SURNAMES = (2, 3, 1)
_HONORIFICS = frozenset("さん さま ちゃん くん".split())


@lru_cache(CACHE_SIZE)
def _marks(word: str) -> int:
    look_up = word_marks(LANGUAGE)
    marks = look_up(word)
    if not _ALL_KANJI.fullmatch(word):
        marks |= look_up(word.translate(_TO_KATAKANA))
        for kana in kana_of(word):
            marks |= look_up(kana) & (_SURNAME | GIVEN_MARKS)
    return marks


@lru_cache(CACHE_SIZE)
def _ipadic(word: str) -> str:
    """Return ipadic's class of a word that it has as a whole: "人名-姓", "地域-一般"; else ""."""
    morphemes = JAPANESE.morphemes(word)
    return morphemes[0].pos_fine if len(morphemes) == 1 else ""


def is_surname(word: str) -> bool:
    """Whether a list or ipadic has the word as a surname."""
    if _marks(word) & _SURNAME or _SURNAME_FORM.fullmatch(word):
        return True
    return _ALL_KANJI.fullmatch(word) is not None and _ipadic(word) == "人名-姓"


def is_listed_surname(word: str) -> bool:
    """Whether a list has the word as a surname."""
    return bool(_marks(word) & _SURNAME)


def is_given(word: str) -> bool:
    """Whether a list or ipadic has the word as a given name, or it is built like one."""
    return _is_listed_given(word) or _ipadic(word) == "人名-名"


def is_place(word: str) -> bool:
    """Whether a list or ipadic has the word as a town or a region."""
    return bool(_marks(word) & _PLACE) or is_analysed_place(word)


def is_analysed_place(word: str) -> bool:
    """Whether ipadic has the word as a place, rather than as something else."""
    return _ipadic(word).startswith("地域")


def is_analysed_name(word: str) -> bool:
    """Whether ipadic has the word as a personal name, rather than as something else."""
    return _ipadic(word).startswith("人名-")


@lru_cache(CACHE_SIZE)
def is_ordinary(word: str) -> bool:
    """Whether a list has the word as something other than a name."""
    return bool(_marks(word) & _ORDINARY) or any(
        word in lexicon(LANGUAGE, kind) for kind in ("ordinary", "clinical")
    )


def is_other(word: str) -> bool:
    """Whether a word that may be a name more often means something else: 長男, 希望."""
    return is_ordinary(word) and not is_surname(word) and not is_analysed_name(word)


def is_full_name(word: str) -> bool:
    """Whether the word is a surname and a given name without a space."""
    return surname_length(word) is not None


@cache
def _kanji_surnames() -> frozenset[str]:
    return frozenset(filter(_ALL_KANJI.fullmatch, lexicon(LANGUAGE, "surname").keys.folded))


def begins_with_surname(text: str, start: int) -> bool:
    """Whether a surname of the lists may begin here; only kanji are checked.

    It is called for every run of kanji, so it must be fast.
    """
    known = _kanji_surnames()
    head = text[start : start + 3]
    if not (head in known or head[:2] in known or head[:1] in known):
        head = fold_in_place(head)
        if not (head in known or head[:2] in known or head[:1] in known):
            return not _ALL_KANJI.match(head)
    return True


@lru_cache(CACHE_SIZE)
def is_listed_full_name(word: str) -> bool:
    """Whether the word is a surname and a given name of the lists; ipadic is not used."""
    return any(
        _marks(word[:length]) & _SURNAME and _is_listed_given(word[length:])
        for length in _LENGTHS_OF_SURNAMES
        if length < len(word)
    )


def _is_listed_given(word: str) -> bool:
    if word in _HONORIFICS:
        return False
    return (
        bool(_marks(word) & GIVEN_MARKS)
        or word in SETS["short_given"]
        or bool(_GIVEN_FORM.fullmatch(word))
    )


@lru_cache(CACHE_SIZE)
def surname_length(word: str) -> int | None:
    """The length of the surname in a full name, or None if the word is not a full name."""
    for length in _LENGTHS_OF_SURNAMES:
        if length < len(word) and is_surname(word[:length]) and is_given(word[length:]):
            return length
    return None


def is_name(word: str) -> bool:
    """Whether the word is a surname, a given name, or both together."""
    return is_surname(word) or is_given(word) or is_full_name(word)


# Names in Latin letters: the katakana that they may stand for.
_KANA = dict(pair.split(":") for pair in LISTS["romaji"])
# A syllable; a double consonant (Hattori) and the m before b, m, p (Homma) go before it.
_SYLLABLE = compile_pattern(
    r"(?P<double>(?:(?P<c>[ksptgdbhfz])(?=(?P=c))|t(?=ch))?)"
    r"(?P<kana>(?:[kgsztdnhbpmr]y|sh|ch|ts|[kgsztdnhbpmrywfj])?[aiueo](?P<long>h(?![aiueoy]))?"
    r"|n(?![aiueoy])'?|m(?=[bmp]))"
)
_VOWELS = frozenset("aiueo")
_LONGEST_ROMAJI = 20
_MOST_LONG_VOWELS = 3


@lru_cache(1 << 12)
def kana_of(word: str) -> tuple[str, ...]:
    """Return possible katakana of a word in Latin letters: Ono is オノ or オオノ, Sato サトウ.

    Passports do not show long vowels, so every o and u may be long; a word that cannot be read as
    Japanese syllables has none.
    """
    letters = unicodedata.normalize("NFKD", word).lower()
    letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
    if not letters.isascii() or not letters.isalpha() or _LONGEST_ROMAJI < len(letters):
        return ()
    readings: list[tuple[str, ...]] = []
    position = vowels = 0
    while position < len(letters):
        match = _SYLLABLE.match(letters, position)
        if match is None:
            return ()
        syllable = match["kana"].removesuffix("'")
        kana = _KANA.get(syllable.removesuffix("h") if match["long"] else syllable)
        if kana is None:
            return ()
        double = "ッ" if match["double"] else ""
        long_vowel = "ウ" if syllable.rstrip("h").endswith(("o", "u")) else ""
        vowels += bool(long_vowel)
        options = [double + kana]
        if syllable[0] == "n" and syllable[1:] in _VOWELS:  # Shinichi may be シニチ or シンイチ
            options.append("ン" + _KANA[syllable[1:]])
        if long_vowel and vowels <= _MOST_LONG_VOWELS:
            longer = "ウオ" if syllable.rstrip("h").endswith("o") else "ウ"
            options += [option + vowel for option in options for vowel in longer]
        readings.append(tuple(options))
        position = match.end()
    return tuple("".join(reading) for reading in product(*readings))
