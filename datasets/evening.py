"""The story of an evening: two players throw, take dice out and bank over many turns, now and then a misroll.

What is thrown and set aside is drawn by chance and legal by the rules; everybody throws on until a turn has
had its throws. The players take dice out as people do: what they set aside first and the others after a look,
in several goes, the other way round, or, before banking, all at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from datasets.happenings import flown, lift, reaching, show_throw
from datasets.moves import without
from datasets.rig import Instant, Poses
from datasets.script import EMPTY, Script, Stage, Truth
from datasets.table_stories import (
    EMPTY_FRAMES,
    LOOK_FRAMES,
    STEEP_DEG,
    is_all_flat,
    is_all_seen,
    places_of,
    showing,
)
from scoring.actions import Bank, PutAside, Throw
from scoring.faces import Faces
from scoring.game import Game, apply, can, legal_set_asides, new_game
from scoring.ruleset import load_preset
from scoring.set_asides import SetAside, dice_left_after, set_asides

RULES: Final = "finnish"  # every turn may be banked
PLAYERS: Final = ("Ada", "Bo")
TURNS: Final = 8
THROWS: Final = 5  # of a turn, before it may end
MISROLLS: Final = 0.4  # how many of the misrolls that come to lie are shown


def evening(stage: Stage, script: Script) -> None:
    """Play TURNS turns."""
    game = new_game(load_preset(RULES), list(PLAYERS))
    while game.finished_turns < TURNS:
        game = _turn(stage, script, game)
    script.hold(EMPTY, LOOK_FRAMES)


def _turn(stage: Stage, script: Script, game: Game) -> Game:
    turn, throws = game.finished_turns, 0
    while game.finished_turns == turn:
        throws += 1
        faces = _faces(stage.chance, game, lucky=throws < THROWS)
        lying = _throw_valid(stage, script, faces)
        game, _ = apply(game, Throw(faces))
        if game.finished_turns != turn:
            _take(stage, script, lying, [list(range(len(faces)))])
            break
        bank = throws >= THROWS
        chosen = _chosen(stage.chance, game, bank=bank)
        aside = places_of(faces, chosen.faces)
        rest = [place for place in range(len(faces)) if place not in aside]
        _take(stage, script, lying, _goes(stage.chance, aside, rest, bank=bank))
        game, _ = apply(game, PutAside(chosen.faces, "seen"))
        script.tell("set_aside", faces=list(chosen.faces))
        if bank and can(game, Bank()):
            game, _ = apply(game, Bank())
            script.tell("bank")
    return game


def _faces(chance: np.random.Generator, game: Game, *, lucky: bool) -> Faces:
    """Return the faces of a throw in the order of the dice; a lucky one is no bust and no hot dice."""
    while True:
        faces = tuple(int(face) for face in chance.integers(1, 7, game.turn.dice_left))
        asides = set_asides(tuple(sorted(faces)), game.ruleset)
        left = [dice_left_after(each, len(faces)) for each in asides]
        if not lucky or (asides and (len(faces) == 1 or min(left) < len(faces))):
            return faces


def _chosen(chance: np.random.Generator, game: Game, *, bank: bool) -> SetAside:
    """Return what is set aside: the most points before banking, else mostly as few dice as may be."""
    legal = legal_set_asides(game)
    if bank:
        return legal[0]
    few = sorted(legal, key=lambda each: len(each.faces))
    return few[0] if chance.random() < 0.7 else legal[int(chance.integers(len(legal)))]


def _goes(chance: np.random.Generator, aside: list[int], rest: list[int], *, bank: bool) -> list[list[int]]:
    """Return which dice are taken out together, one go after the other."""
    way = chance.random()
    if bank and way < 0.4:
        return [[*aside, *rest]]
    if len(aside) > 1 and way < 0.6:
        return [aside[:1], aside[1:], rest]
    if not bank and rest and len(rest) != len(aside) and way < 0.75:
        return [rest, aside]
    return [aside, rest]


def _throw_valid(stage: Stage, script: Script, faces: Faces) -> Poses:
    """Throw until the throw is valid, and then shows `faces`."""
    while True:
        poses, frames, truth = flown(stage, len(faces), lambda truth: _is_clear(stage, truth))
        if is_all_flat(truth):
            frames, truth = showing(stage, frames, truth, faces)
            show_throw(stage, script, frames, truth)
            return frames[-1]
        show_throw(stage, script, frames, truth)
        _take(stage, script, poses, [[die for die in range(len(faces)) if truth["dice"][die]["in_frame"]]])


def _is_clear(stage: Stage, truth: Truth) -> bool:
    """Whether it is plain to see what the throw is."""
    if is_all_flat(truth):
        return True
    leans = [die["tilt_deg"] for die in truth["dice"] if die["state"] == "tilted"]
    shown = is_all_seen(truth) and min(leans, default=STEEP_DEG) >= STEEP_DEG
    return bool(shown and truth["verdict"] == "misroll" and stage.chance.random() < MISROLLS)


def _take(stage: Stage, script: Script, lying: Poses, goes: Sequence[Sequence[int]]) -> None:
    """Take the dice of each go out, look, and go on; the tray is empty then."""
    reach = reaching(stage)
    gone: list[int] = []
    for taken in filter(None, goes):
        if gone:
            script.hold((Instant(without(lying, gone)),), LOOK_FRAMES)
        lift(stage, script, reach, without(lying, gone), taken)
        gone += taken
    script.hold(EMPTY, EMPTY_FRAMES)
    script.tell("cleared")
