"""Names in Latin letters: one person has one new name in whatever form it is written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from veil.core.errors import RecordError
from veil.lexicons import is_ordinary
from veil.replace.people import replace_person
from veil.replace.people.styles import name_key, naming_style
from veil.replace.people.tables import lists, pool, sex_of, strength

if TYPE_CHECKING:
    from tests.replace.people.conftest import CaseMaker, Renamer


def test_all_forms_of_a_name_agree(rename: Renamer) -> None:
    """Order, initials, capitals and genitives are those of one new name."""
    full, turned, short, capitals, first, last, letters = rename(
        "[PATIENT|Anna Lindgren], [PATIENT|Lindgren, Anna], [PATIENT|A. Lindgren], "
        "[PATIENT|LINDGREN], [PATIENT|Annas], [PATIENT|Lindgrens], [PATIENT|A.L.]",
        "sv",
    )
    given, surname = full.split()
    assert turned == f"{surname}, {given}"
    assert short == f"{given[0]}. {surname}"
    assert capitals == surname.upper()
    assert first == given + ("" if given.endswith(("s", "x", "z")) else "s")
    assert last == surname + ("" if surname.endswith(("s", "x", "z")) else "s")
    assert letters == f"{given[0]}.{surname[0]}."


def test_a_name_is_the_same_in_all_records_of_a_patient(rename: Renamer) -> None:
    """The stand-in depends on the patient and the word, not on the record around it."""
    first = rename("[PATIENT|Anna Lindgren] bor i [CITY|Lund].", "sv")
    second = rename("Dr [DOCTOR|Ek] träffar [NAME:last|LINDGREN] och [NAME|Erik Berg].", "sv")
    assert second[1] == first[0].split()[1].upper()


def test_other_patients_have_other_names(rename: Renamer) -> None:
    """The same name gets other stand-ins for other patients."""
    made = {rename("[PATIENT|Anna Lindgren]", "sv", patient=str(n))[0] for n in range(20)}
    assert 15 < len(made)


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("Anna-Karin von Essen", "sv"),
        ("VON ESSEN", "sv"),
        ("Juan de la Cruz Morales", "es"),
        ("Lucía Ramón y Cajal", "es"),
        ("Piet van der Meulen", "en"),
        ("Omar al-Masri", "en"),
        ("Jean d'Arcy", "en"),
        ("Dr. Maria Holm", "sv"),
        ("Mr. Paul Green", "en"),
        ("Dra. Elena Sanz", "es"),
        ("Anna Lindgren, MD", "en"),
        ("Greta Ek f. Berg", "sv"),
        ("Anna och Erik Holm", "sv"),
        ("Müller-Lüdenscheidt,\n  Klaus", "en"),
    ],
)
def test_small_words_titles_and_signs_stay(rename: Renamer, name: str, language: str) -> None:
    """Particles, titles, hyphens, commas and blanks are kept; no name is."""
    kept = {"von", "de", "la", "y", "van", "der", "al", "d", "Dr", "Mr", "Dra", "MD", "f", "och"}
    (new,) = rename(f"[NAME|{name}]", language)
    pattern = "".join(
        re.escape(part) if part in kept or part.lower() in kept or not part.isalpha() else r"\w+"
        for part in re.split(r"(\W+)", name)
    )
    assert re.fullmatch(pattern, new)
    words = {word for word in re.findall(r"\w+", name) if word.lower() not in kept | {"dr", "mr"}}
    assert not words - kept & set(re.findall(r"\w+", new))


@pytest.mark.parametrize(("old", "check"), [("anna", str.islower), ("ANNA", str.isupper)])
def test_case_is_kept(rename: Renamer, old: str, check: object) -> None:
    """Small letters stay small, capitals stay capitals."""
    (new,) = rename(f"[PATIENT|{old}]", "sv")
    assert callable(check)
    assert check(new)


@pytest.mark.parametrize(
    ("surname", "pattern"),
    [
        ("O'Sullivan", r"O'[A-Z]\w+"),
        ("O’Sullivan", r"O’[A-Z]\w+"),
        ("McDonald", r"Mc[A-Z]\w+"),
        ("Mcdonald", r"Mc[a-z]+"),
        ("MCDONALD", r"MC[A-Z]+"),
        ("MacLeod", r"Mac[A-Z]\w+"),
    ],
)
def test_irish_and_scottish_names_keep_their_beginnings(
    rename: Renamer, surname: str, pattern: str
) -> None:
    """O', Mc and Mac stay, in the case in which they were written."""
    (new,) = rename(f"[DOCTOR|{surname}]", "en")
    assert re.fullmatch(pattern, new)
    assert new != surname


