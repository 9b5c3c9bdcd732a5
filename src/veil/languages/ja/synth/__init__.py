"""Japanese dummy records: what their writers, keyboards and printers make of the text."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from veil.languages.ja.synth.numbers import Numbers
from veil.languages.ja.synth.people import half_width
from veil.synth.styles import crlf, flat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from veil.synth.people import Profile
    from veil.synth.pieces import Piece
    from veil.synth.styles import Style

_WIDE = 0xFEE0
_WIDE_DIGITS = {code: code + _WIDE for code in range(ord("0"), ord("9") + 1)}
_WIDE_LETTERS = {
    code: code + _WIDE
    for code in range(0x21, 0x7F)
    if chr(code).isalnum() or chr(code) in "().,%+-/:"
}
_WIDE_MARKS = re.compile(r"(?<=[０-９])[-/.:](?=[０-９])")
# Addresses that nobody types in full width.
_TIMES = ("DATE", "TIME")
_GAPS = (" ", "　", "の")
_NARROW = frozenset({"EMAIL", "URL", "IPADDR", "USERNAME"})
_PUNCTUATION = (
    {"、": "，"},
    {"、": "，"},
    {"、": "，", "。": "．"},
    {"、": ", ", "。": ". "},
    {"、": ",", "。": "."},
    {"、": "､", "。": "｡"},
    {"、": " ", "。": "。"},
    {"、": "　", "。": "　"},
    {"、": " ", "。": "\n"},
)
_HEADING = re.compile(r"【([^【】\n]{1,20})】")
_HEADINGS = (
    "［{}］",
    "〔{}〕",
    "＜{}＞",
    "■{}　",
    "◆{}　",
    "《{}》",
    "[{}]",
    "● {}　",
    "{}：",
    "＊{}＊",
    "{}　",
    "○{} ",
)
_COLONS = (":", ": ", "　", " ", "＝", " : ", "→")
_WIDTHS = (28, 32, 36, 40, 44, 50)
_NO_LINE_BEGINS = "、。，．,.）)」』】］｝:：;；・ー～%％ぁぃぅぇぉっゃゅょァィゥェォッャュョ "
_CLOCK = re.compile(r"[:：時]|午[前後]|朝|夕|夜|深夜|未明|昼|明け方")
_TOLD_HOUR = re.compile(r"[0-9][:：時]")
_OPTION = re.compile(r"(?:頃|ごろ|ころ)?(?:より(?!も)|から|まで|以降|以後|迄)|(?:頃|ごろ)")
_HIRAGANA = re.compile("(?<=[ぁ-ん])[ぁ-ん](?=[ぁ-ん])")


def _on_plain(change: Callable[[str], str], pieces: Sequence[Piece]) -> list[Piece]:
    return [piece if piece.label else replace(piece, text=change(piece.text)) for piece in pieces]


def _translated(pieces: Sequence[Piece], table: Mapping[int, int]) -> list[Piece]:
    return [
        piece if piece.label in _NARROW else replace(piece, text=piece.text.translate(table))
        for piece in pieces
    ]


def whole_times(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """A day with the time behind it is one span, and so is a time with the words that follow it."""
    made: list[Piece] = []
    for piece in pieces:
        before = made[-1] if made else None
        if before is not None and before.label in _TIMES and piece.label is None:
            option = _OPTION.match(piece.text)
            if option and not before.text.endswith(option[0]):
                made[-1] = replace(before, text=before.text + option[0])
                piece = replace(piece, text=piece.text[option.end() :])
        elif piece.label == "TIME" and _CLOCK.search(piece.text):
            gap = made.pop().text if made and made[-1].text in _GAPS else ""
            if made and made[-1].label in _TIMES and not _TOLD_HOUR.search(made[-1].text):
                made[-1] = replace(made[-1], text=made[-1].text + gap + piece.text)
                continue
            if gap:
                made.append(replace(piece, text=gap, label=None))
        made.append(piece)
    return made


def wide_digits(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """Digits in full width, and now and then the marks between them: １２０／８０."""
    made = _translated(pieces, _WIDE_DIGITS)
    if rng.random() < 0.5:
        return made
    return [
        replace(piece, text=_WIDE_MARKS.sub(lambda m: chr(ord(m[0]) + _WIDE), piece.text))
        for piece in made
    ]


def wide_letters(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """Digits, Latin letters and marks in full width."""
    return _translated(pieces, _WIDE_LETTERS)


def mixed_digits(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """Digits of full width here and there, as people type who do not care."""
    return [piece if rng.random() < 0.7 else wide_digits([piece], rng)[0] for piece in pieces]


def narrow_kana(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """Katakana in half width, as old systems have them."""
    return [replace(piece, text=half_width(piece.text)) for piece in pieces]


def other_punctuation(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """Other marks for 、 and 。, or blanks for them."""
    table = str.maketrans(rng.choice(_PUNCTUATION))
    return _on_plain(lambda text: text.translate(table), pieces)


def other_headings(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """Headings in other brackets or none."""
    form = rng.choice(_HEADINGS)
    return _on_plain(lambda text: _HEADING.sub(lambda m: form.format(m[1]), text), pieces)


def other_colons(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """Another mark between a key and its value."""
    colon = rng.choice(_COLONS)
    return _on_plain(lambda text: text.replace("：", colon), pieces)


def narrow_blanks(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """Half-width blanks for those of full width, one or two."""
    blank = rng.choice((" ", " ", "  ", "\t"))
    return _on_plain(lambda text: text.replace("　", blank), pieces)


def no_last_stop(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """No stop at the end of lines."""
    return _on_plain(lambda text: text.replace("。\n", "\n"), pieces)


def no_blank_lines(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """Lines without blank ones between them."""
    return _on_plain(lambda text: re.sub(r"\n{2,}", "\n", text), pieces)


def narrow_page(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """Lines broken at a width wherever that falls, but not inside what identifies."""
    width = rng.choice(_WIDTHS)
    column = 0
    made = []
    for piece in pieces:
        text = ""
        for character in piece.text:
            if character == "\n":
                column = 0
            elif width <= column and not piece.label and character not in _NO_LINE_BEGINS:
                text, column = text + "\n", 0
            text += character
            column += character != "\n"
        made.append(replace(piece, text=text))
    return made


def slips_of_kana(pieces: Sequence[Piece], rng: Random) -> list[Piece]:
    """Now and then a kana is missing or stands twice."""

    def slip(match: re.Match[str]) -> str:
        return match[0] if 0.008 < rng.random() else rng.choice(("", match[0] * 2))

    return _on_plain(lambda text: _HIRAGANA.sub(slip, text), pieces)


# Each style with how often a record has it; several may come together.
STYLES: tuple[tuple[Style, float], ...] = (
    (whole_times, 1.0),
    (slips_of_kana, 0.1),
    (other_headings, 0.35),
    (other_colons, 0.3),
    (narrow_blanks, 0.25),
    (no_last_stop, 0.12),
    (no_blank_lines, 0.15),
    (narrow_page, 0.1),
    (other_punctuation, 0.22),
    (wide_digits, 0.12),
    (mixed_digits, 0.08),
    (wide_letters, 0.05),
    (narrow_kana, 0.03),
    (flat, 0.04),
    (crlf, 0.03),
)

# Words that one writer prefers to another; each writer has some of these habits.
_HABITS = (
    (("癌", "がん"),),
    (("抗菌薬", "抗生剤"),),
    (("を認めた", "がみられた"), ("を認める", "がみられる"), ("を認めない", "はみられない")),
    (("施行した", "行った"), ("施行し", "行い")),
    (("疼痛", "痛み"),),
    (("訴えなし", "訴えない"), ("所見なし", "所見を認めない")),
    (("心電図", "ECG"), ("心エコー", "UCG")),
    (("患者は", "本人は"), ("患者が", "本人が")),
    (("である。", "です。"), ("であった。", "でした。")),
    (("血圧", "BP"), ("脈拍", "HR"), ("体温", "BT")),
    (("および", "及び"), ("または", "又は"), ("ため", "為"), ("すべて", "全て")),
    (("開始した", "開始"), ("終了した", "終了"), ("中止した", "中止")),
    (("となった。", "となる。"), ("とした。", "とする。")),
)


class World(Numbers):
    """One record, whose spans follow MedNLP with Veil's further labels."""

    sentence_space: ClassVar[str] = ""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._habits = frozenset(number for number in range(len(_HABITS)) if rng.random() < 0.18)

    def spelled(self, text: str) -> str:
        """Plain text in the words that the writer prefers."""
        return _rewritten(text, self._habits) if self._habits else text


@cache
def _preferred(habits: frozenset[int]) -> tuple[re.Pattern[str], dict[str, str]]:
    words = {word: other for number in sorted(habits) for word, other in _HABITS[number]}
    return re.compile("|".join(map(re.escape, words))), words


def _rewritten(text: str, habits: frozenset[int]) -> str:
    pattern, words = _preferred(habits)
    return pattern.sub(lambda match: words[match[0]], text)


SCENARIO = World
