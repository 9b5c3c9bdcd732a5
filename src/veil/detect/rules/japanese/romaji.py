"""Japanese names in Latin letters: the katakana that they may stand for."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import product

_KANA = dict(
    pair.split(":")
    for pair in (
        "a:ア i:イ u:ウ e:エ o:オ ka:カ ki:キ ku:ク ke:ケ ko:コ sa:サ shi:シ si:シ su:ス se:セ "
        "so:ソ ta:タ chi:チ ti:チ tsu:ツ tu:ツ te:テ to:ト na:ナ ni:ニ nu:ヌ ne:ネ no:ノ ha:ハ "
        "hi:ヒ fu:フ hu:フ he:ヘ ho:ホ ma:マ mi:ミ mu:ム me:メ mo:モ ya:ヤ yu:ユ yo:ヨ ra:ラ ri:リ "
        "ru:ル re:レ ro:ロ wa:ワ n:ン m:ン ga:ガ gi:ギ gu:グ ge:ゲ go:ゴ za:ザ ji:ジ zi:ジ zu:ズ "
        "ze:ゼ zo:ゾ da:ダ de:デ do:ド ba:バ bi:ビ bu:ブ be:ベ bo:ボ pa:パ pi:ピ pu:プ pe:ペ po:ポ "
        "kya:キャ kyu:キュ kyo:キョ sha:シャ shu:シュ sho:ショ sya:シャ syu:シュ syo:ショ cha:チャ "
        "chu:チュ cho:チョ tya:チャ tyu:チュ tyo:チョ nya:ニャ nyu:ニュ nyo:ニョ hya:ヒャ hyu:ヒュ "
        "hyo:ヒョ mya:ミャ myu:ミュ myo:ミョ rya:リャ ryu:リュ ryo:リョ gya:ギャ gyu:ギュ gyo:ギョ "
        "ja:ジャ ju:ジュ jo:ジョ bya:ビャ byu:ビュ byo:ビョ pya:ピャ pyu:ピュ pyo:ピョ"
    ).split()
)
# A syllable; a double consonant (Hattori) and the m before b, m, p (Homma) go before it.
_SYLLABLE = re.compile(
    r"(?P<double>(?:(?P<c>[ksptgdbhfz])(?=(?P=c))|t(?=ch))?)"
    r"(?P<kana>(?:[kgsztdnhbpmr]y|sh|ch|ts|[kgsztdnhbpmrywfj])?[aiueo](?P<long>h(?![aiueoy]))?"
    r"|n(?![aiueoy])'?|m(?=[bmp]))"
)
_VOWELS = frozenset("aiueo")
_LONGEST = 20
_MOST_LONG_VOWELS = 3


@lru_cache(1 << 12)
def kana_of(word: str) -> tuple[str, ...]:
    """Return what a word in Latin letters may be in katakana: Ono is オノ or オオノ, Sato サトウ.

    Passports leave out that a vowel is long, so every o and u may be; what cannot be read as
    Japanese syllables gives nothing.
    """
    letters = unicodedata.normalize("NFKD", word).lower()
    letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
    if not letters.isascii() or not letters.isalpha() or _LONGEST < len(letters):
        return ()
    readings: list[tuple[str, ...]] = []
    position = vowels = 0
    while position < len(letters):
        match = _SYLLABLE.match(letters, position)
        if match is None:
            return ()
        syllable = match["kana"].removesuffix("'")
        kana = _KANA.get(syllable.removesuffix("h") if match["long"] else syllable)
        if kana is None:
            return ()
        double = "ッ" if match["double"] else ""
        long_vowel = "ウ" if syllable.rstrip("h").endswith(("o", "u")) else ""
        vowels += bool(long_vowel)
        options = [double + kana]
        if syllable[0] == "n" and syllable[1:] in _VOWELS:  # Shinichi may be シニチ or シンイチ
            options.append("ン" + _KANA[syllable[1:]])
        if long_vowel and vowels <= _MOST_LONG_VOWELS:
            longer = "ウオ" if syllable.rstrip("h").endswith("o") else "ウ"
            options += [option + vowel for option in options for vowel in longer]
        readings.append(tuple(options))
        position = match.end()
    return tuple("".join(reading) for reading in product(*readings))
