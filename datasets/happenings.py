"""What happens on a stage, played out by physics: throws, dice lifted out, a knock, a cup lifted off dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Final

import numpy as np

from datasets.laying import flat_turn
from datasets.lens import project
from datasets.moves import Reach, cup_coming, cup_going, lifting, pushing, reach_from, without
from datasets.recipes import Start, any_turns
from datasets.rig import MOST_DICE, Arm, Cup, Floats, Instant, Lying, Poses, Rig, edge_margin, wall_profile
from datasets.script import INSTANTS, Rest, Script, Stage, Truth
from datasets.truth import UnfitThrowError, throw_truth

INSTANT_S: Final = 0.008
REST_FRAMES: Final = (36, 60)
GAP_FRAMES: Final = 18
TRIES: Final = 300
_UNMOVED_MM, _UNTURNED = 0.3, 0.01


Launch = Callable[[Rig, np.random.Generator, int], Start]


class UnfitStoryError(ValueError):
    """A rig on which a story does not come out; says why in a few words."""


@dataclass(frozen=True, slots=True, eq=False)
class Push:
    """A die pushed in the direction `ahead` (3,), where all dice are from then on, the truth at the end."""

    die: int
    ahead: Floats
    course: list[Poses]
    truth: Truth


def throw(stage: Stage, script: Script, count: int) -> Poses:
    """Throw dice, mostly validly, and return how they lie."""
    poses, frames, truth = flown(stage, count, lambda truth: _is_usual(stage, truth))
    show_throw(stage, script, frames, truth)
    return poses


def _is_usual(stage: Stage, truth: Truth) -> bool:
    shown = sum(die["in_frame"] for die in truth["dice"])
    return truth["verdict"] == "valid" or bool(shown > len(truth["dice"]) / 2 and stage.chance.random() < 0.3)


def leans(truth: Truth) -> bool:
    """Whether a die leans and all are in the picture."""
    return any(die["state"] == "tilted" for die in truth["dice"]) and all(
        die["in_frame"] for die in truth["dice"]
    )


def show_throw(stage: Stage, script: Script, frames: list[Poses], truth: Truth) -> None:
    """Let the throw `flown` be seen and lie for a while."""
    start, rest = len(script.frames), (Instant(frames[-1]),)
    for at in range(0, len(frames) - 1, INSTANTS):
        script.frames.append(tuple(Instant(poses) for poses in frames[at : at + stage.shutter]))
    script.note("throw", start, truth, Rest(rest, Lying(frames[-1], len(frames[-1]))))
    script.hold(rest, int(stage.chance.integers(*REST_FRAMES)))


def flown(
    stage: Stage,
    count: int,
    fits: Callable[[Truth], bool],
    tries: int = TRIES,
    launch: Launch | None = None,
) -> tuple[Poses, list[Poses], Truth]:
    """Return a throw that flies in from outside the picture: its rest, its way there, its truth.

    `launch` them otherwise than over the tray's edge. Raises UnfitStoryError.
    """
    physics = import_module("datasets.physics")
    for _ in range(tries):
        start = (launch or over_the_edge)(stage.rig, stage.chance, count)
        frames = physics.simulate(stage.world, start, every_s=INSTANT_S)
        if frames is None:
            continue
        try:
            truth = throw_truth(stage.rig, Lying(frames[-1], count))
        except UnfitThrowError:
            continue
        if fits(truth):
            return frames[-1], frames[: _settled(frames) + 1], truth
    raise UnfitStoryError(f"no throw of {tries} comes to lie as wanted")


def _settled(frames: list[Poses]) -> int:
    """Return the first frame from which no die moves in sight any more."""
    last = frames[-1]
    for at in range(len(frames) - 1, -1, -1):
        moved = np.abs(frames[at].at_mm - last.at_mm).max() > 0.05
        if moved or np.abs(frames[at].turn - last.turn).max() > 0.004:
            return min(at + 1, len(frames) - 1)
    return 0


def over_the_edge(rig: Rig, chance: np.random.Generator, count: int) -> Start:
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


def one_beside(rig: Rig, chance: np.random.Generator, count: int) -> Start:
    """Return dice on their way to the tray's middle, but for the last, which falls on the table beside it."""
    start = over_the_edge(rig, chance, count)
    reach = 2 * np.abs(np.array(rig.tray.outline)).max()
    away = wall_profile(rig.tray)[-1][0] + 0.8 * rig.die_mm
    for _ in range(TRIES):
        place = chance.uniform(-reach, reach, 2)
        seen = project(rig.lens, np.array([[*place, 0.0]]))[0]
        margin_px = np.minimum(seen, np.array(rig.lens.size_px) - seen).min()
        if margin_px > 25 and edge_margin(rig.tray.outline, place[np.newaxis])[0] < -away:
            at, speed = start.poses.at_mm.copy(), start.speed.copy()
            at[-1], speed[-1] = [*place, 60 + 2 * rig.tray.wall_mm], [0, 0, 0]
            return Start(Poses(at, start.poses.turn), speed, 0.2 * start.spin, count)
    raise UnfitStoryError("no room beside the tray")


