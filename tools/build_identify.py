"""Build the table by which Veil tells English, Spanish and Swedish apart.

    python tools/build_identify.py src/veil/languages/data/identify.tsv.xz

Needs the package `wordfreq` (its lists: CC BY-SA 4.0) and `identify_words.toml` beside this file:
words of clinical notes that lists of general language lack. The same versions give the same bytes.
"""

from __future__ import annotations

import lzma
import math
import sys
import tomllib
import unicodedata
from collections import defaultdict
from functools import cache
from pathlib import Path

from wordfreq import get_frequency_dict

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from veil.languages.identification import (
    HIGHEST,
    LATIN_LANGUAGES,
    LONGEST_NGRAM,
    STEP,
    WORD_SIGN,
    ZERO,
    ngrams,
)

WORDS_OF_EACH = 12_000
NGRAMS = 10_000
# N-grams judge words that are too rare for the table: frequent ones must not drown the others.
NGRAM_FLATTENING = 0.4
UNSEEN_NGRAM_SHARE = 5e-6
# How often a clinical word is taken to occur, and how often a word that no list has.
CLINICAL_FREQUENCY = 2e-4
UNSEEN_FREQUENCY = 2e-7
# Some systems lose the accents: a word is also counted without them, as this share.
UNACCENTED_SHARE = 0.15

Scores = tuple[float, ...]
NO_EVIDENCE: Scores = (0.0,) * len(LATIN_LANGUAGES)


def main() -> None:
    target = Path(sys.argv[1])
    frequencies = {code: load(code) for code in LATIN_LANGUAGES}
    neutral = {WORD_SIGN + word: NO_EVIDENCE for word in clinical_words()["neutral"]}
    rows = {**score_words(frequencies), **neutral, **score_ngrams(frequencies)}
    lines = [f"{key}\t{pack(scores)}\n" for key, scores in sorted(rows.items())]
    target.write_bytes(
        lzma.compress("".join(lines).encode("utf-8"), preset=9 | lzma.PRESET_EXTREME)
    )
    print(f"{len(lines)} rows, {target.stat().st_size} bytes")


def load(code: str) -> dict[str, float]:
    """Return the frequency of each word of a language, with and without accents."""
    frequencies: defaultdict[str, float] = defaultdict(float)
    for word, frequency in get_frequency_dict(code, wordlist="best").items():
        if word.replace("'", "").replace(".", "").isalpha() and is_latin(word):
            frequencies[word] += frequency
    for word in clinical_words()[code]:
        frequencies[word] = max(frequencies[word], CLINICAL_FREQUENCY)
    for word, frequency in list(frequencies.items()):
        if (plain := unaccented(word)) != word:
            frequencies[plain] += frequency * UNACCENTED_SHARE
    return dict(frequencies)


@cache
def clinical_words() -> dict[str, list[str]]:
    words: dict[str, list[str]] = tomllib.loads(
        Path(__file__).with_name("identify_words.toml").read_text("utf-8")
    )
    return words


def is_latin(word: str) -> bool:
    return all(character < "\u0250" for character in word)


def unaccented(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word)
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def score_words(frequencies: dict[str, dict[str, float]]) -> dict[str, Scores]:
    """Score the most frequent words of each language."""
    wanted = {
        word
        for of_language in frequencies.values()
        for word in sorted(of_language, key=lambda word: (-of_language[word], word))[:WORDS_OF_EACH]
    }
    return {
        WORD_SIGN + word: centred(
            [frequencies[code].get(word, 0.0) + UNSEEN_FREQUENCY for code in LATIN_LANGUAGES]
        )
        for word in wanted
    }


def score_ngrams(frequencies: dict[str, dict[str, float]]) -> dict[str, Scores]:
    """Score the n-grams that say most: those that are frequent and differ between languages."""
    counts: defaultdict[str, list[float]] = defaultdict(lambda: [0.0] * len(LATIN_LANGUAGES))
    for index, code in enumerate(LATIN_LANGUAGES):
        for word, frequency in frequencies[code].items():
            for ngram in ngrams(word):
                counts[ngram][index] += frequency**NGRAM_FLATTENING
    sums = {length: [0.0] * len(LATIN_LANGUAGES) for length in range(1, LONGEST_NGRAM + 1)}
    for ngram, row in counts.items():
        for index, count in enumerate(row):
            sums[len(ngram)][index] += count
    shares = {
        ngram: [
            count / total + UNSEEN_NGRAM_SHARE
            for count, total in zip(row, sums[len(ngram)], strict=True)
        ]
        for ngram, row in counts.items()
    }
    scores = {ngram: centred(row) for ngram, row in shares.items()}
    gains = {ngram: sum(shares[ngram]) * max(map(abs, row)) for ngram, row in scores.items()}
    best = sorted(gains, key=lambda ngram: (-gains[ngram], ngram))[:NGRAMS]
    return {ngram: scores[ngram] for ngram in best}


def centred(shares: list[float]) -> Scores:
    logarithms = [math.log(share) for share in shares]
    mean = sum(logarithms) / len(logarithms)
    return tuple(logarithm - mean for logarithm in logarithms)


def pack(scores: Scores) -> str:
    steps = [max(-HIGHEST, min(HIGHEST, round(score / STEP))) for score in scores]
    return "".join(chr(ZERO + step) for step in steps)


if __name__ == "__main__":
    main()
