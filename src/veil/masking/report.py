"""The report of a run: what was done, with what, how much may leak, and a seal over all files.

It contains names of files and records, labels, offsets and numbers, but no text of a record. Its
lists are streamed from the journal, so that even a long report needs little memory.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from functools import partial
from itertools import islice
from math import ceil, lgamma, log, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from veil.io import whole_file
from veil.masking.journal import DOUBTFUL_BELOW, SHOWN, ChangedValue, now
from veil.masking.plan import KEYED
from veil.masking.verdict import count_reasons, leak_sentence, verdict_of, with_paths
from veil.models import describe
from veil.render import NO_TEXT_NOTICE, render_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from veil.detect.memory import CorpusMemory
    from veil.masking.journal import Finished, ListedSpan, Tally, Withheld, WorkFolder
    from veil.masking.run import Detection, MaskJob


def write_report(
    work: WorkFolder,
    facts: Mapping[str, Any],
    tally: Tally,
    job: MaskJob,
    memory: CorpusMemory | None = None,
) -> dict[str, Any]:
    """Write the report as JSON and as a page; return its verdict."""
    plan, journal = work.plan, work.journal
    head = _head(work, facts, tally, job, memory)
    reasons = count_reasons(each.reason for each in journal.withheld())
    verdict = verdict_of(head, reasons)
    head = {"verdict": verdict, **head}

    def files() -> Iterator[Finished]:
        return (each for entry in journal.entries() for each in entry.finished)

    lists = {
        "unsure_spans": map(_span_data, journal.unsure()),
        "withheld": map(withheld_data, journal.withheld()),
        "files": map(file_data, files()),
    }
    _write(plan.report(".json"), json_pieces(head, lists))
    page = report_page(
        plan.output.name,
        head,
        [withheld_data(each) for each in islice(journal.withheld(), SHOWN)],
        [file_data(each) for each in islice(files(), SHOWN)],
    )
    _write(plan.report(".html"), page)
    return verdict


def _write(path: Path, pieces: Iterable[str]) -> None:
    with whole_file(path) as file:
        for piece in pieces:
            # Bytes of a file name that are not UTF-8 are written as escapes.
            file.write(piece.encode("utf-8", "backslashreplace"))


def json_pieces(head: Mapping[str, Any], lists: Mapping[str, Iterable[Any]]) -> Iterator[str]:
    """Yield a JSON object piece by piece: a head, and lists with one element a line."""
    yield _json(head, indent=2).removesuffix("\n}")
    for name, elements in lists.items():
        yield f",\n  {json.dumps(name)}: ["
        between = "\n    "
        for element in elements:
            yield between + _json(element)
            between = ",\n    "
        yield "\n  ]" if between.startswith(",") else "]"
    yield "\n}\n"


def _json(data: Any, *, indent: int | None = None) -> str:
    """JSON in which control characters are escaped, except line breaks between values."""
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() or sign in "\n\u3000" else json.dumps(sign)[1:-1]
        for sign in text
    )


def _head(
    work: WorkFolder,
    facts: Mapping[str, Any],
    tally: Tally,
    job: MaskJob,
    memory: CorpusMemory | None,
) -> dict[str, Any]:
    own = (
        "policy",
        "detection",
        "models",
        "rules",
        "files",
        "rescan",
        "rename",
        "columns",
        "mapping",
    )
    return {
        "veil": facts["veil"],
        "times": {"started": work.started, "ended": now()},
        **{("given" if name == "files" else name): facts[name] for name in own},
        "models": used_models(facts["models"], tally, job.detection),
        "applied_review": facts.get("applied_review"),
        "key": {"fingerprint": facts["key"], "made_for_this_run": job.key is None},
        "input": facts["input"],
        "encodings": dict(sorted(tally.encodings.items())),
        "skipped": _skipped(work),
        "records": {
            "masked": tally.records,
            "withheld": tally.withheld,
            "files_withheld": tally.withheld_files,
            "characters": tally.characters,
            "by_language": dict(sorted((+tally.languages).items())),
            **({"with_known_values": tally.known} if job.detection.is_known else {}),
        },
        "spans": {
            "found": tally.found,
            "by_label": tally.count_by("label"),
            "by_action": tally.count_by("action"),
            "by_detector": tally.count_by("source"),
        },
        "review": {
            "score_below": DOUBTFUL_BELOW,
            "found": tally.doubtful,
            "by_label": _by_label(work.journal.unsure()),
        },
        "memory": None if memory is None else _memory_data(memory, tally),
        "clinical_values": {
            "found": tally.values,
            "changed": tally.changed_values,
            "listed": [
                dict(zip(("file", *ChangedValue._fields[1:]), each, strict=True))
                for each in tally.changed
            ],
        },
        "leak": expected_leak(tally, job.detection),
        "sample": {
            "records": tally.records,
            "size": sample_size(tally.records),
            "bounds_share": WANTED_SHARE,
            "confidence": CONFIDENCE,
        },
        "seal": _seal(work),
    }


def used_models(
    models: Sequence[Mapping[str, Any]], tally: Tally, detection: Detection
) -> list[Mapping[str, Any]]:
    """The models that were used: the model of each language of the records, or the named one."""
    used = set(+tally.languages)
    return [model for model in models if "model" in detection.settings or model["language"] in used]


def _by_label(spans: Iterable[ListedSpan]) -> dict[str, int]:
    counts = Counter(span.label for span in spans)
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _span_data(span: ListedSpan) -> dict[str, Any]:
    return {
        "file": span.path,
        "record": span.record,
        "start": span.start,
        "end": span.end,
        "label": span.label,
        "score": span.score,
    }


def _memory_data(memory: CorpusMemory, tally: Tally) -> dict[str, Any]:
    return {
        "entries": memory.entry_counts(),
        "evidence": {str(records): count for records, count in memory.evidence_counts().items()},
        "found": tally.count_by("source").get(memory.name, 0),
        "listed": len(tally.remembered),
        "spans": list(map(_span_data, tally.remembered)),
    }


def _skipped(work: WorkFolder) -> dict[str, Any]:
    hidden = work.plan.hidden()
    listed = list(islice(hidden, SHOWN))
    count = len(listed) + sum(1 for _ in hidden)
    # If files are renamed, the report must not contain their names.
    return {"hidden": count, "listed": [] if work.plan.naming_key else listed}


def _seal(work: WorkFolder) -> dict[str, Any]:
    digest = hashlib.sha256()
    count = 0
    for entry in work.journal.entries():
        for each in entry.finished:
            digest.update(seal_line(file_data(each)))
            count += 1
    return {"algorithm": "sha256", "inputs": KEYED, "digest": digest.hexdigest(), "files": count}


def seal_line(file: Mapping[str, Any]) -> bytes:
    """The line of a file from which the digest of the seal is computed."""
    return f"{file['input']} {file['output']} {file['path']}\n".encode(errors="backslashreplace")


def file_data(file: Finished) -> dict[str, Any]:
    return {
        "path": file.path,
        "input": file.input,
        "output": file.output,
        "bytes": file.size,
        "items": file.items,
    }


def withheld_data(withheld: Withheld) -> dict[str, Any]:
    return {"file": withheld.path, "record": withheld.record, "reason": withheld.reason}


def report_page(
    name: str,
    head: Mapping[str, Any],
    withheld: Sequence[Mapping[str, Any]],
    files: Sequence[Mapping[str, Any]],
) -> Iterator[str]:
    """Yield the page piece by piece; `withheld` and `files` may be the start of long lists."""
    return render_page(
        "masking_report",
        title=f"Report on {name}",
        notice=NO_TEXT_NOTICE,
        head=head,
        withheld=withheld,
        files=files,
        made_with=list(_made_with(head)),
        command=partial(with_paths, masked=name),
        leak_sentence=leak_sentence,
    )


def _made_with(head: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    key = head["key"]
    origin = "made for this run and not kept" if key["made_for_this_run"] else "from a key file"
    settings = ", ".join(f"{name} = {value}" for name, value in head["detection"].items())
    yield "Veil", head["veil"]
    yield "started, ended", f"{head['times']['started']}, {head['times']['ended']}"
    yield "key", f"{key['fingerprint']} ({origin})"
    yield "detection", settings or "Veil's defaults"
    yield "masked text searched and scanned again", "yes" if head["rescan"] else "searched only"
    yield "rules and word lists", head["rules"]
    yield from head["given"].items()
    for model in head["models"]:
        for file, digest in model["files"].items():
            yield f"{model['name']}, {file}", digest


HIGH = "high"


def expected_leak(tally: Tally, detection: Detection) -> dict[str, Any]:
    """The expected leak for the records of each language; None if it was not measured."""
    found = tally.count_by("language")
    return {
        "confidence": CONFIDENCE,
        "languages": {
            language: _of_language(language, found.get(language, 0), detection)
            for language in sorted(tally.languages)
        },
    }


def _of_language(language: str, found: int, detection: Detection) -> dict[str, Any] | None:
    measured = [_leak(each, found) for each in _measured(language, detection)]
    if not measured:
        return None
    # If several data sets were measured, the one with the highest leak counts.
    worst = max(measured, key=lambda each: (each["share"], each["high"]))
    high = [
        _leak(each, found)
        for each in _entries(language, detection)
        if _is_high(each) and each.get("data", "") == worst["measured_on"]
    ]
    return {"spans_found": found, **worst, "with_high_recall": high[0] if high else None}


def _measured(language: str, detection: Detection) -> Iterator[Mapping[str, Any]]:
    """The measurements in the cards of the language's models for the chosen recall, if any."""
    entries = list(_entries(language, detection))
    wants_high = detection.settings.get("recall") == HIGH
    return iter([entry for entry in entries if _is_high(entry) == wants_high] or entries)


