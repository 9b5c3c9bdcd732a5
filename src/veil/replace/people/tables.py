"""The lists of names from which surrogates are drawn, and what they show about a word.

Words are looked up by their keys (see `name_key`); surrogates are drawn for their `identity_of`.
"""

from __future__ import annotations

import json
import unicodedata
from functools import cache, lru_cache
from itertools import compress
from operator import not_
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from veil.core.patterns import compile_pattern
from veil.core.tables import Table
from veil.core.toml import read_toml
from veil.languages.base import base_language, language_folder
from veil.lexicons import is_ordinary, lexicon, looks_like_surname
from veil.lexicons.folding import fold, fold_all, without_diacritics
from veil.lexicons.store import bit_of, word_bits, words_table
from veil.replace.people.styles import all_styles, name_key, naming_style

if TYPE_CHECKING:
    import re
    from collections.abc import Collection, Iterable

    from veil.replace.people.pieces import NameMention, NamePiece, NameWord, Role

Sex = Literal["female", "male", "both"]
Kind = Literal["female", "male", "both", "female_short", "male_short", "surname"]

# The origin whose names are used for a language that has neither lists nor lexicons of names.
_FALLBACK = "english"
_GIVEN: tuple[Kind, ...] = ("female", "male", "both", "female_short", "male_short")
_SEXES: tuple[Literal["female"], Literal["male"]] = ("female", "male")
_SURNAME: Kind = "surname"
_DATA, _NAMES = Path(__file__).parent / "data", "names.toml"
# The code on which the names to draw from depend.
_LEXICONS = Path(__file__).parents[2] / "lexicons"
_MODULES = (Path(__file__), Path(__file__).with_name("styles.py"), _LEXICONS / "marks.py")
_PLACES = sum(map(bit_of, ("city", "region", "country")))
_FEWEST = 8
_CACHE_SIZE = 1 << 14
_ACCENTED = compile_pattern(r"[^\x00-\x7f]")


@cache
def read_data(file: str) -> dict[str, Any]:
    """Return the content of a TOML file of this package."""
    return read_toml(_DATA / file)


# -- The lists --------------------------------------------------------------------------------


@cache
def lists() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the names of each origin by kind."""
    return {
        origin: {kind: tuple(names.split()) for kind, names in kinds.items()}
        for origin, kinds in read_data(_NAMES).items()
    }


@cache
def _folded_lists() -> dict[str, dict[str, list[str]]]:
    """Return the lists with their names folded."""
    data = names_table().read()
    return _fold_lists() if data is None else json.loads(bytes(data))


def names_table() -> Table:
    """Return the table with the folded lists."""
    return Table(
        "names",
        (_DATA / _NAMES, _LEXICONS / "folding.py", Path(__file__)),
        lambda: json.dumps(_fold_lists(), ensure_ascii=False).encode(),
    )


def _fold_lists() -> dict[str, dict[str, list[str]]]:
    """Fold all names of a list at once, which takes a tenth of the time."""
    return {
        origin: {kind: fold_all(names) for kind, names in kinds.items()}
        for origin, kinds in lists().items()
    }


@cache
def _index(kind: str) -> dict[str, tuple[str, ...]]:
    """Return the origins that have each name of a kind."""
    index: dict[str, tuple[str, ...]] = {}
    for origin, kinds in _folded_lists().items():
        own = (origin,)
        for key in map(without_diacritics, kinds.get(kind, ())):
            index[key] = index[key] + own if key in index else own
    return index


@cache
def _listed(role: Role) -> frozenset[str]:
    return frozenset().union(*map(_index, ("surname",) if role == "surname" else _GIVEN))


def is_listed(key: str, role: Role) -> bool:
    """Whether the lists have a name in this role."""
    return key in _listed(role)


def listed_origin(key: str, kind: Kind, language: str) -> str | None:
    """Return the origin of a listed name: the language's own if several have it."""
    origins = _index(kind).get(key, ())
    return _likeliest(origins, language) if origins else None


def _likeliest(origins: Collection[str], language: str) -> str:
    """Return the language's own of several origins, or the first likely one."""
    style = naming_style(language)
    for near in (style.origin, *style.near_origins):
        if near in origins:
            return near
    known = [each for each in lists() if each in origins]
    likely = [each for each in known if each not in style.rare_origins]
    return (likely or known)[0]


def identity_of(word: str) -> str:
    """Return the identity of a name: Jonsson and Jönsson are different, Bjorn and Björn are not."""
    folded = fold(word)
    return _with_lost_marks().get(folded, folded) if folded.isascii() else folded