@pytest.mark.parametrize(
    ("surname", "language", "origin"),
    [
        ("Virtanen", "sv", "finnish"),
        ("Kekkolainen", "sv", "finnish"),
        ("Hassan", "sv", "arabic"),
        ("Abdulkarimi", "en", "arabic"),
        ("Hernandez", "en", "spanish"),
        ("Quintanez", "en", "spanish"),
        ("Marković", "sv", "south_slavic"),
        ("Zbrzezicki", "en", "polish"),
        ("Nguyen", "sv", "vietnamese"),
        ("Zhang", "es", "chinese"),
        ("Petrosyan", "es", "armenian"),
        ("Lindgren", "en", "swedish"),
        ("Papadopoulos", "en", "greek"),
    ],
)
def test_origin_of_a_surname_is_kept(
    rename: Renamer, surname: str, language: str, origin: str
) -> None:
    """Endings and lists tell where a surname comes from; its stand-in comes from there too."""
    (new,) = rename(f"[DOCTOR|Dr. {surname}]", language)
    assert name_key(new.removeprefix("Dr. ")) in set(map(name_key, lists()[origin]["surname"]))


@pytest.mark.parametrize("language", ["en", "es", "sv"])
def test_sex_of_a_given_name_is_kept(rename: Renamer, language: str) -> None:
    """Women's names become women's, men's become men's."""
    own = {"en": "english", "es": "spanish", "sv": "swedish"}[language]
    for sex in ("female", "male"):
        names = [name for name in lists()[own][sex] if sex_of(name_key(name), language) == sex][:40]
        for name in names:
            (new,) = rename(f"[PATIENT:first|{name}]", language)
            assert sex_of(name_key(new), language) == sex


def test_accents_are_those_of_the_language(rename: Renamer) -> None:
    """Spanish surrogates have no accents in English, or if the original lacks its accents."""
    names = " ".join(f"[DOCTOR:last|{name}]" for name in lists()["spanish"]["surname"][:60])
    assert all(new.isascii() for new in rename(names, "en"))
    bare = "[DOCTOR:last|GARCIA] [DOCTOR:last|Perez] [DOCTOR:last|MARTINEZ] [DOCTOR:last|Lopez]"
    assert all(new.isascii() for new in rename(bare, "es"))


def test_an_ordinary_word_gets_a_name(rename: Renamer) -> None:
    """ "Dr. Room" becomes somebody whose name is no word."""
    for word in ("Room", "Foot", "Hand", "Short", "Day", "Rose"):
        (new,) = rename(f"[DOCTOR|{word}]", "en")
        assert not is_ordinary("en")(new)


def test_double_names_stay_double(rename: Renamer) -> None:
    """Each part of a double name has its own stand-in, with or without the other."""
    double, single, genitive = rename(
        "[NAME:first|Gun-Britt], [NAME:first|Britt], [NAME:first|Gun-Britts]", "sv"
    )
    assert double.split("-")[1] == single
    assert genitive.startswith(double)


def test_korean_hyphens_do_not_make_double_names(rename: Renamer) -> None:
    """Min-jun is one name, in capitals too."""
    small, capitals = rename("[DOCTOR|Kim Min-jun], [DOCTOR|KIM MIN-JUN]", "en")
    assert capitals == small.upper()
    assert re.fullmatch(r"\w+ \w+-[a-z]+", small)


def test_spanish_names_agree(rename: Renamer) -> None:
    """María del Carmen García López keeps her particles, her double surname and who she is."""
    full, short, listed, abbreviated, surnames = rename(
        "[PATIENT|María del Carmen García López], [PATIENT|Carmen García], "
        "[PATIENT|GARCÍA LÓPEZ, MARÍA DEL CARMEN], [PATIENT|Mª Carmen], [PATIENT|García López]",
        "es",
    )
    maria, _, carmen, garcia, lopez = full.split()
    assert full.split()[1] == "del"
    assert short == f"{carmen} {garcia}"
    assert listed == f"{garcia} {lopez}, {maria} del {carmen}".upper()
    assert abbreviated == f"{maria} {carmen}"
    assert surnames == f"{garcia} {lopez}"


def test_spanish_order_is_told_by_a_sure_given_name(rename: Renamer) -> None:
    """Surnames may stand first without a comma, though one of them is a given name as well."""
    turned, given = rename("[PATIENT|LEÓN GARZA LEOPOLDO], [PATIENT|Leopoldo]", "es")
    assert turned.endswith(f" {given.upper()}")


