"""Views of a text: normalised copies that detectors read if it has invisible or variant characters.

A view is a normalised text with an exact map of offsets to the original, which never changes. The
normalised view undoes variants with only one possible meaning: invisible characters are removed;
HTML entities, decomposed accents, mathematical and full-width letters, ligatures, digits of other
scripts, unusual spaces, hyphens and line ends become the plain character; Cyrillic and Greek
look-alikes inside Latin words become Latin. Joined views undo variants that may also be intended:
words broken at a line end, letter-spaced words, quoted-printable and percent encoding. They are
searched in addition to the normalised view, never instead of it.
"""

from __future__ import annotations

import html
import re
import unicodedata
from array import array
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import partial
from html.entities import html5
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from veil.core.patterns import compile_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    # Start and end offsets, and the new text between them.
    Change = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class View:
    """A normalised text; its character `i` stands for `original[starts[i]:ends[i]]`.

    `starts` and `ends` never decrease. Stretches that no character stands for were removed.
    """

    text: str = field(repr=False)
    original: str = field(repr=False)
    starts: array[int] = field(repr=False)
    ends: array[int] = field(repr=False)

    @classmethod
    def identity(cls, text: str) -> View:
        return cls(text, text, array("L", range(len(text))), array("L", range(1, len(text) + 1)))

    def to_original(self, start: int, end: int) -> tuple[int, int]:
        """Map a stretch of the view to offsets in the original.

        The result includes what was removed inside it, and combining marks of its last character.
        """
        last = self.ends[end - 1]
        marks = _TRAILING_MARKS.match(self.original, last)
        return self.starts[start], marks.end() if marks else last

    def to_view(self, start: int, end: int) -> tuple[int, int]:
        """Map a stretch of the original to offsets in the view; empty if all of it was removed."""
        return bisect_left(self.starts, start), bisect_left(self.starts, end)


# Default-ignorable and other format characters (Unicode 15, DerivedCoreProperties.txt), and control
# characters that are not white space.
_INVISIBLE = (
    "\x00-\x08\x0e-\x1b\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
)
_COMBINING = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f"
_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f"
_HYPHENS = "\u2010\u2011\u2212\ufe63"
# Line ends other than the line feed (The Unicode Standard 15, 5.8, and str.splitlines).
_LINE_ENDS = "\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
# Letters and digits that are read as their compatibility form (NFKC): modifier letters, letterlike
# symbols, squared letters, radicals, compatibility ideographs, ligatures, mathematical letters. Not
# among them: ª and º, superscripts and subscripts (CO₂), fractions.
_COMPATIBLE = (
    "\u1d2c-\u1d6a\u1d78\u1d9b-\u1dbf\u210a-\u2115\u2119-\u211d\u2124\u2128\u212a-\u212d"
    "\u212f-\u2131\u2133\u2134\u2139\u2145-\u2149\u24b6-\u24e9\u2f00-\u2fd5\uf900-\ufad9"
    "\ufb00-\ufb06"
)
_ZEROS = (
    "\u0660\u06f0\u07c0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0e50\u0ed0\u0f20"
    "\u1040\u17e0\u1810"
)
_DIGITS = "".join(f"{zero}-{chr(ord(zero) + 9)}" for zero in _ZEROS)
# Normal in Japanese: full-width forms, the ideographic space, circled digits, Roman numerals.
_WIDE = "\uff01-\uff5e\u3000\u2460-\u2473\u2160-\u217f"
# The same kinds beyond the Basic Multilingual Plane: invisible characters, mathematical and squared
# letters; and letters in black shapes, which have no compatibility form.
_BEYOND = (
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\U0001d400-\U0001d7ff\U0001f130-\U0001f149"
    "\U0001f150-\U0001f169\U0001f170-\U0001f189\U0001f1e6-\U0001f1ff"
)
_SMALL_CAPITALS = dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz", strict=True))

