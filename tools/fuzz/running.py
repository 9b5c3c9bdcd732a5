"""One run of a case: `veil mask` in a separate process, and its failures."""

from __future__ import annotations

import csv
import gc
import json
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.fuzz.checks import Content, find_plants, read_content
from tools.fuzz.notes import make_note
from tools.fuzz.plants import LANGUAGES

from veil.cli import main
from veil.detect import assembly
from veil.masking import stream as masking_stream
from veil.replace.policy import KEEP, load_policy

if TYPE_CHECKING:
    from tools.fuzz.inputs import Case
    from tools.fuzz.plants import Plant

CRASHES, HANGS, LOST, PASSED, PLANTED, INVALID = (
    *("crashes", "hangs", "lost", "passed through", "planted found", "invalid output"),
)
FAULTS = (CRASHES, HANGS, LOST, PASSED, PLANTED, INVALID)
_CRASH = re.compile(r"internal error|Traceback|failed \(\w+\)")
_SUMMARY = re.compile(r"([\d,]+) record\(s\) masked, [\d,]+ spans found, ([\d,]+) withheld")
# Messages about a file, not about one of its records.
_FILE = re.compile(r"^veil: (?!report: |no record has |.*, record ).*\.\w+: ", re.MULTILINE)
_ALL_DONE = "no interrupted run to continue"
_REPORT = "veil-report.json"
_WARM = 16
_OWN = ("in", "key", "passphrase", "known.csv")


