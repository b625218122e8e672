"""The game: a pure `apply(game, action)`, and replay and undo built on the log of actions.

What is legal is in `scoring.legality`, what an action does in `scoring.turns`, corrections in
`scoring.corrections`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from scoring.actions import Action, Amend, Correct
from scoring.corrections import correct, no_correction
from scoring.errors import IllegalActionError
from scoring.events import Event, TurnStarted
from scoring.history import Entry
from scoring.legality import bank_obstacles, broken_rule, legal_set_asides
from scoring.state import Game, Phase, Tally, Turn, new_game, start_of
from scoring.turns import Outcome, of_the_lying_throw, options, take

__all__ = [
    "Game",
    "Phase",
    "Tally",
    "Turn",
    "apply",
    "bank_obstacles",
    "can",
    "first_events",
    "legal_set_asides",
    "new_game",
    "obstacle",
    "options",
    "replay",
    "start_of",
    "undo",
    "verify",
]


def verify(game: Game, action: Action) -> None:
    """Raise `IllegalActionError`, naming the rule broken, unless `action` is legal in `game`."""
    reason = obstacle(game, action)
    if reason is not None:
        raise IllegalActionError(reason)


def can(game: Game, action: Action) -> bool:
    """Return whether `action` is legal in `game`."""
    return obstacle(game, action) is None


def obstacle(game: Game, action: Action) -> str | None:
    """Return the rule that forbids `action` now, in words, or None when it is legal."""
    return no_correction(game, action) if isinstance(action, Correct | Amend) else broken_rule(game, action)


def apply(game: Game, action: Action) -> Outcome:
    """Return the game after `action`, and what came of it.

    Raises `IllegalActionError`, naming the rule broken, when the action is not legal now.
    """
    if isinstance(action, Correct | Amend):
        after, events = correct(game, action)
    else:
        verify(game, action)
        after, events = take(game, action)
        entry = Entry(len(game.log), game.finished_turns, action)
        after = replace(after, history=game.history.with_entry(entry, game.turn.seat))
    return replace(after, log=(*game.log, action)), events


def first_events(game: Game) -> tuple[Event, ...]:
    """Return the events that tell where a game stands as it begins or is taken up again, unless it is over.

    Whose turn it is and, if a throw lies, what may be made of it.
    """
    return (TurnStarted(game.player), *of_the_lying_throw(game))


def replay(start: Game, actions: Iterable[Action]) -> Game:
    """Return `start` after all `actions`; raises `IllegalActionError` at the first that is not legal."""
    game = start
    for action in actions:
        game, _ = apply(game, action)
    return game


def undo(game: Game, actions: int = 1) -> Game:
    """Return the game as it was `actions` actions ago; raises `IllegalActionError` when there were fewer."""
    if not 0 <= actions <= len(game.log):
        raise IllegalActionError(f"there are {len(game.log)} actions to undo, not {actions}")
    return replay(start_of(game), game.log[: len(game.log) - actions])
