"""Tells a throw from everything else that moves: the only state kept between frames.

A `Settler` watches small pictures of the tray. It says when something starts to move, and, once all has
been still for a moment, whether the tray shows something new, the same as before, or nothing at all. Time is
the frames' own, in seconds, so frame rate and dropped frames do not matter; what counts as movement is
measured against the stream's own noise.

It knows no dice: a still tray that differs from the one before may be a throw, dice taken out or a
resting hand. Whoever reads the dice says with `learn_empty` when there were none.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import cast

import numpy as np

from vision.domain import Frame, Image, TableCalibration
from vision.errors import CalibrationError
from vision.opencv import cv2
from vision.scene import TILE_PX, Difference, Mask, Scene, area_tiles, difference, scene_of

LAG_S = 0.1  # movement is looked for against this long ago: a die on its last slow turn is still seen to move
HOLD_S = 0.22
RECHECK_S = 1.0
SAME_SHAPE = 0.01
NOISE_FALL_S, NOISE_RISE_S = 0.3, 5.0
Box = tuple[int, int, int, int]


class SettleKind(StrEnum):
    """What a settler can say of the tray."""

    MOTION_STARTED = "motion_started"
    SETTLED = "settled"
    UNCHANGED = "unchanged"
    CLEARED = "cleared"


@dataclass(frozen=True, slots=True, eq=False)
class SettleEvent:
    """Something began to move, or all has come to rest.

    SETTLED: the tray differs from the last still one; `frame` is still and the one to judge. UNCHANGED: it is
    as it was before the movement. CLEARED: it looks like the empty tray again. `started_s` and
    `started_index`: the last frame before the movement, the first of the stream if none was still; `still_s`:
    since when all has been still, None while it moves; `changed_px`: box (x0, y0, x1, y1) around what differs
    from the last still tray, in pixels of the frame, None where there is none to compare.
    """

    kind: SettleKind
    frame: Frame
    started_s: float
    started_index: int
    still_s: float | None = None
    changed_px: Box | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A frame as remembered."""

    t_s: float
    index: int
    scene: Scene


