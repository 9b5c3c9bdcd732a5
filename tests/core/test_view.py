"""Views: what detectors read instead of a text, and the way back."""

from __future__ import annotations

import pytest

from veil.core.view import View, normalised_view, views_of

NORMALISED = {
    "zero width": ("Jo\u200bhn\u2060 H\ufeffa\u200dle", "John Hale"),
    "soft hyphen": ("John\u00adson", "Johnson"),
    "bidirectional controls": ("\u202aJohn\u202c \u2066Hale\u2069", "John Hale"),
    "tags and selectors": ("葛\U000e0100城 Jo\ufe0fhn\U000e0041", "葛城 John"),
    "controls": ("Jo\x00hn\x7f", "John"),
    "full-width": ("Ｊｏｈｎ　Ｈａｌｅ　１２／３", "John Hale 12/3"),
    "mathematical": ("𝐉𝐨𝐡𝐧 𝟙𝟚", "John 12"),
    "circled and squared": ("Ⓙⓞⓗⓝ 🄹 🅙🅞", "John J JO"),
    "small capitals": ("Jᴏʜɴ", "John"),
    "ligature": ("Gri\ufb03th", "Griffith"),
    "decomposed": ("Jose\u0301 A\u030a か\u3099", "José Å が"),
    "marks that no letter takes": ("J\u0336o\u0336hn", "John"),
    "spaces": ("John\u00a0Hale\u2009x\u202fy", "John Hale x y"),
    "hyphens": ("614\u2011555\u20100190 \u22125", "614-555-0190 -5"),
    "dashes of a number": ("614–555–0190, 19460211–1236", "614-555-0190, 19460211-1236"),
    "digits": ("٦١٤ ०१", "614 01"),
    "entities": ("&#74;&#x6f;hn &eacute; R&amp;D &amp;#74;", "John é R&D J"),
    "entity of nothing": ("Jo&shy;hn&zwnj;", "John"),
    "look-alikes": ("J\u043ehn \u041dale", "John Hale"),
    "word of look-alikes": ("Mr \u041d\u043e\u0440\u0435 left", "Mr Hope left"),
    "letters of look-alikes": ("NIE \u04234410827\u041a, 5 μg", "NIE Y4410827K, 5 μg"),
    "soft hyphen at a line end": ("John\u00ad\nson", "John-\nson"),
}
UNCHANGED = {
    "plain": "Mr. John Hale, MRN 00482917, 8 x 4 x 3 cm.",
    "accents": "José Ångström, 2.º izq., 1ª planta, CO₂, 10²",
    "curly quotes": "O’Brien said “no” – 2013–2015, Mon–Fri",
    "Greek of medicine": "TNFα, IFNγ, αFP, μg, β-blocker, NF-κB",
    "Cyrillic": "Иван Петров",
    "no entities": "AT&T; R&D &foo; &#; A & B",
    "initials": "J.R.R.T. a.m. U.S.A.F.",
    "lists": "- one\n- two-\n\nthree -\nfour",
    "formulas": "hepatitis A, B y C; 1 y 2 + 3; a = 5",
    "characters beyond the Basic Multilingual Plane": "well 😀, 𠮷野家\r\n𓀀",
    "equals": "HR=72 BP=120\n=====\nGlasgow=15 50%20",
}
JOINED = {
    "broken": ("John-\nson", ["Johnson", "John-son"]),
    "broken, windows": ("John- \r\n  son", ["Johnson", "John-son"]),
    "broken name of two": ("García-\nLópez", ["García-López", "GarcíaLópez"]),
    "broken number": ("MRN 0048-\n2917", ["MRN 00482917", "MRN 0048-2917"]),
    "broken date": ("2019-03-\n05", ["2019-03-05", "2019-0305"]),
    "spaced": ("Mr J o h n   H a l e, well", ["Mr John Hale, well"]),
    "spaced without gaps": ("(J o h n H a l e)", ["(John Hale)"]),
    "spaced number": ("6 1 4 - 5 5 5 - 0 1 9 0", ["614-555-0190"]),
    "spaced kanji": ("氏名:山 田   太 郎", ["氏名:山田 太郎"]),
    "pointed": ("J.o.h.n H-a-l-e", ["John Hale"]),
    "quoted-printable": ("Jos=C3=A9 Gar=\ncia", ["José Garcia"]),
    "percent": ("jos%C3%A9%20Ruiz", ["josé Ruiz"]),
}


@pytest.mark.parametrize(("text", "expected"), NORMALISED.values(), ids=NORMALISED)
def test_normalised(text: str, expected: str) -> None:
    """Invisible characters are gone, and variants are plain."""
    view = normalised_view(text)
    assert view is not None
    assert view.text == expected
    assert view.original == text


def test_a_long_text_keeps_its_offsets() -> None:
    """The map of offsets is right in texts of any length."""
    text = "word " * 10_000 + "Jo\u200bhn"
    view = normalised_view(text)
    assert view is not None
    assert view.to_original(50_000, 50_004) == (50_000, 50_005)


@pytest.mark.parametrize("text", UNCHANGED.values(), ids=UNCHANGED)
def test_normal_text_has_no_view(text: str) -> None:
    """What normal texts hold is read as it stands."""
    assert views_of(text) == []


@pytest.mark.parametrize(("text", "expected"), JOINED.values(), ids=JOINED)
def test_joined(text: str, expected: list[str]) -> None:
    """Broken, spaced and encoded words are whole in further views, beside the text itself."""
    first, *joined = views_of(text)
    assert first.text == text
    assert [view.text for view in joined] == expected


def test_full_width_forms_can_be_kept() -> None:
    """Japanese keeps its full-width forms and Roman numerals; the rest is normalised."""
    text = "Ａ　１２　①　Ⅱ　ｶﾙﾃ"
    assert normalised_view(text, keep_wide=True) is None
    view = normalised_view(text + "\u200b", keep_wide=True)
    assert view is not None
    assert view.text == text


@pytest.mark.parametrize(
    ("text", "seen", "original"),
    [
        ("Mr Jo\u200bhn.", "John", "Jo\u200bhn"),
        ("Mr \u200bJohn\u200b.", "John", "John"),
        ("Jose\u0301 x", "José", "Jose\u0301"),
        ("葛\U000e0100 x", "葛", "葛\U000e0100"),
        ("Gri\ufb03th", "Grif", "Gri\ufb03"),
        ("&#74;ohn", "J", "&#74;"),
        ("x John-\nson y", "Johnson", "John-\nson"),
        ("x J o h n   H a l e y", "John Hale", "J o h n   H a l e"),
    ],
)
def test_offsets_lead_to_the_original_and_back(text: str, seen: str, original: str) -> None:
    """A stretch of the view is the whole stretch of the original that it stands for."""
    view = next(view for view in views_of(text) if seen in view.text)
    start = view.text.index(seen)
    place = view.to_original(start, start + len(seen))
    assert text[slice(*place)] == original
    first, last = view.to_view(*place)
    assert first == start
    assert start + len(seen) <= last


def test_what_was_removed_has_no_place_in_the_view() -> None:
    """A stretch of invisible characters alone is empty in the view."""
    view = normalised_view("a\u200b\u200bb")
    assert view is not None
    assert view.to_view(1, 3) == (1, 1)


def test_views_do_not_show_their_text() -> None:
    """Neither the view nor its repr leaks the record."""
    assert "Hale" not in repr(View.identity("John Hale"))
