"""Addresses of machines."""

from __future__ import annotations

import pytest

from veil.core.checks import CHECKS

CASES = [
    ("ipv4", "192.0.2.17", True),
    ("ipv4", "１９２．０．２．１７", True),
    ("ipv4", "192.0.2.256", False),
    ("ipv4", "192.0.2", False),
    ("ipv4", "192.0.02.1", False),
    ("ipv6", "2001:db8::17", True),
    ("ipv6", "2001:DB8:0:0:0:0:0:17", True),
    ("ipv6", "2001:db8:::17", False),
    ("ipv6", "10:30:45", False),
    ("mac", "00:00:5E:00:53:af", True),
    ("mac", "00-00-5e-00-53-AF", True),
    ("mac", "0000.5e00.53af", True),
    ("mac", "00:00-5e:00:53:af", False),
    ("mac", "00005e0053af", False),
    ("mac", "00:00:5e:00:53", False),
    ("mac", "00:00:5e:00:53:ag", False),
]


@pytest.mark.parametrize(("check", "text", "expected"), CASES)
def test_addresses_of_machines(check: str, text: str, expected: bool) -> None:
    """An address passes where every part lies in its range and the separators agree."""
    assert CHECKS.get(check)(text) is expected
