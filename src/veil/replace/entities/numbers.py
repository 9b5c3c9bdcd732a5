"""Surrogates for numbers and codes: same spelling, valid check digit, not in the record."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from veil.core.checks import CHECKS
from veil.core.numbers import is_mac
from veil.core.patterns import compile_pattern
from veil.languages import language_codes
from veil.replace.entities.checked import birth_number, kinds_of, new_mac
from veil.replace.entities.language import entity_language
from veil.replace.entities.record import LONG_NUMBER
from veil.replace.entities.spelling import (
    core_of,
    fill_in,
    half_width,
    new_characters,
    new_digits,
    new_number,
)

if TYPE_CHECKING:
    from veil.replace.entities.record import Choice, EntityRecord
    from veil.replace.secret import Draw

# Words for the kind of number: the same number may occur with and without them.
_KEY_WORD = compile_pattern(
    r"\s*(?:NHC|MRN|MR|SN|S/N|LOT|REF|ID|NO|NR|Nº|N°|DNI|NIE|NIF|NSS|SSN|NPI|DEA|VIN|IMEI|UDI|CIP|CURP"
    r"|RUT|IBAN|PIN)[\s.:#º°-]*(?=[0-9]{2}|[A-Z][0-9]{3})|\((?:01|10|11|17|21)\)"
)
_UUID = compile_pattern("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HEXADECIMAL = "0123456789ABCDEF"
_SHORT = 3
_HIDDEN = compile_pattern("[X*]{2,}")
_UNCASED = compile_pattern("[\u3041-\u3096]+|[\u30a1-\u30fa\u30fc]+|[\u3005\u4e00-\u9fff]+")


def replace_number(record: EntityRecord, text: str, *, key_words: bool = True) -> str:
    """Return the surrogate for a number or code.

    `key_words`: whether words such as MRN before the number stay.
    """
    if not text.isascii():
        text = _UNCASED.sub(partial(_uncased_letters, record), text)
    elif text.isdigit():
        return _number(record, text)
    match = _KEY_WORD.match(half_width(text).upper()) if key_words else None
    head = match.end() if match else 0
    return text[:head] + _number(record, text[head:])


def replace_characters(record: EntityRecord, text: str) -> str:
    """Return the text with new digits and letters; all other characters are unchanged."""
    core = core_of(text)
    return fill_in(text, replace_plain_number(record, core)) if core else text


def _number(record: EntityRecord, text: str) -> str:
    core = core_of(text)
    if not core:
        return text
    is_number = core == text and core.isdigit()
    hidden = None if is_number else _HIDDEN.search(half_width(text).upper())
    if hidden and set(core) <= set("0123456789X"):
        # Digits that are already hidden: xxx-xx-1234.
        before, after = text[: hidden.start()], text[hidden.end() :]
        crossed = text[hidden.start() : hidden.end()]
        return _number(record, before) + crossed + _number(record, after)
    if not is_number and _UUID.fullmatch(text):
        new = record.surrogate("uuid", core, (partial(_hexadecimal, core), record.is_new_number))
        return fill_in(text, new.lower() if text.islower() else new)
    new = (
        birth_number(record, text)
        or _checked(record, text, core)
        or replace_plain_number(record, core)
    )
    return fill_in(text, new)


def _hexadecimal(core: str, draw: Draw) -> str:
    return "".join(draw.choice(_HEXADECIMAL) for _ in core)


def _checked(record: EntityRecord, text: str, core: str) -> str | None:
    if not core.isdigit() and is_mac(text):
        return record.surrogate("mac", core, (partial(new_mac, core), record.is_new_number))
    kinds = kinds_of(core, record.language)
    if not kinds:
        return None
    checks = [CHECKS.get(kind.check) for kind in kinds]
    kind = kinds[0]

    def make(draw: Draw) -> str | None:
        made = kind.make(core, draw)
        return made if made is not None and len(made) == len(core) else None

    def passes_all(made: str) -> bool:
        return record.is_new_number(made) and all(check(made) for check in checks)

    def passes(made: str) -> bool:
        return record.is_new_number(made) and checks[0](made)

    return record.surrogate(
        f"number/{kind.check}",
        core,
        (make, passes_all),
        (make, passes),
        (partial(new_number, core), record.is_new_number),
    )


def replace_plain_number(record: EntityRecord, core: str) -> str:
    """Return the core of a surrogate for a number or code without check digits.

    If all short numbers occur in the text, the surrogate may be one that is not an original;
    failing that, it gets one more digit.
    """
    bare = core.lstrip("0") if core.isdigit() and core.strip("0") else core
    is_short = bare.isdigit() and len(bare) < _SHORT
    made = _short_number(record, bare) if is_short else None
    return core[: len(core) - len(bare)] + (made or _drawn(record, bare, frozenset()))


def _short_number(record: EntityRecord, bare: str) -> str | None:
    """Return the surrogate of a short number; None if the record does not have the number.

    All of them are different, so each is drawn after those before it in sorted order.
    """
    made = record.short_numbers.setdefault(record.round, {})
    for number in record.short_numbers_found[len(made) :]:
        if bare < number:
            break
        made[number] = _drawn(record, number, frozenset(made.values()))
    return made.get(bare)


def _drawn(record: EntityRecord, bare: str, taken: frozenset[str]) -> str:
    """Return a surrogate that is not in `taken` for a number without leading zeros."""
    make = partial(new_number, bare)

    def is_new(made: str) -> bool:
        return made not in taken and record.is_new_number(made)

    def is_found_nowhere(made: str) -> bool:
        return made not in taken and record.is_no_number_found(made)

    choices: list[Choice | None] = [(make, is_new)]
    if bare.isdigit() and len(bare) < _SHORT:
        free = record.free_numbers(len(bare))
        # If no number is free, drawing cannot succeed.
        if len(free) <= len(taken) + 1 and taken.union((bare,)).issuperset(free):
            choices = [(make, is_new) if bare[0] == "0" else None, None]
        else:
            choices.append((lambda draw: draw.choice(free), is_new))
    if len(bare) < LONG_NUMBER:
        choices.append((make, is_found_nowhere))
        choices.append((partial(_longer, bare), is_found_nowhere))
    return record.surrogate("number", bare, *choices)


def _longer(bare: str, draw: Draw) -> str:
    return new_number(bare, draw) + new_digits(draw, 1)


def _uncased_letters(record: EntityRecord, match: re.Match[str]) -> str:
    """Return other letters for a run of kana or kanji, which occur in codes of other languages."""
    run = match[0]
    for code in (record.language, *language_codes()):
        made = entity_language(code).uncased_letters(record, run)
        if made is not None:
            return made
    return new_characters(run, record.draw("characters", run))
