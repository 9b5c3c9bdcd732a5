"""Which of Veil's languages a text is written in.

Japanese is told by its script. English, Spanish and Swedish are told by their words: a frequent
word counts for how frequent it is in each language, any other for its n-grams of one to four
characters, edges included (naive Bayes). `tools/build_identify.py` makes the table.
"""

from __future__ import annotations

import lzma
import math
import re
import unicodedata
from functools import cache, lru_cache
from importlib import resources

LATIN_LANGUAGES = ("en", "es", "sv")
LONGEST_NGRAM = 4
WORD_SIGN = "="
EDGE = "_"

# A score is kept as one printable character: ZERO is no evidence, each step is STEP nats.
ZERO = ord("N")
STEP = 0.25
HIGHEST = 31

_WORD = re.compile(r"[^\W\d_]+(?:[./'’:][^\W\d_]+)*")
_PART = re.compile(r"[^\W\d_]+")
# Kana, kanji and what comes with them: their punctuation and the full-width forms.
_JAPANESE = re.compile(r"[\u3001-\u303f\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff9f𠀀-𲎯]")

# The n-grams of a word overlap and say the same thing several times.
_NGRAM_WEIGHT = 0.2
# One word may be a name or a quotation, and one that is not in the table is often a drug or an
# anatomical term, which all languages spell alike: alone it must not decide about a record.
_MOST_OF_KNOWN_WORD = 8.0
_MOST_OF_OTHER_WORD = 3.5
# A kana or kanji says as much as this many letters of common Latin words; other Latin words (drugs,
# abbreviations) belong to Japanese records too and say this little a letter.
_JAPANESE_WEIGHT = 3.0
_UNCOMMON_WEIGHT = 0.1

_HEAD = 2000
_SAMPLES = 4
_SAMPLE = 300

_Scores = tuple[float, ...]


def identify(text: str) -> str:
    """Return the code of the language that a text is most likely written in.

    A text without a letter, such as "" or "120/80", has no language: the answer is "en".
    """
    scores = identify_scores(text)
    return max(scores, key=scores.__getitem__)


def identify_scores(text: str) -> dict[str, float]:
    """Return how likely each language is; they add up to 1, and are equal without any evidence.

    Of a long text the beginning and some samples of the rest are looked at.
    """
    sample = unicodedata.normalize("NFC", _sample(text))
    japanese = len(_JAPANESE.findall(sample)) * _JAPANESE_WEIGHT
    latin = 0.0
    totals = [0.0] * len(LATIN_LANGUAGES)
    words = _WORD.findall(_JAPANESE.sub(" ", sample).lower() if japanese else sample.lower())
    for word in words:
        latin += len(word) * (1.0 if _is_common(word) else _UNCOMMON_WEIGHT)
        for index, score in enumerate(_word_scores(word)):
            totals[index] += score
    if not japanese and not words:
        return dict.fromkeys((*LATIN_LANGUAGES, "ja"), 1 / (len(LATIN_LANGUAGES) + 1))
    share = japanese / (japanese + latin)
    highest = max(totals)
    weights = [math.exp(total - highest) for total in totals]
    scores = {
        code: (1 - share) * weight / sum(weights)
        for code, weight in zip(LATIN_LANGUAGES, weights, strict=True)
    }
    return {**scores, "ja": share}


def _sample(text: str) -> str:
    if len(text) <= _HEAD + _SAMPLES * _SAMPLE:
        return text
    stride = (len(text) - _HEAD) // _SAMPLES
    starts = range(_HEAD, _HEAD + _SAMPLES * stride, stride)
    return "\n".join([text[:_HEAD], *(text[start : start + _SAMPLE] for start in starts)])


def ngrams(word: str) -> list[str]:
    """Return the n-grams of a word, its edges included."""
    edged = f"{EDGE}{word}{EDGE}"
    return [
        edged[start : start + length]
        for length in range(1, LONGEST_NGRAM + 1)
        for start in range(len(edged) - length + 1)
        if edged[start : start + length] != EDGE
    ]


def _is_common(word: str) -> bool:
    return len(word) > 2 and WORD_SIGN + word in _table()


@lru_cache(maxsize=1 << 15)
def _word_scores(word: str) -> _Scores:
    """Return the evidence of one word for each language, in nats."""
    known = _table().get(WORD_SIGN + word)
    if known is not None:
        return _bounded([(ord(sign) - ZERO) * STEP for sign in known], _MOST_OF_KNOWN_WORD)
    parts = _PART.findall(word)
    if len(parts) > 1:
        summed = [sum(scores) for scores in zip(*map(_word_scores, parts), strict=True)]
        return _bounded(summed, _MOST_OF_KNOWN_WORD)
    totals = [0.0] * len(LATIN_LANGUAGES)
    for ngram in ngrams(word):
        for index, sign in enumerate(_table().get(ngram, "")):
            totals[index] += (ord(sign) - ZERO) * STEP * _NGRAM_WEIGHT
    return _bounded(totals, _MOST_OF_OTHER_WORD)


def _bounded(scores: list[float], most: float) -> _Scores:
    """Scale scores down so that they lie no further apart than `most`."""
    spread = max(scores) - min(scores)
    scale = most / spread if most < spread else 1.0
    return tuple(score * scale for score in scores)


@cache
def _table() -> dict[str, str]:
    packed = resources.files("veil.languages").joinpath("data", "identify.tsv.xz").read_bytes()
    fields = lzma.decompress(packed).decode("utf-8").replace("\n", "\t").split("\t")
    return dict(zip(fields[::2], fields[1::2], strict=False))
