"""Films one clip: dice are thrown, tumble, settle and are lifted out, or a cup is lifted off them.

A clip is a function of its order and number alone, as a rig is.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np

from datasets.laying import flat_turn
from datasets.lens import calibration
from datasets.recipes import Start, any_turns
from datasets.renderers import NO_DICE, RENDERERS, Renderer
from datasets.rig import MOST_DICE, Cup, Floats, Instant, Lying, Poses, Rig, edge_margin
from datasets.rig_choice import choose_rig
from datasets.rig_maker import MadeRig, Order, dense_outline
from datasets.sensor import Image, develop
from datasets.truth import UnfitThrowError, throw_truth

FPS: Final = 30
INSTANTS: Final = 4  # a frame's exposure at most; physics is looked at so often
INSTANT_S: Final = 0.008
EMPTY_FRAMES: Final = 21
REST_FRAMES: Final = (36, 60)
GAP_FRAMES: Final = 18
LIFT_FRAMES, LIFT_APART_FRAMES = 9, 3
CUP_FRAMES: Final = 16
MOST_PIXELS: Final = 0.3e6
TRIES: Final = 300

Frame = tuple[Instant, ...]
EMPTY: Final[Frame] = (Instant(NO_DICE),)


@dataclass(slots=True)
class Script:
    """A clip before it is drawn: what is in every frame, and what is true of it."""

    frames: list[Frame] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    actions: list[dict[str, Any]] = field(default_factory=list)

    def hold(self, frame: Frame, count: int) -> None:
        """Let nothing move for `count` frames."""
        self.frames += [frame] * count

    def act(self, what: str, frames: list[Frame]) -> None:
        """Let a hand do something."""
        first = len(self.frames)
        self.frames += frames
        self.actions.append({"what": what, "frame_start": first, "frame_end": len(self.frames) - 1})

    def throw(self, start: int, truth: dict[str, Any]) -> None:
        """Note a throw that began at frame `start` and has just come to rest."""
        faces = [die["face"] for die in truth["dice"]]
        moment = {"kind": "throw", "frame_start": start, "frame_settled": len(self.frames), "faces": faces}
        self.events.append(moment | truth)


@dataclass(slots=True)
class _Set:
    rig: Rig
    chance: np.random.Generator
    world: Any
    shutter: int  # instants of a frame that are exposed


def clip_name(number: int) -> str:
    """Return the name of clip `number`."""
    return f"clip-{number:05d}"


def film_clip(order: Order, number: int, threads: int = 1) -> MadeRig:
    """Return clip `number` of the order, film and truth; raises ValueError when no throw comes out."""
    chance = np.random.default_rng([order.seed, number, 77])
    rig = choose_rig(chance, most_pixels=MOST_PIXELS)
    cup = _choose_cup(rig, chance)
    stage = _Set(
        rig, chance, import_module("datasets.physics").build_world(rig), int(chance.integers(1, INSTANTS + 1))
    )
    script = _write(stage, cup)
    renderer = RENDERERS[order.renderer](rig, threads, cup)
    truth = calibration(rig.lens, dense_outline(rig), rig.die_mm) | {
        "fps": FPS,
        "n_frames": len(script.frames),
        "empty_frames": [0, EMPTY_FRAMES - 1],
        "events": script.events,
        "actions": script.actions,
    }
    name = clip_name(number)
    film = encoded(_pictures(stage, script, renderer), rig.lens.size_px)
    return MadeRig(name, {f"{name}.mp4": film, f"{name}.json": (json.dumps(truth) + "\n").encode()})


def _choose_cup(rig: Rig, chance: np.random.Generator) -> Cup | None:
    """Return a cup, if the tray has room for one and chance wants it."""
    mouth = 3.4 * rig.die_mm
    room = float(edge_margin(rig.tray.outline, np.zeros((1, 2)))[0]) > mouth + 4
    if not room or rig.tray.folds or chance.random() < 0.4:
        return None
    colour = (
        float(chance.uniform(0.05, 0.4)),
        float(chance.uniform(0.04, 0.2)),
        float(chance.uniform(0.03, 0.2)),
    )
    return Cup(mouth, 0.8 * mouth, float(chance.uniform(75, 95)), colour)


def _write(stage: _Set, cup: Cup | None) -> Script:
    """Return the story: a throw, dice lifted out; then those dice again, or all of them under the cup."""
    script = Script()
    script.hold(EMPTY, EMPTY_FRAMES)
    count = int(stage.chance.integers(4, MOST_DICE + 1))
    lying = _add_throw(stage, script, count)
    _add_lift(stage, script, lying)
    script.hold(EMPTY, GAP_FRAMES)
    if cup is not None:
        _add_cup(stage, script, cup)
    else:
        _add_throw(stage, script, int(stage.chance.integers(1, count + 1)))
    return script


def _add_throw(stage: _Set, script: Script, count: int) -> Poses:
    start = len(script.frames)
    frames, truth = _flown(stage, count)
    shown = [tuple(Instant(poses) for poses in part) for part in _exposures(frames, stage.shutter)]
    script.frames += shown
    script.throw(start, truth)
    script.hold((Instant(frames[-1]),), int(stage.chance.integers(*REST_FRAMES)))
    return frames[-1]


def _exposures(poses: list[Poses], shutter: int) -> Iterator[list[Poses]]:
    for at in range(0, len(poses) - 1, INSTANTS):
        yield poses[at : at + shutter]


def _flown(stage: _Set, count: int) -> tuple[list[Poses], dict[str, Any]]:
    """Return a throw that flies in from outside the picture and lies as the definitions allow."""
    physics = import_module("datasets.physics")
    for _ in range(TRIES):
        start = _launch(stage.rig, stage.chance, count)
        frames = physics.simulate(stage.world, start, every_s=INSTANT_S)
        if frames is None:
            continue
        try:
            truth = throw_truth(stage.rig, Lying(frames[-1], count))
        except UnfitThrowError:
            continue
        shown = sum(die["in_frame"] for die in truth["dice"])
        if truth["verdict"] == "valid" or (shown > count / 2 and stage.chance.random() < 0.3):
            return frames[: _settled(frames) + 1], truth
    raise ValueError(f"no throw of {TRIES} comes to lie as wanted")


def _settled(frames: list[Poses]) -> int:
    """Return the first frame from which no die moves in sight any more."""
    last = frames[-1]
    for at in range(len(frames) - 1, -1, -1):
        moved = np.abs(frames[at].at_mm - last.at_mm).max() > 0.05
        if moved or np.abs(frames[at].turn - last.turn).max() > 0.004:
            return min(at + 1, len(frames) - 1)
    return 0


def _launch(rig: Rig, chance: np.random.Generator, count: int) -> Start:
    """Return dice well beside the tray, on their way to its middle."""
    side = chance.uniform(0, 2 * np.pi)
    ahead = np.array([np.cos(side), np.sin(side)])
    aside = np.array([-ahead[1], ahead[0]])
    reach = float(np.abs(np.array(rig.tray.outline) @ ahead).max())
    rows, columns = np.divmod(np.arange(count), 3)
    back = reach + 170 + 1.9 * rig.die_mm * rows
    at = -back[:, np.newaxis] * ahead + ((columns - 1) * 1.8 * rig.die_mm)[:, np.newaxis] * aside
    up = rig.tray.wall_mm + chance.uniform(60, 90) + chance.uniform(0, 15, count)
    landing = back - chance.uniform(0.2, 0.7) * reach
    flight = np.sqrt(2 * up / 9810)
    speed = (landing / flight * chance.uniform(0.95, 1.05, count))[:, np.newaxis] * ahead
    speed += chance.normal(0, 50, (count, 2))
    poses = Poses(np.column_stack([at, up]), any_turns(chance, count))
    return Start(poses, np.column_stack([speed, np.zeros(count)]), chance.uniform(-20, 20, (count, 3)), count)


def _add_lift(stage: _Set, script: Script, poses: Poses) -> None:
    """Take the dice out, one after the other, towards the picture's lower edge."""
    away = np.array([*stage.rig.lens.turn[1][:2], 0.0]) * 450 + [0, 0, 180]
    order = stage.chance.permutation(len(poses))
    count = LIFT_FRAMES + LIFT_APART_FRAMES * (len(poses) - 1)

    def at(time: float) -> Poses:
        share = np.clip((time - LIFT_APART_FRAMES * order) / LIFT_FRAMES, 0, 1)
        return Poses(poses.at_mm + (share**2)[:, np.newaxis] * away, poses.turn)

    frames = [_exposed(stage, lambda moment: Instant(at(moment)), frame) for frame in range(1, count + 1)]
    script.act(f"{len(poses)} dice lifted out", frames)


