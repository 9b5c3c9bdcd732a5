"""Measure how often `veil.languages.identification` is right, by record and by fragment.

    python tools/measure_identify.py CORPORA

CORPORA is a folder with the corpora that docs/languages.md names. None of them is in the tables.
It also counts the records that would be withheld as texts in another language, wrongly for the
corpora and the project's own notes, rightly for `tests/data/other-languages`.
"""

from __future__ import annotations

import csv
import json
import re
import sys
import unicodedata
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from veil.languages.identification import identify, other_language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIZES = (20, 40, 80)
PROJECT = Path(__file__).parents[1]
MOST_FRAGMENTS = 20_000


def meddocan(corpora: Path) -> Iterator[str]:
    for part in ("train", "dev"):
        for path in sorted(corpora.joinpath("meddocan", part).glob("*.txt")):
            yield path.read_text("utf-8")


def swedish_1177(corpora: Path) -> Iterator[str]:
    yield from swedish_medical(corpora, "1177_annotated_sentences.txt")


def swedish_wiki(corpora: Path) -> Iterator[str]:
    yield from swedish_medical(corpora, "Wiki_annotated_60.txt")


def swedish_medical(corpora: Path, name: str) -> Iterator[str]:
    for line in corpora.joinpath("swedish-medical", name).read_text("utf-8").splitlines():
        if text := " ".join(re.sub(r"[(){}\[\]]", " ", line).split()):
            yield text


def swedish_ner(corpora: Path) -> Iterator[str]:
    lines = corpora.joinpath("swedish-ner", "train_corpus.txt").read_text("utf-8")
    for block in re.split(r"\n\s*\n", lines):
        if sentence := " ".join(line.split()[0] for line in block.splitlines() if line.strip()):
            yield sentence


def aci_bench(corpora: Path) -> Iterator[str]:
    for path in sorted(corpora.joinpath("aci-bench").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            yield from (row["note"] for row in csv.DictReader(file))


def aci_bench_lines(corpora: Path) -> Iterator[str]:
    for note in aci_bench(corpora):
        yield from (line for line in note.splitlines() if len(line.split()) >= 3)


def presidio(corpora: Path) -> Iterator[str]:
    records = json.loads(
        corpora.joinpath("presidio-synthetic", "synth_dataset_v2.json").read_text("utf-8")
    )
    yield from (record["full_text"] for record in records)


def jmed(corpora: Path) -> Iterator[str]:
    for path in sorted(corpora.joinpath("jmed-llm").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                quoted = row["question"].partition("「")[2].rpartition("」")[0]
                yield quoted or row["question"]


SOURCES: dict[str, tuple[str, Callable[[Path], Iterator[str]]]] = {
    "meddocan, cases": ("es", meddocan),
    "swedish-medical, 1177 sentences": ("sv", swedish_1177),
    "swedish-medical, windows of 60 characters": ("sv", swedish_wiki),
    "swedish-ner, sentences": ("sv", swedish_ner),
    "aci-bench, notes": ("en", aci_bench),
    "aci-bench, lines of 3 words or more": ("en", aci_bench_lines),
    "presidio-synthetic, sentences": ("en", presidio),
    "jmed-llm, reports": ("ja", jmed),
}


def fragments(text: str, size: int) -> Iterator[str]:
    """Cut a text at spaces into pieces of at most `size` characters.

    A word longer than that is cut, since Japanese has no spaces; a last piece of less than half
    the size is left out.
    """
    piece = ""
    for word in text.split():
        for start in range(0, len(word), size):
            part = word[start : start + size]
            if piece and size < len(piece) + 1 + len(part):
                yield piece
                piece = part
            else:
                piece = f"{piece} {part}".strip()
    if size <= 2 * len(piece):
        yield piece


def unaccented(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def rate(texts: list[str], code: str) -> str:
    texts = [text for text in texts if re.search(r"[^\W\d_]", text)]
    answers = Counter(map(identify, texts))
    return f"{answers[code] / len(texts):.4f} ({len(texts)})"


def own_notes(code: str) -> Iterator[str]:
    """Yield the dummy notes and the training notes of a language, without their tags."""
    for path in sorted(PROJECT.joinpath("tests", "data", f"dummy-{code}").rglob("*.txt")):
        yield re.sub(r"</?[A-Z_-]+>", "", path.read_text("utf-8"))
    for path in sorted(PROJECT.joinpath("training", "notes", code).glob("*.txt")):
        for note in re.split(r"(?m)^=== .*$", path.read_text("utf-8")):
            if note.strip():
                yield re.sub(r"</?[A-Z_-]+>", "", note)


def print_withheld(name: str, texts: list[str]) -> None:
    withheld = Counter(filter(None, map(other_language, texts)))
    named = ", ".join(f"{language} {count}" for language, count in withheld.most_common())
    print(f"| {name} | {withheld.total()} of {len(texts)} | {named} |", flush=True)


def main() -> None:
    corpora = Path(sys.argv[1])
    print(
        "| texts | | records | capitals | no accents |", *(f"{size} characters |" for size in SIZES)
    )
    for name, (code, read) in SOURCES.items():
        records = list(read(corpora))
        row = [rate(records, code), rate([record.upper() for record in records], code)]
        row.append(rate([unaccented(record) for record in records], code) if code != "ja" else "")
        for size in SIZES:
            pieces = [piece for record in records for piece in fragments(record, size)]
            row.append(rate(pieces[:: 1 + len(pieces) // MOST_FRAGMENTS], code))
        print(f"| {name} | {code} | {' | '.join(row)} |", flush=True)
    print("\n| texts | withheld | as |")
    for code in ("en", "es", "sv", "ja"):
        print_withheld(f"Veil's notes, {code}", list(own_notes(code)))
    for name, (_, read) in SOURCES.items():
        print_withheld(name, list(read(corpora)))
    for path in sorted(PROJECT.joinpath("tests", "data", "other-languages").glob("*.txt")):
        print_withheld(path.stem, re.split(r"\n\s*\n", path.read_text("utf-8").strip()))


if __name__ == "__main__":
    main()
