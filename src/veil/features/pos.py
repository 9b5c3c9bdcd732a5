"""Parts of speech as features: universal ones by a tagger, Japanese ones by the analyser.

The tags themselves are made where texts are laid out (`veil.detect.linear.layout`).
"""

from __future__ import annotations

from veil.features.columns import column_feature

SHORT_TAG = 2
"""The letters of a short tag: "NO" of "NOUN" (cotik-2019, section 3.5)."""

column_feature("pos", "a part-of-speech tagger of the language")
column_feature("short-pos", "a part-of-speech tagger of the language")
# kajiyama-2018, section 1.2: what the analyser says of a morpheme beyond its part of speech.
column_feature("pos-detail", 'the Japanese analyser: set tokens to "ja"')
column_feature("in-user-dictionary", 'the Japanese analyser: set tokens to "ja"')
