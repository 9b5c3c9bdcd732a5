"""The simple actions: keep, tag, redact and hash."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from string import Formatter
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.core.labels import VEIL, Converter, family, scheme
from veil.core.patterns import compile_pattern
from veil.lexicons.folding import base_form, fold
from veil.replace.base import REPLACERS, from_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from veil.core.document import Document, Span
    from veil.replace.base import Case

_NUMBERED = "[{label}-{number}]"
_PLAIN = "[{label}]"
_SHORTEST_CODE, _LONGEST_CODE = 6, 64
_LONGEST_BAR = 100

_NO_WORD = compile_pattern(r"[\W_]+")
_GENITIVE = compile_pattern("'s?$")
# Japanese is written with and without blanks: 東京都 港区.
_BLANK_IN_JAPANESE = compile_pattern(r"(?<=[\u3040-\u9fff])\s+(?=[\u3040-\u9fff])")
# Labels of numbers whose grouping is ignored.
_GROUPED = frozenset({"PHONE", "FAX"})


class Keep:
    """Keeps the text unchanged."""

    def replace(self, case: Case, span: Span) -> str:
        return case.text(span)


@dataclass(frozen=True)
class Tag:
    """Writes the label, with a number for each person or other entity of the record.

    `scheme` gives the labels: Veil's own, or the nearest ones of another scheme.
    """

    numbered: bool = True
    form: str = ""
    scheme: str = VEIL

    def __post_init__(self) -> None:
        scheme(self.scheme)
        if self.form:
            _check_form(self.form, numbered=self.numbered)

    def replace(self, case: Case, span: Span) -> str:
        form = self.form or (_NUMBERED if self.numbered else _PLAIN)
        number = case.once(self._numbers)[span] if self.numbered else 0
        return form.format(label=self._label(case.document, span), number=number)

    def _label(self, doc: Document, span: Span) -> str:
        if self.scheme == VEIL:
            return span.label
        converted = _converter(self.scheme).convert(doc, span)
        # A label that the other scheme lacks keeps its own name.
        return converted[0].label if converted else span.label

    def _numbers(self, case: Case) -> dict[Span, int]:
        """Number the spans of the record, separately for each label of the scheme."""
        numbers: dict[Span, int] = {}
        seen: dict[str, dict[str, int]] = {}
        for span, value in _values(case).items():
            known = seen.setdefault(self._label(case.document, span), {})
            numbers[span] = known.setdefault(value, len(known) + 1)
        return numbers


@dataclass(frozen=True)
class Redact:
    """Replaces each character with a black block; with a `length`, writes that many blocks."""

    character: str = "█"
    length: int = 0

    def __post_init__(self) -> None:
        if len(self.character) != 1 or self.character.isspace():
            raise InputError("the option 'character' must be one visible character")
        if not 0 <= self.length <= _LONGEST_BAR:
            raise InputError(f"the option 'length' must be from 1 to {_LONGEST_BAR}")

    def replace(self, case: Case, span: Span) -> str:
        if self.length:
            return self.character * self.length
        # Line breaks stay; blanks are replaced, so that the words of a name cannot be counted.
        return "".join(letter if letter in "\r\n" else self.character for letter in case.text(span))


@dataclass(frozen=True)
class Hash:
    """Writes the label and a keyed code: the same value of a patient has the same code."""

    length: int = 12

    def __post_init__(self) -> None:
        if not _SHORTEST_CODE <= self.length <= _LONGEST_CODE:
            raise InputError(
                f"the option 'length' must be from {_SHORTEST_CODE} to {_LONGEST_CODE}"
            )

    def replace(self, case: Case, span: Span) -> str:
        code = case.secret.code(
            "hash", family(span.label), value_of(case, span), length=self.length
        )
        return f"{span.label}-{code}"


def value_of(case: Case, span: Span) -> str:
    """Return the text of a span without case, accents, genitive and punctuation."""
    folded = _BLANK_IN_JAPANESE.sub("", fold(case.text(span)))
    between = "" if span.label in _GROUPED or family(span.label) == "ID" else " "
    # Punctuation alone is also a value.
    return _NO_WORD.sub(between, _GENITIVE.sub("", folded)).strip() or folded


def _values(case: Case) -> dict[Span, str]:
    """Return what distinguishes the entities of a record: the person, or the text."""
    people = _people(case)
    values = {
        span: f"{span.label} {people[span]}" if span in people else value_of(case, span)
        for span in case.spans
    }
    present = set(values.values())
    for span, value in values.items():
        # Lunds is Lund if the record also has Lund; Borås stays.
        base = None if span in people else base_form(value, case.language)
        if base in present:
            values[span] = base
    return values


def _people(case: Case) -> Mapping[Span, int]:
    """Return the numbers of people, counted separately for each label."""
    if not any(family(span.label) == "NAME" for span in case.spans):
        return {}
    from veil.replace.people import person_numbers

    return person_numbers(case)


def _check_form(form: str, *, numbered: bool) -> None:
    known = {"label", "number"} if numbered else {"label"}
    try:
        fields = [piece for piece in Formatter().parse(form) if piece[1] is not None]
    except ValueError:
        raise InputError("the option 'form' has an unmatched brace") from None
    if any(name not in known or spec or conversion for _, name, spec, conversion in fields):
        shown = " and ".join(f"{{{name}}}" for name in sorted(known))
        raise InputError(f"the option 'form' may contain only {shown}")
    if numbered and "number" not in {name for _, name, _, _ in fields}:
        raise InputError("the option 'form' lacks {number}; add it, or set numbered = false")


@cache
def _converter(target: str) -> Converter:
    return Converter(scheme(VEIL), scheme(target))


REPLACERS.add("keep", from_options("keep", Keep))
REPLACERS.add("tag", from_options("tag", Tag))
REPLACERS.add("redact", from_options("redact", Redact))
REPLACERS.add("hash", from_options("hash", Hash))
