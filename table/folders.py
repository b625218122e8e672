"""Folders that a person names for a command to write into."""

from __future__ import annotations

import os
from pathlib import Path


def folder_fault(option: str, folder: Path) -> str | None:
    """Make `folder`, which `option` names; return why nothing can be written into it, None when it can."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        fault = None if os.access(folder, os.W_OK | os.X_OK) else "may not be written to"
    except OSError as error:
        fault = error.strerror
    return fault and f"{option} {folder}: {fault}; accepted is a folder that can be written to"
