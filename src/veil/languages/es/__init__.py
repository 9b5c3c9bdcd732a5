"""Spanish."""

from __future__ import annotations

from veil.languages.base import LANGUAGES
from veil.languages.latin import LatinLanguage, word_tokens
from veil.languages.sentences import SentenceRules

_RULES = SentenceRules(
    abbreviations=frozenset(
        {
            *("d", "dª", "dña", "dn", "dr", "dra", "dres", "dras", "sr", "sra", "sres", "srta"),
            *("prof", "profa", "profª", "lic", "lcda", "lcdo", "ing", "arq", "hno", "hna", "rvdo"),
            *("excmo", "ilmo", "mª", "fco", "fdo", "fdez", "glez", "gzlez", "hdez", "mtnez", "mtz"),
            *("rguez", "rdguez", "sto", "sta", "avda", "av", "avd", "c", "c/", "ctra", "pza"),
            *("plza", "pl", "pº", "rda", "urb", "bda", "bº", "gta", "trav", "trva", "apdo", "prov"),
            *("edif", "p", "p.ej", "ej", "aprox", "cf", "vs", "vit", "pac", "pte", "hosp", "dpto"),
            *("depto", "serv", "univ", "tel", "tfno", "tlf", "telf"),
        }
    ),
    before_number=frozenset(
        {
            *("n", "no", "n.o", "nº", "n.º", "núm", "num", "col", "c.p", "pág", "pag", "págs"),
            *("pp", "vol", "fig", "figs", "tab", "art", "cap", "ref", "esc", "bloq", "pta", "apto"),
            *("ca", "máx", "mín", "temp", "ext", "exp"),
        }
    ),
    before_letter=frozenset(
        {
            *("hepatitis", "vitamina", "vit", "grupo", "tipo", "grado", "clase", "estadio", "fase"),
            *("factor", "proteína", "gripe", "influenza", "child", "forrest", "letra", "sexo"),
            *("apéndice", "plan", "sala"),
        }
    ),
)

SPANISH = LANGUAGES.add("es", LatinLanguage("es", "Spanish", __name__, _RULES))
SPANISH_WORDS = LANGUAGES.add(
    "es-words", LatinLanguage("es", "Spanish, whole words", __name__, _RULES, word_tokens)
)