@cache
def _with_lost_marks() -> dict[str, str]:
    """Return names with å, ä, ö or ñ by their plain forms, unless those are names themselves."""
    plain, marked = _spellings()
    found = {without_diacritics(name): name for name in sorted(marked) if not name.isascii()}
    return {bare: name for bare, name in found.items() if bare not in plain and bare not in marked}


@cache
def _spellings() -> tuple[frozenset[str], frozenset[str]]:
    """Return the folded forms of the listed names in plain letters, and of those with accents."""
    rows = [row for style in all_styles() for row in (style.devotions, style.surnames_after)]
    more = [name for row in rows for names in row.values() for name in names.split()]
    plain = {fold(name) for name in more if name.isascii()}
    marked = {fold(name) for name in more if not name.isascii()}
    for origin, kinds in lists().items():
        for kind, names in kinds.items():
            is_plain = list(map(str.isascii, names))
            folded = _folded_lists()[origin][kind]
            plain.update(compress(folded, is_plain))
            marked.update(compress(folded, map(not_, is_plain)))
    return frozenset(plain), frozenset(marked)


@cache
def devotions() -> dict[str, tuple[str, ...]]:
    """Return the names of devotions ("del Carmen"), each with all names of its row."""
    rows = [tuple(row.split()) for style in all_styles() for row in style.devotions.values()]
    return {name_key(name): row for row in rows for name in row}


@cache
def devotion_particles() -> frozenset[str]:
    """Return the particles before such names."""
    return frozenset(key.replace("_", " ") for style in all_styles() for key in style.devotions)


# -- Names to draw from -----------------------------------------------------------------------


@cache
def pool(language: str, origin: str, kind: Kind) -> tuple[str, ...]:
    """Return names to draw from, spelled as people of the language do."""
    stored = _stored_pools(language).get(_pool_name(origin, kind))
    return _make_pool(language, origin, kind) if stored is None else tuple(stored.split("\n"))


@cache
def _stored_pools(language: str) -> dict[str, str]:
    data = pools_table(language).read()
    return {} if data is None else cast("dict[str, str]", json.loads(bytes(data)))


def _pool_name(origin: str, kind: Kind) -> str:
    return f"{origin} {kind}"


def pools_table(language: str) -> Table:
    """Return the table with the names to draw from in a language, one a line."""

    def build() -> bytes:
        pools = {
            _pool_name(origin, kind): "\n".join(_make_pool(language, origin, kind))
            for origin, kinds in lists().items()
            for kind in (*_GIVEN, _SURNAME)
            if kind in kinds or kind == "both"
        }
        return json.dumps(pools, ensure_ascii=False).encode()

    settings = sorted(language_folder(language).glob("*.toml"))
    inputs = (*words_table(language).inputs, *_MODULES, _DATA / _NAMES, *settings)
    return Table(f"pools-{language}", inputs, build)


def _make_pool(language: str, origin: str, kind: Kind) -> tuple[str, ...]:
    kinds, own = lists().get(origin, {}), lists().get(naming_style(language).origin, {})
    names = kinds.get(kind, ())
    if kind == "both" and not names:
        names = (*kinds.get("female", ()), *kinds.get("male", ()))
    names = names or own.get(kind) or lexicon_names(language, kind) or lists()[_FALLBACK][kind]
    written = tuple(dict.fromkeys(spelled_in(language, name) for name in names))
    suitable = tuple(name for name in written if not _is_word_or_town(language, name))
    return suitable if _FEWEST <= len(suitable) else written


@cache
def lexicon_names(language: str, kind: Kind) -> tuple[str, ...]:
    """Return all names of the lexicon that are only names, for records with very many names."""
    sexes = _SEXES if kind == "both" else (kind.partition("_")[0],)
    lexicons = ("surname",) if kind == "surname" else tuple(f"given_{sex}" for sex in sexes)
    return tuple(
        spelled_in(language, name)
        for each in lexicons
        for name in lexicon(language, each)
        if name.isalpha() and name.istitle() and not _is_word_or_town(language, name)
    )


@cache
def surnames_after(particles: str, language: str) -> tuple[str, ...]:
    """Return surnames that agree with the words before them: "de la"."""
    key = particles.replace(" ", "_")
    rows = (style.surnames_after for style in all_styles())
    names = next((row[key] for row in rows if key in row), "")
    return tuple(spelled_in(language, name) for name in names.split())


