"""Addresses of machines: IP and MAC."""

from __future__ import annotations

import ipaddress
import re

from veil.core.numbers.folding import fold

_MAC = re.compile(
    r"[0-9A-F]{2}([:-])(?:[0-9A-F]{2}\1){4}[0-9A-F]{2}|[0-9A-F]{4}(?:\.[0-9A-F]{4}){2}"
)


def is_ipv4(text: str) -> bool:
    """Whether the text is an IPv4 address in dotted form (RFC 791), without leading zeros."""
    try:
        ipaddress.IPv4Address(fold(text).strip())
    except ValueError:
        return False
    return True


def is_ipv6(text: str) -> bool:
    """Whether the text is an IPv6 address (RFC 4291)."""
    try:
        ipaddress.IPv6Address(fold(text).strip())
    except ValueError:
        return False
    return True


def is_mac(text: str) -> bool:
    """Whether the text is an EUI-48 of IEEE 802: pairs by : or -, or fours by points."""
    return _MAC.fullmatch(fold(text).strip()) is not None
