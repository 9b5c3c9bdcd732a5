from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil import InputError, UnknownNameError
from veil.lexicons import lexicon, user_lexicon
from veil.lexicons.entries import PackedList, pack

if TYPE_CHECKING:
    from pathlib import Path


def write(folder: Path, items: str, exceptions: str | None = None) -> Path:
    folder.joinpath("items.txt").write_text(items, "utf-8")
    if exceptions is not None:
        folder.joinpath("exceptions.txt").write_text(exceptions, "utf-8")
    return folder


def test_unknown_kinds_and_languages_list_the_known() -> None:
    """The errors say what there is."""
    with pytest.raises(UnknownNameError, match="kind of lexicon 'planet'; known: city, "):
        lexicon("en", "planet")
    with pytest.raises(UnknownNameError, match="'fr'; known: en, es, ja, sv"):
        lexicon("fr", "city")


def test_variants_share_the_lists_of_their_language() -> None:
    """A lexicon is loaded once, whatever the variant of the language is called."""
    assert lexicon("en-wi-deid-2015", "city") is lexicon("en", "city")


def test_user_lexicon_reads_items_and_exceptions(tmp_path: Path) -> None:
    """One item a line, comments and empty lines left out, with or without a byte order mark."""
    folder = write(
        tmp_path, "\ufeff# our wards\r\nNorth Wing # old\r\n\r\nCox\r\n", "Cox regression\n"
    )
    words = user_lexicon(folder)
    assert words.entries == ("North Wing", "Cox")
    text = "Cox regression in the North  Wing by Cox"
    assert [text[start:end] for start, end in words.find(text)] == ["North  Wing", "Cox"]


def test_user_lexicon_knows_the_genitives_of_its_language(tmp_path: Path) -> None:
    """The Swedish -s is heeded where the language is given."""
    folder = write(tmp_path, "Tallbacka\n")
    assert user_lexicon(folder, language="sv").match("Tallbackas")
    assert not user_lexicon(folder).match("Tallbackas")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"Anna\nM\xe4rta\n", r"items\.txt, line 2: not UTF-8"),
        (b"Anna\nBo\x00\n", r"items\.txt, line 2: a control character"),
        (b"Anna\n\n---\n", r"items\.txt, line 3: no letter or digit"),
        (b"-by\n", r"items\.txt, line 1: the end of a compound"),
        (b"# nothing\n", r"items\.txt, line 1: the file holds no item"),
    ],
)
def test_unusable_files_are_named_with_their_line(
    tmp_path: Path, data: bytes, message: str
) -> None:
    """The error says which line to mend, and shows nothing of it."""
    tmp_path.joinpath("items.txt").write_bytes(data)
    with pytest.raises(InputError, match=message) as caught:
        user_lexicon(tmp_path)
    assert "Anna" not in str(caught.value)


def test_bad_exceptions_are_named_too(tmp_path: Path) -> None:
    """Both files are checked."""
    with pytest.raises(InputError, match=r"exceptions\.txt, line 1"):
        user_lexicon(write(tmp_path, "Anna\n", "...\n"))


def test_missing_items_are_an_error(tmp_path: Path) -> None:
    """A folder without items is no lexicon."""
    with pytest.raises(InputError, match=r"items\.txt: no such file"):
        user_lexicon(tmp_path)


def test_packing_keeps_entries_and_is_repeatable() -> None:
    """Packed entries come back sorted, whatever their order was, from the same bytes."""
    entries = ["Åsa", "San Sebastián", "Bo", "髙橋", "St. Louis"]
    assert pack(entries) == pack(reversed(entries))
    assert PackedList(pack(entries)).entries == tuple(sorted(entries))


@pytest.mark.parametrize("entries", [[], ["Bo"], ["Åsa"], ["Ása"]])
def test_short_lists_are_packed_too(entries: list[str]) -> None:
    """Lists without plain or without accented entries come back whole."""
    assert list(PackedList(pack(entries)).entries) == entries


def test_suffixes_are_not_packed() -> None:
    """A packed list has no place for the ends of compounds."""
    with pytest.raises(ValueError, match="no suffixes"):
        pack(["-gatan"])
