"""The example in the documentation is what the code prints."""

from __future__ import annotations

import re
from pathlib import Path

from veil.core.document import Document, Record, Span
from veil.evaluate import evaluate, format_summary

PAGE = Path(__file__).parents[2] / "docs" / "evaluate.md"

Change = tuple[str, str] | None
# Each record's text, its gold annotations, and what the system made of some of them.
NOTES: dict[str, tuple[str, dict[str, str], dict[str, Change]]] = {
    "note-1": (
        "Paciente: Ana Ruiz Paz. Edad: 45 años. Domicilio: Calle Mayor 3, Lugo.\n"
        "Remitido por: Dr. Luis Sanz. Fecha: 3/4/2019.\n",
        {
            "Ana Ruiz Paz": "NOMBRE_SUJETO_ASISTENCIA",
            "45 años": "EDAD_SUJETO_ASISTENCIA",
            "Calle Mayor 3": "CALLE",
            "Lugo": "TERRITORIO",
            "Luis Sanz": "NOMBRE_PERSONAL_SANITARIO",
            "3/4/2019": "FECHAS",
        },
        {
            "Ana Ruiz Paz": ("Ana Ruiz", "NOMBRE_SUJETO_ASISTENCIA"),
            "Luis Sanz": ("Luis Sanz", "NOMBRE_SUJETO_ASISTENCIA"),
        },
    ),
    "note-2": (
        "Varón de 60 años, visto en Vigo el 5/6/2018. Dra. Eva Gil.\n",
        {
            "Varón": "SEXO_SUJETO_ASISTENCIA",
            "60 años": "EDAD_SUJETO_ASISTENCIA",
            "Vigo": "TERRITORIO",
            "5/6/2018": "FECHAS",
            "Eva Gil": "NOMBRE_PERSONAL_SANITARIO",
        },
        {"Vigo": None},
    ),
    "note-3": (
        "Sexo: M. Tel. 600 111 222. Ingreso 1/2/2020.\n",
        {
            "M": "SEXO_SUJETO_ASISTENCIA",
            "600 111 222": "NUMERO_TELEFONO",
            "1/2/2020": "FECHAS",
        },
        {},
    ),
}


def test_the_example_is_what_the_code_prints() -> None:
    """Every table of the example stands in the summary, blank for blank."""
    gold: list[Record] = []
    predicted: list[Record] = []
    for name, (text, labels, changes) in NOTES.items():
        found = [changes.get(words, (words, label)) for words, label in labels.items()]
        for records, pairs in ((gold, labels.items()), (predicted, filter(None, found))):
            spans = [
                Span(text.index(words), text.index(words) + len(words), label)
                for words, label in pairs
            ]
            records.append(Record.of(Document(name, text), spans))
    sentences = {"note-1": 5, "note-2": 2, "note-3": 3}
    summary = format_summary(evaluate(gold, predicted, sentences=sentences))
    example, *_ = re.findall(r"```text\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert summary.startswith(example)
