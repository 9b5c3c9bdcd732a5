"""Stand-ins for addresses of machines and pages, from what is kept for examples."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from veil.core.numbers import is_ipv4, is_ipv6
from veil.replace.entities.characters import new_digits
from veil.replace.entities.numbers import number
from veil.replace.entities.words import key_of

if TYPE_CHECKING:
    from veil.replace.entities.record import Record
    from veil.replace.secret import Draw

_URL = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*://)?(?P<host>[^/?#\s:]+)(?P<rest>.*)", re.I | re.S)
# Kept for examples by RFC 2606.
_HOSTS = ("example.org", "example.net", "example.com")
# Words in paths that say nothing of whose page it is.
_PLAIN_WORD = re.compile(
    r"[A-Za-z0-9]+|(?<=\.)(?:html?|php|aspx?|pdf|jsp|jpe?g|png)\b", re.IGNORECASE
)
_PLAIN_WORDS = frozenset("html htm php asp aspx pdf jsp jpg jpeg png id www index".split())
_PORT = re.compile(r"(?P<address>.+?)(?P<rest>(?::[0-9]{1,5}|/[0-9]{1,3})?)")
# TEST-NET-1 to 3 of RFC 5737.
_NETWORKS = ("192.0.2.", "198.51.100.", "203.0.113.")
_GROUP = re.compile("[0-9a-f]+", re.IGNORECASE)


def url(record: Record, text: str) -> str:
    """An address of example.org and its sisters with a path of the same shape."""
    match = _URL.fullmatch(text)
    if match is None:
        return number(record, text, key_words=False)
    host = match["host"]
    www = host[:4] if host[:4].lower() == "www." else ""

    def make(draw: Draw) -> str:
        return draw.choice(_HOSTS)

    name = key_of(host.removeprefix(www))
    new = record.stand_in("host", name, (make, record.is_no_original), (make, lambda made: True))
    path = _PLAIN_WORD.sub(lambda word: _path_word(record, word[0]), match["rest"])
    return f"{match['scheme'] or ''}{www.lower()}{new}{path}"


def _path_word(record: Record, word: str) -> str:
    return word if word.lower() in _PLAIN_WORDS else number(record, word, key_words=False)


def ip_address(record: Record, text: str) -> str:
    """An address of the networks for documentation, with the port or the mask that stood there."""
    match = _PORT.fullmatch(text)
    address, rest = (match["address"], match["rest"]) if match else (text, "")
    if is_ipv6(text):
        return _ipv6(record, text)
    if not is_ipv4(address):
        return _ipv6(record, address) + rest if is_ipv6(address) else number(record, text)
    made = record.stand_in(
        "ip",
        address,
        (lambda draw: f"{draw.choice(_NETWORKS)}{draw.between(1, 254)}", record.is_no_original),
    )
    return made + rest


def _ipv6(record: Record, text: str) -> str:
    """An address of 2001:db8::/32 (RFC 3849) with as many groups as the text has."""
    groups = _GROUP.findall(text)

    def make(draw: Draw) -> str | None:
        if len(groups) <= 2:
            return f"2001:db8::{draw.between(1, 0xFFFF):x}"
        fresh = iter(["2001", "db8", *(f"{draw.between(1, 0xFFFF):x}" for _ in groups[2:])])
        made = _GROUP.sub(lambda _: next(fresh), text)
        return made if is_ipv6(made) else f"2001:db8::{new_digits(draw, 4)}"

    made = record.stand_in("ip", text.lower(), (make, record.is_no_original))
    return made.upper() if text.isupper() else made
