"""Swedish."""

from __future__ import annotations

from veil.languages.base import LANGUAGES
from veil.languages.latin import LatinLanguage, word_tokens
from veil.languages.sentences import SentenceRules

_RULES = SentenceRules(
    abbreviations=frozenset(
        {
            *("dr", "doc", "prof", "hr", "fr", "frk", "ssk", "usk", "öl", "bitr", "leg", "med"),
            *("st", "s:t", "s:ta", "kl", "ca", "c:a", "tel"),
            *("mob", "p.nr", "pnr", "t.ex", "vit", "ex"),
            *("bl.a", "bl", "d.v.s", "dvs", "s.k", "sk", "fr.o.m", "t.o.m", "f.n", "f.d", "p.g.a"),
            *("pga", "m.a.o", "resp", "ung", "ev", "inkl", "exkl", "jfr", "jmf", "enl", "ang"),
            *("avs", "avd", "vårdavd", "mott", "pat", "beh", "diagn", "anm", "ffg", "temp", "rtg"),
            *("jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "okt", "nov", "dec"),
        }
    ),
    before_number=frozenset(
        {
            *("nr", "sid", "fig", "tab", "ref", "vol", "art", "kap", "bil", "uppl", "max", "min"),
            *("kv", "plan"),
        }
    ),
    before_letter=frozenset(
        {
            *("hepatit", "vitamin", "vit", "grupp", "blodgrupp", "typ", "grad", "klass", "stadium"),
            *("fas", "faktor", "influensa", "avdelning", "bilaga", "plan"),
        }
    ),
)

SWEDISH = LANGUAGES.add("sv", LatinLanguage("sv", "Swedish", __name__, _RULES, genitive="s"))
SWEDISH_WORDS = LANGUAGES.add(
    "sv-words",
    LatinLanguage("sv", "Swedish, whole words", __name__, _RULES, word_tokens, genitive="s"),
)
