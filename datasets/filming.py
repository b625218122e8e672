"""Films one clip: chooses a rig and a story for it, looks at its rests, draws and encodes all frames.

A clip is a function of its order and number alone, as a rig is; the order's recipe is its story.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np

from datasets.hand import skin_and_cloth
from datasets.happenings import UnfitStoryError, choose_cup
from datasets.lens import Radiance, calibration
from datasets.pip_check import Pips, pips_seen, with_readable
from datasets.renderers import RENDERERS, Renderer
from datasets.rig import Arm, Props
from datasets.rig_choice import choose_rig
from datasets.rig_maker import MadeRig, Order, dense_outline, rig_record
from datasets.script import INSTANTS, Frame, Script, Stage, thinned
from datasets.sensor import Image, develop
from datasets.story import EMPTY_FRAMES, STORIES, choose_story, write_script

FPS: Final = 30
CLIP_TRIES: Final = 40
RIG_TRIES: Final = 60  # until one has room for a cup
LEAST_CONTRAST: Final = 14.0  # as in the benchmark's clips: a film shows pips more faintly than a still


def clip_name(number: int) -> str:
    """Return the name of clip `number`."""
    return f"clip-{number:05d}"


def film_clip(order: Order, number: int, threads: int = 1) -> MadeRig:
    """Return clip `number` of the order: film, truth and what its rig is made of.

    Raises ValueError when CLIP_TRIES stories in a row do not come out or show dice that cannot be read.
    """
    rejected: Counter[str] = Counter()
    for attempt in range(CLIP_TRIES):
        chance = np.random.default_rng([order.seed, number, attempt, 77])
        try:
            return _filmed(order, number, chance, rejected, threads)
        except UnfitStoryError as unfit:
            rejected[f"clip: {unfit}"] += 1
    raise ValueError(f"{clip_name(number)}: {CLIP_TRIES} stories in a row unfit: {dict(rejected)}")


def _filmed(
    order: Order, number: int, chance: np.random.Generator, rejected: Counter[str], threads: int
) -> MadeRig:
    story, name = choose_story(order.recipe, chance), clip_name(number)
    stage = _stage(story, chance)
    script = write_script(stage, story)
    camera = _Camera(stage, RENDERERS[order.renderer](stage.rig, threads, stage.props))
    if STORIES[story].checked:
        _check_rests(camera, script)
    every = STORIES[story].every
    script = thinned(script, every)
    truth = calibration(stage.rig.lens, dense_outline(stage.rig), stage.rig.die_mm) | {
        "fps": FPS // every,
        "n_frames": len(script.frames),
        "empty_frames": [0, EMPTY_FRAMES // every - 1],
        "events": script.events,
        "actions": script.actions,
    }
    record = rig_record(stage.rig) | {"recipes": [story], "rejected": dict(rejected), "told": script.told}
    film = encoded(camera.shots(script), stage.rig.lens.size_px, FPS // every)
    return MadeRig(
        name, {f"{name}.mp4": film, f"{name}.rig.json": _json(record), f"{name}.json": _json(truth)}
    )


def _json(record: dict[str, Any]) -> bytes:
    return (json.dumps(record) + "\n").encode()


def _stage(story: str, chance: np.random.Generator) -> Stage:
    """Return a rig fit for the story, with the cup and the arm it needs."""
    ridged = bool(chance.random() < STORIES[story].ridged)
    for _ in range(RIG_TRIES):
        rig = choose_rig(chance, ridged=ridged, most_pixels=STORIES[story].most_pixels)
        cup = choose_cup(rig, chance) if STORIES[story].cup else None
        if STORIES[story].fits(rig) and (cup is not None or not STORIES[story].cup):
            break
    else:
        raise UnfitStoryError("no rig with room for a cup, or as the story needs it")
    skin, sleeve, stripes = skin_and_cloth(chance)
    arm = Arm(
        left=bool(chance.random() < 0.15),
        size=float(chance.uniform(0.8, 1.03)),
        skin=skin,
        sleeve=sleeve,
        stripes=stripes,
        bare=float(chance.choice([chance.uniform(0.04, 0.2), 0.85])),
        seed=int(chance.integers(2**31)),
    )
    props = Props(cup, arm, STORIES[story].hand_poses)
    world = import_module("datasets.physics").build_world(rig)
    shutter = 1 if STORIES[story].sharp else int(chance.integers(1, INSTANTS + 1))
    return Stage(rig, chance, world, props, shutter)


def _check_rests(camera: _Camera, script: Script) -> None:
    """Mark every die of the events as readable or not.

    Raises UnfitStoryError when a die does not show its label, or glare has wiped its pips.
    """
    for number, rest in enumerate(script.rests):
        event = script.events[number]
        seen = pips_seen(camera.stage.rig, rest.lying, event, camera.shot(rest.frame), LEAST_CONTRAST)
        if Pips.WRONG in seen or Pips.WIPED in seen:
            raise UnfitStoryError("unreadable pips")
        script.events[number] = with_readable(event, seen)


class _Camera:
    """Draws frames, those of rests once only."""

    def __init__(self, stage: Stage, renderer: Renderer) -> None:
        self.stage, self._renderer = stage, renderer
        self._rests: dict[int, Radiance] = {}

    def shot(self, rest: Frame) -> Image:
        """Return a rest's picture BGR uint8 (H, W, 3), and remember what was drawn."""
        self._rests[id(rest)] = self._draw(rest)
        return self._developed(self._rests[id(rest)])

    def shots(self, script: Script) -> Iterator[Image]:
        """Yield all pictures; where nothing moves only the noise is fresh."""
        drawn: Frame | None = None
        film = np.zeros(0, dtype=np.float32)
        for number, frame in enumerate(script.frames):
            if frame is not drawn:
                drawn, film = frame, self._rests[id(frame)] if id(frame) in self._rests else self._draw(frame)
            yield self._developed(film * np.float32(script.lights.get(number, 1.0)))

    def _draw(self, frame: Frame) -> Radiance:
        return self._renderer.draw(frame, int(self.stage.chance.integers(2**31)))

    def _developed(self, film: Radiance) -> Image:
        return develop(self.stage.rig, film, self.stage.chance, steady=True)


def encoded(pictures: Iterator[Image], size_px: tuple[int, int], fps: int = FPS) -> bytes:
    """Return pictures BGR uint8 as an MP4 with H.264."""
    ffmpeg = import_module("imageio_ffmpeg")
    params = ["-crf", "20", "-preset", "medium", "-threads", "1", "-movflags", "+faststart"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "clip.mp4"
        writer = ffmpeg.write_frames(
            str(path),
            size_px,
            fps=fps,
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