@cache
def surnames_with_vowels(language: str) -> tuple[str, ...]:
    """Return French and Italian surnames that may follow a shortened word: d'Aubert."""
    names = (*pool(language, "french", "surname"), *pool(language, "italian", "surname"))
    return tuple(name for name in names if without_accents(name)[0] in "AEIOU")


@cache
def halves(language: str, sex: Sex, half: str) -> tuple[str, ...]:
    """Return names that are the first or second half of double ones, Ann-Marie, if listed."""
    return lists().get(naming_style(language).origin, {}).get(f"{sex}_{half}", ())


def _is_word_or_town(language: str, name: str) -> bool:
    """Whether a name is also an ordinary word or a place, and so a poor surrogate."""
    if is_ordinary(language)(name):
        return True
    return word_bits(base_language(language))[fold(name)] & _PLACES != 0


# -- Spelling ---------------------------------------------------------------------------------


def spelled_in(language: str, name: str) -> str:
    """Return a name without accents that the language does not use: Muñoz is Munoz in English."""
    letters = naming_style(language).letters
    if letters is None or name.isascii():
        return name
    return _ACCENTED.sub(
        lambda match: match[0] if match[0].lower() in letters else without_accents(match[0]), name
    )


def without_accents(text: str) -> str:
    """Return a text without accents, in the same case."""
    return text if text.isascii() else "".join(map(_plain_letter, text))


@cache
def _plain_letter(letter: str) -> str:
    folded = without_diacritics(fold(letter))
    return folded.capitalize() if letter.isupper() else folded


@cache
def _accented() -> frozenset[str]:
    """Return the names, without diacritics, whose listed spellings all have accents."""
    plain, marked = _spellings()
    return frozenset(map(without_diacritics, marked)) - plain


def has_lost_accents(word: str, key: str) -> bool:
    """Whether a name is written without its accents: Garcia, AKESSON."""
    return word.isascii() and key in _accented()


# -- Properties of a word ---------------------------------------------------------------------


@lru_cache(_CACHE_SIZE)
def strength(key: str, language: str, role: Role) -> int:
    """Return how surely a word is a name in a role: 2 if listed, 1 if in a lexicon, else 0."""
    return 2 if is_listed(key, role) else int(_is_in_lexicon(key, language, role))


def _is_in_lexicon(key: str, language: str, role: Role) -> bool:
    kinds = ("surname",) if role == "surname" else ("given_female", "given_male")
    return any(_is_of_kind(key, language, kind) for kind in kinds)


def _is_of_kind(key: str, language: str, kind: str) -> bool:
    """Whether a lexicon has a name with this key, without diacritics."""
    return word_bits(base_language(language))[key] & bit_of(kind) << 2 != 0


def is_own_name(key: str, language: str, role: Role) -> bool:
    """Whether a name is in the lexicons of a language that has no lists of its own."""
    return naming_style(language).origin not in lists() and _is_in_lexicon(key, language, role)


def is_built_like_surname(word: str, language: str) -> bool:
    """Whether a word, in any case, is built like the surnames of the language."""
    return looks_like_surname(word.capitalize(), language)


def sex_of(key: str, language: str) -> Sex:
    """Return the sex of a given name, by its ending if the name is unknown."""
    is_feminine = key.endswith(naming_style(language).feminine_endings)
    return known_sex(key, language) or ("female" if is_feminine else "male")


@lru_cache(_CACHE_SIZE)
def known_sex(key: str, language: str) -> Sex | None:
    """Return the sex of a given name: by the language's lists, other lists or the lexicon."""
    bearers = {sex: _bearing_origins(key, sex) for sex in _SEXES}
    origins = {*bearers["female"], *bearers["male"], *_index("both").get(key, ())}
    if origins:
        origin = _likeliest(origins, language)
        found = [sex for sex in _SEXES if origin in bearers[sex]]
        return found[0] if len(found) == 1 else "both"
    found = [sex for sex in _SEXES if _is_of_kind(key, language, f"given_{sex}")]
    if len(found) == 1:
        return found[0]
    # Lexicons also have women's names that a few men bear: Kiara.
    return ("female" if key.endswith("a") else "both") if found else None


@lru_cache(_CACHE_SIZE)
def own_sex(key: str, language: str) -> Sex | None:
    """Return the sex of a given name by the language's own lists alone."""
    own = naming_style(language).origin
    found = [sex for sex in _SEXES if own in _bearing_origins(key, sex)]
    return found[0] if len(found) == 1 else "both" if found else None


def _bearing_origins(key: str, sex: str) -> tuple[str, ...]:
    return (*_index(sex).get(key, ()), *_index(f"{sex}_short").get(key, ()))


