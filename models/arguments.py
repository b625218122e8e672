"""What the commands of `models` accept."""

from __future__ import annotations

import argparse
from pathlib import Path

LEAST_STEPS = 50  # a course has a rise and a fall of its rate, which take some


def existing_folder(word: str) -> Path:
    """Return the folder called `word`; raises argparse.ArgumentTypeError where there is none."""
    path = Path(word)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{word!r}: no such folder")
    return path


def steps(word: str) -> int:
    """Return how many steps to train; raises argparse.ArgumentTypeError for too few."""
    if not word.isdecimal() or int(word) < LEAST_STEPS:
        raise argparse.ArgumentTypeError(f"{word!r}; a whole number of at least {LEAST_STEPS} is accepted")
    return int(word)


def seed(word: str) -> int:
    """Return a seed; raises argparse.ArgumentTypeError for what is none."""
    if not word.isdecimal():
        raise argparse.ArgumentTypeError(f"{word!r}; a whole number of at least 0 is accepted")
    return int(word)


def must_be_folder(folder: Path, option: str) -> Path:
    """Return `folder`, which may be a default; ends the command with a line where there is none."""
    if not folder.is_dir():
        raise SystemExit(f"{folder}: no such folder; name one with {option}")
    return folder


def must_be_file(path: Path, option: str) -> Path:
    """Return `path`, which may be a default; ends the command with a line where there is no such file."""
    if not path.is_file():
        raise SystemExit(f"{path}: no such file; name one with {option}")
    return path
