"""Stand-ins for Japanese institutions: what they are stays, what they are called changes.

Words for a kind are taken off both ends of a name and out of its middle (`市立`, `総合病院`,
`医療法人社団`); each stretch that is left is a place or a name. What somebody has hidden already
(`○○病院`) and what refers to an institution without naming one (`当院`, `近医`) stay.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from veil.lexicons import lexicon
from veil.replace.entities.choosing import chosen, exchange
from veil.replace.entities.countries import places
from veil.replace.entities.japanese_towns import is_municipality, municipality, prefecture, town
from veil.replace.entities.names import abbreviation, is_abbreviation
from veil.replace.entities.numbers import number, within
from veil.replace.entities.words import longest_first, words
from veil.replace.entities.writing import half_width, japanese_key

if TYPE_CHECKING:
    from veil.replace.entities.record import Record
    from veil.replace.secret import Draw

_PREFECTURE_ENDS = "都府県"
_TOWN_ENDS = "市町村区"
# Ends of names that are words for a kind although they are but one character.
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
# Countries that are no more than regions in the names of firms: 中国 is one of Japan, too.
_REGIONS = ("中国", "日本")


def institution(record: Record, text: str, label: str) -> str:
    """The stand-in for an institution, department, firm, landmark or room."""
    key = japanese_key(text)
    if key in words("ja", "referring"):
        return text
    text = full_width_kana(text)
    if label in ("DEPARTMENT", "ROOM"):
        return _department(record, text)
    if is_abbreviation(half_width(text)):
        return abbreviation(record, half_width(text))
    kind = "landmark_words" if label == "LOCATION-OTHER" else "institution_words"
    # Words for a kind have no stand-in where another word is the name: NPO法人ともしび 支援ホーム.
    new = _PIECE.sub(lambda match: _renamed(record, match[0], kind, is_name=False), text)
    if new != text:
        return new
    return _PIECE.sub(lambda match: _renamed(record, match[0], kind), text)


def full_width_kana(text: str) -> str:
    """The text with half-width kana widened, as the lists have them."""
    return _HALF_WIDTH_KANA.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


def place_name(record: Record, text: str) -> str:
    """The stand-in for the name of a place, with or without the character for its kind."""
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
    return municipality(record, text) if is_municipality(text) else invented(record, text)


def _listed(record: Record, name: str) -> str:
    """The stand-in of a place that a list holds."""
    entry = places("ja")[name][0]
    if entry.list == "prefectures":
        return prefecture(record, name)
    if entry.list in ("cities", "large_cities", "counties", "townships"):
        return town(record, entry.list, name)
    return exchange(record, entry.list, entry.number)


def invented(record: Record, text: str) -> str:
    """A name in the script of the old one."""
    if _LATIN.fullmatch(text):
        return number(record, text)

    def make(draw: Draw) -> str | None:
        if _HIRAGANA.fullmatch(text):
            return draw.choice(words("ja", "hiragana"))
        if _KATAKANA.fullmatch(text):
            return draw.choice(words("ja", "katakana"))
        head, tail = (draw.choice(words("ja", name)) for name in ("kanji_heads", "kanji_tails"))
        return head + tail if head != tail else None

    return record.stand_in("name", japanese_key(text), (make, record.is_new_name))


def _department(record: Record, text: str) -> str:
    """Another number of ward or room, and another speciality; "the ward" stays."""
    new = within(record, text)
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


def _renamed(record: Record, text: str, kind: str, *, is_name: bool = True) -> str:
    """A piece of a name without blanks, its kind left in place.

    `is_name` says that one of its words is the name even if all are words for a kind.
    """
    says_kind = text in words("ja", "institution_words")
    if _LATIN.fullmatch(text):
        return text if says_kind else number(record, text)
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


def _stretch(record: Record, text: str, kind: str) -> str:
    """What is left of a name; words for a kind may still stand in its middle."""
    ends = _ENDS.get(kind, "")
    if text in (*ends, "の"):
        return text
    if text not in _REGIONS and _is_place(text):
        return place_name(record, text)
    inner = _kinds(kind).anywhere.search(text)
    if inner is None or inner.span() == (0, len(text)):
        shortest = 2 if kind == "landmark_words" else 3
        end = text[-1] if shortest <= len(text) and text[-1] in ends else ""
        name = text.removesuffix(end)
        if end == _STATION and not _is_place(name):
            return town(record, "cities", name) + end
        return _name(record, name) + end
    first, last = text[: inner.start()], text[inner.end() :]
    return (
        (_stretch(record, first, kind) if first else "")
        + inner[0]
        + (_stretch(record, last, kind) if last else "")
    )


def _name(record: Record, text: str) -> str:
    """The stand-in of a name: of a place with which it begins, and of each of its scripts."""
    if text in _REGIONS:
        return chosen(record, "region", text, words("ja", "regions"))
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
    """A name without the words for its kind at its beginning and end, and these."""
    start, end = 0, len(text)
    kinds = _kinds(kind)
    while text[start:end] not in places("ja"):
        last = kinds.by_last.get(text[end - 1], ())
        first = kinds.by_first.get(text[start], ())
        after = next((len(word) for word in last if text.endswith(word, start, end)), 0)
        before = next((len(word) for word in first if text.startswith(word, start, end)), 0)
        # Where all are words for a kind, the last that is left serves as the name.
        if end - start in (after, before) or not (after or before):
            break
        start, end = (start, end - after) if before <= after else (start + before, end)
    whole = end - start == len(text) and text in kinds.by_first.get(text[0], ())
    return (text, "", "") if whole else (text[:start], text[start:end], text[end:])


class _Kinds(NamedTuple):
    """Words for a kind of more than one character, the longest first."""

    by_first: dict[str, list[str]]
    by_last: dict[str, list[str]]
    anywhere: re.Pattern[str]


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
    return _Kinds(by_first, by_last, re.compile("|".join(map(re.escape, ordered))))
