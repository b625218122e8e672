"""Measure dice in millimetres and degrees against the floor of a calibrated table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.camera import Camera
from vision.detection import Detection
from vision.domain import FloatArray, TableCalibration
from vision.faces import SPOTS
from vision.opencv import cv2

OWN_SIZE = 0.95  # of the size that is set, of a die at least
SLANT_NOISE = 0.07  # foreshortening that the corners of a flat die may show
LIKE_PIPS = 0.15  # logarithm by which the pips of dice printed alike may seem to differ in size
LIKE_COLOURS = 60.0  # grey levels (Euclidean over B, G, R) between faces, and between pips, of such dice
ONE_PATTERN = 0.01  # by which the patterns of dice of one set may differ
SQUARE_LAYOUTS = (4, 5)  # pips; a six may be printed on a rectangle


@dataclass(frozen=True, slots=True)
class Measures:
    """A die against the floor; None where the calibration cannot say it.

    `inside`: whether the die's middle is inside the area, always known; `margin_mm` by how much, negative
    outside. `tilt_deg` of the top face, by the foreshortening of its pips' square or, where it has none, by
    its corners as far as it goes beyond their noise: by about the angle of view too little for a lean towards
    the camera, too much for one away from it. `pattern_mm`: distance of the corner pips if the die lay on the
    floor, read far finer than the face's size. By it, `rise_mm` over the lowest die of the throw that shows
    the same number in the same print, and `set_rise_mm` over most of the throw, if that is of one pattern;
    None where there is none to compare. `height_mm` of the underside: one of these, else by the face's size,
    which is rough.
    `how_it_lies` is False for a die without pips to measure on a table that could tell tilt and height.
    """

    inside: bool
    margin_mm: float | None = None
    tilt_deg: float | None = None
    height_mm: float | None = None
    pattern_mm: float | None = None
    rise_mm: float | None = None
    set_rise_mm: float | None = None
    how_it_lies: bool = True


def measure(dice: Sequence[Detection], calibration: TableCalibration) -> list[Measures]:
    """Measure the dice of one throw."""
    camera = Camera.of(calibration)
    if camera is None or calibration.die_mm is None:
        return [Measures(_margin(die.corners_px.mean(axis=0), calibration.area_px) >= 0) for die in dice]
    area = camera.on_plane(calibration.area_px, 0.0)
    alone = [_measure_one(die, camera, area, calibration.die_mm) for die in dice]
    patterns = [(die.face, one.pattern_mm) for die, one in zip(dice, alone, strict=True) if one.pattern_mm]
    with_pattern = [die for die, one in zip(dice, alone, strict=True) if one.pattern_mm]
    usual = _usual_pattern(patterns)
    reach_mm = camera.height_mm - calibration.die_mm
    measured = []
    for die, one in zip(dice, alone, strict=True):
        same = [
            pattern
            for other, (face, pattern) in zip(with_pattern, patterns, strict=True)
            if face == die.face and _alike(other, die)
        ]
        rise = _rise_mm(one.pattern_mm, min(same) if len(same) > 1 else None, reach_mm)
        set_rise = _rise_mm(one.pattern_mm, usual, reach_mm)
        heights = (height for height in (set_rise, rise, one.height_mm) if height is not None)
        measured.append(replace(one, rise_mm=rise, set_rise_mm=set_rise, height_mm=next(heights, None)))
    return measured


def least_side_px(calibration: TableCalibration) -> float:
    """Return how long a die's side is where the floor looks smallest; 0 when the calibration cannot say."""
    camera = Camera.of(calibration)
    if camera is None or calibration.die_mm is None:
        return 0.0
    return float(OWN_SIZE * camera.length_px(calibration.die_mm, calibration.area_px).min())


def _alike(one: Detection, other: Detection) -> bool:
    """Whether two dice that show one number may be of one set: pips as large for the face, like colours."""
    ratio = (one.radius_px / one.side_px) / (other.radius_px / other.side_px)
    apart = max(float(np.linalg.norm(a - b)) for a, b in zip(one.colours, other.colours, strict=True))
    return abs(math.log(ratio)) < LIKE_PIPS and apart < LIKE_COLOURS


def _usual_pattern(patterns: Sequence[tuple[int, float]]) -> float | None:
    """The pattern that most dice share, whatever number they show; None unless these are several of both."""
    best: list[tuple[int, float]] = []
    for _, base in patterns:
        alike = [(face, pattern) for face, pattern in patterns if abs(pattern / base - 1) < ONE_PATTERN]
        best = max(best, alike, key=len)
    if len(best) < 3 or len({face for face, _ in best}) < 2 or 2 * len(best) <= len(patterns):
        return None
    return float(np.median([pattern for _, pattern in best]))


def _rise_mm(pattern_mm: float | None, base_mm: float | None, reach_mm: float) -> float | None:
    """How much nearer to the camera, `reach_mm` above, a pattern lies than one that looks `base_mm` large."""
    if pattern_mm is None or base_mm is None:
        return None
    return reach_mm * (1 - base_mm / pattern_mm)


def _measure_one(die: Detection, camera: Camera, area: FloatArray, die_mm: float) -> Measures:
    top = camera.on_plane(die.corners_px, die_mm)
    margin = _margin(top.mean(axis=0), area)
    if not die.by_pips:
        return Measures(inside=margin >= 0, margin_mm=margin, how_it_lies=False)
    side = float(np.linalg.norm(top - np.roll(top, 1, axis=0), axis=1).mean())
    pattern = _pattern(camera.on_plane(die.spots_px, die_mm))
    square = pattern if die.face in SQUARE_LAYOUTS else None
    return Measures(
        inside=margin >= 0,
        margin_mm=margin,
        tilt_deg=_tilt_deg(*square) if square else _tilt_deg(*_sides(top), SLANT_NOISE),
        height_mm=(camera.height_mm - die_mm) * (1 - die_mm / side),
        pattern_mm=pattern[0] if pattern else None,
    )


def _margin(point: FloatArray, outline: FloatArray) -> float:
    """Distance of a point (2,) inside the outline (N, 2), negative outside."""
    contour = outline.astype(np.float32).reshape(-1, 1, 2)
    return float(cv2.pointPolygonTest(contour, (float(point[0]), float(point[1])), True))


def _pattern(spots_mm: FloatArray) -> tuple[float, float] | None:
    """Longer and shorter diagonal of the pips' square; of a two or three the one that it has."""
    used = np.isfinite(spots_mm[:, 0])
    if used.sum() < 2:
        return None
    if used.sum() < 4:
        length = float(np.linalg.norm(spots_mm[1] - spots_mm[0]))
        return length, length
    design = np.concatenate([SPOTS[used], np.ones((used.sum(), 1))], axis=1)
    affine = np.linalg.lstsq(design, spots_mm[used], rcond=None)[0][:2]
    longer, shorter = np.linalg.svd(affine, compute_uv=False)
    return float(longer), float(shorter)


def _sides(top: FloatArray) -> tuple[float, float]:
    """Longer and shorter measure of a quadrilateral (4, 2) that would be a square."""
    across, along = (top[1] + top[2] - top[0] - top[3]) / 2, (top[2] + top[3] - top[0] - top[1]) / 2
    longer, shorter = np.linalg.svd(np.stack([across, along]), compute_uv=False)
    return float(longer), float(shorter)


def _tilt_deg(longer: float, shorter: float, noise: float = 0.0) -> float:
    """Tilt that foreshortens a square so, if `noise` of it is none."""
    return float(np.degrees(np.arccos(min(1.0, shorter / longer + noise))))
