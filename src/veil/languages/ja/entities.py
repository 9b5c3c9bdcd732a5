"""Japanese institutions, addresses and municipalities.

The kind of an institution is kept, and its name changes: words for a kind are removed from both
ends of a name and from its middle (`市立`, `総合病院`, `医療法人社団`), and the rest is a place or
a name. Names that are hidden already (`○○病院`) and words that name no institution (`当院`, `近医`)
are kept.

In an address, postcode, prefecture, county, city, ward, town, block, building and room are each
replaced by one of their kind. A prefecture becomes another one, and its towns become towns of the
new prefecture: `石川県金沢市` and `金沢` agree. Prefectures with a large city, which alone has
wards, become prefectures with one. Numbers keep their script and width.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from veil.lexicons import lexicon
from veil.lexicons.folding import fold_in_place
from veil.replace.entities.countries import places, replace_postcode
from veil.replace.entities.language import EntityLanguage, longest_first, rows, words
from veil.replace.entities.names import is_abbreviation, replace_abbreviation
from veil.replace.entities.numbers import replace_characters, replace_number
from veil.replace.entities.record import EntityRecord, choose, exchange, exchange_entry
from veil.replace.entities.spelling import half_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veil.replace.base import Case
    from veil.replace.secret import Draw

_PREFECTURE_ENDS = "都府県"
_TOWN_ENDS = "市町村区"
# Endings of names that are words for a kind although they have only one character.
_ENDS = {
    "institution_words": "会苑荘寮園社組店科部室課係署駅",
    "landmark_words": "駅港湖川山岳島橋峠城寺道線坂池岬",
}
_SOCIETY = re.compile(r"(?P<society>\S{1,4}?会)(?P<rest>\S{2,})")
_HIRAGANA = re.compile("[\u3041-\u3096ー]+")
_KATAKANA = re.compile("[\u30a1-\u30fcｦ-ﾟ・]+")
_LATIN = re.compile("[A-Za-z0-9Ａ-Ｚａ-ｚ０-９&＆.．]+")
_NAMED = re.compile(r"[\w々〆ヶヵ]")
_PIECE = re.compile(
    r"[A-Za-z0-9Ａ-Ｚａ-ｚ０-９&＆]+|[^\sA-Za-z0-9Ａ-Ｚａ-ｚ０-９&＆()（）・,、㈱㈲]+"
)
_HALF_WIDTH_KANA = re.compile("[\uff66-\uff9f]+")
_DIRECTIONS = "東西南北中"
# Names that are written in two scripts: ひだまり桐生, 天竜モーター.
_SCRIPTS = re.compile(
    "(?:(?!の)[\u3041-\u3096ー]){3,}|[\u30a1-\u30f4\u30fa-\u30fc・]{2,}"
    "|(?:(?!(?:(?!の)[\u3041-\u3096ー]){3}|[\u30a1-\u30f4\u30fa-\u30fc・]{2}).)+"
)
_CITY = re.compile(r"[^\W\d]{2,5}?市(?=..)")
_STATION = "駅"
_SHORTEST_PLACE, _LONGEST_PLACE = 2, 5
_REMEMBERED = 1 << 13
# Countries that are only regions in the names of firms: 中国 is also a region of Japan.
_REGIONS = ("中国", "日本")
_POSTCODE = re.compile(r"\s*〒?\s*[0-9]{3}[-‐‒–—―−ー]?[0-9]{4}(?![0-9])\s*")
_ANY_KATAKANA = re.compile("[\u30a1-\u30fa]")
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
# Municipalities that no list contains, by the character for their kind.
_UNLISTED_FORM = re.compile(r"[^\W\d]{1,4}?郡|[^\W\d]{1,5}?市(?![場民])|[^\W\d]{1,4}?区")
_WARD = re.compile(r"[^\W\d]{1,4}?区")
_BARE_TOWN = re.compile("[\u4e00-\u9fff]{2,3}")
_TOWNSHIP = re.compile(r"[^\W\d]{1,4}?[町村]")
_MUNICIPAL = ("prefectures", "counties", "cities", "large_cities", "wards", "townships", "villages")
_BY_END = {
    "市": "cities",
    "区": "wards",
    "郡": "counties",
    "町": "townships",
    "村": "villages",
}
_BY_PREFECTURE = ("cities", "counties", "townships")
# Its wards have no city above them, so no other prefecture can become Tokyo.
_TOKYO = "東京都"
_GENERIC_KANJI = frozenset("第号番年月日級種証記枝券免許認定登録番号記号枝番")
_PLATE_KANA = "あいうえかきくけこさすせそたちつてとなにぬねのはひふほまみむめもやゆよらりるれろ"
_CODE_KATAKANA = (
    "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワ"
)
# Professions are grouped by their last character if so many share it.
_FEWEST = 6


class _Japanese(EntityLanguage):
    def whole_name(self, record: EntityRecord, text: str, label: str) -> str:
        return replace_institution(record, text, label)

    def address(self, record: EntityRecord, text: str) -> str:
        return replace_location(record, text)

    def uncased_letters(self, record: EntityRecord, run: str) -> str:
        # Another registration office or character of a number plate; words for "number" are kept.
        plates = words("ja", "plates")
        if run in plates and record.language == self.code:
            return exchange(record, "plates", plates.index(run))
        if set(run) <= _GENERIC_KANJI:
            return run
        if run[0] <= "\u3096":
            alphabet = _PLATE_KANA
        else:
            is_kana = run[0] <= "\u30fc"
            alphabet = _CODE_KATAKANA if is_kana else "".join(words("ja", "kanji_heads"))
        draw = record.draw("characters", run)
        return "".join(
            character if character in "第号" else draw.choice(alphabet.replace(character, ""))
            for character in run
        )

    def profession_key(self, text: str) -> str:
        return japanese_key(text)

    def profession_group(self, word: str) -> str:
        return word[-1] if word[-1] in _frequent_ends() else "other"

    def has_parts_of(self, record: EntityRecord, name: str) -> bool:
        return japanese_key(name) in record.case.once(_originals)


def _originals(case: Case) -> str:
    return "\n".join(japanese_key(text) for text in EntityRecord.of(case).originals)


@cache
def _frequent_ends() -> frozenset[str]:
    ends = [entry[-1] for entry in lexicon("ja", "profession").entries]
    return frozenset(end for end in ends if _FEWEST <= ends.count(end))


@lru_cache(_REMEMBERED)
def japanese_key(text: str) -> str:
    """Return a text without spaces, in half width and with the usual forms of its characters."""
    return "".join(map(_usual_form, text))


@cache
def _usual_form(character: str) -> str:
    return fold_in_place(character).strip()


# -- Institutions -----------------------------------------------------------------------------


def replace_institution(record: EntityRecord, text: str, label: str) -> str:
    """Return the surrogate for an institution, department, firm, landmark or room."""
    key = japanese_key(text)
    if key in words("ja", "referring"):
        return text
    text = full_width_kana(text)
    if label in ("DEPARTMENT", "ROOM"):
        return _department(record, text)
    if is_abbreviation(half_width(text)):
        return replace_abbreviation(record, half_width(text))
    kind = "landmark_words" if label == "LOCATION-OTHER" else "institution_words"
    # Words for a kind are kept if another word is the name: NPO法人ともしび 支援ホーム.
    new = _PIECE.sub(lambda match: _renamed(record, match[0], kind, is_name=False), text)
    if new != text:
        return new
    return _PIECE.sub(lambda match: _renamed(record, match[0], kind), text)


def full_width_kana(text: str) -> str:
    """Return the text with half-width kana in full width, as in the lists."""
    return _HALF_WIDTH_KANA.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


def place_name(record: EntityRecord, text: str) -> str:
    """Return the surrogate for a place, with or without the character for its kind."""
    found = places("ja")
    for end in ("", *_PREFECTURE_ENDS, *_TOWN_ENDS):
        bare = text.removesuffix(end) if end else text
        if bare in found and (not end or bare != text):
            return _listed(record, bare) + (end if bare != text else "")
    for end in _PREFECTURE_ENDS:
        if f"{text}{end}" in found:
            return _listed(record, f"{text}{end}")[:-1]
    if 1 < len(text) and text[-1] in _DIRECTIONS and text[:-1] in found:
        return place_name(record, text[:-1]) + text[-1]
    return municipality(record, text) if is_municipality(text) else invent_name(record, text)


def _listed(record: EntityRecord, name: str) -> str:
    """Return the surrogate of a listed place."""
    entry = places("ja")[name][0]
    if entry.list == "prefectures":
        return prefecture(record, name)
    if entry.list in ("cities", "large_cities", "counties", "townships"):
        return town(record, entry.list, name)
    return exchange(record, entry.list, entry.number)


def invent_name(record: EntityRecord, text: str) -> str:
    """Return an invented name in the script of the old one."""
    if _LATIN.fullmatch(text):
        return replace_number(record, text)

    def make(draw: Draw) -> str | None:
        if _HIRAGANA.fullmatch(text):
            return draw.choice(words("ja", "hiragana"))
        if _KATAKANA.fullmatch(text):
            return draw.choice(words("ja", "katakana"))
        head, tail = (draw.choice(words("ja", name)) for name in ("kanji_heads", "kanji_tails"))
        return head + tail if head != tail else None

    return record.surrogate("name", japanese_key(text), (make, record.is_new_name))


def _department(record: EntityRecord, text: str) -> str:
    """Return another number of a ward or room, and another speciality; "the ward" is kept."""
    new = replace_characters(record, text)
    listed = words("ja", "specialities")
    for entry in longest_first("ja", "specialities"):
        if entry in new:
            return new.replace(entry, exchange(record, "specialities", listed.index(entry)), 1)
    if new != text:
        return new
    for direction in "東西南北":
        if direction in text:
            others = "東西南北".replace(direction, "")
            return text.replace(direction, record.draw("direction", direction).choice(others), 1)
    return _PIECE.sub(lambda match: _renamed(record, match[0], "department_words"), text)


def _renamed(record: EntityRecord, text: str, kind: str, *, is_name: bool = True) -> str:
    """Return a new name for a piece without spaces, keeping its words for a kind.

    `is_name` says that one of its words is the name even if all are words for a kind.
    """
    says_kind = text in words("ja", "institution_words")
    if _LATIN.fullmatch(text):
        return text if says_kind else replace_number(record, text)
    if len(text) == 1 and says_kind:
        return text  # (株)
    before, name, after = _take_off(text, kind)
    if not name or not _NAMED.search(name):
        return text
    if not is_name and name in _kinds(kind).by_first.get(name[0], ()):
        return text
    society = _SOCIETY.fullmatch(name)
    if society is not None and name not in places("ja"):
        first = society["society"]
        return (
            before + _stretch(record, first, kind) + _stretch(record, society["rest"], kind) + after
        )
    return before + _stretch(record, name, kind) + after


def _stretch(record: EntityRecord, text: str, kind: str) -> str:
    """Return the surrogate for the rest of a name, which may contain words for a kind."""
    ends = _ENDS.get(kind, "")
    if text in (*ends, "の"):
        return text
    if text not in _REGIONS and _is_place(text):
        return place_name(record, text)
    inner = _find_kind(text, kind)
    if inner is None or inner == (0, len(text)):
        shortest = 2 if kind == "landmark_words" else 3
        end = text[-1] if shortest <= len(text) and text[-1] in ends else ""
        name = text.removesuffix(end)
        if end == _STATION and not _is_place(name):
            return town(record, "cities", name) + end
        return _name(record, name) + end
    first, last = text[: inner[0]], text[inner[1] :]
    return (
        (_stretch(record, first, kind) if first else "")
        + text[slice(*inner)]
        + (_stretch(record, last, kind) if last else "")
    )


def _find_kind(text: str, kind: str) -> tuple[int, int] | None:
    """Return the offsets of the first word for a kind in a name, the longest of several there."""
    kinds = _kinds(kind).by_first
    for start, letter in enumerate(text):
        for word in kinds.get(letter, ()):
            if text.startswith(word, start):
                return start, start + len(word)
    return None


def _name(record: EntityRecord, text: str) -> str:
    """Return a new name, part by part: the place at its beginning, and each of its scripts."""
    if text in _REGIONS:
        return choose(record, "region", text, words("ja", "regions"))
    if _is_place(text):
        return place_name(record, text)
    for end in range(min(len(text) - 1, _LONGEST_PLACE), _SHORTEST_PLACE - 1, -1):
        rest = text[end:]
        if _is_place(text[:end]) and (rest in _DIRECTIONS or 1 < len(rest)):
            new = rest if rest in _DIRECTIONS else _name(record, rest)
            return place_name(record, text[:end]) + new
    city = _CITY.match(text)
    if city is not None:
        return municipality(record, city[0]) + _name(record, text[city.end() :])
    parts = _SCRIPTS.findall(text)
    if 1 < len(parts):
        return "".join(part if part == "の" else _name(record, part) for part in parts)
    return place_name(record, text)


def _is_place(text: str) -> bool:
    found = places("ja")
    return text in found or any(f"{text}{end}" in found for end in _PREFECTURE_ENDS)


def _take_off(text: str, kind: str) -> tuple[str, str, str]:
    """Split a name into the words for a kind before it, the name, and those after it."""
    start, end = 0, len(text)
    kinds = _kinds(kind)
    while text[start:end] not in places("ja"):
        last = kinds.by_last.get(text[end - 1], ())
        first = kinds.by_first.get(text[start], ())
        after = next((len(word) for word in last if text.endswith(word, start, end)), 0)
        before = next((len(word) for word in first if text.startswith(word, start, end)), 0)
        # If all are words for a kind, the last remaining one serves as the name.
        if end - start in (after, before) or not (after or before):
            break
        start, end = (start, end - after) if before <= after else (start + before, end)
    whole = end - start == len(text) and text in kinds.by_first.get(text[0], ())
    return (text, "", "") if whole else (text[:start], text[start:end], text[end:])


class _Kinds(NamedTuple):
    """Words for a kind of more than one character, the longest first."""

    by_first: dict[str, list[str]]
    by_last: dict[str, list[str]]


@cache
def _kinds(kind: str) -> _Kinds:
    entries = set(words("ja", kind))
    if kind == "institution_words":
        entries |= set(lexicon("ja", "hospital_head").entries)
    ordered = sorted(
        (word for word in entries if 1 < len(word)), key=lambda word: (-len(word), word)
    )
    by_first: dict[str, list[str]] = {}
    by_last: dict[str, list[str]] = {}
    for word in ordered:
        by_first.setdefault(word[0], []).append(word)
        by_last.setdefault(word[-1], []).append(word)
    return _Kinds(by_first, by_last)


# -- Addresses ----------------------------------------------------------------------------------


def replace_location(record: EntityRecord, text: str) -> str:
    """Return the surrogate for an address, a place or a landmark."""
    text = full_width_kana(text)
    match = _POSTCODE.match(half_width(text))
    head = match.end() if match else 0
    new = "" if match is None else replace_postcode(record, text[:head])
    rest = text[head:]
    if not rest:
        return new
    if rest.strip() in places("ja"):
        return new + rest.replace(rest.strip(), place_name(record, rest.strip()))
    if _is_bare_town(rest):
        return new + town(record, "cities", rest)
    municipal, end = _municipalities(record, rest)
    if not end and not any(map(str.isdigit, rest)) and "丁目" not in rest:
        return new + replace_institution(record, rest, "LOCATION-OTHER")
    return new + municipal + _block(record, rest[end:])


def _is_bare_town(text: str) -> bool:
    """Whether a place has no word for its kind and is therefore an unlisted town."""
    kinds = (*"市区郡町村都道府県", *words("ja", "landmark_words"))
    return _BARE_TOWN.fullmatch(text) is not None and not text.endswith(kinds)


def _municipalities(record: EntityRecord, text: str) -> tuple[str, int]:
    """Return the surrogates for prefecture, county, city, ward and town, and their end offset."""
    pieces: list[str] = []
    position, after_county, after_city, prefecture = 0, False, False, None
    while position < len(text):
        name = _listed_at(text, position) or _unlisted_at(text, position, townships=after_county)
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


def _listed_at(text: str, position: int) -> str | None:
    """Return the listed municipality at a position; 茨木市場 is a market in 茨木."""
    for name in _municipal_names().get(text[position], ()):
        if text.startswith(name, position):
            after = text[position + len(name) : position + len(name) + 1]
            return None if name.endswith("市") and after in ("場", "民") else name
    return None


def _unlisted_at(text: str, position: int, *, townships: bool) -> str | None:
    match = _UNLISTED_FORM.match(text, position)
    if match is None and townships:
        match = _TOWNSHIP.match(text, position)
    return match[0] if match else None


def _is_ward(text: str, position: int) -> bool:
    return _WARD.match(text, position) is not None


@cache
def _municipal_names() -> dict[str, list[str]]:
    """Return all listed municipalities by their first character, the longest first."""
    names = {
        name + ("市" if kind in ("cities", "large_cities") else "")
        for kind in _MUNICIPAL
        for name in words("ja", kind)
    }
    by_first: dict[str, list[str]] = {}
    for name in sorted(names, key=lambda name: (-len(name), name)):
        by_first.setdefault(name[0], []).append(name)
    return by_first


def _block(record: EntityRecord, text: str) -> str:
    """Return the surrogate for an address below the town: quarter, numbers, building, room."""
    numbers_seen = False

    def replace(match: re.Match[str]) -> str:
        nonlocal numbers_seen
        if match["unit"]:
            return match[0]
        if match["name"] is None:
            numbers_seen = True
            return (
                _numeral(record, match[0])
                if match["numeral"]
                else replace_characters(record, match[0])
            )
        name = match["name"]
        if not name.strip("ー"):
            return name
        if len(name) == 1 and half_width(name).isascii():
            return replace_characters(record, name)  # a house or a floor: B-308号室
        return _building(record, name) if numbers_seen else _quarter(record, name)

    return _PART.sub(replace, text)


def _numeral(record: EntityRecord, text: str) -> str:
    """Return another number in kanji, below ten if the old one is."""
    ten = "十" if 1 < len(text) else ""

    def make(draw: Draw) -> str:
        return ten + draw.choice(_KANJI_DIGITS)

    return record.surrogate("numeral", text, (make, record.is_no_original))


def _quarter(record: EntityRecord, text: str) -> str:
    """Return a quarter with the same character for its kind: 緑町 -> 桐町."""
    tails = words("ja", "town_tails")
    kept = next((end for end in ("ケ丘", "ヶ丘", "が丘", "町", "台") if text.endswith(end)), "")

    def make(draw: Draw) -> str | None:
        head, tail = draw.choice(words("ja", "town_heads")), kept or draw.choice(tails)
        return head + tail if head[-1] != tail[0] else None

    return record.surrogate("quarter", japanese_key(text), (make, record.is_new_name))


def _building(record: EntityRecord, text: str) -> str:
    """Return another building of the same kind."""
    kind = next((end for end in longest_first("ja", "building_kinds") if text.endswith(end)), "")
    bare = text.removesuffix(kind)
    if kind and not bare:
        return text
    if kind:
        return (
            choose(record, "name of building", japanese_key(bare), words("ja", "katakana")) + kind
        )
    if _ANY_KATAKANA.search(text):
        return choose(record, "building", japanese_key(text), words("ja", "buildings"))
    return invent_name(record, text)


# -- Municipalities -----------------------------------------------------------------------------


def is_municipality(name: str) -> bool:
    """Whether a name ends in the character for a kind of municipality."""
    return (2 < len(name) and name[-1] in _BY_END) or (len(name) == 2 and name[-1] == "区")


def prefecture(record: EntityRecord, name: str) -> str:
    """Return the surrogate of a listed prefecture."""
    large = words("ja", "large_prefectures")
    if name == _TOKYO or name in large:
        entries: Sequence[str] = (*large, _TOKYO) if name == _TOKYO else large
    else:
        entries = _small_prefectures()
    return exchange_entry(record, f"prefectures/{len(entries)}", entries, entries.index(name))


def municipality(
    record: EntityRecord, name: str, *, within: str | None = None, before_ward: bool = False
) -> str:
    """Return the surrogate of a city, ward, county, town or village, with its last character.

    `within` is the old prefecture, if the text contains it.
    """
    kind = _BY_END[name[-1]]
    bare = name.removesuffix("市") if kind == "cities" else name
    if kind == "cities" and (before_ward or bare in words("ja", "large_cities")):
        kind = "large_cities"
    return town(record, kind, bare, within=within) + ("市" if bare != name else "")


def town(record: EntityRecord, kind: str, bare: str, *, within: str | None = None) -> str:
    """Return the surrogate of a town of a kind; cities are without their last character.

    If the new prefecture has fewer large cities than the old one, another city is used.
    """
    old = _prefectures_of(kind).get(bare, within)
    near = _near(record, kind, bare, old) if old else None
    if near is None and old and kind == "large_cities":
        near = _near(record, "cities", bare, old)
    if near is not None:
        return near
    usual = rows("ja", kind)[0] if kind == "wards" else words("ja", kind)
    return record.surrogate(
        f"town/{kind}",
        bare,
        (lambda draw: draw.choice(usual), record.is_new_name),
        (lambda draw: draw.choice(words("ja", kind)), record.is_no_original),
    )


def _near(record: EntityRecord, kind: str, bare: str, old: str) -> str | None:
    """Return a town of the new prefecture; listed towns get different ones.

    None if the new prefecture has no more towns left.
    """
    towns = _table(kind).get(old, ())
    new_towns = _table(kind).get(prefecture(record, old), ())
    free = [each for each in new_towns if record.is_new_name(each)]
    if bare not in towns:
        return record.draw(f"town/{kind}", bare).choice(free) if free else None
    place = towns.index(bare)
    if len(towns) <= len(free):
        place = (place + record.draw(f"towns/{kind}", old).below(len(free))) % len(free)
    return free[place] if place < len(free) else None


def city_with_wards(record: EntityRecord, old_prefecture: str) -> str:
    """Return a city for wards of Tokyo, whose surrogates need one."""
    new = prefecture(record, old_prefecture)
    cities = _table("large_cities").get(new, ())
    return f"{cities[0]}市" if cities else ""


@cache
def _small_prefectures() -> tuple[str, ...]:
    large = words("ja", "large_prefectures")
    return tuple(name for name in words("ja", "prefectures") if name not in (*large, _TOKYO))


@cache
def _table(kind: str) -> dict[str, tuple[str, ...]]:
    """Return the towns of a kind by prefecture; empty if their list is not by prefecture."""
    if kind in _BY_PREFECTURE:
        return dict(zip(words("ja", "prefectures"), rows("ja", kind), strict=True))
    if kind == "large_cities":
        return dict(zip(words("ja", "large_prefectures"), rows("ja", kind), strict=True))
    return {}


@cache
def _prefectures_of(kind: str) -> dict[str, str]:
    return {town: name for name, towns in _table(kind).items() for town in towns}


ENTITIES = _Japanese("ja")
