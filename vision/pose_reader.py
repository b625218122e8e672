"""How a die lies, by a small trained network: tilt of its top face and height of its underside.

On a calibrated table every die is cut out as seen from straight above its place, turned so that its top face
stands upright: if it lies flat that is a square of known size, and as much of two sides shows as the
direction of view, which the network is told, allows. What differs is a lean or a die below. Weights and
training: `models/README.md`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.domain import FloatArray, Image
from vision.inference import shipped
from vision.opencv import cv2

VIEW_SIDE = 80  # px, of what the network sees
VIEW_DICE = 2.2  # its width, in dice
MIRRORED = np.array([1.0, -1.0])  # of what points to the right and down, in a view turned over


@dataclass(frozen=True, slots=True, eq=False)
class Poses:
    """How N dice lie, with standard deviations.

    `slope` (N, 2): level part of the top face's unit normal, in the frame of each die's view; `slope_sd` (N,)
    of each of its numbers. `height` (N,) of the lowest point in dice, `height_sd` (N,).
    """

    slope: FloatArray
    slope_sd: FloatArray
    height: FloatArray
    height_sd: FloatArray

    @property
    def tilt_deg(self) -> FloatArray:
        """Tilt (N,) of the top face against the floor."""
        return np.asarray(np.degrees(np.arcsin(np.minimum(np.linalg.norm(self.slope, axis=1), 1.0))))

    @property
    def tilt_sd_deg(self) -> FloatArray:
        """Standard deviation (N,) of the tilt."""
        return np.asarray(np.degrees(np.arctan(self.slope_sd)))


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
    """Return the view of the die whose top face has `corners_px` (4, 2), if it lies flat."""
    top = camera.on_plane(corners_px, die_mm)
    place = top.mean(axis=0)
    right = top[1] + top[2] - top[0] - top[3]
    right = right / max(float(np.linalg.norm(right)), 1e-9)
    axes = np.array([right, [right[1], -right[0]]])
    square = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    corners = place + square @ axes * (dice * die_mm / 2)
    seen = camera.seen_at(np.column_stack([corners, np.full(4, die_mm / 2)]))
    corners_in_view = (square * side + side - 1) / 2
    to_picture = cv2.getPerspectiveTransform(corners_in_view.astype(np.float32), seen.astype(np.float32))
    oblique = axes @ (place - camera.place_mm[:2]) / (camera.height_mm - die_mm)
    return View(axes, oblique, np.asarray(to_picture, dtype=np.float64))


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


def network_input(views: NDArray[np.generic], oblique: FloatArray) -> NDArray[np.float32]:
    """Return (N, 5, S, S): views (N, S, S, 3) of 0 to 255 as 0 to 1, and everywhere `oblique` (N, 2)."""
    told = np.broadcast_to(oblique[:, None, None], (*views.shape[:3], 2))
    planes = np.concatenate([views.astype(np.float32) / np.float32(255), told.astype(np.float32)], axis=3)
    return np.ascontiguousarray(planes.transpose(0, 3, 1, 2))


def read_poses(image_bgr: Image, camera: Camera, corners_px: FloatArray, die_mm: float) -> Poses:
    """Return how the dice lie whose top faces have `corners_px` (N, 4, 2)."""
    if len(corners_px) == 0:
        return Poses(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros(0))
    views = [view_of(camera, corners, die_mm) for corners in corners_px]
    cut = np.array([cut_view(image_bgr, view) for view in views])
    oblique = np.array([view.oblique for view in views])
    both = network_input(np.concatenate([cut, cut[:, ::-1]]), np.concatenate([oblique, oblique * MIRRORED]))
    said, over = np.split(shipped("pose.onnx")(both), 2)
    return Poses(
        (said[:, :2] + over[:, :2] * MIRRORED) / 2,
        np.exp((said[:, 2] + over[:, 2]) / 2),
        (said[:, 3] + over[:, 3]) / 2,
        np.exp((said[:, 4] + over[:, 4]) / 2),
    )
