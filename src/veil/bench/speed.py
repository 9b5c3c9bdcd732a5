"""Speed of the default pipeline, of a model, of masking and of the rules, on one core."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from veil.bench.process import KNOWN, MASKING, NEW, PLAIN, REPLACEMENT, SPEED, cpu_seconds
from veil.bench.tables import Report, Table
from veil.core import native
from veil.core.errors import InputError, VeilError
from veil.detect.rules import RuleDetector, load_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from veil.core.document import Document

    # The name of a system and its model, and the function that analyses a text with it.
    Peer = tuple[str, Callable[[str], object]]
    # CPU seconds by part of the task and name, and the same of each path: compiled, pure.
    Seconds = Mapping[str, Mapping[str, float]]
    ByPath = dict[str, Seconds]

_COLD_STARTS = 3
_SLOWEST_SHOWN = 8
_ONE_CORE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def detection_benchmark(
    docs: Sequence[Document],
    *,
    language: str | None = None,
    model: Path | None = None,
    policy: str | None = None,
    plain: bool = True,
    peer: str | None = None,
) -> Report:
    """Measure the default pipeline of a language, or a model alone, on both paths of Veil.

    The tables have the speed with new and with known word forms and with one document per call, the
    share of each stage, the CPU time to the first result and, with a policy, that of masking.
    `plain` compares with CRFsuite, if the extra `train` is installed and a language or a model is
    given; `peer` names another system to compare with.
    """
    other = PEERS[peer](language or "") if peer else None
    parts = [SPEED, MASKING] if policy else [SPEED]
    task = _task(docs, parts, language=language, model=str(model or ""), policy=policy)
    plain = plain and bool(language or model) and find_spec("pycrfsuite") is not None
    measured = _run_on_both_paths(task, plain=plain)
    start = {path: _cold_start(task, path) for path in measured}
    characters = _characters(docs)
    veil = next(iter(measured.values()))
    others = dict(veil.get(PLAIN, {}))
    if other is not None:
        name, analyse = other
        others[name] = cpu_seconds(lambda: [analyse(doc.text) for doc in docs])
    tables = [
        _table(
            "characters per CPU second", measured, lambda path: _speeds(path[SPEED], characters)
        ),
        Table(
            "other systems, characters per CPU second",
            ("speed", "Veil/it, new", "Veil/it, known"),
            {
                name: (characters / own, own / veil[SPEED][NEW], own / veil[SPEED][KNOWN])
                for name, own in others.items()
            },
        ),
        _table("CPU time by stage, known forms, percent", measured, _shares),
        *([_masking_table(measured, policy, characters)] if policy else []),
        _table("first result, CPU milliseconds", start, _milliseconds),
        _table("memory", measured, lambda path: path["memory"]),
    ]
    return Report(
        _heading(model.name if model else language or "default pipeline", docs),
        [table for table in tables if table.rows],
    )


def masking_benchmark(docs: Sequence[Document], *, language: str | None, policy: str) -> Report:
    """Measure the steps of masking; the words of the texts are new to detection."""
    measured = _run_on_both_paths(_task(docs, [MASKING], language=language, policy=policy))
    return Report(
        _heading(f"policy {policy}", docs), [_masking_table(measured, policy, _characters(docs))]
    )


def rule_benchmark(docs: Sequence[Document], language: str) -> Report:
    """Measure the rules of a language, together and one by one."""
    begun = time.process_time()
    detector = RuleDetector(language, rules=load_rules(language))
    loaded = time.process_time()
    detector.detect(docs[0])
    characters = _characters(docs)
    together = cpu_seconds(lambda: detector.detect_many(docs))
    lowered = [(doc.text, doc.text.lower()) for doc in docs]
    # Fields and rules with starts are not searched for separately.
    searched = [rule for rule in detector.rules if not rule.keys and not rule.has_starts]
    alone = {
        rule.name: cpu_seconds(lambda rule=rule: [list(rule.find(*text)) for text in lowered])  # type: ignore[misc]
        for rule in searched
    }
    slowest = sorted(alone, key=lambda name: -alone[name])[:_SLOWEST_SHOWN]
    return Report(
        _heading(f"{len(detector.rules)} rules for {language}", docs),
        [
            Table(
                "rules",
                ("",),
                {
                    "characters per CPU second": (characters / together,),
                    "loading, CPU milliseconds": (1e3 * (loaded - begun),),
                },
            ),
            Table(
                "slowest patterns that are searched for",
                ("ns a character",),
                {name: (alone[name] / characters * 1e9,) for name in slowest},
            ),
        ],
    )


def _heading(name: str, docs: Sequence[Document]) -> str:
    return f"{name}: {len(docs)} documents, {_characters(docs):,} characters, one core"


def _characters(docs: Sequence[Document]) -> int:
    return sum(len(doc.text) for doc in docs)


def _task(docs: Sequence[Document], parts: list[str], **options: Any) -> dict[str, Any]:
    texts = [(doc.text, doc.language) for doc in docs]
    # The commands collect garbage less often than Python's default.
    same = {"texts": texts, "parts": parts, "garbage": gc.get_threshold()}
    return {"language": None, "model": None, **same, **options}


def _run_on_both_paths(task: Mapping[str, Any], *, plain: bool = False) -> ByPath:
    """Run a task on the compiled path, if there is one, and on the pure one.

    CRFsuite is compared with the first of them.
    """
    paths = ["compiled", "pure"] if native.CORE else ["pure"]
    with_plain = {**task, "parts": [*task["parts"], PLAIN]}
    return {path: _run(with_plain if plain and path == paths[0] else task, path) for path in paths}


def _cold_start(task: Mapping[str, Any], path: str) -> Seconds:
    """The minimum CPU seconds to the first result in a new process."""
    first = {**task, "texts": task["texts"][:1], "parts": []}
    return min(
        (_run(first, path) for _ in range(_COLD_STARTS)), key=lambda run: run["start"]["all"]
    )


def _run(task: Mapping[str, Any], path: str) -> Seconds:
    """Run a task in a new process."""
    done = subprocess.run(
        [sys.executable, "-m", "veil.bench.process"],
        input=json.dumps(task),
        env=os.environ | _ONE_CORE | {"VEIL_PURE": str(int(path == "pure"))},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 2:
        raise InputError(done.stderr)
    if done.returncode:
        # Its error output is not shown, since it might contain text of a record.
        raise VeilError(f"the measuring process ended with code {done.returncode}")
    result: Seconds = json.loads(done.stdout)
    return result


def _table(
    title: str, measured: ByPath, numbers: Callable[[Seconds], Mapping[str, float]]
) -> Table:
    """A table with a column for each path and, of two, their ratio."""
    columns = [numbers(seconds) for seconds in measured.values()]
    rows: dict[str, list[float | None]] = {}
    for name in columns[0]:
        cells = [column[name] for column in columns]
        ratio = [cells[0] / cells[1] if cells[1] else None] if cells[1:] else []
        rows[name] = [*cells, *ratio]
    return Table(title, (*measured, "ratio") if columns[1:] else tuple(measured), rows)


def _masking_table(measured: ByPath, policy: str, characters: int) -> Table:
    def numbers(path: Seconds) -> dict[str, float]:
        spans = path["found"]["spans"]
        per_span = 1e6 * path[MASKING][REPLACEMENT] / spans if spans else 0.0
        return {
            **_speeds(path[MASKING], characters),
            "replacement, microseconds per span": per_span,
            "characters per span": characters / spans if spans else 0.0,
        }

    return _table(f"policy {policy}, characters per CPU second", measured, numbers)


def _speeds(seconds: Mapping[str, float], characters: int) -> dict[str, float]:
    return {name: characters / own for name, own in seconds.items()}


def _shares(path: Seconds) -> dict[str, float]:
    total = sum(path["stages"].values()) or 1.0
    return {stage: 100 * own / total for stage, own in path["stages"].items()}


def _milliseconds(path: Seconds) -> dict[str, float]:
    return {part: 1e3 * own for part, own in path["start"].items()}


def _presidio(language: str) -> Peer:
    """Presidio with the largest spaCy model of the language that is installed."""
    how = (
        "install it with: pip install presidio-analyzer; then: python -m spacy download MODEL, "
        f"where MODEL is a spaCy model for '{language}', such as en_core_web_lg for English"
    )
    try:
        presidio: Any = import_module("presidio_analyzer")
        engines: Any = import_module("presidio_analyzer.nlp_engine")
        spacy: Any = import_module("spacy.util")
    except ImportError:
        raise InputError(f"presidio is not installed; {how}") from None
    # In alphabetical order the large models (lg) come before the small ones (sm).
    models = sorted(
        name for name in spacy.get_installed_models() if name.startswith(f"{language}_")
    )
    if not models:
        raise InputError(f"presidio has no spaCy model for '{language}'; {how}")
    configuration = {
        "nlp_engine_name": "spacy",
        "models": [{"lang_code": language, "model_name": models[0]}],
    }
    engine = engines.NlpEngineProvider(nlp_configuration=configuration).create_engine()
    analyzer = presidio.AnalyzerEngine(nlp_engine=engine, supported_languages=[language])
    return f"presidio, {models[0]}", lambda text: analyzer.analyze(text, language)


PEERS = {"presidio": _presidio}
"""Other systems that can be measured beside Veil, made for the code of a language."""
