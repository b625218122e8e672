"""Pictures of felt, wood, leather and the like, drawn by chance; they repeat without a seam."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from datasets.rig import Floats, Surface
from vision.opencv import cv2

Picture = NDArray[np.uint8]
Chance = np.random.Generator
SIDE: Final = 1024


def surface_picture(surface: Surface) -> Picture:
    """Return the surface's repeating tile, RGB uint8 (SIDE, SIDE, 3)."""
    chance = np.random.default_rng(surface.seed)
    return srgb_bytes(_KINDS[surface.kind](surface, chance))


def srgb_bytes(colours: Floats) -> Picture:
    """Return colours 0 to 1 as uint8."""
    return np.asarray(np.clip(colours * 255 + 0.5, 0, 255), dtype=np.uint8)


def linear(srgb: Floats) -> Floats:
    """Return sRGB colours 0 to 1 as shares of light."""
    return np.asarray(np.where(srgb < 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4))


def unlinear(light: NDArray[Any]) -> NDArray[Any]:
    """Return shares of light as sRGB colours."""
    return np.where(light < 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-6) ** (1 / 2.4) - 0.055)


def grain(chance: Chance, side: int, across_px: float, along_px: float | None = None) -> Floats:
    """Return smooth noise (side, side) of mean 0 and deviation 1 that repeats without a seam."""
    row, column = np.fft.fftfreq(side)[:, np.newaxis], np.fft.rfftfreq(side)
    sigma_x, sigma_y = across_px, across_px if along_px is None else along_px
    filtered = np.fft.rfft2(chance.normal(0, 1, (side, side))) * np.exp(
        -2 * np.pi**2 * ((sigma_x * column) ** 2 + (sigma_y * row) ** 2)
    )
    filtered[0, 0] = 0
    smooth = np.fft.irfft2(filtered, s=(side, side))
    return np.asarray(smooth / smooth.std())


def _tinted(surface: Surface, shade: Floats) -> Floats:
    return np.asarray(
        np.array(surface.colour) * np.maximum(1 + surface.contrast * shade, 0.1)[..., np.newaxis]
    )


def _mixed(first: Floats, second: Floats, share: Floats) -> Floats:
    part = np.clip(share, 0, 1)[..., np.newaxis]
    return np.asarray(first * (1 - part) + second * part)


def _felt(surface: Surface, chance: Chance) -> Floats:
    fibres = np.clip(np.abs(grain(chance, SIDE, 0.8, 5)) - 1.8, 0, 1) + np.clip(
        np.abs(grain(chance, SIDE, 5, 0.8)) - 1.8, 0, 1
    )
    return _tinted(
        surface,
        0.09 * grain(chance, SIDE, 0.7)
        + 0.05 * grain(chance, SIDE, 2.5)
        + 0.04 * grain(chance, SIDE, 60)
        + 0.12 * fibres,
    )