def _exposed(stage: _Set, what: Callable[[float], Instant], frame: int) -> Frame:
    return tuple(what(frame + part / INSTANTS) for part in range(stage.shutter))


def _add_cup(stage: _Set, script: Script, cup: Cup) -> None:
    """Set the cup down with the dice in it and lift it off them."""
    lying = _under_cup(stage, cup)
    side = stage.chance.uniform(0, 2 * np.pi)
    away = np.array([np.cos(side), np.sin(side), 0.3]) * 620
    start = len(script.frames)

    def cup_at(share: float) -> Floats:
        return np.asarray(np.clip(share, 0, 1) ** 2 * away)

    def coming(moment: float) -> Instant:
        return Instant(NO_DICE, None, cup_at(1 - moment / CUP_FRAMES))

    def going(moment: float) -> Instant:
        return Instant(lying.poses, None, cup_at(moment / CUP_FRAMES))

    script.act("cup set down", [_exposed(stage, coming, frame) for frame in range(CUP_FRAMES)])
    script.hold((Instant(lying.poses, None, cup_at(0)),), GAP_FRAMES)
    script.act("cup lifted", [_exposed(stage, going, frame) for frame in range(1, CUP_FRAMES + 1)])
    script.throw(start, throw_truth(stage.rig, lying))
    script.hold((Instant(lying.poses),), int(stage.chance.integers(*REST_FRAMES)))


