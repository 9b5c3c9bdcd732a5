"""Time of masking texts that are designed to take long, compared with normal text."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from functools import cache, partial
from itertools import accumulate, count, cycle, islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from veil.bench.process import peak_megabytes
from veil.core.document import Document
from veil.core.errors import InputError, RecordError
from veil.core.toml import read_toml
from veil.detect.assembly import default_pipeline
from veil.masking.masker import Masker
from veil.replace.policy import load_policy
from veil.synth.notes import dummy_records, synth_languages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection

_SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()
_WIDTH = 36
_KANJI = "山田川中村本木林高野上原松井小佐藤伊東西南北石"


def _name(number: int) -> str:
    """A capitalised word that no other number has."""
    word = ""
    number += len(_SYLLABLES)
    while number:
        number, syllable = divmod(number, len(_SYLLABLES))
        word += _SYLLABLES[syllable]
    return word.capitalize()


# Each is repeated with 0, 1, 2 ... until the text is long enough.
_NUMBERED: dict[str, Callable[[int], str]] = {
    "distinct names": lambda n: f"{_name(n)} ",
    "distinct names, a line each": lambda n: f"{_name(n)}\n",
    "distinct names of doctors": lambda n: f"Dr. {_name(n)} {_name(n * 7)}. ",
    "distinct names, twice": lambda n: f"Dr. {_name(n)}. {_name(n)} ",
    "distinct words in capitals": lambda n: f"{_name(n).upper()} ",
    "distinct words": lambda n: f"{_name(n).lower()} ",
    "distinct name fields": lambda n: f"Patient: {_name(n)}\n",
    "distinct keys": lambda n: f"{_name(n)}: {n}\n",
    "distinct numbers": lambda n: f"{1234567 + n} ",
    "distinct number fields": lambda n: f"MRN: {1234567 + n}\n",
    "distinct phone numbers": lambda n: f"(555) {n // 10000 % 1000:03}-{n % 10000:04} ",
    "distinct IP addresses": lambda n: f"10.{n % 256}.{n // 256 % 256}.7 ",
    "distinct mail addresses": lambda n: f"{_name(n).lower()}@{_name(n * 3).lower()}.com ",
    "distinct URLs": lambda n: f"https://{_name(n).lower()}.com/{n} ",
    "distinct dates": lambda n: f"{n % 28 + 1}/{n % 12 + 1}/{1950 + n % 70} ",
    "distinct ages": lambda n: f"a {n % 90 + 10}-year-old ",
    "distinct addresses": lambda n: f"{n + 1} {_name(n)} Street, {_name(n * 5)}\n",
    "Latin names in Japanese": lambda n: f"患者は{_name(n)}さんと{_name(n * 3)}先生。",
    "Latin names in Japanese, one line": lambda n: f"氏名{_name(n)}は",
    "distinct kanji names": lambda n: (
        f"{_KANJI[n % 23]}{_KANJI[n // 23 % 23]}{_KANJI[n // 529 % 23]}様。"
    ),
}


def _repeated(unit: str, size: int) -> str:
    return (unit * (size // len(unit) + 1))[:size]


def _numbered(form: Callable[[int], str], size: int) -> str:
    lengths = accumulate(len(form(number)) for number in count())
    pieces = 1 + next(number for number, length in enumerate(lengths) if size <= length)
    return "".join(map(form, range(pieces)))[:size]


def _drawn(letters: str, size: int) -> str:
    return "".join(random.Random(0).choices(letters, k=size))  # noqa: S311 - no secret


def _shown(unit: str) -> str:
    shown = ascii(unit) if not unit.isprintable() else repr(unit)
    return shown if len(shown) <= _WIDTH else f"{shown[: _WIDTH - 3]}..."


@cache
def hostile_texts() -> dict[str, Callable[[int], str]]:
    """Return functions by name, each of which makes a text of a number of characters."""
    data = read_toml(Path(__file__).with_name("hostile.toml"))
    units = (*data["units"], "\ud800")  # a lone surrogate, which TOML cannot represent
    return {
        **{_shown(unit): partial(_repeated, unit) for unit in units},
        **{name: partial(_numbered, form) for name, form in _NUMBERED.items()},
        **{name: partial(_drawn, letters) for name, letters in data["alphabets"].items()},
    }


NORMAL = "normal text"


HOSTILE_SIZE = 50_000
_DUMMY_RECORDS = 60


@dataclass(frozen=True)
class Cost:
    """The cost of one text: CPU seconds, and megabytes above those of the loaded pipeline."""

    name: str
    size: int
    detecting: float
    masking: float
    megabytes: float
    outcome: str = "masked"


def write_hostile_benchmark(
    out: TextIO, language: str | None, *, size: int, policy: str | None = None
) -> None:
    """Write the table of `veil bench hostile` line by line, for one language or for all."""
    for code in synth_languages() if language is None else (language,):
        docs = [record.document for record in dummy_records(code, _DUMMY_RECORDS)]
        out.write(
            f"{code}: texts of {size:,} characters; characters per CPU second, times slower than\n"
            f"{NORMAL} (detecting, masking), megabytes above the loaded pipeline\n"
        )
        normal = None
        for cost in run_hostile_benchmark(code, docs, size=size, policy=policy or "tag"):
            normal = normal or cost
            out.write(format_cost(cost, normal))
            out.flush()


def run_hostile_benchmark(
    language: str,
    docs: Sequence[Document],
    *,
    size: int,
    policy: str = "tag",
    seconds: float = 600,
    only: Sequence[str] = (),
) -> Iterator[Cost]:
    """Mask normal text and each hostile text of `size` characters, each in a separate process.

    A text that takes longer than `seconds` is stopped. `only` are parts of names of texts.
    """
    # Created here, so that the processes start with everything that is loaded at first use.
    masker = Masker(default_pipeline(language), load_policy(policy))
    masker.mask(Document("normal", normal_text(docs, min(size, HOSTILE_SIZE))))
    texts: dict[str, Callable[[int], str]] = {NORMAL: partial(normal_text, docs), **hostile_texts()}
    for name, text in texts.items():
        if not only or name == NORMAL or any(part in name for part in only):
            yield _measured(masker, name, text(size), seconds)


def normal_text(docs: Sequence[Document], size: int) -> str:
    """The texts of documents joined and repeated until there are enough characters."""
    texts = [doc.text for doc in docs if doc.text]
    if not texts:
        raise InputError("no text to measure")
    length = sum(len(text) + 1 for text in texts)
    again = islice(cycle(texts), len(texts) * (size // length + 1))
    return "\n".join(again)[:size]


def _measured(masker: Masker, name: str, text: str, seconds: float) -> Cost:
    """The cost of a text in a new process, which inherits the masker."""
    context = get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_measure, args=(masker, text, sender))
    process.start()
    sender.close()
    failed = Cost(name, len(text), seconds, seconds, 0.0, "stopped")
    try:
        if receiver.poll(seconds):
            return Cost(name, len(text), *receiver.recv())
    except EOFError:
        failed = Cost(name, len(text), seconds, seconds, 0.0, "process ended")
    finally:
        process.kill()
        process.join()
    return failed


def _measure(masker: Masker, text: str, sender: Connection) -> None:
    before = peak_megabytes()
    begun = time.process_time()
    found = masker.pipeline.detect_batch([Document("hostile", text)])
    detected = time.process_time()
    (masked,) = masker.mask_records(found)
    done = time.process_time()
    outcome = masked.reason if isinstance(masked, RecordError) else "masked"
    sender.send((detected - begun, done - begun, peak_megabytes() - before, outcome))


def format_cost(cost: Cost, normal: Cost) -> str:
    """A line of the table: speed, how many times slower than normal text, and memory."""
    return (
        f"{cost.name:{_WIDTH}} "
        f"{cost.size / cost.detecting:12,.0f} {cost.size / cost.masking:12,.0f} "
        f"{cost.detecting / normal.detecting * normal.size / cost.size:8.1f}x "
        f"{cost.masking / normal.masking * normal.size / cost.size:8.1f}x "
        f"{cost.megabytes:8,.0f}  {cost.outcome}\n"
    )
