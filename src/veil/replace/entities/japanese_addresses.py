"""Stand-ins for Japanese addresses and places, part by part.

Postcode, prefecture, county, city, ward, town, block, building and room are each replaced by one
of their kind; towns lie in the prefecture before them. Numbers keep their script and width.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from veil.replace.entities.choosing import chosen
from veil.replace.entities.countries import places
from veil.replace.entities.japanese_names import (
    full_width_kana,
    institution,
    invented,
    place_name,
)
from veil.replace.entities.japanese_towns import city_with_wards, municipality, town
from veil.replace.entities.numbers import within
from veil.replace.entities.postcodes import postcode
from veil.replace.entities.words import longest_first, words
from veil.replace.entities.writing import half_width, japanese_key

if TYPE_CHECKING:
    from veil.replace.entities.record import Record
    from veil.replace.secret import Draw

_POSTCODE = re.compile(r"\s*〒?\s*[0-9]{3}[-‐‒–—―−ー]?[0-9]{4}(?![0-9])\s*")
_KATAKANA = re.compile("[\u30a1-\u30fa]")
_KANJI_DIGITS = "一二三四五六七八九"
_NUMERAL = "[〇一二三四五六七八九十]+"
_UNIT = "丁目|番地の?|番町|番|号室|号棟|号|条|地割|階|棟"
_AFTER_NUMERAL = f"(?={_UNIT})"
_PART = re.compile(
    rf"(?P<numeral>{_NUMERAL}{_AFTER_NUMERAL})"
    r"|(?P<number>[0-9０-９]+)"
    rf"|(?P<unit>(?<=[0-9０-９〇一二三四五六七八九十])(?:{_UNIT}|[FＦ])|丁目|大字|小字|字(?=\S)|様方|地内)"
    rf"|(?P<name>(?:(?!{_NUMERAL}{_AFTER_NUMERAL})"
    r"[A-Za-zＡ-Ｚａ-ｚ々〆ヶヵ\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff])+)"
)
# Municipalities that no list holds, by the character for their kind.
_UNLISTED = (
    ("counties", re.compile(r"[^\W\d]{1,4}?郡")),
    ("cities", re.compile(r"[^\W\d]{1,5}?市(?![場民])")),
    ("wards", re.compile(r"[^\W\d]{1,4}?区")),
)
_BARE_TOWN = re.compile("[\u4e00-\u9fff]{2,3}")
_TOWNSHIP = re.compile(r"[^\W\d]{1,4}?[町村]")
_MUNICIPAL = ("prefectures", "counties", "cities", "large_cities", "wards", "townships", "villages")


def location(record: Record, text: str) -> str:
    """The stand-in for an address, a place or a landmark."""
    text = full_width_kana(text)
    match = _POSTCODE.match(half_width(text))
    head = match.end() if match else 0
    new = "" if match is None else postcode(record, text[:head])
    rest = text[head:]
    if not rest:
        return new
    if rest.strip() in places("ja"):
        return new + rest.replace(rest.strip(), place_name(record, rest.strip()))
    if _is_bare_town(rest):
        return new + town(record, "cities", rest)
    municipal, end = _municipalities(record, rest)
    if not end and not any(map(str.isdigit, rest)) and "丁目" not in rest:
        return new + institution(record, rest, "LOCATION-OTHER")
    return new + municipal + _block(record, rest[end:])


def _is_bare_town(text: str) -> bool:
    """Whether a place has no word for its kind: it is a town, although no list has it."""
    kinds = (*"市区郡町村都道府県", *words("ja", "landmark_words"))
    return _BARE_TOWN.fullmatch(text) is not None and not text.endswith(kinds)


def _municipalities(record: Record, text: str) -> tuple[str, int]:
    """The stand-ins for prefecture, county, city, ward and town, and where these end."""
    pieces: list[str] = []
    position, after_county, after_city, prefecture = 0, False, False, None
    while position < len(text):
        name = _listed(text, position) or _unlisted(text, position, townships=after_county)
        if name is None or (after_city and name[-1] in "町村"):
            break
        after_county, after_city = name.endswith("郡"), name[-1] in "市区町村"
        position += len(name)
        if name in words("ja", "prefectures"):
            prefecture = name
            pieces.append(place_name(record, name))
            if _is_ward(text, position):
                pieces.append(city_with_wards(record, name))
            continue
        before_ward = _is_ward(text, position)
        pieces.append(municipality(record, name, within=prefecture, before_ward=before_ward))
    return "".join(pieces), position


def _listed(text: str, position: int) -> str | None:
    """The listed municipality that begins at a position; 茨木市場 is a market in 茨木."""
    for name in _municipal_names().get(text[position], ()):
        if text.startswith(name, position):
            after = text[position + len(name) : position + len(name) + 1]
            return None if name.endswith("市") and after in ("場", "民") else name
    return None


def _unlisted(text: str, position: int, *, townships: bool) -> str | None:
    forms = [form for _, form in _UNLISTED] + ([_TOWNSHIP] if townships else [])
    matches = (form.match(text, position) for form in forms)
    return next((match[0] for match in matches if match), None)


def _is_ward(text: str, position: int) -> bool:
    return _UNLISTED[2][1].match(text, position) is not None


@cache
def _municipal_names() -> dict[str, list[str]]:
    """All listed municipalities by their first character, the longest first."""
    names = {
        name + ("市" if kind in ("cities", "large_cities") else "")
        for kind in _MUNICIPAL
        for name in words("ja", kind)
    }
    by_first: dict[str, list[str]] = {}
    for name in sorted(names, key=lambda name: (-len(name), name)):
        by_first.setdefault(name[0], []).append(name)
    return by_first


def _block(record: Record, text: str) -> str:
    """The part of an address below the town: quarter, numbers, building and room."""
    numbers_seen = False

    def replace(match: re.Match[str]) -> str:
        nonlocal numbers_seen
        if match["unit"]:
            return match[0]
        if match["name"] is None:
            numbers_seen = True
            return _numeral(record, match[0]) if match["numeral"] else within(record, match[0])
        name = match["name"]
        if not name.strip("ー"):
            return name
        if len(name) == 1 and half_width(name).isascii():
            return within(record, name)  # a house or a floor: B-308号室
        return _building(record, name) if numbers_seen else _quarter(record, name)

    return _PART.sub(replace, text)


def _numeral(record: Record, text: str) -> str:
    """Another number in kanji, below ten for one below ten."""
    ten = "十" if 1 < len(text) else ""

    def make(draw: Draw) -> str:
        return ten + draw.choice(_KANJI_DIGITS)

    return record.stand_in("numeral", text, (make, record.is_no_original))


def _quarter(record: Record, text: str) -> str:
    """A quarter with the same last character where that says what it is: 緑町 -> 桐町."""
    tails = words("ja", "town_tails")
    kept = next((end for end in ("ケ丘", "ヶ丘", "が丘", "町", "台") if text.endswith(end)), "")

    def make(draw: Draw) -> str | None:
        head, tail = draw.choice(words("ja", "town_heads")), kept or draw.choice(tails)
        return head + tail if head[-1] != tail[0] else None

    return record.stand_in("quarter", japanese_key(text), (make, record.is_new_name))


def _building(record: Record, text: str) -> str:
    """Another building of the same kind."""
    kind = next((end for end in longest_first("ja", "building_kinds") if text.endswith(end)), "")
    bare = text.removesuffix(kind)
    if kind and not bare:
        return text
    if kind:
        return (
            chosen(record, "name of building", japanese_key(bare), words("ja", "katakana")) + kind
        )
    if _KATAKANA.search(text):
        return chosen(record, "building", japanese_key(text), words("ja", "buildings"))
    return invented(record, text)