def test_a_man_called_jesus_has_no_devotion(rename: Renamer) -> None:
    """Names that follow María de are no first names by themselves."""
    for number in range(12):
        (new,) = rename("[PATIENT|Jesús Salas Prado]", "es", patient=f"p{number}")
        assert new.split()[0] not in {"Dios", "Asís", "Padua", "Paúl", "Loyola", "Sales"}


def test_short_maria_with_a_stop_is_a_name(rename: Renamer) -> None:
    """M.ª is María, and neither an initial nor a letter."""
    short, plain = rename("[PATIENT|M.ª Ángeles Soto], [PATIENT|María Ángeles Soto]", "es")
    assert short == plain


def test_short_maria_does_not_hide_capitals(rename: Renamer) -> None:
    """A name in capitals becomes one, whatever the raised letter of Mª looks like."""
    assert rename("[PATIENT|Mª INÉS SOTO]", "es")[0].isupper()
    assert re.fullmatch(r"(?:[A-ZÁÉÍÓÚ][a-zñáéíóú]+ ?)+", rename("[PATIENT|Mª Inés Soto]", "es")[0])


def test_widows_stay_widows(rename: Renamer) -> None:
    """What ties a name to the husband's stays in capitals, too."""
    (new,) = rename("[PATIENT|SALAS VDA. DE PRADO, ROSA]", "es")
    assert re.fullmatch(r"\w+ VDA\. DE \w+, \w+", new)


def test_portuguese_small_words_have_portuguese_names(rename: Renamer) -> None:
    """Dos Santos becomes no Spaniard, though Spaniards are called Santos."""
    (new,) = rename("[PATIENT|Nelson dos Santos]", "es")
    assert new.split()[-1] in pool("es", "portuguese", "surname")


def test_names_of_the_americas_stay_there(rename: Renamer) -> None:
    """Given names that Spain hardly knows become such names of the same sex."""
    woman, man = rename("[PATIENT|Marleny Salas] y [PATIENT|Greivin Prado]", "es")
    assert woman.split()[0] in pool("es", "hispanic", "female")
    assert man.split()[0] in pool("es", "hispanic", "male")


@pytest.mark.parametrize(
    ("surname", "origin"),
    [("Quispe", "andean"), ("Painemal", "mapuche"), ("Tzunún", "mesoamerican"), ("Tazi", "arabic")],
)
def test_surnames_of_peoples_stay_with_them(rename: Renamer, surname: str, origin: str) -> None:
    """Where somebody comes from is seen in the stand-in as well."""
    (new,) = rename(f"[PATIENT|{surname}]", "es")
    assert new in pool("es", origin, "surname")


def test_spanish_surnames_agree_with_their_articles(rename: Renamer) -> None:
    """What follows "de la" and "del" is of that gender."""
    (new,) = rename("[DOCTOR|Eva Ruiz de la Fuente]", "es")
    assert new.split(" de la ")[1] in naming_style("es").surnames_after["de_la"].split()
    (new,) = rename("[DOCTOR|Luis del Río]", "es")
    assert new.split(" del ")[1] in naming_style("es").surnames_after["del"].split()


def test_slavic_women_have_feminine_surnames(rename: Renamer) -> None:
    """Petrov and Petrova are one family after as before."""
    his, hers = rename("[NAME|Oleg Smirnovsky-Petrov], [NAME|Irina Petrova]", "en")
    assert hers.split()[1] in (f"{his.split('-')[1]}a", his.split("-")[1])
    (polish,) = rename("[NAME|Ewa Kowalska]", "en")
    assert not polish.endswith("ski")


@pytest.mark.parametrize(
    ("full", "form", "pattern"),
    [
        ("John Ronald Reuel Tolkien", "J. R. R. Tolkien", "{0}. {1}. {2}. [3]"),
        ("John Ronald Reuel Tolkien", "JRRT", None),
        ("Anna Berg", "AB", "{0}{1}"),
        ("Anna Berg", "A.B.", "{0}.{1}."),
        ("Anna Berg", "Anna B.", "[0] {1}."),
        ("Anna Berg", "ab", "{0}{1}"),
        ("Åsa Öberg", "Å.Ö.", "{0}.{1}."),
    ],
)
def test_initials_are_those_of_the_new_name(
    rename: Renamer, full: str, form: str, pattern: str | None
) -> None:
    """Initials follow the person whose name has them."""
    name, initials = rename(f"[DOCTOR|{full}] sign [DOCTOR|{form}]", "sv")
    words = name.split()
    if pattern is None:
        assert initials != form
        return
    letters = [word[0] for word in words]
    expected = pattern.format(*letters)
    for number, word in enumerate(words):
        expected = expected.replace(f"[{number}]", word)
    assert initials == (expected.lower() if form.islower() else expected)


