"""Masking through pipes as a user calls it: the same as with files, and nothing left behind."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

NOTE = "Patient Anna Lindgren was seen by Dr. Okafor on 3/5/2019."
PATIENT = {
    "resourceType": "Patient",
    "id": "p1",
    "name": [{"family": "Lindgren", "given": ["Anna"]}],
    "photo": [{"contentType": "image/png", "data": "AAAA"}],
}
DOCUMENT = {
    "resourceType": "DocumentReference",
    "id": "d1",
    "subject": {"reference": "Patient/p1"},
    "content": [
        {
            "attachment": {
                "contentType": "text/plain",
                "data": base64.b64encode(NOTE.encode()).decode(),
            }
        }
    ],
}


def command(*args: object) -> list[str]:
    options = ("--workers", 1, "--lang", "en")
    return [sys.executable, "-m", "veil", "mask", *map(str, (*args, *options))]


def mask(
    *args: object, stdin: bytes = b"", keep_open: tuple[int, ...] = ()
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        command(*args), input=stdin, capture_output=True, check=False, pass_fds=keep_open
    )


def bundle(indent: int | None) -> bytes:
    entries = [{"resource": each} for each in (PATIENT, DOCUMENT)]
    whole = {"resourceType": "Bundle", "type": "collection", "entry": entries}
    return json.dumps(whole, indent=indent).encode()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.json", bundle(1)),
        ("x.json", bundle(None)),
        ("x.ndjson", b"\n".join(json.dumps(each).encode() for each in (PATIENT, DOCUMENT))),
    ],
)
def test_fhir_in_a_pipe(name: str, data: bytes, tmp_path: Path) -> None:
    """A bundle or a bulk export is masked as in a file, its attachments too."""
    file = tmp_path / name
    file.write_bytes(data)
    piped, from_file = mask("-", "-o", "-", "-q", stdin=data), mask(file, "-o", "-", "-q")
    assert (piped.returncode, piped.stderr) == (0, b"")
    assert piped.stdout == from_file.stdout
    assert b"Lindgren" not in piped.stdout
    assert base64.b64encode(b"Patient [PATIENT-1] was seen by Dr.")[:40] in piped.stdout


def test_a_table_in_a_pipe() -> None:
    """With a column of texts a table is masked in place."""
    done = mask("-", "-o", "-", "--text-column", "note", stdin=b"who,note\nHale,Dr. Hale came.\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout == b"who,note\nHale,Dr. [DOCTOR-1] came.\n"


@pytest.mark.parametrize(("source", "target"), [("-", "out.txt"), ("note.txt", "-")])
def test_pipes_cannot_be_resumed(source: str, target: str) -> None:
    """What came through a pipe is not there a second time: the option is refused."""
    done = mask(source, "-o", target, "--resume", stdin=NOTE.encode())
    assert done.returncode == 2
    assert b"--resume: this would have no effect or cannot work" in done.stderr


def test_json_of_no_known_kind_is_refused() -> None:
    """An array is not masked as if it were text: nothing is written."""
    done = mask("-", "-o", "-", stdin=b'[{"note": "Dr. Hale"}]')
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"format that Veil cannot read" in done.stderr
    assert b"Hale" not in done.stderr


def test_stand_ins_do_not_depend_on_open_files(tmp_path: Path) -> None:
    """The same text has the same stand-ins, and the same name, whatever else is open."""
    key = tmp_path / "my.key"
    key.write_text("a key that is long enough")
    key.chmod(0o600)
    call = ("-", "--policy", "surrogate", "--key-file", key, "-q")
    plain = mask(*call, "-o", "-", stdin=NOTE.encode())
    assert b"was seen by Dr." in plain.stdout
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(8)]
    try:
        other = mask(*call, "-o", "-", stdin=NOTE.encode(), keep_open=tuple(held))
    finally:
        for handle in held:
            os.close(handle)
    assert other.stdout == plain.stdout
    out = tmp_path / "out"
    assert mask(*call, "-o", f"{out}/", stdin=NOTE.encode()).returncode == 0
    assert [file.name for file in out.glob("*.txt")] == ["stdin.txt"]


@pytest.mark.parametrize(("closed", "message"), [(">&-", b"output"), ("<&-", b"input")])
def test_closed_streams(closed: str, message: bytes) -> None:
    """A closed stream is an error of one line."""
    call = ["sh", "-c", f'exec "$@" {closed}', "sh", *command("-", "-o", "-")]
    done = subprocess.run(call, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"veil: -: standard " + message + b" is closed")


def test_a_pipe_with_a_name(tmp_path: Path) -> None:
    """It is refused before anybody waits for it, with what to do instead."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = mask(pipe, "-o", "-")
    assert done.returncode == 2
    assert b"give - and pipe the text in" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_ended_runs_leave_nothing(number: signal.Signals, tmp_path: Path) -> None:
    """A run into a pipe that is ended leaves no text, and its key was never on the disk."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    line = json.dumps({"text": f"{NOTE} {'He slept well. ' * 3000}"}).encode() + b"\n"
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen(
        command("-", "-o", "-", "--policy", "surrogate"),
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as run:
        assert run.stdin is not None
        run.stdin.write(line * 60)
        run.stdin.close()
        while not [*temporary.rglob("journal.jsonl")]:
            assert run.poll() is None
            time.sleep(0.005)
        assert not [*temporary.rglob("key")]
        run.send_signal(number)
        assert run.wait() == 128 + number
        assert run.stderr is not None
        assert run.stderr.read() == b""
    assert not [*temporary.iterdir()]
