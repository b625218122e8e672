"""Frames as bytes: JPEG for a clip, PNG for what must stay as it was."""

from __future__ import annotations

from vision.domain import Image
from vision.opencv import cv2

CLIP_QUALITY = 90  # dice come to rest at the same frames as at 95, for half the bytes
PNG_FAST = cv2.IMWRITE_PNG_STRATEGY_HUFFMAN_ONLY  # a fifth larger and 40 % faster than level 1
# Full colour resolution costs a third more time and bytes; at less, the decoder of clips gives every pixel
# back half a grey level darker than it was.
FULL_COLOUR = cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444


def jpeg_of(image: Image) -> bytes:
    """Return a picture (H, W, 3) as JPEG."""
    settings = [cv2.IMWRITE_JPEG_QUALITY, CLIP_QUALITY, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, FULL_COLOUR]
    return cv2.imencode(".jpg", image, settings)[1].tobytes()


def png_of(image: Image) -> bytes:
    """Return a picture (H, W, 3) as PNG: the very same pixels."""
    return cv2.imencode(".png", image, [cv2.IMWRITE_PNG_STRATEGY, PNG_FAST])[1].tobytes()


def size_of(image: Image) -> tuple[int, int]:
    """Return width and height in pixels."""
    return image.shape[1], image.shape[0]