def test_initials_of_nobody_are_other_letters(rename: Renamer) -> None:
    """Without a name in the record letters are drawn, none of them the old one."""
    (new,) = rename("Sign: [DOCTOR|K.B.]", "en")
    assert re.fullmatch(r"[A-Z]\.[A-Z]\.", new)
    assert new[0] != "K"
    assert new[2] != "B"


def test_middle_initials_stay_initials(rename: Renamer) -> None:
    """An initial beside a full name is another initial, the same in all mentions."""
    full, short, letters = rename(
        "[PATIENT|John R. Smith], [PATIENT|J.R. Smith], [PATIENT|JRS]", "en"
    )
    given, middle, surname = full.split()
    assert re.fullmatch(r"[A-Z]\.", middle)
    assert middle != "R."
    assert short == f"{given[0]}.{middle} {surname}"
    assert letters == given[0] + middle[0] + surname[0]


def test_nicknames_become_nicknames(rename: Renamer) -> None:
    """A name in quotes gets a nickname as surrogate."""
    (new,) = rename('[PATIENT|William "Bill" Turner]', "en")
    called = re.search('"(.+)"', new)
    assert called
    assert called[1] in lists()["english"]["male_short"]


def test_a_lone_word_has_the_role_that_it_has_elsewhere(rename: Renamer) -> None:
    """A word that could be both is a surname where the record says so."""
    lone, full = rename("Dr [DOCTOR|Martin] såg pat. Remiss till [DOCTOR|Eva Martin].", "sv")
    assert full.split()[1] == lone
    lone, full = rename("[PATIENT|Martin] mår bra. [PATIENT|Martin Ek] åker hem.", "sv")
    assert full.split()[0] == lone


def test_first_and_last_name_may_be_two_spans(rename: Renamer) -> None:
    """Parts of a name are replaced each in its span and agree with the whole."""
    first, last, short = rename("[NAME:first|Lars] [NAME:last|Åkerblom], [NAME|L. Åkerblom]", "sv")
    assert short == f"{first[0]}. {last}"


def test_english_possessives_and_plurals(rename: Renamer) -> None:
    """An apostrophe inside the span stays, and the Smiths are still several."""
    full, possessive, plural = rename("[NAME|Anna Smith], [NAME|Smith's], [NAME|Smiths]", "en")
    surname = full.split()[1]
    assert possessive == f"{surname}'s"
    assert plural == surname + ("" if surname.endswith(("s", "x", "z")) else "s")


def test_names_in_s_are_no_genitives(rename: Renamer) -> None:
    """Lars, Mats and Jonas are names themselves."""
    for name in ("Lars", "Mats", "Jonas", "Andreas"):
        new, again = rename(f"[NAME:first|{name}], [NAME:first|{name}]", "sv")
        assert new == again
        assert new in {*lists()["swedish"]["male"], *lists()["swedish"]["both"]}


def test_no_stand_in_is_an_identifier_of_the_record(rename: Renamer) -> None:
    """Names and towns that stood in the record do not come back as somebody else's name."""
    names = lists()["swedish"]["surname"][:300]
    marked = " ".join(f"[CITY|{name}]" for name in names) + " [DOCTOR:last|Lindgren]"
    (new,) = rename(marked, "sv")
    assert new not in names


@pytest.mark.parametrize("text", ["Dr. [DOCTOR|Love]", "Cpl. [PATIENT|Reyes]"])
def test_after_titles_and_ranks_stand_surnames(rename: Renamer, text: str) -> None:
    """A word that is a given name, too, is a surname there."""
    (new,) = rename(text, "en")
    assert strength(name_key(new), "en", "surname") == 2


def test_given_names_with_an_apostrophe_go_as_a_whole(rename: Renamer) -> None:
    """What begins a name with D' is a given name, what ends it a surname."""
    first, last = rename("[PATIENT|D'Andre Moss] [DOCTOR|Moira D'Aubert]", "en")
    assert "'" not in first
    assert last.partition(" ")[2].startswith("D'")


def test_korean_syllables_tell_the_origin(rename: Renamer) -> None:
    """A given name of two Korean syllables becomes a Korean name, though no list holds it."""
    (new,) = rename("wife [PATIENT|Hyun-sook]", "en")
    assert new in pool("en", "korean", "female")


def test_what_ties_a_name_to_the_fathers_stays(rename: Renamer) -> None:
    """The s/o of "son of" is no pair of initials."""
    (new,) = rename("[PATIENT|Arun s/o Mohan Pillai]", "en")
    assert " s/o " in new
    assert not {"Arun", "Mohan", "Pillai"} & set(new.split())


