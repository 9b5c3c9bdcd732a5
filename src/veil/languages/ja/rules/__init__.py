"""The functions of Japanese rules.

Each public function of the modules adjusts or rejects a match; rules name it with `fit`.
"""

from veil.detect.rules.adjustments import public_functions
from veil.languages.ja.rules import institutions, people, places, values

ADJUSTMENTS = public_functions("ja", institutions, people, places, values)
