"""Stand-ins for phone and fax numbers: numbers at which nobody answers, in the same writing.

Where a country keeps a range for fiction, the number comes from it: 555-01xx with another area code
in North America (whose toll-free codes keep none, and become area codes), the ranges of Ofcom,
ComReg, ACMA and PTS. Elsewhere it comes from area codes, exchanges or series that are not assigned
(Japan: exchanges that begin with 0; Spain: area codes 929, 940, 970, 989; see `data/phones.toml`),
and for countries without a plan the subscriber's number begins with 00. A number that is shorter
than those of a range is the beginning of one, which no exchange connects. Extensions, pagers and
other short numbers are drawn digit by digit.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from veil.core.checks import CHECKS
from veil.replace.entities.characters import new_digits
from veil.replace.entities.checked import kinds_of
from veil.replace.entities.countries import code_length, countries_by_code
from veil.replace.entities.numbers import number, plain
from veil.replace.entities.spoken import has_spoken, spoken_number
from veil.replace.entities.words import table, words
from veil.replace.entities.writing import half_width, pour

if TYPE_CHECKING:
    from veil.replace.entities.record import Record
    from veil.replace.secret import Draw

_SHORTEST = 7
_LONGEST = 16
_DIGITS = re.compile("[0-9]")
_EXTENSION = re.compile(
    r"(?<=[0-9)])[\s,;:.(/-]*(?:ext(?:ension|ensión|n)?|x|#|ankn(?:ytning)?|anexo|int(?:erno)?|内線)"
    r"[\s.:)]{0,3}[0-9][0-9 -]*\)?\s*$",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"\s*[,;]\s*|\s+(?:or|och|eller|and|y|o|/)\s+")
# Letters to be dialled: 1-800-FLOWERS.
_VANITY = re.compile(r"(?<=[0-9][-. ])(?!(?:FAX|TEL|CELL|HOME|WORK|MOBIL)\b)[A-Z]{3,7}\b")
_LABELS = ("PHONE", "FAX")
_NORTH_AMERICA = ("US", "CA")
# The lengths of national numbers where these, and not a trunk prefix, tell countries apart.
_LENGTHS = {"ES": (9,), "CL": (8, 9), "PE": (8, 9), "MX": (10,), "CO": (8, 10), "AR": (8, 10, 11)}
_HOME_CODES = {"ES": "34", "SE": "46", "GB": "44", "JP": "81", "MX": "52"}


class Dialled(NamedTuple):
    """A number taken apart: its country, the digits before the national number, and that number."""

    country: str
    before: str
    national: str


class Rule(NamedTuple):
    """What numbers that begin so become: area codes and how numbers go on in them."""

    starts: re.Pattern[str]
    options: tuple[tuple[str, str], ...]


def phone(record: Record, text: str) -> str:
    """The stand-in for a phone number, with its extension where it has one.

    Ranges for fiction are so small that two phones of a record would often become one: all of them
    are made together, so that they stay apart whichever is asked for first.
    """
    if record.phones is None:
        record.phones = {}
        for span in record.case.spans:
            if span.label in _LABELS and not record.case.is_too_long(span):
                _phone(record, record.case.text(span).strip())
    return _phone(record, text)


def _phone(record: Record, text: str) -> str:
    if record.language == "en" and not _digits(text) and has_spoken(text):
        return spoken_number(record, text)
    narrow = half_width(text)
    match = _EXTENSION.search(narrow)
    end = match.start() if match else len(text)
    main = text[:end]
    extension = "" if match is None else _digit_by_digit(record, text[end:])
    if len(_digits(main)) <= _LONGEST:
        return _one(record, main) + extension
    pieces, position = [], 0
    for gap in _SEVERAL.finditer(narrow[:end]):
        pieces += [_one(record, main[position : gap.start()]), gap[0]]
        position = gap.end()
    return "".join([*pieces, _one(record, main[position:]), extension])


def _one(record: Record, text: str) -> str:
    text = _VANITY.sub(lambda match: number(record, match[0]), text)
    digits = _digits(text)
    if len(digits) < _SHORTEST:
        return _digit_by_digit(record, text)
    dialled = _take_apart(record, text, digits)
    value = f"{dialled.country} {dialled.national}"
    make = partial(_new_national, dialled)

    def is_free(made: str) -> bool:
        return made != dialled.national and record.is_new_number(made)

    def is_nobodys(made: str) -> bool:
        taken = {} if record.phones is None else record.phones
        return is_free(made) and taken.setdefault(made, value) == value

    # Some phone numbers pass a check of other numbers by chance; their stand-ins do, too.
    kinds = kinds_of(dialled.national, record.language)
    checks = [CHECKS.get(kind.check) for kind in kinds]

    def passes(made: str) -> bool:
        return all(check(made) for check in checks) and is_nobodys(made)

    new = record.stand_in(
        "phone",
        value,
        (make, passes),
        (make, is_nobodys),
        (make, is_free),
        (lambda draw: new_digits(draw, len(dialled.national)), is_free),
    )
    return _pour_digits(text, dialled.before + new)


def _digit_by_digit(record: Record, text: str) -> str:
    digits = _digits(text)
    return _pour_digits(text, plain(record, digits)) if digits else number(record, text)


def _digits(text: str) -> str:
    return "".join(_DIGITS.findall(half_width(text)))


def _pour_digits(text: str, digits: str) -> str:
    """The text with its digits exchanged in their order; the letters of "tel" or "ext" stay."""
    return pour(text, digits, exchanged="0123456789".__contains__)


# -- Which country, and where the national number begins --------------------------------------


def _take_apart(record: Record, text: str, digits: str) -> Dialled:
    plus = half_width(text).lstrip("( ").startswith("+")
    prefix = 0 if plus else _international_prefix(digits)
    if plus or prefix:
        end = prefix + code_length(digits[prefix:])
        country = countries_by_code().get(digits[prefix:end], "")
    else:
        country = _home(record, digits)
        code = _HOME_CODES.get(country, "")
        # 34 679 802 102: the code without its plus sign.
        end = len(code) if code and digits.startswith(code) and 10 < len(digits) else 0
    trunk = "1" if country in _NORTH_AMERICA and len(digits) - end == 11 else "0"
    if digits[end : end + 1] == trunk and country != "":
        end += 1
    return Dialled(country, digits[:end], digits[end:])


def _international_prefix(digits: str) -> int:
    if digits.startswith("00") and 10 < len(digits):
        return 2
    return 3 if digits.startswith("011") and 12 < len(digits) else 0


def _home(record: Record, digits: str) -> str:
    """The country in which a number without a country's code is meant."""
    country = record.country
    if record.language == "en":
        if country in _NORTH_AMERICA:
            return "GB" if digits[0] == "0" else country
        long = len(digits) == 10 and digits[0] in "23456789"
        return "US" if long or (len(digits) == 11 and digits[0] == "1") else country
    if record.language == "es" and len(digits) not in _LENGTHS.get(country, ()):
        coded = (name for name, code in _HOME_CODES.items() if digits.startswith(code))
        if 10 < len(digits):
            return next((name for name in coded if name in _LENGTHS), country)
        return next((name for name, fit in _LENGTHS.items() if len(digits) in fit), country)
    return country