# Look-alikes of Latin letters (Unicode confusables.txt).
_LOOKALIKES = dict(
    zip(
        "АВЕКМНОРСТУХЅІЈԚԜЁЇаеорсухѕіјһԁԛԝӏкёїΑΒΕΖΗΙΚΜΝΟΡΤΥΧοօոսհɑɡ",
        "ABEKMHOPCTYXSIJQWËÏaeopcyxsijhdqwlkëïABEZHIKMNOPTYXoonuhag",
        strict=True,
    )
)
# Greek letters that occur in medical words (TNFα): read as Latin beside a small letter only.
_GREEK_SMALL = dict(zip("αικνρυ", "aikvpu", strict=True))
_ALIKE = "".join(_LOOKALIKES) + "".join(_GREEK_SMALL)
_LATIN = "A-Za-zÀ-ÖØ-öø-ɏ"

_TRAILING_MARKS = compile_pattern(f"[{_COMBINING}\ufe00-\ufe0f\U000e0000-\U000e0fff]+")
_ENTITY = compile_pattern(r"&(?:#\d{1,7};?|#[xX][0-9a-fA-F]{1,6};?|[A-Za-z][A-Za-z0-9]{1,31};)")
_CHARACTERS = (
    f"\r{_LINE_ENDS}{_INVISIBLE}{_SPACES}{_HYPHENS}{_COMPATIBLE}{_DIGITS}{''.join(_SMALL_CAPITALS)}"
)
_DASHES = "\u2012-\u2015"
# A set of characters alone is searched for ten times as fast as alternatives or a set with many
# ranges beyond the Basic Multilingual Plane: exceptions come in an assertion after the set.
_ANY_BEYOND = "\U00010000-\U0010ffff"
_LONE = r"(?<!\r(?=\n))"  # a return before a line feed is not a variant
# The key says whether full-width forms are kept.
_WIDE_UNLESS = {True: "", False: _WIDE}
_VARIANT = {
    kept: compile_pattern(
        f"[{_CHARACTERS}{wide}{_ANY_BEYOND}](?<![{_ANY_BEYOND}](?<![{_BEYOND}])){_LONE}"
    )
    for kept, wide in _WIDE_UNLESS.items()
}
# Every text that needs a view contains one of these; few other texts do.
_SUSPECT = {
    kept: compile_pattern(
        f"[{_CHARACTERS}{wide}{_COMBINING}{_ALIKE}{_DASHES}&{_ANY_BEYOND}]{_LONE}"
    )
    for kept, wide in _WIDE_UNLESS.items()
}
# The Latin-1 characters that never require a view.
_PLAIN_LATIN = bytes(code for code in range(256) if not _SUSPECT[False].match(chr(code)))
# Numbers in which a dash is no "to": two or more (614–555–0190), or many digits before it.
_DASHED = compile_pattern(
    rf"\d(?<![\d{_DASHES}]\d)"
    rf"(?:\d{{0,7}}(?:[-{_DASHES}]\d{{1,8}}){{2,}}|\d{{5,7}}[{_DASHES}]\d{{4}})(?!\d)"
)
_DASH = compile_pattern(f"[{_DASHES}]")
_WITH_MARKS = compile_pattern(f"\\w[{_COMBINING}]+")
_MARK = compile_pattern(f"[{_COMBINING}]")
_KANA_MARK = compile_pattern("[\u3099\u309a]")
_ALIKE_WORD = compile_pattern(f"(?<![{_LATIN}{_ALIKE}])[{_LATIN}]*+[{_ALIKE}][{_LATIN}{_ALIKE}]*+")
_ALIKE_LETTER = compile_pattern(f"[{_ALIKE}]")
_LATIN_LETTER = compile_pattern(f"[{_LATIN}]")
_OTHER_LETTERS = [
    compile_pattern(f"(?![{_ALIKE}])[{letters}]") for letters in ("\u0370-\u03ff", "\u0400-\u052f")
]
_SOFT_HYPHEN = "\u00ad"

_DOUBLE_ENCODED = 3  # &amp;#74; needs two rounds


