"""A language whose folder has nothing but its tokens is masked with common rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from veil.languages.base import LANGUAGES
from veil.languages.latin import LatinLanguage
from veil.languages.sentences import SentenceRules
from veil.replace.base import REPLACERS
from veil.replace.policy import actions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from veil.replace.base import Case

    MakeCase = Callable[..., Case]

BARE, LISTED = "xb", "xl"
NO_RULES = SentenceRules(frozenset(), frozenset(), frozenset())
TOWNS = "Agra, Brana, Cerna, Dravica, Ena, Firan"
RECORD = """
[CITY|Ljubica] [ZIP|1000] [STREET|Cesta 12] [STATE|Gorica] [COUNTRY|Slovenija] [LOCATION|Grad 5]
[HOSPITAL|Bolnica Zora] [DEPARTMENT|oddelek 4] [ROOM|soba 12] [ORGANIZATION|Zora d.o.o.]
[LOCATION-OTHER|Triglav] [PHONE|01 234 56 78] [FAX|01 234 56 79] [URL|www.zora.si/x1]
[IPADDR|10.1.2.3] [ID|AB-123456] [MEDICALRECORD|00441122] [SSN|4556 7375 8689 9855]
[VEHICLE|LJ 12-345] [PROFESSION|zidar] [CONTACT|zora@zora.si] [OTHER|Zora] [DATE|5. 3. 2019]
[DATE|2020-05-04] [DATE|7/3] [AGE|93] [AGE|47]
"""


@pytest.fixture(scope="module", autouse=True)
def languages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Registers two languages, one without any data and one with a list of towns."""
    folder: Path = tmp_path_factory.mktemp("languages")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        for code in (BARE, LISTED):
            (folder / f"veil_{code}").mkdir()
            (folder / f"veil_{code}" / "__init__.py").touch()
            LANGUAGES.add(code, LatinLanguage(code, code, f"veil_{code}", NO_RULES))
        lists = folder / f"veil_{LISTED}" / "stand_ins.toml"
        lists.write_text(f'home_countries = "SI"\ntowns_SI = "{TOWNS}"\n')
        yield
        for code in (BARE, LISTED):
            del LANGUAGES._entries[code]


def replaced(case: Case, action: str, label: str = "", **options: object) -> dict[str, str]:
    actions()
    replacer = REPLACERS.get(action)(options)
    return {
        case.text(span): replacer.replace(case, span)
        for span in case.spans
        if label in ("", span.label)
    }


@pytest.mark.parametrize("language", [BARE, LISTED])
def test_every_label_is_replaced(make_case: MakeCase, language: str) -> None:
    """Every entity becomes another one or its label in brackets."""
    new = replaced(make_case(RECORD, language), "substitute")
    assert {old for old in new if new[old] == old} == {"93", "47"}
    assert len(new["AB-123456"]) == len("AB-123456")
    assert new["www.zora.si/x1"].startswith("www.example.")


def test_lists_are_used_where_they_are_given(make_case: MakeCase) -> None:
    """Without a list of towns a town becomes its label, with one another town."""
    assert replaced(make_case(RECORD, BARE), "substitute")["Ljubica"] == "[CITY]"
    new = replaced(make_case(RECORD, LISTED), "substitute")
    assert new["Ljubica"] in TOWNS.split(", ")


def test_common_formats_of_dates_are_shifted(make_case: MakeCase) -> None:
    """Dates in numbers are read with the day first and shifted in their own format."""
    new = replaced(make_case(RECORD, BARE), "shift", "DATE", days=10)
    assert new == {"5. 3. 2019": "15. 3. 2019", "2020-05-04": "2020-05-14", "7/3": "17/3"}


def test_dates_and_ages_are_generalised(make_case: MakeCase) -> None:
    """A date keeps its year, an age its decade."""
    years = replaced(make_case(RECORD, BARE), "generalise", "DATE", to="year")
    assert years["2020-05-04"] == "2020"
    ages = replaced(make_case(RECORD, BARE), "generalise", "AGE", to="decade")
    assert ages == {"93": "90+", "47": "40-49"}
    towns = replaced(make_case(RECORD, BARE), "generalise", "CITY", to="country")
    assert towns == {"Ljubica": "[CITY]"}
    codes = replaced(make_case(RECORD, BARE), "generalise", "ZIP", to="three-digits")
    assert codes == {"1000": "[ZIP]"}
