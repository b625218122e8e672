"""Other colours, light, sharpness and noise for a picture that is learnt from."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray
from vision.opencv import cv2

FloatImage = NDArray[np.float32]

_NOISE = np.random.default_rng(0).standard_normal(1 << 20).astype(np.float32)


def coloured(picture: FloatImage, random: np.random.Generator) -> FloatImage:
    """Channels mixed or greyed, dark turned to light at times, contrast and brightness changed."""
    kind = random.uniform()
    mix = np.eye(3)[random.permutation(3)] if kind < 0.5 else np.eye(3)
    mix = mix + random.normal(scale=0.25 if kind < 0.7 else 0.06, size=(3, 3))
    if random.uniform() < 0.2:
        mix = np.full((3, 3), 1 / 3)
    mix /= np.maximum(mix.sum(axis=1, keepdims=True), 0.4)
    mixed = np.asarray(cv2.transform(picture, mix), dtype=np.float32)
    level = mixed.mean(axis=(0, 1))
    if random.uniform() < 0.3:
        gain, level_to = _own_gains(random), random.uniform(40, 200, size=3)
    else:
        gain = np.full(3, math.exp(random.uniform(-0.6, 0.35)) * random.choice((1, 1, -1)))
        level_to = random.uniform(0.35, 1.0) * (level - 110) + 110 * random.uniform(0.6, 1.4)
    return np.asarray((mixed - level) * gain + level_to, dtype=np.float32)


def _own_gains(random: np.random.Generator) -> FloatArray:
    """Gains (3,) of the channels, some turned over: red pips on a dark die, where brightness tells little."""
    gain = random.uniform(-1, 1, size=3)
    return np.asarray(gain * random.uniform(0.4, 1.2) / np.abs(gain).max())


def lit(picture: FloatImage, random: np.random.Generator) -> FloatImage:
    """Light that falls off to one side, and a spot of glare at times; clipped to 0 to 255."""
    down, across = _axes(*picture.shape[:2])
    if random.uniform() < 0.6:
        slope = random.normal(scale=0.12, size=2)
        ramp = 1 + (slope[0] * across + slope[1] * down)
        picture = picture * ramp[..., None]
    if random.uniform() < 0.2:
        x, y = random.uniform(-0.8, 0.8, size=2)
        wide, high = random.uniform(0.06, 0.3, size=2)
        spot = np.exp(-(((across - x) / wide) ** 2) - ((down - y) / high) ** 2)
        picture = picture + random.uniform(60, 250) * np.minimum(spot * random.uniform(1, 3), 1)[..., None]
    return np.asarray(np.clip(picture, 0, 255), dtype=np.float32)


@cache
def _axes(height: int, width: int) -> tuple[FloatImage, FloatImage]:
    """Rows and columns of a picture, each from -1 to 1."""
    down, across = (axis.astype(np.float32) for axis in np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j])
    return down, across


def noised(picture: FloatImage, random: np.random.Generator) -> FloatImage:
    """Noise as of a sensor, more often little than much; clipped to 0 to 255."""
    sigma = random.exponential(4.0) if random.uniform() < 0.7 else 0.0
    if sigma:
        start = random.integers(len(_NOISE) - picture.size)
        picture = picture + min(sigma, 25.0) * _NOISE[start : start + picture.size].reshape(picture.shape)
    return np.asarray(np.clip(picture, 0, 255), dtype=np.float32)


def pressed(picture: FloatImage, random: np.random.Generator) -> FloatImage:
    """Every fourth picture through JPEG and back."""
    if random.uniform() >= 0.25:
        return picture
    quality = int(random.integers(25, 90))
    _, data = cv2.imencode(".jpg", picture.astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.float32)
