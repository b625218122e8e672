"""Work bench (run from a checkout): makes rendered throws and clips."""

import os
import sys

if sys.platform == "linux":  # set before any module here imports MuJoCo, which then draws without a screen
    os.environ.setdefault("MUJOCO_GL", "egl")