def normalised_view(text: str, *, keep_wide: bool = False) -> View | None:
    """The text as detectors should read it, or None if that is the text itself.

    `keep_wide` leaves full-width forms unchanged, as Japanese texts and models use them.
    """
    if _is_plain_latin(text) or _SUSPECT[keep_wide].search(text) is None:
        return None
    view = None
    steps: list[Callable[[str], Iterable[Change]]] = [_entities] * _DOUBLE_ENCODED
    steps += (partial(_characters, keep_wide), _dashes, _accents, _lookalikes)
    for changes in steps:
        found = list(changes(view.text if view else text))
        if found:  # in very few texts
            view = _changed(view or View.identity(text), found)
    return None if view is None or view.text == text else view


def _is_plain_latin(text: str) -> bool:
    """Whether a text is in Latin-1 and without suspects: a fifth of the time of a pattern."""
    try:
        return not text.encode("latin-1").translate(None, _PLAIN_LATIN)
    except UnicodeEncodeError:
        return False


def views_of(text: str, *, keep_wide: bool = False) -> list[View]:
    """The normalised view and the joined ones; none if detectors may read the text itself."""
    normalised = normalised_view(text, keep_wide=keep_wide)
    if not _may_be_joined(normalised.text if normalised else text):
        return [normalised] if normalised else []
    base = normalised or View.identity(text)
    joined = _joined(base, keep_wide)
    return [base, *joined] if normalised or joined else []


def _changed(view: View, changes: Iterable[Change]) -> View:
    """The view with changes made to its text, which are sorted and disjoint."""
    pieces: list[str] = []
    starts, ends = array("L"), array("L")
    at = 0
    for start, end, new in changes:
        pieces += (view.text[at:start], new)
        starts += view.starts[at:start]
        ends += view.ends[at:start]
        starts += view.starts[start : start + 1] * len(new)
        ends += view.ends[end - 1 : end] * len(new)
        at = end
    if not at:
        return view
    pieces.append(view.text[at:])
    starts += view.starts[at:]
    ends += view.ends[at:]
    return View("".join(pieces), view.original, starts, ends)


def _entities(text: str) -> Iterator[Change]:
    if "&" not in text:
        return
    for match in _ENTITY.finditer(text):
        if match[0][1] == "#" or match[0][1:] in html5:
            yield *match.span(), html.unescape(match[0])


def _characters(keep_wide: bool, text: str) -> Iterator[Change]:
    for match in _VARIANT[keep_wide].finditer(text):
        yield *match.span(), _plain(text, match.start())


def _plain(text: str, place: int) -> str:
    """The plain form of a variant character; an empty string for an invisible one."""
    character = text[place]
    if character == _SOFT_HYPHEN:  # visible at the end of a line; the word goes on in the next
        return "-" if text[place + 1 : place + 2] in ("\n", "\r") else ""
    if character in _SMALL_CAPITALS:
        return _SMALL_CAPITALS[character]
    code = ord(character)
    for first in (0x1F150, 0x1F170, 0x1F1E6):
        if first <= code < first + 26:
            return chr(ord("A") + code - first)
    if character.splitlines() == [""]:
        return "\n"
    category = unicodedata.category(character)
    if category == "Zs":
        return " "
    if category in ("Pd", "Sm") and code < 0xFF00:
        return "-"
    if category in ("Cc", "Cf", "Mn", "Cn") or character in "\u115f\u1160\u3164\uffa0":
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(character))
    return unicodedata.normalize("NFKC", character)


def _dashes(text: str) -> Iterator[Change]:
    for match in _DASHED.finditer(text) if _DASH.search(text) else ():
        for dash in _DASH.finditer(text, *match.span()):
            yield *dash.span(), "-"


def _accents(text: str) -> Iterator[Change]:
    """Compose letters with their combining marks; marks that fit no letter are left out."""
    for match in _WITH_MARKS.finditer(text) if _MARK.search(text) else ():
        composed = unicodedata.normalize("NFC", match[0])
        if not _KANA_MARK.search(composed):
            composed = composed[0] + _MARK.sub("", composed[1:])
        if composed != match[0]:
            yield *match.span(), composed


