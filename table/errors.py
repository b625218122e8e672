"""Errors of the table; each message is one line naming what was found and what is accepted."""

from __future__ import annotations


class TableError(Exception):
    """Base of all errors raised by `table`."""


class EventFileError(TableError, ValueError):
    """A file of touches or of expected events that cannot be used."""


class TouchError(TableError, ValueError):
    """A touch that cannot be done now; the message says why."""


class OwnThrowsError(TableError, OSError):
    """A folder that corrected throws cannot be kept in."""


class VoiceError(TableError, OSError):
    """A voice that cannot speak: a program that is missing or fails; the message says what to do."""


class RecordingError(TableError, OSError):
    """A recording that cannot be made or kept."""


class ReportError(TableError, ValueError):
    """A report of a throw that cannot be read."""