@lru_cache(_CACHE_SIZE)
def is_short(key: str) -> bool:
    """Whether a given name is only a short form that friends use."""
    kinds = [kind for kind in _GIVEN if kind != "both" and key in _index(kind)]
    return bool(kinds) and all(kind.endswith("_short") for kind in kinds)


# -- Where a name comes from --------------------------------------------------------------------


@cache
def words(key: str) -> frozenset[str]:
    """Return a list of words of `origins.toml`, such as the particles of surnames."""
    return frozenset(read_data("origins.toml")[key].split())


@cache
def _forms(key: str) -> re.Pattern[str]:
    """Return one pattern for the forms of names, with a group for each origin."""
    forms = read_data("origins.toml")[key].items()
    return compile_pattern(
        "|".join(f"(?P<{origin}>{''.join(form.split())})" for origin, form in forms)
    )


@cache
def origins_of_particles() -> dict[str, str]:
    """Return the origins of surnames by the words before them: "van der"."""
    rows = read_data("origins.toml")["origin_particles"].items()
    return {words: origin for origin, row in rows for words in row.split(", ")}


def is_surname_first(origin: str | None) -> bool:
    """Whether people of an origin put the surname first."""
    return origin in words("surname_first")


@lru_cache(_CACHE_SIZE)
def surname_origin(key: str, language: str) -> str:
    """Return the origin of a surname; by default the language's own."""
    if is_own_name(key, language, "surname"):
        return naming_style(language).origin
    listed = listed_origin(key, "surname", language)
    return listed or _by_form(key, "surname_forms") or naming_style(language).origin


@lru_cache(_CACHE_SIZE)
def given_origin(key: str, language: str) -> str:
    """Return the origin of a given name; by default the language's own."""
    if is_own_name(key, language, "given"):
        return naming_style(language).origin
    sex = sex_of(key, language)
    kinds: tuple[Kind, ...] = ("female", "male", "both") if sex == "both" else (sex,)
    for kind in kinds:
        listed = listed_origin(key, kind, language)
        if listed:
            return listed
    as_surname = listed_origin(key, "surname", language)
    if as_surname and is_surname_first(as_surname):  # short names serve as both
        return as_surname
    by_form = _by_script(key) if strength(key, language, "given") else _by_form(key, "given_forms")
    return by_form or naming_style(language).origin


def _by_form(key: str, forms: str) -> str | None:
    match = _forms(forms).fullmatch(key)
    return match.lastgroup if match else _by_script(key)


def _by_script(key: str) -> str | None:
    if key.isascii():
        return None
    script = unicodedata.name(key[0], "").partition(" ")[0]
    origin: str | None = read_data("origins.toml")["scripts"].get(script)
    return origin


def is_female_double(mention: NameMention, language: str) -> bool | None:
    """Whether a double given name is a woman's, by the halves whose sex is known: Maj-Lis."""
    given = _names(mention, "given")
    if not any(piece.is_joined for piece in given):
        return None
    found = {own_sex(piece.key, language) for piece in given} - {None, "both"}
    return found == {"female"} if len(found) == 1 else None


def origins_by_companions(mentions: Iterable[NameMention], language: str) -> dict[NameWord, str]:
    """Return the origins of names that no list has, by the surname or given name beside them."""
    origins: dict[NameWord, str] = {}
    shared = words("shared_given_names")
    for mention in mentions:
        given, surnames = _names(mention, "given"), _names(mention, "surname")
        if len(given) != 1 or len(surnames) != 1:
            continue
        (first,), (last,) = given, surnames
        if not is_listed(first.key, "given"):
            origin = surname_origin(last.key, language)
            # Short surnames of East Asia are also words and names elsewhere: Mo, Lee.
            is_sure = origin not in shared and not is_surname_first(origin)
            if is_sure and is_listed(last.key, "surname"):
                origins.setdefault(first.words[0], origin)
        elif _has_unknown_origin(last, language):
            origin = given_origin(first.key, language)
            if origin not in shared:
                origins.setdefault(last.words[0], origin)
    return origins


def _has_unknown_origin(surname: NamePiece, language: str) -> bool:
    """Whether neither the lists nor its form show the origin of a surname."""
    return (
        not is_listed(surname.key, "surname")
        and not is_built_like_surname(surname.text, language)
        and surname_origin(surname.key, language) == naming_style(language).origin
    )


def _names(mention: NameMention, role: Role) -> list[NamePiece]:
    return [
        piece
        for piece in mention.all_pieces
        if piece.kind == "name" and piece.role == role and piece.is_latin
    ]
