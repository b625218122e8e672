"""Makes the bundled clip: `python -m datasets.clip --out table/demo/demo.mp4 [--seed S]`.

An overhead camera watches three throws of six dice: a straight, a misroll (one die jumps out of the
tray), and three 1s. Beside the clip go its truth (`.json`, with the keys of a labelled clip), the calibration
`table.json` and the empty tray `empty.jpg`. The same seed and versions give the same clip.

Needs the `datasets` extra, and software or hardware OpenGL (EGL).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import imageio_ffmpeg
import mujoco
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Camera, die_truth, overhead_camera, table_json
from datasets.throwing import FPS, Motion, all_in_tray, last_outside, lift, out_of_sight, throw
from datasets.tray import IMAGE_SIZE, N_DICE, Floats, tray_model
from table.command_line import OneLineParser
from vision.opencv import cv2

EMPTY_S, REST_S, GAP_S, LAST_REST_S = 1.0, 1.6, 0.6, 2.4
SENSOR_NOISE = 1.3  # grey levels
CRF = "20"


@dataclass(frozen=True, slots=True)
class PlannedThrow:
    """A throw of the story: the faces it ends with, and whether its last die leaves the tray."""

    faces: tuple[int, ...]
    stray: bool = False


STORY = (
    PlannedThrow((3, 1, 6, 2, 5, 4)),
    PlannedThrow((2, 5, 3, 6, 4, 1), stray=True),
    PlannedThrow((1, 4, 1, 5, 2, 1)),
)


@dataclass(slots=True)
class Script:
    """The clip before it is drawn: the dice in every frame, and what is true of it."""

    poses: list[Floats] = field(default_factory=list)
    events: list[dict[str, object]] = field(default_factory=list)
    actions: list[dict[str, object]] = field(default_factory=list)

    def hold(self, poses: Floats, seconds: float) -> None:
        """Leave the dice where they are."""
        self.poses += [poses] * round(seconds * FPS)


def write_script(model: mujoco.MjModel, camera: Camera, seed: int) -> Script:
    """Return the story, played out by physics from `seed`."""
    script = Script()
    script.hold(out_of_sight(), EMPTY_S)
    for number, planned in enumerate(STORY):
        fits = last_outside if planned.stray else all_in_tray
        motion = throw(model, planned.faces, fits, (seed, number), stray=planned.stray)
        _add_throw(script, camera, planned, motion)
        if number == len(STORY) - 1:
            script.hold(motion.at_rest, LAST_REST_S)
        else:
            script.hold(motion.at_rest, REST_S)
            _add_lift(script, motion.at_rest)
            script.hold(out_of_sight(), GAP_S)
    return script


def _add_throw(script: Script, camera: Camera, planned: PlannedThrow, motion: Motion) -> None:
    start = len(script.poses)
    dice = [die_truth(camera, pose) for pose in motion.at_rest]
    script.events.append(
        {
            "kind": "throw",
            "frame_start": start,
            "frame_settled": start + motion.settled,
            "faces": list(planned.faces),
            "verdict": "misroll" if planned.stray else "valid",
            "reasons": ["outside"] if planned.stray else [],
            "n_expected": N_DICE,
            "dice": dice,
        }
    )
    script.poses += list(motion.poses)


def _add_lift(script: Script, at_rest: Floats) -> None:
    lifted = lift(at_rest, tuple(range(N_DICE)))
    start = len(script.poses)
    script.poses += list(lifted.poses)
    script.actions.append(
        {"what": f"{N_DICE} dice lifted out", "frame_start": start, "frame_end": len(script.poses) - 1}
    )


def draw(model: mujoco.MjModel, script: Script, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Yield the frames as RGB uint8 (H, W, 3), with fresh sensor noise each."""
    random = np.random.default_rng([seed, 2])
    data = mujoco.MjData(model)
    with mujoco.Renderer(model, IMAGE_SIZE[1], IMAGE_SIZE[0]) as renderer:
        drawn, picture = None, np.zeros(0)
        for poses in script.poses:
            if poses is not drawn:  # most frames hold the dice of the frame before
                data.qpos[:] = poses.ravel()
                mujoco.mj_forward(model, data)
                renderer.update_scene(data, "overhead")
                drawn, picture = poses, renderer.render().astype(np.float32)
            noise = random.normal(0, SENSOR_NOISE, (*picture.shape[:2], 1)).astype(np.float32)
            yield np.clip(picture + noise, 0, 255).astype(np.uint8)


def make_clip(out: Path, seed: int) -> None:
    """Write the clip `out` (H.264 in MP4) and beside it its truth, its calibration and the empty tray."""
    model = tray_model(seed)
    camera = overhead_camera(model)
    script = write_script(model, camera, seed)
    out.parent.mkdir(parents=True, exist_ok=True)
    params = ["-crf", CRF, "-preset", "slow", "-threads", "1", "-movflags", "+faststart"]
    writer = imageio_ffmpeg.write_frames(
        str(out), IMAGE_SIZE, fps=FPS, codec="libx264", quality=None, output_params=params
    )
    writer.send(None)
    for index, frame in enumerate(draw(model, script, seed)):
        if index == 0:
            cv2.imwrite(str(out.parent / "empty.jpg"), cv2.cvtColor(frame, cv2.COLOR_RGB2BGR))
        writer.send(np.ascontiguousarray(frame))
    writer.close()
    table = table_json(camera)
    truth = {
        "fps": FPS,
        "n_frames": len(script.poses),
        "empty_frames": [0, round(EMPTY_S * FPS) - 1],
        "events": script.events,
        "actions": script.actions,
    }
    (out.parent / "table.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    out.with_suffix(".json").write_text(json.dumps(table | truth, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Read the command line and make the clip."""
    parser = OneLineParser(prog="python -m datasets.clip", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the clip to write, an .mp4")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    make_clip(args.out, args.seed)


if __name__ == "__main__":
    main()