def _wood(surface: Surface, chance: Chance) -> Floats:
    rings = np.sin(3 * grain(chance, SIDE, 300, 25) + 2 * grain(chance, SIDE, 200, 6))
    shade = (
        0.12 * rings
        + 0.07 * grain(chance, SIDE, 120, 1.2)
        - 0.12 * np.clip(grain(chance, SIDE, 30, 0.9) - 1.7, 0, 1)
    )
    wood = _tinted(surface, shade)
    boards = int(chance.choice([0, 0, 3, 5, 8]))
    if boards:
        tones = np.repeat(chance.normal(1, 0.06, boards), -(-SIDE // boards))[:SIDE]
        gap = (np.arange(SIDE) % (SIDE / boards)) < 3
        wood *= (tones * np.where(gap, 0.45, 1))[:, np.newaxis, np.newaxis]
    return wood if chance.random() < 0.5 else wood.transpose(1, 0, 2)


def _leather(surface: Surface, chance: Chance) -> Floats:
    size = chance.uniform(4, 11)
    creases = np.exp(-((grain(chance, SIDE, size) / 0.35) ** 2))
    return _tinted(surface, -0.2 * creases + 0.06 * grain(chance, SIDE, 40) + 0.04 * grain(chance, SIDE, 1))


def _plain(surface: Surface, chance: Chance) -> Floats:
    return _tinted(surface, 0.02 * grain(chance, SIDE, 90) + 0.015 * grain(chance, SIDE, 1))


def _cloth(surface: Surface, chance: Chance) -> Floats:
    threads = 2 * np.pi * int(chance.integers(70, 250)) * np.arange(SIDE) / SIDE
    weave = np.sin(threads)[:, np.newaxis] * np.sin(threads)
    cloth = _tinted(surface, 0.1 * weave + 0.05 * grain(chance, SIDE, 1.2) + 0.05 * grain(chance, SIDE, 70))
    stripes = np.sin(2 * np.pi * int(chance.integers(4, 14)) * np.arange(SIDE) / SIDE) > chance.uniform(
        -0.3, 0.6
    )
    share = np.outer(np.ones(SIDE), stripes) * int(chance.choice([0, 0, 1, 1]))
    if chance.random() < 0.5:
        share = (share + share.T) / 2
    dyed = cloth / np.array(surface.colour).clip(0.02) * np.array(surface.second)
    return _mixed(cloth, dyed, share)


def _cork(surface: Surface, chance: Chance) -> Floats:
    base = np.array([0.66, 0.48, 0.30])
    crumbs = 0.12 * np.tanh(2 * grain(chance, SIDE, 5)) - 0.35 * np.clip(grain(chance, SIDE, 3) - 1.4, 0, 1)
    return np.asarray(base * np.maximum(1 + surface.contrast * crumbs, 0.1)[..., np.newaxis])


def _stone(surface: Surface, chance: Chance) -> Floats:
    sizes = (90, 30, 9, 3)
    cloud = np.array([grain(chance, SIDE, size) * size / 90 for size in sizes]).sum(axis=0)
    veins = np.exp(-((cloud / 0.12) ** 2))
    return _mixed(
        _tinted(surface, 0.12 * cloud),
        np.broadcast_to(np.array(surface.second), (SIDE, SIDE, 3)),
        0.5 * veins,
    )


def _carpet(surface: Surface, chance: Chance) -> Floats:
    loops = grain(chance, SIDE, chance.uniform(2.5, 6))
    return _tinted(
        surface, 0.22 * np.tanh(1.3 * loops) + 0.08 * grain(chance, SIDE, 1) + 0.06 * grain(chance, SIDE, 60)
    )


def _print(surface: Surface, chance: Chance) -> Floats:
    """Draw discs, rings, bars and words, as on game boards and newspapers."""
    ground = np.ascontiguousarray(np.broadcast_to(srgb_bytes(np.array(surface.colour)), (SIDE, SIDE, 3)))
    for _ in range(int(chance.integers(25, 120))):
        x, y = (int(v) for v in chance.integers(60, SIDE - 60, 2))
        ink = tuple(int(v) for v in srgb_bytes(np.array(surface.second) * chance.uniform(0.3, 1.6, 3)))
        kind, size = chance.integers(4), int(chance.integers(4, 34))
        if kind < 2:
            cv2.circle(ground, (x, y), size, ink, -1 if kind else 3, cv2.LINE_AA)
        elif kind == 2:
            cv2.rectangle(ground, (x, y), (x + 2 * size, y + size), ink, int(chance.choice([-1, 2])))
        else:
            word = "".join(chance.choice(list("abcdefghilmnoprstu 0123456789"), 8))
            cv2.putText(ground, word, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size / 30, ink, 1, cv2.LINE_AA)
    return np.asarray(ground / 255 * (1 + 0.02 * grain(chance, SIDE, 1)[..., np.newaxis]))


_KINDS: Final[dict[str, Callable[[Surface, Chance], Floats]]] = {
    "felt": _felt,
    "wood": _wood,
    "leather": _leather,
    "plain": _plain,
    "cloth": _cloth,
    "cork": _cork,
    "stone": _stone,
    "carpet": _carpet,
    "print": _print,
}
