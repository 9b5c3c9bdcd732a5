"""Stand-ins for professions: another one of the same number and, where a language tells it, sex."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from veil.lexicons import lexicon
from veil.replace.entities.choosing import exchange_entry
from veil.replace.entities.words import key_of
from veil.replace.entities.writing import japanese_key, like

if TYPE_CHECKING:
    from veil.replace.entities.record import Record
    from veil.replace.secret import Draw

_ENGLISH_FEMININE = (
    *("woman", "women", "ress", "hostess", "stewardess", "maid", "housewife", "ballerina", "nun"),
    *("lady", "mom", "mum", "mother"),
)
_ENGLISH_MASCULINE = ("man", "men", "monk", "priest", "landlord", "headmaster", "dad", "father")
_SWEDISH_FEMININE = ("ska", "inna", "tris", "ös")
_SPANISH_EITHER = ("ista", "nte", "il", "al", "ar", "az", "e")
# Spanish words, folded, whose ending does not tell the sex.
_SPANISH_GROUPS = {
    **dict.fromkeys(("actriz",), "feminine"),
    **dict.fromkeys(("cura", "jefe", "monje", "sacerdote", "sastre", "conde"), "masculine"),
    **dict.fromkeys(
        """
        aprendiz atleta capitan chofer fisioterapeuta guarda guardabosques guardia guia juez
        limpiacristales logopeda luthier modelo piloto poeta policia soldado soprano terapeuta
        """.split(),
        "either",
    ),
}
_SHORTEST_ADJECTIVE = 4
# What is said of people without a profession stands in for none.
_SPANISH_IDLE = frozenset(
    """
    ama autonoma autonomo desempleada desempleado estudiante jubilada jubilado pensionista
    prejubilado sus
    """.split()
)
# Japanese professions are told by their last character where so many share it.
_FEWEST = 6


def profession(record: Record, text: str) -> str:
    """The stand-in for a profession."""
    key = japanese_key(text) if record.language == "ja" else " ".join(key_of(text).split())
    singular = key
    groups = _groups(record.language)
    # "peones agrícolas" are several, "afinador de pianos" is one.
    noun = key.split()[0] if record.language == "es" else key
    if record.language in ("en", "es") and key not in groups and noun.endswith("s"):
        singular = key[:-2] if key.endswith("es") and key[:-2] in groups else key[:-1]
    entries = groups.get(singular) or _by_ending(record.language, singular)
    if singular in groups:
        new = exchange_entry(record, "professions", entries, _position(entries, singular))
    else:
        new = record.stand_in(
            "profession",
            key,
            (lambda draw: _choice(draw, entries), record.is_new_name),
            (lambda draw: _choice(draw, entries), record.is_no_original),
        )
    if singular != key and (singular in groups or record.language == "es"):
        new = _plural(record.language, new)
    # "CEO" is no profession in capitals.
    return new if text in entries else like(text, new)


def _choice(draw: Draw, entries: tuple[str, ...]) -> str:
    return draw.choice(entries)


def _position(entries: tuple[str, ...], key: str) -> int:
    return next(number for number, entry in enumerate(entries) if key_of(entry) == key)


def _plural(language: str, word: str) -> str:
    if language == "es":
        head, _, tail = word.partition(" ")
        plural = f"{head}s" if head[-1] in "aeiouáéó" else f"{head}es"
        return f"{plural} {tail}".strip()
    if word.endswith(("s", "x", "ch", "sh")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    if word.endswith("wife"):
        return f"{word[:-2]}ves"
    return f"{word[:-3]}men" if word.endswith("man") else f"{word}s"


@cache
def _groups(language: str) -> dict[str, tuple[str, ...]]:
    """For each profession those that may stand for it, itself among them."""
    groups: dict[str, list[str]] = {}
    for entry in lexicon(language, "profession").entries:
        is_idle = language == "es" and key_of(entry).split()[0] in _SPANISH_IDLE
        if not entry.startswith("-") and not is_idle:
            groups.setdefault(_group(language, entry), []).append(entry)
    return {key_of(entry): tuple(group) for group in groups.values() for entry in group}


def _by_ending(language: str, key: str) -> tuple[str, ...]:
    """What a profession that no list holds may become."""
    wanted = _group(language, key)
    groups = _groups(language)
    fitting = next((group for group in groups.values() if _group(language, group[0]) == wanted), ())
    return fitting or max(groups.values(), key=len)


@cache
def _group(language: str, word: str) -> str:
    """What a profession must share with its stand-in."""
    if language == "sv":
        return "feminine" if word.endswith(_SWEDISH_FEMININE) else "common"
    if language == "es":
        return _spanish_group(key_of(word).split())
    if language == "en":
        if word.endswith(_ENGLISH_FEMININE):
            return "feminine"
        return "masculine" if word.endswith(_ENGLISH_MASCULINE) else "common"
    if language == "ja":
        return word[-1] if word[-1] in _frequent_ends() else "other"
    return ""


def _spanish_group(words: list[str]) -> str:
    head, *rest = words
    # "auxiliar administrativa", but not "auxiliar de clínica"
    by_adjective = rest[0][-1] if rest and _SHORTEST_ADJECTIVE <= len(rest[0]) else ""
    if head in _SPANISH_GROUPS or head.endswith(_SPANISH_EITHER):
        by_head = _SPANISH_GROUPS.get(head, "either")
        return {"a": "feminine", "o": "masculine"}.get(by_adjective, by_head)
    return "feminine" if head.endswith("a") else "masculine"


@cache
def _frequent_ends() -> frozenset[str]:
    ends = [entry[-1] for entry in lexicon("ja", "profession").entries]
    return frozenset(end for end in ends if _FEWEST <= ends.count(end))
