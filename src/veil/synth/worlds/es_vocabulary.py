"""The words of six countries for the same things, and the abbreviations of writers in a hurry."""

from __future__ import annotations

import re
from functools import cache

# Phrases of Spain in other countries, where they keep their gender and number.
_AMERICAN = {
    "móvil": "celular",
    "móviles": "celulares",
    "conducir": "manejar",
    "coche": "auto",
    "zumo": "jugo",
    "patatas": "papas",
    "tensión arterial": "presión arterial",
    "tensiones": "presiones",
    "la planta": "el piso",
    "a la planta": "al piso",
    "de la planta": "del piso",
    "en planta": "en piso",
    "a planta": "a piso",
    "médico de cabecera": "médico tratante",
    "pautar": "indicar",
    "pautada": "indicada",
    "pautado": "indicado",
    "se pauta": "se indica",
    "se pautan": "se indican",
}
_EGRESO = {
    "informe de alta": "informe de egreso",
    "al alta": "al egreso",
    "fecha de alta": "fecha de egreso",
    "fecha alta": "fecha egreso",
}
_EPICRISIS = {"informe de alta": "epicrisis"}
_OWN = {
    "mx": {
        **_EGRESO,
        "analítica": "química",
        "coche": "carro",
        "piso": "departamento",
        "nevera": "hielera",
        "autobús": "camión",
        "ordenador": "equipo de cómputo",
    },
    "ar": {
        **_EPICRISIS,
        "urgencias": "guardia",
        "tac": "TC",
        "metamizol": "ketorolac",
        "autobús": "colectivo",
        "nevera": "heladera",
        "piso": "departamento",
        "fisioterapia": "kinesiología",
        "gafas": "antiparras",
    },
    "cl": {
        **_EPICRISIS,
        "urgencias": "urgencia",
        "fisioterapia": "kinesioterapia",
        "quirófano": "pabellón",
        "autobús": "bus",
        "piso": "departamento",
    },
    "co": {
        **_EGRESO,
        **_EPICRISIS,
        "paracetamol": "acetaminofén",
        "coche": "carro",
        "piso": "apartamento",
        "autobús": "bus",
    },
    "pe": {
        **_EPICRISIS,
        "urgencias": "emergencia",
        "coche": "carro",
        "piso": "departamento",
        "quirófano": "centro quirúrgico",
        "autobús": "ómnibus",
    },
}
_SHORT = {
    "paciente": "pac",
    "derecho": "dcho",
    "derecha": "dcha",
    "izquierdo": "izdo",
    "izquierda": "izda",
    "tratamiento": "tto",
    "diagnóstico": "dco",
    "aproximadamente": "aprox",
    "habitual": "hab",
    "hipertensión arterial": "HTA",
    "diabetes mellitus": "DM",
    "tensión arterial": "TA",
    "presión arterial": "PA",
    "frecuencia cardiaca": "FC",
    "saturación": "sat",
    "intervención quirúrgica": "IQ",
    "infección del tracto urinario": "ITU",
    "insuficiencia cardiaca": "IC",
    "fibrilación auricular": "FA",
    "enfermedad renal crónica": "ERC",
    "miembros inferiores": "MMII",
    "miembro inferior derecho": "MID",
    "miembro inferior izquierdo": "MII",
    "radiografía": "Rx",
    "electrocardiograma": "ECG",
    "ecografía": "eco",
    "resonancia magnética": "RM",
    "exploración": "expl",
    "comprimidos": "comp",
    "comprimido": "comp",
    "intravenoso": "iv",
    "intravenosa": "iv",
    "subcutánea": "sc",
    "consultas externas": "CCEE",
    "atención primaria": "AP",
    "médico de atención primaria": "MAP",
    "enfermería": "enf",
    "teléfono": "tfno",
    "urgencias": "urg",
    "postoperatorio": "postop",
    "actualmente": "act",
    "revisión": "rev",
}
_SHORTER = {
    **_SHORT,
    "que": "q",
    "por": "x",
    "con": "c/",
    "sin": "s/",
    "para": "p/",
    "también": "tb",
    "porque": "xq",
    "cada": "c/",
    "horas": "h",
    "días": "d",
    "semanas": "sem",
    "semana": "sem",
    "refiere": "ref",
    "presenta": "pres",
    "desde": "dde",
    "control": "ctrl",
    "importante": "imp",
    "abdomen": "abd",
}
_OF_HASTE = {"some": _SHORT, "great": _SHORTER}


@cache
def spelled(text: str, country: str, haste: str) -> str:
    """Plain text as people of a country write it, with more or less haste."""
    if country != "es":
        text = _replaced(text, {**_AMERICAN, **_OWN[country]}, country)
    if haste != "none":
        text = _replaced(text, _OF_HASTE[haste], haste)
    return text


def _replaced(text: str, forms: dict[str, str], name: str) -> str:
    def other(match: re.Match[str]) -> str:
        word = match[0]
        form = forms[word.lower()]
        if word.isupper() and 1 < len(word):
            return form.upper()
        return form[0].upper() + form[1:] if word[0].isupper() else form

    return _pattern(tuple(forms), name).sub(other, text)


@cache
def _pattern(forms: tuple[str, ...], name: str) -> re.Pattern[str]:
    longest_first = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
    return re.compile(rf"(?<![\w/-])(?:{longest_first})(?![\w/-])", re.IGNORECASE)