def _lookalikes(text: str) -> Iterator[Change]:
    """Read letters of other alphabets as Latin inside Latin words.

    A word of look-alikes alone is converted if the text has no other letter of their alphabet.
    """
    other: dict[bool, bool] = {}
    for match in _ALIKE_WORD.finditer(text) if _ALIKE_LETTER.search(text) else ():
        word = match[0]
        if not _LATIN_LETTER.search(word):
            is_cyrillic = "\u03ff" < word[0]
            if is_cyrillic not in other:
                other[is_cyrillic] = _OTHER_LETTERS[is_cyrillic].search(text) is not None
            if other[is_cyrillic] or not all(letter in _LOOKALIKES for letter in word):
                continue
        for place, letter in enumerate(word):
            latin = _LOOKALIKES.get(letter)
            if latin is None and letter in _GREEK_SMALL:
                beside = word[max(0, place - 1) : place] + word[place + 1 : place + 2]
                if any(other.islower() and other not in _GREEK_SMALL for other in beside):
                    latin = _GREEK_SMALL[letter]
            if latin is not None:
                start = match.start() + place
                yield start, start + 1, latin


_JAPANESE = "\u3041-\u30ff\u3400-\u9fff"
# A word that continues on the next line.
_BROKEN = compile_pattern(r"-(?<=\w-)[ \t]*\r?\n[ \t]*(?=\w)")
# The first space of three single characters, which may begin a letter-spaced run; most spaces are
# followed by a longer word.
_MAYBE_SPACED = compile_pattern(
    rf" (?=\S )(?:(?<=(?<![^\W_])\S )(?=\S {{1,4}}\S(?![^\W_]))"
    rf"|(?<=[{_JAPANESE}] )(?=\S {{1,4}}\S(?![A-Za-z0-9])))"
)
# A letter-spaced run by itself; in Japanese it need not be separate from the words around it.
_SPACED = compile_pattern(
    r"(?<![^\W_])\S(?: {1,4}\S(?= ))+ {1,4}\S(?![^\W_])"
    rf"|[{_JAPANESE}](?: {{1,4}}\S(?= )){{3,}} {{1,4}}\S(?![A-Za-z0-9])"
)
# What a run must contain: measures (8 x 4 x 3) and formulas are not words.
_SPACED_WORD = compile_pattern(
    rf"[^\W\d_]{{4}}|[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]{{2}}|[{_JAPANESE}]{{3}}|(?:\d\W?){{4}}"
)
# In a text with such a run, two characters are enough if one end is separate from other words.
_SPACED_TOO = compile_pattern(
    rf"(?:(?<![^\W_])\S|(?<=[{_JAPANESE}])\S(?= {{1,4}}\S(?: |(?![^\W_]))))"
    rf"(?: {{1,4}}\S(?= ))* {{1,4}}(?:[{_LATIN}0-9](?![{_LATIN}0-9])|[^{_LATIN}0-9\s])"
)
_SPACED_PAIR = compile_pattern(r"[^\W\d_]{2}|\d{2}")
_POINTS = "-._*"
_BESIDE_POINT = r"(?<=(?<![^\W_])[^\W\d_].)[^\W\d_](?:\1[^\W\d_]){2,}(?![^\W_])"
_POINTED = compile_pattern(f"([{_POINTS}]){_BESIDE_POINT}")
# A text counts as encoded only if it has what occurs in no other text: a soft line break or a
# letter of two bytes.
_QUOTED = compile_pattern(r"=(?<=[^\s=]=)\r?\n(?=[^\s=])|=[CDE][0-9A-F]=[89AB][0-9A-F]")
_QUOTED_PART = compile_pattern(r"=(?<=[^\s=]=)\r?\n|(?:=[0-9A-F]{2})+")
_PERCENT = compile_pattern(r"%[C-Ec-e][0-9A-Fa-f]%[89ABab][0-9A-Fa-f]|%(?<=[A-Za-z]%)20(?=[A-Z])")
_PERCENT_PART = compile_pattern(r"(?:%[0-9A-Fa-f]{2})+")
# Every text with joined views matches one of these, unless it is letter-spaced. A pattern that
# begins with one character is searched for many times as fast as one that begins with one of
# several.
_JOINED = (
    _BROKEN,
    *(
        compile_pattern(f"{re.escape(point)}{_BESIDE_POINT}".replace(r"\1", re.escape(point)))
        for point in _POINTS
    ),
    _QUOTED,
    _PERCENT,
)