def test_halves_of_chinese_names_are_short(rename: Renamer) -> None:
    """Each half of a given name with a hyphen is a syllable again."""
    (new,) = rename("[PATIENT|Liang, Guo-Hui]", "en")
    assert all(len(half) <= 5 for half in new.partition(", ")[2].split("-"))


def test_hundreds_of_people_keep_their_names_apart(rename: Renamer) -> None:
    """A roster of all names of the lists still gets names, no two the same."""
    names = lists()["swedish"]["surname"][:500]
    new = rename(" ".join(f"[DOCTOR:last|{name}]" for name in names), "sv")
    assert len(set(new)) == len(names)
    assert not {name_key(name) for name in names} & {name_key(name) for name in new}


def test_signs_without_letters_stay(rename: Renamer) -> None:
    """There is nobody in "***"."""
    assert rename("[NAME|***]", "en") == ["***"]


@pytest.mark.parametrize("text", ["Dr.", "von", "Jr", "and", "Иван Петров", "Γιώργος", "ابراهيم"])
def test_whatever_was_found_as_a_name_goes(rename: Renamer, text: str) -> None:
    """A title alone or a name in other letters is replaced, too."""
    (new,) = rename(f"[NAME|{text}]", "en")
    assert new != text
    assert not set(re.findall(r"\w{2,}", text)) & set(re.findall(r"\w{2,}", new))


def test_a_title_that_may_be_a_surname_goes(make_case: CaseMaker) -> None:
    """ "Nurse, Ann" and "Bishop" are people."""
    case = make_case("[NAME|Nurse, Ann] [NAME|Dean Bishop] [NAME|Bishop]", "en")
    new = [replace_person(case, span) for span in case.spans]
    assert not any(word in " ".join(new) for word in ("Nurse", "Ann", "Dean", "Bishop"))


def test_a_span_of_something_else_is_an_error_without_text(make_case: CaseMaker) -> None:
    """The error names the place and the label, not what stands there."""
    case = make_case("[CITY|Lund] [NAME|Anna]", "sv")
    with pytest.raises(RecordError) as error:
        replace_person(case, case.spans[0])
    assert "Lund" not in str(error.value)
    assert "0-4" in str(error.value)


@pytest.mark.parametrize(
    ("marked", "sex"),
    [
        ("[NAME:first|Ingmarie]", "female"),
        ("[NAME:first|Solgerd]", "female"),
        ("mamma [NAME:first|Quilu]", "female"),
        ("storebror [NAME:first|Quilu]", "male"),
        ("[NAME:first|Maj-Lis]", "female"),
        ("[NAME:first|Per-Uve]", "male"),
    ],
)
def test_the_sex_of_swedish_names(rename: Renamer, marked: str, sex: str) -> None:
    """Endings, words of kin and the other half of a double name tell who bears it."""
    (new,) = rename(marked, "sv")
    assert {sex_of(name_key(name), "sv") for name in new.split("-")} == {sex}


def test_double_names_are_usual_ones(rename: Renamer) -> None:
    """A Swedish double name is made of halves that are usual in such names."""
    first, second = rename("[NAME:first|Ulla-Karin]", "sv")[0].split("-")
    assert first in lists()["swedish"]["female_first"]
    assert second in lists()["swedish"]["female_second"]


def test_a_name_has_the_origin_of_the_one_beside_it(rename: Renamer) -> None:
    """A name that no list holds is taken to come from where its companion comes from."""
    _, surname = rename("[NAME:first|Zeynep] [NAME:last|Quvalu]", "sv")
    assert name_key(surname) in map(name_key, lists()["turkish"]["surname"])


def test_spaniards_are_rare_in_sweden(rename: Renamer) -> None:
    """A name that is borne in Spain and in Arab countries is an Arab one in Swedish."""
    (new,) = rename("[NAME:first|Omar]", "sv")
    assert name_key(new) in map(name_key, lists()["arabic"]["male"])


def test_what_is_no_swedish_genitive(rename: Renamer) -> None:
    """The first half of a double surname and a short unknown name have no genitive."""
    double, short = rename("[NAME:last|Gross-Marklund], [NAME:first|Ivar] [NAME:last|Lans]", "sv")[
        :3:2
    ]
    assert not double.split("-")[0].endswith("s")
    assert not short.endswith("s")


def test_the_genitive_of_a_short_name(rename: Renamer) -> None:
    """A name of two letters is found in its genitive where the record has it."""
    name, genitive = rename("[NAME:first|My] och [NAME:first|Mys] farmor", "sv")
    assert genitive == (name if name.endswith(("s", "x", "z")) else f"{name}s")
