"""Surrogates for professions: others in the same number and, if a language shows it, sex."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from veil.lexicons import lexicon
from veil.replace.entities.language import entity_language, name_keys, word_set
from veil.replace.entities.record import NoEntriesError, exchange_entry
from veil.replace.entities.spelling import match_case

if TYPE_CHECKING:
    from veil.replace.entities.record import EntityRecord
    from veil.replace.secret import Draw


class _Professions(NamedTuple):
    """The professions of a language by group, and the position of each folded profession."""

    groups: dict[str, tuple[str, ...]]
    places: dict[str, tuple[str, int]]


def replace_profession(record: EntityRecord, text: str) -> str:
    """Return the surrogate for a profession."""
    rules, known = record.rules, _professions(record.language)
    if not known.groups:
        raise NoEntriesError("no list to choose from")
    key = rules.profession_key(text)
    singular = key if key in known.places else rules.singular(key, known.places)
    place = known.places.get(singular)
    if place is not None:
        entries = known.groups[place[0]]
        new = exchange_entry(record, "professions", entries, place[1])
    else:
        group = known.groups.get(rules.profession_group(singular))
        entries = group or max(known.groups.values(), key=len)

        def make(draw: Draw) -> str:
            return draw.choice(entries)

        choices = ((make, record.is_new_name), (make, record.is_no_original))
        new = record.surrogate("profession", key, *choices)
    if singular != key:
        new = rules.plural(new, is_listed=place is not None)
    # "CEO" is listed in capitals, which are therefore not copied.
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
    places = {
        key: (name, number)
        for name, entries in groups.items()
        # Of entries with the same key the first counts.
        for number, key in reversed([*enumerate(name_keys(entries))])
    }
    return _Professions({name: tuple(entries) for name, entries in groups.items()}, places)
