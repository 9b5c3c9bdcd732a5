"""Which of Veil's languages a text is written in.

Japanese is identified by its script. English, Spanish and Swedish are identified by their words: a
frequent word counts by its frequency in each language, any other by its n-grams of one to four
characters, including edges (naive Bayes).

A text that is clearly in another language is recognised by its script or, in Latin script, by
frequent words of that language that Veil's languages lack: see `other_language`.
`tools/build_identify.py` makes the tables. A language that is not in the tables takes part if its
folder has `identify.toml` with some hundred frequent `words`; otherwise it is never the answer.
"""

from __future__ import annotations

import lzma
import math
import unicodedata
from collections import Counter, defaultdict
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path

from veil.core.patterns import compile_pattern
from veil.languages.base import LANGUAGES, language_codes, read_language_toml

LATIN_LANGUAGES = ("en", "es", "sv")
FALLBACK_LANGUAGE = LATIN_LANGUAGES[0]
"""The result for a text without evidence, such as "120/80"."""

LONGEST_NGRAM = 4
WORD_SIGN = "="
EDGE = "_"

# A score is stored as one printable character: ZERO is no evidence, each step is STEP nats.
ZERO = ord("N")
STEP = 0.25
HIGHEST = 31

_WORD = compile_pattern(r"[^\W\d_]+(?:[./'’:][^\W\d_]+)*")
_PART = compile_pattern(r"[^\W\d_]+")
# Kana, kanji, and their punctuation and full-width forms.
_JAPANESE = compile_pattern(
    r"[\u3001-\u303f\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff9f𠀀-𲎯]+"
)
_WIDE_LETTER = compile_pattern(r"[\uff21-\uff5a]")
_FEWEST_COMMON = 4
_KANA_OR_KANJI = compile_pattern(r"[\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f𠀀-𲎯]")

# The n-grams of a word overlap, so their evidence must not be counted several times.
_NGRAM_WEIGHT = 0.2
_SCORE_OF_NGRAM = [(sign - ZERO) * STEP * _NGRAM_WEIGHT for sign in range(ZERO + HIGHEST + 1)]
# A single word may be a name or a quotation, and an unlisted one is often a drug or an anatomical
# term, which all languages spell alike: it must not decide about a record.
_MOST_OF_KNOWN_WORD = 8.0
_MOST_OF_OTHER_WORD = 3.5
# A kana or kanji counts as much as this many letters of common Latin words; other Latin words
# (drugs, abbreviations) also occur in Japanese records and count this little per letter.
_JAPANESE_WEIGHT = 3.0
_UNCOMMON_WEIGHT = 0.1
# The evidence of a word for a language with only a list of frequent words, and the evidence of a
# word that is common in another language against it.
_LISTED_WORD = 4.0
_UNLISTED_WORD = -2.0

_HEAD = 2000
_SAMPLES = 4
_SAMPLE = 300

_Scores = tuple[float, ...]
_NO_EVIDENCE: _Scores = (0.0,) * (1 + len(LATIN_LANGUAGES))

OTHER_LANGUAGES = {
    "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German", "eu": "Basque",
    "fi": "Finnish", "fil": "Filipino", "fr": "French", "gl": "Galician", "hu": "Hungarian",
    "id": "Indonesian", "is": "Icelandic", "it": "Italian", "lt": "Lithuanian", "lv": "Latvian",
    "ms": "Malay", "nb": "Norwegian", "nl": "Dutch", "nn": "Norwegian", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "sh": "Serbo-Croatian", "sk": "Slovak",
    "sl": "Slovenian", "tr": "Turkish", "vi": "Vietnamese",
}  # fmt: skip
"""Languages in Latin script that are recognised but not supported."""

# The table of other languages: a word, its score in Veil's languages (the highest), and the sign
# and score of each other language that has the word.
OTHER_ZERO = ord("0")
OTHER_STEP = 0.5
CHINESE = "=zh"
# The maximum evidence of one word; a word that only Veil's languages have counts this much against
# others.
_MOST_OF_OTHER_LANGUAGE_WORD = 5.0
_AGAINST_OTHER_LANGUAGES = 2.0
# Evidence is clear if it adds up to this many nats and comes from this many different words, each
# with at least this much.
_CLEAR = 8.0
_CLEAR_WORDS = 3
_CLEAR_WORD = 1.5
# A single consonant is an abbreviation ("s/p", "d/c'd") or an initial, not a word.
_CONSONANTS = frozenset("bcdfghjklmnpqrstvwxz")

