"""A clip before it is drawn: what is in every frame and what is true of it, and the stage it is played on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from datasets.hand import hand_bones
from datasets.lens import project
from datasets.moves import Act
from datasets.renderers import NO_DICE
from datasets.rig import Floats, Hand, Instant, Lying, Props, Rig

INSTANTS: Final = 4  # a frame's exposure at most; physics is looked at so often
FAST_MM: Final = 6.0  # from instant to instant: more shows as several hands
_WIDEST_VIEW: Final = 0.9  # of the ideal picture plane: beyond it a lens's distortion means nothing

Frame = tuple[Instant, ...]
Truth = dict[str, Any]
EMPTY: Final[Frame] = (Instant(NO_DICE),)


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """What lies still, with nothing else in the picture, when an event is over."""

    frame: Frame
    lying: Lying


@dataclass(slots=True)
class Script:
    """A clip before it is drawn: what is in every frame, and what is true of it; a rest for every event.

    `told`: what a table that sees it right has to tell, in order: `datasets.expected_events` says it in the
    table's words. `lights`: by frame, how bright it is if not as usual: 1.
    """

    frames: list[Frame] = field(default_factory=list)
    events: list[Truth] = field(default_factory=list)
    rests: list[Rest] = field(default_factory=list)
    actions: list[Truth] = field(default_factory=list)
    told: list[Truth] = field(default_factory=list)
    lights: dict[int, float] = field(default_factory=dict)

    def hold(self, frame: Frame, count: int) -> None:
        """Let nothing move for `count` frames."""
        self.frames += [frame] * count

    def note(self, kind: str, start: int, truth: Truth, rest: Rest) -> None:
        """Note an event that began at frame `start` and has just come to rest."""
        faces = [die["face"] for die in truth["dice"]]
        moment = {"kind": kind, "frame_start": start, "frame_settled": len(self.frames), "faces": faces}
        self.events.append(moment | truth)
        self.rests.append(rest)
        self.tell("throw", faces=sorted(faces), verdict=truth["verdict"], reasons=truth["reasons"])

    def tell(self, what: str, **fields: Any) -> None:
        """Note what the table has to tell now."""
        self.told.append({"what": what, **fields})


def thinned(script: Script, every: int) -> Script:
    """Return the script with only every so many frames; what happens in one that is left out, in the next."""

    def moved(record: Truth) -> Truth:
        numbers = {key: -(-record[key] // every) for key in record if key.startswith("frame_")}
        hands = [[number // every, *box] for number, *box in record.get("hand_px", ()) if number % every == 0]
        return record | numbers | ({"hand_px": hands} if "hand_px" in record else {})

    return Script(
        script.frames[::every],
        [moved(event) for event in script.events],
        script.rests,
        [moved(action) for action in script.actions],
        script.told,
        {number // every: light for number, light in script.lights.items() if number % every == 0},
    )


@dataclass(slots=True)
class Stage:
    """A rig with its physics, what comes into the picture beside dice, and how long a frame is exposed."""

    rig: Rig
    chance: np.random.Generator
    world: Any
    props: Props
    shutter: int  # instants of a frame that are exposed

    def act(self, script: Script, what: str, *acts: Act, rest: int = 0) -> None:
        """Let a hand do something, noting what and where in the picture the hand is.

        Between one act and the next it lies still for `rest` frames.
        """
        first = len(script.frames)
        for place, act in enumerate(acts):
            if place:
                script.hold((act.at(0.0),), rest)
            script.frames += [self._exposed(act, number) for number in range(1, act.frames + 1)]
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
