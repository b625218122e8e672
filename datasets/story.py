"""The stories a clip can tell: what happens in it, for learning from and for holding the table to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from datasets import table_stories
from datasets.evening import evening, is_ordinary
from datasets.happenings import (
    GAP_FRAMES,
    TRIES,
    UnfitStoryError,
    flown,
    knock,
    leans,
    lift_all,
    push_flat,
    show_throw,
    throw,
    uncover,
)
from datasets.recipes import MIXED
from datasets.rig import MOST_DICE, Rig
from datasets.script import EMPTY, Script, Stage

EMPTY_FRAMES: Final = 21
KNOCKS: Final = 5  # throws with a leaning die, until one can be pushed flat
MOST_PIXELS: Final = 0.3e6
EVENING_PIXELS: Final = 0.15e6
FEW_PIXELS: Final = 0.13e6  # of clips that a repository keeps


def write_script(stage: Stage, story: str) -> Script:
    """Return the story played out; raises UnfitStoryError when it does not come out on this stage."""
    script = Script()
    script.hold(EMPTY, EMPTY_FRAMES)
    STORIES[story].tell(stage, script)
    return script


def _again(stage: Stage, script: Script) -> None:
    """A throw, dice lifted out at once or set aside in two goes, and some of them thrown again."""
    count = int(stage.chance.integers(4, MOST_DICE + 1))
    lying = throw(stage, script, count)
    lift_all(stage, script, lying)
    script.hold(EMPTY, GAP_FRAMES)
    throw(stage, script, int(stage.chance.integers(1, count + 1)))


def _knocked(stage: Stage, script: Script) -> None:
    """A throw with a leaning die, which a finger pushes flat; then all are lifted out."""
    count = int(stage.chance.integers(3, MOST_DICE + 1))
    for _ in range(KNOCKS):
        poses, frames, truth = flown(stage, count, leans, TRIES // 5)
        push = push_flat(stage, poses, truth)
        if push is None:
            continue
        show_throw(stage, script, frames, truth)
        lying = knock(stage, script, push)
        lift_all(stage, script, lying)
        script.hold(EMPTY, GAP_FRAMES)
        return
    raise UnfitStoryError("no leaning die can be pushed flat")


def _uncovered(stage: Stage, script: Script) -> None:
    """A throw, lifted out; then all dice under a cup, and the cup lifted."""
    lying = throw(stage, script, int(stage.chance.integers(4, MOST_DICE + 1)))
    lift_all(stage, script, lying)
    script.hold(EMPTY, GAP_FRAMES)
    uncover(stage, script)


@dataclass(frozen=True, slots=True)
class Story:
    """`share`: how often it is told when stories are mixed; `hand_poses` it needs; `ridged` as a recipe's.

    `cup`: it needs one; `most_pixels` of its picture; `checked`: none with a wiped die is kept; `sharp`:
    nothing that moves is blurred, which is cheaper to draw; `fits`: rigs that will do;
    `every`: only every so many frames are drawn.
    """

    share: float
    tell: Callable[[Stage, Script], None]
    hand_poses: tuple[str, ...]
    ridged: float = 0.06
    cup: bool = False
    most_pixels: float = MOST_PIXELS
    checked: bool = True
    sharp: bool = False
    fits: Callable[[Rig], bool] = lambda _: True
    every: int = 1


def _table(tell: Callable[[Stage, Script], None], *poses: str, **more: Any) -> Story:
    few = Story(0.0, tell, poses or ("pinch",), ridged=0.0, most_pixels=FEW_PIXELS)
    return replace(few, **more)


STORIES: Final[dict[str, Story]] = {
    "again": Story(0.4, _again, ("pinch",)),
    "cup": Story(0.25, _uncovered, ("pinch", "cup"), ridged=0.0, cup=True),
    "knock": Story(0.35, _knocked, ("pinch", "point"), ridged=0.7),
    "valid": _table(table_stories.valid),
    "leaning": _table(table_stories.leaning, ridged=0.7),
    "stacked": _table(table_stories.stacked, "cup", cup=True),
    "outside": _table(table_stories.outside),
    "missing": _table(table_stories.missing),
    "under-cup": _table(table_stories.under_cup, "cup", cup=True),
    "knocked": _table(table_stories.knocked, "point", ridged=0.7),
    "two-throws": _table(table_stories.two_throws, fits=is_ordinary),
    "hot-dice": _table(table_stories.hot_dice, fits=is_ordinary),
    "banked": _table(table_stories.banked, fits=is_ordinary),
    "nudged": _table(table_stories.nudged, "point", "pinch", fits=is_ordinary),
    "lights": _table(table_stories.lights, fits=is_ordinary),
    "hand-rests": _table(table_stories.hand_rests, "cup", fits=is_ordinary),
    "evening": _table(
        evening, checked=False, sharp=True, fits=is_ordinary, most_pixels=EVENING_PIXELS, every=2
    ),
}


def choose_story(name: str, chance: np.random.Generator) -> str:
    """Return `name`, or for `mixed` the name of one of the stories by their shares."""
    if name != MIXED:
        return name
    shares = np.array([story.share for story in STORIES.values()])
    return list(STORIES)[int(chance.choice(len(STORIES), p=shares / shares.sum()))]