def lift_all(stage: Stage, script: Script, poses: Poses) -> None:
    """Take out what lies in the picture: in one go, or some first and the others later."""
    chance = stage.chance
    shown = [die for die in range(len(poses)) if _in_sight(stage.rig, poses, die)]
    order = sorted(shown, key=lambda die: (-round(poses.at_mm[die][2] / stage.rig.die_mm), chance.random()))
    aside = int(chance.integers(1, len(order))) if len(order) > 1 and chance.random() < 0.5 else 0
    reach = reaching(stage)
    gone: list[int] = []
    for taken in (order[:aside], order[aside:]):
        if not taken:
            continue
        lift(stage, script, reach, without(poses, gone), taken)
        gone += taken
        if len(gone) < len(order):
            script.hold((Instant(without(poses, gone)),), int(chance.integers(*REST_FRAMES)))


def lift(stage: Stage, script: Script, reach: Reach, poses: Poses, taken: Sequence[int]) -> None:
    """Take the dice `taken` out in one go."""
    stage.act(script, f"{len(taken)} dice lifted out", lifting(reach, poses, taken, stage.rig.die_mm))


def _in_sight(rig: Rig, poses: Poses, die: int) -> bool:
    """Whether a die is in the picture; one that rolled out of it is nobody's to lift."""
    place = poses.at_mm[die : die + 1]
    if np.abs(place[0, :2]).max() > 1000 or (place[0] @ rig.lens.turn.T + rig.lens.shift_mm)[2] < 30:
        return False
    pixel = project(rig.lens, place)[0]
    return bool((pixel > 0).all() and (pixel < rig.lens.size_px).all())


def reaching(stage: Stage) -> Reach:
    """Return the arm reaching in, mostly from the picture's lower edge."""
    down, chance = stage.rig.lens.turn[1], stage.chance
    side = float(np.arctan2(down[1], down[0])) + float(chance.choice([0, 0, 0, np.pi / 2, np.pi, -np.pi / 2]))
    lean = chance.normal(0, [0.3, 0.1, 0.12])
    return reach_from(stage.rig.lens, arm_of(stage), side + lean[0], lean[1], lean[2])


def arm_of(stage: Stage) -> Arm:
    """Return the arm among the props."""
    if stage.props.arm is None:
        raise ValueError("a hand is to act, but there is no arm among the props")
    return stage.props.arm


def push_flat(stage: Stage, poses: Poses, truth: Truth) -> Push | None:
    """Return a push that lays a leaning die flat without moving others, None when none is found."""
    leaning = [number for number, die in enumerate(truth["dice"]) if die["state"] == "tilted"]
    return push_one(stage, poses, leaning, lambda die, after: after["dice"][die]["state"] == "flat")