class Settler:
    """Feed it every frame in order by `step`.

    With a `calibration`, which must be of frames of that size, only movement in or at the edge of its area
    counts, and its empty picture is the empty tray; else the empty tray is learned by `learn_empty`. Until
    something has come to rest there is nothing to compare with: the first still tray is SETTLED, or UNCHANGED
    if it looks like the empty picture.
    """

    def __init__(self, calibration: TableCalibration | None = None) -> None:
        self._calibration = calibration
        self._recent: deque[_Seen] = deque()
        self._noise = math.inf
        self._area: Mask | None = None
        self._empty: Scene | None = None
        self._rest: Scene | None = None  # the last still tray
        self._rest_image: Image | None = None
        self._empty_image: Image | None = None
        self._checked_s = 0.0
        self._moving_since: _Seen | None = None  # None while at rest
        self._quiet_since: _Seen | None = None

    def step(self, frame: Frame) -> tuple[SettleEvent, ...]:
        """Take the next frame and return what it shows to have happened, mostly nothing.

        Raises CalibrationError if the calibration's pictures are of another shape than the frames.
        """
        now = _Seen(frame.t_s, frame.index, _scene_in(frame))
        if not self._recent or self._recent[-1].scene.detail.shape != now.scene.detail.shape:
            self._begin(now, frame)
            return ()
        reference = self._look_back(now)
        moved = difference(now.scene, reference.scene)
        active = self._is_active(moved, now.t_s - self._recent[-1].t_s)
        self._recent.append(now)
        if active:
            return self._keep_moving(frame, reference)
        return self._keep_still(frame, now, reference)

    @property
    def empty_image(self) -> Image | None:
        """The newest picture of the empty tray, the calibration's until there is another."""
        return self._empty_image

    @property
    def comes_to_rest(self) -> bool:
        """Whether what moved lies still already, but not yet for long enough to be SETTLED."""
        return self._moving_since is not None and self._quiet_since is not None

    @property
    def area(self) -> Mask | None:
        """The tiles of the tray and those around it, (rows, columns); None where no outline is known."""
        return self._area

    @property
    def unlike_rest(self) -> Mask | None:
        """Which tiles of the newest picture differ from the last still one, inside the area and out of it."""
        if self._rest is None:
            return None
        apart = difference(self._recent[-1].scene, self._rest)
        return apart.beyond(apart.noise)

    def learn_empty(self) -> None:
        """Take the last still tray for the empty one: whoever read the dice found none."""
        if self._rest is not None:
            self._empty, self._empty_image = self._rest, self._rest_image

    def _begin(self, first: _Seen, frame: Frame) -> None:
        """Start anew on the first frame, and on the first after a change of size."""
        self._recent = deque([first])
        self._moving_since, self._quiet_since = first, None
        self._noise, self._rest, self._area, self._empty = math.inf, None, None, None
        self._rest_image = self._empty_image = None
        if self._calibration is None:
            return
        self._area = _grown(area_tiles(self._calibration.area_px, first.scene))
        if self._calibration.empty_image is not None:
            self._empty_image = self._rest_image = self._calibration.empty_image
            self._empty = self._rest = _empty_scene(self._empty_image, frame)

    def _look_back(self, now: _Seen) -> _Seen:
        """Forget what is older than needed and return the newest frame at least LAG_S ago, or the oldest."""
        while len(self._recent) > 1 and now.t_s - self._recent[1].t_s >= LAG_S:
            self._recent.popleft()
        return self._recent[0]

    def _is_active(self, moved: Difference, passed_s: float) -> bool:
        noise = moved.noise
        if math.isinf(self._noise):
            self._noise = noise
        per_detail = {} if self._moving_since is None else {"per_detail": 0.0}
        active = self._within(moved.beyond(min(noise, 2 * self._noise), **per_detail))
        pace_s = NOISE_FALL_S if noise < self._noise else NOISE_RISE_S
        self._noise += (noise - self._noise) * -math.expm1(-passed_s / pace_s)
        return bool(active.any())

    def _within(self, tiles: Mask) -> Mask:
        return tiles if self._area is None else tiles & self._area

    def _keep_moving(self, frame: Frame, reference: _Seen) -> tuple[SettleEvent, ...]:
        self._quiet_since = None
        if self._moving_since is not None:
            return ()
        self._moving_since = reference
        return (SettleEvent(SettleKind.MOTION_STARTED, frame, reference.t_s, reference.index),)

    def _keep_still(self, frame: Frame, now: _Seen, reference: _Seen) -> tuple[SettleEvent, ...]:
        if self._moving_since is None:
            return self._recheck(frame, now)
        if self._quiet_since is None:
            self._quiet_since = reference
            return ()
        if now.t_s - self._quiet_since.t_s < HOLD_S:
            return ()
        return (self._come_to_rest(frame, now, self._moving_since, self._quiet_since.t_s),)

    def _recheck(self, frame: Frame, now: _Seen) -> tuple[SettleEvent, ...]:
        """Follow the light while at rest, and catch what crept in too slowly to be seen moving."""
        if now.t_s - self._checked_s < RECHECK_S or self._rest is None:
            return ()
        self._checked_s = now.t_s
        if not self._changed(now.scene, self._rest).any():
            self._rest, self._rest_image = now.scene, frame.image_bgr
            return ()
        started = SettleEvent(SettleKind.MOTION_STARTED, frame, now.t_s, now.index)
        return (started, self._come_to_rest(frame, now, now, now.t_s))

    def _come_to_rest(self, frame: Frame, now: _Seen, since: _Seen, still_s: float) -> SettleEvent:
        changed = None if self._rest is None else self._changed(now.scene, self._rest)
        if changed is not None and not changed.any():
            kind = SettleKind.UNCHANGED
        elif self._empty is not None and not self._changed(now.scene, self._empty).any():
            kind = SettleKind.CLEARED
            self._empty, self._empty_image = now.scene, frame.image_bgr
        else:
            kind = SettleKind.SETTLED
        self._rest, self._rest_image, self._checked_s = now.scene, frame.image_bgr, now.t_s
        self._moving_since = self._quiet_since = None
        box = None if changed is None else _box_of(changed, now.scene.scale)
        return SettleEvent(kind, frame, since.t_s, since.index, still_s, box)

    def _changed(self, now: Scene, before: Scene) -> Mask:
        apart = difference(now, before)
        return self._within(apart.beyond(apart.noise))


def _watched(frame: Frame) -> Image:
    """The picture of `frame` in which movement is looked for."""
    return frame.image_bgr if frame.small_grey is None else frame.small_grey


def _scene_in(frame: Frame) -> Scene:
    """Reduce the picture watched, its scale counted in pixels of the frame."""
    watched = _watched(frame)
    scene = scene_of(watched)
    return replace(scene, scale=scene.scale * watched.shape[1] / frame.image_bgr.shape[1])


def _empty_scene(empty: Image, frame: Frame) -> Scene:
    """Reduce the empty picture as `frame` is; it may be larger or smaller, but not of another shape."""
    (height, width), (rows, columns) = empty.shape[:2], frame.image_bgr.shape[:2]
    if abs(width * rows - height * columns) > SAME_SHAPE * width * rows:
        raise CalibrationError(
            f"empty_image: found {width}x{height} pixels; accepted is the shape of the camera's frames, "
            f"{columns}x{rows}"
        )
    size = _watched(frame).shape[1::-1]
    if (width, height) != size:
        empty = cast(Image, cv2.resize(empty, size, interpolation=cv2.INTER_AREA))
    return scene_of(empty)


def _grown(tiles: Mask) -> Mask:
    """Add the tiles around, so that what leans over the edge counts."""
    padded = np.pad(tiles, 1)
    rows, columns = tiles.shape
    grown = np.zeros_like(tiles)
    for down in range(3):
        for right in range(3):
            grown |= padded[down : down + rows, right : right + columns]
    return grown


def _box_of(tiles: Mask, scale: float) -> Box | None:
    rows, columns = np.nonzero(tiles)
    if not len(rows):
        return None
    edges = np.array([columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]) * TILE_PX / scale
    x0, y0, x1, y1 = (int(edge) for edge in edges)
    return x0, y0, x1, y1
