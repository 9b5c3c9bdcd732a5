"""Stand-ins for postcodes: the same writing, and digits that the country might give out."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from veil.replace.entities.characters import new_digits, new_number
from veil.replace.entities.writing import core_of, half_width, pour

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.replace.entities.record import Record
    from veil.replace.secret import Draw

_COUNTRY = re.compile(
    r"\s*(?:(?:SE|S|FI|FIN|AX|E|ES|D|DK|NO|N|US)\s?-\s?|(?:C\.?P\.?|ZIP|〒)[\s.:-]*)(?=[0-9])",
    re.IGNORECASE,
)
_BRITISH = re.compile("([A-Z]{1,2})([0-9][0-9A-Z]?)([0-9][A-Z]{2})")
_CANADIAN = re.compile("[A-Z][0-9][A-Z][0-9][A-Z][0-9]")
_IRISH = re.compile("([AC-FHKNPRTV-Y][0-9][0-9W])([0-9A-Z]{4})")
_BRITISH_AREAS = """
    B E G L M N S W AB AL BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL
    DN DT DY EC EH EN EX FK FY GL GU HA HD HG HP HR HU HX IG IP IV KA KT KY LA LD LE LL LN LS LU ME
    MK ML NE NG NN NP NR NW OL OX PA PE PH PL PO PR RG RH RM SA SE SG SK SL SM SN SO SP SR SS ST SW
    SY TA TD TF TN TQ TR TS TW UB WA WD WF WN WR WS WV YO
""".split()
_BRITISH_INWARD = "ABDEFGHJLNPQRSTUWXYZ"
_CANADIAN_FIRST = "ABCEGHJKLMNPRSTVXY"
_CANADIAN_LETTERS = "ABCEGHJKLMNPRSTVWXYZ"
_IRISH_KEYS = """
    A41 A45 A63 A67 A75 A81 A82 A83 A84 A85 A86 A91 A92 A94 A96 A98 C15 D01 D02 D04 D06 D08 D12 D15
    D16 D18 D22 D24 E21 E25 E32 E34 E41 E45 E53 E91 F12 F23 F26 F28 F31 F35 F42 F45 F52 F56 F91 F92
    F93 F94 H12 H14 H16 H18 H53 H54 H62 H65 H71 H91 K32 K34 K36 K45 K56 K67 K78 N37 N39 N41 N91 P12
    P14 P17 P24 P25 P31 P32 P36 P43 P47 P51 P56 P61 P67 P72 P75 P81 P85 R14 R21 R32 R35 R42 R45 R51
    R56 R93 R95 T12 T23 T34 T45 T56 V14 V15 V23 V31 V35 V42 V92 V93 V94 V95 W12 W23 W34 W91 X35 X42
    X91 Y14 Y21 Y25 Y34 Y35
""".split()
_IRISH_UNIQUE = "ACDEFHKNPRTVWXY"
# From where to where the digits of a country's postcodes go, and how many follow them.
_RANGES = {
    ("SE", 5): (111, 984, 2),
    ("FI", 5): (1, 99, 3),
    ("US", 5): (10, 995, 2),
    ("US", 9): (10, 995, 6),
    ("ES", 5): (1, 52, 3),
    ("MX", 5): (1, 99, 3),
    ("PE", 5): (1, 25, 3),
    ("CO", 6): (5, 99, 4),
    ("AR", 4): (10, 94, 2),
    ("AU", 4): (20, 79, 2),
    ("NZ", 4): (6, 98, 2),
    ("JP", 7): (2, 99, 5),
}


def postcode(record: Record, text: str) -> str:
    """The stand-in for a postcode; the code of the country before it stays."""
    match = _COUNTRY.match(half_width(text))
    head = match.end() if match else 0
    core = core_of(text[head:])
    if not core:
        return text
    country = "FI" if match and match[0].strip().upper().startswith("FI") else record.country
    make = _maker(core, country)
    new = record.stand_in(
        f"postcode/{country}",
        core,
        (make, record.is_new_number),
        (make, record.is_no_number_found),
        (partial(new_number, core), record.is_no_number_found),
    )
    return text[:head] + pour(text[head:], new)


def _maker(core: str, country: str) -> Callable[[Draw], str]:
    for form, make in ((_BRITISH, _british), (_CANADIAN, _canadian), (_IRISH, _irish)):
        match = form.fullmatch(core)
        if match is not None:
            return partial(make, match)
    bounds = _RANGES.get((country, len(core)))
    if bounds is None or not core.isdigit():
        return partial(new_number, core)
    lowest, highest, rest = bounds
    width = len(core) - rest
    return lambda draw: f"{draw.between(lowest, highest):0{width}}{new_digits(draw, rest)}"


def _british(match: re.Match[str], draw: Draw) -> str:
    areas = [area for area in _BRITISH_AREAS if len(area) == len(match[1]) and area != match[1]]
    district = str(draw.between(1, 9))
    if 1 < len(match[2]):
        district += new_digits(draw, 1) if match[2][1].isdigit() else draw.choice("ABEHMNPRVWXY")
    inward = new_digits(draw, 1) + draw.choice(_BRITISH_INWARD) + draw.choice(_BRITISH_INWARD)
    return draw.choice(areas) + district + inward


def _canadian(match: re.Match[str], draw: Draw) -> str:
    return (
        draw.choice(_CANADIAN_FIRST)
        + new_digits(draw, 1)
        + draw.choice(_CANADIAN_LETTERS)
        + new_digits(draw, 1)
        + draw.choice(_CANADIAN_LETTERS)
        + new_digits(draw, 1)
    )


def _irish(match: re.Match[str], draw: Draw) -> str:
    unique = "".join(
        new_digits(draw, 1) if character.isdigit() else draw.choice(_IRISH_UNIQUE)
        for character in match[2]
    )
    return draw.choice([key for key in _IRISH_KEYS if key != match[1]]) + unique
