"""Stand-ins for Japanese prefectures and municipalities, which lie in each other as the old did.

A prefecture becomes another one, and all towns of a prefecture become towns of its stand-in:
`石川県金沢市` and `金沢` alone agree. Prefectures with a large city, which alone has wards, become
prefectures with one.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from veil.replace.entities.choosing import exchange_entry
from veil.replace.entities.words import rows, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.replace.entities.record import Record

_BY_END = {
    "市": "cities",
    "区": "wards",
    "郡": "counties",
    "町": "townships",
    "村": "villages",
}
_BY_PREFECTURE = ("cities", "counties", "townships")
# Its wards have no city above them, so nothing can become one but what has none either.
_TOKYO = "東京都"


def is_municipality(name: str) -> bool:
    """Whether a name ends in the character for a kind of municipality."""
    return (2 < len(name) and name[-1] in _BY_END) or (len(name) == 2 and name[-1] == "区")


def prefecture(record: Record, name: str) -> str:
    """The stand-in of a listed prefecture."""
    large = words("ja", "large_prefectures")
    if name == _TOKYO or name in large:
        entries: Sequence[str] = (*large, _TOKYO) if name == _TOKYO else large
    else:
        entries = _small_prefectures()
    return exchange_entry(record, f"prefectures/{len(entries)}", entries, entries.index(name))


def municipality(
    record: Record, name: str, *, within: str | None = None, before_ward: bool = False
) -> str:
    """The stand-in of a city, ward, county, town or village, with the character for its kind.

    `within` is the old prefecture, if the text tells it.
    """
    kind = _BY_END[name[-1]]
    bare = name.removesuffix("市") if kind == "cities" else name
    if kind == "cities" and (before_ward or bare in words("ja", "large_cities")):
        kind = "large_cities"
    return town(record, kind, bare, within=within) + ("市" if bare != name else "")


def town(record: Record, kind: str, bare: str, *, within: str | None = None) -> str:
    """The stand-in of a town of a kind, listed or not; cities are without their last character.

    Where the new prefecture has fewer large cities than the old one, another city is one of them.
    """
    old = _prefectures_of(kind).get(bare, within)
    near = _near(record, kind, bare, old) if old else None
    if near is None and old and kind == "large_cities":
        near = _near(record, "cities", bare, old)
    if near is not None:
        return near
    usual = rows("ja", kind)[0] if kind == "wards" else words("ja", kind)
    return record.stand_in(
        f"town/{kind}",
        bare,
        (lambda draw: draw.choice(usual), record.is_new_name),
        (lambda draw: draw.choice(words("ja", kind)), record.is_no_original),
    )


def _near(record: Record, kind: str, bare: str, old: str) -> str | None:
    """A town of the prefecture that stands in for the old one; no two listed towns have the same.

    None for a town that is one too many for the new prefecture.
    """
    towns = _table(kind).get(old, ())
    free = [each for each in _towns_in(prefecture(record, old), kind) if record.is_new_name(each)]
    if bare not in towns:
        return record.draw(f"town/{kind}", bare).choice(free) if free else None
    place = towns.index(bare)
    if len(towns) <= len(free):
        place = (place + record.draw(f"towns/{kind}", old).below(len(free))) % len(free)
    return free[place] if place < len(free) else None


def city_with_wards(record: Record, old_prefecture: str) -> str:
    """A city for wards of Tokyo, whose stand-ins need one."""
    new = prefecture(record, old_prefecture)
    cities = _towns_in(new, "large_cities")
    return f"{cities[0]}市" if cities else ""


@cache
def _small_prefectures() -> tuple[str, ...]:
    large = words("ja", "large_prefectures")
    return tuple(name for name in words("ja", "prefectures") if name not in (*large, _TOKYO))


@cache
def _table(kind: str) -> dict[str, tuple[str, ...]]:
    """The towns of a kind by their prefecture, where a list has them by it."""
    if kind in _BY_PREFECTURE:
        return dict(zip(words("ja", "prefectures"), rows("ja", kind), strict=True))
    if kind == "large_cities":
        return dict(zip(words("ja", "large_prefectures"), rows("ja", kind), strict=True))
    return {}


@cache
def _prefectures_of(kind: str) -> dict[str, str]:
    return {town: name for name, towns in _table(kind).items() for town in towns}


def _towns_in(name: str, kind: str) -> tuple[str, ...]:
    return _table(kind).get(name, ())