def _may_be_joined(text: str) -> bool:
    return any(pattern.search(text) for pattern in _JOINED) or _is_spaced(text)


def _is_spaced(text: str) -> bool:
    """Whether some word of a text is letter-spaced."""
    end = 0
    for space in _MAYBE_SPACED.finditer(text):
        run = _SPACED.match(text, space.start() - 1) if end <= space.start() else None
        if run:
            if _SPACED_WORD.search(run[0].replace(" ", "")):
                return True
            end = run.end()
    return False


def _joined(base: View, keep_wide: bool) -> list[View]:
    """The views in which broken, spaced and encoded words are whole, if any differs."""
    view = base
    for sign, part in ((_QUOTED, _QUOTED_PART), (_PERCENT, _PERCENT_PART)):
        if sign.search(view.text):
            view = _changed(view, _decoded(part, view.text))
            view = _changed(view, _characters(keep_wide, view.text))
            view = _changed(view, _accents(view.text))
    view = _changed(view, _spaced(view.text))
    view = _changed(view, _pointed(view.text))
    joined = [_changed(view, _unbroken(likely, view.text)) for likely in (True, False)]
    if joined[0].text == joined[1].text:
        del joined[1]
    return [each for each in joined if each.text != base.text]


def _decoded(part: re.Pattern[str], text: str) -> Iterator[Change]:
    for match in part.finditer(text):
        if match[0][-1] == "\n":
            yield *match.span(), ""
            continue
        try:
            decoded = unquote_to_bytes(match[0].replace("=", "%")).decode("utf-8")
        except UnicodeDecodeError:
            continue
        if decoded.isprintable():
            yield *match.span(), decoded


def _spaced(text: str) -> Iterator[Change]:
    """Join letter-spaced words; wider gaps, and a capital after a small letter, separate words."""
    for match in _SPACED_TOO.finditer(text) if _is_spaced(text) else ():
        run = match[0]
        if not _SPACED_PAIR.search(run.replace(" ", "")):
            continue
        places = [place for place, character in enumerate(run) if character != " "]
        for left, right in pairwise(places):
            is_word_end = right - left > 2 or (run[left].islower() and run[right].isupper())
            yield match.start() + left + 1, match.start() + right, " " if is_word_end else ""


def _pointed(text: str) -> Iterator[Change]:
    """Join words whose letters are separated by points or the like; not initials (J.R.R.T.)."""
    for match in _POINTED.finditer(text):
        if any(map(str.islower, match[0])):
            for place in range(match.start(), match.end(), 2):
                yield place, place + 1, ""


def _unbroken(likely: bool, text: str) -> Iterator[Change]:
    """Join broken words, with or without the hyphen: in the likelier way or in the other.

    The hyphen is likely a part of the word in a number with further hyphens (2019-03-|05) and
    between a small letter and a capital (García-|López).
    """
    for match in _BROKEN.finditer(text):
        before, after = text[match.start() - 1], text[match.end()]
        if before.isdigit() and after.isdigit():
            is_part = bool(
                re.search(r"\d-\d+\Z", text[max(0, match.start() - 12) : match.start()])
                or re.match(r"\d+-\d", text[match.end() : match.end() + 12])
            )
        else:
            is_part = before.islower() and after.isupper()
        yield *match.span(), "-" if is_part == likely else ""
