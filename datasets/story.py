"""What happens in a clip, frame by frame, and what is true of it: throws, dice lifted out, a cup, a knock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

import numpy as np

from datasets.hand import hand_bones
from datasets.laying import flat_turn
from datasets.lens import project
from datasets.moves import (
    Act,
    Reach,
    cup_coming,
    cup_going,
    cup_held,
    lifting,
    pushing,
    reach_from,
    without,
)
from datasets.recipes import MIXED, Start, any_turns
from datasets.renderers import NO_DICE
from datasets.rig import MOST_DICE, Arm, Cup, Floats, Hand, Instant, Lying, Poses, Props, Rig, edge_margin
from datasets.truth import UnfitThrowError, throw_truth

INSTANTS: Final = 4  # a frame's exposure at most; physics is looked at so often
INSTANT_S: Final = 0.008
FAST_MM: Final = 6.0  # from instant to instant: more shows as several hands
EMPTY_FRAMES: Final = 21
REST_FRAMES: Final = (36, 60)
GAP_FRAMES: Final = 18
TRIES: Final = 300
KNOCKS: Final = 5  # throws with a leaning die, until one can be pushed flat
_UNMOVED_MM, _UNTURNED = 0.3, 0.01
_WIDEST_VIEW: Final = 0.9  # of the ideal picture plane: beyond it a lens's distortion means nothing

Frame = tuple[Instant, ...]
Truth = dict[str, Any]
EMPTY: Final[Frame] = (Instant(NO_DICE),)


class UnfitStoryError(ValueError):
    """A rig on which a story does not come out; says why in a few words."""


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """What lies still, with nothing else in the picture, when an event is over."""

    frame: Frame
    lying: Lying


@dataclass(frozen=True, slots=True, eq=False)
class Push:
    """A die pushed in the direction `ahead` (3,), where all dice are from then on, the truth at the end."""

    die: int
    ahead: Floats
    course: list[Poses]
    truth: Truth


@dataclass(slots=True)
class Script:
    """A clip before it is drawn: what is in every frame, and what is true of it; a rest for every event."""

    frames: list[Frame] = field(default_factory=list)
    events: list[Truth] = field(default_factory=list)
    rests: list[Rest] = field(default_factory=list)
    actions: list[Truth] = field(default_factory=list)

    def hold(self, frame: Frame, count: int) -> None:
        """Let nothing move for `count` frames."""
        self.frames += [frame] * count

    def note(self, kind: str, start: int, truth: Truth, rest: Rest) -> None:
        """Note an event that began at frame `start` and has just come to rest."""
        faces = [die["face"] for die in truth["dice"]]
        moment = {"kind": kind, "frame_start": start, "frame_settled": len(self.frames), "faces": faces}
        self.events.append(moment | truth)
        self.rests.append(rest)


@dataclass(slots=True)
class Stage:
    """A rig with its physics, what comes into the picture beside dice, and how long a frame is exposed."""

    rig: Rig
    chance: np.random.Generator
    world: Any
    props: Props
    shutter: int  # instants of a frame that are exposed

    def act(self, script: Script, what: str, act: Act) -> None:
        """Let a hand do something, noting what and where in the picture the hand is."""
        first = len(script.frames)
        for number in range(1, act.frames + 1):
            script.frames.append(self._exposed(act, number))
        seen = [(first + at, _hand_box(self, frame)) for at, frame in enumerate(script.frames[first:])]
        script.actions.append(
            {
                "what": what,
                "frame_start": first,
                "frame_end": len(script.frames) - 1,
                "hand_px": [[number, *box] for number, box in seen if box is not None],
            }
        )

    def _exposed(self, act: Act, number: int) -> Frame:
        """Return a frame's instants up to time `number`: twice as many when the hand moves fast."""
        start = max(0.0, number - (self.shutter - 1) / INSTANTS)
        hands = [act.at(moment).hand for moment in (start, float(number))]
        ways = [hand.at_mm for hand in hands if hand is not None]
        fast = len(ways) == 2 and np.linalg.norm(ways[1] - ways[0]) > FAST_MM * self.shutter
        count = (2 if fast else 1) * self.shutter
        return tuple(act.at(float(moment)) for moment in np.linspace(start, number, count))


def _hand_box(stage: Stage, frame: Frame) -> list[int] | None:
    """Return left, top, right, bottom of the hand in a frame, None when it is not in the picture."""
    hands = [instant.hand for instant in frame if instant.hand is not None]
    if not hands:
        return None
    pixels = np.vstack([_hand_pixels(stage, hand) for hand in hands])
    size = np.array(stage.rig.lens.size_px)
    pixels = pixels[((pixels >= 0) & (pixels <= size - 1)).all(axis=1)]
    if not len(pixels):
        return None
    return [int(value) for value in (*np.floor(pixels.min(axis=0)), *np.ceil(pixels.max(axis=0)))]