# Letters of other scripts: those from Greek on that are neither Latin nor Japanese.
_OTHER_SCRIPT = compile_pattern(
    r"[\u0370-\u1cff\u1f00-\u1fff\u2d00-\u2dff\u3100-\u318f\ua4d0-\ua71f"
    r"\ua800-\uab2f\uab70-\ud7ff\ufb1d-\ufdff\ufe70-\ufeff\uffa0-\uffdc](?<=\w)(?<![\d_])"
)
_HANGUL = compile_pattern(r"[\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff\uffa0-\uffdc]")
_KANA = compile_pattern(r"[\u3041-\u30ff\uff66-\uff9f]")
_HAN = compile_pattern(r"[\u3400-\u9fff]")
# A few letters may be symbols, as in "β-hCG 5 μg"; a Japanese text of any length has kana.
_FEWEST_LETTERS = 3
_OTHER_SCRIPT_SHARE = 0.65
_UNCOMMON_BESIDE_OTHER_SCRIPT = 0.5
_MOST_KANA = 0.1
_FEWEST_CHINESE = 3


def identify(text: str) -> str:
    """Return the code of the language that a text is most likely written in.

    A text without letters, such as "" or "120/80", has no language: the answer is "en".
    """
    scores = identify_scores(text)
    return max(scores, key=scores.__getitem__)


def identify_scores(text: str) -> dict[str, float]:
    """Return the probability of each language; all are equal without any evidence.

    Languages without tables and without a list of words are left out.

    In a long text only the beginning and some samples of the rest are used.
    """
    sample = unicodedata.normalize("NFC", _sample(text))
    if _WIDE_LETTER.search(sample) and not _KANA_OR_KANJI.search(sample):
        folded = unicodedata.normalize("NFKC", sample)
        if _FEWEST_COMMON <= sum(map(_is_common, _WORD.findall(folded.lower()))):
            sample = folded  # words of another language in full-width letters
    japanese = sum(map(len, _JAPANESE.findall(sample))) * _JAPANESE_WEIGHT
    words = _WORD.findall(_JAPANESE.sub(" ", sample).lower() if japanese else sample.lower())
    columns = zip(_NO_EVIDENCE, *map(_word_evidence, words), strict=True)
    latin, *totals = (sum(column, 0.0) for column in columns)
    listed = _listed_words(tuple(language_codes()))
    codes = (*LATIN_LANGUAGES, *listed)
    totals += [_listed_score(words, known) for known in listed.values()]
    if not japanese and not words:
        return dict.fromkeys((*codes, "ja"), 1 / (len(codes) + 1))
    share = japanese / (japanese + latin)
    highest = max(totals)
    weights = [math.exp(total - highest) for total in totals]
    scores = {
        code: (1 - share) * weight / sum(weights)
        for code, weight in zip(codes, weights, strict=True)
    }
    return {**scores, "ja": share}


@cache
def _listed_words(codes: tuple[str, ...]) -> dict[str, frozenset[str]]:
    """The frequent words of languages without tables, if they list them."""
    lists = {
        code: frozenset(read_language_toml(code, "identify.toml").get("words", "").split())
        for code in codes
        if code not in (*LATIN_LANGUAGES, "ja")
    }
    return {code: words for code, words in lists.items() if words}


def _listed_score(words: list[str], listed: frozenset[str]) -> float:
    """Return the evidence of words for a language that lists its frequent words, in nats."""
    return sum(
        _LISTED_WORD if word in listed else _UNLISTED_WORD if _is_common(word) else 0.0
        for word in words
    )


def other_language(text: str) -> str | None:
    """Return the language or script of a text that is clearly in none of Veil's languages.

    The answer is a display name: "German", "Cyrillic script". In doubt it is None: for notes with
    hardly any function words, foreign names, or a quotation in another language.
    """
    sample = unicodedata.normalize("NFC", _sample(text))
    japanese = sum(map(len, _JAPANESE.findall(sample))) * _JAPANESE_WEIGHT
    letters = _OTHER_SCRIPT.findall(sample)
    other = len(letters) + (_JAPANESE_WEIGHT - 1) * sum(map(bool, map(_HANGUL.match, letters)))
    plain = sample
    if japanese or other:
        plain = _OTHER_SCRIPT.sub(" ", _JAPANESE.sub(" ", sample))
    words = _WORD.findall(plain)
    common = sum(map(_common_letters, words))
    uncommon = sum(map(len, words)) - common
    latin = common + _UNCOMMON_BESIDE_OTHER_SCRIPT * uncommon
    if _FEWEST_LETTERS <= other and _OTHER_SCRIPT_SHARE * (other + japanese + latin) < other:
        script = unicodedata.name(max(letters, key=letters.count)).split()[0]
        return "Korean" if script == "HANGUL" else f"{script.capitalize()} script"
    latin = common + _UNCOMMON_WEIGHT * uncommon
    if latin < japanese:
        return "Chinese" if _is_chinese(sample) else None
    return _other_latin_language(words)


def _is_chinese(text: str) -> bool:
    han = _HAN.findall(text)
    return len(_KANA.findall(text)) <= _MOST_KANA * len(han) and _FEWEST_CHINESE <= len(
        set(han) & set(_other_table()[CHINESE])
    )


