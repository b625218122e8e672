"""A clip on the disk that grows frame by frame, as a camera gives them."""

from __future__ import annotations

from io import FileIO
from pathlib import Path
from types import TracebackType

from table.errors import RecordingError
from table.recording.matroska import ClipWriter
from table.recording.pictures import jpeg_of, png_of, size_of
from vision.domain import Frame

SUFFIX = ".mkv"


class ClipFile:
    """Write to `path` by `add` within a `with`; its end, however it comes, leaves a whole clip.

    `frames`: how many are written; `seconds`: from the first to the last; `size_bytes`: of the file so far.
    There is no file before the first frame. Raises RecordingError, in words, when `path` is not to be
    written.
    """

    def __init__(self, path: Path, *, force: bool = False) -> None:
        _check_name(path, force=force)
        self._path, self._mode = path, "wb" if force else "xb"
        self._file: FileIO | None = None
        self._writer: ClipWriter | None = None
        self._size, self._start_s = (0, 0), 0.0
        self.frames, self.seconds = 0, 0.0

    def __enter__(self) -> ClipFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is None:
            return
        try:
            if self._writer is not None:
                self._writer.finish()
            self._file.close()
        except OSError as failure:
            raise self._failed(failure) from failure
        finally:
            if not self.frames:
                self._path.unlink(missing_ok=True)

    @property
    def size_bytes(self) -> int:
        """Size of the file so far."""
        return 0 if self._writer is None else self._writer.size_bytes

    def add(self, frame: Frame, *, exact: bool = False) -> None:
        """Write a frame, its time counted from the first; `exact`: to the last bit too.

        Raises RecordingError when that cannot be done.
        """
        try:
            writer = self._begun(frame)
            png = png_of(frame.image_bgr) if exact else None
            writer.add(frame.t_s - self._start_s, jpeg_of(frame.image_bgr), png)
        except OSError as error:
            raise self._failed(error) from error
        self.frames, self.seconds = self.frames + 1, frame.t_s - self._start_s

    def _begun(self, frame: Frame) -> ClipWriter:
        """Return the writer, of a new file at the first frame; RecordingError for one of another size."""
        size = size_of(frame.image_bgr)
        if self._writer is None:
            self._size, self._start_s = size, frame.t_s
            self._file = FileIO(self._path, self._mode)
            self._writer = ClipWriter(self._file, size)
        elif size != self._size:
            found, before = ("x".join(map(str, each)) for each in (size, self._size))
            raise RecordingError(f"{self._path}: found a frame of {found} pixels; accepted are {before}")
        return self._writer

    def _failed(self, error: OSError) -> RecordingError:
        written = (
            f"{self.frames} frames, {self.seconds:.1f} s, are written"
            if self.frames
            else "nothing is written"
        )
        return RecordingError(f"{self._path}: cannot be written ({error.strerror or error}); {written}")


def _check_name(path: Path, *, force: bool) -> None:
    if path.suffix.lower() != SUFFIX:
        raise RecordingError(f"{path}: found a name ending in {path.suffix!r}; accepted is one in {SUFFIX}")
    if path.is_dir():
        raise RecordingError(f"{path}: found a directory; accepted is a file to write")
    if path.exists() and not force:
        raise RecordingError(f"{path}: found a file there; accepted is a new one, or --force to replace it")
