"""Training from several seeds side by side, in processes of their own."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TYPE_CHECKING

from veil.core.errors import InputError
from veil.detect.linear.dropout import DropoutSettings, Examples, train_dropout

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from veil.detect.linear.chain import Floats, Transitions

    Run = tuple[Floats, Transitions]

_received: list[Examples] = []


def train_seeds(
    examples: Examples,
    settings: Sequence[DropoutSettings],
    *,
    workers: int,
    report: Callable[[int, float], None] | None = None,
) -> list[Run]:
    """Train once with each of the settings; the result is the same whatever the number of workers.

    With several workers the first run is this process's own, so that `report` hears of it alone.
    """
    helpers = min(workers, len(settings)) - 1
    if helpers < 1:
        return [train_dropout(examples, each, report) for each in settings]
    with ProcessPoolExecutor(
        helpers, mp_context=get_context("spawn"), initializer=_receive, initargs=(examples,)
    ) as pool:
        others = [pool.submit(_train, each) for each in settings[1:]]
        try:
            first = train_dropout(examples, settings[0], report)
            return [first, *(run.result() for run in others)]
        except BrokenProcessPool:
            raise InputError(
                "a process that trained beside this one was ended, perhaps for lack of memory; "
                "train with one worker"
            ) from None


def _receive(examples: Examples) -> None:
    _received.append(examples)


def _train(settings: DropoutSettings) -> Run:
    return train_dropout(_received[0], settings)
