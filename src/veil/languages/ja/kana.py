"""Japanese readings in hiragana, katakana of full and half width, and Latin letters."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SHIFT = ord("ァ") - ord("ぁ")
_TO_KATAKANA = {code: code + _SHIFT for code in range(ord("ぁ"), ord("ゖ") + 1)}
_TO_HIRAGANA = {after: before for before, after in _TO_KATAKANA.items()}
# Each half-width katakana, with its mark of voice where it has one, by the full-width one.
_HALF = {
    unicodedata.normalize("NFKC", chr(code) + mark): chr(code) + mark
    for mark in ("", "ﾞ", "ﾟ")
    for code in range(ord("ｦ"), ord("ﾝ") + 1)
}

_SYLLABLES = {
    **dict(zip("あいうえお", "aiueo", strict=True)),
    **{
        kana: consonant + vowel
        for consonant, row in {
            "k": "かきくけこ",
            "s": "さしすせそ",
            "t": "たちつてと",
            "n": "なにぬねの",
            "h": "はひふへほ",
            "m": "まみむめも",
            "r": "らりるれろ",
            "g": "がぎぐげご",
            "z": "ざじずぜぞ",
            "d": "だぢづでど",
            "b": "ばびぶべぼ",
            "p": "ぱぴぷぺぽ",
        }.items()
        for kana, vowel in zip(row, "aiueo", strict=True)
    },
    **dict(zip("やゆよわをんゔー", ("ya", "yu", "yo", "wa", "o", "n", "vu", ""), strict=True)),
    **dict(zip("しちつふじぢづ", ("shi", "chi", "tsu", "fu", "ji", "ji", "zu"), strict=True)),
}
_KANA_OF = {sound: kana for kana, sound in _SYLLABLES.items() if sound} | {
    consonant + vowel: kana + glide
    for consonant, kana in zip(
        ("ky", "sh", "ch", "ny", "hy", "my", "ry", "gy", "j", "by", "py"),
        "きしちにひみりぎじびぴ",
        strict=True,
    )
    for vowel, glide in zip("auo", "ゃゅょ", strict=True)
}
_LONGEST_SYLLABLE = 3
_GLIDES = {"ゃ": "ya", "ゅ": "yu", "ょ": "yo"}
_SMALL_VOWELS = dict(zip("ぁぃぅぇぉ", "aiueo", strict=True))
_SMALL_TSU = "っ"
_DOUBLED = re.compile(r"([bdfgkpstz])\1|tch")
_SOFT = ("sh", "ch", "j")

# Passports leave out that a vowel is long; Inoue, Matsuura and Yamanouchi have no long vowel there.
_LONG = re.compile(r"oo|ou(?!e|chi)|uu(?!ra)")
# Other ways of writing the same sounds.
_OTHER_SPELLINGS = (
    (re.compile(r"(?<![cs])h(?![aiueoy])"), ""),
    (re.compile(r"sy(?=[auo])"), "sh"),
    (re.compile(r"[tc]y(?=[auo])"), "ch"),
    (re.compile(r"[zj]y(?=[auo])"), "j"),
    (re.compile(r"si"), "shi"),
    (re.compile(r"ti"), "chi"),
    (re.compile(r"tu"), "tsu"),
    (re.compile(r"zi|di"), "ji"),
    (re.compile(r"(?<![cs])hu"), "fu"),
    (re.compile(r"du"), "zu"),
    (re.compile(r"m(?=[bmp])"), "n"),
    (re.compile(r"n'"), "n"),
    (re.compile(r"oo|ou"), "o"),
    (re.compile(r"uu"), "u"),
)
_ANY_OTHER_SPELLING = re.compile(r"h(?![aiueoy])|y|[st]i|tu|[zd]i|hu|du|m[bmp]|n'|o[ou]|uu")
_REMEMBERED = 1 << 13


@lru_cache(_REMEMBERED)
def hiragana(kana: str) -> str:
    """ﾔﾏﾀﾞ and ヤマダ are やまだ."""
    return unicodedata.normalize("NFKC", kana).translate(_TO_HIRAGANA)


def katakana(reading: str) -> str:
    """やまだ is ヤマダ."""
    return reading.translate(_TO_KATAKANA)


def half_width(reading: str) -> str:
    """やまだ is ﾔﾏﾀﾞ."""
    return "".join(_HALF.get(kana, kana) for kana in katakana(reading)).replace("ー", "ｰ")


def romaji(reading: str) -> str:
    """Small Latin letters by Hepburn's table with long vowels short: さとう is sato."""
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
    return _LONG.sub(lambda match: match[0][0], made)


@lru_cache(_REMEMBERED)
def kana_of_romaji(word: str) -> str | None:
    """The reading in hiragana of a word that is written like a Japanese one: Sonobe is そのべ."""
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


@lru_cache(_REMEMBERED)
def compared_romaji(word: str) -> str:
    """A name in Latin letters as it is compared: Satō, Satou, Satoh and SATO are one."""
    decomposed = unicodedata.normalize("NFKD", word).lower()
    letters = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    if not _ANY_OTHER_SPELLING.search(letters):
        return letters
    for pattern, plain in _OTHER_SPELLINGS:
        letters = pattern.sub(plain, letters)
    return letters