def _under_cup(stage: _Set, cup: Cup) -> Lying:
    """Return dice at rest close enough together for the cup to stand around them."""
    physics = import_module("datasets.physics")
    edge = stage.rig.die_mm
    for _ in range(TRIES):
        at = stage.chance.normal(0, 0.9 * edge, (MOST_DICE, 2))
        up = edge * (0.8 + 1.1 * np.arange(MOST_DICE))
        angles = stage.chance.uniform(0, 2 * np.pi, MOST_DICE)
        turns = np.array([flat_turn(stage.chance, angle) for angle in angles])
        start = Start(
            Poses(np.column_stack([at, up]), turns),
            np.zeros((MOST_DICE, 3)),
            np.zeros((MOST_DICE, 3)),
            MOST_DICE,
        )
        poses = physics.settle(stage.world, start)
        if (
            poses is None
            or np.linalg.norm(poses.at_mm[:, :2], axis=1).max() > 0.9 * cup.mouth_mm - 0.75 * edge
        ):
            continue
        lying = Lying(poses, MOST_DICE)
        try:
            throw_truth(stage.rig, lying)
        except UnfitThrowError:
            continue
        return lying
    raise ValueError("no heap of dice fits under the cup")


def _pictures(stage: _Set, script: Script, renderer: Renderer) -> Iterator[Image]:
    """Yield the frames; where nothing moves only the noise is fresh."""
    drawn: Frame | None = None
    film = np.zeros(0, dtype=np.float32)
    for frame in script.frames:
        if frame is not drawn:
            drawn, film = frame, renderer.draw(frame, int(stage.chance.integers(2**31)))
        yield develop(stage.rig, film, stage.chance, steady=True)


def encoded(pictures: Iterator[Image], size_px: tuple[int, int]) -> bytes:
    """Return pictures BGR uint8 as an MP4 with H.264."""
    ffmpeg = import_module("imageio_ffmpeg")
    params = ["-crf", "20", "-preset", "medium", "-threads", "1", "-movflags", "+faststart"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "clip.mp4"
        writer = ffmpeg.write_frames(
            str(path),
            size_px,
            fps=FPS,
            codec="libx264",
            quality=None,
            pix_fmt_in="bgr24",
            output_params=params,
        )
        writer.send(None)
        for picture in pictures:
            writer.send(np.ascontiguousarray(picture))
        writer.close()
        return path.read_bytes()
