"""How a die lies, by a small trained network: tilt of its top face and height of its underside.

On a calibrated table every die is cut out as seen from straight above its place, turned so that its top face
stands upright: if it lies flat that is a square of known size, and as much of two sides shows as the
direction of view allows. The network is shown where both would be; what differs is a lean or a die below. The
empty tray, where there is a picture of it, tells body from ground. Weights, training: `models/README.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.domain import FloatArray, Image
from vision.inference import shipped
from vision.opencv import cv2

VIEW_SIDE = 80  # px, of what the network sees
VIEW_DICE = 2.2  # its width, in dice
UNKNOWN = -0.5  # in the place of a difference of colours
SURE_FIT = 3.0  # log odds from which on a square is the die's top
DULL = 8.0  # grey levels: less contrast is not blown up
EXACT_SLOPE = 0.25  # sine of a tilt up to which it is told as it is; steeper ones by their logarithm


@dataclass(frozen=True, slots=True, eq=False)
class Poses:
    """How N dice lie.

    `tilt_deg` (N,) of the top face against the floor, and `lean` (N,): log odds that it is no flat die's, if
    as many lean as lie flat. `height` (N,) of the lowest point, in dice, and `raised` (N,): log odds that the
    die lies on another. `fits` (N,): log odds that the square looked at is the die's top at all.
    """

    tilt_deg: FloatArray
    lean: FloatArray
    height: FloatArray
    raised: FloatArray
    fits: FloatArray

    def of(self, row: int) -> Poses:
        """How one die lies, alone."""
        return Poses(*(getattr(self, field.name)[row : row + 1] for field in fields(self)))

    def mean(self) -> Poses:
        """Return the mean of what is told of one die several times."""
        return Poses(*(getattr(self, field.name).mean(keepdims=True) for field in fields(self)))

    @staticmethod
    def joined(parts: Sequence[Poses]) -> Poses:
        """How the dice of all `parts` lie, in this order."""
        columns = ([getattr(part, field.name) for part in parts] for field in fields(Poses))
        return Poses(*(np.concatenate([np.zeros(0), *column]) for column in columns))


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """How a die is looked at.

    `axes` (2, 2): level unit vectors to the right and down. `oblique` (2,): tangent of the angle of the line
    of sight against the vertical, along each. `to_picture` (3, 3): from the view's pixels to the picture's.
    """

    axes: FloatArray
    oblique: FloatArray
    to_picture: FloatArray


def view_of(
    camera: Camera, corners_px: FloatArray, die_mm: float, *, side: int = VIEW_SIDE, dice: float = VIEW_DICE
) -> View:
    """Return the view of the die whose top face has `corners_px` (4, 2), if it lies flat.

    Of the eight ways in which its top face stands upright that in which the line of sight runs to the right
    and down, more to the right, a mirror image if need be: so all dice are seen alike.
    """
    top = camera.on_plane(corners_px, die_mm)
    place = top.mean(axis=0)
    first = top[1] + top[2] - top[0] - top[3]
    first = first / max(float(np.linalg.norm(first)), 1e-9)
    axes = np.array([first, [first[1], -first[0]]])
    oblique = axes @ (place - camera.place_mm[:2]) / (camera.height_mm - die_mm)
    axes[oblique < 0] *= -1
    if abs(oblique[1]) > abs(oblique[0]):
        axes, oblique = axes[::-1], oblique[::-1]
    square = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    corners = place + square @ axes * (dice * die_mm / 2)
    seen = camera.seen_at(np.column_stack([corners, np.full(4, die_mm / 2)]))
    corners_in_view = (square * side + side - 1) / 2
    to_picture = cv2.getPerspectiveTransform(corners_in_view.astype(np.float32), seen.astype(np.float32))
    return View(axes, np.abs(oblique), np.asarray(to_picture, dtype=np.float64))


def cut_view(image_bgr: Image, view: View, side: int = VIEW_SIDE) -> Image:
    """Return the picture (side, side, 3) of a view; beyond the picture its outermost pixels go on."""
    return np.asarray(
        cv2.warpPerspective(
            image_bgr,
            view.to_picture,
            (side, side),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        dtype=np.uint8,
    )


def network_input(
    views: NDArray[np.generic], empty: NDArray[np.generic] | None, oblique: FloatArray
) -> NDArray[np.float32]:
    """Return (N, 4, S, S) of views (N, S, S, 3) of 0 to 255, and of the `empty` tray in the same places.

    Brightness, evened out over each view; how far colours are from the empty tray's, over the most of it, or
    UNKNOWN without one; masks of where top and body of a flat die would be, seen under `oblique` (N, 2).
    """
    seen = views.astype(np.float32)
    grey = seen @ np.array([0.114, 0.587, 0.299], dtype=np.float32)
    spread = grey.std(axis=(1, 2), keepdims=True)
    grey = np.clip((grey - grey.mean(axis=(1, 2), keepdims=True)) / np.maximum(spread, DULL), -3, 3) / 3
    changed = np.full(grey.shape, UNKNOWN, dtype=np.float32)
    if empty is not None:
        apart = np.linalg.norm(seen - empty.astype(np.float32), axis=3)
        inner = slice(grey.shape[1] // 4, 3 * grey.shape[1] // 4)
        most = np.percentile(apart[:, inner, inner], 80, axis=(1, 2))[:, None, None]
        changed = np.minimum(apart / np.maximum(most, 2 * DULL), 1.0)
    flat = np.array([flat_masks(each, views.shape[1]) for each in oblique], dtype=np.float32)
    planes = np.concatenate([grey[..., None], changed[..., None], flat], axis=3)
    return np.ascontiguousarray(planes.transpose(0, 3, 1, 2))


def flat_masks(oblique: FloatArray, side: int = VIEW_SIDE) -> NDArray[np.uint8]:
    """Return masks (side, side, 2) of 0 and 1 of the top face and of the whole body of a flat die."""
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    top, bottom = square + oblique / 2, square - oblique / 2
    masks = np.zeros((2, side, side), dtype=np.uint8)
    for mask, outline in zip(masks, (top, np.concatenate([top, bottom])), strict=True):
        corners = outline * (side / VIEW_DICE) + (side - 1) / 2
        hull = cv2.convexHull(np.rint(corners * 16).astype(np.int32))
        cv2.fillConvexPoly(mask, hull, color=1, shift=4)
    return np.moveaxis(masks, 0, 2)


def told_slope(slope: FloatArray) -> FloatArray:
    """Return slopes (N, 2) as the network tells them, steep ones shortened."""
    length = np.maximum(np.linalg.norm(slope, axis=1, keepdims=True), 1e-9)
    short = np.where(length < EXACT_SLOPE, length, EXACT_SLOPE * (1 + np.log(length / EXACT_SLOPE)))
    return np.asarray(slope / length * short)


def tilts_deg(told: FloatArray) -> FloatArray:
    """Return the tilts (N,) of slopes (N, 2) as the network tells them: undoes `told_slope`."""
    short = np.linalg.norm(told, axis=1)
    length = np.where(short < EXACT_SLOPE, short, EXACT_SLOPE * np.exp(short / EXACT_SLOPE - 1))
    return np.asarray(np.degrees(np.arcsin(np.minimum(length, 1.0))))


def read_poses(
    image_bgr: Image, empty_bgr: Image | None, camera: Camera, corners_px: FloatArray, die_mm: float
) -> Poses:
    """Return how the dice lie whose top faces have `corners_px` (N, 4, 2).

    `empty_bgr`: the tray without dice, in a picture of the same size.
    """
    if len(corners_px) == 0:
        return Poses(*np.zeros((5, 0)))
    views = [view_of(camera, corners, die_mm) for corners in corners_px]
    cut = np.array([cut_view(image_bgr, view) for view in views])
    empty = None if empty_bgr is None else np.array([cut_view(empty_bgr, view) for view in views])
    told = shipped("pose.onnx")(network_input(cut, empty, np.array([view.oblique for view in views])))
    return Poses(tilts_deg(told[:, :2]), told[:, 2], told[:, 3], told[:, 4], told[:, 5])