def _entries(language: str, detection: Detection) -> Iterator[Mapping[str, Any]]:
    """All measurements of leaks in the cards of the language's models."""
    for folder in detection.models:
        info = describe(folder)
        if info.language == language:
            for entry in info.card.get("measured", ()):
                if entry.get("spans") and "leaked_spans" in entry:
                    yield entry


def _is_high(entry: Mapping[str, Any]) -> bool:
    return HIGH in entry.get("how", "")


def _leak(entry: Mapping[str, Any], found: int) -> dict[str, Any]:
    share = wilson(entry["leaked_spans"], entry["spans"])
    misses = [expected_misses(found, each) for each in share]
    expected = [None if each is None else round(each, 1) for each in misses]
    return {
        "measured_on": entry.get("data", ""),
        "measured_with": entry.get("how", ""),
        "records": entry.get("records"),
        "spans": entry["spans"],
        "leaked_spans": entry["leaked_spans"],
        "character_recall": entry.get("character_recall"),
        "character_precision": entry.get("character_precision"),
        "share": round(share.value, 6),
        "low": round(share.low, 6),
        "high": round(share.high, 6),
        "expected_leaks": expected[0],
        "expected_low": expected[1],
        "expected_high": expected[2],
    }


CONFIDENCE = 0.95
WANTED_SHARE = 0.01
# The quantile of the normal distribution for an interval of 95 %.
_Z = 1.959963984540054
# The logarithm of the significance level, with a margin for rounding.
_UNLIKELY = log(1 - CONFIDENCE) + 1e-6


