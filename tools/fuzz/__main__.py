"""Run `veil mask` on broken files with planted identifiers, and count all failures.

    python -m tools.fuzz --records 10000 --seed 0
    python -m tools.fuzz --case 0:17        one case again; its files are kept in out/fuzz/

A case is an input of one format (some 17 records), a policy and options, all drawn from the seed
and the number of the case. The exit code is 1 if a case failed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from functools import partial
from itertools import count
from pathlib import Path

from tools.fuzz.inputs import FORMATS, make_case
from tools.fuzz.running import FAULTS, Outcome, keep, prepare, run_case

from veil.cli.progress import describe, drawing

_COLUMNS = ("records", "runs", "masked", "withheld", "refused", *FAULTS)
_KEPT = Path("out/fuzz")
_SHOWN = 40
_ENOUGH = 300


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--records", type=int, default=10_000, help="records to make (10,000)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same cases")
    parser.add_argument("--case", metavar="SEED:N", help="run this case alone and keep its files")
    parser.add_argument("--format", choices=FORMATS, action="append", help="only this format")
    parser.add_argument("--limit", type=float, default=120, help="seconds that a run may take")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="veil-fuzz-") as name:
        folder = Path(name)
        prepare(folder)
        if args.case:
            seed, number = map(int, args.case.split(":"))
            return _run_one(seed, number, folder, args.limit)
        return _run_all(args, folder)


def _run_one(seed: int, number: int, folder: Path, limit: float) -> int:
    case = make_case(seed, number)
    place = folder / "case"
    place.mkdir()
    outcome = run_case(case, place, limit)
    keep(place, _KEPT / f"{seed}-{number}")
    print(f"case {case.name}: {case.format}, {case.policy}, {' '.join(case.options)}")
    print(", ".join(f"{count} {what}" for what, count in sorted(outcome.counts.items())))
    for kind, where in outcome.faults:
        print(f"{kind}: {where}")
    print(f"files: {_KEPT / f'{seed}-{number}'}")
    return 1 if outcome.faults else 0


def _run_all(args: argparse.Namespace, folder: Path) -> int:
    totals = {name: Counter[str]() for name in args.format or FORMATS}
    failed: list[tuple[str, str, Outcome]] = []
    done = 0
    with drawing(quiet=False) as draw:
        for number in count():
            if args.records <= done:
                break
            case = make_case(args.seed, number)
            if case.format not in totals:
                continue
            with tempfile.TemporaryDirectory(dir=folder) as place:
                outcome = run_case(case, Path(place), args.limit)
                if outcome.faults:
                    failed.append((case.name, f"{case.format}, {case.policy}", outcome))
                    keep(Path(place), _KEPT / f"{case.seed}-{number}")
            totals[case.format].update(outcome.counts)
            done += case.size
            draw(partial(describe, done, args.records, "records"))
    _print_table(totals)
    _print_failed(failed)
    idle = [
        name for name, each in totals.items() if _ENOUGH < each["records"] and not each["masked"]
    ]
    for name in idle:
        print(f"{name}: nothing was masked; the fuzzer tests nothing there")
    return 1 if failed or idle else 0


def _print_table(totals: dict[str, Counter[str]]) -> None:
    everything = sum(totals.values(), Counter[str]())
    rows: list[tuple[str, ...]] = [("format", *_COLUMNS)]
    for name, counts in (*totals.items(), ("all", everything)):
        rows.append((name, *(f"{counts[column]:,}" for column in _COLUMNS)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        print(first.ljust(widths[0]), *cells, sep="  ")


def _print_failed(failed: list[tuple[str, str, Outcome]]) -> None:
    for name, about, outcome in failed[:_SHOWN]:
        kinds = Counter(f"{kind}: {where}" for kind, where in outcome.faults)
        print(f"\npython -m tools.fuzz --case {name}  ({about})")
        for what, times in kinds.most_common(5):
            print(f"  {what}" + (f" ({times} times)" if 1 < times else ""))
    if _SHOWN < len(failed):
        print(f"\n{len(failed) - _SHOWN} more cases failed")


if __name__ == "__main__":
    sys.exit(main())
