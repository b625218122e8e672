"""Least squares with what is known beforehand, and how sure the answer is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from vision.domain import FloatArray

SMALL_GAIN = 1e-10  # of the cost, below which a step is the last


@dataclass(frozen=True, slots=True, eq=False)
class Unknowns:
    """What is sought, (N,) each: what it is by what is known, which are fitted, and how far each may be off.

    `sigma` is infinite for what only the data can say. What is not free keeps its value, yet a finite `sigma`
    above 0 says that the value is not known better than that, which the covariance then tells. The search
    begins at `begin`, or where nothing better is known at `start`.
    """

    start: FloatArray
    free: NDArray[np.bool_]
    sigma: FloatArray
    begin: FloatArray | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """`values` (N,), their `covariance` (N, N), `noise` of one residual and the `cost`, in units of noise."""

    values: FloatArray
    covariance: FloatArray
    noise: float
    cost: float


def solve(residuals: Callable[[FloatArray], FloatArray], unknowns: Unknowns, least_noise: float) -> Solution:
    """Fit `unknowns` so that the `residuals` (M,) are small.

    The noise of a residual is what the fit leaves, at least `least_noise`; it weighs the residuals against
    what is known beforehand, so the fit is run anew once it is known.
    """
    values, noise = unknowns.start if unknowns.begin is None else unknowns.begin, least_noise
    for _ in range(3):
        values = _descend(residuals, values, unknowns, noise)
        left = residuals(values)
        degrees = max(1, len(left) - int(unknowns.free.sum()))
        noise = max(least_noise, float(np.sqrt((left**2).sum() / degrees)))
    covariance = _covariance(residuals, values, unknowns, noise)
    cost = float((_weighed(residuals, values, unknowns, noise) ** 2).sum())
    return Solution(values, covariance, noise, cost)


def _weighed(
    residuals: Callable[[FloatArray], FloatArray], values: FloatArray, unknowns: Unknowns, noise: float
) -> FloatArray:
    """Residuals, and how far `values` are off what is known of them, each in its standard deviations."""
    known = np.isfinite(unknowns.sigma) & unknowns.free
    off = (values - unknowns.start)[known] / unknowns.sigma[known]
    return np.concatenate([residuals(values) / noise, off])


def _descend(
    residuals: Callable[[FloatArray], FloatArray], values: FloatArray, unknowns: Unknowns, noise: float
) -> FloatArray:
    def at(free: FloatArray) -> FloatArray:
        tried = values.copy()
        tried[unknowns.free] = free
        return _weighed(residuals, tried, unknowns, noise)

    found = values.copy()
    found[unknowns.free] = least_squares(
        at, values[unknowns.free], jac="3-point", x_scale="jac", ftol=SMALL_GAIN, xtol=SMALL_GAIN
    ).x
    return found


def _jacobian(
    residuals: Callable[[FloatArray], FloatArray], values: FloatArray, which: NDArray[np.intp]
) -> FloatArray:
    columns = []
    for at in which:
        step = 1e-6 * max(1.0, abs(float(values[at])))
        ahead, behind = values.copy(), values.copy()
        ahead[at] += step
        behind[at] -= step
        columns.append((residuals(ahead) - residuals(behind)) / (2 * step))
    return np.stack(columns, axis=1)


def _covariance(
    residuals: Callable[[FloatArray], FloatArray], values: FloatArray, unknowns: Unknowns, noise: float
) -> FloatArray:
    uncertain = np.flatnonzero(unknowns.free | (np.isfinite(unknowns.sigma) & (unknowns.sigma > 0)))
    jacobian = _jacobian(residuals, values, uncertain) / noise
    sigma = unknowns.sigma[uncertain]
    weight = np.where(np.isfinite(sigma), 1 / np.maximum(sigma, 1e-12) ** 2, 0.0)
    covariance = np.zeros((len(values), len(values)))
    inverse = np.linalg.pinv(jacobian.T @ jacobian + np.diag(weight), rcond=1e-14, hermitian=True)
    covariance[np.ix_(uncertain, uncertain)] = inverse
    return covariance
