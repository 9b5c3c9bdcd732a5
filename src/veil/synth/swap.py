"""Mention replacement: annotated spans get the text of other spans with the same label.

The new text has the form of the old one if possible: the same case, number of words and groups of
digits. A person keeps one name within a record: if one mention becomes Ann Hale, another becomes
Hale.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from veil.core.document import Document, Record, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Kind = tuple[str, str | None]

_RUN = re.compile(r"\d+|[一-鿿々〆ヶ]+|[ぁ-ゖー]+|[ァ-ヺー]+|[^\W\d_]+|\s+|.", re.DOTALL)
_DIGITS = re.compile(r"\d+")
# Hiragana, katakana and kanji, each by the first and the last character.
_SCRIPTS = (("ぁ", "ゖ"), ("ァ", "ヺ"), ("一", "鿿"))
_WIDE = str.maketrans("0123456789", "０１２３４５６７８９")
_LATEST_DAY, _MONTHS = 28, 12
_YEARS = range(1900, 2100)


@dataclass
class MentionPool:
    """The texts of spans by label, part and form."""

    _by_form: dict[tuple[Kind, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    _by_case: dict[tuple[Kind, str], list[str]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, records: Iterable[Record]) -> MentionPool:
        """Collect the texts of all spans that have no line break, each once."""
        pool = cls()
        seen = set()
        for record in records:
            for span in record.spans:
                text = record.document.text[span.start : span.end]
                kind = (span.label, span.part)
                if "\n" not in text and (kind, text) not in seen:
                    seen.add((kind, text))
                    pool._by_form[kind, form_of(text)].append(text)
                    pool._by_case[kind, _case(text)].append(text)
        return pool

    def draw(self, kind: Kind, old: str, rng: random.Random) -> str:
        """Return another text of the same form, or else with other digits or in the same case."""
        alike = self._by_form.get((kind, form_of(old)), ())
        if 1 < len(alike):
            return rng.choice(alike)
        if _DIGITS.search(old):
            return _DIGITS.sub(lambda run: _other_digits(run[0], rng), old)
        return rng.choice(self._by_case.get((kind, _case(old)), (old,)))


def form_of(text: str) -> str:
    """Return the form of a text: "Ek, A. 12" -> "Aa, A. 99"."""
    return "".join(map(_form_of_run, _RUN.findall(text)))


def swap_mentions(
    records: Iterable[Record], pool: MentionPool, *, share: float = 0.5, seed: int = 0
) -> Iterator[Record]:
    """Yield records in which a share of the spans has the text of another span of its label."""
    for record in records:
        rng = random.Random(f"{seed}/{record.id}")  # noqa: S311 - no secret
        yield _swap(record, pool, share, rng)


def _swap(record: Record, pool: MentionPool, share: float, rng: random.Random) -> Record:
    text = record.document.text
    chosen = _new_texts(record, pool, share, rng)
    pieces: list[str] = []
    spans: list[Span] = []
    position = length = 0
    for span in record.spans:
        new = chosen[span.label, text[span.start : span.end]]
        pieces += [text[position : span.start], new]
        length += span.start - position
        spans.append(Span(length, length + len(new), span.label, part=span.part))
        length += len(new)
        position = span.end
    pieces.append(text[position:])
    doc = record.document
    return Record.of(Document(doc.id, "".join(pieces), doc.language, doc.meta), spans)


def _new_texts(
    record: Record, pool: MentionPool, share: float, rng: random.Random
) -> dict[tuple[str, str], str]:
    """Return the new text for each label and text; the words of longer texts apply to others."""
    mentions = {
        (span.label, record.document.text[span.start : span.end]): span.part
        for span in record.spans
    }
    chosen: dict[tuple[str, str], str] = {}
    words: dict[tuple[str, str], str] = {}
    for label, old in sorted(mentions, key=lambda mention: (-len(mention[1]), mention)):
        known = words.get((label, old.lower()))
        if known is not None:
            chosen[label, old] = _in_case_of(old, known)
            continue
        swapped = rng.random() < share and "\n" not in old
        new = pool.draw((label, mentions[label, old]), old, rng) if swapped else old
        chosen[label, old] = new
        for part, other in _parts(old, new):
            words.setdefault((label, part.lower()), other)
    return chosen


def _parts(old: str, new: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text with those of the other, if both have the same form."""
    runs, others = _RUN.findall(old), _RUN.findall(new)
    if len(runs) == len(others):
        yield from ((run, other) for run, other in zip(runs, others, strict=True) if run.isalpha())
    if len(old) == len(new) and not old.isascii():
        # Japanese names without a blank: the first characters may be the family name.
        yield from ((old[:end], new[:end]) for end in range(1, len(old)))


def _form_of_run(run: str) -> str:
    if run.isdecimal():
        return "9" * len(run)
    if not run.isalpha():
        return run
    script = next((first for first, last in _SCRIPTS if first <= run[0] <= last), None)
    if script:
        return script * len(run)
    if run.isupper():
        return "AA" if 1 < len(run) else "A"
    return "a" if run.islower() else "Aa"


def _case(text: str) -> str:
    return "upper" if text.isupper() else "lower" if text.islower() else "mixed"


def _in_case_of(old: str, new: str) -> str:
    if old.isupper() and 1 < len(old):
        return new.upper()
    return new.lower() if old.islower() else new


def _other_digits(run: str, rng: random.Random) -> str:
    """Return other digits of the same length; a possible day, month or year stays one."""
    value = int(run)
    if 1 <= value <= _MONTHS:
        other = rng.randint(1, _MONTHS)
    elif value <= _LATEST_DAY:
        other = rng.randint(1, _LATEST_DAY)
    elif value in _YEARS:
        other = rng.randint(1930, 2025)
    else:
        other = rng.randrange(10 ** (len(run) - 1), 10 ** len(run))
    made = str(other).zfill(len(run))
    return made if run.isascii() else made.translate(_WIDE)
