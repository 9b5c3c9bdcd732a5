"""Where a name comes from, as far as its writing tells."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from veil.replace.people.tables import OWN_ORIGIN, listed_origin, sex_of, strength

if TYPE_CHECKING:
    from veil.replace.people.tables import Kind


def _first_of(*forms: tuple[str, str]) -> re.Pattern[str]:
    """One pattern for several, each of which is named after its origin."""
    return re.compile("|".join(f"(?P<{origin}>{form})" for form, origin in forms))


# Beginnings and ends of surnames, compared without accents; the first that fits counts.
_SURNAMES = _first_of(
    (r"o'.+", "irish"),
    (r"mc.{3,}", "scottish_mc"),
    (r"mac(?:[^aeiouhk]|ken|kin|al|ar|au|ea|ev|in|iv).{2,}", "scottish_mac"),
    (r".+dottir", "icelandic"),
    (r".{2,}(?:sson|qvist|kvist|quist|strom|hjelm|feldt|loef|lund|gren|blad|stedt)", "swedish"),
    (r".{2,}(?:nen|maki|niemi|jarvi|koski|lahti|vaara|salmi)", "finnish"),
    (r".{2,}(?:[lnrstdk]sen|gaard|stad|bakken|haugen)", "norwegian_danish"),
    (r".{2,}(?:poulos|poulou|akis|iadis|idis|ides|iou)", "greek"),
    (r".{2,}(?:escu|eanu|oiu)", "romanian"),
    (r".{2,}(?:shvili|adze|idze)", "georgian"),
    (r".{4,}(?:yan|ian)", "armenian"),
    (r".{2,}(?:auskas|aitis|unas|vicius|kalns)", "baltic"),
    (r".{3,}(?:oglu|turk)", "turkish"),
    (r".{2,}(?:zadeh|zade|pour|nejad|abadi)", "persian_kurdish"),
    (r".{2,}(?:ski|ska|cki|cka|wicz|czyk|czak)", "polish"),
    (r".{2,}(?:ovic|evic|[cdjklmnrstz]ic)", "south_slavic"),
    (r".{2,}(?:ov|ova|ev|eva|enko|chuk|skiy|sky)", "east_slavic"),
    (r".{2,}(?:enfeld|baum|witz|owitz|blatt)", "hebrew"),
    (r".{2,}(?:mann|bauer|meier|meyer|mayer|maier|hauser|hofer|schmidt|schneider)", "german"),
    (r".{2,}(?:stra|sma|huis|dijk|broek|horst|kamp)", "dutch"),
    (r".{2,}(?:etxe|etxea|echea|mendi|zabal|berri|egui|tegi|iaga|goiti)", "basque"),
    (r".{2,}(?:eira|eiro|inho|alho|elho|gues|ndes|aes|oes)", "portuguese"),
    (r".{2,}(?:ez|oz|illo|uela|ero)", "spanish"),
    (r".{2,}(?:ini|etti|elli|ucci|acci|uzzi|azzo|iello|ello|isi)", "italian"),
    (r".{2,}(?:eau|eaux|ault|oux|ieux)", "french"),
    (r".{2,}(?:swamy|swami|rajan|nathan|murthy|wala|appa|kar|deep|singh|preet)", "south_asian"),
    (r"(?:abd|abu|abou|ibn).{3,}|.{2,}(?:allah|ullah|uddin|eddine)", "arabic"),
)
# Syllables of Korean given names, two of which make a name.
_KOREAN = (
    "(?:bo|byung|chang|chul|dae|do|dong|eun|gi|ha|hee|ho|hwa|hye|hyun|in|jae|ji|jin|joo|jung|jeong"
    "|ki|kwang|kyung|mi|min|myung|na|ok|sang|seo|seong|seung|si|sik|sook|soo|soon|suk|sun|sung|tae"
    "|won|woo|yeon|yong|yoo|yoon|young)"
)
_GIVEN = _first_of(
    (r"(?:abd|abou|abu).{3,}|.{2,}(?:allah|ullah|uddin|eddine)", "arabic"),
    (r".{2,}(?:preet|jit|deep|inder)", "south_asian"),
    (rf"{_KOREAN}-{_KOREAN}", "korean"),
    (r".{2,}(?:slav|slava|mir|mira)", "south_slavic"),
)
_SCRIPTS = {
    "CYRILLIC": "east_slavic",
    "GREEK": "greek",
    "ARABIC": "arabic",
    "HEBREW": "hebrew",
    "HANGUL": "korean",
    "THAI": "thai",
    "ARMENIAN": "armenian",
    "GEORGIAN": "georgian",
    "DEVANAGARI": "south_asian",
}
# Origins in which the surname comes first.
SURNAME_FIRST = frozenset({"chinese", "korean", "vietnamese"})
# The small words of surnames that tell of an origin.
SMALL_WORDS = {
    **dict.fromkeys(("van", "van de", "van den", "van der", "vande", "vander", "ter"), "dutch"),
    **dict.fromkeys(("von", "von der", "vom", "zu", "zum", "zur"), "german"),
    **dict.fromkeys(("al", "el", "bin", "ibn"), "arabic"),
    **dict.fromkeys(("del", "de la", "de las", "de los"), "spanish"),
    **dict.fromkeys(("di", "della"), "italian"),
    **dict.fromkeys(("dos", "das", "da", "do"), "portuguese"),
    **dict.fromkeys(("du", "le", "des"), "french"),
}
_REMEMBERED = 1 << 14


@lru_cache(_REMEMBERED)
def surname_origin(key: str, language: str) -> str:
    """The origin of a surname; the language's own where nothing tells of another."""
    own = OWN_ORIGIN.get(language, "english")
    listed = listed_origin(key, "surname", language)
    if listed:
        return listed
    return _by_form(key, _SURNAMES) or own


@lru_cache(_REMEMBERED)
def given_origin(key: str, language: str) -> str:
    """The origin of a given name; the language's own where nothing tells of another."""
    own = OWN_ORIGIN.get(language, "english")
    sex = sex_of(key, language)
    kinds: tuple[Kind, ...] = ("female", "male", "both") if sex == "both" else (sex,)
    for kind in kinds:
        listed = listed_origin(key, kind, language)
        if listed:
            return listed
    as_surname = listed_origin(key, "surname", language)
    if as_surname in SURNAME_FIRST:  # short names serve as both
        return as_surname
    if strength(key, language, "given"):
        return _by_script(key) or own
    return _by_form(key, _GIVEN) or own


def _by_form(key: str, forms: re.Pattern[str]) -> str | None:
    match = forms.fullmatch(key)
    return match.lastgroup if match else _by_script(key)


def _by_script(key: str) -> str | None:
    if key.isascii():
        return None
    return _SCRIPTS.get(unicodedata.name(key[0], "").partition(" ")[0])
