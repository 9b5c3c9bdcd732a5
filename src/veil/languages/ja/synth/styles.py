"""What Japanese keyboards, systems and printers do to a note."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from veil.languages.base import read_language_toml
from veil.languages.ja.kana import half_width
from veil.synth.styles import crlf, flat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from veil.synth.segments import Segment
    from veil.synth.styles import Style

_WIDE = 0xFEE0
_WIDE_DIGITS = {code: code + _WIDE for code in range(ord("0"), ord("9") + 1)}
_WIDE_LETTERS = {
    code: code + _WIDE
    for code in range(0x21, 0x7F)
    if chr(code).isalnum() or chr(code) in "().,%+-/:"
}
_WIDE_MARKS = re.compile(r"(?<=[０-９])[-/.:](?=[０-９])")
# Addresses are never typed in full width.
_TIMES = ("DATE", "TIME")
_GAPS = (" ", "　", "の")
_NARROW = frozenset({"EMAIL", "URL", "IPADDR", "USERNAME"})
_FORMS = read_language_toml("ja", "synth/styles.toml")
_HEADING = re.compile(r"【([^【】\n]{1,20})】")
_COLONS = (":", ": ", "　", " ", "＝", " : ", "→")
_WIDTHS = (28, 32, 36, 40, 44, 50)
_NO_LINE_BEGINS = "、。，．,.）)」』】］｝:：;；・ー～%％ぁぃぅぇぉっゃゅょァィゥェォッャュョ "
_CLOCK = re.compile(r"[:：時]|午[前後]|朝|夕|夜|深夜|未明|昼|明け方")
_TOLD_HOUR = re.compile(r"[0-9][:：時]")
_OPTION = re.compile(r"(?:頃|ごろ|ころ)?(?:より(?!も)|から|まで|以降|以後|迄)|(?:頃|ごろ)")
_HIRAGANA = re.compile("(?<=[ぁ-ん])[ぁ-ん](?=[ぁ-ん])")


def _on_plain(change: Callable[[str], str], segments: Sequence[Segment]) -> list[Segment]:
    return [
        segment if segment.label else replace(segment, text=change(segment.text))
        for segment in segments
    ]


def _translated(segments: Sequence[Segment], table: Mapping[int, int]) -> list[Segment]:
    return [
        segment
        if segment.label in _NARROW
        else replace(segment, text=segment.text.translate(table))
        for segment in segments
    ]


def whole_times(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Join a day and the time after it to one span, and a time and the words that follow it."""
    made: list[Segment] = []
    for segment in segments:
        before = made[-1] if made else None
        if before is not None and before.label in _TIMES and segment.label is None:
            option = _OPTION.match(segment.text)
            if option and not before.text.endswith(option[0]):
                made[-1] = replace(before, text=before.text + option[0])
                segment = replace(segment, text=segment.text[option.end() :])
        elif segment.label == "TIME" and _CLOCK.search(segment.text):
            gap = made.pop().text if made and made[-1].text in _GAPS else ""
            if made and made[-1].label in _TIMES and not _TOLD_HOUR.search(made[-1].text):
                made[-1] = replace(made[-1], text=made[-1].text + gap + segment.text)
                continue
            if gap:
                made.append(replace(segment, text=gap, label=None))
        made.append(segment)
    return made


def wide_digits(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Digits in full width, and sometimes the marks between them: １２０／８０."""
    made = _translated(segments, _WIDE_DIGITS)
    if rng.random() < 0.5:
        return made
    return [
        replace(segment, text=_WIDE_MARKS.sub(lambda m: chr(ord(m[0]) + _WIDE), segment.text))
        for segment in made
    ]


def wide_letters(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Digits, Latin letters and marks in full width."""
    return _translated(segments, _WIDE_LETTERS)


def mixed_digits(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Some digits in full width, as some people type."""
    return [
        segment if rng.random() < 0.7 else wide_digits([segment], rng)[0] for segment in segments
    ]


def narrow_kana(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Katakana in half width, as in old systems."""
    return [replace(segment, text=half_width(segment.text)) for segment in segments]


def other_punctuation(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Other marks for 、 and 。, or spaces instead."""
    table = str.maketrans(rng.choice(_FORMS["punctuation"]))
    return _on_plain(lambda text: text.translate(table), segments)


def other_headings(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Headings in other brackets or none."""
    form = rng.choice(_FORMS["headings"])
    return _on_plain(lambda text: _HEADING.sub(lambda m: form.format(m[1]), text), segments)


def other_colons(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Another mark between a key and its value."""
    colon = rng.choice(_COLONS)
    return _on_plain(lambda text: text.replace("：", colon), segments)


def narrow_blanks(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Half-width spaces instead of full-width ones, one or two."""
    blank = rng.choice((" ", " ", "  ", "\t"))
    return _on_plain(lambda text: text.replace("　", blank), segments)


def no_last_stop(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """No stop at the end of lines."""
    return _on_plain(lambda text: text.replace("。\n", "\n"), segments)


def no_blank_lines(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Lines without empty ones between them."""
    return _on_plain(lambda text: re.sub(r"\n{2,}", "\n", text), segments)


def narrow_page(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Lines wrapped at any character of a fixed width, but not inside identifiers."""
    width = rng.choice(_WIDTHS)
    column = 0
    made = []
    for segment in segments:
        text = ""
        for character in segment.text:
            if character == "\n":
                column = 0
            elif width <= column and not segment.label and character not in _NO_LINE_BEGINS:
                text, column = text + "\n", 0
            text += character
            column += character != "\n"
        made.append(replace(segment, text=text))
    return made


def slips_of_kana(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Sometimes a kana is missing or doubled."""

    def slip(match: re.Match[str]) -> str:
        return match[0] if 0.008 < rng.random() else rng.choice(("", match[0] * 2))

    return _on_plain(lambda text: _HIRAGANA.sub(slip, text), segments)


# Each style with the share of records that have it; several may be combined.
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
