"""The lists that come with Veil, and those that a user adds.

A list is a text file in UTF-8, one entry per line, `#` before a comment. Lists written by hand are
`lexicon/<kind>.txt` in the language's folder; lists that `tools/build_lexicons.py` derives from
other sources are packed as `<kind>.tsv.xz`. In addition to the kinds, which say what a word may be,
there may be lists with other names for rules; those of all languages are in the folder `shared`.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from functools import cache, partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.errors import InputError, UnknownNameError
from veil.core.tables import Table
from veil.core.toml import read_text
from veil.languages.base import base_language, language_folder, package_folder
from veil.lexicons.entries import (
    SHORTEST_SUFFIX,
    SUFFIX_MARK,
    PackedList,
    PlainList,
    StoredList,
    WordBits,
    part_of,
)
from veil.lexicons.folding import without_diacritics
from veil.lexicons.lexicon import Lexicon

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.lexicons.entries import AnyList

_KINDS = (
    "given_female",
    "given_male",
    "surname",
    "city",
    "region",
    "country",
    "nationality",
    "street_head",
    "hospital_head",
    "title",
    "doctor_title",
    "profession",
    "relative",
    "month",
    "weekday",
    "common",
    "medical",
    "ordinary",
    "clinical",
)
_SHARED = package_folder("veil.languages") / "shared"
_LONGEST_HEAD = 1 << 10
_PARTS = 1 << 12
_BITS_AT = 8 * (_PARTS + 1)
# Modules on which the folded forms depend, in addition to the lists.
_MODULES = tuple(Path(__file__).with_name(name) for name in ("entries.py", "folding.py"))
_UNUSABLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffd]")


def kinds() -> tuple[str, ...]:
    """Return the kinds of lexicons; each of Veil's languages has all of them."""
    return _KINDS


@cache
def list_names(language: str) -> tuple[str, ...]:
    """Return the kinds and the names of a language's other lists."""
    names = {file.name.partition(".")[0] for file in _files(base_language(language))}
    return (*_KINDS, *sorted(names.difference(_KINDS)))


def _files(language: str) -> list[Path]:
    """Return the files of all lists of a language, its own before those of all languages."""
    folders = (language_folder(language), _SHARED)
    return [file for folder in folders for file in sorted((folder / "lexicon").glob("*"))]


@cache
def lexicon(language: str, kind: str) -> Lexicon:
    """Return the lexicon of that language and kind; variants ("en-x") share their language's.

    If the language's folder has no such kind, the lexicon is empty. The kind may also be the name
    of another list.
    """
    return _load(base_language(language), kind)


@cache
def _load(language: str, kind: str) -> Lexicon:
    if kind not in list_names(language):
        raise UnknownNameError("kind of lexicon", kind, list_names(language))
    stored = _stored_forms(language)
    entries: AnyList
    if stored is None:
        entries = _read(language, kind)
    else:
        look_up = partial(_look_up, language, bit_of(kind)) if kind in _KINDS else None
        entries = StoredList(*stored(kind), partial(_read, language, kind), look_up)
    return Lexicon(entries, language=language)


def _look_up(language: str, bit: int, folded: str) -> bool | None:
    bits = word_bits(language)[folded]
    if not bits & bit or folded.startswith(SUFFIX_MARK):
        return None
    return bits & bit << 1 != 0


def _read(language: str, kind: str) -> PlainList | PackedList:
    for file in _files(language):
        if file.name == f"{kind}.tsv.xz":
            return PackedList(file.read_bytes())
        if file.name == f"{kind}.txt":
            return PlainList(parse_list(file.read_text("utf-8")))
    return PlainList(())


def lexicon_table(language: str) -> Table:
    """Return the table with the folded forms of all lexicons of a language.

    The first line has the length of each part; the parts are the folded forms of each list, and
    those of them that match text in lower case, one per line.
    """

    def build() -> bytes:
        lists = [_read(language, name) for name in list_names(language)]
        parts = [
            "\n".join(part).encode() for each in lists for part in (each.folded, each.small_words())
        ]
        return b"".join((" ".join(str(len(part)) for part in parts).encode(), b"\n", *parts))

    return Table(f"lexicon-{language}", (*_files(language), *_MODULES), build)


def bit_of(kind: str) -> int:
    """Return the bit of words of a kind.

    The next bit is for words that may be in lower case, the one after it for words that result from
    a word of the kind without diacritics.
    """
    return 1 << 3 * _KINDS.index(kind)


@cache
def word_bits(language: str) -> WordBits:
    """Return the bits of all words of a language, suffixes with their mark (see `bit_of`).

    Unlike other functions it does not accept variants of languages.
    """
    found = _stored_words(language)
    if found is None:
        everything = _all_bits(language)
        return WordBits(lambda word: everything.get(word, 0))
    number_of, bits = found

    def look_up(word: str) -> int:
        number = number_of(word)
        return 0 if number is None else bits[number]

    return WordBits(look_up)


def word_numbers(language: str) -> Callable[[str], int | None] | None:
    """Return a function to the index of a word in `all_words`; None if the table is absent."""
    found = _stored_words(language)
    return found[0] if found else None


