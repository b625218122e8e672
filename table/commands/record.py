"""`titusind record FILE`: a clip of what a camera shows, for `titusind replay FILE` to see the same."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from table.command_line import EXIT_DONE, EXIT_FAILED, EXIT_USAGE
from table.errors import RecordingError
from table.output import complain, print_json_line
from table.recording.clip_file import ClipFile
from table.recording.exact_choice import Chosen, ExactChoice
from table.source_arguments import CAMERA, add_fps_argument
from vision.calibration import load_calibration
from vision.domain import Frame, FrameSource
from vision.errors import CalibrationError, NoCameraError, VisionError
from vision.sources import first_camera, open_source

LONGEST_S = 24 * 3600

ABOUT = """\
Every frame that the table would have been given is written, at its own time, as Motion JPEG in Matroska: a
Raspberry Pi encodes it in real time (4 ms of a desktop core a frame of 1280x720, 4 MB a second at 30 fps),
any player shows it, and what was written before a crash or a full disk plays. The frames at which all comes
to rest, which are the ones judged, are written losslessly beside; say with --table which table it is, so
that they are the very frames that the table would judge. Ctrl-C ends the recording.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `titusind record`."""
    parser.epilog = ABOUT
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("file", metavar="FILE.mkv", type=Path, help="clip to write")
    parser.add_argument(
        "--camera",
        metavar=CAMERA,
        help="camera, or what is to be written anew (default: the first Pi camera, else the first webcam)",
    )
    add_fps_argument(parser)
    parser.add_argument(
        "--seconds", type=_seconds, default=math.inf, metavar="N", help="how long (default: until Ctrl-C)"
    )
    parser.add_argument("--table", type=Path, metavar="FILE", help="calibration of the table, table.json")
    parser.add_argument("--json", action="store_true", help="print what was written as one JSON object")
    parser.add_argument("--force", action="store_true", help="replace a file that is there")


def _seconds(word: str) -> float:
    try:
        seconds = float(word)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= LONGEST_S:
        raise argparse.ArgumentTypeError(f"{word!r}; more than 0 and up to {LONGEST_S} seconds are accepted")
    return seconds


def run(args: argparse.Namespace) -> int:
    """Record until told to stop; 1 when camera or disk fail, 2 when the file is not to be written."""
    try:
        calibration = load_calibration(args.table) if args.table else None
        _check_different(args.file, args.camera)
        clip = ClipFile(args.file, force=args.force)
    except (RecordingError, CalibrationError) as error:
        complain(error)
        return EXIT_USAGE
    try:
        _record(clip, args, ExactChoice(calibration))
    except KeyboardInterrupt:  # how a recording is ended
        if not args.json:
            print()
    except (VisionError, RecordingError) as error:
        complain(error)
        return EXIT_FAILED
    if not clip.frames:
        complain(f"{args.file}: nothing is written: the camera had given no frame yet")
        return EXIT_FAILED
    _print(clip, args)
    return EXIT_DONE


def _print(clip: ClipFile, args: argparse.Namespace) -> None:
    if args.json:
        written = {"frames": clip.frames, "seconds": round(clip.seconds, 6), "bytes": clip.size_bytes}
        print_json_line({"file": str(args.file), **written})
    else:
        print(f"{args.file}: {clip.frames} frames, {clip.seconds:.1f} s, {clip.size_bytes / 1e6:.1f} MB")


def _check_different(file: Path, camera: str | None) -> None:
    if camera and file.exists() and Path(camera).exists() and file.samefile(camera):
        raise RecordingError(f"{file}: found as camera and as file; accepted are two different ones")


def _record(clip: ClipFile, args: argparse.Namespace, exact: ExactChoice) -> None:
    name, source = _opened(args)
    if not args.json:
        print(f"Recording {name} into {args.file} (Ctrl-C ends)", flush=True)
    with clip, closing(source.frames()) as frames:
        try:
            _write_all(clip, frames, exact, args.seconds)
        except (KeyboardInterrupt, VisionError):
            _write(clip, exact.rest())
            raise
        _write(clip, exact.rest())


def _write_all(clip: ClipFile, frames: Iterator[Frame], exact: ExactChoice, seconds: float) -> None:
    first_s: float | None = None
    for each in frames:
        first_s = each.t_s if first_s is None else first_s
        # A replay has no small picture either, and must rest on the same frames.
        _write(clip, exact.add(replace(each, small_grey=None)))
        if each.t_s - first_s >= seconds:
            return


def _write(clip: ClipFile, chosen: Chosen) -> None:
    for frame, exact in chosen:
        clip.add(frame, exact=exact)


def _opened(args: argparse.Namespace) -> tuple[str, FrameSource]:
    if args.camera is not None:
        return args.camera, open_source(args.camera, args.fps)
    found = first_camera()
    if found is None:
        raise NoCameraError(f"no camera found; accepted is one that is plugged in, or --camera {CAMERA}")
    return found
