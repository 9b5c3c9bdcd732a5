"""Build the tables for language identification.

    python tools/build_identify.py src/veil/languages/data

`identify.tsv.xz` distinguishes English, Spanish and Swedish; `other.tsv.xz` recognises texts in
other languages. Needs the package `wordfreq` (its lists: CC BY-SA 4.0) and `identify_words.toml`
beside this file: words that the lists lack. The same versions give the same bytes.
"""

from __future__ import annotations

import gzip
import lzma
import math
import sys
import tomllib
import unicodedata
from collections import defaultdict
from functools import cache
from pathlib import Path

import msgpack
import wordfreq
from wordfreq import get_frequency_dict

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from veil.languages.identification import (
    CHINESE,
    HIGHEST,
    LATIN_LANGUAGES,
    LONGEST_NGRAM,
    OTHER_LANGUAGES,
    OTHER_STEP,
    OTHER_ZERO,
    STEP,
    WORD_SIGN,
    ZERO,
    language_sign,
    ngrams,
)
from veil.lexicons.store import lexicon

WORDS_OF_EACH = 12_000
NGRAMS = 10_000
# N-grams score words that are too rare for the table; frequent words must not dominate.
NGRAM_FLATTENING = 0.4
UNSEEN_NGRAM_SHARE = 5e-6
# The assumed frequency of a clinical word, and of a word that is in no list.
CLINICAL_FREQUENCY = 2e-4
UNSEEN_FREQUENCY = 2e-7
# Some systems drop accents: a word is also counted without them, with this share.
UNACCENTED_SHARE = 0.15

# The number of words kept for other languages; the first are function words, which are kept even if
# they are also names.
WORDS_OF_OTHER = 1_500
FUNCTION_WORDS = 300
OTHER_FREQUENCY = 1e-3
OTHER_UNSEEN_FREQUENCY = 3e-6
# A character is Chinese if it is this frequent there and so many times rarer in Japanese.
CHINESE_SHARE = 1e-4
RARER_IN_JAPANESE = 30

Scores = tuple[float, ...]
NO_EVIDENCE: Scores = (0.0,) * len(LATIN_LANGUAGES)


def main() -> None:
    folder = Path(sys.argv[1])
    frequencies = {code: load(code) for code in LATIN_LANGUAGES}
    neutral = {WORD_SIGN + word: NO_EVIDENCE for word in clinical_words()["neutral"]}
    rows = {**score_words(frequencies), **neutral, **score_ngrams(frequencies)}
    write(folder / "identify.tsv.xz", {key: pack(scores) for key, scores in rows.items()})
    write(folder / "other.tsv.xz", {**score_other(frequencies), CHINESE: chinese_characters()})


def write(target: Path, rows: dict[str, str]) -> None:
    lines = [f"{key}\t{value}\n" for key, value in sorted(rows.items())]
    target.write_bytes(
        lzma.compress("".join(lines).encode("utf-8"), preset=9 | lzma.PRESET_EXTREME)
    )
    print(f"{target}: {len(lines)} rows, {target.stat().st_size} bytes")


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
    """Score the most informative n-grams: frequent, and different between languages."""
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


def score_other(own: dict[str, dict[str, float]]) -> dict[str, str]:
    """Score frequent words of other languages: in Veil's languages, then in each that has them."""
    others = {code: load_other(code, own) for code in OTHER_LANGUAGES}
    names = names_of_people_and_places()
    skipped = {*clinical_words()["neutral"], *clinical_words()["particles"]}
    wanted: set[str] = set()
    for of_language in others.values():
        best = sorted(of_language, key=lambda word: (-of_language[word], word))[:WORDS_OF_OTHER]
        wanted |= {
            word
            for rank, word in enumerate(best)
            if rank < FUNCTION_WORDS or unaccented(word) not in names
        }
    rows = {}
    for word in wanted - skipped:
        value = other_step(max(own[code].get(word, 0.0) for code in LATIN_LANGUAGES))
        for code, of_language in others.items():
            step = other_step(of_language.get(word, 0.0))
            if ord(step) > OTHER_ZERO:
                value += language_sign(code) + step
        rows[word] = value
    return rows


def load_other(code: str, own: dict[str, dict[str, float]]) -> dict[str, float]:
    """Return the frequency of each word; small lists are added to those of similar languages."""
    listed = dict.fromkeys(clinical_words().get(code, ()), OTHER_FREQUENCY)
    if code == "gl":  # words of both Spanish and Portuguese are probably also Galician
        portuguese = load_other("pt", own)
        shared = own["es"].keys() & portuguese.keys()
        return {**{word: min(own["es"][word], portuguese[word]) for word in shared}, **listed}
    if code == "nn":
        return {**load_other("nb", own), **listed}
    return listed or {
        word: frequency
        for word, frequency in get_frequency_dict(code, wordlist="best").items()
        if word.replace("'", "").replace(".", "").isalpha()
        and all(is_latin(character) or "\u1e00" <= character < "\u1f00" for character in word)
    }


def other_step(frequency: float) -> str:
    score = math.log(1 + frequency / OTHER_UNSEEN_FREQUENCY)
    return chr(OTHER_ZERO + round(score / OTHER_STEP))


def names_of_people_and_places() -> set[str]:
    return {
        unaccented(entry.lower())
        for code in LATIN_LANGUAGES
        for kind in ("given_female", "given_male", "surname", "city")
        for entry in lexicon(code, kind).entries
    }


def chinese_characters() -> str:
    """Return Chinese characters, simplified and traditional, that Japanese hardly uses.

    Old forms live on in Japanese names: these and all other characters of names are left out.
    """
    in_names = set("".join(clinical_words()["old_characters"]))
    for kind in ("given_female", "given_male", "surname", "city"):
        in_names.update("".join(lexicon("ja", kind).entries))
    chinese, japanese = character_shares("zh"), character_shares("ja")
    mapping = Path(wordfreq.__file__).with_name("data") / "_chinese_mapping.msgpack.gz"
    simplified = msgpack.loads(gzip.decompress(mapping.read_bytes()), strict_map_key=False)
    for traditional, character in simplified.items():
        share = chinese.get(character, 0.0)
        chinese[chr(traditional)] = max(chinese.get(chr(traditional), 0.0), share)
    return "".join(
        sorted(
            character
            for character, share in chinese.items()
            if CHINESE_SHARE <= share
            and japanese.get(character, 0.0) * RARER_IN_JAPANESE <= share
            and character not in in_names
        )
    )


def character_shares(code: str) -> dict[str, float]:
    shares: defaultdict[str, float] = defaultdict(float)
    for word, frequency in get_frequency_dict(code, wordlist="best").items():
        for character in word:
            if "\u3400" <= character <= "\u9fff":
                shares[character] += frequency
    total = sum(shares.values())
    return {character: share / total for character, share in shares.items()}


def centred(shares: list[float]) -> Scores:
    logarithms = [math.log(share) for share in shares]
    mean = sum(logarithms) / len(logarithms)
    return tuple(logarithm - mean for logarithm in logarithms)


def pack(scores: Scores) -> str:
    steps = [max(-HIGHEST, min(HIGHEST, round(score / STEP))) for score in scores]
    return "".join(chr(ZERO + step) for step in steps)


if __name__ == "__main__":
    main()
