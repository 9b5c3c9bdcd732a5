"""Channels, and the groups of them that a recipe switches on, each from a paper or from Veil."""

from __future__ import annotations

from dataclasses import dataclass

from veil.core.registry import Registry
from veil.features.forms import TRAINED_DICTIONARIES

WIDEST_WINDOW = 5
"""How far from a token a channel may look, in tokens."""


@dataclass(frozen=True)
class Channel:
    """A feature, the places at which it is looked at, and how often a value must occur.

    Each window is a group of offsets that share weights: `((-1,), (0,))` looks at the previous and
    at this token; `((4, 5),)` is a bag of the fourth and fifth. Values that occur more rarely in
    the training set than `minimum` are all one value, "rare", which stands for unseen values later.
    """

    feature: str
    windows: tuple[tuple[int, ...], ...] = ((0,),)
    minimum: int = 1

    def __post_init__(self) -> None:
        if any(WIDEST_WINDOW < abs(offset) for window in self.windows for offset in window):
            raise ValueError(f"{self.feature}: a window reaches {WIDEST_WINDOW} tokens at most")


def around(feature: str, before: int, after: int, minimum: int = 1) -> Channel:
    """A channel that looks at each token from `before` tokens back to `after` tokens on."""
    return Channel(feature, tuple((offset,) for offset in range(-before, after + 1)), minimum)


GROUPS: Registry[tuple[Channel, ...]] = Registry("feature group")

# Veil's own ----------------------------------------------------------------------------------

GROUPS.add("bias", (Channel("bias"),))
GROUPS.add(
    "veil-words",
    (
        around("normal", 3, 3, 2),
        around("word", 1, 1, 2),
        Channel("bag", ((-5, -4), (4, 5)), 3),
        Channel("word-pair", ((-1,), (0,), (1,), (2,)), 2),
    ),
)
GROUPS.add(
    "veil-affixes",
    (
        Channel("prefix1", minimum=2),
        Channel("prefix2", minimum=2),
        around("prefix3", 1, 1, 3),
        Channel("prefix4", minimum=3),
        Channel("prefix5", minimum=3),
        around("suffix1", 1, 1, 2),
        around("suffix2", 1, 1, 2),
        around("suffix3", 1, 1, 3),
        Channel("suffix4", minimum=3),
        Channel("suffix5", minimum=3),
    ),
)
GROUPS.add(
    "veil-shapes",
    (
        around("shape", 3, 3, 3),
        around("spaced-shape", 3, 3, 2),
        Channel("shape-pair", ((-1,), (0,), (1,), (2,)), 3),
        Channel("shape-triple", minimum=3),
    ),
)
GROUPS.add(
    "veil-lexicons",
    (
        Channel("marks", minimum=2),
        around("name-marks", 2, 2),
        around("place-marks", 2, 2),
        around("word-marks", 2, 2),
        around("ordinary", 2, 2),
        around("code", 3, 3),
    ),
)
GROUPS.add("veil-templates", (around("template", 2, 2),))
GROUPS.add(
    "veil-lines",
    (
        Channel("line-key", minimum=2),
        Channel("previous-line-key", minimum=2),
        Channel("next-line-key", minimum=2),
        Channel("line-start", minimum=3),
        Channel("line-from-top"),
        Channel("line-from-bottom"),
        Channel("line-length"),
        Channel("position"),
        Channel("position-from-end"),
        Channel("line-key-and-position", minimum=2),
        Channel("field", minimum=2),
        Channel("field-and-distance", minimum=2),
    ),
)
GROUPS.add("veil-memory", (around("document-memory", 1, 1),))
GROUPS.add("veil-rules", (around("rule", 1, 1),))

# For part-of-speech taggers ------------------------------------------------------------------

GROUPS.add(
    "pos-tagger",
    (
        Channel("bias"),
        around("normal", 2, 2, 2),
        Channel("word", minimum=2),
        Channel("suffix1"),
        around("suffix2", 1, 1, 5),
        around("suffix3", 1, 1, 5),
        Channel("suffix4", minimum=5),
        Channel("suffix5", minimum=3),
        Channel("prefix2", minimum=5),
        Channel("prefix3", minimum=5),
        around("short-shape", 1, 1, 5),
        around("marks", 1, 1, 5),
    ),
)

# aramaki-2006, table 2 -----------------------------------------------------------------------

GROUPS.add(
    "aramaki-local",
    (
        around("word", 2, 2),
        around("pos", 2, 2),
        around("case", 2, 2),
        Channel("length"),
        Channel("special-character"),
        Channel("token-template"),
    ),
)
GROUPS.add(
    "aramaki-sentence",
    (
        Channel("place-in-record"),
        Channel("sentence-length"),
        Channel("previous-sentence-length"),
        Channel("next-sentence-length"),
        Channel("last-word-before", minimum=20),
        Channel("second-last-word-before", minimum=20),
        Channel("third-last-word-before", minimum=20),
    ),
)
GROUPS.add("aramaki-resources", (Channel("in-names"), Channel("in-places"), Channel("date-word")))
GROUPS.add(
    "aramaki-consistency",
    (
        Channel("token-majority-in-record"),
        Channel("token-majority-in-corpus"),
        Channel("entry-majority-in-record"),
        Channel("entry-majority-in-corpus"),
    ),
)

# wi-deid-2015, table 2 -----------------------------------------------------------------------

GROUPS.add(
    "wi-lexical",
    tuple(around(feature, 2, 2) for feature in ("lower", "first4", "last4", "pos")),
)
GROUPS.add(
    "wi-orthographic",
    tuple(
        around(feature, 2, 2)
        for feature in (
            *("paper-shape", "length", "has-letter", "has-capital", "begins-with-capital"),
            *("all-capitals", "has-digit", "all-digits", "has-punctuation"),
            *("letters-and-digits", "digits-and-punctuation"),
        )
    ),
)
GROUPS.add(
    "wi-dictionary",
    tuple(around(f"in-{name}-dictionary", 2, 2) for name in TRAINED_DICTIONARIES),
)

# cotik-2019, sections 3.4 and 3.5 ------------------------------------------------------------

GROUPS.add(
    "cotik-crf",
    tuple(
        around(feature, 1, 1)
        for feature in ("lower", "prefix3", "suffix4", "upper", "all-digits", "pos", "short-pos")
    ),
)
GROUPS.add(
    "cotik-svm",
    tuple(
        around(feature, 2, 1)
        for feature in ("lower", "prefix2", "suffix2", "pos", "upper", "all-digits")
    ),
)

# What the paper has from word vectors, that names, places and shapes are alike, from Veil's lists.
GROUPS.add(
    "cotik-classes",
    (
        *(Channel(f"{affix}{length}") for affix in ("prefix", "suffix") for length in (3, 4, 5)),
        Channel("word"),
        Channel("shape"),
        *(
            around(feature, 2, 1)
            for feature in ("name-marks", "place-marks", "word-marks", "code", "short-shape")
        ),
    ),
)

# kajiyama-2018, section 1.2 ------------------------------------------------------------------

GROUPS.add(
    "kajiyama",
    (
        Channel("pos"),
        Channel("pos-detail"),
        Channel("character-type"),
        Channel("in-user-dictionary"),
        Channel("sentence-start"),
    ),
)
