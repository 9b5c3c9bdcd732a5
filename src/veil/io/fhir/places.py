"""Places of a resource that hold texts, and how new texts are written there."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Protocol

from veil.core.errors import RecordError
from veil.io.json_raw import RawEdit, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.io.json_raw import Value
    from veil.io.markup import Markup

_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-\d{2})?)?")


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a value stands: which member of which object, and which element of an array.

    `members` and `elements` are the extents of all of them; `has_extension` says whether the object
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


class Place(Protocol):
    """A string of a resource whose text is a document."""

    @property
    def text(self) -> str:
        """What is to be masked."""

    @property
    def slot(self) -> Slot:
        """Where the string stands."""

    @property
    def altered(self) -> bool:
        """Whether it is written anew even with the same text."""

    def value(self, new: str) -> str | None:
        """The string with a new text; None if the element cannot hold it."""

    def beside(self, new: str) -> Sequence[RawEdit]:
        """What changes in other elements."""


@dataclass(frozen=True, slots=True)
class StringPlace:
    """A string, or the part of it between two others."""

    text: str = field(repr=False)
    slot: Slot
    before: str = field(default="", repr=False)
    after: str = field(default="", repr=False)
    altered: bool = False

    def value(self, new: str) -> str | None:
        return f"{self.before}{new}{self.after}" or None  # FHIR has no empty strings

    def beside(self, new: str) -> Sequence[RawEdit]:
        return ()


@dataclass(frozen=True, slots=True)
class DatePlace:
    """A date, or the date of a time, whose hours stay with it as long as it is a full date."""

    text: str = field(repr=False)
    slot: Slot
    time: str = field(default="", repr=False)
    needs_time: bool = False
    altered: bool = False

    def value(self, new: str) -> str | None:
        if not is_date(new):
            return None
        is_full = len(new) == len("2000-01-01")
        if is_full:
            return new + self.time
        return None if self.needs_time else new

    def beside(self, new: str) -> Sequence[RawEdit]:
        return ()


@dataclass(frozen=True, slots=True)
class NumberPlace:
    """A number that is an identifier or an age: it stays or is taken out."""

    text: str = field(repr=False)
    slot: Slot
    altered: bool = False

    def value(self, new: str) -> str | None:
        return None

    def beside(self, new: str) -> Sequence[RawEdit]:
        return ()


@dataclass(frozen=True, slots=True)
class MarkupPlace:
    """A string of XHTML."""

    markup: Markup = field(repr=False)
    slot: Slot

    @property
    def text(self) -> str:
        return self.markup.text

    @property
    def altered(self) -> bool:
        return self.markup.altered

    def value(self, new: str) -> str | None:
        return self.markup.woven(new)

    def beside(self, new: str) -> Sequence[RawEdit]:
        return ()


@dataclass(frozen=True, slots=True)
class AttachmentPlace:
    """Text in base64; size and hash of the attachment follow it."""

    text: str = field(repr=False)
    slot: Slot
    encoding: str
    mark: bytes
    markup: Markup | None = field(default=None, repr=False)
    size: Value | None = field(default=None, repr=False)
    hash: Value | None = field(default=None, repr=False)

    @property
    def altered(self) -> bool:
        return self.markup is not None and self.markup.altered

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
                f"an attachment in {self.encoding}, which lacks letters of the new text"
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
