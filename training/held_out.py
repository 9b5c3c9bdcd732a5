"""Measure models on a kind of note that is not in their training data.

    python training/held_out.py [en es ja sv] [--records 700]

For some kinds of dummy records: a model is trained on all other kinds and measured on this one; for
comparison, a model on as many records is trained on all kinds. One seed; the table is written to
standard output. Dummy records share their names and places, so the result shows the transfer of
layouts and sentences, not of names: see the evaluation sets for that.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from data import PLANS
from veil.core.labels import VEIL, Converter, scheme
from veil.learn import recipe, train
from veil.learn.training import measure, predict
from veil.synth.notes import dummy_records, kinds

HELD_OUT = ("nursing", "radiology", "psychiatry")
TESTED = 80


def rows(language: str, count: int) -> list[str]:
    """A row of the table for each kind that is held out."""
    to_scheme = Converter(scheme(VEIL), scheme(PLANS[language].scheme)).convert_record
    made = replace(recipe(f"veil-{language}"), scheme=PLANS[language].scheme, seeds=(0,))
    everything = [to_scheme(record) for record in dummy_records(language, count, seed=2)]
    with_all = train(made, everything)
    found = []
    for kind in HELD_OUT:
        others = [other for other in kinds(language) if other != kind]
        seen = [to_scheme(r) for r in dummy_records(language, count, seed=2, only=others)]
        gold = [to_scheme(r) for r in dummy_records(language, TESTED, seed=3, only=[kind])]
        cells = [language, kind]
        for detector in (train(made, seen), with_all):
            scores = measure(gold, predict(detector, gold))
            cells += [f"{scores.f1:.4f}", f"{scores.character_recall:.4f}"]
        found.append("| " + " | ".join(cells) + " |")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("languages", nargs="*", default=sorted(PLANS))
    parser.add_argument("--records", type=int, default=700)
    args = parser.parse_args()
    sys.stdout.write(
        "| language | kind | F1, kind unseen | recall (characters) | F1, kind seen "
        "| recall (characters) |\n"
        "|---|---|---|---|---|---|\n"
    )
    for language in args.languages:
        for row in rows(language, args.records):
            sys.stdout.write(row + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
