"""Notes: mutated excerpts of dummy records, with intact planted identifiers."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tools.fuzz.plants import LANGUAGES, Plant, bare, plant, surname

from veil.languages.identification import identify
from veil.synth.notes import dummy_records

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

_POOL = 40
_LINE_ENDS = ("\r\n", "\r", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", " ")
_STRANGE = (
    *"\x01\x07\x08\x1b\x7f\x80\x9f\xa0\xad\u0301\u061c\u200b\u200d\u200e\u202e\u2060\ufeff\ufffd",
    *"\uffff\ue000\U0001f600\U000e0001\u3000",
    *("\x1b[31m", "\r", "\n", "\n\n\n", "\t", "\\", "\\n", "\\u0041", "%00", "${x}"),
)
_MARKS = (
    *'",;|\t',
    *("'", '""', '","', "[", "]", "{", "}", "<b>", "</div>", "&amp;", "&#246;", "<!-- -->"),
    *("[PATIENT-1]", "[DATE]", "████", "<PERSON>", "http://", "@", "1/1/1/1", "--", "......"),
)
# The text before and after a planted sentence.
_LINES = tuple((end, end) for end in ("\n", "\n", "\n\n", "\r\n", "\r", "\u2028", "\x85", "\x0b"))
_WORDS = (
    *((" ", " "), (" (", ") "), (' "', '" '), ("; ", "; "), ("\t", "\t"), (" | ", " | ")),
    *((" <p>", "</p> "), (" [", "] "), (" - ", " - ")),
)
_BREAK = re.compile(r"(?<=[\s。])")
_MARGIN = 32


@dataclass(frozen=True)
class Note:
    """A text with its plants; `known` is the name in a table of known patients."""

    language: str
    text: str
    plants: tuple[Plant, ...]
    known: str = ""


@cache
def _pool(language: str) -> list[str]:
    return [record.document.text for record in dummy_records(language, _POOL, seed=12)]


def make_note(rng: random.Random, language: str | None = None, *, known: bool = False) -> Note:
    """Make a note, mostly with planted identifiers, sometimes mutated."""
    language = language or rng.choice(LANGUAGES)
    text = _excerpt(rng, language)
    if rng.random() < 0.5:
        for _ in range(rng.randint(1, 3)):
            text = rng.choice(_MUTATIONS)(rng, text)
    plants = [plant(rng, language) for _ in range(rng.choice((0, 1, 1, 2, 2, 3)))]
    if known and rng.random() < 0.6:
        plants.append(bare("PATIENT", surname(rng)))
    for each in plants:
        before, after = rng.choice(_LINES if each.is_line or rng.random() < 0.6 else _WORDS)
        place = rng.choice([found.start() for found in _BREAK.finditer(text)] or [len(text)])
        text = f"{text[:place]}{before}{each.sentence}{after}{text[place:]}"
    # A plant may be inside the sentence of another; and in a note of a few words the language, and
    # therefore the result, is a guess.
    if all(each.sentence in text for each in plants) and identify(text) == language:
        name = next((each.value for each in plants if each.label == "PATIENT"), "")
        return Note(language, text, tuple(plants), name)
    return make_note(rng, language, known=known)


def _excerpt(rng: random.Random, language: str) -> str:
    lines = rng.choice(_pool(language)).split("\n")
    start = rng.randrange(len(lines))
    return "\n".join(lines[start : start + rng.randint(2, 8)])


def _other_line_ends(rng: random.Random, text: str) -> str:
    end = rng.choice(_LINE_ENDS)
    return text.replace("\n", end)


def _inserted(rng: random.Random, text: str, choices: Sequence[str]) -> str:
    for _ in range(rng.randint(1, 8)):
        place = rng.randint(0, len(text))
        text = text[:place] + rng.choice(choices) + text[place:]
    return text


def _strange(rng: random.Random, text: str) -> str:
    return _inserted(rng, text, _STRANGE)


def _marked(rng: random.Random, text: str) -> str:
    return _inserted(rng, text, _MARKS)


def _shuffled(rng: random.Random, text: str) -> str:
    letters = list(text)
    for _ in range(min(len(letters), rng.randint(1, 10))):
        one, other = rng.randrange(len(letters)), rng.randrange(len(letters))
        letters[one], letters[other] = letters[other], letters[one]
    return "".join(letters)


def _long(rng: random.Random, text: str) -> str:
    return (text + rng.choice((" ", "\n", ""))) * rng.randint(2, 8)


def _very_long_word(rng: random.Random, text: str) -> str:
    return f"{text} {rng.choice('aA1/.@-あ') * rng.randint(200, 2000)} "


def _empty(rng: random.Random, _: str) -> str:
    return rng.choice(("", " ", "\n", "\t\r\n", "-", "."))


_MUTATIONS: tuple[Callable[[random.Random, str], str], ...] = (
    *(_other_line_ends, _strange, _strange, _marked, _marked, _shuffled, _long, _very_long_word),
    _empty,
    lambda _, text: text.upper(),
    lambda _, text: text.lower(),
)


class Protected:
    """The parts of a file that must stay intact: plants, their contexts, and base64."""

    def __init__(self, data: bytes, plants: Sequence[Plant]) -> None:
        self._spans: list[tuple[int, int]] = []
        for each in plants:
            for text in {each.sentence, each.value}:
                for form in {text, _escaped(text, ascii_only=True), _escaped(text)}:
                    self._add(data, re.escape(form.encode()))
        self._add(data, rb"[A-Za-z0-9+/=]{80,}")
        self._add(data, rb'"spans"')  # under another key nothing in them is removed

    def _add(self, data: bytes, pattern: bytes) -> None:
        for found in re.finditer(pattern, data):
            self._spans.append((found.start() - _MARGIN, found.end() + _MARGIN))

    def place(self, rng: random.Random, size: int) -> int | None:
        """A place that may be damaged, if there is one."""
        for _ in range(20):
            place = rng.randint(0, size)
            if not any(start <= place <= end for start, end in self._spans):
                return place
        return None


def _escaped(text: str, *, ascii_only: bool = False) -> str:
    return json.dumps(text, ensure_ascii=ascii_only)[1:-1]


def _flip(rng: random.Random, data: bytes, place: int) -> bytes:
    return data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]


def _insert(rng: random.Random, data: bytes, place: int) -> bytes:
    broken = (b"\0", b"\xff", b"\xc3", b"\xe3\x81", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80")
    return data[:place] + rng.choice(broken) + data[place:]


def _cut_out(rng: random.Random, data: bytes, place: int) -> bytes:
    return data[:place] + data[place + 1 :]


def _truncate(_: random.Random, data: bytes, place: int) -> bytes:
    return data[:place]


_BREAKS = (_flip, _flip, _insert, _insert, _cut_out)


def break_bytes(rng: random.Random, data: bytes, plants: Sequence[Plant]) -> bytes:
    """Damage bytes of a file, or cut off its end, but keep planted identifiers intact."""
    breaks = [_truncate] if rng.random() < 0.2 else rng.choices(_BREAKS, k=rng.randint(1, 6))
    for each in breaks:
        place = Protected(data, plants).place(rng, len(data))
        if place is not None:
            data = each(rng, data, place)
    return data
