"""Pictures of every kind come in as BGR uint8; whatever is no whole picture is refused in one line."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.errors import UnreadableImageError
from vision.images import BACKDROP_GREY, LEAST_SIDE_PX, decode_image, read_image
from vision.opencv import cv2

HEIGHT, WIDTH = 48, 64


def scene() -> np.ndarray:
    """A smooth BGR picture whose four corners differ, so turns and channel swaps show."""
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    return np.dstack([columns * 3, rows * 4, 255 - columns * 2]).astype(np.uint8)


def encoded(suffix: str, picture: np.ndarray, params: tuple[int, ...] = ()) -> bytes:
    done = cv2.imencode(suffix, picture, list(params))
    return bytes(done[1].tobytes())


def refusal(data: bytes) -> str:
    with pytest.raises(UnreadableImageError) as caught:
        decode_image(data, "throw.bin")
    message = str(caught.value)
    assert "throw.bin" in message
    assert "accepted" in message
    assert "\n" not in message
    return message


def with_exif_orientation(jpeg: bytes, orientation: int) -> bytes:
    """Insert an APP1 segment holding only the orientation tag (EXIF 2.3, tag 0x0112)."""
    tiff = b"MM\0*\0\0\0\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_header(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))


@pytest.mark.parametrize("suffix", [".png", ".bmp", ".tiff", ".jpg", ".webp"])
def test_every_accepted_format_is_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"throw{suffix}"
    path.write_bytes(encoded(suffix, scene()))
    picture = read_image(path)
    assert picture.shape == (HEIGHT, WIDTH, 3)
    assert picture.dtype == np.uint8
    error = np.abs(picture.astype(int) - scene()).mean()
    assert error == 0 if suffix in {".png", ".bmp", ".tiff"} else error < 4


def test_a_grey_picture_gets_three_equal_channels() -> None:
    picture = decode_image(encoded(".png", scene()[..., 1]), "grey.png")
    assert (picture == scene()[..., 1:2]).all()


@pytest.mark.parametrize("channels", [slice(0, 3), 1])
def test_sixteen_bits_are_scaled_to_eight(channels: slice | int) -> None:
    deep = scene()[..., channels].astype(np.uint16) * 257
    picture = decode_image(encoded(".png", deep), "deep.png")
    expected = scene() if isinstance(channels, slice) else np.repeat(scene()[..., 1:2], 3, axis=2)
    assert (picture == expected).all()


def test_a_transparent_part_becomes_neutral_and_an_opaque_one_stays() -> None:
    alpha = np.full((HEIGHT, WIDTH), 255, np.uint8)
    assert (decode_image(encoded(".png", np.dstack([scene(), alpha])), "a.png") == scene()).all()
    alpha[:, : WIDTH // 2] = 0
    for depth in (np.uint8, np.uint16):
        scale = np.iinfo(depth).max // 255
        see_through = np.dstack([scene(), alpha]).astype(depth) * scale
        picture = decode_image(encoded(".png", see_through.astype(depth)), "a.png")
        assert (picture[:, : WIDTH // 2] == BACKDROP_GREY).all()
        assert (picture[:, WIDTH // 2 :] == scene()[:, WIDTH // 2 :]).all()


# EXIF 2.3: which corner of the stored picture is row 0, column 0 of the upright one.
UPRIGHT = {
    1: lambda p: p,
    2: lambda p: p[:, ::-1],
    3: lambda p: p[::-1, ::-1],
    4: lambda p: p[::-1],
    5: lambda p: p.transpose(1, 0, 2),
    6: lambda p: np.rot90(p, -1),
    7: lambda p: np.rot90(p, 2).transpose(1, 0, 2),
    8: lambda p: np.rot90(p, 1),
}


@pytest.mark.parametrize("orientation", UPRIGHT)
def test_the_turn_a_phone_wrote_is_applied(orientation: int) -> None:
    plain = encoded(".jpg", scene(), (cv2.IMWRITE_JPEG_QUALITY, 95))
    picture = decode_image(with_exif_orientation(plain, orientation), "phone.jpg")
    assert (picture == UPRIGHT[orientation](decode_image(plain, "plain.jpg"))).all()


JPEGS = {
    "baseline": encoded(".jpg", scene()),
    "progressive": encoded(".jpg", scene(), (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)),
    "restarts": encoded(".jpg", scene(), (cv2.IMWRITE_JPEG_RST_INTERVAL, 2)),
}
PREFIXES = JPEGS | {s: encoded(s, scene()) for s in (".png", ".webp", ".bmp", ".tiff")}
# The preview inside a phone's EXIF has an end-of-image marker of its own.
PREFIXES["preview"] = with_exif_orientation(JPEGS["baseline"], 1).replace(
    b"\xff\xe1",
    b"\xff\xe2" + struct.pack(">H", len(JPEGS["baseline"]) + 2) + JPEGS["baseline"] + b"\xff\xe1",
    1,
)


@pytest.mark.parametrize("name", PREFIXES)
def test_no_prefix_of_a_picture_passes_for_a_picture(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    whole = PREFIXES[name]
    assert decode_image(whole, "whole").shape == (HEIGHT, WIDTH, 3)
    step = max(1, len(whole) // 400)
    for length in [*range(0, len(whole), step), len(whole) - 2, len(whole) - 1]:
        refusal(whole[:length])
    assert capfd.readouterr().err == ""


def test_bytes_after_the_end_of_a_jpeg_are_no_fault() -> None:
    whole = JPEGS["baseline"]
    assert (decode_image(whole + b"\0" * 99 + whole[:50], "pano.jpg") == decode_image(whole, "a.jpg")).all()


def test_a_jpeg_whose_tail_was_never_written_is_cut_off() -> None:
    whole = JPEGS["baseline"]
    half = len(whole) * 3 // 4
    assert "cut off" in refusal(whole[:half] + b"\0" * (len(whole) - half))


def test_a_flipped_bit_in_a_png_is_damage(capfd: pytest.CaptureFixture[str]) -> None:
    broken = bytearray(encoded(".png", scene()))
    broken[len(broken) // 2] ^= 1
    assert "damaged" in refusal(bytes(broken))
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("name", JPEGS)
def test_a_jpeg_with_a_hole_is_damaged_and_nothing_else_is_said(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = JPEGS[name]
    middle = len(whole) * 2 // 3
    assert "damaged" in refusal(whole[:middle] + whole[middle + 150 :])
    assert capfd.readouterr().err == ""


def test_a_few_stray_bytes_before_the_end_are_no_damage(capfd: pytest.CaptureFixture[str]) -> None:
    whole = JPEGS["baseline"]
    padded = whole[:-2] + b"\x11\x22\x33" + whole[-2:]
    assert (decode_image(padded, "padded.jpg") == decode_image(whole, "a.jpg")).all()
    assert capfd.readouterr().err == ""


@given(
    st.binary(max_size=200), st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"BM", b"II*\0"])
)
def test_noise_is_refused_in_one_line(noise: bytes, start: bytes) -> None:
    refusal(start + noise)


@pytest.mark.parametrize("size", [(1, 1), (LEAST_SIDE_PX - 1, 500), (500, LEAST_SIDE_PX - 1)])
def test_a_picture_too_small_to_hold_a_die_is_refused(size: tuple[int, int]) -> None:
    message = refusal(encoded(".png", np.zeros((size[1], size[0]), np.uint8)))
    assert f"{size[0]}x{size[1]}" in message
    assert str(LEAST_SIDE_PX) in message


def test_the_smallest_accepted_picture_is_read() -> None:
    smallest = np.zeros((LEAST_SIDE_PX, LEAST_SIDE_PX), np.uint8)
    assert decode_image(encoded(".png", smallest), "s.png").shape == (LEAST_SIDE_PX, LEAST_SIDE_PX, 3)


def huge_pictures() -> dict[str, bytes]:
    """Whole files that claim 100 megapixels but hold few bytes: the header alone must decide."""
    jpeg = JPEGS["baseline"]
    size = jpeg.index(b"\xff\xc0") + 5
    bmp = bytearray(encoded(".bmp", scene()))
    bmp[18:26] = struct.pack("<ii", 10_000, 10_000)
    return {
        "jpeg": jpeg[:size] + struct.pack(">HH", 10_000, 10_000) + jpeg[size + 4 :],
        "png": png_header(10_000, 10_000) + png_chunk(b"IDAT", b"") + png_chunk(b"IEND", b""),
        "bmp": bytes(bmp),
    }


@pytest.mark.parametrize("kind", ["jpeg", "png", "bmp"])
def test_a_hundred_megapixels_are_refused_by_the_header(kind: str) -> None:
    assert "megapixels" in refusal(huge_pictures()[kind])


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (lambda path: None, "no such file"),
        (lambda path: path.mkdir(), "directory"),
        (lambda path: path.write_bytes(b""), "zero bytes"),
        (lambda path: path.write_text("1 1 5 3 2 6\n"), "not a picture"),
    ],
)
def test_what_is_no_picture_file_is_named(tmp_path: Path, make, found: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "throw.jpg"
    make(path)
    with pytest.raises(UnreadableImageError, match=found) as caught:
        read_image(path)
    assert str(path) in str(caught.value)
