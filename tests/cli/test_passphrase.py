"""Where a passphrase comes from; files and the environment are tested with `veil reveal`."""

from __future__ import annotations

import getpass

import pytest

from veil.cli.common import PASSPHRASE, find_passphrase
from veil.core.errors import InputError


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a user types when asked, line by line."""
    lines: list[str] = []
    monkeypatch.delenv(PASSPHRASE, raising=False)
    monkeypatch.setattr(getpass, "getpass", lambda _: lines.pop(0))
    return lines


def test_a_new_passphrase_is_typed_twice(typed: list[str]) -> None:
    """A slip in a new passphrase would lock its owner out, so it is asked for again."""
    typed += ["one two three", "one two three"]
    assert find_passphrase(None, new=True) == "one two three"
    typed += ["one two three", "one two there"]
    with pytest.raises(InputError, match="the two passphrases differ"):
        find_passphrase(None, new=True)


def test_a_known_passphrase_is_typed_once(typed: list[str]) -> None:
    """For a mapping that is there, once is enough; nothing is no passphrase."""
    typed += ["one two three", ""]
    assert find_passphrase(None) == "one two three"
    with pytest.raises(InputError, match="the passphrase is empty"):
        find_passphrase(None)
