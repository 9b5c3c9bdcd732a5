"""The verdict on a run: what was done, what may leak, and what to do next.

It is made from the head of the report alone, and contains no text of a record.
"""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING, Any

from veil.render import share_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MASKED, ORIGINAL = "MASKED", "ORIGINAL"
"""The placeholders in commands for the output and the input of the run."""

SAMPLE, UNCERTAIN = "sample", "uncertain"
"""Orders of `veil review`."""

_MOST_REASONS = 3
_STEPS_IN_TERMINAL = 2
# Reasons may contain line numbers, so only this many different ones are counted.
_COUNTED_REASONS = 100


def count_reasons(reasons: Iterable[str]) -> Counter[str]:
    """Count why records were withheld; the reasons after the first hundred are "other reasons"."""
    counts: Counter[str] = Counter()
    for reason in reasons:
        is_known = reason in counts or len(counts) < _COUNTED_REASONS
        counts[reason if is_known else "other reasons"] += 1
    return counts


def verdict_of(head: Mapping[str, Any], reasons: Mapping[str, int]) -> dict[str, Any]:
    """Return the verdict on a run from the head of its report and the reasons for withholding."""
    records, values = head["records"], head["clinical_values"]
    leak = overall_leak(head["leak"]["languages"])
    return {
        "masked": records["masked"],
        "withheld": records["withheld"] + records["files_withheld"],
        "expected_leak": leak,
        "clinical_values": values["found"],
        "clinical_values_changed": values["changed"],
        "next": list(_next_steps(head, leak, reasons)),
    }


def overall_leak(
    languages: Mapping[str, Mapping[str, Any] | None], *, at: str | None = None
) -> dict[str, Any] | None:
    """The expected leak over all languages together; None if it was measured for none of them.

    The bounds are the sums of the bounds of the languages, so the interval is too wide.
    `at` selects the leak of another setting, such as "with_high_recall".
    """
    measured = [each for each in languages.values() if each]
    chosen = [each if at is None else each.get(at) for each in measured]
    if not chosen or None in chosen:
        return None
    found = [each["spans_found"] for each in measured]
    numbers: dict[str, float | None] = {}
    for name, missed in (("share", "missed"), ("low", "missed_low"), ("high", "missed_high")):
        misses = _missed(found, [each[name] for each in chosen if each])
        total = sum(found) + misses if misses is not None else 0.0
        numbers[name] = 1.0 if misses is None else round(misses / total, 6) if total else 0.0
        numbers[missed] = None if misses is None else round(misses, 1)
    unmeasured = sorted(code or "unknown" for code, each in languages.items() if not each)
    return {**numbers, "unmeasured": unmeasured}


def _missed(found: Sequence[int], shares: Sequence[float]) -> float | None:
    """How many spans are missed in all languages; unknown if all are missed in one of them."""
    if 1 in shares:
        return None
    return sum(count * share / (1 - share) for count, share in zip(found, shares, strict=True))


def _next_steps(
    head: Mapping[str, Any], leak: Mapping[str, Any] | None, reasons: Mapping[str, int]
) -> Iterator[dict[str, str]]:
    """Yield what to do next, the most useful first: a sentence and, if there is one, a command.

    `options` must be added to the command of the run.
    """
    if reasons:
        yield {"text": _about_withheld(reasons)}
    if not head["records"]["masked"]:
        return
    yield from _about_recall(head, leak)
    sample = head["sample"]
    yield {
        "text": (
            f"Read {sample['size']:,} records drawn at random. If nobody can be identified in "
            f"them, fewer than {share_text(sample['bounds_share'])} of all records leak, with "
            f"{share_text(sample['confidence'])} confidence."
        ),
        "command": review_command(SAMPLE),
    }
    if unsure := head["review"]["found"]:
        yield {
            "text": f"Look at the {unsure:,} spans about which the detectors were not sure.",
            "command": review_command(UNCERTAIN),
        }
    if changed := head["clinical_values"]["changed"]:
        yield {
            "text": f"Look at the {changed:,} clinical values that were changed.",
            "command": f"veil audit {MASKED} --values",
        }


