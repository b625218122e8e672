"""Random games under random rules: whatever is legal keeps the books straight, whatever is not is refused.

What may be set aside and banked is judged here by the oracle and by rules written out anew, not by the game.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.actions import Action, Bank, Correct, DeclineRelief, Knock, PutAside, Throw
from scoring.errors import IllegalActionError
from scoring.events import Banked, Bust, Event, GameOver, SetAsideMade, TurnStarted
from scoring.game import Game, Phase, apply, can, legal_set_asides, new_game, replay, start_of, undo
from scoring.ruleset import Ruleset, to_record
from tests.scoring.oracle import expected_set_asides
from tests.scoring.playing import misroll
from tests.scoring.strategies import rulesets, untimed

NAMES = ("Ada", "Bo", "Cy", "Dee")
games = st.builds(
    lambda ruleset, players, first: new_game(ruleset, NAMES[:players], first % players),
    rulesets(),
    st.integers(2, 4),
    st.integers(0, 3),
)
seeds = st.integers(0, 2**32 - 1).map(Random)  # quick to draw; a failure is told by its seed


def any_faces(random: Random, most: int = 6) -> tuple[int, ...]:
    return tuple(random.choices(range(1, 7), k=random.randint(1, most)))


def any_action(random: Random) -> Action:
    """An action picked blindly: mostly illegal."""
    return random.choice(
        (
            Throw(any_faces(random)),
            PutAside(any_faces(random)),
            Bank(),
            misroll(*random.choice(((), ("tilted",), ("outside",)))),
            Knock(random.choice((None, any_faces(random)))),
            DeclineRelief(),
            Correct(any_faces(random)),
        )
    )


def sensible_action(game: Game, random: Random) -> Action:
    """An action that moves the game on, like a player's."""
    dice = tuple(random.choices(range(1, 7), k=game.turn.dice_left))
    if game.turn.phase is Phase.SET_ASIDE:
        return PutAside(random.choice(legal_set_asides(game)).faces)
    if game.turn.phase is Phase.KNOCK:
        return Knock(random.choice((None, dice)))
    if game.turn.phase is Phase.RELIEF and random.random() < 0.3:
        return DeclineRelief()
    if can(game, Bank()) and random.random() < 0.7:
        return Bank()
    if random.random() < 0.1:
        return misroll(*random.choice(((), ("tilted",), ("outside", "tilted"))))
    return Throw(dice)


def step(game: Game, random: Random) -> tuple[Action, Game, tuple[Event, ...]]:
    """Try a blind action now and then; play on sensibly otherwise."""
    blind = any_action(random)
    action = blind if random.random() < 0.2 and can(game, blind) else sensible_action(game, random)
    return action, *apply(game, action)


def play(game: Game, random: Random, steps: int = 60) -> Game:
    now = game
    for _ in range(steps):
        if now.over:
            break
        _, now, _ = step(now, random)
    return now


@untimed
@given(games, seeds)
def test_totals_are_the_sum_of_what_was_banked_and_lost(game: Game, random: Random) -> None:
    books, turn_points, now = dict.fromkeys(game.players, 0), 0, game
    for _ in range(150):
        action, now, events = step(now, random)
        if isinstance(action, Correct):  # takes back what the misreading cost: the books would have to, too
            break
        for event in events:
            turn_points = enter(event, books, turn_points)
        assert now.totals == books
        if now.over:
            assert events[-1] == GameOver(tuple(game.players[seat] for seat in now.winners), books)
            break


def enter(event: Event, books: dict[str, int], turn_points: int) -> int:
    """Keep the books by the events alone; returns the turn's points after the event."""
    match event:
        case SetAsideMade(points=points):
            assert event.turn_points == turn_points + points
            return turn_points + points
        case Banked(player=player, points=points):
            assert points == turn_points
            books[player] += points
            assert event.total == books[player]
        case Bust(player=player):
            assert event.lost == turn_points
            books[player] -= event.penalty
            assert event.total == books[player]
        case TurnStarted():
            return 0
    return turn_points


