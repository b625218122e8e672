"""The story of an evening: players throw, take dice out and bank over many turns, now and then a misroll.

They sit round the table, and each throws and takes from an own side. What is thrown and set aside is drawn by
chance and legal by the rules; everybody throws on until a turn has had its throws. The players take dice out
as people do: what they set aside first and the others after a look, in several goes, the other way round, or,
before banking, all at once. What is left when a turn is over is often taken by the next player.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from datasets.happenings import REST_FRAMES, flown, lift, one_beside, show_throw
from datasets.moves import without
from datasets.rig import Instant, Poses, Rig
from datasets.script import EMPTY, Script, Stage, Truth
from datasets.seats import PLAYERS, Seat, reach_of, seated, seats_record, show_thrown, thrown_by
from datasets.table_stories import (
    EMPTY_FRAMES,
    LOOK_FRAMES,
    is_all_flat,
    is_all_seen,
    places_of,
    showing,
)
from scoring.actions import Bank, PutAside, Throw
from scoring.faces import Faces
from scoring.game import Game, apply, can, legal_set_asides, new_game
from scoring.ruleset import load_preset
from scoring.set_asides import SetAside, set_asides

RULES: Final = "finnish"  # every turn may be banked
TURNS: Final = 8
THROWS: Final = 5  # of a turn, before it may end
HELPS: Final = 0.4  # of the turns: the next player takes what is left of it
MISROLLS: Final = 0.08  # of the throws: a die falls beside the tray
LAST: Final = {
    "bust": 0.35,
    "hot": 0.05,
    "bank": 0.6,
}  # how a turn's last throw may come to lie, and how often
DIE_PX: Final = 32.0  # at least
MOST_DRAWS: Final = 200
LARGEST_ONE: Final = 0.15  # the radius of the pip of a 1, in edges


def evening(stage: Stage, script: Script) -> None:
    """Play TURNS turns."""
    seats = seated(stage.chance)
    players = PLAYERS[: len(seats)]
    script.tell("seats", players=list(players), **seats_record(seats))
    game = new_game(load_preset(RULES), list(players))
    while game.finished_turns < TURNS:
        game = _turn(stage, script, game, seats)
    script.hold(EMPTY, LOOK_FRAMES)


def _turn(stage: Stage, script: Script, game: Game, seats: Sequence[Seat]) -> Game:
    turn, throws = game.finished_turns, 0
    seat, after = (seats[(turn + more) % len(seats)] for more in (0, 1))
    helper = after if stage.chance.random() < HELPS else seat
    while game.finished_turns == turn:
        throws += 1
        faces = _faces(stage.chance, game, _wish(stage.chance, throws))
        lying = _throw_valid(stage, script, seat, faces)
        game, _ = apply(game, Throw(faces))
        if game.finished_turns != turn:
            _take(stage, script, lying, [list(range(len(faces)))], [helper])
            break
        bank = throws >= THROWS
        chosen = _chosen(stage.chance, game, bank=bank)
        aside = places_of(faces, chosen.faces)
        rest = [place for place in range(len(faces)) if place not in aside]
        goes = list(filter(None, _goes(stage.chance, aside, rest, bank=bank)))
        _take(stage, script, lying, goes, [*[seat] * (len(goes) - 1), helper if bank else seat])
        game, _ = apply(game, PutAside(chosen.faces, "seen"))
        script.tell("set_aside", faces=list(chosen.faces))
        if bank and can(game, Bank()):
            game, _ = apply(game, Bank())
            script.tell("bank")
    return game


def _wish(chance: np.random.Generator, throws: int) -> str:
    """Return how throw number `throws` of a turn is to come out."""
    return str(chance.choice(list(LAST), p=list(LAST.values()))) if throws >= THROWS else "go on"


def _faces(chance: np.random.Generator, game: Game, wish: str) -> Faces:
    """Return the faces of a throw, in the order of the dice, that comes out as wished, if any can."""
    for _ in range(MOST_DRAWS):
        faces = tuple(int(face) for face in chance.integers(1, 7, game.turn.dice_left))
        if _outcome(faces, game) in (wish, "go on" if wish == "bank" else wish):
            break
    return faces


def _outcome(faces: Faces, game: Game) -> str:
    """Return what a throw leads to: `hot` when all its dice can be set aside."""
    asides = set_asides(tuple(sorted(faces)), game.ruleset)
    if not asides:
        return "bust"
    return "hot" if any(each.hot_dice for each in asides) else "go on"


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


def _throw_valid(stage: Stage, script: Script, seat: Seat, faces: Faces) -> Poses:
    """Throw, perhaps with a die beside the tray first, until the throw is valid and shows `faces`."""
    if stage.chance.random() < MISROLLS:
        poses, frames, truth = flown(stage, len(faces), _one_is_out, launch=one_beside)
        show_throw(stage, script, frames, truth)
        _take(stage, script, poses, [list(range(len(faces)))], [seat])
    reach, frames, truth = thrown_by(stage, seat, len(faces), is_all_flat)
    frames, truth = showing(stage, frames, truth, faces)
    show_thrown(script, reach, frames, truth)
    script.hold((Instant(frames[-1]),), int(stage.chance.integers(*REST_FRAMES)))
    return frames[-1]


def _one_is_out(truth: Truth) -> bool:
    return is_all_seen(truth) and truth["reasons"] == ["outside"]


def is_ordinary(rig: Rig) -> bool:
    """Whether dice and camera are such as most people play with: dice of one kind, none too small to read."""
    die_px = rig.lens.matrix[0, 0] * rig.die_mm / rig.lens.shift_mm[2]
    plain = len(set(rig.dice)) == 1 and rig.dice[0].pip_radii[0] <= LARGEST_ONE
    return bool(plain and die_px >= DIE_PX and rig.dice[0].pattern == "plain" and not rig.tray.folds)


def _take(
    stage: Stage, script: Script, lying: Poses, goes: Sequence[Sequence[int]], takers: Sequence[Seat]
) -> None:
    """Let each of `takers` take the dice of a go out and all have a look; the tray is empty then."""
    gone: list[int] = []
    for taken, seat in zip(goes, takers, strict=True):
        if gone:
            script.hold((Instant(without(lying, gone)),), LOOK_FRAMES)
        lift(stage, script, reach_of(stage, seat), without(lying, gone), taken)
        gone += taken
    script.hold(EMPTY, EMPTY_FRAMES)
    script.tell("cleared")
