"""The lists of names from which stand-ins are drawn, and what they and the lexicons know of a word.

Words are looked up by their *keys*: folded, without any accents. What stand-ins are drawn for is
finer: see `identity_of`.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Literal

from veil.languages import LANGUAGES
from veil.lexicons import is_ordinary, lexicon, looks_like_surname
from veil.lexicons.folding import fold, without_diacritics

if TYPE_CHECKING:
    from collections.abc import Collection

Role = Literal["given", "surname"]
Sex = Literal["female", "male", "both"]
Kind = Literal["female", "male", "both", "female_short", "male_short", "surname"]

OWN_ORIGIN = {"en": "english", "es": "spanish", "sv": "swedish"}
_FILES = ("names_main.toml", "names_other.toml")
_GIVEN: tuple[Kind, ...] = ("female", "male", "both", "female_short", "male_short")
_SEXES: tuple[Literal["female"], Literal["male"]] = ("female", "male")
_FEWEST = 8
_REMEMBERED = 1 << 14
# Letters with marks that people of a language write; others lose theirs.
_OWN_LETTERS = {"en": "", "es": "áéíóúüñç", "sv": "åäöéü"}
# Origins that are taken last in a language for names that several have.
_RARE = {"sv": ("spanish", "portuguese", "hispanic", "northern", "welsh")}
# Origins that are likelier than others where the language's own lists lack a name.
_NEAR: dict[str, tuple[str, ...]] = {"es": ("hispanic", "northern", "catalan", "basque")}
# How given names end that no list holds and that women bear.
_FEMININE_ENDS = {
    "sv": tuple("a borg britt gerd hild lill lis marie mari maj vor run".split()),
}
_ACCENTED = re.compile(r"[^\x00-\x7f]")


@lru_cache(_REMEMBERED)
def key_of(word: str) -> str:
    """A word as it is compared."""
    return without_diacritics(fold(word))


def identity_of(word: str) -> str:
    """What tells names apart: Jonsson and Jönsson are two, while Bjorn can be but Björn."""
    folded = fold(word)
    return _with_lost_marks().get(folded, folded) if folded.isascii() else folded


@cache
def _with_lost_marks() -> dict[str, str]:
    """Names that have å, ä, ö or ñ, by what is left without, if that is no name itself."""
    folded = {
        name for kinds in _folded_lists().values() for names in kinds.values() for name in names
    }
    marked = {without_diacritics(name): name for name in sorted(folded) if not name.isascii()}
    return {bare: name for bare, name in marked.items() if bare not in folded}


def base(language: str) -> str:
    """The language whose lists are used: of a variant its own, of an unknown one English."""
    found = language.partition("-")[0]
    return found if found in LANGUAGES else "en"


def latin_language(language: str) -> str:
    """The language by whose ways names in Latin letters are read."""
    return "en" if language == "ja" else language


@cache
def lists() -> dict[str, dict[str, tuple[str, ...]]]:
    """The names of each origin by kind."""
    folder = resources.files("veil.replace.people") / "data"
    data = {}
    for file in _FILES:
        data.update(tomllib.loads((folder / file).read_text("utf-8")))
    return {
        origin: {kind: tuple(names.split()) for kind, names in kinds.items()}
        for origin, kinds in data.items()
    }


@cache
def _folded_lists() -> dict[str, dict[str, list[str]]]:
    """The lists with their names folded, all at once, which takes a tenth of the time."""
    return {
        origin: {kind: fold(" ".join(names)).split() for kind, names in kinds.items()}
        for origin, kinds in lists().items()
    }


@cache
def _index(kind: str) -> dict[str, tuple[str, ...]]:
    """The origins that have each name of a kind."""
    index: dict[str, tuple[str, ...]] = {}
    for origin, kinds in _folded_lists().items():
        for key in map(without_diacritics, kinds.get(kind, ())):
            index[key] = (*index.get(key, ()), origin)
    return index


def listed(key: str, role: Role) -> bool:
    """Whether the lists have a name in that role."""
    return key in _listed(role)


@cache
def _listed(role: Role) -> frozenset[str]:
    kinds = ("surname",) if role == "surname" else _GIVEN
    return frozenset().union(*map(_index, kinds))


def listed_origin(key: str, kind: Kind, language: str) -> str | None:
    """The origin of a listed name: the language's own if it is one of several."""
    origins = _index(kind).get(key, ())
    return _likeliest(origins, language) if origins else None


def _likeliest(origins: Collection[str], language: str) -> str:
    """The language's own of several origins, or the first; in Sweden few Omars are Spaniards."""
    own = OWN_ORIGIN.get(language, "")
    for near in (own, *_NEAR.get(language, ())):
        if near in origins:
            return near
    known = [each for each in lists() if each in origins]
    likely = [each for each in known if each not in _RARE.get(language, ())]
    return (likely or known)[0]


@cache
def devotions() -> dict[str, tuple[str, ...]]:
    """Names that devotion joined to others ("del Carmen"), each with all of its row."""
    return {key_of(name): row for row in lists()["devotions"].values() for name in row}


@cache
def surnames_after(small_words: str, language: str) -> tuple[str, ...]:
    """Spanish surnames that agree with the small words before them: "de la"."""
    names = lists()["after_small_words"].get(small_words.replace(" ", "_"), ())
    return tuple(with_accents_of(language, name) for name in names)


@cache
def surnames_with_vowels(language: str) -> tuple[str, ...]:
    """French and Italian surnames that a shortened word may stand before: d'Aubert."""
    names = (*pool(language, "french", "surname"), *pool(language, "italian", "surname"))
    return tuple(name for name in names if plain(name)[0] in "AEIOU")


