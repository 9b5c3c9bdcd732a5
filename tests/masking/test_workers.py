from __future__ import annotations

import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from veil import Document, InputError
from veil.detect.assembly import DetectionOptions, rules_pipeline
from veil.masking import pool
from veil.masking.pool import Pool
from veil.masking.run import MaskerPlan, masker_plan
from veil.masking.stream import Done, Refused, mask_items
from veil.replace.secret import Key

if TYPE_CHECKING:
    from collections.abc import Callable

    from veil.masking.run import MaskJob

KEY = Key(b"a key for tests alone")


def doc(name: str, text: str) -> Document:
    return Document(name, text)


def test_an_item_of_which_one_text_fails_is_withheld(job: MaskJob) -> None:
    """Texts that are written together are withheld together; the others are masked."""
    masker = masker_plan(job, KEY).make()
    items = [
        (doc("a1", "Okafor of Lugo"), doc("a2", "Hale")),
        (doc("b1", "Okafor"), doc("b2", "Hexenschuss")),
        (),
    ]
    first, second, third = mask_items(masker, items)
    assert isinstance(first, Done)
    assert first.texts == ("[PATIENT-1] of [CITY-1]", "[DOCTOR-1]")
    assert [found.label for found in first.found] == ["PATIENT", "CITY", "DOCTOR"]
    assert {found.source for found in first.found} == {"words"}
    assert [(each.record, each.start, each.end) for each in first.doubtful] == [("a1", 15, 23)]
    assert first.masked == ()
    assert second == Refused("b2", "withheld: detector words failed (ValueError)")
    assert isinstance(third, Done)
    assert third.texts == ()


def test_what_leads_back_comes_if_it_is_asked_for(job: MaskJob) -> None:
    """The edits are there for a mapping, and only for one."""
    (done,) = mask_items(masker_plan(job, KEY).make(), [(doc("a", "Hale"),)], with_masked=True)
    assert isinstance(done, Done)
    assert [edit.old for masked in done.masked for edit in masked.edits] == ["Hale"]


def test_what_a_policy_keeps_is_counted(job: MaskJob, tmp_path: Path) -> None:
    """A span that stays as it is counts under the action keep."""
    policy = tmp_path / "mine.toml"
    policy.write_text('default = "tag"\n[labels]\nCITY = "keep"\n')
    masker = MaskerPlan(job.detection.load, policy, KEY, True).make()
    (done,) = mask_items(masker, [(doc("a", "Hale in Lugo"),)])
    assert isinstance(done, Done)
    assert {found.label: found.action for found in done.found} == {"DOCTOR": "tag", "CITY": "keep"}
    assert done.texts == ("[DOCTOR-1] in Lugo",)


@pytest.mark.parametrize("count", [1, 2])
def test_workers_keep_the_order(count: int) -> None:
    """One process and two give the same results in the same order."""
    plan = MaskerPlan(partial(rules_pipeline, "en"), "tag", KEY, True)
    batches = [[f"Seen by Dr. Hale, {number} times."] * (number % 3) for number in range(9)]
    with Pool(plan.load, count) as workers:
        workers.wait()
        found = list(workers.map(batches, lambda batch: [(doc("a", text),) for text in batch]))
    assert [batch for batch, _ in found] == batches
    for batch, results in found:
        masked = [text.replace("Hale", "[DOCTOR-1]") for text in batch]
        assert [each.texts[0] for each in results if isinstance(each, Done)] == masked


@pytest.mark.parametrize("count", [1, 2])
def test_what_is_wrong_with_the_set_up_is_told_at_once(count: int, tmp_path: Path) -> None:
    """A pipeline that cannot be made is an error before anything is masked."""
    load = partial(rules_pipeline, "en", own_rules=tmp_path / "nowhere")
    plan = MaskerPlan(load, "tag", KEY, True)
    with Pool(plan.load, count) as workers, pytest.raises(InputError, match="no such folder of"):
        workers.wait()


def _double(number: int) -> int:
    return 2 * number


@pytest.mark.parametrize("can_fork", [True, False])
def test_forked_and_new_processes_do_the_same(
    can_fork: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a fork is not safe, each worker is a new process; the results are the same."""
    monkeypatch.setattr(pool, "_can_fork", lambda: can_fork)
    with Pool(load_double, 2) as workers:
        workers.wait(lambda: 1)
        assert list(workers.map(range(5), int)) == [(number, 2 * number) for number in range(5)]


def load_double() -> Callable[[int], int]:
    return _double


def test_a_process_with_threads_is_not_forked() -> None:
    """A thread may hold a lock that the copy of the process would wait for forever."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert not pool._can_fork()
    finally:
        done.set()
        thread.join()


_ENDED = """
import os, signal, time
from veil.masking.pool import Pool

with Pool(lambda: len, 2) as pool:
    pool.wait()
    print(*(worker._process.pid for worker in pool._workers), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
def test_forked_workers_end_with_their_parent() -> None:
    """A worker does not outlive a run that was killed, whose memory it shares."""
    run = subprocess.run([sys.executable, "-c", _ENDED], capture_output=True, text=True)
    processes = [Path("/proc", pid, "cmdline") for pid in run.stdout.split()]
    assert len(processes) == 2
    for _ in range(100):
        # Of a process that was not collected by its parent yet the command line is empty.
        if not any(path.exists() and path.read_bytes() for path in processes):
            return
        time.sleep(0.1)
    pytest.fail("a worker goes on")


def test_labels_of_another_scheme_become_veils(small_model: Path) -> None:
    """A model that speaks MEDDOCAN is masked by a policy that speaks Veil's labels."""
    options = DetectionOptions(model=small_model)
    plan = MaskerPlan(partial(options.load, veil_labels=True), "tag", KEY, True)
    text = "Nombre: Ana Ruiz.\nFecha de ingreso: 11/03/2018.\nDomicilio: Lugo.\n"
    (done,) = mask_items(plan.make(), [(doc("a", text),)])
    assert isinstance(done, Done)
    assert "Ana" not in done.texts[0]
    assert "[PATIENT-1]" in done.texts[0]
