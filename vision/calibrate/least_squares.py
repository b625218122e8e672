"""Least squares with what is known beforehand, and how sure the answer is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray

MAX_STEPS = 200
SMALL_GAIN = 1e-10  # of the cost, below which a step is the last
DAMPING = (1e-3, 1e12)  # at the start, and where no step downhill is left


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
    """Fit `unknowns` so that the `residuals` (M,) are small, by Levenberg-Marquardt.

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
    return Solution(values, covariance, noise, _cost(residuals, values, unknowns, noise))


def _pull(values: FloatArray, unknowns: Unknowns) -> FloatArray:
    known = np.isfinite(unknowns.sigma) & unknowns.free
    return np.asarray((values - unknowns.start)[known] / unknowns.sigma[known])


def _cost(
    residuals: Callable[[FloatArray], FloatArray], values: FloatArray, unknowns: Unknowns, noise: float
) -> float:
    left = residuals(values)
    cost = float((left**2).sum() / noise**2 + (_pull(values, unknowns) ** 2).sum())
    return cost if np.isfinite(cost) else np.inf


def _descend(
    residuals: Callable[[FloatArray], FloatArray], values: FloatArray, unknowns: Unknowns, noise: float
) -> FloatArray:
    free = np.flatnonzero(unknowns.free)
    cost, (damping, most) = _cost(residuals, values, unknowns, noise), DAMPING
    for _ in range(MAX_STEPS):
        jacobian = _jacobian(residuals, values, free) / noise
        weight = np.where(np.isfinite(unknowns.sigma[free]), 1 / unknowns.sigma[free] ** 2, 0.0)
        slope = jacobian.T @ residuals(values) / noise + weight * (values - unknowns.start)[free]
        curvature = jacobian.T @ jacobian + np.diag(weight)
        before = cost
        while damping < most:
            step = np.zeros_like(values)
            scale = np.diag(np.maximum(np.diag(curvature), 1e-12))
            step[free] = np.linalg.solve(curvature + damping * scale, slope)
            tried = _cost(residuals, values - step, unknowns, noise)
            if tried < cost:
                values, cost, damping = values - step, tried, damping / 10
                break
            damping *= 10
        if before - cost <= SMALL_GAIN * (1 + cost):
            break
    return values


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
