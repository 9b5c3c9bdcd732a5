"""Measurements in a separate process: cold start, speed and memory of one path.

`python -m veil.bench.process` reads a task from standard input and writes CPU seconds to standard
output, both as JSON. The environment variable `VEIL_PURE` selects the compiled or the pure path.
"""

from __future__ import annotations

import gc
import json
import resource
import signal
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

# The measured modules are imported while the clock runs.
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import FrameType
    from typing import Self

    from veil.core.document import Document
    from veil.detect.crf import LinearDetector
    from veil.detect.pipeline import DetectionPipeline, Outcome

NEW, KNOWN, SINGLE = "new word forms", "known word forms", "one document per call"
DETECTION, REPLACEMENT, ALL = "detection", "replacement", "everything, with the second scan"
SPEED, MASKING, PLAIN = "speed", "masking", "plain"
"""The parts of a task."""

IMPORT = "import"
_START = {
    "importlib._bootstrap": IMPORT,
    "veil.lexicons": "lexicons",
    "veil.detect.rules": "rules",
    "veil.detect.linear.model": "model",
    "veil.models": "model",
}
_STAGES = {
    "veil.detect.rules": "rules",
    "veil.features": "tokens",
    "veil.detect.linear.layout": "tokens",
    "veil.detect.linear.scoring": "scores",
    "veil.detect.linear": "search",
    "veil.detect.hybrid": "fusion",
    "veil.detect.repeats": "fusion",
    "veil.core.resolve": "fusion",
}
_RUNS = 3
_TICK = 0.001
_SHORTEST = 1e-6
_RECORDS_TO_TRAIN_ON = 50
_ITERATIONS = 10


class StageClock:
    """CPU seconds by stage: the stack is sampled every millisecond.

    The innermost frame of a module in `stages` decides. Compiled code is not interrupted: its time
    counts for the frame that called it.
    """

    def __init__(self, stages: Mapping[str, str], *, rest: str) -> None:
        self.stages = stages
        self.rest = rest
        self.seconds: dict[str, float] = defaultdict(float)

    def __enter__(self) -> Self:
        for stage in (*self.stages.values(), self.rest):
            self.seconds[stage] = 0.0
        self._last = time.process_time()
        self._before = signal.signal(signal.SIGPROF, self._tick)
        signal.setitimer(signal.ITIMER_PROF, _TICK, _TICK)
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, self._before)
        self._tick(0, None)

    def _tick(self, _: int, frame: FrameType | None) -> None:
        now = time.process_time()
        self.seconds[self._stage(frame)] += now - self._last
        self._last = now

    def _stage(self, frame: FrameType | None) -> str:
        while frame is not None:
            module = frame.f_globals.get("__name__", "")
            if frame.f_code.co_name == "<module>" and module != "__main__":
                return IMPORT if IMPORT in self.seconds else self.rest
            while module:
                if module in self.stages:
                    return self.stages[module]
                module = module.rpartition(".")[0]
            frame = frame.f_back
        return self.rest


