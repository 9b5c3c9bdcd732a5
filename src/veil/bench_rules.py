"""How fast the rules of a language are, and which of them take the time."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veil.detect.rules import RuleDetector, load_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from veil.core.document import Document

_SLOWEST_SHOWN = 8


@dataclass(frozen=True)
class RuleBenchmark:
    """What `run_rule_benchmark` measured; `slowest` are rules with nanoseconds a character."""

    language: str
    rules: int
    documents: int
    characters: int
    load_seconds: float
    characters_per_second: float
    slowest: tuple[tuple[str, float], ...]


def run_rule_benchmark(language: str, docs: Sequence[Document]) -> RuleBenchmark:
    """Measure the rules of a language on documents: all together, then one by one."""
    begun = time.perf_counter()
    detector = RuleDetector(language, rules=load_rules(language))
    loaded = time.perf_counter()
    detector.detect(docs[0])
    characters = sum(len(doc.text) for doc in docs)

    def seconds(work: Callable[[], object]) -> float:
        start = time.process_time()
        work()
        return time.process_time() - start

    together = seconds(lambda: detector.detect_many(docs))
    lowered = [(doc.text, doc.text.lower()) for doc in docs]
    # Fields and rules with starts are not searched for one by one.
    searched = [rule for rule in detector.rules if not rule.keys and not rule.has_starts]
    alone = {
        rule.name: seconds(lambda rule=rule: [list(rule.find(*texts)) for texts in lowered])  # type: ignore[misc]
        for rule in searched
    }
    slowest = sorted(alone.items(), key=lambda item: -item[1])[:_SLOWEST_SHOWN]
    return RuleBenchmark(
        language=language,
        rules=len(detector.rules),
        documents=len(docs),
        characters=characters,
        load_seconds=loaded - begun,
        characters_per_second=characters / together,
        slowest=tuple((name, taken / characters * 1e9) for name, taken in slowest),
    )


def format_rule_benchmark(result: RuleBenchmark) -> str:
    """The table that `veil bench --rules-only` prints."""
    lines = [
        f"{result.rules} rules for {result.language}: {result.documents} documents, "
        f"{result.characters:,} characters, one core",
        f"load {result.load_seconds:.2f} s",
        f"{result.characters_per_second:,.0f} characters per CPU second",
        "",
        "slowest of the patterns that are searched for, nanoseconds a character",
        *(f"  {name:38} {taken:8.1f}" for name, taken in result.slowest),
    ]
    return "\n".join(lines) + "\n"
