"""The arguments of what is watched, shared by the commands that watch."""

from __future__ import annotations

import argparse
import re

from vision.sources.stills import FPS

CAMERA = "pi|usb:N|FILE|FOLDER"
ACCEPTED_FPS = (0.1, 1000.0)


def add_fps_argument(parser: argparse.ArgumentParser) -> None:
    """Add `--fps`, None unless it is given."""
    parser.add_argument(
        "--fps",
        type=_fps,
        metavar="N",
        help=f"pictures a second of a folder of pictures, in order of their names (default {FPS:g})",
    )


def _fps(word: str) -> float:
    least, most = ACCEPTED_FPS
    if not re.fullmatch(r"\d{1,4}(\.\d{1,6})?", word) or not least <= float(word) <= most:
        raise argparse.ArgumentTypeError(f"{word!r}; {least:g} to {most:g} pictures a second are accepted")
    return float(word)
