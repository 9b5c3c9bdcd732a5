"""Sentences of clinical text in Latin script: prose, wrapped prose, headings and lists.

Two kinds of places can end a sentence: a full stop (or `!`, `?`, `…`) before white space, and a
line break. A sentence never ends elsewhere, so it holds whole tokens however these are split.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from veil.core.document import Sentence
from veil.core.patterns import compile_pattern
from veil.core.toml import read_toml
from veil.languages.base import package_folder

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator


@dataclass(frozen=True)
class SentenceRules:
    """A language's settings for finding sentences; all words in lower case.

    `abbreviations` need the words after them: their full stop does not end a sentence. An
    abbreviation that can be the last word ("etc.", "p.o.") is not among them: it ends a sentence
    before a capital. `before_number` need a number after them: "No. 5", but "Cough: no. Fever:
    no.". `before_letter` are words that a single letter belongs to: "hepatitis B. He" are two
    sentences, "John B. Lee" is not.
    """

    abbreviations: frozenset[str]
    before_number: frozenset[str]
    before_letter: frozenset[str]


def read_sentence_rules(package: str) -> SentenceRules:
    """Return the rules in `sentences.toml` in a language's folder."""
    lists = read_toml(package_folder(package) / "sentences.toml")
    return SentenceRules(**{name: frozenset(words.split()) for name, words in lists.items()})


class _Line(NamedTuple):
    """A line that is not empty, without the white space around it."""

    start: int
    end: int
    opens_paragraph: bool