@cache
def pool(language: str, origin: str, kind: Kind) -> tuple[str, ...]:
    """Names to draw from, written as people of the language do."""
    own = OWN_ORIGIN.get(language, "english")
    kinds = lists().get(origin, {})
    names = kinds.get(kind, ())
    if kind == "both" and not names:
        names = (*kinds.get("female", ()), *kinds.get("male", ()))
    names = names or lists()[own][kind]
    written = tuple(dict.fromkeys(with_accents_of(language, name) for name in names))
    fit = tuple(name for name in written if not is_word_or_town(language, name))
    return fit if _FEWEST <= len(fit) else written


@cache
def whole_lexicon(language: str, kind: Kind) -> tuple[str, ...]:
    """All names of the lexicon that are nothing else, for records that hold very many."""
    sexes = ("female", "male") if kind == "both" else (kind.partition("_")[0],)
    kinds = ("surname",) if kind == "surname" else tuple(f"given_{sex}" for sex in sexes)
    return tuple(
        with_accents_of(language, name)
        for each in kinds
        for name in lexicon(language, each)
        if name.isalpha() and name.istitle() and not is_word_or_town(language, name)
    )


def is_word_or_town(language: str, name: str) -> bool:
    """Whether a name is an ordinary word or a place, too, and so a poor stand-in."""
    return is_ordinary(language)(name) or fold(name) in _places(language)


@cache
def _places(language: str) -> frozenset[str]:
    kinds = ("city", "region", "country")
    return frozenset().union(*(lexicon(language, kind).keys.folded for kind in kinds))


def with_accents_of(language: str, name: str) -> str:
    """A name without the marks that the language does not know: Muñoz is Munoz in English."""
    if name.isascii():
        return name
    own = _OWN_LETTERS.get(language, "")
    return _ACCENTED.sub(
        lambda letter: letter[0] if letter[0].lower() in own else plain(letter[0]), name
    )


def plain(text: str) -> str:
    """A text without accents, its capitals kept."""
    return text if text.isascii() else "".join(map(_plain_letter, text))


@cache
def _plain_letter(letter: str) -> str:
    folded = without_diacritics(fold(letter))
    return folded.capitalize() if letter.isupper() else folded


@cache
def _lexicon_words(language: str, kind: str) -> frozenset[str]:
    return frozenset(
        word if word.isascii() else without_diacritics(word)
        for word in lexicon(language, kind).keys.folded
    )


def in_lexicon(key: str, language: str, kind: str) -> bool:
    return key in _lexicon_words(language, kind)


@lru_cache(_REMEMBERED)
def strength(key: str, language: str, role: Role) -> int:
    """How sure a word is a name in that role: 2 by the lists, 1 by the lexicons, 0 unknown."""
    if listed(key, role):
        return 2
    if role == "surname":
        return int(in_lexicon(key, language, "surname"))
    return int(any(in_lexicon(key, language, f"given_{sex}") for sex in ("female", "male")))


def is_built_like_surname(word: str, language: str) -> bool:
    """Whether a word, in whatever case, is built like a surname of the language."""
    return looks_like_surname(word.capitalize(), language)


def sex_of(key: str, language: str) -> Sex:
    """Who bears a given name, by its ending if nothing else tells."""
    told = told_sex(key, language)
    return told or ("female" if key.endswith(_FEMININE_ENDS.get(language, "a")) else "male")


@lru_cache(_REMEMBERED)
def told_sex(key: str, language: str) -> Sex | None:
    """Who bears a given name: by the language's own lists, by those of others, by its lexicon."""
    bearers = {sex: _bearing_origins(key, sex) for sex in _SEXES}
    origins = {*bearers["female"], *bearers["male"], *_index("both").get(key, ())}
    if origins:
        origin = _likeliest(origins, language)
        found = [sex for sex in _SEXES if origin in bearers[sex]]
        return found[0] if len(found) == 1 else "both"
    found = [sex for sex in _SEXES if in_lexicon(key, language, f"given_{sex}")]
    if len(found) == 1:
        return found[0]
    # Lexicons have women's names of a few men, too: Kiara.
    return ("female" if key.endswith("a") else "both") if found else None


@lru_cache(_REMEMBERED)
def own_sex(key: str, language: str) -> Sex | None:
    """Who bears a given name by the language's own lists alone; None where they lack it."""
    own = OWN_ORIGIN.get(language, "english")
    found = [sex for sex in _SEXES if own in _bearing_origins(key, sex)]
    return found[0] if len(found) == 1 else "both" if found else None


@cache
def halves(language: str, sex: Sex, half: str) -> tuple[str, ...]:
    """Names that are the first or second half of double ones, Ann-Marie, where they are listed."""
    return lists()[OWN_ORIGIN.get(language, "english")].get(f"{sex}_{half}", ())


def _bearing_origins(key: str, sex: str) -> tuple[str, ...]:
    return (*_index(sex).get(key, ()), *_index(f"{sex}_short").get(key, ()))


def is_short(key: str) -> bool:
    """Whether a given name is one by which friends call."""
    return (key in _index("female_short") or key in _index("male_short")) and not (
        key in _index("female") or key in _index("male")
    )


@cache
def _spellings() -> dict[str, bool]:
    """Whether the listed spellings of a name all have accents."""
    marked: dict[str, bool] = {}
    for origin, kinds in lists().items():
        for kind, names in kinds.items():
            for name, folded in zip(names, _folded_lists()[origin][kind], strict=True):
                key = without_diacritics(folded)
                marked[key] = marked.get(key, True) and not name.isascii()
    return marked


def has_lost_accents(word: str, key: str) -> bool:
    """Whether a name is written without the accents that it has: Garcia, AKESSON."""
    return word.isascii() and _spellings().get(key, False)