def _hand_pixels(stage: Stage, hand: Hand) -> Floats:
    """Return pixels (N, 2) on the outline of the hand's rods."""
    arm, lens = stage.props.arm, stage.rig.lens
    if arm is None:
        raise ValueError("a hand, but no arm among the props")
    bones = hand_bones(arm, hand.pose)
    share = np.linspace(0, 1, 41)[:, np.newaxis, np.newaxis]
    middles = (bones.start + share * (bones.end - bones.start)).reshape(-1, 3) @ hand.turn.T + hand.at_mm
    radii = (bones.radii[:, 0] + share[..., 0] * (bones.radii[:, 1] - bones.radii[:, 0])).reshape(-1, 1)
    angles = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    around = np.cos(angles)[:, np.newaxis] * lens.turn[0] + np.sin(angles)[:, np.newaxis] * lens.turn[1]
    places = (middles + radii * around[:, np.newaxis]).reshape(-1, 3)
    ahead = places @ lens.turn.T + lens.shift_mm
    ideal = ahead[:, :2] / np.maximum(ahead[:, 2:], 1e-6)
    near = (ahead[:, 2] > 30) & (np.linalg.norm(ideal, axis=1) < _WIDEST_VIEW)
    return project(lens, places[near])


def write_script(stage: Stage, story: str) -> Script:
    """Return the story played out; raises UnfitStoryError when it does not come out on this stage."""
    script = Script()
    script.hold(EMPTY, EMPTY_FRAMES)
    STORIES[story].tell(stage, script)
    return script


def _again(stage: Stage, script: Script) -> None:
    """A throw, dice lifted out at once or set aside in two goes, and some of them thrown again."""
    count = int(stage.chance.integers(4, MOST_DICE + 1))
    lying = _throw(stage, script, count)
    _lift_all(stage, script, lying)
    script.hold(EMPTY, GAP_FRAMES)
    _throw(stage, script, int(stage.chance.integers(1, count + 1)))


