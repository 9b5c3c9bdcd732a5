"""Surrogates for professions: others of the same number and, if a language shows it, sex."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from veil.lexicons import lexicon
from veil.replace.entities.language import entity_language, name_key, name_keys, word_set
from veil.replace.entities.record import NoEntriesError, exchange_entry
from veil.replace.entities.spelling import match_case

if TYPE_CHECKING:
    from veil.replace.entities.record import EntityRecord
    from veil.replace.secret import Draw


class _Professions(NamedTuple):
    """The professions of a language by group, and the group of each folded profession."""

    groups: dict[str, tuple[str, ...]]
    group_of: dict[str, str]


def replace_profession(record: EntityRecord, text: str) -> str:
    """Return the surrogate for a profession."""
    rules, known = record.rules, _professions(record.language)
    if not known.groups:
        raise NoEntriesError("no list to choose from")
    key = rules.profession_key(text)
    singular = key if key in known.group_of else rules.singular(key, known.group_of)
    is_listed = singular in known.group_of
    group = known.group_of[singular] if is_listed else rules.profession_group(singular)
    entries = known.groups.get(group) or max(known.groups.values(), key=len)
    if is_listed:
        index = next(number for number, entry in enumerate(entries) if name_key(entry) == singular)
        new = exchange_entry(record, "professions", entries, index)
    else:

        def make(draw: Draw) -> str:
            return draw.choice(entries)

        choices = ((make, record.is_new_name), (make, record.is_no_original))
        new = record.surrogate("profession", key, *choices)
    if singular != key:
        new = rules.plural(new, is_listed=is_listed)
    # "CEO" is no profession in capitals.
    return new if text in entries else match_case(text, new)


@cache
def _professions(language: str) -> _Professions:
    group_of = entity_language(language).profession_group
    groups: dict[str, list[str]] = {}
    entries = lexicon(language, "profession").entries
    idle = word_set(language, "idle")
    for entry, key in zip(entries, name_keys(entries), strict=True):
        if not entry.startswith("-") and key.split()[0] not in idle:
            groups.setdefault(group_of(entry), []).append(entry)
    return _Professions(
        {name: tuple(entries) for name, entries in groups.items()},
        {key: name for name, entries in groups.items() for key in name_keys(entries)},
    )