def _about_withheld(reasons: Mapping[str, int]) -> str:
    count = sum(reasons.values())
    often = sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    shown = "; ".join(
        f"{reason.removeprefix('withheld: ')} ({number:,})"
        for reason, number in often[:_MOST_REASONS]
    )
    left = count - sum(number for _, number in often[:_MOST_REASONS])
    rest = f"; other reasons ({left:,})" if left else ""
    were = "record or file was" if count == 1 else "records or files were"
    return f"{count:,} {were} withheld: {shown}{rest}. Correct the cause and mask again."


def _about_recall(
    head: Mapping[str, Any], leak: Mapping[str, Any] | None
) -> Iterator[dict[str, str]]:
    settings = head["detection"]
    if settings.get("rules_only"):
        yield {
            "text": (
                "The rules were used alone, and their leak is not measured. Mask again with Veil's "
                "models, which find more: leave out the option that selects the rules."
            )
        }
        return
    if "recall" in settings or "bias" in settings or leak is None:
        return
    languages = head["leak"]["languages"]
    lower = overall_leak(languages, at="with_high_recall")
    if lower is None or leak["share"] <= lower["share"]:
        return
    text = (
        "--recall high lowers the expected share of missed identifiers from "
        f"{_number(leak['share'])} to {share_text(lower['share'])}"
    )
    if costs := _costs(languages):
        text += f", and masks more harmless text: {costs}"
    yield {"text": f"{text}.", "options": "--recall high --overwrite"}


def _costs(languages: Mapping[str, Mapping[str, Any] | None]) -> str:
    """The precision now and with high recall, in characters, over the spans found."""
    measured = [each for each in languages.values() if each]
    found = sum(each["spans_found"] for each in measured)
    pairs = [
        (each["spans_found"], each["character_precision"], each["with_high_recall"])
        for each in measured
    ]
    if not found or any(now is None for _, now, _ in pairs):
        return ""
    if any(high["character_precision"] is None for _, _, high in pairs):
        return ""
    now = sum(count * precision for count, precision, _ in pairs) / found
    then = sum(count * high["character_precision"] for count, _, high in pairs) / found
    return f"precision {share_text(then)} instead of {share_text(now)}" if then < now else ""


def _number(share: float) -> str:
    return share_text(share).removesuffix(" %")


def review_command(order: str) -> str:
    """The command that opens the review page of a run."""
    return f"veil review {MASKED} --original {ORIGINAL} --order {order}"


def with_paths(command: str, masked: str, originals: Sequence[str] = (ORIGINAL,)) -> str:
    """A command with the output and the input of a run instead of the placeholders."""
    given = " ".join(f"--original {shlex.quote(each)}" for each in originals)
    command = command.replace(f"--original {ORIGINAL}", given)
    return command.replace(MASKED, shlex.quote(masked), 1)


def verdict_lines(
    verdict: Mapping[str, Any], masked: str, originals: Sequence[str]
) -> Iterator[str]:
    """Yield the expected leak and the first steps that have a command, for the terminal."""
    yield leak_sentence(verdict["expected_leak"])
    steps = [step for step in verdict["next"] if "command" in step or "options" in step]
    for step in steps[:_STEPS_IN_TERMINAL]:
        yield f"next: {step['text']}"
        if "command" in step:
            yield f"      {with_paths(step['command'], masked, originals)}"
        else:
            yield f"      run the same command again with {step['options']}"


def leak_sentence(leak: Mapping[str, Any] | None) -> str:
    """The expected leak in one sentence."""
    if leak is None:
        return "expected leak: not measured for these models and languages"
    unmeasured = f" (not measured: {', '.join(leak['unmeasured'])})" if leak["unmeasured"] else ""
    missed = "" if leak["missed"] is None else f", about {leak['missed']:,.0f} spans"
    return (
        f"expected leak: {share_text(leak['share'])} of identifiers are missed{missed}; 95 % "
        f"interval {_number(leak['low'])} to {share_text(leak['high'])}{unmeasured}"
    )
