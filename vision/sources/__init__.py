"""Where frames come from, behind one interface, `vision.domain.FrameSource`.

    opening     `open_source`, `open_recording`, `first_camera`: from what a person named to a source
    clip        a video file                        all frames, in order, by their own clock
    stills      a folder of pictures                the same
    webcam      a webcam, `usb:0`                   the newest frame, none queued
    pi_camera   a Raspberry Pi's camera, `pi`       the same, everything automatic locked
    reopening   a live source that goes on after its camera was lost

Everything below a source takes its time from `Frame.t_s`, so a recording gives the same answers at any speed.
`sensor_mode` and `camera_lock` decide for `pi_camera`, without needing one.
"""

from vision.sources.clip import ClipSource
from vision.sources.opening import first_camera, open_recording, open_source
from vision.sources.pi_camera import PiCameraSource
from vision.sources.reopening import RenewableSource, unbroken
from vision.sources.stills import StillsSource
from vision.sources.webcam import WebcamSource

__all__ = [
    "ClipSource",
    "PiCameraSource",
    "RenewableSource",
    "StillsSource",
    "WebcamSource",
    "first_camera",
    "open_recording",
    "open_source",
    "unbroken",
]