def _other_latin_language(written: list[str]) -> str | None:
    # A capital may begin a name, and lists of words contain names. In a text in capitals names look
    # like other words: it needs more evidence.
    in_capitals = len(written) < 2 * sum(map(str.isupper, written))
    clear_evidence = 2 * _CLEAR if in_capitals else _CLEAR
    counted = written if in_capitals else filter(str.islower, written)
    words = Counter(chain.from_iterable(map(_known_parts, counted)))
    against = 0.0
    totals: defaultdict[str, float] = defaultdict(float)
    clear: defaultdict[str, int] = defaultdict(int)
    for word, count in words.items():
        weight = 1 + math.log(count)
        own, others = _other_scores(word)
        against += weight * own
        for sign, score in others:
            totals[sign] += weight * (score + own)
            if _CLEAR_WORD < score:
                clear[sign] += 1
    best = max(totals, key=totals.__getitem__, default=None)
    if best is None or _SIGNS[best] in LANGUAGES:
        return None
    if clear_evidence <= totals[best] - against and _CLEAR_WORDS <= clear[best]:
        return OTHER_LANGUAGES[_SIGNS[best]]
    return None


@lru_cache(maxsize=1 << 15)
def _known_parts(written: str) -> tuple[str, ...]:
    """Return the word if a table contains it, or its parts between signs, without abbreviations."""
    word = written.lower().replace("’", "'")
    is_known = word in _other_table() or WORD_SIGN + word in _table()
    parts = [word] if is_known else _PART.findall(word)
    return tuple(part for part in parts if part not in _CONSONANTS)


@lru_cache(maxsize=1 << 15)
def _other_scores(word: str) -> tuple[float, tuple[tuple[str, float], ...]]:
    """Return a word's evidence against other languages, and for each that has the word."""
    row = _other_table().get(word)
    if row is None:
        known = _table().get(WORD_SIGN + word, "")
        says_something = any(ord(sign) != ZERO for sign in known)
        return _AGAINST_OTHER_LANGUAGES if says_something else 0.0, ()
    own, *rest = [(ord(sign) - OTHER_ZERO) * OTHER_STEP for sign in row[:1] + row[2::2]]
    most = _MOST_OF_OTHER_LANGUAGE_WORD
    bounded = (max(-most, min(most, score - own)) for score in rest)
    return min(most, own), tuple(zip(row[1::2], bounded, strict=True))


def language_sign(code: str) -> str:
    """Return the character that stands for one of the other languages in their table."""
    return chr(ord("a") + list(OTHER_LANGUAGES).index(code))


_SIGNS = {language_sign(code): code for code in OTHER_LANGUAGES}


def _sample(text: str) -> str:
    if len(text) <= _HEAD + _SAMPLES * _SAMPLE:
        return text
    stride = (len(text) - _HEAD) // _SAMPLES
    starts = range(_HEAD, _HEAD + _SAMPLES * stride, stride)
    return "\n".join([text[:_HEAD], *(text[start : start + _SAMPLE] for start in starts)])


def ngrams(word: str) -> list[str]:
    """Return the n-grams of a word, including its edges."""
    edged = f"{EDGE}{word}{EDGE}"
    return [character for character in word if character != EDGE] + [
        edged[start : start + length]
        for length in range(2, LONGEST_NGRAM + 1)
        for start in range(len(edged) - length + 1)
    ]


def _is_common(word: str) -> bool:
    return len(word) > 2 and WORD_SIGN + word in _table()


@lru_cache(maxsize=1 << 15)
def _common_letters(word: str) -> int:
    """Return the length of a common word, or 0."""
    return len(word) if _is_common(word.lower()) else 0


@lru_cache(maxsize=1 << 15)
def _word_evidence(word: str) -> _Scores:
    """Return the weight of a word as Latin text, and its scores."""
    weight = 1.0 if _is_common(word) else _UNCOMMON_WEIGHT
    return len(word) * weight, *_word_scores(word)


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
    # The signs of all n-grams in a row: one of each language after the other.
    signs = "".join(filter(None, map(_table().get, ngrams(word)))).encode()
    languages = len(LATIN_LANGUAGES)
    columns = (signs[index::languages] for index in range(languages))
    totals = [sum(map(_SCORE_OF_NGRAM.__getitem__, column), 0.0) for column in columns]
    return _bounded(totals, _MOST_OF_OTHER_WORD)


def _bounded(scores: list[float], most: float) -> _Scores:
    """Scale scores down so that they lie no further apart than `most`."""
    spread = max(scores) - min(scores)
    scale = most / spread if most < spread else 1.0
    return tuple(score * scale for score in scores)


@cache
def _table() -> dict[str, str]:
    return _load("identify.tsv.xz")


@cache
def _other_table() -> dict[str, str]:
    return _load("other.tsv.xz")


def _load(name: str) -> dict[str, str]:
    packed = (Path(__file__).parent / "data" / name).read_bytes()
    fields = lzma.decompress(packed).decode("utf-8").replace("\n", "\t").split("\t")
    return dict(zip(fields[::2], fields[1::2], strict=False))
