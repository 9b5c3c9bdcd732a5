"""Surrogates for phone and fax numbers, and for addresses of web pages and computers.

A new phone number is unused and has the format of the old one. If a country reserves a range for
fiction, the number comes from it: 555-01xx with another area code in North America (toll-free codes
have no such range and become area codes), the ranges of Ofcom, ComReg, ACMA and PTS. Elsewhere it
comes from area codes, exchanges or series that are not assigned (Japan: exchanges that begin with
0; Spain: area codes 929, 940, 970, 989; see `phones.toml`). In countries without a plan the
subscriber's number begins with 00. A shorter number becomes the beginning of a number in the range,
which no exchange connects. Extensions, pagers and other short numbers are drawn digit by digit.
Web pages and computers get names and addresses that are reserved for documentation.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from veil.core.checks import CHECKS
from veil.core.numbers import is_ipv4, is_ipv6
from veil.core.patterns import compile_pattern
from veil.replace.entities.checked import kinds_of
from veil.replace.entities.countries import code_length, countries_by_code
from veil.replace.entities.language import name_key, shared_table, split_words, words
from veil.replace.entities.numbers import replace_number, replace_plain_number
from veil.replace.entities.spelling import fill_in, half_width, new_digits

if TYPE_CHECKING:
    from veil.replace.entities.record import EntityRecord
    from veil.replace.secret import Draw

_SHORTEST = 7
_LONGEST = 16
_DIGITS = compile_pattern("[0-9]")
_EXTENSION = compile_pattern(
    r"(?<=[0-9)])[\s,;:.(/-]*(?:ext(?:ension|ensión|n)?|x|#|ankn(?:ytning)?|anexo|int(?:erno)?|内線)"
    r"[\s.:)]{0,3}[0-9][0-9 -]*\)?\s*$",
    re.IGNORECASE,
)
_SEVERAL = compile_pattern(r"\s*[,;]\s*|\s+(?:or|och|eller|and|y|o|/)\s+")
# Letters to be dialled: 1-800-FLOWERS.
_VANITY = compile_pattern(r"(?<=[0-9][-. ])(?!(?:FAX|TEL|CELL|HOME|WORK|MOBIL)\b)[A-Z]{3,7}\b")
_LABELS = ("PHONE", "FAX")
NORTH_AMERICA = ("US", "CA")
_URL = compile_pattern(
    r"(?P<scheme>[a-z][a-z0-9+.-]*://)?(?P<host>[^/?#\s:]+)(?P<rest>.*)", re.I | re.S
)
# Reserved for examples by RFC 2606.
_HOSTS = ("example.org", "example.net", "example.com")
# Words in paths; those in `_PLAIN_WORDS` do not show whose page it is.
_PLAIN_WORD = compile_pattern(
    r"[A-Za-z0-9]+|(?<=\.)(?:html?|php|aspx?|pdf|jsp|jpe?g|png)\b", re.IGNORECASE
)
_PLAIN_WORDS = frozenset("html htm php asp aspx pdf jsp jpg jpeg png id www index".split())
_PORT = compile_pattern(r"(?P<address>.+?)(?P<rest>(?::[0-9]{1,5}|/[0-9]{1,3})?)")
# TEST-NET-1 to 3 of RFC 5737.
_NETWORKS = ("192.0.2.", "198.51.100.", "203.0.113.")
_GROUP = compile_pattern("[0-9a-f]+", re.IGNORECASE)


class Dialled(NamedTuple):
    """A number: its country, the national number, and the digits before it."""

    country: str
    before: str
    national: str


class DialRule(NamedTuple):
    """The new area codes and next digits for numbers whose first digits match `starts`."""

    starts: re.Pattern[str]
    options: tuple[tuple[str, str], ...]


def replace_phone(record: EntityRecord, text: str) -> str:
    """Return the surrogate for a phone number, with its extension if it has one.

    Ranges for fiction are so small that two phones of a record would often get the same number. All
    are made together, so that they differ in any order of replacement.
    """
    if record.phones is None:
        record.phones = {}
        for span in record.case.spans:
            if span.label in _LABELS and not record.case.is_too_long(span):
                _phone(record, record.case.text(span).strip())
    return _phone(record, text)


def _phone(record: EntityRecord, text: str) -> str:
    in_words = None if _digits(text) else record.rules.number_in_words(record, text)
    if in_words is not None:
        return in_words
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


def _one(record: EntityRecord, text: str) -> str:
    text = _VANITY.sub(lambda match: replace_number(record, match[0]), text)
    digits = _digits(text)
    if len(digits) < _SHORTEST:
        return _digit_by_digit(record, text)
    dialled = _take_apart(record, text, digits)
    value = f"{dialled.country} {dialled.national}"
    make = partial(_new_national, dialled)

    def is_free(made: str) -> bool:
        return made != dialled.national and record.is_new_number(made)

    def is_unused(made: str) -> bool:
        taken = {} if record.phones is None else record.phones
        return is_free(made) and taken.setdefault(made, value) == value

    # Some phone numbers pass a check of other numbers by chance; their surrogates do, too.
    kinds = kinds_of(dialled.national, record.language)
    checks = [CHECKS.get(kind.check) for kind in kinds]

    def passes(made: str) -> bool:
        return all(check(made) for check in checks) and is_unused(made)

    new = record.surrogate(
        "phone",
        value,
        (make, passes),
        (make, is_unused),
        (make, is_free),
        (lambda draw: new_digits(draw, len(dialled.national)), is_free),
    )
    return _pour_digits(text, dialled.before + new)


def _digit_by_digit(record: EntityRecord, text: str) -> str:
    digits = _digits(text)
    return (
        _pour_digits(text, replace_plain_number(record, digits))
        if digits
        else replace_number(record, text)
    )


def _digits(text: str) -> str:
    return "".join(_DIGITS.findall(half_width(text)))


def _pour_digits(text: str, digits: str) -> str:
    """Return the text with its digits replaced in order; letters such as "tel" stay."""
    return fill_in(text, digits, exchanged="0123456789".__contains__)


# -- Which country, and where the national number begins --------------------------------------


def _take_apart(record: EntityRecord, text: str, digits: str) -> Dialled:
    plus = half_width(text).lstrip("( ").startswith("+")
    prefix = 0 if plus else _international_prefix(digits)
    if plus or prefix:
        end = prefix + code_length(digits[prefix:])
        country = countries_by_code().get(digits[prefix:end], "")
    else:
        country = _home(record, digits)
        code = _bare_code(country)
        # 34 679 802 102: the code without its plus sign.
        end = len(code) if code and digits.startswith(code) and 10 < len(digits) else 0
    trunk = "1" if country in NORTH_AMERICA and len(digits) - end == 11 else "0"
    if digits[end : end + 1] == trunk and country != "":
        end += 1
    return Dialled(country, digits[:end], digits[end:])


def _international_prefix(digits: str) -> int:
    if digits.startswith("00") and 10 < len(digits):
        return 2
    return 3 if digits.startswith("011") and 12 < len(digits) else 0


def _home(record: EntityRecord, digits: str) -> str:
    """Return the country of a number without a country code."""
    country = record.rules.phone_country(record, digits)
    if country is not None:
        return country
    by_length = words(record.language, "phone_countries")
    if not by_length or len(digits) in _lengths(record.country):
        return record.country
    if 10 < len(digits):
        coded = (name for name in by_length if _bare_code(name))
        return next((each for each in coded if digits.startswith(_bare_code(each))), record.country)
    return next((name for name in by_length if len(digits) in _lengths(name)), record.country)


def _lengths(country: str) -> list[int]:
    """Return the lengths of national numbers, if they distinguish a country from others."""
    lengths: list[int] = shared_table("phones").get(country, {}).get("lengths", [])
    return lengths


def _bare_code(country: str) -> str:
    """Return the code of a country if numbers are written with it and without a plus sign."""
    plan = shared_table("phones").get(country, {})
    return str(plan["code"]) if plan.get("bare_code") else ""


# -- New numbers ------------------------------------------------------------------------------


def _new_national(dialled: Dialled, draw: Draw) -> str:
    national, country = dialled.national, dialled.country
    if country in NORTH_AMERICA and len(national) in (7, 10):
        return _north_american(national, draw)
    local = not dialled.before and len(national) <= 8 and not _lengths(country)
    start = ""
    if country in shared_table("phones"):
        start = _local_start(country, draw) if local else _start(dialled, draw)
    elif _SHORTEST < len(national):
        start = f"{national[:2]}00"
    return (start + new_digits(draw, max(0, len(national) - len(start))))[: len(national)]


def _north_american(national: str, draw: Draw) -> str:
    area = national[:-7]
    canadian, american = map(_area_codes, ("CA", "US"))
    codes = canadian if area in canadian else american
    if area:
        area = draw.choice([code for code in codes if code != area])
    return f"{area}55501{new_digits(draw, 2)}"


@cache
def _area_codes(country: str) -> tuple[str, ...]:
    return split_words(shared_table("countries")[country]["area_codes"])


def _local_start(country: str, draw: Draw) -> str:
    starts: list[str] = shared_table("phones")[country].get("local", [])
    return draw.choice(starts) if starts else ""


def _start(dialled: Dialled, draw: Draw) -> str:
    rule = next(rule for rule in _rules(dialled.country) if rule.starts.match(dialled.national))
    width = _area_width(dialled)
    options = [option for option in rule.options if len(option[0]) == width] or rule.options
    return "".join(draw.choice(options))


@cache
def _rules(country: str) -> tuple[DialRule, ...]:
    def cut(start: str) -> tuple[str, str]:
        area, _, begin = start.partition("-")
        return area, begin

    return tuple(
        DialRule(compile_pattern(rule["starts"]), tuple(map(cut, rule["to"])))
        for rule in shared_table("phones")[country]["rules"]
    )


def _area_width(dialled: Dialled) -> int:
    """Return the length of the area code of a number by the plan of its country."""
    match = re.match(shared_table("phones")[dialled.country].get("area", ""), dialled.national)
    return len(match[0]) if match else 0


# -- Web pages and computers ---------------------------------------------------------------------


def replace_url(record: EntityRecord, text: str) -> str:
    """Return an address at example.org, .net or .com with a path of the same shape."""
    match = _URL.fullmatch(text)
    if match is None:
        return replace_number(record, text, key_words=False)
    host = match["host"]
    www = host[:4] if host[:4].lower() == "www." else ""

    def make(draw: Draw) -> str:
        return draw.choice(_HOSTS)

    name = name_key(host.removeprefix(www))
    new = record.surrogate("host", name, (make, record.is_no_original), (make, lambda made: True))
    path = _PLAIN_WORD.sub(lambda word: _path_word(record, word[0]), match["rest"])
    return f"{match['scheme'] or ''}{www.lower()}{new}{path}"


def _path_word(record: EntityRecord, word: str) -> str:
    return word if word.lower() in _PLAIN_WORDS else replace_number(record, word, key_words=False)


def replace_ip_address(record: EntityRecord, text: str) -> str:
    """Return an address of the networks for documentation, with the old port or mask."""
    match = _PORT.fullmatch(text)
    address, rest = (match["address"], match["rest"]) if match else (text, "")
    if is_ipv6(text):
        return _ipv6(record, text)
    if not is_ipv4(address):
        return _ipv6(record, address) + rest if is_ipv6(address) else replace_number(record, text)
    made = record.surrogate(
        "ip",
        address,
        (lambda draw: f"{draw.choice(_NETWORKS)}{draw.between(1, 254)}", record.is_no_original),
    )
    return made + rest


def _ipv6(record: EntityRecord, text: str) -> str:
    """Return an address of 2001:db8::/32 (RFC 3849) with as many groups as the text has."""
    groups = _GROUP.findall(text)

    def make(draw: Draw) -> str | None:
        if len(groups) <= 2:
            return f"2001:db8::{draw.between(1, 0xFFFF):x}"
        fresh = iter(["2001", "db8", *(f"{draw.between(1, 0xFFFF):x}" for _ in groups[2:])])
        made = _GROUP.sub(lambda _: next(fresh), text)
        return made if is_ipv6(made) else f"2001:db8::{new_digits(draw, 4)}"

    made = record.surrogate("ip", text.lower(), (make, record.is_no_original))
    return made.upper() if text.isupper() else made
