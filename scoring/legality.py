"""What is legal now: the one place that knows. `obstacle` names the broken rule; everything else asks it."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.actions import Action, Bank, Correct, DeclineRelief, Knock, Misroll, PutAside, Throw
from scoring.combinations import SINGLE
from scoring.errors import FacesError, IllegalActionError
from scoring.faces import Faces, sorted_faces, spell_faces
from scoring.ruleset import HotDice, MisrollRule
from scoring.set_asides import SetAside, set_asides
from scoring.state import Game, Phase

_WHY_NOT_THROW = {
    Phase.SET_ASIDE: "at least one scoring die must be set aside before throwing again",
    Phase.KNOCK: "the knock comes first: a misroll is a bust unless it saves the throw",
    Phase.OVER: "the game is over",
}


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
    match action:
        case Throw(faces):
            reason = _no_throw(game) or _wrong_dice(faces, game.turn.dice_left)
        case Misroll():
            reason = None if game.turn.phase is Phase.SET_ASIDE else _no_throw(game)
        case Knock(faces):
            reason = _no_knock(game, faces)
        case PutAside(faces):
            reason = _no_set_aside(game, faces)
        case Bank():
            reason = "; ".join(bank_obstacles(game)) or None
        case DeclineRelief():
            reason = None if game.turn.phase is Phase.RELIEF else "there is no relief to decline"
        case Correct(faces):
            reason = _no_correction(game, faces)
    return reason


def legal_set_asides(game: Game) -> tuple[SetAside, ...]:
    """Return what may be set aside of the throw that lies, best points first; empty when none does."""
    if game.turn.phase is not Phase.SET_ASIDE or game.turn.faces is None:
        return ()
    return set_asides(game.turn.faces, game.ruleset)


def bank_obstacles(game: Game) -> tuple[str, ...]:
    """Return everything that keeps the player from banking now, in words; empty when banking is legal."""
    if game.over:
        return ("the game is over",)
    if game.turn.phase is not Phase.DECIDE:
        return ("banking comes after setting aside",)
    return tuple(_bank_obstacles(game))


def points_to_bank(game: Game) -> int:
    """Return the least points of the turn with which the player may bank, by all limits together."""
    rules, tally = game.ruleset, game.tally
    opening = 0 if tally.opened else rules.opening
    over = rules.target - tally.total if _is_over_limit(game) else 0
    return max(rules.least_banking, opening, over)


def latest_throw(game: Game) -> Faces | None:
    """Return the faces of the throw that may still be corrected, or None when something else followed it."""
    match game.log[-1:]:
        case (Throw(faces) | Knock(faces) | Correct(faces),):
            return faces
    return None


def _bank_obstacles(game: Game) -> Iterator[str]:
    rules, points = game.ruleset, game.turn.points
    if game.turn.hot_dice and rules.hot_dice is HotDice.MUST:
        yield "all six dice are set aside and must be thrown again"
    if rules.confirmation and not _confirmed(game):
        yield "needs a single 1 or 5 in the last set-aside"
    short = points_to_bank(game) - points
    if short > 0:
        yield f"needs {short} more {_purpose(game)}"


def _purpose(game: Game) -> str:
    """Say what the highest of the limits on banking is for."""
    least = points_to_bank(game)
    if _is_over_limit(game) and least == game.ruleset.target - game.tally.total:
        return f"to reach {game.ruleset.target}, as the total is over {game.ruleset.over_limit}"
    if not game.tally.opened and least == game.ruleset.opening:
        return "to open"
    return "to bank"


def _is_over_limit(game: Game) -> bool:
    return 0 < game.ruleset.over_limit < game.tally.total


def _confirmed(game: Game) -> bool:
    last = game.turn.last_set_aside
    return last is not None and any(part.name == SINGLE for part in last.parts)


def _no_throw(game: Game) -> str | None:
    phase = game.turn.phase
    if phase is Phase.KNOCK and game.ruleset.misroll is MisrollRule.RETHROW:
        return None
    return _WHY_NOT_THROW.get(phase)


def _no_knock(game: Game, faces: Faces | None) -> str | None:
    if game.turn.phase is not Phase.KNOCK:
        return "there is no leaning die that a knock may save"
    return None if faces is None else _wrong_dice(faces, game.turn.dice_left)


def _wrong_dice(faces: Faces, dice: int) -> str | None:
    try:
        thrown = sorted_faces(faces)
    except FacesError as error:
        return str(error)
    return None if len(thrown) == dice else f"the throw is of {dice} dice, not {len(thrown)}"


def _no_set_aside(game: Game, faces: Faces) -> str | None:
    if game.turn.phase is not Phase.SET_ASIDE:
        return _WHY_NOT_THROW[Phase.OVER] if game.over else "there is no throw to set aside from"
    legal = [each.faces for each in legal_set_asides(game)]
    if tuple(sorted(faces)) in legal:
        return None
    names = ", ".join(map(spell_faces, legal))
    rule = "every scoring die" if game.ruleset.take_all else "only dice that all belong to a combination"
    return f"{spell_faces(faces) or 'nothing'} cannot be set aside: {rule} of this throw: {names}"


def _no_correction(game: Game, faces: Faces) -> str | None:
    latest = latest_throw(game)
    if latest is None:
        return "only the latest throw can be corrected, before anything else is done"
    return _wrong_dice(faces, len(latest))
