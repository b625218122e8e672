"""A cheap stand-in for a renderer: paints floor, wall and the dice's faces as flat polygons with OpenCV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from datasets.dice_mesh import FACE_PX, face_picture
from datasets.hand import Bones, hand_bones
from datasets.lens import Radiance, film_of, project_to_film
from datasets.numbering import FACES, axis_of, face_frame
from datasets.rig import (
    GONE_MM,
    Colour,
    Floats,
    Hand,
    Instant,
    Point,
    Props,
    Rig,
    Surface,
    grown,
    wall_profile,
)
from datasets.sensor import white_radiance
from datasets.textures import linear
from vision.opencv import cv2

_NEAREST_MM: Final = 30.0
_FARTHEST_PX: Final = 8000.0
_SHADES: Final = (0.55, 0.45)  # from the sky everywhere, and from straight above


class FlatRenderer:
    """One rig, painted again and again with its dice elsewhere."""

    def __init__(self, rig: Rig, props: Props | None = None) -> None:
        self._rig, self._props = rig, props or Props()
        self._white = white_radiance(rig)
        painted: dict[object, list[Floats]] = {}
        for look in rig.dice:
            if look not in painted:
                painted[look] = [linear(face_picture(look, face) / 255.0) for face in FACES]
        self._faces = [painted[look] for look in rig.dice]

    def draw(self, instants: Sequence[Instant], seed: int) -> Radiance:  # noqa: ARG002
        """Return the pinhole picture, linear RGB float32 (H, W, 3); the same whatever the seed."""
        films = [self._film(instant) for instant in instants]
        return np.asarray(np.mean(films, axis=0), dtype=np.float32)

    def colours(self, instant: Instant, seed: int) -> Radiance:  # noqa: ARG002
        """Return what everything is painted with, for shades' sake a little darker."""
        return self._film(instant) / np.float32(self._white)

    def _film(self, instant: Instant) -> Radiance:
        film, poses, coin = self._ground(), instant.poses, instant.coin
        if coin is not None:
            self._disc(film, coin.at, coin.radius_mm, coin.thick_mm, (0.3, 0.25, 0.12))
        far = np.linalg.norm(poses.at_mm - self._rig.lens.at_mm, axis=1)
        for number in np.argsort(-far):
            if not np.array_equal(poses.at_mm[number], GONE_MM):
                self._die(film, poses.at_mm[number], poses.turn[number], int(number))
        cup = self._props.cup
        if cup is not None and instant.cup_mm is not None:
            x, y, z = (float(value) for value in instant.cup_mm)
            self._disc(film, (x, y), cup.mouth_mm, z, cup.colour)
            self._disc(film, (x, y), cup.bottom_mm, z + cup.high_mm, cup.colour)
        if instant.hand is not None:
            self._hand(film, instant.hand)
        return film * np.float32(self._white)

    def _ground(self) -> Radiance:
        tray, frame = self._rig.tray, film_of(self._rig.lens)
        film = np.empty((frame.height, frame.width, 3), dtype=np.float32)
        film[:] = _mean(self._rig.table)
        out, up = wall_profile(tray)[-1]
        self._polygon(film, grown(tray.outline, out), up, 0.8 * _mean(tray.wall))
        self._polygon(film, np.array(tray.outline), 0.0, _mean(tray.floor))
        return film

    def _polygon(self, film: Radiance, ring: Floats, up: float, colour: Floats) -> None:
        pixels = project_to_film(self._rig.lens, np.column_stack([ring, np.full(len(ring), up)]))
        ink = tuple(float(value) for value in colour)
        cv2.fillPoly(film, [np.rint(pixels * 16).astype(np.int32)], ink, cv2.LINE_AA, 4)

    def _disc(self, film: Radiance, at: Point, radius_mm: float, up: float, colour: Colour) -> None:
        angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        ring = np.array(at) + radius_mm * np.column_stack([np.cos(angles), np.sin(angles)])
        self._polygon(film, ring, up, np.array(colour))

    def _hand(self, film: Radiance, hand: Hand) -> None:
        """Paint every rod as the hull of its two ends, the sleeve last."""
        arm = self._props.arm
        if arm is None:
            raise ValueError("a hand, but no arm among the props")
        bones = hand_bones(arm, hand.pose)
        for number in range(len(bones.start)):
            sleeve = number == len(bones.start) - 1
            ink = tuple(float(value) for value in linear(np.array(arm.sleeve if sleeve else arm.skin)))
            outline = self._rod(bones, number, hand)
            if outline is not None:
                hull = cv2.convexHull(np.rint(outline * 16).astype(np.int32))
                cv2.fillPoly(film, [hull], ink, cv2.LINE_AA, 4)

    def _rod(self, bones: Bones, number: int, hand: Hand) -> Floats | None:
        """Return where the rod's ends are in the picture (32, 2), None when it is not before the camera."""
        angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        ring = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(16)])
        ends = zip((bones.start[number], bones.end[number]), bones.radii[number], strict=True)
        places = np.vstack([middle @ hand.turn.T + hand.at_mm + radius * ring for middle, radius in ends])
        lens = self._rig.lens
        if (places @ lens.turn[2] + lens.shift_mm[2]).min() < _NEAREST_MM:
            return None
        return np.clip(project_to_film(lens, places), -_FARTHEST_PX, _FARTHEST_PX)

    def _die(self, film: Radiance, at_mm: Floats, turn: Floats, number: int) -> None:
        look, eye = self._rig.dice[number], self._rig.lens.at_mm
        for face in FACES:
            axis = axis_of(look.numbering, face)
            across, along = face_frame(axis)
            signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
            square = np.array([axis / 2 + (a * across + b * along) / 2 for a, b in signs])
            corners = square * look.edge_mm @ turn.T + at_mm
            outward = turn @ axis
            if (eye - corners[0]) @ outward > 0:
                shade = _SHADES[0] + _SHADES[1] * max(0.0, float(outward[2]))
                self._paint(film, self._faces[number][face - 1] * shade, corners)

    def _paint(self, film: Radiance, picture: Floats, corners_mm: Floats) -> None:
        target = project_to_film(self._rig.lens, corners_mm).astype(np.float32)
        side = FACE_PX - 0.5
        source = np.array([[-0.5, -0.5], [side, -0.5], [side, side], [-0.5, side]], dtype=np.float32)
        limits = np.array(film.shape[1::-1])
        low = np.clip(np.floor(target.min(axis=0)) - 2, 0, limits).astype(int)
        high = np.clip(np.ceil(target.max(axis=0)) + 3, 0, limits).astype(int)
        if (high <= low).any():
            return
        across = cv2.getPerspectiveTransform(source, (target - low).astype(np.float32))
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        layers = np.dstack([picture, np.ones(picture.shape[:2])]).astype(np.float32)
        drawn = cv2.warpPerspective(layers, across, size, flags=cv2.INTER_AREA)
        part = film[low[1] : high[1], low[0] : high[0]]
        part[:] = part * (1 - drawn[..., 3:]) + drawn[..., :3]


def _mean(surface: Surface) -> Floats:
    return linear(np.array(surface.colour))