@untimed
@given(games, seeds)
def test_only_what_the_rules_allow_is_accepted(game: Game, random: Random) -> None:
    now, known = game, {}
    for _ in range(40):
        for action in (Bank(), any_action(random)):
            allowed = can(now, action)
            if isinstance(action, PutAside):
                assert allowed == may_set_aside(now, action, known)
            elif isinstance(action, Bank):
                assert allowed == may_bank(now)
            elif isinstance(action, Throw) and allowed:
                assert len(action.faces) == now.turn.dice_left
                assert now.turn.phase is not Phase.SET_ASIDE
            if not allowed:
                with pytest.raises(IllegalActionError):
                    apply(now, action)
        if now.over:
            break
        _, now, _ = step(now, random)


def may_set_aside(game: Game, action: PutAside, known: dict) -> bool:
    if game.turn.phase is not Phase.SET_ASIDE:
        return False
    expected = expected_set_asides(game.turn.faces, to_record(game.ruleset), known)
    return tuple(sorted(action.faces)) in expected


def may_bank(game: Game) -> bool:
    """The rules on banking, written out once more."""
    rules, turn, tally = game.ruleset, game.turn, game.tallies[game.turn.seat]
    if game.over or not isinstance(last_deed(game), PutAside):
        return False
    singles = [part for part in turn.last_set_aside.parts if part.faces in ((1,), (5,))]
    return not (
        turn.points < rules.least_banking
        or (not tally.opened and turn.points < rules.opening)
        or (rules.confirmation and not singles)
        or (rules.hot_dice == "must" and turn.dice_left == 6)
        or (rules.over_limit and tally.total > rules.over_limit and tally.total + turn.points < rules.target)
    )


def last_deed(game: Game) -> Action | None:
    """The last action, unless it ended the turn."""
    if not game.log or game.turn.points == 0:
        return None
    return game.log[-1]


@untimed
@given(games, seeds)
def test_replay_reproduces_the_state(game: Game, random: Random) -> None:
    now = play(game, random)
    assert start_of(now) == game
    assert replay(game, now.log) == now


@untimed
@given(games, seeds)
def test_undo_is_exact_at_every_step(game: Game, random: Random) -> None:
    now = game
    for _ in range(25):
        if now.over:
            break
        _, following, _ = step(now, random)
        assert undo(following) == now
        now = following


@untimed
@given(games, seeds)
def test_order_of_dice_never_matters(game: Game, random: Random) -> None:
    now = play(game, random)
    shuffled = replay(game, (reordered(action, random) for action in now.log))
    assert replace(shuffled, log=()) == replace(now, log=())


def reordered(action: Action, random: Random) -> Action:
    faces = getattr(action, "faces", None)
    return replace(action, faces=tuple(random.sample(faces, len(faces)))) if faces else action


@untimed
@given(games, seeds)
def test_a_correction_is_as_if_the_throw_had_been_read_right(game: Game, random: Random) -> None:
    now = play(game, random, steps=20)
    if now.over or not can(now, throw := Throw(tuple(random.choices(range(1, 7), k=now.turn.dice_left)))):
        return
    right = tuple(random.choices(range(1, 7), k=now.turn.dice_left))
    misread, _ = apply(now, throw)
    corrected, _ = apply(misread, Correct(right))
    assert replace(corrected, log=()) == replace(apply(now, Throw(right))[0], log=())


@settings(max_examples=60, deadline=None)
@given(rulesets(), st.integers(2, 4), seeds)
def test_games_come_to_their_end(ruleset: Ruleset, players: int, random: Random) -> None:
    easy = replace(ruleset, target=1000, opening=0, least_banking=0, over_limit=0, exact_target=False)
    game = play(new_game(replace(easy, three_busts=0), NAMES[:players]), random, steps=4000)
    assert game.over
    best = max(tally.total for tally in game.tallies)
    assert best >= 1000
    assert all(game.tallies[seat].total == best for seat in game.winners)
    if ruleset.end == "equal_turns":
        assert len({len(tally.entries) for tally in game.tallies}) == 1