def measure(task: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Run a task: CPU seconds from the start of Python to the first result, then its parts.

    A task has `texts`, each with its language; the `language` or the folder of the `model` of the
    pipeline; the names of its `parts`; a `policy`, if masking is one of them; and `garbage`, the
    garbage collection threshold of Python.
    """
    started = time.process_time()
    gc.set_threshold(*task["garbage"])
    with StageClock(_START, rest="first result") as clock:
        from veil.core.document import Document
        from veil.detect.assembly import default_pipeline, load_pipeline

        pipeline = (
            load_pipeline(Path(task["model"]))
            if task["model"]
            else default_pipeline(task["language"])
        )
        texts = enumerate(task["texts"])
        docs = [Document(str(number), *text_and_language) for number, text_and_language in texts]
        pipeline.detect_batch(docs[:1])
    result = {"start": {"Python and 'import veil'": started, **clock.seconds}}
    result["start"]["all"] = sum(result["start"].values())
    for part in task["parts"]:
        result |= _PARTS[part](pipeline, docs, task)
    return result | {"memory": {"megabytes at most": peak_megabytes()}}


def _measure_speed(
    pipeline: DetectionPipeline, docs: Sequence[Document], _: Mapping[str, Any]
) -> dict[str, dict[str, float]]:
    def detect() -> None:
        for _ in pipeline.detect_many(docs):
            pass

    def detect_one_by_one() -> None:
        for doc in docs:
            pipeline.detect_batch([doc])

    seconds = {NEW: cpu_seconds(detect)}
    with StageClock(_STAGES, rest="other") as clock:
        seconds[KNOWN] = min(cpu_seconds(detect) for _ in range(_RUNS))
    # The best of several runs: single runs differ more than the two ways of calling.
    seconds[SINGLE] = min(cpu_seconds(detect_one_by_one) for _ in range(_RUNS))
    return {SPEED: seconds, "stages": dict(clock.seconds)}


def _measure_masking(
    pipeline: DetectionPipeline, docs: Sequence[Document], task: Mapping[str, Any]
) -> dict[str, dict[str, float]]:
    """CPU seconds of the steps of masking; surrogates are new to the second scan."""
    from veil.core.document import Record
    from veil.masking.masker import Masker
    from veil.replace.policy import load_policy

    policy = load_policy(task["policy"])
    masker = Masker(pipeline, policy)
    without_rescan = Masker(pipeline, policy, rescan=False)
    masker.mask_batch(docs[:1])
    found: list[Outcome] = []
    seconds = {
        DETECTION: cpu_seconds(lambda: found.extend(pipeline.detect_many(docs))),
        REPLACEMENT: cpu_seconds(lambda: without_rescan.mask_records(found)),
        ALL: cpu_seconds(lambda: list(masker.mask_many(docs))),
    }
    spans = sum(len(outcome.spans) for outcome in found if isinstance(outcome, Record))
    return {MASKING: seconds, "found": {"spans": spans}}


def _measure_plain(
    pipeline: DetectionPipeline, docs: Sequence[Document], _: Mapping[str, Any]
) -> dict[str, dict[str, float]]:
    """CPU seconds of CRFsuite with the features of the model as strings.

    Weights do not affect speed: CRFsuite trains for a few rounds on the output of the model.
    """
    import tempfile

    from veil.core.document import Record
    from veil.core.resolve import resolve
    from veil.detect.linear.tagger import batches
    from veil.detect.linear.trainers import tag_plainly, train_file
    from veil.detect.linear.training import examples_of, sequences_of

    detector = _linear_detector(pipeline)
    model, tagger = detector.model, detector.tagger
    some = docs[:_RECORDS_TO_TRAIN_ON]
    found = zip(some, detector.detect_many(some), strict=True)
    records = [Record(doc, resolve(doc, spans)) for doc, spans in found]
    stream = tagger.stream([doc.text for doc in some])
    examples = examples_of(stream, model.space, model.tagset, records)

    def tag() -> None:
        for batch in batches([doc.text for doc in docs]):
            stream = tagger.stream(batch)
            first, length = sequences_of(stream, stream.words)
            tag_plainly(file, model.space.matrix(stream), first, length)

    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder, "plain.crfsuite"))
        train_file(examples, "lbfgs", {"max_iterations": _ITERATIONS}, file)
        return {PLAIN: {"CRFsuite, the same features as strings": cpu_seconds(tag)}}


_PARTS = {SPEED: _measure_speed, MASKING: _measure_masking, PLAIN: _measure_plain}


def _linear_detector(pipeline: DetectionPipeline) -> LinearDetector:
    from veil.core.errors import InputError
    from veil.detect.crf import LinearDetector

    (detector,) = pipeline.detectors
    learned = getattr(detector, "learned", detector)
    if not isinstance(learned, LinearDetector):
        raise InputError("CRFsuite is compared with a model of kind crf or window-svm: --no-plain")
    return learned


def cpu_seconds(work: Callable[[], object]) -> float:
    """The CPU seconds of a function; more than 0 even if the clock has not ticked."""
    begun = time.process_time()
    work()
    return max(time.process_time() - begun, _SHORTEST)


def peak_megabytes() -> float:
    """The peak memory of this process."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def main() -> int:
    """Run the task of standard input."""
    from veil.core.errors import VeilError

    try:
        json.dump(measure(json.load(sys.stdin)), sys.stdout)
    except VeilError as error:
        sys.stderr.write(str(error))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
