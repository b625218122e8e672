"""Measure dice in millimetres and degrees against the floor of a calibrated table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.camera import Camera
from vision.detection import Detection
from vision.domain import FloatArray, TableCalibration
from vision.faces import SPOTS
from vision.opencv import cv2
from vision.pose_reader import Poses

OWN_SIZE = 0.95  # of the size that is set, of a die at least
LIKE_PIPS = 0.15  # logarithm by which the pips of dice printed alike may seem to differ in size
LIKE_COLOURS = 60.0  # grey levels (Euclidean over B, G, R) between faces, and between pips, of such dice
ONE_PATTERN = 0.01  # by which the patterns of dice of one set may differ
TOUCHING = 1.5  # dice between the middles of two of which one may lean on the other
TOP_OF_EDGE = 0.975  # what the top face of a die seems to be of its edge
TOP_OFF = 0.7  # sides by which a die's top is seen beyond where it stands, 35 degrees off the vertical
MOST_OF_A_RISE = 4.0  # log odds
HIGHEST_RISE = 2.6  # dice; what looks as if it lay higher is a larger die
RISE_SD, SET_RISE_SD = 0.2, 0.35  # dice: of a pattern against one of the same number, and against most


@dataclass(frozen=True, slots=True)
class DieSize:
    """The edge of the dice of a throw; `calibrated`, or else only seen."""

    mm: float
    calibrated: bool


@dataclass(frozen=True, slots=True)
class Measures:
    """A die against the floor; None where the calibration cannot say it.

    `inside`: whether the die's middle is inside the area, always known; `margin_mm` by how much, negative
    outside. `tilt_deg` of the top face and `height_mm` of the underside. `lean` and `raised`: log odds that
    the die leans, and that it lies on another, by the pose reader and, of the latter, by how much nearer to
    the camera the pattern of its pips looks than that of dice of the same print. `fits`: log odds that the
    die is just where it is taken to be, and so turned. `beside`: what it may lean against. `edge_open`: where
    it stands may yet be inside, though what is seen of it lies outside the area.
    """

    inside: bool
    margin_mm: float | None = None
    tilt_deg: float | None = None
    lean: float | None = None
    height_mm: float | None = None
    raised: float | None = None
    fits: float | None = None
    beside: str | None = None
    edge_open: bool = False


def die_size(dice: Sequence[Detection], camera: Camera, calibration: TableCalibration) -> DieSize | None:
    """Return how large the dice are: as calibrated, else as most look if they lie on the floor."""
    if calibration.die_mm is not None:
        return DieSize(calibration.die_mm, calibrated=True)
    corners = [die.corners_px for die in dice if die.by_pips]
    if not corners:
        return None
    edge = 0.0
    for _ in range(4):  # the nearer to the camera their tops lie, the smaller they are
        edge = float(np.median([side_mm(camera.on_plane(each, edge)) for each in corners])) / TOP_OF_EDGE
    return DieSize(edge, calibrated=False)


def measure(
    dice: Sequence[Detection],
    calibration: TableCalibration,
    size: DieSize | None = None,
    poses: Poses | None = None,
) -> list[Measures]:
    """Measure the dice of one throw; without their size or `poses` neither tilt nor height is known."""
    camera = Camera.of(calibration)
    if not dice:
        return []
    if camera is None or size is None:
        return [_in_outline(die, calibration.area_px) for die in dice]
    area = camera.on_plane(calibration.area_px, 0.0)
    middles = camera.on_plane(np.array([die.corners_px.mean(axis=0) for die in dice]), size.mm)
    margins = [_margin(middle, area) for middle in middles]
    if poses is None:
        return [Measures(margin >= 0, margin) for margin in margins]
    rises = rises_in_dice(dice, camera, size.mm)
    measured = []
    for row, (margin, rise) in enumerate(zip(margins, rises, strict=True)):
        # of dice whose size is only seen, what looks larger may be larger
        raised = (float(poses.raised[row]) if size.calibrated else 0.0) + (rise.log_odds if rise else 0.0)
        height = max(float(poses.height[row]), rise.dice if rise and raised > 0 else 0.0)
        measured.append(
            Measures(
                margin >= 0,
                margin,
                float(poses.tilt_deg[row]),
                float(poses.lean[row]),
                height * size.mm,
                raised,
                float(poses.fits[row]),
                _beside(row, margin, middles, size.mm),
            )
        )
    return measured


def side_mm(top: FloatArray) -> float:
    """Return the mean side of a face (4, 2)."""
    return float(np.linalg.norm(top - np.roll(top, 1, axis=0), axis=1).mean())


def _in_outline(die: Detection, area_px: FloatArray) -> Measures:
    """Measure a die where no camera is known, by which its top could be brought down to the floor."""
    margin_px = _margin(die.corners_px.mean(axis=0), area_px)
    return Measures(margin_px >= 0, edge_open=-TOP_OFF * die.side_px <= margin_px < 0)


def _beside(row: int, margin_mm: float, middles_mm: FloatArray, die_mm: float) -> str | None:
    away = np.linalg.norm(np.delete(middles_mm, row, axis=0) - middles_mm[row], axis=1)
    if away.min(initial=math.inf) < TOUCHING * die_mm:
        return "against a die"
    return "against the wall" if 0 <= margin_mm < die_mm else None


@dataclass(frozen=True, slots=True)
class Rise:
    """How high a die lies by the pattern of its pips, and its standard deviation, in dice."""

    dice: float
    sd: float

    @property
    def log_odds(self) -> float:
        """That it lies a die high and not on the floor; no more than MOST_OF_A_RISE, as prints differ."""
        odds = (2 * self.dice - 1) / (2 * self.sd**2)
        return min(max(odds, -MOST_OF_A_RISE), MOST_OF_A_RISE)


def rises_in_dice(dice: Sequence[Detection], camera: Camera, die_mm: float) -> list[Rise | None]:
    """How high each die lies by its pattern of pips: above one that shows the same number, or above most.

    The pattern is read far finer than the face's size. None where there is none like it.
    """
    patterns = [_pattern_mm(die, camera, die_mm) for die in dice]
    known = [(die, pattern) for die, pattern in zip(dice, patterns, strict=True) if pattern]
    usual = _usual_pattern([(die.face, pattern) for die, pattern in known])
    reach = camera.height_mm / die_mm - 1
    rises: list[Rise | None] = []
    for die, pattern in zip(dice, patterns, strict=True):
        same = [other for one, other in known if one.face == die.face and _alike(one, die)]
        base, sd = (min(same), RISE_SD) if len(same) > 1 else (usual, SET_RISE_SD)
        rise = reach * (1 - base / pattern) if base and pattern else math.inf
        rises.append(Rise(rise, sd) if rise < HIGHEST_RISE else None)
    return rises


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


def _margin(point: FloatArray, outline: FloatArray) -> float:
    """Distance of a point (2,) inside the outline (N, 2), negative outside."""
    contour = outline.astype(np.float32).reshape(-1, 1, 2)
    return float(cv2.pointPolygonTest(contour, (float(point[0]), float(point[1])), True))


def _pattern_mm(die: Detection, camera: Camera, die_mm: float) -> float | None:
    """Longer diagonal of the pips' square if the die lay on the floor; of a two or three the one it has."""
    if not die.by_pips:
        return None
    spots_mm = camera.on_plane(die.spots_px, die_mm)
    used = np.isfinite(spots_mm[:, 0])
    if used.sum() < 2:
        return None
    if used.sum() < 4:
        return float(np.linalg.norm(spots_mm[1] - spots_mm[0]))
    design = np.concatenate([SPOTS[used], np.ones((used.sum(), 1))], axis=1)
    affine = np.linalg.lstsq(design, spots_mm[used], rcond=None)[0][:2]
    return float(np.linalg.svd(affine, compute_uv=False)[0])
