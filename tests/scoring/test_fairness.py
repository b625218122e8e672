"""The fairness of dice: the test's numbers against published and SciPy's ones, and what is said of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scoring.fairness import LEAST_DICE, UNUSUAL, FairnessFinding, chi_square_tail, fairness

PUBLISHED = {  # of 5 degrees of freedom: NIST/SEMATECH handbook, table 1.3.6.7.4
    9.236: 0.1,
    11.070: 0.05,
    12.833: 0.025,
    15.086: 0.01,
    20.515: 0.001,
}


def thrown(*counts: int) -> list[int]:
    return [face for face, count in enumerate(counts, 1) for _ in range(count)]


@pytest.mark.parametrize(("value", "chance"), PUBLISHED.items())
def test_the_tail_is_the_published_one(value: float, chance: float) -> None:
    assert chi_square_tail(value) == pytest.approx(chance, rel=2e-3)


@given(st.floats(0, 500))
def test_the_tail_is_that_of_scipy(value: float) -> None:
    assert chi_square_tail(value) == pytest.approx(stats.chi2.sf(value, 5), rel=1e-9, abs=1e-300)


@given(st.lists(st.integers(0, 400), min_size=6, max_size=6).filter(any))
def test_the_test_is_that_of_scipy(counts: list[int]) -> None:
    found, known = fairness(thrown(*counts)), stats.chisquare(counts)
    assert found.counts == tuple(counts)
    assert found.chi_square == pytest.approx(known.statistic)
    assert found.p_value == pytest.approx(known.pvalue, rel=1e-6, abs=1e-300)


def test_few_dice_say_nothing_however_uneven() -> None:
    found = fairness(thrown(LEAST_DICE - 1))
    assert (found.finding, found.p_value < 1e-9) == (FairnessFinding.TOO_FEW, True)
    assert fairness([]).finding is FairnessFinding.TOO_FEW
    assert (fairness([]).chi_square, fairness([]).p_value, fairness([]).detectable) == (0, 1, 1)


@pytest.mark.parametrize(
    ("counts", "finding", "face"),
    [
        ((100, 100, 100, 100, 100, 100), FairnessFinding.EVEN, 1),
        ((121, 95, 95, 95, 98, 96), FairnessFinding.EVEN, 1),
        ((100, 100, 100, 135, 80, 85), FairnessFinding.UNUSUAL, 4),
        ((110, 110, 110, 110, 110, 50), FairnessFinding.VERY_UNUSUAL, 6),
    ],
)
def test_what_is_said(counts: tuple[int, ...], finding: FairnessFinding, face: int) -> None:
    found = fairness(thrown(*counts))
    assert (found.finding, found.farthest_face) == (finding, face)


@pytest.mark.parametrize("dice", [60, 600, 6000])
def test_a_fault_as_large_as_told_shows_nine_times_in_ten(dice: int) -> None:
    share = fairness(thrown(*(dice // 6,) * 6)).detectable
    shares = [share, *((1 - share) / 5,) * 5]
    noncentrality = dice * sum((each - 1 / 6) ** 2 * 6 for each in shares)
    assert stats.ncx2.sf(stats.chi2.isf(UNUSUAL, 5), 5, noncentrality) == pytest.approx(0.9, abs=2e-4)
