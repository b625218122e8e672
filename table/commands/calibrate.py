"""`titusind calibrate`: the sheet to print, and `table.json` from pictures of the table."""

from __future__ import annotations

import argparse
import contextlib
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from table.calibrating import Calibrated, NamedPicture, Request, calibrate, in_words
from table.command_line import EXIT_DONE, EXIT_FAILED, EXIT_USAGE
from table.output import complain, print_json_line
from table.source_arguments import CAMERA
from vision.calibrate.from_tray import InnerSize, Shape
from vision.calibrate.table_file import table_record, write_table
from vision.calibration import DIE_MM_RANGE, load_calibration
from vision.camera import Camera
from vision.domain import FloatArray, Image
from vision.errors import UnreadableClipError, VisionError
from vision.images import read_image, write_png
from vision.judge import judge
from vision.opencv import cv2
from vision.overlay import draw_table
from vision.sources import open_source

PAPERS = ("a4", "letter")
INNER_MM = (50.0, 2000.0)
RULER_MM = (80.0, 120.0)
SETTLED_S = 1.0  # a webcam's exposure needs a moment
EMPTY_JPEG, EMPTY_PNG = "empty.jpg", "empty.png"
JPEG_START = b"\xff\xd8\xff"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `titusind calibrate`."""
    parser.add_argument(
        "pictures",
        metavar="PICTURE",
        nargs="*",
        type=Path,
        help="the tray with the printed sheet lying in it (further ones: the sheet held at a slant), or with "
        "six dice, or empty with --inner",
    )
    parser.add_argument(
        "--sheet", type=Path, metavar="FILE.pdf", help="write the sheet to print, and no more"
    )
    parser.add_argument("--paper", choices=PAPERS, default="a4", help="paper of the sheet (default a4)")
    parser.add_argument(
        "--ruler", type=_ruler, default=100.0, metavar="MM", help="what its 100 mm ruler measures"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("table.json"),
        metavar="FILE",
        help="file to write (default table.json)",
    )
    parser.add_argument("--force", action="store_true", help="write over files that are there")
    parser.add_argument("--empty", type=Path, metavar="PICTURE", help="the tray with nothing in it")
    parser.add_argument(
        "--surely-empty", action="store_true", help="what looks like dice in the empty tray is part of it"
    )
    parser.add_argument(
        "--camera",
        metavar=CAMERA,
        help="take the PICTURE from a camera, or from the first frame of a clip or a folder of pictures",
    )
    parser.add_argument(
        "--inner",
        type=_inner,
        metavar="MM",
        help="the floor's size: 300x200; 240 of an octagon or a round tray",
    )
    parser.add_argument(
        "--shape", type=Shape, choices=list(Shape), default=Shape.RECTANGLE, help="of the tray, with --inner"
    )
    parser.add_argument(
        "--die", type=_die, metavar="MM", help="edge of the dice; alone: six lie flat in PICTURE"
    )
    parser.add_argument(
        "--area",
        type=_corner,
        nargs="+",
        metavar="x,y",
        help="corners of the floor in px, if they are not found",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _number(word: str, least: float, most: float, what: str) -> float:
    if not re.fullmatch(r"\d{1,6}(\.\d{1,6})?", word) or not least <= float(word) <= most:
        raise argparse.ArgumentTypeError(f"{word!r}; {what} from {least:g} to {most:g} mm is accepted")
    return float(word)


def _ruler(word: str) -> float:
    return _number(word, *RULER_MM, "a length")


def _die(word: str) -> float:
    return _number(word, *DIE_MM_RANGE, "the edge of a die")


def _inner(word: str) -> tuple[float, ...]:
    sizes = tuple(_number(part, *INNER_MM, "WIDTHxHEIGHT or one size, each") for part in word.split("x"))
    if len(sizes) > 2:
        raise argparse.ArgumentTypeError(f"{word!r}; WIDTHxHEIGHT in mm, or one size, is accepted")
    return sizes


def _corner(word: str) -> tuple[float, float]:
    match = re.fullmatch(r"(\d{1,5}(?:\.\d{1,6})?),(\d{1,5}(?:\.\d{1,6})?)", word)
    if not match:
        raise argparse.ArgumentTypeError(f"{word!r}; x,y in pixels is accepted, as in 120.5,88")
    return float(match[1]), float(match[2])


def run(args: argparse.Namespace) -> int:
    """Write the sheet or the table; 1 when the pictures do not tell it, 2 for arguments that do not fit."""
    fault = _usage_fault(args)
    if fault:
        complain(fault)
        return EXIT_USAGE
    try:
        return _write_sheet(args) if args.sheet else _calibrate(args)
    except VisionError as error:
        complain(error)
    except OSError as error:
        wanted = args.sheet or args.out
        complain(
            f"{wanted}: cannot be written ({error.strerror}); accepted is a name in a folder open to you"
        )
    return EXIT_FAILED


def _usage_fault(args: argparse.Namespace) -> str | None:
    """Say what does not fit together."""
    some, from_camera = bool(args.pictures), args.camera is not None
    if args.sheet:
        extra = some or from_camera
        if extra:
            return "--sheet: found pictures beside it; accepted is --sheet with --paper alone"
        if args.sheet.suffix.lower() != ".pdf":
            return f"--sheet: found {args.sheet}; accepted is a name that ends in .pdf"
        return _taken([args.sheet], args.force, "another name")
    inner, shaped = args.inner or (), args.shape is not Shape.RECTANGLE
    faults = {
        "found no picture; accepted is PICTURE, --camera pi or usb:N, or --sheet FILE.pdf": not some
        and not from_camera,
        "found PICTURE and --camera; accepted is one of them": some and from_camera,
        "--inner: found several pictures; accepted is one": bool(inner) and len(args.pictures) > 1,
        f"--inner: found two sizes; accepted is one for the shape {args.shape}": shaped and len(inner) > 1,
        "--shape: found no --inner; accepted is --shape with --inner MM": shaped and not inner,
        "--area: found fewer than 3 corners; accepted are 3 or more": 0 < len(args.area or ()) < 3,
    }
    found = [fault for fault, is_so in faults.items() if is_so]
    return found[0] if found else _overwriting(args)


def _overwriting(args: argparse.Namespace) -> str | None:
    """Say which file would be lost."""
    beside = (EMPTY_JPEG, EMPTY_PNG, _check_name(args.out))
    names = [args.out, *(args.out.with_name(name) for name in beside)]
    return _taken([name for name in names if not _is_given(args, name)], args.force, "another --out")


def _taken(names: Sequence[Path], force: bool, instead: str) -> str | None:
    """Say which of `names` is there already."""
    folder = next((name for name in names if name.is_dir()), None)
    if folder is not None:
        return f"{folder}: found a folder; accepted is {instead}"
    taken = next((name for name in names if name.exists()), None)
    if taken is None or force:
        return None
    return f"{taken}: found a file; accepted is {instead}, or --force to write over it"


def _is_given(args: argparse.Namespace, path: Path) -> bool:
    """Whether `path` is the empty picture itself, which may stay where it is."""
    given = args.empty or (args.pictures[0] if args.pictures else None)
    return given is not None and given.exists() and path.exists() and path.samefile(given)


def _write_sheet(args: argparse.Namespace) -> int:
    from table.sheet import write_sheet  # noqa: PLC0415 - the PDF's library, for no other command

    write_sheet(args.sheet, args.paper)
    if args.json:
        print_json_line({"sheet": str(args.sheet), "paper": args.paper})
    else:
        print(f"{args.sheet}: print it at 100 % on {args.paper} paper, and measure its ruler")
    return EXIT_DONE


def _calibrate(args: argparse.Namespace) -> int:
    pictures = [NamedPicture(str(path), read_image(path)) for path in args.pictures]
    if args.camera is not None:
        pictures = [NamedPicture(args.camera, _frame(args.camera))]
    empty = NamedPicture(str(args.empty), read_image(args.empty)) if args.empty else None
    request = Request(
        pictures,
        empty,
        inner=InnerSize(args.shape, args.inner[0], args.inner[-1]) if args.inner else None,
        die_mm=args.die,
        area_px=np.array(args.area) if args.area else None,
        scale=args.ruler / 100.0,
        surely_empty=args.surely_empty,
    )
    calibrated = calibrate(request, judge)
    picture = _empty_file(args, empty or (pictures[0] if args.inner else None))
    write_table(args.out, table_record(calibrated.calibration, picture and picture[0]), picture)
    load_calibration(args.out)
    check = draw_table((empty or pictures[0]).image, calibrated.calibration)
    write_png(args.out.with_name(_check_name(args.out)), check)
    _tell(args, calibrated, picture and picture[0])
    return EXIT_DONE


def _check_name(table: Path) -> str:
    """Name of the picture that shows a person what `table` says."""
    return f"{table.stem}-check.png"


def _frame(camera: str) -> Image:
    """The first frame of a recording; of a camera the first after its exposure has settled."""
    source = open_source(camera)
    with contextlib.closing(source.frames()) as frames:
        settled = (frame.image_bgr for frame in frames if not source.live or frame.t_s >= SETTLED_S)
        image = next(settled, None)
    if image is None:
        raise UnreadableClipError(
            f"{camera}: ended within {SETTLED_S:g} s; accepted is a camera that keeps sending"
        )
    return image


def _empty_file(args: argparse.Namespace, empty: NamedPicture | None) -> tuple[str, bytes] | None:
    """Name and bytes of the empty picture: a JPEG as it is, anything else as PNG."""
    if empty is None:
        return None
    path = args.empty or (args.pictures[0] if args.pictures else None)
    data = path.read_bytes() if path else b""
    if data.startswith(JPEG_START):
        return EMPTY_JPEG, data
    return EMPTY_PNG, cv2.imencode(".png", empty.image)[1].tobytes()


def _tell(args: argparse.Namespace, calibrated: Calibrated, empty: str | None) -> None:
    quality, calibration = calibrated.quality, calibrated.calibration
    camera = Camera.of(calibration)
    height_mm = camera.height_mm if camera else 0.0
    if args.json:
        print_json_line(
            {
                "table": str(args.out),
                "empty_image": empty,
                "check_image": _check_name(args.out),
                "way": calibrated.way,
                "outline": "given" if calibrated.outline_given else "found",
                "quality": in_words(quality),
                "floor_error_mm": round(quality.floor_error_mm, 2),
                "tilt_error_deg": round(quality.tilt_error_deg, 2),
                "height_mm": round(height_mm, 1),
                "height_error_mm": round(quality.height_error_mm, 1),
                "focal_error": round(quality.focal_error, 4),
                "residual": round(quality.residual, 3),
                "area_px": _rounded(calibration.area_px),
            }
        )
        return
    print(f"{args.out}: {in_words(quality)}, from the {calibrated.way}")
    low, high = quality.heights_mm(height_mm)
    if not quality.height_is_rough(height_mm):
        print(f"  camera {height_mm:.0f} mm above the floor, within {quality.height_error_mm:.0f} mm")
    if not calibrated.outline_given:
        (left, top), (right, bottom) = calibration.area_px.min(axis=0), calibration.area_px.max(axis=0)
        print(f"  floor found from ({left:.0f}, {top:.0f}) to ({right:.0f}, {bottom:.0f}) px")
    print(
        f"  look at {args.out.with_name(_check_name(args.out))}: the green line must run along the floor's "
        "edge, the yellow cubes must be as large as the dice"
    )
    if quality.height_is_rough(height_mm):
        print(
            f"  camera {low:.0f} to {high:.0f} mm above the floor: lengths on the floor are exact all the "
            "same, heights of dice less so; two or three pictures of the sheet held at a slant tell more "
            "(titusind calibrate --sheet sheet.pdf)"
        )


def _rounded(points: FloatArray) -> list[list[float]]:
    return [[round(x, 2), round(y, 2)] for x, y in points.tolist()]
