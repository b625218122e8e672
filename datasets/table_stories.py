"""Stories that a table is held to: what is thrown, taken and done in them, and what has to be told of it.

Dice can be made to show chosen faces: a cube turned in its own frame flies and lies as before. What must be
told is noted from the story alone; no reader and no table has a part in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np

from datasets.happenings import (
    TRIES,
    Launch,
    UnfitStoryError,
    flown,
    knock,
    laid_under_cup,
    leans,
    lift,
    lift_all,
    nudge,
    one_beside,
    push_flat,
    push_one,
    reaching,
    show_throw,
    uncover,
)
from datasets.moves import laid_on, taken_off, without
from datasets.numbering import turn_to_show
from datasets.rig import MOST_DICE, Instant, Lying, Poses
from datasets.script import EMPTY, Script, Stage, Truth
from datasets.truth import throw_truth

STEEP_DEG: Final = 25.0
LOOK_FRAMES: Final = 20  # between what a hand does and what it does next
EMPTY_FRAMES: Final = 12
Faces = Sequence[int]


def valid(stage: Stage, script: Script) -> None:
    """Six dice thrown, all flat."""
    _thrown(stage, script, (1, 2, 3, 5, 6, 6))


def leaning(stage: Stage, script: Script) -> None:
    """A die leans; all are taken out."""
    _misrolled(stage, script, lambda truth: leans(truth) and _steepest(truth) >= STEEP_DEG)


def stacked(stage: Stage, script: Script) -> None:
    """A cup is lifted off dice of which one lies on another."""
    script.tell("covered")
    uncover(stage, script, laid_under_cup(stage, stacked=True))


def outside(stage: Stage, script: Script) -> None:
    """A die falls beside the tray and lies in the picture."""
    _misrolled(stage, script, lambda truth: truth["reasons"] == ["outside"], one_beside)


def missing(stage: Stage, script: Script) -> None:
    """Five dice are thrown and one is not seen again."""
    poses, frames, _ = flown(stage, MOST_DICE - 1, is_all_flat, TRIES // 5)
    show_throw(stage, script, frames, throw_truth(stage.rig, Lying(poses, MOST_DICE)))


def under_cup(stage: Stage, script: Script) -> None:
    """A cup is set down with the dice in it, held and lifted."""
    script.tell("covered")
    uncover(stage, script, laid_under_cup(stage))


def knocked(stage: Stage, script: Script) -> None:
    """A die leans and a finger pushes it flat: the rules say whether that saves the throw."""
    for _ in range(TRIES):
        poses, frames, truth = flown(stage, MOST_DICE, leans, TRIES)
        push = push_flat(stage, poses, truth) if _steepest(truth) >= STEEP_DEG else None
        if push is not None and push.truth["verdict"] == "valid":
            show_throw(stage, script, frames, truth)
            knock(stage, script, push)
            return
    raise UnfitStoryError("no leaning die can be pushed flat")


def two_throws(stage: Stage, script: Script) -> None:
    """A 1 is taken, though the 5 could be; the others are thrown again."""
    lying = _thrown(stage, script, (1, 2, 3, 3, 5, 6))
    _take_and_clear(stage, script, lying, (1, 2, 3, 3, 5, 6), (1,))
    _thrown(stage, script, (2, 3, 3, 4, 5))


def hot_dice(stage: Stage, script: Script) -> None:
    """All six are set aside in a turn that cannot be banked yet: all six are thrown again."""
    lying = _thrown(stage, script, (2, 2, 2, 3, 3, 3))
    lift_all(stage, script, lying)
    _cleared(script)
    script.tell("set_aside", faces=[2, 2, 2, 3, 3, 3])
    _thrown(stage, script, (1, 2, 3, 4, 6, 6))


def banked(stage: Stage, script: Script) -> None:
    """Three 1s are taken, then all; the next player throws six dice."""
    lying = _thrown(stage, script, (1, 1, 1, 3, 4, 6))
    _take_and_clear(stage, script, lying, (1, 1, 1, 3, 4, 6), (1, 1, 1))
    script.tell("bank")
    _thrown(stage, script, (2, 2, 3, 4, 5, 6))


def nudged(stage: Stage, script: Script) -> None:
    """A die of a throw is pushed aside; then a 5 is taken and the others thrown again."""
    faces = (2, 3, 3, 5, 5, 6)
    lying = _thrown(stage, script, faces)
    plain = [place for place, face in enumerate(faces) if face != 5]
    push = push_one(stage, lying, plain, lambda die, after: _is_nudged(stage, lying, die, after, faces))
    if push is None:
        raise UnfitStoryError("no die can be nudged")
    _take_and_clear(stage, script, nudge(stage, script, push), faces, (5,))
    _thrown(stage, script, (1, 2, 4, 4, 6))


def lights(stage: Stage, script: Script) -> None:
    """While dice lie a lamp goes off and the camera makes up for it, then the lamp goes on again."""
    lying = _thrown(stage, script, (1, 3, 4, 4, 5, 6))
    first = len(script.frames)
    script.hold((Instant(lying),), 75)
    for at in range(75):
        script.lights[first + at] = (
            1 - 0.3 * np.exp(-at / 12) if at < 40 else 1 + 0.35 * np.exp((40 - at) / 9)
        )
    lift_all(stage, script, lying)
    _cleared(script)


def hand_rests(stage: Stage, script: Script) -> None:
    """A hand rests over the dice for a second and goes away again."""
    lying = _thrown(stage, script, (1, 2, 3, 4, 4, 6))
    reach, place = reaching(stage), np.array([0.0, 0.0, 2.2 * stage.rig.die_mm])
    acts = laid_on(reach, "cup", place, lying), taken_off(reach, "cup", place, lying)
    stage.act(script, "a hand rests", *acts, rest=30)
    script.tell("covered")
    script.tell("uncovered")
    script.hold((Instant(lying),), 30)


def _thrown(stage: Stage, script: Script, faces: Faces) -> Poses:
    """Throw dice that lie flat and show `faces`, each die its own."""
    _, frames, truth = flown(stage, len(faces), is_all_flat, TRIES // 5)
    frames, truth = showing(stage, frames, truth, faces)
    show_throw(stage, script, frames, truth)
    return frames[-1]


def showing(stage: Stage, frames: list[Poses], truth: Truth, faces: Faces) -> tuple[list[Poses], Truth]:
    """Return a throw, whose dice lie flat, as it is when they show `faces`."""
    dice = stage.rig.dice[: len(faces)]
    shown = [die["face"] for die in truth["dice"]]
    own = np.array(
        [turn_to_show(look.numbering, *pair) for look, *pair in zip(dice, faces, shown, strict=True)]
    )
    turned = [Poses(each.at_mm, each.turn @ own) for each in frames]
    return turned, throw_truth(stage.rig, Lying(turned[-1], len(faces)))


def is_all_flat(truth: Truth) -> bool:
    """Whether all dice lie flat in the tray and are seen well."""
    return all(die["state"] == "flat" and die["in_frame"] and die["visible"] > 0.7 for die in truth["dice"])


def _steepest(truth: Truth) -> float:
    return max(float(die["tilt_deg"]) for die in truth["dice"] if die["state"] == "tilted")


def _misrolled(
    stage: Stage, script: Script, fits: Callable[[Truth], bool], launch: Launch | None = None
) -> None:
    poses, frames, truth = flown(
        stage, MOST_DICE, lambda truth: is_all_seen(truth) and fits(truth), launch=launch
    )
    show_throw(stage, script, frames, truth)
    lift_all(stage, script, poses)
    _cleared(script)


def is_all_seen(truth: Truth) -> bool:
    """Whether all dice are seen, however they lie."""
    return all(die["in_frame"] and die["visible"] > 0.7 for die in truth["dice"])


def _is_nudged(stage: Stage, before: Poses, die: int, after: Truth, faces: Faces) -> bool:
    """Whether a pushed die still lies flat with its face, clearly elsewhere but not far."""
    now = after["dice"][die]
    way = np.linalg.norm(np.array(now["at_mm"])[:2] - before.at_mm[die][:2]) / stage.rig.die_mm
    return bool(is_all_flat(after) and now["face"] == faces[die] and 0.6 < way < 3)


def _take_and_clear(stage: Stage, script: Script, lying: Poses, faces: Faces, taken: Faces) -> None:
    """Take the dice `taken` out, then what is left: a player who sets aside and picks the others up."""
    places = places_of(faces, taken)
    reach = reaching(stage)
    lift(stage, script, reach, lying, places)
    left = without(lying, places)
    script.hold((Instant(left),), LOOK_FRAMES)
    rest = [place for place in range(len(faces)) if place not in places]
    if rest:
        lift(stage, script, reach, left, rest)
    _cleared(script)
    script.tell("set_aside", faces=sorted(taken))


def places_of(faces: Iterable[int], taken: Faces) -> list[int]:
    """Return the places among `faces` of dice that show what is `taken`."""
    free, found = list(faces), []
    for face in taken:
        found.append(free.index(face))
        free[found[-1]] = 0
    return found


def _cleared(script: Script) -> None:
    script.hold(EMPTY, EMPTY_FRAMES)
    script.tell("cleared")
