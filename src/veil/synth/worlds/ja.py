"""The world of Japanese records."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from veil.synth.worlds.ja_numbers import Numbers

if TYPE_CHECKING:
    from random import Random

    from veil.synth.people import Profile

# Words that one writer prefers to another; each writer has some of these habits.
_HABITS = (
    (("癌", "がん"),),
    (("抗菌薬", "抗生剤"),),
    (("を認めた", "がみられた"), ("を認める", "がみられる"), ("を認めない", "はみられない")),
    (("施行した", "行った"), ("施行し", "行い")),
    (("疼痛", "痛み"),),
    (("訴えなし", "訴えない"), ("所見なし", "所見を認めない")),
    (("心電図", "ECG"), ("心エコー", "UCG")),
    (("患者は", "本人は"), ("患者が", "本人が")),
    (("である。", "です。"), ("であった。", "でした。")),
    (("血圧", "BP"), ("脈拍", "HR"), ("体温", "BT")),
    (("および", "及び"), ("または", "又は"), ("ため", "為"), ("すべて", "全て")),
    (("開始した", "開始"), ("終了した", "終了"), ("中止した", "中止")),
    (("となった。", "となる。"), ("とした。", "とする。")),
)


class World(Numbers):
    """One record, whose spans follow MedNLP with Veil's further labels."""

    def __init__(self, rng: Random, *, profile: Profile | None = None) -> None:
        super().__init__(rng, profile=profile)
        self._habits = frozenset(number for number in range(len(_HABITS)) if rng.random() < 0.18)

    def spelled(self, text: str) -> str:
        """Plain text in the words that the writer prefers."""
        return _rewritten(text, self._habits) if self._habits else text


@cache
def _preferred(habits: frozenset[int]) -> tuple[re.Pattern[str], dict[str, str]]:
    words = {word: other for number in sorted(habits) for word, other in _HABITS[number]}
    return re.compile("|".join(map(re.escape, words))), words


def _rewritten(text: str, habits: frozenset[int]) -> str:
    pattern, words = _preferred(habits)
    return pattern.sub(lambda match: words[match[0]], text)
