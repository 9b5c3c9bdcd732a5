"""Keys and what is drawn with them."""

from __future__ import annotations

from veil.replace.secret import Key, Secret

KEY = Key(b"a key of the tests")


def test_ids_need_not_be_unicode() -> None:
    """A patient named after a file whose name is no UTF-8 has draws of its own."""
    odd, plain = Secret(KEY, "caf\udce9"), Secret(KEY, "cafe")
    assert odd.code("surname") == Secret(KEY, "caf\udce9").code("surname")
    assert odd.code("surname") != plain.code("surname")
    assert odd.draw("day").below(10**9) != plain.draw("day").below(10**9)


def test_strings_are_told_apart_by_where_they_end() -> None:
    """The same letters cut elsewhere are another purpose."""
    assert KEY.digest("ab", "c") != KEY.digest("a", "bc")
