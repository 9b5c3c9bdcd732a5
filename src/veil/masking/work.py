"""The work folder of a run: begun, or taken up again where an interrupted run left it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from veil.core.errors import InputError
from veil.masking.hashing import HASHES, hash_file, hash_input
from veil.masking.journal import NAME, STARTED, Journal, Start
from veil.masking.plan import is_folder
from veil.replace.secret import Key, write_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from veil.masking.plan import Plan, PlannedFile
    from veil.masking.tally import Entry

KEY = "key"
# What the facts of a run are called where two runs differ.
_NAMES = {
    "veil": "Veil's version",
    "policy": "the policy",
    "detection": "the options of detection",
    "models": "the models",
    "rules": "Veil's rules",
    "files": "the table of known patients or the own rules",
    "rescan": "--no-rescan",
    "columns": "the columns",
    "key": "the key",
    "mapping": "--mapping",
    "input": "the input",
}


@dataclass
class Work:
    """The work folder of a run that may begin: its journal, and where it starts."""

    plan: Plan
    journal: Journal
    started: str
    start: Start = field(default_factory=Start)

    def remove(self) -> None:
        """Leave nothing of the run but its output and report."""
        shutil.rmtree(self.plan.work)
        self.journal.close()  # until now no other run may begin there


def check_output(plan: Plan, *, resume: bool, overwrite: bool) -> bool:
    """Whether a run is to be taken up; refuse an output that is there already, or being made."""
    interrupted = _is_interrupted(plan)
    if interrupted:
        Journal.open(plan.work).close()  # refuses while another run is at work there
    return _check_free(plan, interrupted=interrupted, resume=resume, overwrite=overwrite)


def _is_interrupted(plan: Plan) -> bool:
    journal = plan.work / NAME
    return journal.is_file() and journal.stat().st_size > 0


def _check_free(plan: Plan, *, interrupted: bool, resume: bool, overwrite: bool) -> bool:
    if resume and interrupted:
        return True
    taken = plan.output.exists() if plan.alone else _is_used(plan)
    if overwrite or not (taken or interrupted):
        return False
    if resume:
        raise InputError(f"{plan.output}: no interrupted run to go on with; give --overwrite")
    if interrupted:
        raise InputError(
            f"{plan.output}: holds an interrupted run; go on with --resume, or begin anew with "
            "--overwrite"
        )
    raise InputError(f"{plan.output}: exists already; choose another or give --overwrite")


def _is_used(plan: Plan) -> bool:
    return plan.folder.is_dir() and any(path != plan.work for path in plan.folder.iterdir())


def begin(
    plan: Plan, facts: Mapping[str, Any], made_key: str | None, *, overwrite: bool = False
) -> Work:
    """Make the work folder of a new run; a key that was made for it is kept there until its end."""
    plan.work.parent.mkdir(parents=True, exist_ok=True)
    plan.work.mkdir(mode=0o700, exist_ok=True)
    journal = Journal.open(plan.work, create=True)  # refuses while another run is at work there
    try:
        _check_still_free(plan, overwrite=overwrite)
        _clear(plan.work)
        for suffix in (".json", ".html"):
            plan.report(suffix).unlink(missing_ok=True)
        if made_key:
            write_key(plan.work / KEY, made_key)
        started = now()
        journal.begin({**facts, STARTED: started})
    except BaseException:
        journal.close()
        raise
    return Work(plan, journal, started)


def _check_still_free(plan: Plan, *, overwrite: bool) -> None:
    """Refuse an output that another run has filled since this one looked."""
    interrupted = _is_interrupted(plan)
    try:
        _check_free(plan, interrupted=interrupted, resume=False, overwrite=overwrite)
    except InputError:
        if not interrupted:
            shutil.rmtree(plan.work)  # made by this run
        raise


def _clear(work: Path) -> None:
    """Remove what an earlier run left in its work folder; the journal is written anew."""
    for path in work.iterdir():
        if is_folder(path):
            shutil.rmtree(path)
        elif path.name != NAME:
            path.unlink()


def take_up(plan: Plan, facts: Mapping[str, Any], key: Key) -> Work:
    """Open the work folder of an interrupted run, or say why it cannot go on."""
    journal = Journal.open(plan.work)
    try:
        header = journal.header()
        if header is None:
            raise InputError(
                f"{plan.output}: the interrupted run had not begun; begin anew with --overwrite"
            )
        _check_same(plan, header, facts)
        files = plan.files()
        start = journal.rewind(
            lambda entry: _can_go_on(plan, entry), lambda entry: _is_there(plan, key, entry, files)
        )
        if start.position:
            with contextlib.suppress(FileNotFoundError):  # nothing of it was written
                os.truncate(plan.part(start.position.place), start.position.size)
    except BaseException:
        journal.close()
        raise
    return Work(plan, journal, header[STARTED], start)


def kept_key(plan: Plan) -> Key:
    """The key that was made for an interrupted run."""
    file = plan.work / KEY
    if not file.is_file():
        raise InputError(
            f"{plan.output}: the interrupted run had a key of yours; give it with --key-file"
        )
    return Key.read(file)


def _check_same(plan: Plan, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse to go on where the rest of the output would not fit what is there."""
    if HASHES not in before:
        raise InputError(
            f"{plan.output}: the interrupted run is of an earlier version of Veil; begin anew with "
            "--overwrite"
        )
    plain = json.loads(json.dumps(now))
    differing = [name for fact, name in _NAMES.items() if before.get(fact) != plain.get(fact)]
    if _NAMES["key"] in differing:  # with another key all keyed hashes differ
        differing = [name for name in differing if name not in (_NAMES["files"], _NAMES["input"])]
    if differing:
        raise InputError(
            f"{plan.output}: cannot go on, since this differs from the interrupted run: "
            f"{', '.join(differing)}; give the same, or begin anew with --overwrite"
        )


def _can_go_on(plan: Plan, entry: Entry) -> bool:
    position = entry.position
    if position is None:
        return True
    part = plan.part(position.place)
    if not position.resumable:
        return False
    size = part.stat().st_size if part.is_file() else 0
    return position.size <= size


def _is_there(plan: Plan, key: Key, entry: Entry, files: Iterator[PlannedFile]) -> bool:
    """Whether all files that the entry calls finished are in their places, made of what is there.

    `files` are those of the plan that come after the entries before.
    """
    return all(
        done.place == file.place
        and _has_input(key, file, done.input)
        and _has_hash(plan.folder / done.place, done.output)
        for done, file in zip(entry.finished, files, strict=False)
    )


def _has_input(key: Key, file: PlannedFile, expected: str | None) -> bool:
    return expected is None or (
        file.source.is_file() and hash_input(key, file.place, file.source) == expected
    )


def _has_hash(path: Path, expected: str | None) -> bool:
    # A machine that lost its power may have the name of a file and not its bytes.
    return expected is None or (path.is_file() and hash_file(path) == expected)


def now() -> str:
    """The time of the clock, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
