"""How fast masking is, and what its steps take."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veil.core.document import Record
from veil.detect.assembly import default_pipeline
from veil.masking.masker import Masker
from veil.replace.policy import load_policy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from veil.core.document import Document
    from veil.detect.pipeline import Outcome


@dataclass(frozen=True)
class MaskingBenchmark:
    """What `run_masking_benchmark` measured, in CPU seconds."""

    policy: str
    documents: int
    characters: int
    spans: int
    detecting: float
    replacing: float
    whole: float


def run_masking_benchmark(
    language: str | None, policy: str, docs: Sequence[Document]
) -> MaskingBenchmark:
    """Measure finding alone, replacing alone, and all that masking does, in this order.

    What is loaded when it is first needed was loaded before; the words of the texts are new to
    finding, and those of the stand-ins to the second look.
    """
    pipeline = default_pipeline(language)
    masker = Masker(pipeline, load_policy(policy))
    quick = Masker(pipeline, load_policy(policy), rescan=False)
    masker.mask_batch(docs[:1])

    def seconds(work: Callable[[], object]) -> float:
        start = time.process_time()
        work()
        return time.process_time() - start

    found: list[Outcome] = []
    detecting = seconds(lambda: found.extend(pipeline.detect_many(docs)))
    replacing = seconds(lambda: quick.mask_records(found))
    return MaskingBenchmark(
        policy=policy,
        documents=len(docs),
        characters=sum(len(doc.text) for doc in docs),
        spans=sum(len(outcome.spans) for outcome in found if isinstance(outcome, Record)),
        detecting=detecting,
        replacing=replacing,
        whole=seconds(lambda: list(masker.mask_many(docs))),
    )


def format_masking_benchmark(result: MaskingBenchmark) -> str:
    """The table that `veil bench --policy` prints."""

    def row(name: str, taken: float) -> str:
        return f"  {name:38} {result.characters / taken:12,.0f}"

    lines = [
        f"policy {result.policy}: {result.documents} documents, {result.characters:,} characters, "
        f"{result.spans:,} spans, one core",
        "",
        "characters per CPU second",
        row("finding", result.detecting),
        row("replacing what was found", result.replacing),
        row("all, with the second look", result.whole),
    ]
    return "\n".join(lines) + "\n"