@cache
def _stored_words(language: str) -> tuple[Callable[[str], int | None], memoryview] | None:
    """Return a function to the index of a word in the table, and the bits of all words."""
    data = words_table(language).read()
    if data is None:
        return None
    head = data[:_BITS_AT].cast("I")
    counts, offsets = head[: _PARTS + 1], head[_PARTS + 1 :]
    words_at = _BITS_AT + 8 * counts[_PARTS]
    bits, words = data[_BITS_AT:words_at].cast("Q"), data[words_at:]

    def number_of(word: str) -> int | None:
        """Search the few words of a part as bytes: a dictionary of all words would be large."""
        if not word or "\n" in word:
            return None
        number = part_of(word, _PARTS)
        part = b"\n%b\n" % bytes(words[offsets[number] : offsets[number + 1]])
        at = part.find(b"\n%b\n" % word.encode("utf-8", "surrogatepass"))
        return None if at < 0 else counts[number] + part.count(b"\n", 0, at)

    return number_of, bits


def words_table(language: str) -> Table:
    """Return the table with the bits of all words of a language.

    It has many small parts, since a short text needs few of them. First come the number of words
    before each part and its offset, then the bits of all words, then the words, one per line.
    """

    def build() -> bytes:
        parts = _in_parts(language)
        texts = ["\n".join(part).encode() for part in parts]
        counts = array("I", accumulate(map(len, parts), initial=0))
        offsets = array("I", accumulate(map(len, texts), initial=0))
        bits = array("Q", (each for part in parts for each in part.values()))
        return b"".join((*(numbers.tobytes() for numbers in (counts, offsets, bits)), *texts))

    inputs = (*lexicon_table(language).inputs, Path(__file__))
    return Table(f"words-{language}", inputs, build)


def all_words(language: str) -> list[str]:
    """Return all words of the lexicons of a language, in the order of the table."""
    return [word for part in _in_parts(language) for word in part]


def _in_parts(language: str) -> list[dict[str, int]]:
    """Return the bits of all words, in the parts of the table."""
    parts: list[dict[str, int]] = [{} for _ in range(_PARTS)]
    for word, found in _all_bits(language).items():
        parts[part_of(word, _PARTS)][word] = found
    return parts


def _all_bits(language: str) -> dict[str, int]:
    found: defaultdict[str, int] = defaultdict(int)
    for kind in _KINDS:
        entries, bit = _read(language, kind), bit_of(kind)
        for word in entries.folded:
            found[word] |= bit
            found[without_diacritics(word)] |= bit << 2
        for word in entries.small_words():
            found[word] |= bit << 1
    return dict(found)


@cache
def _stored_forms(language: str) -> Callable[[str], tuple[str, str]] | None:
    """Return a function from a kind to its folded forms, or None if they are not stored."""
    data = lexicon_table(language).read()
    if data is None:
        return None
    head = bytes(data[:_LONGEST_HEAD]).partition(b"\n")[0]
    bounds = list(accumulate(map(int, head.split()), initial=len(head) + 1))

    def forms(kind: str) -> tuple[str, str]:
        start, middle, end = bounds[2 * list_names(language).index(kind) :][:3]
        return str(data[start:middle], "utf-8"), str(data[middle:end], "utf-8")

    return forms


def parse_list(text: str) -> list[str]:
    """Return the entries of a list: one per line, without comments and empty lines."""
    lines = (line.partition("#")[0].split() for line in text.splitlines())
    return [" ".join(words) for words in lines if words]


def user_lexicon(folder: Path, *, language: str | None = None) -> Lexicon:
    """Read a user's lexicon: `items.txt` and, if it exists, `exceptions.txt`.

    The language determines which genitives are known in addition to those with an apostrophe.
    """
    items = folder / "items.txt"
    if not items.is_file():
        raise InputError(f"{items}: no such file; a lexicon is a folder with items.txt")
    exceptions = folder / "exceptions.txt"
    base = None if language is None else base_language(language)
    return Lexicon(
        _read_list(items),
        language=base,
        exceptions=Lexicon(_read_list(exceptions), language=base) if exceptions.is_file() else None,
    )


def _read_list(path: Path) -> list[str]:
    text = read_text(path)
    for number, line in enumerate(text.splitlines(), start=1):
        problem = _problem(line)
        if problem is not None:
            raise InputError(f"{path}, line {number}: {problem}")
    entries = parse_list(text)
    if not entries:
        raise InputError(f"{path}, line 1: the file holds no item; write one item a line")
    return entries


def _problem(line: str) -> str | None:
    """What is wrong with a line of a user's list, or None."""
    entry = line.partition("#")[0].strip()
    if _UNUSABLE.search(line):
        return "a control character; write plain text"
    if entry and not any(character.isalnum() for character in entry):
        return "no letter or digit; remove the line"
    if entry.startswith(SUFFIX_MARK) and len(entry) <= SHORTEST_SUFFIX:
        return f"the end of a compound has at least {SHORTEST_SUFFIX} letters"
    return None
