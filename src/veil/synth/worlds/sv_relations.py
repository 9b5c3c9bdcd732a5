"""Who is what to a Swedish patient, and the words for it."""

from __future__ import annotations

from veil.synth.people import Relation

RELATIONS = (
    Relation("dotter", "female", (-32, -20)),
    Relation("dotter", "female", (-28, -19)),
    Relation("son", "male", (-32, -20)),
    Relation("son", "male", (-28, -19)),
    Relation("mor", "female", (20, 33)),
    Relation("mamma", "female", (20, 38)),
    Relation("far", "male", (21, 36)),
    Relation("pappa", "male", (22, 40)),
    Relation("hustru", "female", (-6, 3), of_adults=True, of_sex="male"),
    Relation("fru", "female", (-8, 3), of_adults=True, of_sex="male"),
    Relation("maka", "female", (-8, 3), of_adults=True, of_sex="male"),
    Relation("make", "male", (-3, 8), of_adults=True, of_sex="female"),
    Relation("man", "male", (-3, 8), of_adults=True, of_sex="female"),
    Relation("sambo", "male", (-4, 6), of_adults=True, of_sex="female"),
    Relation("sambo", "female", (-6, 4), of_adults=True, of_sex="male"),
    Relation("särbo", "male", (-4, 6), of_adults=True, of_sex="female"),
    Relation("syster", "female", (-5, 8)),
    Relation("bror", "male", (-5, 8)),
    Relation("svärdotter", "female", (-34, -20)),
    Relation("svärson", "male", (-34, -20)),
    Relation("barnbarn", "female", (-58, -45)),
    Relation("mormor", "female", (42, 62)),
    Relation("morfar", "male", (44, 64)),
    Relation("farmor", "female", (42, 62)),
    Relation("moster", "female", (14, 36)),
    Relation("faster", "female", (14, 36)),
    Relation("farbror", "male", (14, 36)),
    Relation("kusin", "female", (-6, 6), of_adults=True),
    Relation("systerdotter", "female", (-34, -18)),
    Relation("brorson", "male", (-34, -18)),
    Relation("granne", "female", (-10, 10), of_adults=True),
    Relation("väninna", "female", (-10, 10), of_adults=True, of_sex="female"),
    Relation("god man", "male", (-20, 10), of_adults=True),
    Relation("kontaktperson", "female", (-20, 10), of_adults=True),
)
# Relatives whose sex and age a template names itself: "storasyster {sister.first}".
NAMED_RELATIONS = {
    "mother": Relation("mor", "female", (20, 40)),
    "father": Relation("far", "male", (20, 45)),
    "sister": Relation("syster", "female", (1, 7)),
    "brother": Relation("bror", "male", (1, 7)),
    "grandmother": Relation("mormor", "female", (42, 64)),
}
_DEFINITE = {
    "mor": "modern",
    "far": "fadern",
    "bror": "brodern",
    "farbror": "farbrodern",
    "god man": "gode mannen",
    "dotter": "dottern",
    "son": "sonen",
    "mormor": "mormodern",
    "morfar": "morfadern",
    "farmor": "farmodern",
    "barnbarn": "barnbarnet",
    "man": "maken",
    "kontaktperson": "kontaktpersonen",
}


def definite(word: str) -> str:
    """The definite form: dottern, modern, maken."""
    if word in _DEFINITE:
        return _DEFINITE[word]
    if word.endswith(("er", "or")):
        return f"{word}n"
    return f"{word}n" if word.endswith(("a", "e", "o", "u")) else f"{word}en"
