"""What a player set aside without touching the screen, told from the dice that were seen: pure.

Dice are lifted out of a throw, perhaps in several goes, and then others, or all that are left, are thrown
again. A stage is what was `left` lying after a go. What had been taken by then is the set-aside when as many
dice come back as were left; when as many come back as had been taken, those were picked up to be thrown and
what was left is. Without a stage the number of dice alone may tell. Nothing here is a guess: where no stage
fits the number that comes back, or more than one set-aside does, there is more than one answer or none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scoring.actions import Action, Bank, PutAside
from scoring.faces import ALL_DICE, Faces
from scoring.game import Game, apply, can, legal_set_asides
from scoring.set_asides import dice_left_after


@dataclass(frozen=True, slots=True)
class Seen:
    """Which set-asides may have been made: `sure` is the one that was, if it is certain."""

    possible: tuple[Faces, ...]
    sure: Faces | None = None


def seen_set_asides(game: Game, dice: int, left: Sequence[Faces]) -> Seen:
    """Return which legal set-asides of the throw that lies fit `dice` that come back, by stages `left`."""
    possible = _leaving(game, dice)
    fitting = possible if not left else _fitting(game, dice, left, possible)
    return Seen(fitting or possible, fitting[0] if len(fitting) == 1 else None)


def _fitting(game: Game, dice: int, left: Sequence[Faces], possible: tuple[Faces, ...]) -> tuple[Faces, ...]:
    if dice == ALL_DICE:  # all was set aside, in whatever goes
        return possible
    return tuple(dict.fromkeys(each for each in _by_stages(game, dice, left, possible) if each in possible))


def _leaving(game: Game, dice: int) -> tuple[Faces, ...]:
    legal = legal_set_asides(game)
    return tuple(each.faces for each in legal if dice_left_after(each, game.turn.dice_left) == dice)


def _by_stages(game: Game, dice: int, left: Iterable[Faces], possible: tuple[Faces, ...]) -> Iterator[Faces]:
    for stage in left:
        taken = taken_of(game, stage)
        if len(stage) == dice:
            yield taken
        if len(taken) == dice:  # picked up to be thrown, or the first go of what was set aside
            yield from (each for each in possible if each == stage or Counter(taken) <= Counter(each))


def taken_of(game: Game, left: Faces) -> Faces:
    """Return the faces of the throw that lies without those `left` of it, sorted."""
    return tuple(sorted((Counter(game.turn.faces or ()) - Counter(left)).elements()))


def could_be_hot(game: Game) -> bool:
    """Whether all dice could have been set aside, so that six may be thrown again in the same turn."""
    if game.turn.hot_dice:
        return True
    return any(each.hot_dice for each in legal_set_asides(game))


def bank_all(game: Game) -> tuple[Action, ...]:
    """Return the actions that bank the turn with the most points it can have; none if it cannot be banked."""
    if can(game, Bank()):
        return (Bank(),)
    for each in legal_set_asides(game):  # best points first
        aside = PutAside(each.faces, "seen")
        after, _ = apply(game, aside)
        if can(after, Bank()):
            return (aside, Bank())
    return ()