@dataclass
class Outcome:
    """The outcome of a case: counts, and faults with the place of each, without any text."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[str, str]] = field(default_factory=list)

    def fault(self, kind: str, place: str, count: int = 1) -> None:
        self.counts[kind] += count
        self.faults.append((kind, place))


@dataclass(frozen=True)
class _Ended:
    """How a process ended; `code` is None if it was killed."""

    code: int | None
    seconds: float
    is_hung: bool
    stdout: bytes
    stderr: bytes

    @property
    def messages(self) -> str:
        return self.stderr.decode("utf-8", "replace")


def prepare(folder: Path) -> None:
    """Load everything that runs need, for all processes forked from this one."""
    assembly.load_detector = cache(assembly.load_detector)  # type: ignore[attr-defined]
    rng = random.Random(0)  # noqa: S311 - no secret
    notes = [make_note(rng, language) for language in LANGUAGES for _ in range(_WARM)]
    source, target = folder / "notes.jsonl", folder / "masked.jsonl"
    source.write_text("".join(json.dumps({"text": note.text}) + "\n" for note in notes))
    main(["mask", str(source), "-o", str(target), "--policy", "surrogate", "--workers=1", "-q"])
    import_module("pyarrow.parquet")
    gc.freeze()


def run_case(case: Case, folder: Path, limit: float) -> Outcome:
    """Run a case in a folder and judge it."""
    rng = random.Random(f"{case.seed}/{case.number}/run")  # noqa: S311 - no secret
    call = _Call(case, folder, rng, limit)
    outcome = Outcome(Counter(records=case.size, runs=1))
    ended = call.run("out")
    _judge(case, call, ended, outcome)
    if case.is_killed and ended.code in (0, 1) and "-" not in (call.source, call.target("out")):
        _kill_and_resume(call, ended, rng, outcome)
    _search(case, folder, outcome)
    return outcome


class _Call:
    """The command line of a case, and the files that it names."""

    def __init__(self, case: Case, folder: Path, rng: random.Random, limit: float) -> None:
        self.case, self.folder, self._limit = case, folder, limit
        inputs = folder / "in"
        for name, data in case.files.items():
            file = inputs / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        (folder / "tmp").mkdir()
        (folder / "key").write_text("a key that is the same in every run of the fuzzer\n")
        (folder / "key").chmod(0o600)
        (folder / "passphrase").write_text("correct horse\n")
        self._write_known()
        first = next(iter(case.files))
        self.stdin = case.files[first] if case.format == "stdin" else b""
        self.alone = case.format == "stdin" or (len(case.files) == 1 and rng.random() < 0.5)
        self.suffix = Path(first).suffix
        self.source = (
            "-" if case.format == "stdin" else str(inputs / first if self.alone else inputs)
        )
        self._to_stdout = self.alone and rng.random() < (0.7 if case.format == "stdin" else 0.1)

    def _write_known(self) -> None:
        if not self.case.known:
            return
        with (self.folder / "known.csv").open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file)
            table.writerow(["record", "patient", "name"])
            for (kind, name), known in self.case.known.items():
                table.writerow([*(("", name) if kind == "patient" else (name, "")), known])

    def target(self, out: str) -> str:
        if self._to_stdout:
            return "-"
        return str(self.folder / out / f"masked{self.suffix}" if self.alone else self.folder / out)

    def written(self, out: str, name: str, ended: _Ended) -> bytes | None:
        """The output of the run for an input file."""
        if self._to_stdout:
            return ended.stdout or None
        file = Path(self.target(out)) if self.alone else self.folder / out / name
        return file.read_bytes() if file.is_file() else None

    def report(self, out: str) -> Path | None:
        if self._to_stdout:
            return None
        target = Path(self.target(out))
        return target.with_name(f"{target.name}.{_REPORT}") if self.alone else target / _REPORT

    def run(self, out: str, *extra: str, kill_after: float | None = None) -> _Ended:
        case, folder = self.case, self.folder
        arguments = ["mask", self.source, "-o", self.target(out), "--policy", case.policy]
        arguments += [*case.options, "--workers", str(case.workers)]
        arguments += ["--key-file", str(folder / "key"), *extra]
        if case.known:
            arguments += ["--known", str(folder / "known.csv")]
        if case.has_mapping:
            arguments += ["--mapping", str(folder / f"{out}.mapping")]
            arguments += ["--passphrase-file", str(folder / "passphrase")]
        if self.alone and not self._to_stdout:
            (folder / out).mkdir(exist_ok=True)
        return self._fork(arguments, kill_after)

    def _fork(self, arguments: list[str], kill_after: float | None) -> _Ended:
        streams = [self.folder / name for name in ("stdin", "stdout", "stderr")]
        streams[0].write_bytes(self.stdin)
        sys.stdout.flush()
        sys.stderr.flush()
        started = time.monotonic()
        child = os.fork()
        if not child:
            self._mask(arguments, streams)
        limit = self._limit if kill_after is None else kill_after
        status = _wait(child, limit)
        seconds = time.monotonic() - started
        streams[0].unlink()
        stdout, stderr = (stream.read_bytes() for stream in streams[1:])
        code = None if status is None else os.waitstatus_to_exitcode(status)
        is_hung = status is None and kill_after is None
        return _Ended(code, seconds, is_hung, stdout, stderr)

    def _mask(self, arguments: list[str], streams: list[Path]) -> None:
        """Mask in the child process; never return."""
        code = 70
        try:
            os.setsid()
            for number, stream in enumerate(streams):
                flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
                os.dup2(os.open(stream, flags, 0o600), number)
            os.environ["TMPDIR"] = str(self.folder / "tmp")
            tempfile.tempdir = None
            if self.case.batch:
                masking_stream.CHARACTERS_AT_ONCE = self.case.batch
            code = main(arguments)
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 70
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)


def _wait(child: int, limit: float) -> int | None:
    """Wait for a process and return its status; kill it and its children after the limit."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.003)
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _judge(case: Case, call: _Call, ended: _Ended, outcome: Outcome) -> None:
    if ended.is_hung:
        outcome.fault(HANGS, f"after {ended.seconds:.0f} s")
        return
    if ended.code not in (0, 1, 2) or _CRASH.search(ended.messages):
        outcome.fault(CRASHES, f"exit code {ended.code}: {_reason(ended.messages)}")
    summary = _SUMMARY.search(ended.messages)
    masked, withheld = (
        (int(each.replace(",", "")) for each in summary.groups()) if summary else (0, 0)
    )
    outcome.counts.update(masked=masked, withheld=withheld, refused=int(ended.code == 2))
    if ended.code == 2:
        if any(call.folder.glob("out/**/.*veil-mask/journal.jsonl")):
            outcome.fault(CRASHES, "a run was rejected after it had begun")
        return
    report = _read_report(call.report("out"), outcome)
    for name, data in case.files.items():
        before = read_content(name, data)
        written = call.written("out", name, ended)
        after = read_content(name, written) if written is not None else None
        _compare(case, name, before, after, outcome)
        missing = before.count - (after.count if after else 0)
        if report is None:
            is_told = _FILE.search(ended.messages) or missing <= withheld
        else:
            reasons = [each for each in report if call.alone or each["file"] == name]
            is_told = missing <= len(reasons) or any(each["record"] is None for each in reasons)
        if 0 < missing and not is_told:
            outcome.fault(LOST, f"{missing} of {_shown(name)}", missing)


