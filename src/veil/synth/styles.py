"""Styles: changes of a note by typists, forms and printers, with correct spans."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from veil.languages import language_part
from veil.lexicons.folding import fold, without_diacritics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from veil.synth.segments import Segment

    Style = Callable[[Sequence[Segment], Random], list[Segment]]

_WORD = re.compile(r"[^\W\d_]{5,}")
_GLUED = re.compile(r"([.,:;]) (?=\S)")
_KEY = re.compile(r"(?:(?<=\n)|(?<=   )|(?<=\t))([^\W\d_a-z][^\n:|\t]{1,28}):(?=\s)")
_BULLET = re.compile(r"(?<=\n)- ")
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=[^\W\d_a-z])")
_KEY_FORMS = ("{}:", "{} :", "{} -", "{} =", "**{}:**", "{}\t", "[{}]", "- {}:", "{}:\n", "{}....:")
_BULLETS = ("• ", "* ", "-", "– ", "> ", "o ", "")
_WIDTHS = (60, 66, 72, 76, 80)


def _everywhere(change: Callable[[str], str]) -> Style:
    """Return a style that changes all text, in spans and outside."""
    return lambda segments, rng: [replace(each, text=change(each.text)) for each in segments]


def _in_plain_text(segments: Sequence[Segment], change: Callable[[str], str]) -> list[Segment]:
    """Change the text outside spans."""
    return [each if each.label else replace(each, text=change(each.text)) for each in segments]


def _at_line_starts(
    segments: Sequence[Segment], change: Callable[[str], str], pattern: re.Pattern[str]
) -> list[Segment]:
    """Change the matches of a pattern at the start of lines in plain text."""
    made: list[Segment] = []
    before = "\n"
    for segment in segments:
        if segment.label is None:
            # The start of a segment is the start of a line only after a line break or a wide gap.
            lead = "\n" if before.endswith(("\n", "   ", "\t")) else "x"
            text = pattern.sub(
                lambda match: change(match[match.lastindex or 0]), lead + segment.text
            )
            made.append(replace(segment, text=text[1:]))
        else:
            made.append(segment)
        before = segment.text or before
    return made


def other_keys(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Write the keys of fields in another form: KEY:, Key -, **Key:**."""
    form = rng.choice(_KEY_FORMS)
    upper = rng.random() < 0.4
    return _at_line_starts(segments, lambda key: form.format(key.upper() if upper else key), _KEY)


def other_bullets(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Write a sign other than a hyphen before list items."""
    bullet = rng.choice(_BULLETS)
    return _at_line_starts(segments, lambda _: bullet, _BULLET)


def wide_spaces(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Write two spaces between sentences, as on typewriters."""
    return _in_plain_text(segments, lambda text: _SENTENCE_END.sub("  ", text))


# Write curved apostrophes and long dashes, as word processors do.
typographic = _everywhere(lambda text: text.replace("'", "’").replace(" - ", " – "))

# Write everything in capitals.
capitals = _everywhere(str.upper)

# Write everything in lower case.
small = _everywhere(str.lower)


def some_names_small(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Write a third of the names in lower case."""
    return [
        replace(segment, text=segment.text.lower())
        if segment.label in ("PATIENT", "DOCTOR", "NAME") and rng.random() < 1 / 3
        else segment
        for segment in segments
    ]


@cache
def _bare(letter: str) -> str:
    plain = without_diacritics(fold(letter))
    if len(plain) != 1:
        return letter
    return plain.upper() if letter.isupper() else plain


# Write letters without accents, as some keyboards and systems do.
without_accents = _everywhere(
    lambda text: "".join(each if each.isascii() else _bare(each) for each in text)
)


def fixed_width(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Break lines at a width, inside sentences and names."""
    width = rng.choice(_WIDTHS)
    column = 0
    made = []
    for segment in segments:
        text = ""
        for word in re.findall(r"\n|[^\S\n]+|\S+", segment.text):
            if word == "\n":
                column = 0
            elif word.isspace() and width - 8 <= column:
                word, column = "\n", 0
            else:
                column += len(word)
            text += word
        made.append(replace(segment, text=text))
    return made


def typing_errors(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Typing errors: two letters of a word swapped, or one missing; more often inside spans."""

    def slip(match: re.Match[str], share: float) -> str:
        word = match[0]
        if share < rng.random():
            return word
        index = rng.randrange(1, len(word) - 2)
        if rng.random() < 0.5:
            return word[:index] + word[index + 1] + word[index] + word[index + 2 :]
        return word[:index] + word[index + 1 :]

    return [
        replace(
            segment,
            text=_WORD.sub(lambda m, p=segment: slip(m, 0.03 if p.label else 0.015), segment.text),  # type: ignore[misc]
        )
        for segment in segments
    ]


def glued(segments: Sequence[Segment], rng: Random) -> list[Segment]:
    """Leave out some spaces after a full stop, comma or colon."""

    def glue(match: re.Match[str]) -> str:
        return match[1] if rng.random() < 0.08 else match[0]

    return _in_plain_text(segments, lambda text: _GLUED.sub(glue, text))


# Write the line ends of Windows.
crlf = _everywhere(lambda text: text.replace("\r\n", "\n").replace("\n", "\r\n"))

# Write everything on one line, as some exports do.
flat = _everywhere(lambda text: re.sub(r"\s*\n\s*", " ", text))


# Each style with the share of records that have it; a record may have several.
LATIN_STYLES: tuple[tuple[Style, float], ...] = (
    (other_keys, 0.2),
    (other_bullets, 0.2),
    (wide_spaces, 0.1),
    (typographic, 0.08),
    (typing_errors, 0.15),
    (glued, 0.12),
    (some_names_small, 0.06),
    (without_accents, 0.05),
    (fixed_width, 0.12),
    (flat, 0.04),
    (capitals, 0.05),
    (small, 0.03),
    (crlf, 0.03),
)


def styles_of(language: str) -> Sequence[tuple[Style, float]]:
    """Return the styles of a language: its own, or those of languages with Latin letters."""
    own: Sequence[tuple[Style, float]] = getattr(
        language_part(language, "synth"), "STYLES", LATIN_STYLES
    )
    return own


def apply_styles(
    segments: Sequence[Segment], rng: Random, styles: Sequence[tuple[Style, float]]
) -> list[Segment]:
    """Apply some of the styles to a note, each with its probability; often none."""
    made = list(segments)
    for style, share in styles:
        if rng.random() < share:
            made = style(made, rng)
    return made
