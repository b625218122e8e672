"""What can be tapped: set-asides and answers on offer, and the four actions that are always there. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from scoring.actions import Bank, DeclineRelief, Knock, Misroll, PutAside, Throw
from scoring.events import Option
from scoring.faces import ALL_DICE, Faces, spell_faces
from scoring.game import Game, Phase, bank_obstacles, can, obstacle, options
from scoring.legality import points_when_banked
from scoring.odds import bust_probability
from table.after_ruling import may_count
from table.events import UNFIT_VIEWS, WaitKind
from table.overruling import candidates, doubted_dice, faults, is_doubted
from table.page.overrule_words import OverruleWords
from table.page.words import Words
from table.rulings import take_faces
from table.state import LyingThrow, TableState
from table.touches import Confirm, CorrectDie, CountAnyway, NewGame, Play, Touch, Undo

CONFIRMABLE = UNFIT_VIEWS | {
    WaitKind.UNSURE,
    WaitKind.NOT_COUNTED,
    WaitKind.UNSEEN,
    WaitKind.NOT_THROWN,
    WaitKind.NOT_BANKED,
    WaitKind.NUDGED,
    WaitKind.BANKED_OR_THROWN,
}


@dataclass(frozen=True, slots=True)
class Offer:
    """A button. `touch`: what it does; None asks for a throw by hand, or leads to the page `place`.

    `name` tells it from all others.
    """

    name: str
    title: str
    touch: Touch | None
    note: str = ""
    faces: Faces = ()
    enabled: bool = True
    best: bool = False
    place: str = ""


def choices(state: TableState, words: Words, *, advice: bool = True) -> tuple[Offer, ...]:
    """Return the buttons of the present moment, the best first; none while dice are to be thrown.

    `advice`: whether risks are told and the best set-aside is marked.
    """
    game = state.game
    if state.as_it_began and state.wait is None:
        return (_set_up(words),)
    if game.turn.phase is Phase.SET_ASIDE:
        return (*_answers(state, words), *_set_asides(game, words, advice=advice))
    by_phase = _CHOICES.get(game.turn.phase)
    return (*_answers(state, words), *(by_phase(game, words) if by_phase else ()))


def actions(state: TableState, words: Words, *, advice: bool = True) -> tuple[Offer, ...]:
    """Return bank, throw, misroll and undo, in this order; with `advice` what is risked is told."""
    game = state.game
    return (
        _bank(game, words),
        _throw(game, words, advice=advice),
        _misroll(state, words),
        Offer("undo", words.undo, Undo(), enabled=state.can_undo),
    )


def _set_up(words: Words) -> Offer:
    return Offer("setup", words.players_and_rules, None, place="setup")


def _set_asides(game: Game, words: Words, *, advice: bool) -> tuple[Offer, ...]:
    offered = [option for event in options(game) for option in event.set_asides]
    best = next((option for option in offered if not option.passes_target), None)
    return tuple(
        _set_aside(option, words, advice=advice, best=advice and option is best) for option in offered
    )


def _set_aside(option: Option, words: Words, *, advice: bool, best: bool) -> Offer:
    risk = f" · {words.bust_risk(option.bust_probability)}" if advice else ""
    left = words.dice_left(option.dice_left, hot=option.dice_left == ALL_DICE)
    return Offer(
        name=f"set-aside-{spell_faces(option.faces)}",
        title=str(option.points),
        touch=Play(PutAside(option.faces)),
        note=words.passes_target if option.passes_target else left + risk,
        faces=option.faces,
        best=best,
    )


def _answers(state: TableState, words: Words) -> tuple[Offer, ...]:
    """Return the button that counts a throw which the game has not taken by itself, where there is one."""
    lying, wait = state.lying, state.wait
    if lying is None or lying.counted:
        return ()
    known = lying.known_faces or ()
    if wait is None and may_count(state):  # a misroll: a person may overrule the referee
        return (Offer("count-anyway", words.count_anyway, CountAnyway(), faces=known),)
    if wait is None or wait.kind not in CONFIRMABLE:
        return ()
    note = _why_not_count(state, known, words) if known else words.correct_first
    count = Offer("confirm", words.count_it, Confirm(), note, known, enabled=not note, best=True)
    if faults(lying):
        count = replace(count, name="count-anyway", title=words.count_anyway, touch=CountAnyway(), best=False)
    instead = _instead(lying, words) if wait.kind is WaitKind.UNSURE else ()
    return (count, *instead) if known else (*instead, count)


def _instead(lying: LyingThrow, words: Words) -> tuple[Offer, ...]:
    """Return a button for each other face that the one doubted die may show; the throw then counts so."""
    doubted = [die for die in doubted_dice(lying) if die is not None]
    if len(doubted) != 1 or is_doubted(lying, doubted[0]):
        return ()
    place, own = doubted[0], OverruleWords(words.language)
    shown = lying.faces[place]
    others = [face for face in candidates(lying, place) if face != shown]
    offers = []
    for face in others:
        faces = (*lying.faces[:place], face, *lying.faces[place + 1 :])
        known = replace(lying, faces=faces).known_faces
        if known is not None:
            note, touch = own.instead(face, shown), CorrectDie(place, face)
            offers.append(Offer(f"instead-{face}", words.count_it, touch, note, known))
    return tuple(offers)


def _why_not_count(state: TableState, faces: Faces, words: Words) -> str:
    """Return why a throw of `faces` would not count; not known while the throw before is open."""
    game = state.game
    if game.turn.phase is Phase.SET_ASIDE:
        asks_first = state.wait is not None and state.wait.kind is WaitKind.UNSEEN
        return words.set_aside_first if asks_first and take_faces(game, faces).wait is not None else ""
    if len(faces) != game.turn.dice_left:
        return words.not_as_many(len(faces), game.turn.dice_left)
    return obstacle(game, Throw(faces)) or ""


def _bank(game: Game, words: Words) -> Offer:
    points = f" {points_when_banked(game)}" if game.turn.points else ""
    note = words.obstacles(bank_obstacles(game))
    return Offer("bank", words.bank + points, Play(Bank()), note, enabled=can(game, Bank()))


def _throw(game: Game, words: Words, *, advice: bool) -> Offer:
    """Return the tile that says how many dice are thrown next; tapping it enters the throw by hand."""
    waits = game.turn.phase in (Phase.THROW, Phase.DECIDE, Phase.RELIEF)
    risk = words.bust_risk(bust_probability(game.turn.dice_left, game.ruleset))
    note = risk if advice and game.turn.phase is Phase.DECIDE else words.enter_by_hand
    title = words.throw(game.turn.dice_left) if waits else words.throw_button
    return Offer("throw", title, None, note if waits else "", enabled=waits)


def _misroll(state: TableState, words: Words) -> Offer:
    """Return the button that calls the throw that lies a misroll, unless it is one already."""
    waiting = state.wait is not None and not state.game.over
    counted = state.lying is None or state.lying.counted
    open_throw = counted and state.game.turn.phase is Phase.SET_ASIDE
    return Offer("misroll", words.misroll_button, Play(Misroll()), enabled=waiting or open_throw)


_CHOICES: dict[Phase, Callable[[Game, Words], tuple[Offer, ...]]] = {
    Phase.RELIEF: lambda _, words: (Offer("pass", words.pass_on, Play(DeclineRelief())),),
    Phase.KNOCK: lambda _, words: (Offer("still-leans", words.still_leans, Play(Knock(None))),),
    Phase.OVER: lambda _, words: (
        Offer("new-game", words.new_game, NewGame(), best=True),
        _set_up(words),
    ),
}
