"""Makes one rig: chooses it, lets dice fall, draws and checks the pictures; its files come back as bytes.

A rig is a function of its order and number alone, so that any machine can make it.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import Any, Final

import numpy as np

from datasets.laying import NoRoomError
from datasets.lens import calibration, rounded
from datasets.pip_check import Pips, pips_seen, with_readable
from datasets.recipes import RECIPES, choose_recipe
from datasets.renderers import NO_DICE, RENDERERS, Renderer
from datasets.rig import Lying, Props, Rig
from datasets.rig_choice import choose_rig
from datasets.sensor import Image, compressed, develop, unlit
from datasets.truth import UnfitThrowError, throw_truth

TRIES: Final = 80  # throws of one recipe, until one comes to rest as wanted
UNREADABLE_LIMIT: Final = 3  # pictures of a rig that may be thrown away before the rig is
RIG_TRIES: Final = 40
OUTLINE_STEP_MM: Final = 12.0
GLARED_SHARE: Final = 0.04  # of all pictures, at most: those in which glare hides a die's pips


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be made: `count` pictures, `throws` a rig, by one recipe or `mixed`, by one renderer."""

    seed: int
    recipe: str
    count: int
    throws: int
    renderer: str

    @property
    def rigs(self) -> int:
        """How many rigs there will be."""
        return -(-self.count // self.throws)

    def pictures_of(self, number: int) -> int:
        """How many throws rig `number` shows; the last one may show fewer."""
        return min(self.throws, self.count - number * self.throws)

    def glared_of(self, number: int) -> int:
        """How many pictures of rig `number` may show dice wiped by glare, for GLARED_SHARE of all at most."""
        first = number * self.throws
        return int(GLARED_SHARE * (first + self.pictures_of(number))) - int(GLARED_SHARE * first)


@dataclass(frozen=True, slots=True)
class MadeRig:
    """A rig's name and its files by name."""

    name: str
    files: dict[str, bytes]


class _UnfitRigError(ValueError):
    """A rig on which the recipe does not come out, or whose dice cannot be read."""


@dataclass(slots=True)
class _Bench:
    """One rig being worked on."""

    rig: Rig
    order: Order
    chance: np.random.Generator
    renderer: Renderer
    world: Any
    rejected: Counter[str] = field(default_factory=Counter)
    may_glare: int = 0
    glared: int = 0
    unreadable: int = 0


def rig_name(number: int) -> str:
    """Return the folder's name of rig `number`."""
    return f"rig-{number:05d}"


def make_rig(order: Order, number: int, threads: int = 1) -> MadeRig:
    """Return rig `number` of the order; raises ValueError when RIG_TRIES rigs in a row are unfit."""
    rejected: Counter[str] = Counter()
    for attempt in range(RIG_TRIES):
        chance = np.random.default_rng([order.seed, number, attempt])
        bench = _bench(order, chance, threads)
        bench.rejected, bench.may_glare = rejected, order.glared_of(number)
        try:
            return MadeRig(rig_name(number), _files(bench, order.pictures_of(number)))
        except _UnfitRigError as unfit:
            rejected[f"rig: {unfit}"] += 1
    raise ValueError(f"{rig_name(number)}: {RIG_TRIES} rigs in a row unfit: {dict(rejected)}")


def _bench(order: Order, chance: np.random.Generator, threads: int) -> _Bench:
    recipe = RECIPES[choose_recipe(order.recipe, chance)]
    rig = choose_rig(chance, ridged=bool(chance.random() < recipe.ridged), dice=recipe.dice)
    return _Bench(rig, order, chance, RENDERERS[order.renderer](rig, threads, Props()), None)


def _files(bench: _Bench, pictures: int) -> dict[str, bytes]:
    rig = bench.rig
    throws = [_picture(bench) for _ in range(pictures)]
    empty = _drawn(bench, Lying(NO_DICE, 0))
    files = {
        "table.json": _json(calibration(rig.lens, dense_outline(rig), rig.die_mm)),
        "empty.jpg": compressed(empty, rig.sensor.jpeg_quality),
    }
    for index, (_, truth, image) in enumerate(throws):
        files[f"{index:03d}.jpg"] = compressed(image, rig.sensor.jpeg_quality)
        files[f"{index:03d}.json"] = _json(truth)
    recipes = [recipe for recipe, _, _ in throws]
    made = {"recipes": recipes, "glared": bench.glared, "rejected": dict(bench.rejected)}
    files["rig.json"] = _json(rig_record(rig) | made)
    return files


def _picture(bench: _Bench) -> tuple[str, dict[str, Any], Image]:
    """Return the recipe, truth and picture of the next throw whose dice show their labels, or but glare."""
    while True:
        recipe, lying, truth = _throw(bench)
        image = _drawn(bench, lying)
        seen = pips_seen(bench.rig, lying, truth, image)
        unfit = _unfit(bench, lying, truth, seen)
        if unfit is None:
            bench.glared += Pips.WIPED in seen
            return recipe, with_readable(truth, seen), image
        bench.rejected[unfit] += 1
        bench.unreadable += 1
        if bench.unreadable >= UNREADABLE_LIMIT:
            raise _UnfitRigError(unfit)


def _painted_right(bench: _Bench, lying: Lying, truth: dict[str, Any]) -> bool:
    """Whether every die, seen without light, bears its label's pips: if not, it is not glare."""
    colours = bench.renderer.colours(lying.instant, int(bench.chance.integers(2**31)))
    seen = pips_seen(bench.rig, lying, truth, unlit(bench.rig, colours))
    return Pips.WRONG not in seen and Pips.WIPED not in seen


def _unfit(bench: _Bench, lying: Lying, truth: dict[str, Any], seen: list[Pips]) -> str | None:
    """Return why the picture is not kept, None when it is."""
    if Pips.WRONG in seen or (Pips.WIPED in seen and not _painted_right(bench, lying, truth)):
        return "unreadable pips"
    return "glare" if Pips.WIPED in seen and bench.glared >= bench.may_glare else None


def _throw(bench: _Bench) -> tuple[str, Lying, dict[str, Any]]:
    name = choose_recipe(bench.order.recipe, bench.chance)
    recipe = RECIPES[name]
    for _ in range(TRIES):
        try:
            lying = _lying(bench, name)
            if lying is None:
                bench.rejected["did not come to rest"] += 1
                continue
            truth = throw_truth(bench.rig, lying, askew=recipe.askew)
        except (UnfitThrowError, NoRoomError) as unfit:
            bench.rejected[str(unfit)] += 1
            continue
        if recipe.wanted(truth):
            return name, lying, truth
    raise _UnfitRigError(f"no throw comes out as {name}")


def _lying(bench: _Bench, name: str) -> Lying | None:
    recipe = RECIPES[name]
    if recipe.lay is not None:
        return recipe.lay(bench.rig, bench.chance)
    physics = import_module("datasets.physics")  # laid dice need no physics, and no MuJoCo
    if bench.world is None:
        bench.world = physics.build_world(bench.rig)
    start = recipe.begin(bench.rig, bench.chance)
    poses = physics.settle(bench.world, start)
    return None if poses is None else Lying(poses, start.n_expected, start.coin)


def _drawn(bench: _Bench, lying: Lying) -> Image:
    seed = int(bench.chance.integers(2**31))
    return develop(bench.rig, bench.renderer.draw([lying.instant], seed), bench.chance)


def dense_outline(rig: Rig) -> Any:
    """Return the floor's outline (N, 2) with more corners on long edges, which the lens bends."""
    corners = np.array(rig.tray.outline)
    after = np.roll(corners, -1, axis=0)
    points = []
    for start, end in zip(corners, after, strict=True):
        steps = max(1, round(float(np.linalg.norm(end - start)) / OUTLINE_STEP_MM))
        points += [start + share * (end - start) for share in np.arange(steps) / steps]
    return np.array(points)


def rig_record(rig: Rig) -> dict[str, Any]:
    """Return what the rig is made of, for people and for finding what a model fails on."""
    return {
        "tray": asdict(rig.tray),
        "table": asdict(rig.table),
        "dice": [asdict(look) | {"numbering": _numbering(look.numbering)} for look in rig.dice],
        "camera_mm": rounded(rig.lens.at_mm, 1),
        "lamps": [asdict(lamp) for lamp in rig.lamps],
        "ambience": rig.ambience,
        "sensor": asdict(rig.sensor),
    }


def _numbering(numbering: Any) -> dict[str, Any]:
    return {"clockwise": numbering.clockwise, "turned": sorted(numbering.turned)}


def _json(record: dict[str, Any]) -> bytes:
    return (json.dumps(record) + "\n").encode()