def _reason(messages: str) -> str:
    found = _CRASH.search(messages)
    return messages[found.start() : found.end() + 60].partition("\n")[0] if found else "no message"


def _shown(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()


def _read_report(path: Path | None, outcome: Outcome) -> list[dict[str, Any]] | None:
    """The withheld records of the report; report the crashes among them."""
    if path is None:
        return None
    try:
        report = json.loads(path.read_bytes())
        withheld: list[dict[str, Any]] = report["withheld"]
    except (OSError, ValueError, KeyError):
        outcome.fault(INVALID, "the report")
        return []
    skipped = report.get("skipped", {}).get("listed", ())  # hidden files
    withheld += [{"file": name, "record": None, "reason": "skipped"} for name in skipped]
    for each in withheld:
        if _CRASH.search(each["reason"]):
            outcome.fault(CRASHES, each["reason"])
    return withheld


def _compare(
    case: Case, name: str, before: Content, after: Content | None, outcome: Outcome
) -> None:
    if after is None:
        return
    # A broken table stays broken; records that other formats accept are written in valid form. A
    # text whose encoding is detected keeps it.
    may_stay = name.endswith((".csv", ".tsv")) or "--encoding" in case.options
    if not after.is_valid and (before.is_valid or not may_stay):
        outcome.fault(INVALID, _shown(name))
    plants = _counted(case)
    for record, text in after.texts.items():
        if text and before.texts.get(record) == text and any(each.value in text for each in plants):
            outcome.fault(PASSED, f"a record of {_shown(name)}")


def _counted(case: Case) -> list[Plant]:
    """The plants that the policy removes."""
    policy = load_policy(case.policy)
    return [each for each in case.plants if policy.action(each.label).name != KEEP]


def _kill_and_resume(call: _Call, whole: _Ended, rng: random.Random, outcome: Outcome) -> None:
    """Kill a second run, search its output, and compare the output after it is resumed."""
    outcome.counts["runs"] += 2
    killed = call.run("again", kill_after=whole.seconds * rng.uniform(0.3, 1.0))
    if killed.code is None:
        _search(call.case, call.folder, outcome)
        ended = call.run("again", "--resume")
        if ended.code != whole.code and _ALL_DONE not in ended.messages:
            outcome.fault(INVALID, f"exit code {ended.code} of the resumed run")
    for name in call.case.files:
        if call.written("out", name, whole) != call.written("again", name, whole):
            outcome.fault(INVALID, f"{_shown(name)} differs after --resume")


def _search(case: Case, folder: Path, outcome: Outcome) -> None:
    """Search all output and messages of a run for planted identifiers."""
    plants = _counted(case)
    for file in sorted(folder.rglob("*")):
        place = file.relative_to(folder)
        if place.parts[0] in _OWN or not file.is_file():
            continue
        for each in find_plants(file.read_bytes(), plants):
            outcome.fault(PLANTED, f"{each.label} in {_shown(str(place))}")


def keep(folder: Path, target: Path) -> None:
    """Keep the files of a case for inspection."""
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(folder, target, symlinks=True)
