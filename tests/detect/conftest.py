"""Fictitious records that a learner can learn from in a second, and a model of them."""

from __future__ import annotations

import random

import pytest

from veil.core.document import Document, Record, Span
from veil.detect.crf import LinearDetector, LinearRecipe

NAMES = "Ana Luis María José Carmen Iñaki Zoë Åsa".split()
SURNAMES = "Pérez García López Martín Muñoz Søgård Ibáñez Ruiz".split()
WORDS = "paciente con dolor en el abdomen desde hace días sin fiebre ni tos tras la cena".split()
VEIL_GROUPS = (
    *("bias", "veil-words", "veil-affixes", "veil-shapes", "veil-lexicons"),
    *("veil-templates", "veil-lines", "veil-memory"),
)


def make_record(number: int) -> Record:
    """A record with a header, free text, a signature and an address; offsets come as it grows."""
    rng = random.Random(number)  # noqa: S311
    text = ""
    spans: list[Span] = []

    def add(words: str, label: str | None = None) -> None:
        nonlocal text
        if label:
            spans.append(Span(len(text), len(text) + len(words), label))
        text += words

    name, surname = rng.choice(NAMES), rng.choice(SURNAMES)
    add("Nombre: ")
    add(f"{name} {surname}", "NAME")
    add(f".\r\nEdad: {rng.randint(20, 90)} años\n\nIngreso: ")
    add(f"{rng.randint(1, 28)}/{rng.randint(1, 12)}/{rng.randint(1990, 2020)}", "DATE")
    add("\n")
    for _ in range(rng.randint(1, 4)):
        add(" ".join(rng.choices(WORDS, k=rng.randint(3, 12))) + ". ")
    add("\nDr. ")
    add(f"{rng.choice(NAMES)} {rng.choice(SURNAMES)}", "NAME")
    add(" - ")
    add(f"{name.lower()}.{surname.lower()}@correo.es", "MAIL")
    add("\n")
    return Record.of(Document(f"toy-{number}", text, "es"), spans)


@pytest.fixture(scope="session")
def toy_records() -> list[Record]:
    return [make_record(number) for number in range(60)]


@pytest.fixture(scope="session")
def new_toy_records() -> list[Record]:
    """Records that the toy model has not seen."""
    return [make_record(number) for number in range(1000, 1030)]


@pytest.fixture(scope="session")
def toy_recipe() -> LinearRecipe:
    return LinearRecipe(
        name="toy",
        kind="crf",
        language="es",
        groups=VEIL_GROUPS,
        trainer="dropout",
        sequences="lines",
        parameters={"epochs": 6},
    )


@pytest.fixture(scope="session")
def toy_detector(toy_recipe: LinearRecipe, toy_records: list[Record]) -> LinearDetector:
    return LinearDetector.fit(toy_recipe, toy_records)
