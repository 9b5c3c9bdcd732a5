"""Properties of views that hold whatever the text."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from veil.bench.robustness import MUTATIONS
from veil.core.view import normalised_view, views_of

NASTY = st.text(
    st.sampled_from(
        "ab cJo 12-\n\r\t.&#;x=C3A9%20山田ア\u200b\ufeff\u00ad\u0301\u3099\ufe0f\u202e\U000e0041"
        "\u00a0\u3000Ａ１\ufb01𝐉Ⓙοаα\u2011–\x00\ud800😀"
    ),
    max_size=40,
)
WORDS = st.text("bdfglmnqrtuvzåäöñé", min_size=3, max_size=9).map(str.capitalize)
INVISIBLE = st.sampled_from("\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u202e\ufe0f\U000e0041")


@given(text=NASTY | st.text(max_size=40), keep_wide=st.booleans())
def test_offsets_are_exact(text: str, keep_wide: bool) -> None:
    """Offsets never fall, lie inside the text, and each character stands for something."""
    for view in views_of(text, keep_wide=keep_wide):
        assert view.original == text
        assert len(view.text) == len(view.starts) == len(view.ends)
        for offsets in (view.starts, view.ends):
            assert all(left <= right for left, right in pairwise(offsets))
        pairs = list(zip(view.starts, view.ends, strict=True))
        assert all(0 <= start < end <= len(text) for start, end in pairs)
        # Of two characters, either both stand for the same or one stands behind the other.
        assert all(a == b or a[1] <= b[0] for a, b in pairwise(pairs))


@given(text=NASTY, data=st.data())
def test_spans_cover_what_they_stand_for(text: str, data: st.DataObject) -> None:
    """A span of a view comes back to cover itself, and lies inside the document."""
    for view in views_of(text):
        if not view.text:
            continue
        start = data.draw(st.integers(0, len(view.text) - 1))
        end = data.draw(st.integers(start + 1, len(view.text)))
        first, last = view.to_original(start, end)
        assert 0 <= first < last <= len(text)
        back = view.to_view(first, last)
        assert back[0] <= start
        assert end <= back[1]


@given(words=st.lists(WORDS, min_size=1, max_size=6))
def test_clean_text_has_no_view(words: list[str]) -> None:
    """Words with spaces between them are read as they stand."""
    assert views_of(" ".join(words)) == []


@given(text=NASTY.filter(lambda text: "&" not in text))
def test_normalised_once_is_normalised(text: str) -> None:
    """Nothing is left to normalise in a normalised view."""
    view = normalised_view(text)
    assert view is None or normalised_view(view.text) is None


@given(words=st.lists(WORDS, min_size=1, max_size=4), data=st.data())
def test_invisible_characters_change_nothing(words: list[str], data: st.DataObject) -> None:
    """Wherever invisible characters stand, the view is the text without them."""
    clean = " ".join(words)
    hidden = "".join(
        character + "".join(data.draw(st.lists(INVISIBLE, max_size=2))) for character in clean
    )
    view = normalised_view(hidden)
    assert (view.text if view else hidden) == clean


@given(words=st.lists(WORDS.filter(lambda word: 3 < len(word)), min_size=1, max_size=3))
def test_every_change_of_the_benchmark_is_undone(words: list[str]) -> None:
    """One of the views of changed words is the words as they were."""
    clean = " ".join(words)
    for name, mutate in MUTATIONS.items():
        changed = mutate(clean)
        assert clean in {changed, *(view.text for view in views_of(changed))}, name