def push_one(
    stage: Stage, poses: Poses, dice: Sequence[int], fits: Callable[[int, Truth], bool]
) -> Push | None:
    """Return a push of one of `dice` that moves no other, None when none `fits`: the die, the truth after."""
    physics = import_module("datasets.physics")
    for _ in range(TRIES // 5):
        die = dice[int(stage.chance.integers(len(dice)))]
        ahead = _push_direction(stage, poses.at_mm[die])
        start = _kicked(stage.chance, poses, die, ahead)
        frames = physics.simulate(stage.world, start, every_s=INSTANT_S)
        if frames is None or not _only_moved(frames, poses, die):
            continue
        course = [_with_only(frame, poses, die) for frame in frames]
        try:
            after = throw_truth(stage.rig, Lying(course[-1], len(poses)))
        except UnfitThrowError:
            continue
        if fits(die, after):
            return Push(die, ahead, course[: _settled(course) + 1], after)
    return None


def _push_direction(stage: Stage, place: Floats) -> Floats:
    """Return a direction (3,) on the floor: mostly away from the nearest wall."""
    corners = np.array(stage.rig.tray.outline)
    along = np.roll(corners, -1, axis=0) - corners
    inward = np.column_stack([-along[:, 1], along[:, 0]]) / np.linalg.norm(along, axis=1, keepdims=True)
    nearest = int(((place[:2] - corners) * inward).sum(axis=1).argmin())
    angle = float(np.arctan2(inward[nearest, 1], inward[nearest, 0]))
    angle += (
        stage.chance.normal(0, 0.5) if stage.chance.random() < 0.6 else stage.chance.uniform(-np.pi, np.pi)
    )
    return np.array([np.cos(angle), np.sin(angle), 0.0])


def _kicked(chance: np.random.Generator, poses: Poses, die: int, ahead: Floats) -> Start:
    speed, spin = np.zeros((len(poses), 3)), np.zeros((len(poses), 3))
    speed[die] = chance.uniform(60, 350) * ahead + [0, 0, chance.uniform(0, 120)]
    spin[die] = chance.uniform(1, 14) * np.cross([0.0, 0, 1], ahead)
    return Start(poses, speed, spin, len(poses))


def _only_moved(frames: list[Poses], before: Poses, die: int) -> bool:
    others = np.arange(len(before)) != die
    return all(
        np.abs(frame.at_mm[others] - before.at_mm[others]).max(initial=0) < _UNMOVED_MM
        and np.abs(frame.turn[others] - before.turn[others]).max(initial=0) < _UNTURNED
        for frame in frames
    )


def _with_only(after: Poses, before: Poses, die: int) -> Poses:
    """Return the poses from before, but of one die."""
    at, turn = before.at_mm.copy(), before.turn.copy()
    at[die], turn[die] = after.at_mm[die], after.turn[die]
    return Poses(at, turn)


def knock(stage: Stage, script: Script, push: Push) -> Poses:
    """Let a leaning die be pushed flat by a finger and return how the dice lie then."""
    start, rest = len(script.frames), _finger(stage, script, push, "a die knocked flat")
    script.note("knock", start, push.truth, rest)
    script.hold(rest.frame, int(stage.chance.integers(*REST_FRAMES)))
    return push.course[-1]


def nudge(stage: Stage, script: Script, push: Push) -> Poses:
    """Let a die be pushed by a finger, which makes no throw, and return how the dice lie then."""
    script.hold(_finger(stage, script, push, "a die nudged").frame, REST_FRAMES[0])
    return push.course[-1]


def _finger(stage: Stage, script: Script, push: Push, what: str) -> Rest:
    side, course = float(np.arctan2(-push.ahead[1], -push.ahead[0])), push.course
    pitch, roll = stage.chance.normal(0, 0.1, 2)
    reach = reach_from(stage.rig.lens, arm_of(stage), side, float(pitch), float(roll))
    stage.act(script, what, pushing(reach, course, push.die, stage.rig.die_mm, INSTANTS))
    return Rest((Instant(course[-1]),), Lying(course[-1], len(course[-1])))


def uncover(stage: Stage, script: Script, lying: Lying | None = None) -> None:
    """Set the cup down with dice in it, a heap unless told how they are `lying`, and lift it off them."""
    cup = stage.props.cup
    if cup is None:
        raise ValueError("a cup is to be set down, but there is none among the props")
    lying = lying or _under_cup(stage, cup)
    truth = throw_truth(stage.rig, lying)
    reach = reaching(stage)
    start, rest = len(script.frames), (lying.instant,)
    acts = cup_coming(reach, cup), cup_going(reach, cup, lying.poses)
    stage.act(script, "cup set down, held and lifted", *acts, rest=GAP_FRAMES)
    script.note("throw", start, truth, Rest(rest, lying))
    script.hold(rest, int(stage.chance.integers(*REST_FRAMES)))


def _under_cup(stage: Stage, cup: Cup) -> Lying:
    """Return dice at rest close enough together for the cup to stand around them."""
    physics = import_module("datasets.physics")
    edge = stage.rig.die_mm
    for _ in range(TRIES):
        poses = physics.settle(stage.world, _heaped(stage.chance, edge))
        if poses is None or np.linalg.norm(poses.at_mm[:, :2], axis=1).max() > _room_under(cup, edge):
            continue
        lying = Lying(poses, MOST_DICE)
        try:
            throw_truth(stage.rig, lying)
        except UnfitThrowError:
            continue
        return lying
    raise UnfitStoryError("no heap of dice fits under the cup")


def laid_under_cup(stage: Stage, *, stacked: bool = False) -> Lying:
    """Return dice that lie flat and apart where the cup will stand; `stacked`: the last lies on another."""
    cup, edge, chance = stage.props.cup, stage.rig.die_mm, stage.chance
    if cup is None:
        raise ValueError("dice are to lie under a cup, but there is none among the props")
    middles: list[Floats] = []
    for _ in range(TRIES * TRIES):
        place = chance.uniform(-1, 1, 2) * _room_under(cup, edge)
        apart = all(np.linalg.norm(place - other) > 1.3 * edge for other in middles)
        if apart and np.linalg.norm(place) < _room_under(cup, edge):
            middles.append(place)
        if len(middles) == MOST_DICE - stacked:
            break
    else:
        raise UnfitStoryError("no room for the dice under the cup")
    up = np.full(MOST_DICE, edge / 2)
    if stacked:
        middles.append(middles[0] + chance.uniform(-0.2, 0.2, 2) * edge)
        up[-1] += edge
    turns = np.array([flat_turn(chance, angle) for angle in chance.uniform(0, 2 * np.pi, MOST_DICE)])
    return Lying(Poses(np.column_stack([middles, up]), turns), MOST_DICE)


def _room_under(cup: Cup, edge_mm: float) -> float:
    """Return how far from the cup's middle a die's may lie, in mm."""
    return 0.9 * cup.mouth_mm - 0.75 * edge_mm


def _heaped(chance: np.random.Generator, edge: float) -> Start:
    at = chance.normal(0, 0.9 * edge, (MOST_DICE, 2))
    up = edge * (0.8 + 1.1 * np.arange(MOST_DICE))
    turns = np.array([flat_turn(chance, angle) for angle in chance.uniform(0, 2 * np.pi, MOST_DICE)])
    still = np.zeros((MOST_DICE, 3))
    return Start(Poses(np.column_stack([at, up]), turns), still, still.copy(), MOST_DICE)


def choose_cup(rig: Rig, chance: np.random.Generator) -> Cup | None:
    """Return a cup, if the tray has room for one."""
    mouth = 3.4 * rig.die_mm
    room = float(edge_margin(rig.tray.outline, np.zeros((1, 2)))[0]) > mouth + 4
    if not room or rig.tray.folds:
        return None
    red, green, blue = (float(value) for value in chance.uniform((0.05, 0.04, 0.03), (0.4, 0.2, 0.2)))
    return Cup(mouth, 0.8 * mouth, float(chance.uniform(75, 95)), (red, green, blue))
