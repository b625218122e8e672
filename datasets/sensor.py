"""From light to file: what a small camera's lens, sensor and software make of a scene."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.lens import Radiance, bend
from datasets.rig import Rig, Sensor
from datasets.textures import srgb_bytes, unlinear
from vision.opencv import cv2

Image = NDArray[np.uint8]
_LUMA: Final = np.array([0.2126, 0.7152, 0.0722], dtype=np.float32)
BRIGHTNESS_SPREAD: Final = 0.025  # how much the brightness differs from throw to throw


def develop(rig: Rig, film: Radiance, chance: np.random.Generator, *, steady: bool = False) -> Image:
    """Return the picture BGR uint8 (H, W, 3) of a pinhole film (linear RGB, white paper about 1).

    With `steady` the brightness is the rig's own, otherwise it differs a little; noise is fresh each time.
    """
    sensor = rig.sensor
    brightness = 1.0 if steady else 1 + chance.uniform(-BRIGHTNESS_SPREAD, BRIGHTNESS_SPREAD)
    light = bend(rig.lens, film) * _gain(rig, brightness)
    light *= _vignette(light.shape[:2], sensor.vignetting)[..., np.newaxis]
    grey = _sharpened(_toned(_blurred(light, sensor.blur_px), sensor), sensor)
    noisy = grey + _noise(grey, sensor, chance)
    return np.asarray(np.clip(noisy[..., ::-1] + 0.5, 0, 255), dtype=np.uint8)


def unlit(rig: Rig, colours: Radiance) -> Image:
    """Return BGR uint8 (H, W, 3) of what everything is painted with, as the rig's lens shows it."""
    return srgb_bytes(unlinear(np.clip(bend(rig.lens, colours), 0, 1)))[..., ::-1]


def compressed(image: Image, quality: int) -> bytes:
    """Return the picture as JPEG."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError(f"a picture of shape {image.shape} cannot be written as JPEG")
    return bytes(data.tobytes())


def white_radiance(rig: Rig) -> float:
    """Return about what a white sheet in the middle of the floor sends to the camera."""
    return (sum(lamp.power for lamp in rig.lamps) + rig.ambience) / float(np.pi)


def _gain(rig: Rig, brightness: float) -> NDArray[np.float32]:
    balance = np.array(rig.sensor.balance)
    return np.asarray(brightness * rig.sensor.white_level * balance / white_radiance(rig), dtype=np.float32)


def _vignette(shape: tuple[int, ...], strength: float) -> NDArray[np.float32]:
    rows, columns = (np.linspace(-1, 1, side, dtype=np.float32) for side in shape)
    return np.asarray(1 - strength * (rows[:, np.newaxis] ** 2 + columns**2) / 2, dtype=np.float32)


def _blurred(light: Radiance, sigma_px: float) -> Radiance:
    return light if sigma_px == 0 else np.asarray(cv2.GaussianBlur(light, (0, 0), sigma_px), dtype=np.float32)


def _toned(light: Radiance, sensor: Sensor) -> Radiance:
    """Soft highlights, sRGB's curve, contrast and saturation; grey levels 0 to 255."""
    knee = np.where(light < 0.8, light, 0.8 + 0.2 * (1 - np.exp(-(light - 0.8) / 0.2)))
    curve = unlinear(knee)
    curve = curve + sensor.contrast * curve * (1 - curve) * (2 * curve - 1)
    luma = (curve @ _LUMA)[..., np.newaxis]
    return np.asarray(np.clip(luma + sensor.saturation * (curve - luma), 0, 1) * 255, dtype=np.float32)


def _sharpened(grey: Radiance, sensor: Sensor) -> Radiance:
    if sensor.sharpening == 0:
        return grey
    soft = cv2.GaussianBlur(grey, (0, 0), 1.2)
    return np.asarray(np.clip(grey + sensor.sharpening * (grey - soft), 0, 255), dtype=np.float32)


def _noise(grey: Radiance, sensor: Sensor, chance: np.random.Generator) -> Radiance:
    """Noise a little stronger where the curve is steep, grainy, mostly the same in all colours."""
    common = chance.standard_normal((*grey.shape[:2], 1), dtype=np.float32)
    own = chance.standard_normal(grey.shape, dtype=np.float32)
    field = cv2.GaussianBlur(0.8 * common + 0.6 * own, (0, 0), sensor.noise_grain_px)
    field *= sensor.noise / field.std()
    return np.asarray(field * (1.25 - 0.5 * grey / 255), dtype=np.float32)
