"""Reads a picture file into the one form the rest of vision knows: BGR uint8 of shape (H, W, 3).

Grey and 16-bit pictures are converted, the EXIF turn of a phone's JPEG is applied, and transparent
parts are laid over a neutral grey, so that whatever colour hides under them cannot pass for a die.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import numpy as np

from vision.decoder_messages import JPEG_DAMAGE, caught_messages
from vision.domain import Image
from vision.errors import UnreadableImageError
from vision.opencv import MAX_PIXELS, cv2

LEAST_SIDE_PX = 32
MAX_BYTES = 256 * 2**20
ACCEPTED = "a JPEG, PNG, WebP, BMP or TIFF picture"
WHOLE = "accepted is a whole picture"
BACKDROP_GREY = 128

_JPEG, _PNG, _WEBP, _BMP, _TIFF = "JPEG", "PNG", "WebP", "BMP", "TIFF"
_SIGNATURES: tuple[tuple[str, re.Pattern[bytes]], ...] = (
    (_JPEG, re.compile(rb"\xff\xd8\xff")),
    (_PNG, re.compile(rb"\x89PNG\r\n\x1a\n")),
    (_WEBP, re.compile(rb"RIFF....WEBP", re.DOTALL)),
    (_BMP, re.compile(rb"BM")),
    (_TIFF, re.compile(rb"II[*+]\0|MM\0[*+]")),
)
_JPEG_MARKER = re.compile(rb"\xff+([^\x00\xff])", re.DOTALL)
_JPEG_LONE = frozenset({0x01, *range(0xD0, 0xD9)})  # TEM, RST0-7 and SOI carry no length (T.81, table B.1)
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # SOFn, which hold the size
_JPEG_END = 0xD9


def read_image(path: Path) -> Image:
    """Return the picture in `path` as BGR uint8 (H, W, 3), turned upright.

    Raises UnreadableImageError naming the file, what was found and what is accepted, if it is missing,
    no regular file, empty, cut off, damaged, no picture, or outside the accepted sizes.
    """
    return decode_image(_read_bytes(path), str(path))


def decode_image(data: bytes, name: str) -> Image:
    """Return the picture in `data` as `read_image` does; `name` stands for it in errors."""
    kind = _picture_kind(data, name)
    complaint = _STRUCTURE_CHECKS[kind](data)
    if complaint:
        raise UnreadableImageError(f"{name}: {kind} picture {complaint}")
    picture = _decode(data, cv2.IMREAD_COLOR, kind, name)
    if kind in (_PNG, _WEBP, _TIFF):
        picture = _without_alpha(picture, _decode(data, cv2.IMREAD_UNCHANGED, kind, name))
    height, width = picture.shape[:2]
    if min(height, width) < LEAST_SIDE_PX:
        raise UnreadableImageError(
            f"{name}: picture of {width}x{height} pixels; accepted are at least {LEAST_SIDE_PX} a side"
        )
    return picture


def _read_bytes(path: Path) -> bytes:
    try:
        if not path.is_file():
            found = "a directory" if path.is_dir() else "no regular file" if path.exists() else "no such file"
            raise UnreadableImageError(f"{path}: {found}; accepted is {ACCEPTED}")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise UnreadableImageError(
                f"{path}: file of {size >> 20} MiB; accepted are at most {MAX_BYTES >> 20} MiB"
            )
        return path.read_bytes()
    except OSError as error:
        raise UnreadableImageError(f"{path}: cannot be read ({error.strerror})") from error


def _picture_kind(data: bytes, name: str) -> str:
    if not data:
        raise UnreadableImageError(f"{name}: empty file (zero bytes); accepted is {ACCEPTED}")
    for kind, signature in _SIGNATURES:
        if signature.match(data):
            return kind
    raise UnreadableImageError(f"{name}: not a picture titusind knows; accepted is {ACCEPTED}")


def _decode(data: bytes, flags: int, kind: str, name: str) -> Image:
    try:
        with caught_messages() as messages:
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error as error:
        if "IMAGE_PIXELS" in str(error):
            raise UnreadableImageError(f"{name}: picture {_too_large()}") from error
        raise UnreadableImageError(f"{name}: {kind} picture is damaged; {WHOLE}") from error
    if picture is None:
        raise UnreadableImageError(f"{name}: {kind} picture is damaged or cut off; {WHOLE}")
    if kind == _JPEG and any(map(JPEG_DAMAGE.match, messages)):
        raise UnreadableImageError(f"{name}: {kind} picture is damaged ({messages[0]}); {WHOLE}")
    return cast(Image, picture)


def _too_large(width: int = 0, height: int = 0) -> str:
    found = f"of {width}x{height} pixels" if width else "too large"
    return f"{found}; accepted are at most {MAX_PIXELS // 10**6} megapixels"


def _without_alpha(colour: Image, unchanged: Image) -> Image:
    """Lay `unchanged` (H, W, 4) over grey where it is transparent; an opaque or plain picture is `colour`.

    An EXIF turn is not applied to a picture with transparent parts.
    """
    if unchanged.ndim != 3 or unchanged.shape[2] != 4:
        return colour
    alpha = unchanged[..., 3]
    full = np.iinfo(alpha.dtype).max if alpha.dtype.kind == "u" else 1
    if bool((alpha == full).all()):
        return colour
    share = (alpha / full).astype(np.float32)[..., np.newaxis]
    shown = unchanged[..., :3] * np.float32(255 / full) * share + BACKDROP_GREY * (1 - share)
    return cast(Image, np.clip(np.rint(shown), 0, 255).astype(np.uint8))


def _jpeg_complaint(data: bytes) -> str | None:
    """Walk to the end-of-image marker; bytes after it (phones append previews) are no fault."""
    for marker, start in _jpeg_markers(data):
        if marker == _JPEG_END:
            return None
        if marker in _JPEG_FRAMES and len(data) >= start + 7:
            height, width = (int.from_bytes(data[start + at : start + at + 2]) for at in (3, 5))
            if width * height > MAX_PIXELS:
                return _too_large(width, height)
    return f"is cut off (its end-of-image marker is missing); {WHOLE}"


def _jpeg_markers(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield (marker, offset of its payload) of every segment, skipping payloads and entropy-coded data."""
    position = 2
    while found := _JPEG_MARKER.search(data, position):
        marker, position = found[1][0], found.end()
        if marker in _JPEG_LONE:
            continue
        yield marker, position
        if marker != _JPEG_END:
            position += int.from_bytes(data[position : position + 2])


