"""Texts that were made to take long: time and memory grow with the length, as for normal text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from veil.bench.hostile import NORMAL, format_cost, hostile_texts, run_hostile_benchmark
from veil.core.document import Document, Span
from veil.core.errors import RecordError
from veil.core.search import Strings
from veil.detect import crf
from veil.detect.assembly import default_pipeline
from veil.detect.linear import chain
from veil.detect.linear.tagger import Tagger
from veil.detect.repeats import repeats
from veil.languages import ja as japanese
from veil.masking.masker import Masker
from veil.replace.policy import load_policy
from veil.synth.notes import dummy_records, synth_languages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from veil.detect.pipeline import DetectionPipeline

TAGS = 9
LETTERS = str.maketrans("0123456789", "klmnopqrst")


@pytest.fixture(scope="module")
def english() -> DetectionPipeline:
    return default_pipeline("en")


def transitions() -> chain.Transitions:
    rng = np.random.default_rng(1)
    between = rng.normal(size=(TAGS, TAGS)).astype(np.float32)
    return chain.Transitions(between, between[0].copy(), between[:, 0].copy())


def one_run(tokens: int) -> tuple[chain.Floats, NDArray[np.bool_]]:
    """Scores of one line in which no token is certainly O."""
    scores = np.random.default_rng(2).normal(size=(tokens + 2, TAGS)).astype(np.float32)
    breaks = np.zeros(tokens + 2, bool)
    breaks[[0, -1]] = True
    return scores, breaks


def test_pieces_of_a_long_run_get_the_tags_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is cut into overlapping pieces gets the tags that a search of all of it gives."""
    scores, breaks = one_run(3000)
    in_pieces = chain.best_tags(scores, breaks, transitions())
    monkeypatch.setattr(chain, "_LONGEST_RUN", 10_000)
    assert (in_pieces == chain.best_tags(scores, breaks, transitions())).all()


def test_steps_do_not_grow_with_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of 20,000 tokens takes the steps of a piece, not one for each token."""
    steps = []
    plain = chain._best_after

    def counted(best: chain.Floats, transitions: chain.Transitions) -> chain.Floats:
        steps.append(len(best))
        return plain(best, transitions)

    monkeypatch.setattr(chain, "_best_after", counted)
    scores, breaks = one_run(20_000)
    chain.best_tags(scores, breaks, transitions())
    assert len(steps) < 500


@pytest.mark.parametrize(
    "unit", ["One note.\n\nNext.\n", "a line\n", "A sentence. ", "word ", "1/1/", "山。", "\n"]
)
def test_windows_make_up_the_text(monkeypatch: pytest.MonkeyPatch, unit: str) -> None:
    """Windows lie side by side, are no longer than allowed, and see some text around them."""
    monkeypatch.setattr(crf, "LONGEST", 30_000)
    text = unit * (100_000 // len(unit))
    cut = crf.windows(text)
    assert [window.first for window in cut] == [0, *(window.last for window in cut[:-1])]
    assert cut[-1].last == cut[-1].end == len(text)
    assert 3 < len(cut)
    for window in cut:
        assert 0 < window.last - window.first <= 30_000
        assert window.end - window.start <= 30_000 + 20_000
        assert window.first == 0 or window.start <= window.first - 5_000


def test_a_short_text_is_one_window() -> None:
    """A text up to the limit is tagged as a whole."""
    text = "a" * crf.LONGEST
    assert crf.windows(text) == [crf.Window(0, len(text), 0, len(text))]


def test_spans_in_windows_are_those_of_the_whole(
    english: DetectionPipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a long normal text at least 98 % of the spans do not depend on where it is cut."""
    text = "\n\n".join(record.document.text for record in dummy_records("en", 30))
    whole = {span.key for span in english.detect(Document("whole", text))}
    monkeypatch.setattr(crf, "LONGEST", 21_000)
    assert 2 < len(crf.windows(text))
    cut = {span.key for span in english.detect(Document("cut", text))}
    assert len(whole ^ cut) <= 0.02 * len(whole)


def test_a_model_sees_a_window_at_a_time(
    english: DetectionPipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tagger never gets more than a window of a long text, which bounds its memory."""
    monkeypatch.setattr(crf, "LONGEST", 21_000)
    lengths: list[int] = []
    plain = Tagger._tag

    def spied(tagger: Tagger, texts: Sequence[str], *args: Any, **options: Any) -> Any:
        lengths.extend(map(len, texts))
        return plain(tagger, texts, *args, **options)

    monkeypatch.setattr(Tagger, "_tag", spied)
    english.detect(Document("digits", hostile_texts()["'1/1/'"](45_000)))
    assert max(lengths) <= 21_000 + 20_000


def test_many_strings_are_found_in_one_pass() -> None:
    """Every place of every string is found, the longest first; a string must have two letters."""
    text = "abcabxabc"
    found = list(Strings(["ab", "abc", "xa", "nowhere"]).find(text))
    assert found == [(0, "abc"), (0, "ab"), (3, "ab"), (5, "xa"), (6, "abc"), (6, "ab")]
    assert list(Strings(["ab", "abc"]).find(text, 3, 8)) == [(3, "ab"), (6, "ab")]
    with pytest.raises(ValueError, match="at least 2"):
        Strings(["a"])


class Searched(str):
    """A text that counts how often it is searched."""

    times = 0

    def find(self, *args: Any) -> int:
        self.times += 1
        return super().find(*args)

    def __contains__(self, part: object) -> bool:
        self.times += 1
        return super().__contains__(part)  # type: ignore[operator]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_text_is_not_searched_for_each_name(language: str) -> None:
    """All of many distinct names are found again, without a search of the text for each."""
    names = [f"Qa{number:04}x".translate(LETTERS) for number in range(1000)]
    text = Searched(" ".join(f"{name} / {name}." for name in names))
    step = len(f"{names[0]} / {names[0]}. ")
    spans = [
        Span(number * step, number * step + len(name), "NAME") for number, name in enumerate(names)
    ]
    found = repeats(text, spans, language)
    assert len(found) == len(names)
    assert text.times < 10


def test_kanji_numerals_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long run of kanji numerals is one number, and its characters are not read again."""
    read: list[int] = []

    class Counted(frozenset[str]):
        def issuperset(self, other: object) -> bool:
            read.append(len(other))  # type: ignore[arg-type]
            return super().issuperset(other)  # type: ignore[arg-type]

    monkeypatch.setattr(japanese, "_KANJI_NUMERALS", Counted(japanese._KANJI_NUMERALS))
    text = "一二三" * 300
    assert japanese.JAPANESE.tokens(text) == [(0, len(text))]
    assert sum(read) <= 2 * len(text)


@pytest.mark.parametrize("language", synth_languages())
def test_hostile_texts_are_masked_or_withheld(language: str) -> None:
    """No hostile text makes the default pipeline fail: it is masked, or withheld with a reason."""
    masker = Masker(default_pipeline(language), load_policy("tag"))
    docs = [Document(name, text(150)) for name, text in hostile_texts().items()]
    for outcome in masker.mask_many(docs):
        assert not isinstance(outcome, RecordError) or "left after all rounds" in outcome.reason


def test_bench_compares_hostile_texts_with_normal_text() -> None:
    """The benchmark measures normal text first, then the texts that were asked for."""
    docs = [record.document for record in dummy_records("en", 2)]
    normal, digits = run_hostile_benchmark("en", docs, size=400, only=("'1/1/'",))
    assert (normal.name, digits.name) == (NORMAL, "'1/1/'")
    assert normal.size == digits.size == 400
    assert "masked" in format_cost(digits, normal)
