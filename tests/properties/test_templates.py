"""Properties of templates and of the layout of texts that hold for any text."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from veil.features.forms import Resources
from veil.features.stream import FormTable, Stream, build_stream
from veil.features.templates import mark_templates, show_template
from veil.languages import language

PIECES = st.sampled_from(
    [
        *(
            "1",
            "12",
            "2019",
            "28040",
            "123456789",
            "/",
            "-",
            ".",
            ",",
            ":",
            "(",
            ")",
            "+",
            "@",
            "'",
        ),
        *(
            "Calle",
            "C",
            "de",
            "la",
            "Hospital",
            "Dr",
            "Ana",
            "Ruiz",
            "enero",
            "años",
            "s",
            "n",
            "º",
        ),
        *(" ", " ", " ", "\n", "\r\n", "\n  ", "\t", "\u3000", "\x00", "😀", "山", "é\u0301"),
    ]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(max_size=40))


def stream_of(*texts: str, sentences: bool, code: str = "es") -> Stream:
    spoken = language(code)
    return build_stream(
        texts,
        [spoken.tokens(text) for text in texts],
        FormTable({}, Resources(code)),
        sentences=[spoken.sentences(text) for text in texts] if sentences else None,
    )


@given(text=TEXTS)
def test_templates_are_whole(text: str) -> None:
    """A template begins, goes on and ends on words of one line, unless an address cuts into it."""
    stream = stream_of(text, sentences=False)
    previous = "(none)"
    for number, is_break in zip(mark_templates(stream), stream.breaks, strict=True):
        here = show_template(int(number))
        if is_break:
            assert here == "(none)"
        elif "@" not in text:
            name, _, place = here.partition(", ")
            goes_on = previous in (f"{name}, first", f"{name}, inside")
            assert goes_on == (place in ("inside", "last"))
        previous = here


@given(before=TEXTS, text=TEXTS, after=TEXTS, sentences=st.booleans())
def test_documents_do_not_mix(before: str, text: str, after: str, sentences: bool) -> None:
    """The templates of a text are the same beside any other text."""
    alone = stream_of(text, sentences=sentences)
    beside = stream_of(before, text, after, sentences=sentences)
    within, own = slice(*beside.bounds[1]), slice(*alone.bounds[0])
    assert mark_templates(beside)[within].tolist() == mark_templates(alone)[own].tolist()


@given(
    texts=st.lists(TEXTS, max_size=4),
    sentences=st.booleans(),
    code=st.sampled_from(["en", "es", "ja", "sv"]),
)
def test_words_are_the_tokens(texts: list[str], sentences: bool, code: str) -> None:
    """The words of a stream are the tokens of its texts, and its lines hold each of them once."""
    stream = stream_of(*texts, sentences=sentences, code=code)
    words = stream.words
    found = [
        (int(doc), int(start), int(end))
        for doc, start, end in zip(
            stream.doc[words], stream.start[words], stream.end[words], strict=True
        )
    ]
    split = language(code).tokens
    assert found == [(doc, *token) for doc, text in enumerate(texts) for token in split(text)]
    lines = [
        at
        for first, last in zip(stream.first.tolist(), stream.last.tolist(), strict=True)
        for at in range(first, last)
    ]
    assert lines == words.tolist()
    for left, right in pairwise(found):
        if not sentences and left[0] == right[0]:
            between = texts[left[0]][left[2] : right[1]]
            at = words[found.index(left)], words[found.index(right)]
            assert (stream.line[at[0]] == stream.line[at[1]]) == ("\n" not in between)
