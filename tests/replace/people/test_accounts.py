"""Addresses and user names are made again from the new names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from veil.replace.people.tables import lists, without_accents

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
    given, surname = without_accents(name).lower().split()
    assert address.partition("@")[0] == form.format(
        given=given, surname=surname, Given=given.capitalize(), Surname=surname.capitalize()
    )
    assert RESERVED.fullmatch(address)


def test_letters_with_marks_are_folded_as_before(rename: Renamer) -> None:
    """å, ä and ö are plain in addresses, or written with two letters."""
    name, short, long = rename(
        "[DOCTOR|Åsa Sjöström] [EMAIL|asa.sjostrom@vgr.se] [EMAIL|aasa.sjoestroem@vgr.se]", "sv"
    )
    expected = without_accents(name).lower().replace(" ", ".")
    assert short.partition("@")[0] == long.partition("@")[0] == expected


def test_digits_change_and_shape_stays(rename: Renamer) -> None:
    """A year of birth in a user name does not stay."""
    name, user = rename("[PATIENT|Anna Lindgren] [USERNAME|lindgren_anna83]", "sv")
    given, surname = without_accents(name).lower().split()
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
    assert address.partition("@")[0] == without_accents(name).lower().replace(" ", ".")


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


@pytest.mark.parametrize("form", ["{initial}granville", "granville{initial}"])
def test_an_account_of_a_surname_with_an_initial(rename: Renamer, form: str) -> None:
    """Initial and surname are exchanged for those that stand in the record."""
    name, account = rename(f"[DOCTOR|D. Granville] [USERNAME|{form.format(initial='d')}]", "en")
    initial, surname = name.lower().split(". ")
    assert account in (initial + surname, surname + initial)


def test_an_account_that_holds_no_name_is_like_one(rename: Renamer) -> None:
    """Letters that are no name of the record become those of a name, with other digits."""
    (account,) = rename("[USERNAME|xqgorz14]", "en")
    assert re.fullmatch(r"(?!xqgorz)[a-z]{6}(?!14)[0-9]{2}", account)
    assert re.search("[aeiouy]", account)


@pytest.mark.parametrize("old", ["jhk", "HK", "chstr", "wiko", "QURE"])
def test_a_signature_stays_one(rename: Renamer, old: str) -> None:
    """Letters by which somebody signs become other letters in the same case, no surname."""
    new = rename(f"dr [NAME:first|Anna] [NAME:last|Lind], [NAME:last|{old}]", "sv")[-1]
    assert len(new) == len(old)
    assert new.isupper() == old.isupper()
    assert new != old


def test_a_signature_is_made_of_the_new_names(rename: Renamer) -> None:
    """Where the record has the names, the signature is cut out of the new ones."""
    given, surname, signature = rename(
        "[NAME:first|Lovisa] [NAME:last|Sommar] /[NAME:last|loso]", "sv"
    )
    assert signature == without_accents(given[:2] + surname[:2]).lower()


def test_names_in_a_record_without_capitals_are_no_signatures(rename: Renamer) -> None:
    """Where nobody is written with a capital a short surname that no list holds stays a name."""
    _, new = rename("[NAME:first|anna] söker, åter till dr [NAME:last|quvek]", "sv")
    assert new.capitalize() in lists()["swedish"]["surname"]
