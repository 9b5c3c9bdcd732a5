"""What a mapping holds of a record: what its masked text is known by, and what stood in it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from veil.core.document import ESCAPES
from veil.replace.base import Edit, undo_edits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from veil.replace.base import Masked

# The size of a frame can be seen without the passphrase. Filled up with blanks it says little of
# how long the names in a record are.
_STEP = 256


@dataclass(frozen=True, slots=True)
class Placed:
    """An edit without its new text, of which the masked text holds so many characters."""

    start: int
    old: str = field(repr=False)
    new_length: int
    label: str
    action: str


@dataclass(frozen=True, slots=True)
class Entry:
    """The id of a record, the SHA-256 of its masked text, and the edits that lead back.

    `escapes` say how a JSON string of the original was written, if that is to be known.
    """

    record: str
    digest: str
    edits: tuple[Placed, ...]
    escapes: Mapping[str, str] | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, record: str, masked: Masked) -> Entry:
        edits = tuple(
            Placed(edit.start, edit.old, len(edit.new), edit.label, edit.action)
            for edit in masked.edits
        )
        escapes = masked.document.meta.get(ESCAPES)
        return cls(record, digest(masked.document.text), edits, escapes)

    @classmethod
    def from_bytes(cls, data: bytes) -> Entry:
        record, digest, edits, *escapes = json.loads(data.decode("utf-8", "surrogatepass"))
        return cls(record, digest, tuple(Placed(*edit) for edit in edits), *escapes)

    def to_bytes(self) -> bytes:
        edits = [
            (edit.start, edit.old, edit.new_length, edit.label, edit.action) for edit in self.edits
        ]
        # Not as \u escapes: they would join two halves of a surrogate pair that stood apart.
        escapes = () if self.escapes is None else (self.escapes,)
        text = json.dumps((self.record, self.digest, edits, *escapes), ensure_ascii=False)
        data = text.encode("utf-8", "surrogatepass")
        return data + b" " * (-len(data) % _STEP)

    def original(self, text: str) -> str:
        """What stood in the place of the masked text."""
        edits = []
        shift = 0
        for each in self.edits:
            start, end = each.start, each.start + len(each.old)
            new = text[start + shift : start + shift + each.new_length]
            edits.append(Edit(start, end, each.old, new, each.label, each.action))
            shift += len(new) - len(each.old)
        return undo_edits(text, edits)


def digest(text: str) -> str:
    """What a masked text is known by."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