_LINE = compile_pattern(r"[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_ONE_LINE_BREAK = frozenset({"\n", "\r\n", "\r"})

# The stop, closing marks after it, and the start of the next word.
_STOP = compile_pattern(r"""(?<![.!?…])(?P<stop>[.!?…]++)[)\]}"'”’»]*+(?=\s+(?P<next>\S))""")
_STOP_AT_END = compile_pattern(r"""([.!?…]+)[)\]}"'”’»]*$""")
_LAST_WORD = compile_pattern(r"""(?!')[^\s("“‘«\[{]+$""")
_OPENING = "([{\"'“‘«¿¡"

# "Plan:", "Past Medical History:", "Fecha de nacimiento:"; not "seen at 10:30".
_HEADING = compile_pattern(r"[^\W\d_][^\n.:;,]{0,40}:(?!\d)")
# Bullets and numbers of lists: "- aspirin", "2) aspirin", "b. aspirin", "3.- aspirin".
_ITEM = compile_pattern(r"[-–—*•·‣▪●○+>#]+\s*\S|\(?(?:\d{1,2}|[A-Za-z])[.)]-?\s+\S")
_ITEM_NUMBER = compile_pattern(r"\(?(?:\d{1,2}|[A-Za-z])")
_INITIALS = compile_pattern(r"(?:[^\W\d_]\.)+[^\W\d_]")

# A shorter line was not wrapped.
_SHORTEST_WRAPPED_LINE = 45


def split_sentences(text: str, rules: SentenceRules) -> list[Sentence]:
    """Return the sentences of a text, without the white space around them."""
    sentences = []
    for paragraph in _paragraphs(text):
        start = paragraph[0].start
        width = max(line.end - line.start for line in paragraph)
        for line, following in zip(paragraph, [*paragraph[1:], None], strict=True):
            for match in _STOP.finditer(text, max(line.start, start), line.end):
                if _ends_at_stop(text, start, match, rules):
                    sentences.append(Sentence(start, match.end()))
                    start = match.start("next")
            if following is None or _ends_at_line(text, start, line, following, width, rules):
                sentences.append(Sentence(start, line.end))
                start = following.start if following else line.end
    return sentences


def _paragraphs(text: str) -> Iterator[list[_Line]]:
    """Yield the lines between blank lines."""
    paragraph: list[_Line] = []
    for line in _lines(text):
        if line.opens_paragraph and paragraph:
            yield paragraph
            paragraph = []
        paragraph.append(line)
    if paragraph:
        yield paragraph


def _lines(text: str) -> Iterator[_Line]:
    last_end = 0
    blank = True
    for match in _LINE.finditer(text):
        raw = match.group()
        content = raw.strip()
        if text[last_end : match.start()] not in _ONE_LINE_BREAK:
            blank = True
        last_end = match.end()
        if not content:
            blank = True
            continue
        start = match.start() + raw.index(content[0])
        yield _Line(start, start + len(content), blank)
        blank = False


def _ends_at_stop(text: str, start: int, match: re.Match[str], rules: SentenceRules) -> bool:
    """Whether the sentence that began at `start` ends at a stop inside a line."""
    next_start = match.start("next")
    opener = match["next"]
    if opener in _OPENING:
        rest = text[next_start + 1 : next_start + 2]
        opener = rest if rest and not rest.isspace() else opener
    stop = match["stop"]
    if stop != ".":
        # "... and": the dots stand for omitted words; "?" and "!" end a sentence unless it
        # continues.
        return not opener.islower()
    if _is_abbreviation(text, start, match.start(), next_start, rules):
        return False
    if opener.islower():
        # Some notes are all in lower case: then a long word before the stop is sufficient.
        before = text[max(start, match.start() - 4) : match.start()]
        return text[start].islower() and len(before) == 4 and before.isalpha()
    return not (opener.isdigit() and text[match.start() - 1].isdigit())


def _is_abbreviation(
    text: str, start: int, stop: int, next_start: int, rules: SentenceRules
) -> bool:
    """Whether the full stop at `stop` belongs to an abbreviation and does not end a sentence."""
    found = _LAST_WORD.search(text, max(start, stop - 30), stop)
    if found is None:
        return True
    word = found.group().lower()
    if found.start() == start and _ITEM_NUMBER.fullmatch(word):
        return True  # "1. Aspirin"
    if len(word) == 1 and word.isalpha():
        return _is_initial(text, start, found.start(), next_start, rules)
    if word in rules.abbreviations:
        return True
    if word in rules.before_number:
        return text[next_start].isdigit()
    # "J.R. Smith" as opposed to "p.o. He": initials are capitals.
    return (
        _INITIALS.fullmatch(word) is not None
        and found.group().isupper()
        and not _HEADING.match(text, next_start)
    )


def _is_initial(text: str, start: int, letter: int, next_start: int, rules: SentenceRules) -> bool:
    """Whether the single letter before a full stop abbreviates a name or another word."""
    if text[letter].islower():
        return True  # "p. ej.", "bl. a."
    before = text[max(start, letter - 20) : letter].split()
    if before and before[-1].lower().rstrip(".:") in rules.before_letter:
        return False
    return not _HEADING.match(text, next_start)  # "Sexo: H. Edad: 3"


def _ends_at_line(
    text: str, start: int, line: _Line, following: _Line, width: int, rules: SentenceRules
) -> bool:
    """Whether the sentence that began at `start` ends with a line."""
    if text[line.end - 1] == ":":
        return True
    if _ITEM.match(text, following.start, following.end):
        return True
    if _HEADING.match(text, following.start, following.end):
        return True
    stop = _STOP_AT_END.search(text, max(line.start, line.end - 20), line.end)
    if stop is not None:
        return stop[1] != "." or not _is_abbreviation(
            text, start, stop.start(), following.start, rules
        )
    if text[following.start].islower():
        return _is_title(text[line.start : line.end])
    length = line.end - line.start
    if length < _SHORTEST_WRAPPED_LINE:
        return True
    # A wrapped line is broken where the next word did not fit.
    next_word = text[following.start : following.end].split(None, 1)[0]
    return length + 1 + len(next_word) <= width


def _is_title(line: str) -> bool:
    """Whether a line looks like a title: few words, in capitals."""
    return line.isupper() and len(line) < _SHORTEST_WRAPPED_LINE
