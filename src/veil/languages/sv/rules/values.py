"""Swedish clinical values whose words are in lists: eponyms, drugs, scales, measured quantities.

A value is never masked, so a word that may be a person's name counts only in a context that
excludes people. The lists are in `data/values.toml`.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from veil.core.patterns import compile_pattern
from veil.detect.rules import bits
from veil.detect.rules.adjustments import CACHE_SIZE
from veil.languages import read_language_toml
from veil.languages.sv.rules.words import LANGUAGE, kind_of
from veil.lexicons import Mark, word_marks
from veil.lexicons.folding import fold

if TYPE_CHECKING:
    from veil.detect.rules.adjustments import Bounds

_SETS = {
    name: frozenset(words.split())
    for name, words in read_language_toml(LANGUAGE, "rules/data/values.toml")["sets"].items()
}
_NAMED = _SETS["eponyms"] | _SETS["signs"] | _SETS["scales"] | _SETS["devices"] | _SETS["bare"]
_NO_SURNAMES = _NAMED - _SETS["surnames"]
_MEASURED = _SETS["measures"] | _SETS["scores"] | _SETS["thousands"]
_FEWEST_OF_COMPOUND = 4
# Words of an entry: Bence Jones, Guillain-Barré, van Bijsterveld; the longest entry counts.
_WORDS = compile_pattern(r"[^\W\d_]+(?:(?:[-‐‑–]|[ ](?:och|&|and)[ ]|[ ])[^\W\d_]+){0,3}")
_GAP = compile_pattern(r"[‐‑–]|[ ](?:och|&|and)[ ]|[ ]")
_KEY = compile_pattern(r"[^\W_]+(?:[-/&][^\W_]+){0,2}")
_BEFORE = compile_pattern(r"(?<![^\W\d_])([^\W\d_]+)(\.?)[ ]\Z")
_LOOK_BACK = 30
_JOINING = ("-", "‐", "‑", "–", "'", "’", "s")
_TITLES = (Mark.TITLE | Mark.DOCTOR_TITLE).value

_MONTH = r"(?:jan|feb|mars|apr|maj|jun|jul|aug|sep|okt|nov|dec)"
_NUMBER_ENDS = rf"(?![\w/]|[.,:-]\d|[ ]?(?:år|mån|{_MONTH}))"
_INFLECTED = r"(?:en|et|n|t|s|er|erna|or|orna|ar|arna|na|a|an|ens|ets)?(?![^\W_])"
_THINGS = (
    r"syndrom|sjukdom|sjuk|tecken|tecknet|fenomen|symtom|symptom|reflex|tyreoidit|tyroidit|anemi"
    r"|lymfom|sarkom"
    r"|tumör|pares|kontraktur|divertik(?:el|lar)|cyst|kriteri(?:er|erna|um)|klassifikation"
    r"|klassificering|skal"
    r"|score|index|kateter|katetrar|peang|pincett|fraktur|luxation|encefalopati|makroglobulinemi"
    r"|granulomatos"
    r"|tetrad|esofagus|herni|bråck|ganglion|neurom|artrit|arterit|artropati|ataxi|chorea|atrofi"
    r"|dystrofi|demens"
    r"|disease|syndrome|sign|stavar|kroppar|virus|virusinfektion|feber|korsett|ortos|fokus"
    r"|noduli|purpura|afasi"
    r"|psykos|koma|karcinom|melanom|leukemi|glaukom|shunt|ligament|triangel|nefropati|retinopati"
    r"|linje|celler|inklusion"
)
_TOOLS = (
    r"lev|såg|krok|hake|hållare|läge|nål|kanyl|tub|band|ring|prov|test|nod|sken|gips|drän|sond"
    r"|snitt|incision|isering"
    r"|plastik|operation|manöver|handgrepp|tång|tänger|sax|skalpell|stift|spik|nät|stent|klaff"
    r"|protes|fix|port|ballong"
    r"|lampa|schema|protokoll|lösning|ödem|andning|träning|klass|grad|stadium|typ|nivå|diet"
    r"|formel|metod|teknik"
)
_STRONG = compile_pattern(rf"s?[ -](?:{_THINGS}){_INFLECTED}")
_WEAK = compile_pattern(
    rf"s?-(?:{_TOOLS}|avulsion|block|avföring){_INFLECTED}"
    rf"|s?[ ](?:test|manöver|handgrepp|metod|anastomos|ampull|tång|lampa|trias|ulcus|körtel"
    rf"|körtlar|öar|ring|formel"
    r"|färgning|lösning|protokoll|retraktor|kapsel|nät|ex-?fix|läge|snitt|kanyl|nål|spatium|drän"
    r"|operation)"
    rf"{_INFLECTED}"
)
_COMPOUND = compile_pattern(rf"s?(?:{_THINGS}|{_TOOLS}){_INFLECTED}")
_RESULT = compile_pattern(
    r"s?(?:[ ](?:test|prov|tecken))?[ :]{1,2}(?:(?:med|lat|hö|vä|bilat|dx|sin)[ .]{1,2})?"
    r"(?:pos|neg|positiv[at]?|negativ[at]?|u[. ]?a)(?![^\W_])\.?"
)
_JUDGED = compile_pattern(
    r"[ ](?:utan[ ]anm\w{0,8}|normal[at]?|bilat\w{0,6}|sidlik\w{0,2}|stabil\w?|osäker\w?|väntat"
    r"|uteslut\w{1,4}"
    r"|misstänk\w{1,2}|osannolik\w?|övervägs?|saknas|definit|mitt|lateraliser\w{1,4}|föreligger"
    r"|kvarstår"
    r"|ej[ ](?:uppfyll\w{0,3}|aktuell\w?|säker\w?|påvis\w{1,5})|ej(?=[ ]?(?:[,.;)]|\n|\Z))"
    r"|svår\w?|lindrig\w?|måttlig\w?|klassisk\w?|och[ ](?=[A-ZÅÄÖ][a-zåäö]+-)"
    r"|efter[ ]\d{1,3}[ ]?s|vid[ ]\d{1,2}(?=[ ]?(?:gr|°))|\d(?:[.,]\d)?[ ]?mm|[1-4]\+|x[ ]?\d|hö"
    r"|vä|höger|vänster)(?![^\W_])"
)
_GRADED = compile_pattern(
    r"s?(?:[ -](?:index|skala|skalan|score|poäng|kriterier|nivå|formeln?))?[ :]{1,2}"
    r"(?:(?:grad|klass|typ|stadium|st|nivå|kat|zon)[ ]?)?"
    r"(?:\d[.,]\d{1,2}|\d[-–]\d[-–]\d|[0-9][A-Da-d]?(?:[-–→][0-9])?|[IVX]{1,4}[A-CFabc]?L?"
    r"|[A-D][0-9]?(?:M\d)?|C\d{1,2}M\d{1,2}|x[ ]?\d|\d[ ](?:major|minor))" + _NUMBER_ENDS
)
_SCORED = compile_pattern(
    r"s?(?:[ -](?:index|skala|skalan|score|poäng|kriterier|formeln?))?[ :]{1,2}"
    r"\d{1,3}(?:[.,]\d{1,2})?(?:[ ]?(?:[-–→]|->)[ ]?\d{1,3}(?:[.,]\d{1,2})?){0,2}(?:[ ]?(?:p"
    r"|poäng|%|gr|grader|kg|ml|G|Ch|Fr|mm|cm))?" + _NUMBER_ENDS
)
_ACCORDING = compile_pattern(r"(?:enl[.]?|enligt)[ ]\Z")
_SHARE = compile_pattern(r"[ :]{1,2}(?:0|\d{1,2})/(?:10|1[3-9]|[2-9]\d|100)(?![\w/.-])")
_MEASURE = compile_pattern(
    r"(?:[ ]?[:=<>≤≥~≈]{1,2}[ ]?|[ ](?:(?:ca|nu|på|kring|runt|hö|vä|dx|sin)[ ]|[<>≤≥~≈][ ]?)?)"
    r"(?:1:\d{1,5}|[-+−]?\d{1,3}[.,]\d{1,2}/[-+−]?\d{1,3}[.,]\d{1,2}|(?:3[2-9]|[4-9]\d"
    r"|\d{3})/(?:3[2-9]|[4-9]\d|\d{3})"
    r"|[-+−]?\d{1,3}(?:[.,]\d{1,2})?(?:[ ]?(?:→|->|[-–])[ ]?[-+]?\d{1,3}(?:[.,]\d{1,2})?){0,3})"
    + _NUMBER_ENDS
)
_DECIMAL = compile_pattern(
    r"[ :=<>]{1,3}[-+]?\d{1,3}[.,]\d{1,2}(?:/[-+]?\d{1,3}[.,]\d{1,2})?" + _NUMBER_ENDS
)
_THOUSANDS = compile_pattern(
    r"[ :=<>]{1,3}\d[ ]?\d{3}(?:[ ]?(?:→|->|[-–])[ ]?\d{1,5})?(?=[ ]?(?:[,;)]|\.(?!\d)|\n|\Z|[(]"
    r"|µg|ug|ng|pg|U|E|IE|mg|kU|µkat))"
)
_STEP = (
    r"(?!(?:åter|tid|kontroll|besök|sedan|sen|från|till|den|sågs|op|debut|fr|tom|fom|ab|åb"
    r"|i[ ]?dag|igår)(?![^\W_]))"
)
_SHARE_OF = compile_pattern(
    rf"(?:[ ]{_STEP}[a-zåäö]{{1,14}}\.?){{0,4}}[ :]{{1,2}}"
    r"([0-9]{1,3}(?:[.,][0-9])?(?:[-–][0-9]{1,2})?)/([0-9]{1,3}(?:[.,][0-9])?)"
    r"(?![\w/-]|[.][0-9]|[ ][0-9]{1,2}/[0-9])"
)
_SIZED = compile_pattern(r"[ ](?:\d{1,2}(?:[.,]\d)?[ ]?(?:G|Ch|Fr|mm|cm|g|ml)|stl[ ]\d)(?![^\W_])")
_INITIAL_BEHIND = compile_pattern(r"[ ][A-D]\Z")
_CLASSIFIED = ("fraktur", "fotled", "malleol", "dissektion", "skada")
_CRITERIA_MET = compile_pattern(r"[ :]{1,2}[1-4]/[34](?![\w/.-])")
# After these each number of the pair stands for one eye, and the first may be the higher one.
_OF_EYES = frozenset(
    "visus vod vos synprov synskärpa tryck ögontryck måltryck iop pupiller cct crt".split()
)
_OUT_OF_FIVE = frozenset("t2 dwi dce pi-qual ai sn oxford c-ssrs".split())
# Too short to be unambiguous: a number without decimals may be an age or a ward.
_SHORT = 2
_SURE_SHORT = frozenset(
    "hb af ef pk ck ld sr cv ph be na tg rf sj tj tv bp hr hf pi ps fv gfr".split()
)


def _without_genitive(word: str) -> str:
    return word.removesuffix("s")


def _entry_end(text: str, start: int, entries: frozenset[str]) -> tuple[int, str] | None:
    """The end of the longest entry that begins here, and the entry."""
    match = _WORDS.match(text, start)
    found = _entry_at_start(match[0], entries) if match else None
    return (start + found[0], found[1]) if found else None


@lru_cache(CACHE_SIZE)
def _entry_at_start(words: str, entries: frozenset[str]) -> tuple[int, str] | None:
    end = len(words)
    while 0 < end:
        key = fold(_GAP.sub("-", words[:end]))
        for form in (key, _without_genitive(key)):
            if form in entries:
                return end, form
        end = max(0, *(words.rfind(sign, 0, end) for sign in " -‐‑–"))
    return None


@cache
def _first_words() -> frozenset[str]:
    return frozenset(entry.partition("-")[0] for entry in _NAMED)


@cache
def _first_of_drugs() -> frozenset[str]:
    return frozenset(entry.partition("-")[0] for entry in _SETS["drugs"])


@cache
def _first_of_measures() -> frozenset[str]:
    return frozenset(re.split("[-/&]", entry)[0] for entry in _MEASURED)


@lru_cache(CACHE_SIZE)
def _compound_stem(folded: str) -> str | None:
    """The eponym of a compound: Foleykateter, Trendelenburgläge."""
    for length in range(len(folded) - 3, _FEWEST_OF_COMPOUND - 1, -1):
        stem = folded[:length]
        if stem in _NAMED and _COMPOUND.fullmatch(folded, length):
            return stem
    return None


def _opens_eponym(word: str) -> bool:
    """Whether an eponym, or a compound of one, may begin with a word."""
    folded = fold(word)
    known = _first_words()
    if folded in known or _without_genitive(folded) in known:
        return word[0].isupper() or folded in {"van", "von", "de"}
    return word[0].isupper() and _compound_stem(folded) is not None


def _opens_drug(word: str) -> bool:
    """Whether the name of a drug may begin with a word."""
    return word[0].isupper() and fold(word) in _first_of_drugs()


def _opens_measure(word: str) -> bool:
    """Whether the name of a scale or of a measured quantity may begin with a word."""
    return fold(word) in _first_of_measures()


def _word_before(text: str, start: int) -> re.Match[str] | None:
    return _BEFORE.search(text, max(0, start - _LOOK_BACK), start)


def _is_of_person(text: str, start: int) -> bool:
    """Whether a title, or a word that may be a given name or an initial, comes directly before."""
    before = _word_before(text, start)
    if before is None or _is_diagnosis(before):
        return False
    return _may_call_person(before[1])


@lru_cache(CACHE_SIZE)
def _may_call_person(word: str) -> bool:
    if word_marks(LANGUAGE)(word) & _TITLES:
        return True
    if not word[0].isupper() or (word.isupper() and 1 < len(word)):
        return False
    return bool(kind_of(word) & (bits.GIVEN | bits.INITIAL | bits.UNKNOWN))


def _is_diagnosis(before: re.Match[str] | None) -> bool:
    return before is not None and fold(before[1]) in _SETS["diagnoses"]


def _with_diagnosis(text: str, start: int) -> int:
    """The start of a value, or of the disease directly before it."""
    before = _word_before(text, start)
    return before.start() if before and _is_diagnosis(before) else start


# A name alone counts only in a list of findings: between punctuation marks, or after such a word.
_LISTED_BEFORE = compile_pattern(
    r"(?:[,;(+/]|(?<=[a-zåäö]):)[ ]?\Z"
    r"|(?:^|[ (,])(?:misstänkt|susp|känd|sannolik|trolig|typ|DD|dd|obs|atypisk|primär|sek"
    r"|sekundär|klassisk)[ ]\Z"
)
_LISTED_AFTER = compile_pattern(r"[ ]?(?:[;.?)+/]|\n|\Z)|,[ ](?:([^\W\d_]+))?")


def _is_in_list(text: str, start: int, end: int) -> bool:
    before = _LISTED_BEFORE.search(text, max(0, start - _LOOK_BACK), start)
    after = _LISTED_AFTER.match(text, end)
    if not before or not after:
        return False
    following = after[1] or ""
    if _opens_eponym(following) or _opens_drug(following) if following else True:
        return True
    return not (following[0].isupper() and kind_of(following) & (bits.GIVEN | bits.UNKNOWN))


def eponym_of_thing(text: str, start: int, end: int) -> Bounds | None:
    """A listed eponym in a context that excludes people, or one that is no personal name."""
    match = _KEY.match(text, start)
    stem = _compound_stem(fold(match[0].replace("-", ""))) if match else None
    if match and stem and "-" not in match[0]:
        return start, match.end()
    found = _entry_end(text, start, _NAMED)
    if found is None or _is_of_person(text, start):
        return None
    end, key = found
    frequent = key in _SETS["surnames"]
    contexts = [_STRONG]
    if not frequent:
        contexts.append(_WEAK)
    if key in _SETS["signs"] or key in _SETS["bare"]:
        contexts += [_RESULT] if frequent else [_RESULT, _JUDGED]
    if key in _SETS["devices"] or key in _SETS["bare"]:
        contexts.append(_SIZED)
    if key in _SETS["scales"]:
        contexts += [_GRADED] if frequent else [_GRADED, _SCORED]
        # A date may follow a person or a place.
        if _ACCORDING.search(text, max(0, start - _LOOK_BACK), start):
            contexts.append(_SHARE)
        if _is_diagnosis(_word_before(text, start)):
            contexts.append(_CRITERIA_MET)
    matches = [match for context in contexts if (match := context.match(text, end))]
    if matches:
        end = max(match.end() for match in matches)
        # A surname with an initial is a signature; with a letter it is a class if it follows a
        # fracture.
        if frequent and _INITIAL_BEHIND.search(text, start, end):
            before = text[max(0, start - _LOOK_BACK) : start].lower()
            if not any(word in before for word in _CLASSIFIED):
                return None
        return _with_diagnosis(text, start), end
    alone = key in _SETS["bare"] and ("-" in key or _is_in_list(text, start, end))
    return (start, end) if alone and text[end : end + 1] not in _JOINING else None


_NAME_AT_END = compile_pattern(
    r"(?:van[ ]|von[ ])?[^\W\d_a-zåäö][^\W\d_]+(?:[- ][^\W\d_a-zåäö][^\W\d_]+)*\Z"
)


def listed_eponym(text: str, start: int, end: int) -> Bounds | None:
    """A match whose last words are a listed eponym: Billroth in "resektion enl Billroth"."""
    name = _NAME_AT_END.search(text[start:end])
    if name is None:
        return None
    found = _entry_end(text, start + name.start(), _NO_SURNAMES)
    return (start, found[0]) if found else None


def drug_name(text: str, start: int, end: int) -> Bounds | None:
    """A listed drug, with its form and strength."""
    found = _entry_end(text, start, _SETS["drugs"])
    if found is None or _is_of_person(text, start):
        return None
    strength = _STRENGTH.match(text, found[0])
    return start, strength.end() if strength else found[0]


_STRENGTH = compile_pattern(
    r"(?:[ -](?:[Dd]epot|[Rr]etard|[Rr]et|[Ff]orte|[Cc]omp|mite|[Nn]ovum|infusion|drp|inf|inj"
    r"|tabl|plåster|spray"
    r"|kräm|[Tt]urbuhaler|inh|D|T))?(?:[ ](?:\d{1,2}[+]\d{1,2}(?:[+]\d{1,2}){0,2}"
    r"|[1-9]\d{0,2}(?:[.,]\d{1,3})?(?:→[1-9]\d{0,3}|(?:/(?:1[3-9]|[2-9]\d|[1-9]\d\d)){1,2})?"
    r"|0[.,]\d{1,3}"
    r"|[1-9]\d{3}(?=[ ]?(?:mg|E|IE)))"
    r"(?:[ ]?(?:mg|g|µg|ml|E|IE|Ch|x|st|tabl|amp|dos|doser|inh|påsar)(?![^\W_]))?(?![\w/:–-]"
    r"|[.,]\d|[ ]?(?:år|" + _MONTH + r")))?"
)


def measure(text: str, start: int, end: int) -> Bounds | None:
    """The name of a measured quantity or of a scale, with its number."""
    key_match = _KEY.match(text, start)
    while key_match:
        key = fold(key_match[0])
        if key in _MEASURED:
            break
        gap = max(key_match[0].rfind(sign) for sign in "-/&")
        key_match = _KEY.match(text, start, start + gap) if 0 < gap else None
    if key_match is None:
        return None
    end = key_match.end()
    if key in _SETS["scores"] and (share := _SHARE_OF.match(text, end)) and _is_share(key, share):
        return start, share.end()
    if key in _SETS["thousands"] and (number := _THOUSANDS.match(text, end)):
        return start, number.end()
    short = len(key) <= _SHORT and key not in _SURE_SHORT
    number = (_DECIMAL if short else _MEASURE).match(text, end)
    return (_with_diagnosis(text, start), number.end()) if number else None


def with_word_before(text: str, start: int, end: int) -> Bounds | None:
    """A quantity with the word in small letters for its object: sug 12 Fr."""
    before = _word_before(text, start)
    small = before is not None and not before[2] and before[1].islower() and 2 < len(before[1])
    return before.start() if before and small else start, end


_WARDS = frozenset(
    "IVA MAVA KAVA AVA HIA BB UVA MIMA KIVA BIVA TIVA NIVA DS US HS KS SUS NUS SU SÖS CSK KSS USÖ"
    " ALB VC HC BVC MVC BUP TEAM SAL RUM AVD PLAN BOX MOTT BED SÄNG".split()
)
_QUANTITY_ENDS = compile_pattern(r"[0-9][ ]?(?:mg|g|ml|l|%|mm|cm|kPa|s|min|E|IE|ms|gr)\Z")
_LONGEST_ITEM = 40


def list_item(text: str, start: int, end: int) -> Bounds | None:
    """An item of a list of values whose neighbours are known values: CRP 55, PIRO 4, PEEP 10.

    One known neighbour is enough for capitals; a possible surname needs both.
    """
    word = text[start:end].partition(" ")[0]
    kind = kind_of(word)
    if kind & (bits.GIVEN | bits.PLACE) or word.upper() in _WARDS:
        return None
    known = _is_value_before(text, start) + _is_value_after(text, end)
    enough = 1 if word.isupper() and not kind & bits.SURNAME else 2
    return (start, end) if enough <= known else None


def _is_value_before(text: str, start: int) -> bool:
    end = start - 2
    if text[end:start] not in {", ", "; "}:
        return False
    opening = max(text.rfind(sign, max(0, end - _LONGEST_ITEM), end) for sign in ",;:.\n")
    item = text[opening + 1 : end]
    opening += 1 + len(item) - len(item.lstrip())
    return bool(_QUANTITY_ENDS.search(item)) or end in _ends_of_values(text, opening)


def _is_value_after(text: str, end: int) -> bool:
    return text[end : end + 2] in {", ", "; "} and bool(_ends_of_values(text, end + 2))


def _ends_of_values(text: str, start: int) -> list[int]:
    found = (find(text, start, start) for find in (measure, eponym_of_thing, drug_name))
    return [bounds[1] for bounds in found if bounds]


def _is_share(key: str, share: re.Match[str]) -> bool:
    part, whole = (
        float(number.split("-")[0].split("–")[0].replace(",", ".")) for number in share.groups()
    )
    if key in _OF_EYES:
        return True
    if key in _OUT_OF_FIVE:
        return part <= whole <= 6
    return part <= whole


START_TESTS = {
    "<sv-eponym>": _opens_eponym,
    "<sv-drug>": _opens_drug,
    "<sv-measure>": _opens_measure,
}
"""The words with which a rule for values may begin."""
