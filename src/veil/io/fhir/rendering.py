"""A resource with new texts in its places, and all else as it was read."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from veil.core.errors import RecordError
from veil.io.json_raw import RawEdit, apply_edits, escapes_letters, quoted, removals

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from veil.io.fhir.places import Place, Slot

# How FHIR says that a value is not told for reasons of privacy.
_MASKED = (
    '{"extension": [{"url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason",'
    ' "valueCode": "masked"}]}'
)


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource as it is written, its places, and what is taken out of it.

    `masked` are elements that are taken out with a note in their place, `removed` those without.
    """

    raw: str = field(repr=False)
    places: tuple[Place, ...] = field(default=(), repr=False)
    masked: tuple[Slot, ...] = ()
    removed: tuple[Slot, ...] = ()

    def render(self, texts: Sequence[str]) -> str:
        return apply_edits(self.raw, self.edits(texts))

    def edits(self, texts: Sequence[str]) -> list[RawEdit]:
        """What changes with new texts."""
        plain = escapes_letters(self.raw)
        edits: list[RawEdit] = []
        masked = list(self.masked)
        for place, new in zip(self.places, texts, strict=True):
            if new == place.text and not place.altered:
                continue
            slot, value = place.slot, place.value(new)
            if value is None:
                masked.append(slot)
            else:
                edits.append(RawEdit(slot.start, slot.end, quoted(value, plain=plain)))
                edits += place.beside(new)
        return [*edits, *_without(masked, self.removed)]


def _without(masked: Sequence[Slot], removed: Sequence[Slot]) -> Iterator[RawEdit]:
    """Edits that take elements out, object by object."""
    objects: defaultdict[tuple[tuple[int, int], ...], list[tuple[Slot, bool]]] = defaultdict(list)
    for slots, with_note in ((masked, True), (removed, False)):
        for slot in slots:
            objects[slot.members].append((slot, with_note))
    for members, slots_of in objects.items():
        dropped: set[int] = set()
        arrays: defaultdict[int, list[tuple[Slot, bool]]] = defaultdict(list)
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


def _without_elements(slots: Sequence[tuple[Slot, bool]]) -> Iterator[RawEdit]:
    """Edits that take elements out of an array; none if the array is to go as a whole."""
    first = slots[0][0]
    dropped = {slot.element for slot, with_note in slots if not with_note}
    noted = {slot.element for slot, with_note in slots if with_note}
    if noted:
        if first.has_extension or dropped:
            raise RecordError("an array of which some values can neither be written nor left out")
        for slot, _ in slots:
            yield RawEdit(slot.start, slot.end, "null")
        notes = (_MASKED if place in noted else "null" for place in range(len(first.elements)))
        end = first.members[first.member][1]
        key = quoted(f"_{first.key}", plain=True)
        yield RawEdit(end, end, f", {key}: [{', '.join(notes)}]")
    elif len(dropped) < len(first.elements):
        yield from removals(first.elements, [place for place in dropped if place is not None])
