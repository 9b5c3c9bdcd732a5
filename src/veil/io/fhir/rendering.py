"""The positions of texts in a resource, and rendering with new texts."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from veil.core.errors import RecordError
from veil.io.json_raw import RawEdit, apply_edits, escapes_letters, quoted, removals

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from veil.io.json_raw import Value
    from veil.io.markup import Markup
    from veil.io.rtf.documents import RichText


_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-\d{2})?)?")


@dataclass(frozen=True, slots=True)
class ElementSlot:
    """The position of a value: a member of an object, or an element of an array.

    `members` and `elements` are the extents of all of them; `has_extension` is true if the object
    has a member "_key" beside "key".
    """

    key: str
    start: int
    end: int
    members: tuple[tuple[int, int], ...]
    member: int
    has_extension: bool = False
    elements: tuple[tuple[int, int], ...] = ()
    element: int | None = None


@dataclass(frozen=True, slots=True)
class Element:
    """A value of a resource whose text is a document.

    One that is `altered` is written again even if its text is unchanged.
    """

    text: str = field(repr=False)
    slot: ElementSlot
    altered: bool = field(default=False, kw_only=True)

    def value(self, new: str) -> str | None:
        """The string with a new text; None if the element does not allow it."""
        raise NotImplementedError

    def beside(self, new: str) -> Sequence[RawEdit]:
        """The edits of other elements."""
        del new
        return ()


@dataclass(frozen=True, slots=True)
class StringElement(Element):
    """A string, or a part of it between a prefix and a suffix."""

    before: str = field(default="", repr=False)
    after: str = field(default="", repr=False)

    def value(self, new: str) -> str | None:
        return f"{self.before}{new}{self.after}" or None  # FHIR has no empty strings


@dataclass(frozen=True, slots=True)
class DateElement(Element):
    """A date, or the date of a time; the time is kept as long as the date is complete."""

    time: str = field(default="", repr=False)
    needs_time: bool = False

    def value(self, new: str) -> str | None:
        if not is_date(new):
            return None
        is_full = len(new) == len("2000-01-01")
        if is_full:
            return new + self.time
        return None if self.needs_time else new


class NumberElement(Element):
    """A number that is an identifier or an age: it is kept or removed."""

    __slots__ = ()

    def value(self, new: str) -> str | None:
        return None


@dataclass(frozen=True, slots=True)
class MarkupElement(Element):
    """A string of XHTML."""

    markup: Markup = field(repr=False)

    def value(self, new: str) -> str | None:
        return self.markup.woven(new)


@dataclass(frozen=True, slots=True)
class AttachmentElement(Element):
    """Text in base64; size and hash of the attachment are updated with it."""

    encoding: str
    mark: bytes
    markup: Markup | RichText | None = field(default=None, repr=False)
    size: Value | None = field(default=None, repr=False)
    hash: Value | None = field(default=None, repr=False)

    def value(self, new: str) -> str | None:
        return base64.b64encode(self._data(new)).decode()

    def beside(self, new: str) -> Sequence[RawEdit]:
        data = self._data(new)
        edits = []
        if self.size:
            edits.append(RawEdit(self.size.start, self.size.end, str(len(data))))
        if self.hash:
            digest = hashlib.sha1(data, usedforsecurity=False).digest()
            code = quoted(base64.b64encode(digest).decode(), plain=True)
            edits.append(RawEdit(self.hash.start, self.hash.end, code))
        return edits

    def _data(self, new: str) -> bytes:
        text = self.markup.woven(new) if self.markup else new
        try:
            return self.mark + text.encode(self.encoding)
        except UnicodeEncodeError:
            raise RecordError(
                f"an attachment in {self.encoding}, which cannot encode the new text"
            ) from None


def is_date(text: str) -> bool:
    """Whether a text is a date of FHIR, full or partial."""
    if not _DATE.fullmatch(text):
        return False
    padded = text + "-01-01"[len(text) - len("2000") :]
    try:
        date.fromisoformat(padded)
    except ValueError:
        return False
    return True


# How FHIR marks a value as masked for privacy.
_MASKED = (
    '{"extension": [{"url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason",'
    ' "valueCode": "masked"}]}'
)


@dataclass(frozen=True, slots=True)
class Resource:
    """The source text of a resource, its elements with texts, and its removed elements.

    `masked` are elements that are replaced by a note, `removed` those that are dropped. `around`
    are the blanks before and after the resource.
    """

    raw: str = field(repr=False)
    elements: tuple[Element, ...] = field(default=(), repr=False)
    masked: tuple[ElementSlot, ...] = ()
    removed: tuple[ElementSlot, ...] = ()
    around: tuple[str, str] = ("", "")

    def render(self, texts: Sequence[str]) -> str:
        before, after = self.around
        return f"{before}{apply_edits(self.raw, self.edits(texts))}{after}"

    def edits(self, texts: Sequence[str]) -> list[RawEdit]:
        """The edits for new texts."""
        plain = escapes_letters(self.raw)
        edits: list[RawEdit] = []
        masked = list(self.masked)
        for element, new in zip(self.elements, texts, strict=True):
            if new == element.text and not element.altered:
                continue
            slot, value = element.slot, element.value(new)
            if value is None:
                masked.append(slot)
            else:
                edits.append(RawEdit(slot.start, slot.end, quoted(value, plain=plain)))
                edits += element.beside(new)
        return [*edits, *_without(masked, self.removed)]


def _without(masked: Sequence[ElementSlot], removed: Sequence[ElementSlot]) -> Iterator[RawEdit]:
    """Edits that remove elements, object by object."""
    objects: defaultdict[tuple[tuple[int, int], ...], list[tuple[ElementSlot, bool]]] = defaultdict(
        list
    )
    for slots, with_note in ((masked, True), (removed, False)):
        for slot in slots:
            objects[slot.members].append((slot, with_note))
    for members, slots_of in objects.items():
        dropped: set[int] = set()
        arrays: defaultdict[int, list[tuple[ElementSlot, bool]]] = defaultdict(list)
        for slot, with_note in slots_of:
            if slot.element is not None:
                arrays[slot.member].append((slot, with_note))
            elif with_note and not slot.has_extension:
                key = quoted(f"_{slot.key}", plain=True)
                yield RawEdit(*members[slot.member], f"{key}: {_MASKED}")
            else:
                dropped.add(slot.member)
        for member, of_array in arrays.items():
            edits = list(_without_elements(of_array))
            yield from edits
            if not edits:
                dropped.add(member)
        yield from removals(members, dropped)


def _without_elements(slots: Sequence[tuple[ElementSlot, bool]]) -> Iterator[RawEdit]:
    """Edits that remove elements of an array; none if the whole array must be removed."""
    first = slots[0][0]
    dropped = {slot.element for slot, with_note in slots if not with_note}
    noted = {slot.element for slot, with_note in slots if with_note}
    if noted:
        if first.has_extension or dropped:
            raise RecordError("an array with values that can neither be written nor left out")
        for slot, _ in slots:
            yield RawEdit(slot.start, slot.end, "null")
        notes = (_MASKED if index in noted else "null" for index in range(len(first.elements)))
        end = first.members[first.member][1]
        key = quoted(f"_{first.key}", plain=True)
        yield RawEdit(end, end, f", {key}: [{', '.join(notes)}]")
    elif len(dropped) < len(first.elements):
        yield from removals(first.elements, [index for index in dropped if index is not None])
