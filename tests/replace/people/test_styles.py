"""A language that says nothing of names has the usual conventions and its own names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.languages import LANGUAGES
from veil.languages.latin import LatinLanguage
from veil.languages.sentences import SentenceRules
from veil.replace.people.styles import naming_style, words_of_all
from veil.replace.people.tables import pool

if TYPE_CHECKING:
    from pathlib import Path

    from tests.replace.people.conftest import Renamer

CODE = "qx"
NONE: frozenset[str] = frozenset()
NAMES = {
    "given_female": "Annike Fenna Jikke Lobke Maaike Nynke Sietske Tjitske Wietske Ylse",
    "given_male": "Bauke Douwe Eelke Fokke Gerlof Hylke Ids Jelmer Oeds Sjoerd",
    "surname": "Adema Boersma Dijkstra Elzinga Feenstra Hoekstra Jansma Postma Terpstra Zijlstra",
}


@pytest.fixture
def language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A language whose folder has nothing but lexicons of names."""
    folder = tmp_path / "language_of_a_test"
    (folder / "lexicon").mkdir(parents=True)
    (folder / "__init__.py").touch()
    for kind, names in NAMES.items():
        (folder / "lexicon" / f"{kind}.txt").write_text("\n".join(names.split()), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    toy = LatinLanguage(CODE, "Toy", folder.name, SentenceRules(NONE, NONE, NONE))
    monkeypatch.setitem(LANGUAGES._entries, CODE, toy)
    return CODE


def test_names_come_from_the_own_lexicons(language: str, rename: Renamer) -> None:
    """Given names and surnames are replaced by others of the language, and titles stay."""
    full, short, initial = rename(
        "[PATIENT|Fenna Postma], dr. [DOCTOR|Hoekstra], [PATIENT|F. Postma]", language
    )
    given, surname = full.split()
    assert given in NAMES["given_female"].split()
    assert surname in NAMES["surname"].split()
    assert short in NAMES["surname"].split()
    assert initial == f"{given[0]}. {surname}"
    assert not {given, surname, short} & {"Fenna", "Postma", "Hoekstra"}


def test_defaults(language: str) -> None:
    """Without a file the origin is the language itself; titles are those of all languages."""
    assert naming_style(language).origin == naming_style(language).latin == language
    assert "dr" in words_of_all("titles")
    assert len(pool(language, language, "male")) == len(NAMES["given_male"].split())
