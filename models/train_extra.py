"""The libraries of the `train` extra, or one line that says how they are installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def needed(name: str) -> Any:
    """Return the module `name`; ends the command with a line where it is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        raise SystemExit(f"{error}; install what training needs: pip install -e '.[train]'") from error
