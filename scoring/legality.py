"""What is legal now, corrections apart: the one place that knows; `broken_rule` names what forbids it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from scoring.actions import (
    MISROLL_KINDS,
    Bank,
    CountAs,
    DeclineRelief,
    EndTurn,
    Knock,
    Misroll,
    MisrollReason,
    PlainAction,
    PutAside,
    Throw,
)
from scoring.banking import BankObstacle, bank_obstacles_after, counted_to_bank
from scoring.errors import FacesError
from scoring.faces import Faces, is_face, sorted_faces, spell_faces
from scoring.ruleset import MisrollRule
from scoring.ruleset_fields import Points
from scoring.set_asides import SetAside, set_asides
from scoring.sheet import no_ruling_on_sheet
from scoring.state import Game, Phase

_WHY_NOT_THROW = {
    Phase.SET_ASIDE: "at least one scoring die must be set aside before throwing again",
    Phase.KNOCK: "the knock comes first: a misroll is a bust unless it saves the throw",
    Phase.OVER: "the game is over",
}


def broken_rule(game: Game, action: PlainAction) -> str | None:
    """Return the rule that forbids `action` now, in words, or None when it is legal."""
    match action:
        case Throw(faces):
            reason = _no_throw(game) or _wrong_dice(faces, game.turn.dice_left)
        case Misroll(reasons):
            reason = _no_misroll(game) or _wrong_reasons(reasons)
        case Knock(faces):
            reason = _no_knock(game, faces)
        case PutAside(faces):
            reason = _no_set_aside(game, faces)
        case Bank():
            reason = _no_banking(game)
        case DeclineRelief():
            reason = None if game.turn.phase is Phase.RELIEF else "there is no relief to decline"
        case EndTurn(points):
            reason = _no_ruling(game, points)
        case CountAs(faces, ruled):
            reason = _no_count_as(game, faces, ruled)
        case _:
            reason = no_ruling_on_sheet(game, action)
    return reason


def legal_set_asides(game: Game) -> tuple[SetAside, ...]:
    """Return what may be set aside of the throw that lies, best points first; empty when none does."""
    if game.turn.phase is not Phase.SET_ASIDE or game.turn.faces is None:
        return ()
    return set_asides(game.turn.faces, game.ruleset)


def bank_obstacles(game: Game) -> tuple[BankObstacle, ...]:
    """Return all that keeps the player from banking once dice are set aside; empty when banking is legal.

    Empty, too, while it is not yet the time to bank: `obstacle(game, Bank())` says so.
    """
    last = game.turn.last_set_aside
    if game.turn.phase is not Phase.DECIDE or last is None:
        return ()
    tally = game.tally
    return bank_obstacles_after(
        last, game.ruleset, points=game.turn.points, total=tally.total, opened=tally.opened
    )


def points_when_banked(game: Game) -> int:
    """Return what banking now would write: less than the turn's points where `counted_to_bank` says so."""
    last = game.turn.last_set_aside
    counted = None if last is None else counted_to_bank(last, game.ruleset)
    if last is None or counted is None:
        return game.turn.points
    return game.turn.points - last.points + counted.points


def _no_throw(game: Game) -> str | None:
    phase = game.turn.phase
    if phase is Phase.KNOCK and game.ruleset.misroll is MisrollRule.RETHROW:
        return None
    return _WHY_NOT_THROW.get(phase)


def _no_count_as(game: Game, faces: Faces, ruled: Faces) -> str | None:
    of_misroll = game.turn.phase is Phase.KNOCK
    wrong = (None if of_misroll else _no_throw(game)) or _wrong_dice(faces, game.turn.dice_left)
    if wrong or (ruled and not Counter(ruled) - Counter(faces)):
        return wrong
    return f"found {spell_faces(ruled) or 'no die'} as ruled on; accepted: one or more dice of the throw"


def _no_knock(game: Game, faces: Faces | None) -> str | None:
    if game.turn.phase is not Phase.KNOCK:
        return "there is no leaning die that a knock may save"
    return None if faces is None else _wrong_dice(faces, game.turn.dice_left)


def _no_banking(game: Game) -> str | None:
    if game.over:
        return _WHY_NOT_THROW[Phase.OVER]
    if game.turn.phase is not Phase.DECIDE:
        return "banking comes after setting aside"
    return "; ".join(map(str, bank_obstacles(game))) or None


def _no_ruling(game: Game, points: int) -> str | None:
    if game.over:
        return _WHY_NOT_THROW[Phase.OVER]
    try:
        Points().read(points)
    except ValueError:
        return f"found {points!r} points for the turn; accepted: {Points().accepts}"
    return None


def _no_misroll(game: Game) -> str | None:
    return None if game.turn.phase is Phase.SET_ASIDE else _no_throw(game)


def _wrong_reasons(reasons: Iterable[MisrollReason]) -> str | None:
    return next(filter(None, map(_wrong_reason, reasons)), None)


def _wrong_reason(reason: MisrollReason) -> str | None:
    """Return why nobody could be told this reason of a misroll, if so."""
    found, accepted = None, ""
    if reason.kind not in MISROLL_KINDS:
        found, accepted = f"{reason.kind!r} as why the throw is a misroll", ", ".join(MISROLL_KINDS)
    elif reason.face is not None and not is_face(reason.face):
        found, accepted = f"{reason.face!r} as the face of a die", "a whole number 1 to 6, or none"
    elif reason.amount is not None and not math.isfinite(reason.amount):
        found, accepted = f"{reason.amount} as by how much a die is at fault", "a finite number, or none"
    return found and f"found {found}; accepted: {accepted}"


def _wrong_faces(faces: Faces) -> str | None:
    try:
        sorted_faces(faces)
    except FacesError as error:
        return str(error)
    return None


def _wrong_dice(faces: Faces, dice: int) -> str | None:
    wrong = None if len(faces) == dice else f"the throw is of {dice} dice, not {len(faces)}"
    return _wrong_faces(faces) or wrong


def _no_set_aside(game: Game, faces: Faces) -> str | None:
    if game.turn.phase is not Phase.SET_ASIDE:
        return _WHY_NOT_THROW[Phase.OVER] if game.over else "there is no throw to set aside from"
    if faces and (wrong := _wrong_faces(faces)):
        return wrong
    legal = [each.faces for each in legal_set_asides(game)]
    if tuple(sorted(faces)) in legal:
        return None
    names = ", ".join(map(spell_faces, legal))
    rule = "every scoring die" if game.ruleset.take_all else "only dice that all belong to a combination"
    return f"{spell_faces(faces) or 'nothing'} cannot be set aside: {rule} of this throw: {names}"
