"""Errors of the vision side; each message is one line naming what, where and what is accepted."""

from __future__ import annotations


class VisionError(Exception):
    """Base of all errors raised by `vision`."""


class UnreadableImageError(VisionError, ValueError):
    """A file or array that cannot be decoded into a picture titusind can judge."""


class UnreadableClipError(VisionError, ValueError):
    """A clip or camera that cannot be opened, or gives no frame."""


class NoCameraError(UnreadableClipError):
    """No camera of the kind that was asked for is there, or none that is free."""


class CalibrationError(VisionError, ValueError):
    """A `table.json` with a wrong key, type or value."""
