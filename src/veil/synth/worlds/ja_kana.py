"""Kana in other letters: katakana of full and half width, Latin letters as passports have them."""

from __future__ import annotations

import unicodedata

_TO_KATAKANA = {code: code + 0x60 for code in range(ord("ぁ"), ord("ゖ") + 1)}
# Every half-width character by the full-width one that it stands for.
_HALF = {unicodedata.normalize("NFKC", chr(code)): chr(code) for code in range(0xFF61, 0xFF9E)}
_VOICED = {"\u3099": "ﾞ", "\u309a": "ﾟ"}
_ROWS = {
    "": "あいうえお",
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
}
_IRREGULAR = dict(
    zip("しちつふじぢづ", ("shi", "chi", "tsu", "fu", "ji", "ji", "zu"), strict=True)
) | dict(zip("やゆよわをんー", ("ya", "yu", "yo", "wa", "o", "n", ""), strict=True))
_LATIN = {
    **{
        kana: start + vowel
        for start, row in _ROWS.items()
        for kana, vowel in zip(row, "aiueo", strict=True)
    },
    **_IRREGULAR,
}
_SMALL = {"ゃ": "a", "ゅ": "u", "ょ": "o"}
_HISSING = ("sh", "ch", "j")


def katakana(hiragana: str) -> str:
    """さとう is サトウ."""
    return hiragana.translate(_TO_KATAKANA)


def half_width(text: str) -> str:
    """サトウ is ｻﾄｳ, and ガ two characters: ｶﾞ; what has no narrow form stays."""
    made = []
    for character in text:
        if character in _HALF and (character == "ー" or "ァ" <= character):
            made.append(_HALF[character])
            continue
        decomposed = unicodedata.normalize("NFD", character)
        base, marks = decomposed[0], decomposed[1:]
        if base in _HALF and marks and all(mark in _VOICED for mark in marks):
            made.append(_HALF[base] + "".join(_VOICED[mark] for mark in marks))
        else:
            made.append(character)
    return "".join(made)


def latin(hiragana: str) -> str:
    """Small Latin letters by Hepburn's table, long vowels short: さとう is sato."""
    made = ""
    doubled = False
    for kana in hiragana:
        if kana == "っ":
            doubled = True
        elif kana in _SMALL:
            stem = made[:-1]
            made = stem + ("" if stem.endswith(_HISSING) else "y") + _SMALL[kana]
        else:
            sound = _LATIN.get(kana, "")
            if doubled and sound:
                made += "t" if sound.startswith("ch") else sound[0]
                doubled = False
            made += sound
    return made.replace("ou", "o").replace("oo", "o").replace("uu", "u")
