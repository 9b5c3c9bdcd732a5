"""Japanese readings in hiragana, katakana of full and half width, and Latin letters."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from veil.core.patterns import compile_pattern
from veil.languages.base import read_language_toml

_SHIFT = ord("ァ") - ord("ぁ")
_TO_KATAKANA = {code: code + _SHIFT for code in range(ord("ぁ"), ord("ゖ") + 1)}
_TO_HIRAGANA = {after: before for before, after in _TO_KATAKANA.items()}
# Each half-width katakana, with its voicing mark if it has one, by the full-width one.
_TO_HALF_WIDTH = {
    ord(kana): half
    for mark in ("", "ﾞ", "ﾟ")
    for half in (chr(code) + mark for code in range(ord("･"), ord("ﾝ") + 1))
    if len(kana := unicodedata.normalize("NFKC", half)) == 1
}

_DATA = read_language_toml("ja", "kana.toml")
_SYLLABLES = dict(pair.split("=") for pair in _DATA["syllables"].split())
# What is no kana has no sound.
_SOUNDS = dict.fromkeys(range(128)) | str.maketrans(_SYLLABLES)
_KANA_OF = {sound: kana for kana, sound in _SYLLABLES.items() if sound} | {
    sound: kana for kana, sound in (pair.split("=") for pair in _DATA["glides"].split())
}
_LONGEST_SYLLABLE = 3
_GLIDES = {"ゃ": "ya", "ゅ": "yu", "ょ": "yo"}
_SMALL_VOWELS = dict(zip("ぁぃぅぇぉ", "aiueo", strict=True))
_SMALL_TSU = "っ"
_DOUBLED = compile_pattern(r"([bdfgkpstz])\1|tch")
_SOFT = ("sh", "ch", "j")

# Passports do not show long vowels; Inoue, Matsuura and Yamanouchi have no long vowel there.
_LONG = compile_pattern(r"oo|ou(?!e|chi)|uu(?!ra)")
_OTHER_SPELLINGS = [(compile_pattern(form), plain) for form, plain in _DATA["spellings"].items()]
_ANY_OTHER_SPELLING = compile_pattern(r"h(?![aiueoy])|y|[st]i|tu|[zd]i|hu|du|m[bmp]|n'|o[ou]|uu")
_CACHE_SIZE = 1 << 13


@lru_cache(_CACHE_SIZE)
def hiragana(kana: str) -> str:
    """Return kana as hiragana: ﾔﾏﾀﾞ and ヤマダ are やまだ."""
    return unicodedata.normalize("NFKC", kana).translate(_TO_HIRAGANA)


def katakana(reading: str) -> str:
    """Return hiragana as katakana: やまだ is ヤマダ."""
    return reading.translate(_TO_KATAKANA)


def half_width(text: str) -> str:
    """Return a text with its katakana in half width: ヤマダ is ﾔﾏﾀﾞ."""
    return text.translate(_TO_HALF_WIDTH)


def romaji(reading: str) -> str:
    """Return Hepburn romanisation in lower case with long vowels short: さとう is sato."""
    return _LONG.sub(lambda match: match[0][0], hepburn(reading))


def hepburn(reading: str) -> str:
    """Return Hepburn romanisation in lower case, kana by kana: さとう is satou."""
    plain = reading.translate(_SOUNDS)
    if plain.isascii():  # each kana is a syllable, as in most names
        return plain
    made = ""
    doubled = False
    for kana in reading:
        if kana == _SMALL_TSU:
            doubled = True
            continue
        if kana in _GLIDES:
            stem = made[:-1]
            made = stem + (_GLIDES[kana][1:] if stem.endswith(_SOFT) else _GLIDES[kana])
            continue
        if kana in _SMALL_VOWELS:
            made = made[:-1] + _SMALL_VOWELS[kana]
            continue
        sound = _SYLLABLES.get(kana, "")
        if doubled and sound:
            made += "t" if sound.startswith("ch") else sound[0]
            doubled = False
        made += sound
    return made


@lru_cache(_CACHE_SIZE)
def kana_of_romaji(word: str) -> str | None:
    """Return the hiragana of a word that looks like a Japanese name: Sonobe is そのべ."""
    letters, made = compared_romaji(word), ""
    while letters:
        if _DOUBLED.match(letters):
            letters, made = letters[1:], made + _SMALL_TSU
        ends = range(_LONGEST_SYLLABLE, 0, -1)
        sound = next((letters[:end] for end in ends if letters[:end] in _KANA_OF), None)
        if sound is None:
            return None
        made, letters = made + _KANA_OF[sound], letters[len(sound) :]
    return made


@lru_cache(_CACHE_SIZE)
def compared_romaji(word: str) -> str:
    """Return a name in Latin letters in its form for comparison: Satō and Satoh are equal."""
    letters = word.lower()
    if not letters.isascii():
        decomposed = unicodedata.normalize("NFKD", word).lower()
        letters = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    if not _ANY_OTHER_SPELLING.search(letters):
        return letters
    for pattern, plain in _OTHER_SPELLINGS:
        letters = pattern.sub(plain, letters)
    return letters
