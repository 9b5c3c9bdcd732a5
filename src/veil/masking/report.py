"""The report of a run: what was done, by what, how sure it is, and a seal over all files.

It holds names of files and records, labels, offsets and numbers, and no text of a record. Its
lists are written as they come from the journal, so that it needs little memory whatever its length.
"""

from __future__ import annotations

import hashlib
import json
from itertools import islice
from typing import TYPE_CHECKING, Any

from veil.io import whole_file
from veil.masking.bounds import CONFIDENCE, WANTED_SHARE, sample_size
from veil.masking.hashing import KEYED
from veil.masking.leak import expected_leak
from veil.masking.report_page import report_page
from veil.masking.tally import DOUBTFUL_BELOW
from veil.masking.work import now

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from veil.masking.run import MaskJob
    from veil.masking.tally import Finished, Tally, Withheld
    from veil.masking.work import Work

SHOWN = 200
"""How many files and withheld records are listed where a person reads."""


def write_report(
    work: Work, facts: Mapping[str, Any], tally: Tally, job: MaskJob
) -> list[Withheld]:
    """Write the report as JSON and as a page; return the first of what was withheld."""
    head = _head(work, facts, tally, job)
    plan, journal = work.plan, work.journal

    def withheld() -> Iterator[Withheld]:
        return (each for entry in journal.entries() for each in entry.withheld)

    def files() -> Iterator[Finished]:
        return (each for entry in journal.entries() for each in entry.finished)

    lists = {
        "withheld": map(withheld_data, withheld()),
        "files": map(file_data, files()),
    }
    _write(plan.report(".json"), json_pieces(head, lists))
    shown = list(islice(withheld(), SHOWN))
    page = report_page(
        plan.output.name,
        head,
        [withheld_data(each) for each in shown],
        [file_data(each) for each in islice(files(), SHOWN)],
    )
    _write(plan.report(".html"), page)
    return shown


def _write(path: Path, pieces: Iterable[str]) -> None:
    with whole_file(path) as file:
        for piece in pieces:
            # A file name that is no UTF-8 is shown by its bytes.
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
    """JSON in which signs that a terminal would obey are escaped, line breaks of JSON apart."""
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    return "".join(
        sign if sign.isprintable() or sign in "\n\u3000" else json.dumps(sign)[1:-1]
        for sign in text
    )


def _head(work: Work, facts: Mapping[str, Any], tally: Tally, job: MaskJob) -> dict[str, Any]:
    own = ("policy", "detection", "models", "rules", "files", "rescan", "columns", "mapping")
    return {
        "veil": facts["veil"],
        "times": {"started": work.started, "ended": now()},
        **{("given" if name == "files" else name): facts[name] for name in own},
        "key": {"fingerprint": facts["key"], "made_for_this_run": job.key is None},
        "input": facts["input"],
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
            "listed": len(tally.lowest),
            "spans": [
                {
                    "file": each.place,
                    "record": each.record,
                    "start": each.start,
                    "end": each.end,
                    "label": each.label,
                    "score": each.score,
                }
                for each in tally.lowest
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


def _skipped(work: Work) -> dict[str, Any]:
    hidden = work.plan.hidden()
    listed = list(islice(hidden, SHOWN))
    return {"hidden": len(listed) + sum(1 for _ in hidden), "listed": listed}


def _seal(work: Work) -> dict[str, Any]:
    digest = hashlib.sha256()
    count = 0
    for entry in work.journal.entries():
        for each in entry.finished:
            digest.update(seal_line(file_data(each)))
            count += 1
    return {"algorithm": "sha256", "inputs": KEYED, "digest": digest.hexdigest(), "files": count}


def seal_line(file: Mapping[str, Any]) -> bytes:
    """What the digest of the seal is made from, a line a file."""
    return f"{file['input']} {file['output']} {file['path']}\n".encode(errors="backslashreplace")


def file_data(file: Finished) -> dict[str, Any]:
    return {
        "path": file.place,
        "input": file.input,
        "output": file.output,
        "bytes": file.size,
        "items": file.items,
    }


def withheld_data(withheld: Withheld) -> dict[str, Any]:
    return {"file": withheld.place, "record": withheld.record, "reason": withheld.reason}
