"""How fast a model tags: measured in one run, beside the plain way with CRFsuite."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from veil.detect.base import load_linear
from veil.detect.linear.tagger import Tagger, batches
from veil.detect.linear.trainers import tag_plainly, train_file
from veil.detect.linear.training import examples_of, sequences_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from veil.core.document import Record
    from veil.detect.crf import LinearDetector

_RECORDS_TO_TRAIN_ON = 50
_ITERATIONS = 10


@dataclass(frozen=True)
class Speed:
    """One way of tagging: characters per second of processor time."""

    name: str
    characters_per_second: float


@dataclass(frozen=True)
class Benchmark:
    """What `run_benchmark` measured."""

    model: str
    documents: int
    characters: int
    load_seconds: float
    first_result_seconds: float
    megabytes: float
    speeds: tuple[Speed, ...]
    stages: tuple[tuple[str, float], ...]

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the plain way; None where that was not measured."""
        by_name = {speed.name: speed.characters_per_second for speed in self.speeds}
        return by_name[COLD] / by_name[PLAIN] if PLAIN in by_name else None


COLD = "batch, all word forms new"
WARM = "batch, word forms known"
SINGLE = "one document a call"
SCORED = "batch, with probabilities"
PLAIN = "CRFsuite, the same features as strings"


def run_benchmark(folder: Path, records: Sequence[Record], *, plain: bool = True) -> Benchmark:
    """Measure a model on records; the plain way needs annotated ones and the extra `train`.

    Weights do not matter for speed: the plain way uses a CRFsuite model with the same features that
    is trained for a few rounds on the first records.
    """
    texts = [record.document.text for record in records]
    begun = time.perf_counter()
    detector = load_linear(folder, probabilities=False)
    loaded = time.perf_counter()
    detector.detect(records[0].document)
    first = time.perf_counter()
    characters = sum(map(len, texts))

    def measure(name: str, work: Callable[[], object]) -> Speed:
        start = time.process_time()
        work()
        return Speed(name, characters / (time.process_time() - start))

    detector.tagger = tagger = Tagger(detector.model)
    speeds = [measure(COLD, lambda: tagger.tag(texts))]
    tagger.seconds.clear()
    speeds.append(measure(WARM, lambda: tagger.tag(texts)))
    total = sum(tagger.seconds.values())
    stages = tuple((stage, seconds / total) for stage, seconds in tagger.seconds.items())
    speeds.append(measure(SINGLE, lambda: [tagger.tag([text]) for text in texts]))
    speeds.append(measure(SCORED, lambda: tagger.tag(texts, probabilities=True)))
    memory = _megabytes()
    if plain:
        with tempfile.TemporaryDirectory() as place:
            file = str(Path(place, "plain.crfsuite"))
            _train_plain(detector, records[:_RECORDS_TO_TRAIN_ON], file)
            speeds.append(measure(PLAIN, lambda: _tag_plain(detector, texts, file)))
    return Benchmark(
        model=detector.name,
        documents=len(records),
        characters=characters,
        load_seconds=loaded - begun,
        first_result_seconds=first - loaded,
        megabytes=memory,
        speeds=tuple(speeds),
        stages=stages,
    )


def format_benchmark(result: Benchmark) -> str:
    """The table that `veil bench` prints."""
    lines = [
        f"{result.model}: {result.documents} documents, {result.characters:,} characters, one core",
        f"load {result.load_seconds:.2f} s, first result {result.first_result_seconds:.2f} s, "
        f"memory {result.megabytes:.0f} MB at most",
        "",
        f"{'characters per CPU second':40}",
    ]
    lines += [f"  {speed.name:38} {speed.characters_per_second:12,.0f}" for speed in result.speeds]
    if result.ratio is not None:
        lines.append(f"  {'first line against the last':38} {result.ratio:11.1f}x")
    lines += ["", "share of the stages, word forms known"]
    lines += [f"  {stage:38} {share:12.0%}" for stage, share in result.stages]
    return "\n".join(lines) + "\n"


def _train_plain(detector: LinearDetector, records: Sequence[Record], file: str) -> None:
    model = detector.model
    stream = detector.tagger.stream([record.document.text for record in records])
    examples = examples_of(stream, model.space, model.tagset, records)
    train_file(examples, "lbfgs", {"max_iterations": _ITERATIONS}, file)


def _tag_plain(detector: LinearDetector, texts: Sequence[str], file: str) -> None:
    for batch in batches(texts):
        stream = detector.tagger.stream(batch)
        first, length = sequences_of(stream, stream.words)
        tag_plainly(file, detector.model.space.matrix(stream), first, length)


def _megabytes() -> float:
    """The most memory that this process has had."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)