def _knocked(stage: Stage, script: Script) -> None:
    """A throw with a leaning die, which a finger pushes flat; then all are lifted out."""
    count = int(stage.chance.integers(3, MOST_DICE + 1))
    for _ in range(KNOCKS):
        poses, frames, truth = _flown(stage, count, _leans, TRIES // 5)
        push = _push(stage, poses, truth)
        if push is None:
            continue
        _show_throw(stage, script, frames, truth)
        lying = _knock(stage, script, push)
        _lift_all(stage, script, lying)
        script.hold(EMPTY, GAP_FRAMES)
        return
    raise UnfitStoryError("no leaning die can be pushed flat")


def _uncovered(stage: Stage, script: Script) -> None:
    """A throw, lifted out; then all dice under a cup, and the cup lifted."""
    lying = _throw(stage, script, int(stage.chance.integers(4, MOST_DICE + 1)))
    _lift_all(stage, script, lying)
    script.hold(EMPTY, GAP_FRAMES)
    _cup(stage, script)


def _throw(stage: Stage, script: Script, count: int) -> Poses:
    poses, frames, truth = _flown(stage, count, lambda truth: _is_usual(stage, truth))
    _show_throw(stage, script, frames, truth)
    return poses


def _is_usual(stage: Stage, truth: Truth) -> bool:
    shown = sum(die["in_frame"] for die in truth["dice"])
    return truth["verdict"] == "valid" or bool(shown > len(truth["dice"]) / 2 and stage.chance.random() < 0.3)


def _leans(truth: Truth) -> bool:
    return any(die["state"] == "tilted" for die in truth["dice"]) and all(
        die["in_frame"] for die in truth["dice"]
    )


def _show_throw(stage: Stage, script: Script, frames: list[Poses], truth: Truth) -> None:
    start, rest = len(script.frames), (Instant(frames[-1]),)
    for at in range(0, len(frames) - 1, INSTANTS):
        script.frames.append(tuple(Instant(poses) for poses in frames[at : at + stage.shutter]))
    script.note("throw", start, truth, Rest(rest, Lying(frames[-1], len(frames[-1]))))
    script.hold(rest, int(stage.chance.integers(*REST_FRAMES)))


def _flown(
    stage: Stage, count: int, fits: Callable[[Truth], bool], tries: int = TRIES
) -> tuple[Poses, list[Poses], Truth]:
    """Return a throw that flies in from outside the picture: its rest, its way there, its truth."""
    physics = import_module("datasets.physics")
    for _ in range(tries):
        start = _launch(stage.rig, stage.chance, count)
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


def _lift_all(stage: Stage, script: Script, poses: Poses) -> None:
    """Take out what lies in the picture: in one go, or some first and the others later."""
    chance = stage.chance
    shown = [die for die in range(len(poses)) if _in_sight(stage.rig, poses, die)]
    order = sorted(shown, key=lambda die: (-round(poses.at_mm[die][2] / stage.rig.die_mm), chance.random()))
    aside = int(chance.integers(1, len(order))) if len(order) > 1 and chance.random() < 0.5 else 0
    reach = _reach(stage)
    gone: list[int] = []
    for taken in (order[:aside], order[aside:]):
        if not taken:
            continue
        left = without(poses, gone)
        stage.act(script, f"{len(taken)} dice lifted out", lifting(reach, left, taken, stage.rig.die_mm))
        gone += taken
        if len(gone) < len(order):
            script.hold((Instant(without(poses, gone)),), int(chance.integers(*REST_FRAMES)))


def _in_sight(rig: Rig, poses: Poses, die: int) -> bool:
    """Whether a die is in the picture; one that rolled out of it is nobody's to lift."""
    place = poses.at_mm[die : die + 1]
    if np.abs(place[0, :2]).max() > 1000 or (place[0] @ rig.lens.turn.T + rig.lens.shift_mm)[2] < 30:
        return False
    pixel = project(rig.lens, place)[0]
    return bool((pixel > 0).all() and (pixel < rig.lens.size_px).all())


def _reach(stage: Stage) -> Reach:
    """Return the arm reaching in, mostly from the picture's lower edge."""
    down, chance = stage.rig.lens.turn[1], stage.chance
    side = float(np.arctan2(down[1], down[0])) + float(chance.choice([0, 0, 0, np.pi / 2, np.pi, -np.pi / 2]))
    lean = chance.normal(0, [0.3, 0.1, 0.12])
    return reach_from(stage.rig.lens, _arm(stage), side + lean[0], lean[1], lean[2])


def _arm(stage: Stage) -> Arm:
    if stage.props.arm is None:
        raise ValueError("a hand is to act, but there is no arm among the props")
    return stage.props.arm


def _push(stage: Stage, poses: Poses, truth: Truth) -> Push | None:
    """Return a push that lays a leaning die flat without moving others, None when none is found."""
    physics = import_module("datasets.physics")
    leaning = [number for number, die in enumerate(truth["dice"]) if die["state"] == "tilted"]
    for _ in range(TRIES // 5):
        die = leaning[int(stage.chance.integers(len(leaning)))]
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
        if after["dice"][die]["state"] == "flat":
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


def _knock(stage: Stage, script: Script, push: Push) -> Poses:
    side, course = float(np.arctan2(-push.ahead[1], -push.ahead[0])), push.course
    pitch, roll = stage.chance.normal(0, 0.1, 2)
    reach = reach_from(stage.rig.lens, _arm(stage), side, float(pitch), float(roll))
    start, rest = len(script.frames), (Instant(course[-1]),)
    stage.act(script, "a die knocked flat", pushing(reach, course, push.die, stage.rig.die_mm, INSTANTS))
    script.note("knock", start, push.truth, Rest(rest, Lying(course[-1], len(course[-1]))))
    script.hold(rest, int(stage.chance.integers(*REST_FRAMES)))
    return course[-1]


def _cup(stage: Stage, script: Script) -> None:
    """Set the cup down with the dice in it and lift it off them."""
    cup = stage.props.cup
    if cup is None:
        raise ValueError("a cup is to be set down, but there is none among the props")
    lying = _under_cup(stage, cup)
    truth = throw_truth(stage.rig, lying)
    reach = _reach(stage)
    start, rest = len(script.frames), (lying.instant,)
    stage.act(script, "cup set down", cup_coming(reach, cup))
    stage.act(script, "cup held", cup_held(reach, cup, lying.poses, GAP_FRAMES))
    stage.act(script, "cup lifted", cup_going(reach, cup, lying.poses))
    script.note("throw", start, truth, Rest(rest, lying))
    script.hold(rest, int(stage.chance.integers(*REST_FRAMES)))


def _under_cup(stage: Stage, cup: Cup) -> Lying:
    """Return dice at rest close enough together for the cup to stand around them."""
    physics = import_module("datasets.physics")
    edge = stage.rig.die_mm
    for _ in range(TRIES):
        poses = physics.settle(stage.world, _heaped(stage.chance, edge))
        room = 0.9 * cup.mouth_mm - 0.75 * edge
        if poses is None or np.linalg.norm(poses.at_mm[:, :2], axis=1).max() > room:
            continue
        lying = Lying(poses, MOST_DICE)
        try:
            throw_truth(stage.rig, lying)
        except UnfitThrowError:
            continue
        return lying
    raise UnfitStoryError("no heap of dice fits under the cup")


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


@dataclass(frozen=True, slots=True)
class Story:
    """`share`: how often it is told when stories are mixed; `hand_poses` it needs; `ridged` as a recipe's."""

    share: float
    tell: Callable[[Stage, Script], None]
    hand_poses: tuple[str, ...]
    ridged: float = 0.06


STORIES: Final[dict[str, Story]] = {
    "again": Story(0.4, _again, ("pinch",)),
    "cup": Story(0.25, _uncovered, ("pinch", "cup"), ridged=0.0),
    "knock": Story(0.35, _knocked, ("pinch", "point"), ridged=0.7),
}


def choose_story(name: str, chance: np.random.Generator) -> str:
    """Return `name`, or for `mixed` the name of one of the stories by their shares."""
    if name != MIXED:
        return name
    shares = np.array([story.share for story in STORIES.values()])
    return list(STORIES)[int(chance.choice(len(STORIES), p=shares / shares.sum()))]
