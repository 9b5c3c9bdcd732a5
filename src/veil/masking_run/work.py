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
from veil.masking_run.hashing import hash_file
from veil.masking_run.journal import NAME, Journal, Start
from veil.masking_run.keys import write_key
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from veil.masking_run.plan import Plan
    from veil.masking_run.tally import Entry

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
        self.journal.close()
        shutil.rmtree(self.plan.work)


def check_output(plan: Plan, *, resume: bool, overwrite: bool) -> bool:
    """Whether a run is to be taken up; refuse an output that is there already."""
    interrupted = (plan.work / NAME).is_file()
    if resume and interrupted:
        return True
    taken = plan.output.exists() if plan.alone else _is_used(plan.folder)
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


def _is_used(folder: Path) -> bool:
    return folder.is_dir() and any(folder.iterdir())


def begin(plan: Plan, facts: Mapping[str, Any], made_key: str | None) -> Work:
    """Make the work folder of a new run; a key that was made for it is kept there until its end."""
    if (plan.work / NAME).is_file():
        Journal.reopen(plan.work).close()  # refuses while another run is at work there
    if plan.work.exists():
        shutil.rmtree(plan.work)
    plan.folder.mkdir(parents=True, exist_ok=True)
    for suffix in (".json", ".html"):
        plan.report(suffix).unlink(missing_ok=True)
    plan.work.mkdir(mode=0o700)
    if made_key:
        write_key(plan.work / KEY, made_key)
    started = now()
    return Work(plan, Journal.create(plan.work, {**facts, "started": started}), started)


def take_up(plan: Plan, facts: Mapping[str, Any]) -> Work:
    """Open the work folder of an interrupted run, or say why it cannot go on."""
    journal = Journal.reopen(plan.work)
    try:
        header = journal.header()
        if header is None:
            raise InputError(
                f"{plan.output}: the interrupted run had not begun; begin anew with --overwrite"
            )
        _check_same(plan, header, facts)
        start = journal.rewind(
            lambda entry: _can_go_on(plan, entry), lambda entry: _is_there(plan, entry)
        )
        if start.position:
            with contextlib.suppress(FileNotFoundError):  # nothing of it was written
                os.truncate(plan.part(start.position.place), start.position.size)
    except BaseException:
        journal.close()
        raise
    return Work(plan, journal, header["started"], start)


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
    plain = json.loads(json.dumps(now))
    differing = [name for fact, name in _NAMES.items() if before.get(fact) != plain.get(fact)]
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


def _is_there(plan: Plan, entry: Entry) -> bool:
    """Whether all files that the entry calls finished are in their places."""
    return all(
        file.output is None or _has_hash(plan.folder / file.place, file.output)
        for file in entry.finished
    )


def _has_hash(path: Path, expected: str) -> bool:
    # A machine that lost its power may have the name of a file and not its bytes.
    return path.is_file() and hash_file(path) == expected


def now() -> str:
    """The time of the clock, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
