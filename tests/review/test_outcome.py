"""Bounds, agreement and conflicts, against numbers worked by hand and against SciPy."""

from __future__ import annotations

from typing import Any

import pytest
from scipy.stats import beta, hypergeom

from veil.masking.report import largest_leak
from veil.review.material import Mark
from veil.review.outcome import Agreement, finite_bound, joined, process_bound
from veil.review.store import CHOOSE, FINAL, Event, ReviewedSpan, State, canonical


@pytest.mark.parametrize(
    ("population", "read", "leaking", "expected"),
    [
        (10, 5, 0, 0.3),  # with 3 leaking: 21/252 = 8.3 % of draws are clean; with 4: 6/252 = 2.4 %
        (10, 10, 0, 0.0),
        (10, 10, 3, 0.3),
        (4, 2, 1, 0.75),  # the most that is possible: the other clean record was seen
        (1, 1, 1, 1.0),
        (0, 0, 0, 0.0),
    ],
)
def test_finite_bound_by_hand(population: int, read: int, leaking: int, expected: float) -> None:
    """The bound for the records themselves is exact."""
    assert finite_bound(population, read, leaking) == pytest.approx(expected)


@pytest.mark.parametrize("population", [7, 60, 400, 5000])
def test_finite_bound_is_that_of_scipy(population: int) -> None:
    """The bound is the largest number of leaking records that the sample does not exclude."""
    for read in {1, population // 3, population // 2, population - 1}:
        for leaking in {0, 1, min(5, read), read // 4}:
            found = round(finite_bound(population, read, leaking) * population)
            assert hypergeom.cdf(leaking, population, found, read) > 0.05
            most = population - (read - leaking)
            if found < most:
                assert hypergeom.cdf(leaking, population, found + 1, read) <= 0.05 + 1e-9


def test_finite_bound_is_that_of_the_report() -> None:
    """A clean sample proves what the report of the run promised."""
    for population, read in ((12, 11), (290, 188), (5000, 294), (100000, 299)):
        assert finite_bound(population, read, 0) == pytest.approx(largest_leak(population, read))


@pytest.mark.parametrize(("read", "leaking"), [(20, 0), (20, 3), (299, 1), (1, 0), (50, 49)])
def test_process_bound_is_that_of_scipy(read: int, leaking: int) -> None:
    """The bound for all such records is that of Clopper and Pearson, one-sided."""
    assert process_bound(read, leaking) == pytest.approx(
        beta.ppf(0.95, leaking + 1, read - leaking)
    )


def test_process_bound_by_hand() -> None:
    """Without a leak in 20 records the bound is 1 - 0.05^(1/20)."""
    assert process_bound(20, 0) == pytest.approx(1 - 0.05 ** (1 / 20))
    assert process_bound(7, 7) == 1.0


def state(*spans: tuple[int, int, str], done: bool = True) -> State:
    """A state with accepted or added spans."""
    return State(
        1,
        done,
        tuple(
            ReviewedSpan(f"s{start}", start, end, label, "accepted") for start, end, label in spans
        ),
    )


def test_agreement_by_hand() -> None:
    """F1 counts exact spans; kappa counts labels of tokens."""
    tokens = [(0, 4), (5, 8), (9, 12), (13, 17)]
    agreement = Agreement()
    anna = state((0, 4, "NAME"), (9, 12, "CITY"))
    bo = state((0, 4, "NAME"), (9, 12, "NAME"))
    agreement.add({"anna": anna, "bo": bo}, lambda: tokens)
    agreement.add({"anna": anna, "bo": state(done=False)}, lambda: tokens)  # not read by both
    # Tokens: NAME/NAME, none/none, CITY/NAME, none/none. Observed 3/4; expected by chance
    # none 2/4 * 2/4 + NAME 1/4 * 2/4 + CITY 1/4 * 0 = 0.375.
    assert agreement.records == 1
    assert agreement.f1 == pytest.approx(0.5)
    assert agreement.kappa == pytest.approx((0.75 - 0.375) / (1 - 0.375))


def test_agreement_without_a_label() -> None:
    """Kappa has no value where both reviewers give all tokens the same label."""
    agreement = Agreement()
    agreement.add({"anna": state(), "bo": state()}, lambda: [(0, 4)])
    assert (agreement.f1, agreement.kappa) == (1.0, None)


def choice(start: int, end: int, name: str) -> Event:
    data = canonical({"start": start, "end": end, "choice": name})
    return Event(1, 0, FINAL, "eva", CHOOSE, data, "", None, None, "", "")


def keys(final: Any) -> list[tuple[int, int, str]]:
    return sorted((span.start, span.end, span.label) for span in final.active)


def test_conflicts() -> None:
    """Where reviewers agree nobody need choose; elsewhere all that one of them marked counts."""
    states = {
        "anna": state((0, 4, "NAME"), (9, 12, "CITY"), (20, 25, "DATE")),
        "bo": state((0, 4, "NAME"), (9, 17, "CITY")),
    }
    final = joined(states, [])
    assert [(each.start, each.end) for each in final.conflicts] == [(9, 17), (20, 25)]
    assert keys(final) == [(0, 4, "NAME"), (9, 17, "CITY"), (20, 25, "DATE")]
    assert final.open_conflicts == 2
    chosen = joined(states, [choice(9, 17, "anna"), choice(20, 25, "anna"), choice(20, 25, "bo")])
    assert keys(chosen) == [(0, 4, "NAME"), (9, 12, "CITY")]
    assert chosen.open_conflicts == 0


def test_one_reader_is_not_two() -> None:
    """A record that one of two reviewers has read is not read in a double review."""
    final = joined({"anna": state((0, 4, "NAME")), "bo": state(done=False)}, [])
    assert (final.done, keys(final)) == (False, [(0, 4, "NAME")])


def test_what_leaks() -> None:
    """An added span and one that grew are leaks; one that shrank or has another label is none."""
    first = Mark("s1", 5, 9, "NAME")
    cases = {
        (5, 9, "NAME", "accepted"): False,
        (5, 9, "CITY", "changed"): False,
        (6, 9, "NAME", "changed"): False,
        (4, 9, "NAME", "changed"): True,
        (5, 10, "NAME", "changed"): True,
    }
    for (start, end, label, name), leaks in cases.items():
        assert ReviewedSpan("s1", start, end, label, name, first).is_leak == leaks
    assert ReviewedSpan("a1", 5, 9, "NAME", "added").is_leak
