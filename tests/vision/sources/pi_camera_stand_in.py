"""A stand-in for picamera2 and libcamera, of the signatures and ways of picamera2 0.3.38.

What it keeps of the real one: names and defaults of arguments; cameras of one owner; configurations that are
checked, aligned and adjusted; rows padded to the hardware's stride; "RGB888" lying in memory as B, G, R;
controls that are refused unless advertised and show some frames after they were set; requests that must be
given back or the camera starves; the frame held back by `queue=True`. Time is the sensor's own and passes as
frames are asked for, so nothing waits. `test_pi_camera.py` holds the signatures against the real package
where that is installed.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from vision.domain import Image

LATENCY = 5  # frames from set_controls to the first that shows it
STRIDE = 64
LINE_US = 18.9  # exposures are whole lines
CHANNELS = {
    "RGB888": "BGR",
    "BGR888": "RGB",
    "XRGB8888": "BGRX",
    "XBGR8888": "RGBX",
}  # as bytes lie in memory
AF_IDLE, AF_SCANNING, AF_FOCUSED, AF_FAILED = range(4)


def mode(
    size: tuple[int, int], fps: float, crop: tuple[int, int, int, int], bits: int = 10
) -> dict[str, Any]:
    """An entry of `sensor_modes`."""
    return {
        "format": f"SBGGR{bits}",
        "unpacked": f"SBGGR{bits}",
        "bit_depth": bits,
        "size": size,
        "fps": fps,
        "crop_limits": crop,
        "exposure_limits": (9, 11_767_556, 20_000),
    }


CAMERA_MODULE_3 = [
    mode((1536, 864), 120.13, (768, 432, 3072, 1728)),
    mode((2304, 1296), 56.03, (0, 0, 4608, 2592)),
    mode((4608, 2592), 14.35, (0, 0, 4608, 2592)),
]


class Transform:
    """libcamera.Transform."""


EMPTY: dict[str, Any] = {}
UNTURNED = Transform()


class ColorSpace:
    """libcamera.ColorSpace."""

    def __init__(self, name: str) -> None:
        self.name = name

    Sycc = staticmethod(lambda: ColorSpace("sYCC"))
    Rec709 = staticmethod(lambda: ColorSpace("Rec709"))


@dataclass
class Sensor:
    """A camera that is plugged in, and what befalls it.

    `scene(number, size)`: what it sees at its frame `number`, BGR (H, W, 3). `befalls(number, metadata)` may
    change the metadata of a frame. `stalled`, `unplugged`: no frame comes, it cannot be opened. `adjusted`:
    the format that the hardware gives in place of what was asked for.
    """

    scene: Callable[[int, tuple[int, int]], Image]
    id: str = "/base/soc/i2c0mux/i2c@1/imx708@1a"
    modes: list[dict[str, Any]] = field(default_factory=lambda: list(CAMERA_MODULE_3))
    motor: bool = True
    focuses: bool = True
    lacks: frozenset[str] = frozenset()
    adjusted: str | None = None
    befalls: Callable[[int, dict[str, Any]], dict[str, Any]] = lambda number, metadata: metadata
    stalled: bool = False
    unplugged: bool = False
    in_use: bool = False
    outstanding: int = 0
    frames: int = 0  # that the sensor has given since it was plugged in
    configuration: dict[str, Any] = field(default_factory=dict)  # the latest

    @property
    def controls(self) -> dict[str, tuple[Any, Any, Any]]:
        names = {
            "ExposureTime": (9, 11_767_556, 20_000),
            "AnalogueGain": (1.0, 16.0, 1.0),
            "ColourGains": (0.0, 32.0, 0.0),
            "AeEnable": (False, True, True),
            "AwbEnable": (False, True, True),
            "AeFlickerMode": (0, 1, 0),
            "AeFlickerPeriod": (100, 1_000_000, 0),
            "NoiseReductionMode": (0, 4, 0),
            "FrameDurationLimits": (17_849, 1_000_000, 33_333),
            "ScalerCrop": ((0, 0, 64, 64), (0, 0, 4608, 2592), (0, 0, 4608, 2592)),
        }
        if self.motor:
            names |= {"AfMode": (0, 2, 0), "AfTrigger": (0, 1, 0), "LensPosition": (0.0, 32.0, 1.0)}
        return {name: limits for name, limits in names.items() if name not in self.lacks}


PLUGGED_IN: list[Sensor] = []


class CompletedRequest:
    """picamera2.CompletedRequest."""

    def __init__(self, request: int, picam2: Picamera2) -> None:
        self.request: int | None = request
        self.picam2 = picam2
        self.ref_count = 1
        self.config = picam2.camera_configuration().copy()
        self._metadata = picam2.metadata_of(request)
        picam2.sensor.outstanding += 1

    def release(self) -> None:
        self.ref_count -= 1
        if self.ref_count < 0:
            raise RuntimeError("CompletedRequest: lock now has negative ref_count")
        self.request = None
        self.picam2.sensor.outstanding -= 1

    def get_metadata(self) -> dict[str, Any]:
        assert self.request is not None
        return self._metadata

    def make_array(self, name: str) -> Image:
        assert self.request is not None
        config = self.config.get(name)
        if config is None:
            raise RuntimeError(f"Stream {name!r} is not defined")
        seen = self.picam2.sensor.scene(self.request, config["size"])
        if config["format"] == "YUV420":
            return _yuv420(seen, config["stride"], self.config["colour_space"])
        planes = {
            "B": seen[..., 0],
            "G": seen[..., 1],
            "R": seen[..., 2],
            "X": np.full_like(seen[..., 0], 255),
        }
        return np.stack([planes[channel] for channel in CHANNELS[config["format"]]], axis=-1)


def _yuv420(seen: Image, stride: int, colour_space: ColorSpace) -> Image:
    """The planes below each other, rows padded; luma spans 16 to 235 unless the colour space is sYCC."""
    height, width = seen.shape[:2]
    luma = seen @ np.array([0.114, 0.587, 0.299])
    if colour_space.name != "sYCC":
        luma = 16 + luma * 219 / 255
    array = np.full((height * 3 // 2, stride), 128, np.uint8)
    array[:height, :width] = luma.round()
    return array


class Picamera2:
    """picamera2.Picamera2."""

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        cameras = [
            {"Model": "imx708", "Location": 2, "Rotation": 180, "Id": sensor.id, "Num": number}
            for number, sensor in enumerate(PLUGGED_IN)
            if not sensor.unplugged
        ]
        return sorted(cameras, key=lambda camera: ("/usb" not in camera["Id"], camera["Id"]), reverse=True)

    def __init__(
        self, camera_num: int = 0, verbose_console: Any = None, tuning: Any = None, allocator: Any = None
    ) -> None:
        self.is_open = False
        if camera_num >= len(self.global_camera_info()):
            raise RuntimeError(
                f"No camera number {camera_num} found - "
                'use "rpicam-hello --list-cameras" to check connected cameras'
            )
        self.sensor = PLUGGED_IN[self.global_camera_info()[camera_num]["Num"]]
        if self.sensor.in_use:
            raise RuntimeError("Camera __init__ sequence did not complete.") from RuntimeError(
                "Device or resource busy"
            )
        self.sensor.in_use = self.is_open = True
        self.sensor.outstanding = 0
        self.started = False
        self.camera_config: dict[str, Any] = {}
        self._set: list[tuple[int, dict[str, Any]]] = []  # from which frame on, what was told
        self._job_list: list[object] = []
        self._began = self._taken = 0

    @property
    def camera_properties(self) -> dict[str, Any]:
        return {"Model": "imx708", "ColorFilterArrangement": 0, "PixelArraySize": (4608, 2592)}

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        return self.sensor.controls if self.is_open else {}

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        if self.started:
            raise RuntimeError("Camera must be stopped before configuring")
        return self.sensor.modes

    def create_video_configuration(
        self,
        main: dict[str, Any] = EMPTY,
        lores: dict[str, Any] | None = None,
        raw: dict[str, Any] | None = EMPTY,
        transform: Transform = UNTURNED,
        colour_space: ColorSpace | None = None,
        buffer_count: int = 6,
        controls: dict[str, Any] = EMPTY,
        display: str | None = "main",
        encode: str | None = "main",
        queue: bool = True,
        sensor: dict[str, Any] | None = EMPTY,
        use_case: str = "video",
    ) -> dict[str, Any]:
        main = _stream({"format": "XBGR8888", "size": (1280, 720), "preserve_ar": True}, main)
        if lores is not None:
            lores = _stream({"format": "YUV420", "size": main["size"], "preserve_ar": False}, lores)
        if raw is not None:
            raw = {"format": "SBGGR10", "size": main["size"]} | raw
        return {
            "use_case": use_case,
            "transform": transform,
            "colour_space": colour_space or ColorSpace.Rec709(),
            "buffer_count": buffer_count,
            "queue": queue,
            "main": main,
            "lores": lores,
            "raw": raw,
            "controls": {"NoiseReductionMode": 1, "FrameDurationLimits": (33_333, 33_333)} | controls,
            "sensor": sensor,
            "display": display,
            "encode": encode,
        }

    def configure(self, camera_config: dict[str, Any] | None = None) -> None:
        if self.started:
            raise RuntimeError("Camera must be stopped before configuring")
        assert camera_config is not None
        config = camera_config.copy()
        if type(config["colour_space"]) is not ColorSpace:
            raise RuntimeError("Colour space has incorrect type")
        bad_keys = set(config["sensor"] or {}) - {"bit_depth", "output_size"}
        if bad_keys:
            raise RuntimeError(f"Unexpected keys {bad_keys} in sensor configuration")
        for name in ("main", "lores"):
            if config[name] is not None:
                config[name] = self._checked(config[name], name)
        if config["lores"] and any(np.greater(config["lores"]["size"], config["main"]["size"])):
            raise RuntimeError("lores stream dimensions may not exceed main stream")
        if self.sensor.adjusted:
            config["main"]["format"] = self.sensor.adjusted
        self.camera_config = self.sensor.configuration = config
        self._set = []
        self.set_controls(config["controls"])

    def _checked(self, stream: dict[str, Any], name: str) -> dict[str, Any]:
        if stream["format"] not in {*CHANNELS, "YUV420"}:
            raise RuntimeError(f"Bad format {stream['format']} in stream {name}")
        size = stream["size"]
        if type(size) is not tuple or len(size) != 2:
            raise RuntimeError(f"size in {name} stream should be (width, height)")
        if size[0] % 2 or size[1] % 2:
            raise RuntimeError("width and height should be even")
        return stream | {"stride": -(-size[0] // STRIDE) * STRIDE}

    def camera_configuration(self) -> dict[str, Any]:
        return self.camera_config

    def start(self, config: Any = None, show_preview: Any = False) -> None:
        if config is not None:
            self.configure(config)
        if not self.camera_config:
            raise RuntimeError("Camera has not been configured")
        self._began = self._taken = self.sensor.frames
        self._set = [(self._began, told) for _, told in self._set]
        self.started = True

    def stop(self) -> None:
        self.started = False

    def close(self) -> None:
        if self.is_open:
            assert not self._job_list, "an operation that timed out must be flushed so that it can be closed"
            self.stop()
            self.sensor.in_use = self.is_open = False
            self.camera_config = {}

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.sensor.controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self._set.append((self.sensor.frames + LATENCY, dict(controls)))

    def cancel_all_and_flush(self) -> None:
        self._job_list = []

    def capture_request(
        self, wait: float | bool | None = None, signal_function: Any = None, flush: Any = None
    ) -> CompletedRequest:
        assert self.started, "it would wait for ever"
        assert not self._job_list, "the job that timed out would take this frame"
        starved = self.sensor.outstanding >= self.camera_config["buffer_count"]
        if self.sensor.stalled or self.sensor.unplugged or starved:
            assert type(wait) in (int, float), "it would wait for ever"
            self._job_list.append(object())
            raise TimeoutError
        held_back = self.camera_config["queue"] and self.sensor.frames > self._taken
        if not held_back:
            self.sensor.frames += 1
        self._taken = self.sensor.frames
        return CompletedRequest(self._taken, self)

    def metadata_of(self, number: int) -> dict[str, Any]:
        """What the sensor says of its frame `number`, of those it gave since it was started."""
        told: dict[str, Any] = {}
        for since, controls in self._set:
            told |= controls if since <= number else {}
        age = number - self._began
        duration_us = told["FrameDurationLimits"][0]
        metadata = {
            "SensorTimestamp": 7_000_000_000_000 + number * duration_us * 1000,
            "FrameDuration": duration_us,
            "DigitalGain": 1.0,
            **_exposure(told, age),
            "ColourGains": tuple(told.get("ColourGains", (2.5 - 0.5**age, 1.5 + 0.5**age))),
        }
        if self.sensor.motor:
            metadata |= self._focus(told, age)
        return self.sensor.befalls(number, metadata)

    def _focus(self, told: dict[str, Any], age: int) -> dict[str, Any]:
        if told["AfMode"] == 0:
            return {"AfState": AF_IDLE, "LensPosition": told.get("LensPosition", 1.0)}
        if age < 40:
            return {"AfState": AF_SCANNING, "LensPosition": age / 20}
        return {"AfState": AF_FOCUSED if self.sensor.focuses else AF_FAILED, "LensPosition": 2.44140625}


def _exposure(told: dict[str, Any], age: int) -> dict[str, Any]:
    """Found by itself in a dozen frames, or as told, in what steps a sensor has."""
    exposure_us = told.get("ExposureTime", 20_000 - 15_000 * 0.6**age)
    gain = told.get("AnalogueGain", 2.9 - 1.5 * 0.6**age)
    code = round(1024 - 1024 / gain)
    return {
        "ExposureTime": int(exposure_us // LINE_US * LINE_US),
        "AnalogueGain": float(np.float32(1024 / (1024 - code))),
    }


def _stream(default: dict[str, Any], updates: dict[str, Any]) -> dict[str, Any]:
    for key in updates:
        if key not in ("format", "size", "stride", "preserve_ar"):
            raise ValueError(f"Bad key {key!r}")
    stream = default | updates
    width, height = stream["size"]
    return stream | {"size": (width - width % 2, height - height % 2)}


def plug_in(patch: pytest.MonkeyPatch, *sensors: Sensor) -> None:
    """Have picamera2 installed, and these cameras plugged in."""
    picamera2, libcamera = types.ModuleType("picamera2"), types.ModuleType("libcamera")
    patch.setattr(picamera2, "Picamera2", Picamera2, raising=False)
    patch.setattr(libcamera, "ColorSpace", ColorSpace, raising=False)
    for module in (picamera2, libcamera):
        patch.setitem(sys.modules, module.__name__, module)
    patch.setattr(sys.modules[__name__], "PLUGGED_IN", list(sensors))
