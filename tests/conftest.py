from __future__ import annotations

import os
import random
import re
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import settings

from veil import Document, Record, Span, io
from veil.learn import TrainingData, recipe, train_model
from veil.replace import secret

# How long an example takes says nothing: a pattern is compiled when it is first needed.
settings.register_profile("veil", deadline=None)
# A change is judged by what it changes: in CI the examples are the same in each run.
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "veil")

# A shell that starts the tests in the background, or `nohup`, ignores signals that tests send, and
# a command that a test starts would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Hundreds of tests start the command: its modules are compiled once, not by each of them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(autouse=True)
def repeatable_keys(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys that a run makes for itself are the same whenever the test runs.

    A surrogate may by chance equal a part of what it replaces (a year, a town): a test would then
    fail once in a thousand runs.
    """
    chance = random.Random(request.node.nodeid)  # noqa: S311
    made = SimpleNamespace(
        token_bytes=chance.randbytes, token_hex=lambda size: chance.randbytes(size).hex()
    )
    monkeypatch.setattr(secret, "secrets", made)


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder with corpora, given by the environment variable VEIL_CORPORA."""
    place = os.environ.get("VEIL_CORPORA")
    if not place:
        pytest.skip("set VEIL_CORPORA to the folder with the corpora to run this test")
    return Path(place)


@pytest.fixture(scope="session")
def examples() -> Path:
    """The sample records in four languages."""
    return Path(__file__).parent.parent / "examples"


_NAMES = ("Ana Ruiz", "Luis Gil", "Eva Mora", "Juan Sanz", "Rosa Vega", "Iker Polo")
_TOWNS = ("Lugo", "Soria", "Cuenca", "Teruel")
_NOTE = """Nombre: [NOMBRE_SUJETO_ASISTENCIA|{patient}].
Fecha de ingreso: [FECHAS|{day}/03/2018].
Domicilio: [TERRITORIO|{town}].
Paciente de [EDAD_SUJETO_ASISTENCIA|{age} años] con fiebre y tos desde hace dos días.
Firmado: Dra. [NOMBRE_PERSONAL_SANITARIO|{doctor}].
"""


@pytest.fixture(scope="session")
def small_corpus() -> list[Record]:
    """Twelve short fictitious notes in Spanish with their spans."""
    return [
        marked_record(
            f"nota-{number:02}",
            _NOTE.format(
                patient=_NAMES[number % len(_NAMES)],
                doctor=_NAMES[(number + 2) % len(_NAMES)],
                town=_TOWNS[number % len(_TOWNS)],
                day=10 + number,
                age=30 + 3 * number,
            ),
        )
        for number in range(12)
    ]


@pytest.fixture(scope="session")
def small_folder(tmp_path_factory: pytest.TempPathFactory, small_corpus: list[Record]) -> Path:
    """The twelve notes as a folder of brat."""
    folder = tmp_path_factory.mktemp("corpus") / "notas"
    io.write(small_corpus, folder, format="brat")
    return folder


@pytest.fixture(scope="session")
def quick_recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recipe that trains within a second."""
    file = tmp_path_factory.mktemp("recipes") / "quick.toml"
    file.write_text(
        'extends = "veil-es"\ngroups = ["bias", "veil-words", "veil-shapes", "veil-lines"]\n'
        "seeds = [0, 1]\n[parameters]\nepochs = 6\n",
        "utf-8",
    )
    return file


@pytest.fixture(scope="session")
def small_model(
    tmp_path_factory: pytest.TempPathFactory, quick_recipe: Path, small_corpus: list[Record]
) -> Path:
    """A model that was trained on the twelve notes."""
    folder = tmp_path_factory.mktemp("models") / "small"
    data = TrainingData(small_corpus, ("notas",), "fictitious")
    train_model(recipe(quick_recipe), data, dev=data).save(folder)
    return folder


def marked_record(name: str, marked: str) -> Record:
    """Make a record of a text with its spans in brackets: `[LABEL|words]`."""
    text, spans = "", []
    for plain, label, words in re.findall(r"([^\[]*)(?:\[(\w+)\|([^\]]+)\])?", marked):
        text += plain
        if label:
            spans.append(Span(len(text), len(text) + len(words), label))
            text += words
    return Record.of(Document(name, text), spans)
