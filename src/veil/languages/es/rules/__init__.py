"""The functions of Spanish rules.

Each public function of the modules adjusts or rejects a match; rules name it with `fit`.
"""

from veil.detect.rules.adjustments import public_functions
from veil.languages.es.rules import people, places, values

START_TESTS = values.START_TESTS
ADJUSTMENTS = public_functions("es", people, places, values)
