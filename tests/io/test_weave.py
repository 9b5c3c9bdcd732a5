"""Texts over runs: whatever the new text is, all of it is written and nothing of the old one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from veil.io.weave import Canvas, Run, RunText, Woven

WORDS = st.text(st.sampled_from("ab Å山\n\t"), max_size=8)


def runs_of(texts: list[str], marks: list[str]) -> RunText:
    made = RunText()
    for text, mark in zip(texts, marks, strict=False):
        made.add(Run(text, text, str))
        if mark:
            made.part(mark)
    return made


@given(st.lists(WORDS, max_size=6), st.lists(st.sampled_from(["", "\n", "\t"]), max_size=6), WORDS)
def test_all_of_a_new_text_is_shared_out(texts: list[str], marks: list[str], new: str) -> None:
    """The shares are the new text, but for the breaks between runs."""
    made = runs_of(texts, marks)
    shares = list(made.shares(new)) if made else []
    assert len(shares) == len(made.runs)
    if made:
        bare = "".join("".join(shares).split())
        assert bare == "".join(new.split())


@given(st.lists(WORDS, max_size=6), st.lists(st.sampled_from(["", "\n", "\t"]), max_size=6))
def test_same_text_gives_the_same_source(texts: list[str], marks: list[str]) -> None:
    """A text that is put back as it was leaves every run as it was written."""
    made = runs_of(texts, marks)
    pieces = [piece for run in made.runs for piece in ("<", run, ">")]
    woven = Woven(pieces, [made])
    assert woven.render([made.text]) == "".join(f"<{run.raw}>" for run in made.runs)


def test_what_is_taken_out_takes_its_runs_with_it() -> None:
    """A run inside of a piece that is replaced is not written."""
    canvas = Canvas("<a>Anna</a> and <b>Bo</b>")
    inside, beside = RunText(), RunText()
    inside.add(canvas.run(3, 7, "Anna", str))
    beside.add(canvas.run(19, 21, "Bo", str))
    canvas.replace(0, 11)
    assert canvas.woven([inside, beside]).render(["Anna", "Eva"]) == " and <b>Eva</b>"
