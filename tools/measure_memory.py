"""Measure what `--two-pass` adds if clinicians recur, and what it changes if no one does.

    python tools/measure_memory.py

*recurring* are 300 dummy records of each language. Their clinicians have twelve rare surnames, and
every third record ends with a sentence that mentions one of the others without a title, a third of
these in lower case. *dev notes* are `training/notes/<language>/dev-*.txt`, in which people seldom
recur.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import tomllib
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import veil
from veil import io
from veil.core.document import Document, Record, Span, Spans
from veil.synth.notes import dummy_records, synth_languages

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT = Path(__file__).parents[1]
RECORDS = 300
SEED = 40961
SCHEMES = {"en": "i2b2-2014", "es": "meddocan", "sv": "stockholm", "ja": "mednlp"}


def recurring(code: str) -> Iterator[Record]:
    """Dummy records in which twelve clinicians recur."""
    corpus = tomllib.loads(Path(__file__).with_name("memory_corpus.toml").read_text("utf-8"))[code]
    for number, record in enumerate(dummy_records(code, RECORDS, seed=SEED)):
        rng = random.Random(f"{code}/{number}")  # noqa: S311 - no secret
        *own, other = rng.sample(corpus["surnames"], 5)
        renamed = rename(record, own)
        yield renamed if number % 3 else with_mention(renamed, rng, corpus["bare"], other)


def rename(record: Record, surnames: list[str]) -> Record:
    """Give the clinicians of a record these surnames, each one the same throughout."""
    text = record.document.text
    chosen: dict[str, str] = {}
    pieces: list[str] = []
    spans: list[Span] = []
    position = shift = 0
    for span in record.spans:
        old = new = text[span.start : span.end]
        words = old.split()
        is_surname = span.part == "last" or (span.part is None and "," not in old)
        if span.label == "DOCTOR" and is_surname and 2 <= len(words[-1]):
            surname = chosen.setdefault(words[-1].lower(), surnames[len(chosen) % len(surnames)])
            new = old.removesuffix(words[-1]) + like(words[-1], surname)
        pieces += [text[position : span.start], new]
        spans.append(span.at(span.start + shift, span.start + shift + len(new)))
        shift += len(new) - len(old)
        position = span.end
    doc = Document(record.id, "".join([*pieces, text[position:]]), record.document.language)
    return Record(doc, Spans(doc, spans))


def like(model: str, surname: str) -> str:
    """A surname in capitals or in lower case where the model is."""
    if model.isupper():
        return surname.upper()
    return surname.lower() if model.islower() else surname


def with_mention(record: Record, rng: random.Random, bare: list[str], surname: str) -> Record:
    """Add a sentence that mentions a clinician without a title."""
    before, after = rng.choice(bare).split("{name}")
    name = surname if rng.randrange(3) else surname.lower()
    start = len(record.document.text) + 1 + len(before)
    text = f"{record.document.text}\n{before}{name}{after}\n"
    doc = Document(record.id, text, record.document.language)
    mention = Span(start, start + len(name), "DOCTOR", part="last")
    return Record(doc, Spans(doc, [*record.spans, mention]))


def score(gold: Path, code: str, folder: Path, *, two_pass: bool) -> str:
    """Strict precision, recall and F1, recall and precision of characters, mentions found."""
    scheme = SCHEMES[code]
    found = folder / f"found-{two_pass}.jsonl"
    veil.detect_files(gold, found, lang=code, scheme=scheme, two_pass=two_pass, overwrite=True)
    measured = veil.evaluate_files(gold, found, scheme=scheme).evaluation.to_json()
    strict = measured["i2b2"]["all"]["strict"]["micro"]
    protection = measured["protection"]["metrics"]
    numbers = [
        *(strict[name] for name in ("precision", "recall", "f1")),
        *(protection[f"character {name}"]["value"] for name in ("recall", "precision")),
    ]
    return " | ".join([*(f"{number:.4f}" for number in numbers), found_mentions(gold, found)])


def found_mentions(gold: Path, found: Path) -> str:
    """How many of the added mentions were found, if there are any."""
    if gold.is_dir():
        return ""
    hits = [
        any(span.start <= mention.start and mention.end <= span.end for span in predicted.spans)
        for record, predicted in islice(zip(io.read(gold), io.read(found), strict=True), 0, None, 3)
        for mention in record.spans[-1:]
    ]
    return f"{sum(hits)} of {len(hits)}"


def main() -> None:
    for code in synth_languages():
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            io.write(recurring(code), folder / "recurring.jsonl", format="jsonl")
            (folder / "dev").mkdir()
            for file in PROJECT.glob(f"training/notes/{code}/dev-*.txt"):
                shutil.copy(file, folder / "dev")
            for what, gold in (
                ("recurring", folder / "recurring.jsonl"),
                ("dev notes", folder / "dev"),
            ):
                for two_pass in (False, True):
                    numbers = score(gold, code, folder, two_pass=two_pass)
                    how = "`--two-pass`" if two_pass else "default"
                    sys.stdout.write(f"| {code} | {what} | {how} | {numbers} |\n")
                    sys.stdout.flush()


if __name__ == "__main__":
    main()
