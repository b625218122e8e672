"""Webcams: one that stalls or goes away is told, and let go of."""

from __future__ import annotations

from tests.vision.sources.views import refusal
from tests.vision.sources.webcam_stand_in import PushedCapture
from vision.domain import Image
from vision.opencv import cv2
from vision.sources import WebcamSource


def test_a_webcam_that_stalls_is_told_and_let_go_of_once_it_answers() -> None:
    capture = PushedCapture()
    source = WebcamSource(2, open_capture=lambda index: capture, stall_s=0.01, release_s=0.01)
    refusal(lambda: next(source.frames()), "usb:2")
    assert not capture.released.is_set()
    capture.unplug()
    assert capture.released.wait(5)


def test_a_webcam_that_goes_away_is_told_at_once() -> None:
    capture = PushedCapture()
    capture.unplug()
    refusal(lambda: next(WebcamSource(3, open_capture=lambda index: capture, stall_s=60).frames()), "usb:3")
    assert capture.released.is_set()


class BreakingCapture(PushedCapture):
    def read(self) -> tuple[bool, Image]:
        raise cv2.error("a driver's own")


def test_a_webcam_whose_driver_breaks_is_let_go_of() -> None:
    capture = BreakingCapture()
    refusal(lambda: next(WebcamSource(4, open_capture=lambda index: capture, stall_s=60).frames()), "usb:4")
    assert capture.released.is_set()
