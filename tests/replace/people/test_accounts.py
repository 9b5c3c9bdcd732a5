"""Addresses and user names are made again from the new names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from veil.replace.people.tables import plain

if TYPE_CHECKING:
    from tests.replace.people.conftest import Renamer


RESERVED = re.compile(r"[^@]+@example\.(?:com|net|org|jp|co\.jp|ac\.jp|or\.jp)", re.IGNORECASE)


@pytest.mark.parametrize(
    ("local", "form"),
    [
        ("anna.lindgren", "{given}.{surname}"),
        ("Anna_Lindgren", "{Given}_{Surname}"),
        ("alindgren", "{given[0]}{surname}"),
        ("lindgrena", "{surname}{given[0]}"),
        ("annal", "{given}{surname[0]}"),
        ("lindgren-anna", "{surname}-{given}"),
        ("a.lindgren", "{given[0]}.{surname}"),
        ("annalindgren", "{given}{surname}"),
        ("annlin", "{given:.3}{surname:.3}"),
    ],
)
def test_an_address_holds_the_new_name(rename: Renamer, local: str, form: str) -> None:
    """Whatever an address is made of, it is made of the same of the new name."""
    name, address = rename(f"[PATIENT|Anna Lindgren] [EMAIL|{local}@region.se]", "sv")
    given, surname = plain(name).lower().split()
    assert address.partition("@")[0] == form.format(
        given=given, surname=surname, Given=given.capitalize(), Surname=surname.capitalize()
    )
    assert RESERVED.fullmatch(address)


def test_letters_with_marks_are_folded_as_before(rename: Renamer) -> None:
    """å, ä and ö are plain in addresses, or written with two letters."""
    name, short, long = rename(
        "[DOCTOR|Åsa Sjöström] [EMAIL|asa.sjostrom@vgr.se] [EMAIL|aasa.sjoestroem@vgr.se]", "sv"
    )
    expected = plain(name).lower().replace(" ", ".")
    assert short.partition("@")[0] == long.partition("@")[0] == expected


def test_digits_change_and_shape_stays(rename: Renamer) -> None:
    """A year of birth in a user name does not stay."""
    name, user = rename("[PATIENT|Anna Lindgren] [USERNAME|lindgren_anna83]", "sv")
    given, surname = plain(name).lower().split()
    match = re.fullmatch(rf"{surname}_{given}(\d\d)", user)
    assert match
    assert match[1] != "83"


@pytest.mark.parametrize("user", ["xq-17.Zb", "KLM0042", "vårdcentral", "DOM\\abc12", "@nisse_k"])
def test_a_user_name_of_nobody_keeps_its_shape(rename: Renamer, user: str) -> None:
    """Letters stay letters, digits digits, and signs themselves; no run of them is the old one."""
    (new,) = rename(f"[USERNAME|{user}]", "sv")
    old_runs, new_runs = (re.split(r"([^\W\d_]+|\d+)", text) for text in (user, new))
    assert old_runs[::2] == new_runs[::2]
    for old, other in zip(old_runs[1::2], new_runs[1::2], strict=True):
        assert old.isdigit() == other.isdigit()
        assert old.isupper() == other.isupper()
        assert old.lower() != other.lower()


def test_a_name_in_an_address_alone_is_that_of_other_records(rename: Renamer) -> None:
    """The words of an address are names even where the record has no other mention."""
    (name,) = rename("[PATIENT|Anna Lindgren]", "sv")
    (address,) = rename("[EMAIL|anna.lindgren@region.se]", "sv")
    assert address.partition("@")[0] == plain(name).lower().replace(" ", ".")


@pytest.mark.parametrize(
    "address",
    [
        *(
            "Info@Kliniken.SE",
            "a@example.com",
            "mailto:eva@x.se",
            "eva (at) x.se",
            "eva at x dot se",
        ),
        *("<eva@x.se>", "eva＠x.se", "no domain @ all", "eva@x.se.", "a@b@c"),
    ],
)
def test_no_part_of_an_address_stays(rename: Renamer, address: str) -> None:
    """Neither the name nor the domain is left, in whatever way the address is written."""
    (new,) = rename(f"[EMAIL|{address}]", "sv")
    kept = {"mailto", "at", "dot"}
    words = {word.lower() for word in re.findall(r"\w{2,}", address)} - kept
    assert new != address
    assert not words & {"info", "kliniken", "eva", "domain"} & set(re.findall(r"\w+", new.lower()))


def test_japanese_addresses(rename: Renamer) -> None:
    """Addresses of Japanese people hold the reading of the new name."""
    kana, mail, user = rename(
        "[PATIENT|ヤマダ タロウ] [EMAIL|taro.yamada@hosp.or.jp] [USERNAME|yamadat]", "ja"
    )
    assert kana.isprintable()
    given, family = mail.partition("@")[0].split(".")
    assert user == f"{family}{given[0]}"
    assert RESERVED.fullmatch(mail)
    assert mail.endswith("jp")