def _png_complaint(data: bytes) -> str | None:
    """Walk the chunks to IEND, checking each one's CRC (libpng would complain on standard error)."""
    position = 8
    while position + 12 <= len(data):
        length = int.from_bytes(data[position : position + 4])
        body = memoryview(data)[position + 4 : position + 8 + length]
        kind, crc = bytes(body[:4]), data[position + 8 + length : position + 12 + length]
        if len(crc) < 4:
            break
        if zlib.crc32(body) != int.from_bytes(crc):
            return f"is damaged (checksum of its {kind.decode('latin-1')} chunk); {WHOLE}"
        if kind == b"IEND":
            return None
        if kind == b"IHDR":
            width, height = int.from_bytes(body[4:8]), int.from_bytes(body[8:12])
            if width * height > MAX_PIXELS:
                return _too_large(width, height)
        position += 12 + length
    return f"is cut off (its IEND chunk is missing); {WHOLE}"


def _webp_complaint(data: bytes) -> str | None:
    promised = int.from_bytes(data[4:8], "little") + 8
    return f"is cut off ({len(data)} of {promised} bytes); {WHOLE}" if len(data) < promised else None


def _no_complaint(_data: bytes) -> str | None:
    """BMP and TIFF: OpenCV's own decoders refuse what is cut off."""
    return None


_STRUCTURE_CHECKS: dict[str, Callable[[bytes], str | None]] = {
    _JPEG: _jpeg_complaint,
    _PNG: _png_complaint,
    _WEBP: _webp_complaint,
    _BMP: _no_complaint,
    _TIFF: _no_complaint,
}


def write_png(path: Path, image_bgr: Image) -> None:
    """Write a picture (H, W, 3); raises OSError if that cannot be done."""
    path.write_bytes(cv2.imencode(".png", image_bgr)[1].tobytes())
