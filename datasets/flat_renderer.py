"""A cheap stand-in for a renderer: paints floor, wall and the dice's faces as flat polygons with OpenCV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from datasets.dice_mesh import FACE_PX, face_picture
from datasets.lens import Radiance, film_of, project_to_film
from datasets.numbering import FACES, axis_of, face_frame
from datasets.rig import Colour, Cup, Floats, Instant, Point, Rig, Surface, grown, wall_profile
from datasets.sensor import white_radiance
from vision.opencv import cv2

_SHADES: Final = (0.55, 0.45)  # from the sky everywhere, and from straight above


class FlatRenderer:
    """One rig, painted again and again with its dice elsewhere."""

    def __init__(self, rig: Rig, cup: Cup | None = None) -> None:
        self._rig, self._cup = rig, cup
        self._white = white_radiance(rig)
        painted: dict[object, list[Floats]] = {}
        for look in rig.dice:
            if look not in painted:
                painted[look] = [_linear(face_picture(look, face) / 255.0) for face in FACES]
        self._faces = [painted[look] for look in rig.dice]

    def draw(self, instants: Sequence[Instant], seed: int) -> Radiance:  # noqa: ARG002
        """Return the pinhole picture, linear RGB float32 (H, W, 3); the same whatever the seed."""
        films = [self._film(instant) for instant in instants]
        return np.asarray(np.mean(films, axis=0), dtype=np.float32)

    def _film(self, instant: Instant) -> Radiance:
        film, poses, coin = self._ground(), instant.poses, instant.coin
        if coin is not None:
            self._disc(film, coin.at, coin.radius_mm, coin.thick_mm, (0.3, 0.25, 0.12))
        far = np.linalg.norm(poses.at_mm - self._rig.lens.at_mm, axis=1)
        for number in np.argsort(-far):
            self._die(film, poses.at_mm[number], poses.turn[number], int(number))
        if self._cup is not None and instant.cup_mm is not None:
            x, y, z = (float(value) for value in instant.cup_mm)
            self._disc(film, (x, y), self._cup.mouth_mm, z, self._cup.colour)
            self._disc(film, (x, y), self._cup.bottom_mm, z + self._cup.high_mm, self._cup.colour)
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
        across = cv2.getPerspectiveTransform(source, target)
        size = (film.shape[1], film.shape[0])
        layers = np.dstack([picture, np.ones(picture.shape[:2])]).astype(np.float32)
        drawn = cv2.warpPerspective(layers, across, size, flags=cv2.INTER_AREA)
        film[:] = film * (1 - drawn[..., 3:]) + drawn[..., :3]


def _mean(surface: Surface) -> Floats:
    return _linear(np.array(surface.colour))


def _linear(srgb: Floats) -> Floats:
    return np.asarray(np.where(srgb < 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4))
