"""Errors of the table; each message is one line naming what was found and what is accepted."""

from __future__ import annotations


class TableError(Exception):
    """Base of all errors raised by `table`."""


class EventFileError(TableError, ValueError):
    """A file of touches or of expected events that cannot be used."""


class TouchError(TableError, ValueError):
    """A touch that cannot be done now; the message says why."""


class PastTouchError(TouchError):
    """A touch on what the table no longer shows."""


class NotPermittedError(TouchError):
    """A touch of a guest who has not entered the PIN."""


class OwnThrowsError(TableError, OSError):
    """A folder that corrected throws cannot be kept in."""


class VoiceError(TableError, OSError):
    """A voice that cannot speak: a program that is missing or fails; the message says what to do."""


class RecordingError(TableError, OSError):
    """A recording that cannot be made or kept."""


class ReportError(TableError, ValueError):
    """A report of a throw that cannot be read."""


class OutputFileError(TableError, OSError):
    """A file that cannot be written."""


class StoreError(TableError, OSError):
    """The games on the disk cannot be read or written now."""


class StoreRefusedError(StoreError):
    """A file of games that must not be touched: another program's, a newer titusind's, damaged, or in use."""


class StoreInUseError(StoreRefusedError):
    """A file of games to which another process writes."""


class StoredGameError(TableError, ValueError):
    """A stored game that cannot be gone on with."""


class SchedulerError(TableError, RuntimeError):
    """A cluster that cannot be used: it does not answer, has no worker, or Dask is not installed."""


class LostWorkerError(TableError, RuntimeError):
    """A process that was to do a part of the work ended before it was done."""


class PublishingError(TableError, ValueError):
    """An address that events cannot be published at, or a password that cannot be read."""
