"""Spanish clinical values whose words are in lists: measured quantities, scales, eponyms, brands.

A value is never masked, so a word that may be a person's name counts only in a context that
excludes people. The lists are in `data/values.toml`.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from veil.core.patterns import compile_pattern
from veil.detect.rules import bits
from veil.detect.rules.adjustments import CACHE_SIZE, GIVEN_MARKS, PLACE_MARKS
from veil.languages import read_language_toml
from veil.languages.es.rules.words import LANGUAGE, kind_of
from veil.lexicons import Mark, lexicon, word_marks
from veil.lexicons.folding import fold

if TYPE_CHECKING:
    from veil.detect.rules.adjustments import Bounds

_SETS = {
    name: frozenset(words.split())
    for name, words in read_language_toml(LANGUAGE, "rules/data/values.toml")["sets"].items()
}
_DRUG_ENDINGS = tuple(_SETS["drug_endings"])
_NAME_MARKS = GIVEN_MARKS | PLACE_MARKS | Mark.SURNAME.value
_LOOK_BACK = 30

_WORD = compile_pattern(r"[^\W\d_][^\W_]{0,24}(?:[-/.@'’][^\W_]{1,14}){0,3}ª?")
_NAME = compile_pattern(r"[^\W\d_]{2,24}(?:['’-][^\W\d_]{2,24}){0,3}")
_ARROW = r"[ ]?(?:→|-+>|=>)[ ]?"
_DIGITS = r"(?!0\d)\d{1,6}(?:[.,]\d{1,4}){0,2}"
_UNIT = (
    r"(?:[ ]?(?:%|º[CF]?(?![\w.])|[mµμnpk]?g(?:/[\w.]{1,8}){0,2}"
    r"|[mµμndc]?[lL](?:/[\w.]{1,8}){0,2}|U(?:I|fc|FC)?(?:/\w{1,4})?"
    r"|m?mol(?:/\w{1,3})?|mEq(?:/\w{1,2})?|mmHg|cmH2O|kPa|lpm|lat|rpm|ms|mV|ohm|mm[23]?|cm[23]?"
    r"|nm|kg|h|min|seg?|pts?|puntos"
    r"|dB|D|Hz|J|Gy|UH|sem|copias(?:/m[lL])?|c[ée]ls?|/[a-zA-Zµ]\w{0,3}|mm/h)(?![\w]))?"
)
_SIGN = r"(?:[<>≤≥≈~±=+-]{1,2}[ ]?)?"
_NO_DATE = (
    r"(?!\w|[ ]?[/:][ ]?\d|[.,-]\d|[ ]?(?:años|a\.|(?:de[ ]|[/-])(?:ene|feb|mar|abr|may|jun|jul"
    r"|ago|sep|oct|nov|dic)))"
)
_AMOUNT = compile_pattern(
    rf"{_SIGN}(?P<first>{_DIGITS})(?:[ ]?[-–][ ]?{_DIGITS})?{_UNIT}"
    rf"(?:{_ARROW}{_SIGN}{_DIGITS}{_UNIT}){{0,4}}"
    rf"(?:[ ]?\([ ]?\d{{1,3}}(?:[.,]\d)?[ ]?%[ ]?\))?{_NO_DATE}"
)
_PAIR = compile_pattern(
    rf"-?(?P<first>\d{{1,3}}(?:[.,]\d{{1,2}})?)[ ]?/[ ]?-?(?P<second>\d{{1,3}}(?:[.,]\d{{1,2}})?)"
    rf"(?:[ ]?/[ ]?\d{{1,3}}(?:[.,]\d)?){{0,2}}{_UNIT}{_NO_DATE}"
)
_GRADE = compile_pattern(
    r"(?:(?:grado|clase|tipo|estadio|estadío|nivel|grupo|categoría|zona)[ ])?(?:I{1,3}|IV|VI{0,3}"
    r"|IX|X)(?:[-/](?:I{1,3}|IV|VI{0,3}))?[A-Ea-e]?\d?"
    r"(?![\w/]|[.]\w)|(?:[A-E]\d{0,2}|\d[A-Ea-e]\d?|[A-Z]\d(?:[A-Z]\d){1,4}|\d(?:[-,]\d){2,3}"
    r"|\d\+)(?![\w/]|[.]\w|\.[ ][A-ZÁÉÍÓÚÑ])"
)
_THOUSANDS = compile_pattern(r"\d{1,3}(?:[.]\d{3})+")
_LETTERED = compile_pattern(r"[A-E](?![\w])")
_CONNECT = compile_pattern(r"[ ]{0,2}[:=]?[ ]{0,2}(?:\([^()\n\d]{1,14}\)[ ])?")
_BETWEEN = compile_pattern(r"([^\W\d_]{1,14})\.?(?:[ ]?[:=])?[ ]")

_TITLE_BEFORE = compile_pattern(
    r"""(?:.*[^\w])?(?i:dra?s?|sra?|srta|don|doña|dña|d|dª|prof|profa|lic|lcda?o?|enf|due|mir"""
    r"""|doctora?|señora?|señorita|hermana|sor|padre|"""
    r"""enfermer[oa]|médic[oa]|auxiliar|celador[a]?|matrona|residente|adjunt[oa]|cirujan[oa]"""
    r"""|psicólog[oa]|fisio|fisioterapeuta|ginecólog[oa]|"""
    r"""maestr[oa]|profesora?|abogad[oa]|tutora?|juez[a]?|agente|int|tec|tm|klgo|klga|mat"""
    r"""|[A-ZÁÉÍÓÚÑ]|M[ªa])[.ªº]{0,2}[ ]{1,2}\Z""",
    re.DOTALL,
)
_PERSON_BEFORE = compile_pattern(
    r"""(?:.*[^\w])?(?i:paciente|pte|pcte|px|por|fdo|firmado|firma|atte|atiende|nombre"""
    r"""|apellidos?|llamad[oa]|llama|llamarse|hij[oa]|espos[oa]|marido|mujer|madre|padre"""
    r"""|mamá|papá|herman[oa]|abuel[oa]|tí[oa]|familia|estimad[oa]|sr|sra|vecin[oa]|pareja"""
    r"""|amig[oa]|suegr[oa]|nuera|yerno|cuidador[oa]?|"""
    r"""responsable|tratante|contacto|acompañante|usuari[oa]|titular|remitid[oa][ ]por"""
    r"""|avisad[oa][ ]a|habla(?:do)?[ ]con)[ ]?[:,.]?[ ]{1,2}\Z""",
    re.DOTALL,
)
_PLACE_BEFORE = compile_pattern(
    r"(?:.*[^\w])?(?i:en|desde|hasta|hacia|por|vive|reside|natural|viaj[eoó]|viajado|nacid[oa]"
    r"|calle|c/|avda\.?|av\.?|plaza|hotel|bar|colegio"
    r"|hospital|cl[íi]nica|centro|empresa|universidad|barrio|col\.?|colonia)(?:[ ](?:a|de|en|el"
    r"|la))?[ ]\Z",
    re.DOTALL,
)
_COMPANY_BEFORE = compile_pattern(
    r"(?i)(?<!compatible )(?<!sugestivo )\b(?:con|a|acompaña|y|de|del|en el)[ ]\Z"
)
_LAST_WORD = compile_pattern(r"(?:.*[^\w'’-])?([^\W\d_]+)[ ]\Z", re.DOTALL)
_LINE_BEFORE = compile_pattern(r"(?:.*[\n\t|])?[ ]*(?:[-*•][ ]?)?\Z", re.DOTALL)
_PLAIN_NUMBER = compile_pattern(r"[ ]\d{2,3}(?![\w/.,])")
_FOLLOWING = compile_pattern(r",?[ ]([^\W\d_]+)")
_PERSON_AFTER = compile_pattern(
    r"[ ]?[,.]?[ ](?:años|acude|refiere|niega|vive|informa|comenta|llama|dice|ingresa|solicita"
    r"|trabaja|presenta|firma|col\.|col[ ]|coleg"
    r"|M\.?P\.|M\.?N\.|C\.?M\.?P\.|R\.?M\.|T\.?P\.|DNI|NHC|tel|tlf)|,?[ ][A-ZÁÉÍÓÚÑ]\."
    r"|[ ]?\(?\d{1,3}[ ]?(?:años|a\b|m\b)"
)
_RESULT = compile_pattern(
    r"(?:[ ](?:dcho|dcha|izdo|izda|derecho|derecha|izquierdo|izquierda|bilateral|bilat|interno"
    r"|externo|ecográfico|clínico|de[ ]esfuerzo)\.?){0,2}"
    r"(?:[ ]?\([ ]?[-+±–−][ ]?[-+]?[ ]?\)|[ ]?[:=]?[ ](?:\+{1,4}|[-–−])(?=[\s,;.)]|$)"
    r"|[ ]?:?[ ](?:es[ ]|son[ ])?(?:positiv[oa]s?|negativ[oa]s?|pos|neg|normal(?:es)?"
    r"|ausentes?|presentes?|dudos[oa]s?|equ[íi]voc[oa]|centrad[oa]|simétric[oa]s?|complet[oa]"
    r"|descartad[oa]s?|bilateral(?:es)?)(?![\w]))"
)
_ALSO = compile_pattern(r"(?:[ ]?,[ ]|[ ](?:y|e|ni|o|u|vs\.?|/)[ ]|/)")


def measured(text: str, start: int, end: int) -> Bounds | None:
    """The name of a measured quantity and its amount."""
    word = _WORD.match(text, start)
    if word is None:
        return None
    name = fold(word[0])
    is_scale = name in _SETS["scales"]
    if not (is_scale or _is_measure(name) or _is_drug(word[0])):
        return None
    if is_scale and not _may_be_scale(text, start, word[0]):
        return None
    connect = _CONNECT.match(text, word.end())
    position = connect.end() if connect else word.end()
    for _ in range(4):
        if position == word.end():
            return None
        found = _amount_end(text, position, name, is_scale=is_scale)
        if found is not None:
            return start, found
        between = _BETWEEN.match(text, position)
        if between is None or fold(between[1]) not in _SETS["between"]:
            return None
        position = between.end()
    return None


def _amount_end(text: str, position: int, name: str, *, is_scale: bool) -> int | None:
    needs_decimals = name in _SETS["decimals"]
    if pair := _PAIR.match(text, position):
        return pair.end() if is_scale or name in _SETS["fractions"] or _is_no_date(pair) else None
    if amount := _AMOUNT.match(text, position):
        whole = amount["first"].isdigit()
        plain = whole and amount.end() == position + len(amount["first"])
        if needs_decimals and (plain or _THOUSANDS.fullmatch(amount["first"])):
            return None
        looks_like_year = (
            whole and len(amount["first"]) == 4 and amount["first"][:2] in ("19", "20")
        )
        if whole and (4 < len(amount["first"]) or (looks_like_year and plain)):
            return amount.end() if name in _SETS["thousands"] else None
        return amount.end()
    if grade := _GRADE.match(text, position):
        if needs_decimals or (not is_scale and _LETTERED.match(text, position)):
            return None
        return grade.end()
    return None


def _is_no_date(pair: re.Match[str]) -> bool:
    first, second = pair["first"], pair["second"]
    if not (first.isdigit() and second.isdigit()):
        return True
    low, high = sorted((int(first), int(second)))
    return low == 0 or 12 < low or 31 < high


@lru_cache(CACHE_SIZE)
def _is_measure(name: str) -> bool:
    """Whether a folded word, or all parts of one with slashes, is a measured quantity."""
    if name in _SETS["measures"]:
        return True
    parts = name.split("/")
    return 1 < len(parts) and all(part in _SETS["measures"] for part in parts)


@lru_cache(CACHE_SIZE)
def _is_drug(word: str) -> bool:
    folded = fold(word)
    if folded in _SETS["brands"]:
        return not word_marks(LANGUAGE)(word) & _NAME_MARKS
    return word.islower() and folded.endswith(_DRUG_ENDINGS)


def _may_be_scale(text: str, start: int, word: str) -> bool:
    """Whether the name of a person or place may be that of a scale here."""
    if not word[0].isupper() or _is_person_here(text, start):
        return False
    before = text[max(0, start - _LOOK_BACK) : start]
    if word_marks(LANGUAGE)(word) & PLACE_MARKS and _PLACE_BEFORE.match(before):
        return False
    # A list of patients has lines such as "Norton 72".
    return not (_LINE_BEFORE.match(before) and _PLAIN_NUMBER.match(text, start + len(word)))


def eponym(text: str, start: int, end: int) -> Bounds | None:
    """A noun and the name of the person after whom it is named."""
    names = [*_NAME.finditer(text, start, end)]
    last = None
    for name in reversed(names):
        if not name[0][0].isupper():
            break
        if _is_eponym(name[0]):
            last = last or name
        elif last is not None:
            return None
    if last is None or _goes_on_as_person(text, last.end()):
        return None
    return start, last.end()


def sign(text: str, start: int, end: int) -> Bounds | None:
    """Eponyms with their result: Tinel y Phalen (+)."""
    last = _eponyms_end(text, start)
    if last is None or _is_person_here(text, start):
        return None
    result = _RESULT.match(text, last)
    return (start, result.end()) if result else None


def thing(text: str, start: int, end: int) -> Bounds | None:
    """Things that are known by a name alone, one or several in a row: Trendelenburg, Nolotil."""
    word = _NAME.match(text, start)
    if word is None or not _is_bare(word[0]) or _is_person_here(text, start):
        return None
    if fold(word[0]) not in _SETS["brands"] and _COMPANY_BEFORE.search(
        text, start - _LOOK_BACK, start
    ):
        return None
    last = word.end()
    while also := _ALSO.match(text, last):
        word = _NAME.match(text, also.end())
        if word is None or not _is_bare(word[0]):
            break
        last = word.end()
    return None if _goes_on_as_person(text, last) else (start, last)


def _eponyms_end(text: str, start: int) -> int | None:
    """The end of a list of eponyms that begins here."""
    last = None
    position = start
    while (word := _NAME.match(text, position)) and word[0][0].isupper() and _is_eponym(word[0]):
        last = word.end()
        also = _ALSO.match(text, last)
        if also is None:
            break
        position = also.end()
    return last


@lru_cache(CACHE_SIZE)
def _is_eponym(word: str) -> bool:
    """Whether a word is the name of a person or place after which something is named."""
    folded = fold(word)
    if any(folded in _SETS[name] for name in ("eponyms", "scales")):
        return True
    is_listed = lexicon(LANGUAGE, "medical").match
    if is_listed(word) and not is_listed(word.lower()):
        return True
    parts = word.split("-")
    return 1 < len(parts) and all(2 < len(part) and _is_eponym(part) for part in parts)


@lru_cache(CACHE_SIZE)
def _is_bare(word: str) -> bool:
    """Whether a word means the thing if no person is near: no list of names contains it."""
    if not word[0].isupper():
        return False
    folded = fold(word)
    if folded in _SETS["brands"]:
        return not word_marks(LANGUAGE)(word) & _NAME_MARKS
    if "-" in word:
        return _is_eponym(word) and not all(_is_frequent(part) for part in word.split("-"))
    return _is_eponym(word) and not word.isupper() and not _is_frequent(word)


def _is_thing(word: str) -> bool:
    return _is_eponym(word) or fold(word) in _SETS["brands"]


def _is_frequent(word: str) -> bool:
    return bool(word_marks(LANGUAGE)(word) & _NAME_MARKS)


def _is_person_here(text: str, start: int) -> bool:
    """Whether a title, an initial, a given name or a word for people precedes."""
    before = text[max(0, start - _LOOK_BACK) : start]
    if _TITLE_BEFORE.match(before) or _PERSON_BEFORE.match(before):
        return True
    last = _LAST_WORD.match(before)
    if last is None or not last[1][0].isupper():
        return False
    return bool(kind_of(last[1]) & bits.POSSIBLE) and not _is_thing(last[1])


def _goes_on_as_person(text: str, end: int) -> bool:
    """Whether a name, a licence or an action of a person follows."""
    if _PERSON_AFTER.match(text, end):
        return True
    following = _FOLLOWING.match(text, end)
    if following is None or not following[1][0].isupper() or following[1].isupper():
        return False
    return bool(kind_of(following[1]) & bits.POSSIBLE) and not _is_thing(following[1])


def _begins_eponym(word: str) -> bool:
    return word[0].isupper() and (fold(word) in _first_words("eponyms") or _is_thing(word))


def _begins_measured(word: str) -> bool:
    return word[0].isupper() and fold(word) in _first_words("measures")


@cache
def _first_words(name: str) -> frozenset[str]:
    """The beginnings of entries of a set, scales and brands: "bi" of "bi-rads"."""
    entries = _SETS[name] | _SETS["scales"] | _SETS["brands"]
    return frozenset(re.split("[-/.@'’]", entry)[0] for entry in entries)


START_TESTS = {"<eponym>": _begins_eponym, "<measured>": _begins_measured}
"""The words with which a rule for values may begin."""
