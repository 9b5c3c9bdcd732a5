from __future__ import annotations

import pytest

from veil.io.alignment import Alignment


@pytest.mark.parametrize(
    ("old", "new", "before", "after"),
    [
        ("a b c d e f", "a b c d e f", "d", "d"),
        ("seen by Anna Berg in Lund today", "seen by [D] in Lund today", "in", "in"),
        ("Anna and Bo and Eva went home", "X and Y and Z went home", "went", "went"),
        ("Anna Berg", "Eva Lund", "Berg", "Lund"),
        ("x\tAnna\tBerg y\tz", "x\t[P]\tEva Maria Lund\tz", "Berg", "Eva"),
        ("one two three", "", "two", ""),
    ],
)
def test_words_are_found_again(old: str, new: str, before: str, after: str) -> None:
    """What follows a replacement, or stands between two of them, is found at its new place."""
    place = Alignment(old, new).end(old.index(before))
    assert new[place:].startswith(after)


def test_inside_of_a_replacement_is_its_end() -> None:
    """A place in the midst of what was replaced is where the replacement ends."""
    old, new = "seen by Anna Berg in Lund today", "seen by [D] in Lund today"
    assert Alignment(old, new).end(old.index("Berg")) == new.index(" in")


def test_long_texts_keep_their_order() -> None:
    """Places never change their order, whatever was replaced."""
    old = " ".join(f"word{n % 50} Anna" for n in range(2000))
    new = old.replace("Anna", "Eva Maria").replace("word7 ", "")
    alignment = Alignment(old, new)
    places = [alignment.end(place) for place in range(len(old) + 1)]
    assert places == sorted(places)
    assert places[0] == 0
    assert places[-1] == len(new)
