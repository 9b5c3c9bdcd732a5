"""The functions of Swedish rules.

Each public function of the modules adjusts or rejects a match; rules name it with `fit`.
"""

from veil.detect.rules.adjustments import public_functions
from veil.languages.sv.rules import numbers, people, places, values
from veil.languages.sv.rules.words import may_open_name

ADJUSTMENTS = public_functions("sv", numbers, people, places, values)
START_TESTS = {"<sv-name>": may_open_name, **values.START_TESTS}
