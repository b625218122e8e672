"""Fit lens and pose to whatever a picture gives, and to no more of the lens than it can tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.calibrate.least_squares import Solution, Unknowns, solve
from vision.calibrate.lens_and_pose import (
    CENTER,
    K1,
    LENS,
    POSE,
    camera_of,
    floor_pose,
    floor_to_image,
    in_frame,
    usual_lens,
)
from vision.camera import Camera
from vision.domain import FloatArray, TableCalibration

ONE_PICTURE = ((K1,),)
SEVERAL_PICTURES = ((K1,), (CENTER.start, CENTER.start + 1), (4,), (5, 6))
# A part of the lens is written if the picture tells it three times better than what was known before, or
# tells for certain that it is not what was expected.
TOLD, SIGNIFICANT = 1 / 3, 3.0
RIVAL = 9.0  # of the cost, by which the other of two poses may be worse and still be the true one
APART_DEG = 1.0

Residuals = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """What a picture tells of the camera.

    `residuals` takes (N,): the lens, the pose of the floor, whatever else is sought; of the last two, each of
    `starts` (N - LENS,) is a place to begin, and `known_at` what is known of them beforehand, as well as
    `known` says, infinite for not at all. `least_noise` of a residual. `lens_steps`: the parts of the lens to
    try, in order; each stays only if the picture tells it.
    """

    residuals: Residuals
    starts: Sequence[FloatArray]
    least_noise: float
    known: FloatArray | None = None
    known_at: FloatArray | None = None
    lens_steps: Sequence[tuple[int, ...]] = ONE_PICTURE


@dataclass(frozen=True, slots=True, eq=False)
class CameraFit:
    """A fitted camera.

    `values` (N,) begin with the lens and the pose of the floor; `covariance` (N, N); `noise` of a residual in
    its own unit; `rival` (N,): values of the other of two poses that one picture allows, None when it is
    ruled out.
    """

    values: FloatArray
    covariance: FloatArray
    noise: float
    rival: FloatArray | None = None

    @property
    def camera(self) -> Camera:
        """The camera found."""
        return camera_at(self.values)


def camera_at(values: FloatArray) -> Camera:
    """The camera of `values` that begin with lens and pose."""
    return camera_of(values[:LENS], values[LENS : LENS + POSE])


def fit_camera(problem: Problem, image_size: tuple[int, int]) -> CameraFit:
    """Return the best fit from all the starts of `problem`, for pictures of `image_size` (width, height)."""
    lens, lens_sigma = usual_lens(image_size)
    unknown = np.full(len(problem.starts[0]), np.inf)
    sigma = np.concatenate([lens_sigma, unknown if problem.known is None else problem.known])
    free = np.ones(len(sigma), dtype=np.bool_)
    free[1:LENS] = False
    expected = problem.starts[0] if problem.known_at is None else problem.known_at
    before = np.concatenate([lens, expected])
    starts = [Unknowns(before, free, sigma, np.concatenate([lens, start])) for start in problem.starts]
    plain = [(solve(problem.residuals, start, problem.least_noise), start) for start in starts]
    hopeful = _near_best([solution for solution, _ in plain])
    fits = [_with_lens(problem, solution, start) for solution, start in plain if solution in hopeful]
    best, *_ = rivals = _near_best(fits)
    farthest = max(rivals, key=lambda fit: _apart_deg(best, fit))
    rival = farthest.values if _apart_deg(best, farthest) > APART_DEG else None
    return CameraFit(best.values, best.covariance, best.noise, rival)


def _near_best(fits: Sequence[Solution]) -> list[Solution]:
    """The best of `fits` and those hardly worse, best first."""
    ordered = sorted(fits, key=lambda fit: fit.cost)
    return [fit for fit in ordered if fit.cost <= ordered[0].cost + RIVAL]


def _with_lens(problem: Problem, solution: Solution, unknowns: Unknowns) -> Solution:
    for step in problem.lens_steps:
        rows = list(step)
        tried = _freed(unknowns, solution, rows)
        found = solve(problem.residuals, tried, problem.least_noise)
        sigma = np.sqrt(np.diag(found.covariance)[rows])
        off = np.abs(found.values - unknowns.start)[rows]
        if ((sigma < TOLD * unknowns.sigma[rows]) | (off > SIGNIFICANT * sigma)).all():
            solution, unknowns = found, replace(unknowns, free=tried.free)
    return solution


def _freed(unknowns: Unknowns, solution: Solution, rows: list[int]) -> Unknowns:
    free: NDArray[np.bool_] = unknowns.free.copy()
    free[rows] = True
    return Unknowns(unknowns.start, free, unknowns.sigma, solution.values)


def _apart_deg(one: Solution, other: Solution) -> float:
    """How far the floors of two solutions are tilted against one another."""
    normals = [camera_at(solution.values).turn[2] for solution in (one, other)]
    return float(np.degrees(np.arccos(np.clip(normals[0] @ normals[1], -1.0, 1.0))))


def calibration_of(
    fit: CameraFit, area_px: FloatArray, image_size: tuple[int, int], die_mm: float | None
) -> TableCalibration:
    """The calibration by `fit` of the floor inside `area_px` (N, 2).

    The floor's frame gets its origin in the middle of the outline, x to the picture's right.
    """
    found = fit.camera
    middle = found.on_plane(area_px, 0.0).mean(axis=0)
    beside = found.seen_at(np.array([[*middle, 0.0]])) + np.array([1.0, 0.0])
    right = found.on_plane(beside, 0.0)[0] - middle
    camera = in_frame(found, middle, float(np.arctan2(right[1], right[0])))
    return TableCalibration(
        area_px=area_px,
        image_size=image_size,
        camera_matrix=camera.matrix,
        distortion=camera.distortion,
        floor_pose=floor_pose(camera),
        floor_to_image=floor_to_image(camera),
        die_mm=die_mm,
    )
