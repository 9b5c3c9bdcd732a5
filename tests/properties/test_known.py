from __future__ import annotations

from datetime import date

from hypothesis import assume, given
from hypothesis import strategies as st

from veil import Document
from veil.core.document import Spans
from veil.core.errors import InputError
from veil.core.resolve import resolve
from veil.detect.known import Known, KnownDetector
from veil.detect.known.values import field_names
from veil.languages import language_codes
from veil.lexicons import word_marks

LANGUAGES = language_codes()

LETTERS = "abdefgijklmnoprtuvåäöéñ"
WORDS = [word_marks(language) for language in LANGUAGES]
# Long enough to be nothing but a name, and in no list.
NAMES = (
    st.text(LETTERS, min_size=9, max_size=14)
    .map(str.title)
    .filter(lambda name: not any(marks(name) for marks in WORDS))
)
LATIN = st.sampled_from([language for language in LANGUAGES if language != "ja"])
ANYTHING = st.text(max_size=60) | st.lists(
    st.sampled_from(
        ["Doe", "J", ".", ",", "-", " ", "\n", "12", "1948", "March", "born", "山田", "S23", "年"]
    )
).map("".join)


def find(language: str, known: Known, text: str) -> list[tuple[int, int]]:
    doc = Document("note", text)
    spans = KnownDetector(language, known=lambda _: known).detect(doc)
    return [(span.start, span.end) for span in resolve(doc, spans)]


def slips(word: str, place: int, letter: str) -> list[str]:
    """A word with one letter left out, added, changed, or swapped with the next."""
    return [
        word[:place] + word[place + 1 :],
        word[:place] + letter + word[place:],
        word[:place] + letter + word[place + 1 :],
        word[:place] + word[place + 1] + word[place] + word[place + 2 :],
    ]


@given(LATIN, NAMES, NAMES, st.data())
def test_a_name_is_found_in_every_order_and_case(
    language: str, first: str, last: str, data: st.DataObject
) -> None:
    """However a full name is written, it is found whole."""
    assume(first != last)
    forms = [f"{first} {last}", f"{last}, {first}", f"{last} {first}", f"{first[0]}. {last}", last]
    form = data.draw(
        st.sampled_from([*forms, *map(str.upper, forms[:3]), *map(str.lower, forms[:3])])
    )
    text = f"1; {form}; 2"
    assert (3, 3 + len(form)) in find(language, Known(names=f"{first} {last}"), text)


@given(LATIN, NAMES, st.integers(0, 7), st.sampled_from("xqz"))
def test_a_name_with_one_slip_is_found(language: str, name: str, place: int, letter: str) -> None:
    """One letter wrong does not hide a long name."""
    for form in slips(name.lower(), place, letter):
        assert find(language, Known(last_names=name), f"1; {form}; 2") == [(3, 3 + len(form))]


@given(LATIN, NAMES, NAMES)
def test_hyphen_and_space_do_not_matter(language: str, one: str, two: str) -> None:
    """A double name is found with hyphen, with space, and in one word."""
    for form in (f"{one}-{two}", f"{one} {two}", one + two.lower()):
        for known in (Known(first_names=f"{one}-{two}"), Known(first_names=f"{one} {two}")):
            assert find(language, known, f"1; {form}; 2") == [(3, 3 + len(form))]


@given(
    st.sampled_from(LANGUAGES),
    st.text("123456789", min_size=7, max_size=12),
    st.lists(st.sampled_from(["", "-", " ", ".", "/", " - "]), min_size=12, max_size=12),
)
def test_a_number_is_found_with_any_separators(
    language: str, number: str, separators: list[str]
) -> None:
    """Whatever stands between its digits, a number is found whole."""
    form = "".join(digit + gap for digit, gap in zip(number, separators, strict=False)).rstrip(
        " -./"
    )
    assert find(language, Known(ids=number), f"ID: {form}; 2") == [(4, 4 + len(form))]


@given(st.sampled_from(LANGUAGES), st.dates(date(1900, 1, 1), date(2025, 12, 31)))
def test_a_birth_date_is_found_in_every_numeric_style(language: str, day: date) -> None:
    """Any order, separator, padding and length of the year is found."""
    for form in (
        day.isoformat(),
        f"{day:%d/%m/%Y}",
        f"{day:%m/%d/%Y}",
        f"{day.day}.{day.month}.{day.year}",
        f"{day:%d-%m-%y}",
        f"{day:%Y%m%d}",
        f"{day:%Y}/{day.month}/{day.day}",
    ):
        found = find(language, Known(birth_dates=day.isoformat()), f"1; {form}; 2")
        assert found == [(3, 3 + len(form))]


@given(st.dates(date(1927, 1, 1), date(1988, 12, 31)))
def test_a_birth_date_is_found_in_its_era(day: date) -> None:
    """The years of Shōwa are found in kanji, letters and full-width digits."""
    era = day.year - 1925
    known = Known(birth_dates=day.isoformat())
    for form in (
        f"昭和{era}年{day.month}月{day.day}日",
        f"S{era}.{day.month}.{day.day}",
        f"昭和{era}年{day.month}月{day.day}日".translate(
            str.maketrans("0123456789", "０１２３４５６７８９")
        ),
    ):
        assert (2, 2 + len(form)) in find("ja", known, f"患者{form}。")


@given(
    st.text("佐伯龍馬藤堂桜庭", min_size=2, max_size=3),
    st.text("優斗結衣蓮葵凛", min_size=2, max_size=3),
    st.sampled_from(["", " ", "\u3000"]),
)
def test_a_japanese_name_is_found_with_and_without_space(
    family: str, given_name: str, gap: str
) -> None:
    """Family and given name are found together, and the honorific stays outside."""
    known = Known(names=f"{family} {given_name}")
    form = f"{family}{gap}{given_name}"
    assert (2, 2 + len(form)) in find("ja", known, f"本日{form}様来院")


@given(
    st.sampled_from(LANGUAGES), st.dictionaries(st.sampled_from(field_names()), ANYTHING), ANYTHING
)
def test_any_value_and_any_text_give_spans_inside_the_text(
    language: str, values: dict[str, str], text: str
) -> None:
    """Hostile values and texts give spans in bounds that say what they are, or a clear error."""
    try:
        known = Known(**values)
    except InputError:
        return
    doc = Document("note", text)
    spans = KnownDetector(language, known=lambda _: known).detect(doc)
    for span in spans:
        assert 0 <= span.start < span.end <= len(text)
        assert span.source.startswith("known:")
        assert 0 < span.score <= 1
    assert isinstance(resolve(doc, spans), Spans)


@given(LATIN, st.lists(NAMES, min_size=1, max_size=6), ANYTHING)
def test_the_order_of_doctors_changes_nothing_that_is_found(
    language: str, names: list[str], text: str
) -> None:
    """The same characters are found whatever the order in which doctors were given."""
    text = f"{text} {names[0]} {text}"
    forward = find(language, Known(doctors=names), text)
    assert find(language, Known(doctors=names[::-1]), text) == forward