# -- New numbers ------------------------------------------------------------------------------


def _new_national(dialled: Dialled, draw: Draw) -> str:
    national, country = dialled.national, dialled.country
    if country in _NORTH_AMERICA and len(national) in (7, 10):
        return _north_american(national, draw)
    local = not dialled.before and len(national) <= 8 and country not in _LENGTHS
    start = ""
    if country in table("phones"):
        start = _local_start(country, draw) if local else _start(dialled, draw)
    elif _SHORTEST < len(national):
        start = f"{national[:2]}00"
    return (start + new_digits(draw, max(0, len(national) - len(start))))[: len(national)]


def _north_american(national: str, draw: Draw) -> str:
    area = national[:-7]
    codes = words("north_america", "CA" if area in words("north_america", "CA") else "US")
    if area:
        area = draw.choice([code for code in codes if code != area])
    return f"{area}55501{new_digits(draw, 2)}"


def _local_start(country: str, draw: Draw) -> str:
    starts: list[str] = table("phones")[country].get("local", [])
    return draw.choice(starts) if starts else ""


def _start(dialled: Dialled, draw: Draw) -> str:
    rule = next(rule for rule in _rules(dialled.country) if rule.starts.match(dialled.national))
    width = _area_width(dialled)
    options = [option for option in rule.options if len(option[0]) == width] or rule.options
    return "".join(draw.choice(options))


@cache
def _rules(country: str) -> tuple[Rule, ...]:
    def cut(start: str) -> tuple[str, str]:
        area, _, begin = start.partition("-")
        return area, begin

    return tuple(
        Rule(re.compile(rule["starts"]), tuple(map(cut, rule["to"])))
        for rule in table("phones")[country]["rules"]
    )


def _area_width(dialled: Dialled) -> int:
    """How long the area code of a number is by the plan of its country."""
    match = re.match(table("phones")[dialled.country].get("area", ""), dialled.national)
    return len(match[0]) if match else 0
