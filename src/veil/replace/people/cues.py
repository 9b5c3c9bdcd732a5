"""What the words beside a name tell of it: whether somebody is kin, and of which sex."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from veil.replace.people.tables import key_of

_REACH = 24
_FAR_REACH = 160
_FEMALE_KIN = {
    "en": """
    wife mother mom mum mam mama mommy mummy daughter dtr dau sister sis aunt auntie niece
    girlfriend gf grandmother grandma gma gran granny nana nan granddaughter stepmother stepmom
    stepdaughter stepsister widow fiancee
    """,
    "es": """
    esposa madre mama mami hija hermana hna tia abuela abuelita nieta sobrina prima suegra
    cunada nuera novia companera comadre madrina ahijada gemela
    """,
    "sv": """
    hustru hustrun mamma mamman mor modern dotter dottern syster systern moster faster mormor farmor
    dotterdotter sondotter systerdotter systerdottern brorsdotter maka makan anka ankan fru frun
    svagerska svarmor svardotter flickvan flickvannen vaninna vaninnan storasyster storasystern
    lillasyster lillasystern tvillingsyster
    """,
}
_MALE_KIN = {
    "en": """
    husband father dad daddy papa son brother bro uncle nephew boyfriend bf grandfather grandpa gpa
    granddad grandad grandson stepfather stepdad stepson stepbrother widower
    """,
    "es": """
    esposo marido padre papa papi hijo hermano hno tio abuelo abuelito nieto sobrino primo suegro
    cunado yerno novio companero compadre padrino ahijado gemelo
    """,
    "sv": """
    make maken pappa pappan far fadern son sonen bror brodern morbror farbror morfar farfar
    dotterson sonson systerson brorson svager svagern svarfar svarson pojkvan pojkvannen man mannen
    storebror lillebror tvillingbror ankling anklingen
    """,
}
_FEMALE_TITLES = {
    "en": "mrs ms miss",
    "es": """
    sra srta dona dna senora senorita mujer dra doctora licda lcda enfermera matrona profesora
    maestra vecina cuidadora nina traductora psicologa pediatra
    """,
    "sv": "fru froken",
}
_MALE_TITLES = {
    "en": "mr",
    "es": "sr don senor dr doctor enfermero profesor maestro vecino cuidador nino pastor",
    "sv": "herr hr",
}
_BEFORE = re.compile(r"([^\W\d_]+)(?:[ -]in[ -]law)?[.:]?[ \t]+$")
# Spaniards part a name from its bearer: "su hija, Ana", "el hijo menor (Luis)".
_SPANISH_KIN = re.compile(
    r"([^\W\d_]+)(?:[ \t]+(?:mayor|menor|median[oa]|pequeñ[oa]|[mp]atern[oa]|biológic[oa]))?"
    r"(?:,[ \t]+|[ \t]*\([ \t]*)[\"“«]?$",
    re.IGNORECASE,
)
# "Ann (daughter)", but "Bo (wife Ann)" is no woman.
_BEHIND = re.compile(r"[ \t]*(?:\([ \t]*|,[ \t]*|-[ \t]+)([^\W\d_]+)[ \t]*(?=[),;.:\n]|$)")
# What follows the name of a patient: "is a 60 y.o. female", ", 47 M".
_PATIENT_SEX = {
    "en": re.compile(
        r"[\s,(]*(?:is )?(?:an? )?\(?[0-9]{1,3}[\s-]*(?:y[./]?o\.?|yrs?|years?)?[\s-]*(?:old)?"
        r"[\s,/]*(?:(?P<female>female|woman|lady|girl|F)|male|man|gentleman|boy|M)\b",
        re.IGNORECASE,
    ),
    # "Nombre: ... Sexo: mujer"; M is a woman in Spain and a man elsewhere.
    "es": re.compile(
        r"(?:[\s,(]*[0-9]{1,3}[\s.]*(?:años?|a)?[\s,./)]*|[^;]{0,120}?\bsexo\W{0,9})"
        r"(?:(?P<female>mujer|femenin[oa]|fem|F)|hombre|var[oó]n|masculin[oa]|masc|H)\b",
        re.IGNORECASE,
    ),
}


class Cue(NamedTuple):
    """What a word beside a name tells."""

    is_kin: bool
    is_female: bool | None = None


_NOTHING = Cue(is_kin=False)


def cue_beside(text: str, start: int, end: int, language: str) -> Cue:
    """What stands right before or behind a name: "wife Ann", "Ann (daughter)"."""
    found = _cues(language)
    before = _BEFORE.search(text[max(0, start - _REACH) : start])
    cue = found.get(key_of(before[1])) if before else None
    if cue is None and language == "es":
        kin = _SPANISH_KIN.search(text[max(0, start - _REACH) : start])
        cue = found.get(key_of(kin[1])) if kin else None
        cue = cue if cue is not None and cue.is_kin else None
    if cue is None:
        behind = _BEHIND.match(text, end, end + _REACH)
        cue = found.get(key_of(behind[1])) if behind else None
        # What stands behind is kin or nothing: "Ann, Mrs. Lind and Bo" are three.
        cue = cue if cue is not None and cue.is_kin else None
    return cue or _NOTHING


def is_female(text: str, start: int, end: int, language: str, *, of_patient: bool) -> bool | None:
    """Whether the words beside a name tell that a woman bears it; None where they do not tell."""
    told = cue_beside(text, start, end, language).is_female
    if told is None and of_patient and language in _PATIENT_SEX:
        match = _PATIENT_SEX[language].match(text, end, end + _FAR_REACH)
        told = match["female"] is not None if match else None
    return told


@cache
def _cues(language: str) -> dict[str, Cue]:
    cues: dict[str, Cue] = {}
    for cue, words in (
        (Cue(is_kin=True, is_female=True), _FEMALE_KIN),
        (Cue(is_kin=True, is_female=False), _MALE_KIN),
        (Cue(is_kin=False, is_female=True), _FEMALE_TITLES),
        (Cue(is_kin=False, is_female=False), _MALE_TITLES),
    ):
        cues |= dict.fromkeys(words.get(language, "").split(), cue)
    if language == "en":
        cues |= dict.fromkeys("cousin spouse twin sibling".split(), Cue(is_kin=True))
    return cues
