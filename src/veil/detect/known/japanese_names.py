"""Japanese names and addresses in their parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from veil.languages.ja.forms import analysis_form
from veil.lexicons import lexicon
from veil.lexicons.folding import fold_in_place

if TYPE_CHECKING:
    from collections.abc import Sequence

_KATAKANA = range(0x30A1, 0x30F7)
_FROM_KATAKANA_TO_HIRAGANA = -0x60
_SPACES = re.compile(r"[\s・,、，=＝]+")
_TITLE_BEHIND = re.compile(r"(?:先生|医師|看護師|教授|部長|院長|様|さん|さま|氏|殿|君)$")
_READING = re.compile(r"[(（](.+?)[)）]")
_POSTCODE = re.compile(r"〒?\s*(\d{3}-?\d{4})")
_ADDRESS = re.compile(
    r"(?P<state>東京都|北海道|(?:京都|大阪)府|[^\d市区町村]{2,3}県)?\s*"
    r"(?P<city>[^\d\s]{1,6}?市(?:[^\d\s]{1,4}?区)?|[^\d\s]{1,5}?[区町村])?\s*"
    r"(?P<town>[^\d〇一二三四五六七八九十\s]*)\s*"
    r"(?P<numbers>.*)"
)
_NUMBER = re.compile(r"[0-9]+|[〇一二三四五六七八九十]+")


class Form(NamedTuple):
    """A text as it is compared, the same with its katakana, and the way back to the text."""

    compared: str
    with_katakana: str
    places: Sequence[int]


class _Compared(dict[int, str]):
    """Maps code points to what they are compared as; learns each on first sight."""

    def __missing__(self, code: int) -> str:
        is_katakana = code in _KATAKANA
        character = chr(code + _FROM_KATAKANA_TO_HIRAGANA if is_katakana else code)
        self[code] = fold_in_place(character)
        return self[code]


_COMPARED = _Compared()


def form_of(text: str) -> Form:
    """Fold full and half width, variants of kanji and katakana: ﾔﾏﾀﾞ, ヤマダ and やまだ are one."""
    form = analysis_form(text)
    return Form(form.text.translate(_COMPARED), form.text, form.places)


def compared(value: str) -> str:
    return form_of(value).compared


class JapaneseName(NamedTuple):
    """A name in its parts, as they are compared; what cannot be taken apart is a family name."""

    family: str
    given: str


def parse_japanese_name(value: str) -> list[JapaneseName]:
    """Take a name apart at its space, or where a surname of the list ends; readings too."""
    readings = _READING.findall(value)
    names = [_READING.sub("", value), *readings]
    return [name for name in map(_parse, names) if name.family]


def _parse(value: str) -> JapaneseName:
    bare = _TITLE_BEHIND.sub("", value.strip())
    parts = [compared(part) for part in _SPACES.split(bare) if part]
    if not parts:
        return JapaneseName("", "")
    if 1 < len(parts):
        return JapaneseName(parts[0], "".join(parts[1:]))
    (name,) = parts
    surnames, given = lexicon("ja", "surname"), _given_names()
    cuts = [cut for cut in range(1, len(name)) if name[:cut] in surnames]
    good = [cut for cut in cuts if name[cut:] in given]
    for cut in (*reversed(good), *reversed(cuts)):
        return JapaneseName(name[:cut], name[cut:])
    return JapaneseName(name, "")


class _GivenNames:
    """Given names of women and men."""

    def __contains__(self, name: str) -> bool:
        return name in lexicon("ja", "given_female") or name in lexicon("ja", "given_male")


def _given_names() -> _GivenNames:
    return _GivenNames()


class JapaneseAddress(NamedTuple):
    """An address in its parts, as they are compared; `numbers` are those of block and house."""

    postcode: str
    state: str
    city: str
    town: str
    numbers: tuple[str, ...]


def parse_japanese_address(value: str) -> JapaneseAddress:
    """Take an address apart: 東京都 新宿区 西新宿 2-8-1."""
    written = compared(value)
    postcode = _POSTCODE.search(written)
    match = _ADDRESS.fullmatch(_POSTCODE.sub("", written).strip())
    parts = match.groupdict() if match else {}
    return JapaneseAddress(
        postcode[1] if postcode else "",
        parts.get("state") or "",
        parts.get("city") or "",
        parts.get("town") or "",
        tuple(_NUMBER.findall(parts.get("numbers") or "")),
    )
