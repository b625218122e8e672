"""The one door to OpenCV: `from vision.opencv import cv2`. Nothing else in titusind imports cv2.

Importing this module sets OpenCV's process-wide state once: quiet (what is wrong with a file is said by
titusind, in one line), one thread (a step costs the same whatever else the machine does), no OpenCL.
"""

from __future__ import annotations

import os

from vision.errors import VisionError

FFMPEG_QUIET = "-8"  # AV_LOG_QUIET
WEBCAM_TIMEOUT_S = "3"  # after which a stalled webcam's read gives up, so that it can be opened again
MAX_PIXELS = (
    64_000_000  # 192 MB decoded: the largest cameras named for the Pi, and little enough for its memory
)


class OpenCVImportError(VisionError, ImportError):
    """OpenCV is installed but cannot be loaded, or is not installed at all."""


def import_failure(error: ImportError) -> OpenCVImportError:
    """Turn the loader's words on `cv2` into one line with the cure."""
    said = " ".join(str(error).split())
    if "libGL.so.1" in said:
        return OpenCVImportError(
            "OpenCV cannot load the system library libGL.so.1: install it with `sudo apt-get install libgl1`"
        )
    if ".so" in said:
        return OpenCVImportError(
            f"OpenCV cannot load a system library ({said}): install the package it is in"
        )
    return OpenCVImportError(
        f"OpenCV cannot be imported ({said}): install it with `pip install opencv-python`"
    )


os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", FFMPEG_QUIET)  # read when the first clip is opened
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", WEBCAM_TIMEOUT_S)  # 10 s if unset
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")  # read when cv2 is loaded
os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"] = str(MAX_PIXELS)  # checked against the header, before decoding

try:
    import cv2
except ImportError as error:
    raise import_failure(error) from error

cv2.setNumThreads(1)
cv2.ocl.setUseOpenCL(False)
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

__all__ = ["MAX_PIXELS", "OpenCVImportError", "cv2"]
