"""The door to OpenCV: quiet, single-threaded, and one clear line when it cannot be opened."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from vision.errors import VisionError
from vision.opencv import cv2, import_failure

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("said", "cure"),
    [
        ("libGL.so.1: cannot open shared object file: No such file or directory", "apt-get install libgl1"),
        ("libgthread-2.0.so.0: cannot open shared object file", "libgthread-2.0.so.0"),
        ("No module named 'cv2'", "pip install opencv-python"),
    ],
)
def test_a_failed_import_is_one_line_with_the_cure(said: str, cure: str) -> None:
    failure = import_failure(ImportError(said))
    assert isinstance(failure, VisionError)
    assert cure in str(failure)
    assert "\n" not in str(failure)


def test_missing_libgl_reaches_the_importer_as_a_vision_error(tmp_path: Path) -> None:
    (tmp_path / "cv2.py").write_text("raise ImportError('libGL.so.1: cannot open shared object file')\n")
    program = (
        f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(ROOT)!r}]\n"
        "from vision.errors import VisionError\n"
        "try:\n    import vision.opencv\nexcept VisionError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "libgl1" in done.stdout


def test_opencv_starts_no_threads_of_its_own() -> None:
    assert cv2.getNumThreads() == 1
    assert not cv2.ocl.useOpenCL()
