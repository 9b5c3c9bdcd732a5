"""Exchanging an entry of a list for another one, so that different entries stay different."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from veil.replace.entities.words import key_of, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.replace.entities.record import Record
    from veil.replace.secret import Secret

_ROUNDS = 4
_ATTEMPTS = 12


def exchange(record: Record, name: str, number: int, form: int = 0) -> str:
    """Another entry of a list of the record's language, in the form asked for where it has it."""
    return exchange_entry(record, name, words(record.language, name), number, form)


def exchange_entry(
    record: Record, name: str, entries: Sequence[str], number: int, form: int = 0
) -> str:
    """Another of the entries; those of which a word stands among the originals come last."""
    return _exchanged(record, name, entries, number, form, excluded=number)


def _exchanged(
    record: Record, name: str, entries: Sequence[str], number: int, form: int, *, excluded: int
) -> str:
    size = len(entries)
    for is_free in (record.is_new_name, record.is_no_original):
        for step in range(_ATTEMPTS + size):
            # Other permutations first, so that entries stay apart; then one entry after the other.
            place = number if step < _ATTEMPTS else (number + step) % size
            purpose = f"{name}/{record.round}/{min(step, _ATTEMPTS)}"
            other = record.permuted(purpose, place, size)
            forms = entries[other].split("=")
            # All forms of a thing are exchanged alike, so each of them must be free.
            if other != excluded and all(map(is_free, forms)):
                return forms[min(form, len(forms) - 1)]
    raise record.error("no stand-in could be made: all entries of a list stand in the record")


def chosen(record: Record, purpose: str, value: str, options: tuple[str, ...]) -> str:
    """One of the options for a folded name, which may be an option itself."""
    place = _numbers(options).get(value)
    if place is not None:
        return exchange_entry(record, purpose, options, place)
    place = record.draw(purpose, value).below(len(options))
    return _exchanged(record, purpose, options, place, 0, excluded=-1)


@cache
def _numbers(options: tuple[str, ...]) -> dict[str, int]:
    return {key_of(option): number for number, option in enumerate(options)}


def permuted(secret: Secret, purpose: str, number: int, size: int) -> int:
    """Where a secret permutation of the numbers below `size` puts one of them.

    A Feistel network over the next power of four, walked until it meets a number below `size`
    (cycle walking; Black and Rogaway 2002): no list need be shuffled for the sake of one entry.
    """
    bits = max(1, ((size - 1).bit_length() + 1) // 2)
    mask = (1 << bits) - 1
    while True:
        left, right = number >> bits, number & mask
        for turn in range(_ROUNDS):
            drawn = secret.draw("order", purpose, str(turn), str(right)).below(mask + 1)
            left, right = right, left ^ drawn
        number = left << bits | right
        if number < size:
            return number