class Share(NamedTuple):
    """A measured share with its 95 % interval."""

    value: float
    low: float
    high: float


def wilson(hits: int, trials: int) -> Share:
    """The interval of Wilson (1927), which is valid for rare events and few trials, too."""
    if trials <= 0:
        return Share(0.0, 0.0, 1.0)
    share = hits / trials
    scale = 1 + _Z**2 / trials
    middle = (share + _Z**2 / (2 * trials)) / scale
    half = _Z * sqrt(share * (1 - share) / trials + _Z**2 / (4 * trials**2)) / scale
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    return Share(share, low, 1.0 if hits == trials else min(1.0, middle + half))


def expected_misses(found: int, share: float) -> float | None:
    """How many spans are missed if `found` were found; unknown if the share is 1."""
    return found * share / (1 - share) if share < 1 else None


def sample_size(records: int, *, share: float = WANTED_SHARE) -> int:
    """The number of records to read: if none leaks, fewer than the share do, with 95 % confidence.

    If that share of records leaked, a sample of this size, drawn without replacement, would be
    clean in less than 5 % of all draws.
    """
    if records <= 0:
        return 0
    leaking = ceil(share * records)
    low, high = 0, records
    while low < high:
        middle = (low + high) // 2
        if _log_all_clean(records, leaking, middle) <= _UNLIKELY:
            high = middle
        else:
            low = middle + 1
    return low


def largest_leak(records: int, read: int) -> float:
    """The largest share of leaking records that is still likely if none that was read leaks."""
    low, high = 0, records - min(read, records)
    while low < high:
        middle = (low + high + 1) // 2
        if _UNLIKELY < _log_all_clean(records, middle, read):
            low = middle
        else:
            high = middle - 1
    return low / records if records else 0.0


def _log_all_clean(records: int, leaking: int, read: int) -> float:
    """The log probability that none of the records read is a leaking one."""
    clean = records - leaking
    if clean < read:
        return -float("inf")
    return (
        lgamma(clean + 1)
        - lgamma(clean - read + 1)
        - lgamma(records + 1)
        + lgamma(records - read + 1)
    )
