"""Speed of a model, of the rules and of masking, in characters per CPU second."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from veil.core.document import Record
from veil.detect.assembly import default_pipeline
from veil.detect.base import load_linear
from veil.detect.linear.tagger import Tagger, batches
from veil.detect.linear.trainers import tag_plainly, train_file
from veil.detect.linear.training import examples_of, sequences_of
from veil.detect.rules import RuleDetector, load_rules
from veil.masking.masker import Masker
from veil.replace.policy import load_policy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from veil.core.document import Document
    from veil.detect.crf import LinearDetector
    from veil.detect.pipeline import Outcome


_RECORDS_TO_TRAIN_ON = 50
_ITERATIONS = 10


@dataclass(frozen=True)
class Benchmark:
    """What `run_benchmark` measured; `speeds` are characters per CPU second by way of tagging."""

    model: str
    documents: int
    characters: int
    load_seconds: float
    first_result_seconds: float
    megabytes: float
    speeds: dict[str, float]
    stages: tuple[tuple[str, float], ...]

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the plain way; None where that was not measured."""
        return self.speeds[COLD] / self.speeds[PLAIN] if PLAIN in self.speeds else None


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

    def measure(work: Callable[[], object]) -> float:
        return characters / _seconds(work)

    detector.tagger = tagger = Tagger(detector.model)
    speeds = {COLD: measure(lambda: tagger.tag(texts))}
    tagger.seconds.clear()
    speeds[WARM] = measure(lambda: tagger.tag(texts))
    total = sum(tagger.seconds.values())
    stages = tuple((stage, seconds / total) for stage, seconds in tagger.seconds.items())
    speeds[SINGLE] = measure(lambda: [tagger.tag([text]) for text in texts])
    speeds[SCORED] = measure(lambda: tagger.tag(texts, probabilities=True))
    memory = peak_megabytes()
    if plain:
        with tempfile.TemporaryDirectory() as temporary:
            file = str(Path(temporary, "plain.crfsuite"))
            _train_plain(detector, records[:_RECORDS_TO_TRAIN_ON], file)
            speeds[PLAIN] = measure(lambda: _tag_plain(detector, texts, file))
    return Benchmark(
        model=detector.name,
        documents=len(records),
        characters=characters,
        load_seconds=loaded - begun,
        first_result_seconds=first - loaded,
        megabytes=memory,
        speeds=speeds,
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
    lines += [f"  {name:38} {speed:12,.0f}" for name, speed in result.speeds.items()]
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


def peak_megabytes() -> float:
    """The most memory that this process has had."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


_SLOWEST_SHOWN = 8


def _seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def rule_benchmark(language: str, docs: Sequence[Document]) -> str:
    """Measure the rules of a language, all together, then one by one; return a table."""
    begun = time.perf_counter()
    detector = RuleDetector(language, rules=load_rules(language))
    loaded = time.perf_counter()
    detector.detect(docs[0])
    characters = sum(len(doc.text) for doc in docs)

    together = _seconds(lambda: detector.detect_many(docs))
    lowered = [(doc.text, doc.text.lower()) for doc in docs]
    # Fields and rules with starts are not searched for one by one.
    searched = [rule for rule in detector.rules if not rule.keys and not rule.has_starts]
    alone = {
        rule.name: _seconds(lambda rule=rule: [list(rule.find(*texts)) for texts in lowered])  # type: ignore[misc]
        for rule in searched
    }
    slowest = sorted(alone.items(), key=lambda item: -item[1])[:_SLOWEST_SHOWN]
    lines = [
        f"{len(detector.rules)} rules for {language}: {len(docs)} documents, "
        f"{characters:,} characters, one core",
        f"load {loaded - begun:.2f} s",
        f"{characters / together:,.0f} characters per CPU second",
        "",
        "slowest of the patterns that are searched for, nanoseconds a character",
        *(f"  {name:38} {taken / characters * 1e9:8.1f}" for name, taken in slowest),
    ]
    return "\n".join(lines) + "\n"


def masking_benchmark(language: str | None, policy: str, docs: Sequence[Document]) -> str:
    """Measure finding alone, replacing alone, and all that masking does; return a table.

    What is loaded when it is first needed was loaded before; the words of the texts are new to
    finding, and those of the surrogates to the second scan.
    """
    pipeline = default_pipeline(language)
    masker = Masker(pipeline, load_policy(policy))
    quick = Masker(pipeline, load_policy(policy), rescan=False)
    masker.mask_batch(docs[:1])

    found: list[Outcome] = []
    characters = sum(len(doc.text) for doc in docs)
    steps: dict[str, Callable[[], object]] = {
        "finding": lambda: found.extend(pipeline.detect_many(docs)),
        "replacing what was found": lambda: quick.mask_records(found),
        "all, with the second look": lambda: list(masker.mask_many(docs)),
    }
    rows = [f"  {name:38} {characters / _seconds(step):12,.0f}" for name, step in steps.items()]
    spans = sum(len(outcome.spans) for outcome in found if isinstance(outcome, Record))
    lines = [
        f"policy {policy}: {len(docs)} documents, {characters:,} characters, "
        f"{spans:,} spans, one core",
        "",
        "characters per CPU second",
        *rows,
    ]
    return "\n".join(lines) + "\n"
