"""The functions of English rules.

Each public function of the modules adjusts or rejects a match; rules name it with `fit`.
"""

from veil.detect.rules.adjustments import public_functions
from veil.languages.en.rules import institutions, people, places, values

START_TESTS = values.START_TESTS
ADJUSTMENTS = public_functions("en", institutions, people, places, values)
