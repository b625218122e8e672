"""Random games under random rules: whatever is legal keeps the books straight, whatever is not is refused.

What may be set aside and banked is judged here by the oracle and by rules written out anew, not by the game.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.actions import (
    Action,
    Amend,
    Bank,
    Correct,
    CountAs,
    DeclineRelief,
    EndTurn,
    Join,
    Knock,
    PutAside,
    SetTotal,
    TakeIn,
    TakeOut,
    Throw,
    TurnTo,
)
from scoring.errors import IllegalActionError
from scoring.events import Corrected, Event, GameOver, Options, TurnStarted
from scoring.game import Game, Phase, apply, can, legal_set_asides, new_game, options, replay, start_of, undo
from scoring.history import History
from scoring.ruleset import Ruleset, to_record
from tests.scoring.oracle import expected_set_asides, worth
from tests.scoring.playing import misroll
from tests.scoring.recorder import Recorder
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
            EndTurn(50 * random.randint(-1, 20)),
            Correct(any_faces(random)),
        )
    )


def any_ruling(random: Random) -> Action:
    """A ruling of a person, picked blindly: often illegal."""
    player = random.choice(NAMES)
    thrown = any_faces(random)
    return random.choice(
        (
            SetTotal(player, 50 * random.randint(-2, 30)),
            TurnTo(player),
            TakeOut(player),
            TakeIn(player),
            TakeIn(player),
            Join(random.choice(NAMES[2:])),
            CountAs(thrown, thrown[:1]),
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


def any_amendment(game: Game, random: Random, *, ruling: bool = False) -> Amend:
    """An amendment of any place, of what stands there a little or wholly; often illegal."""
    entry = random.choice(game.history.entries)
    faces = getattr(entry.action, "faces", None) or (1,)
    action = random.choice(
        (
            None,
            EndTurn(50 * random.randint(0, 30)),
            any_action(random),
            any_ruling(random) if ruling else None,
            Throw(tuple(random.choices(range(1, 7), k=len(faces)))),
            PutAside(tuple(random.sample(faces, random.randint(1, len(faces))))),
            entry.action,
        )
    )
    return Amend(entry.place, action)


def legal_correction(game: Game, random: Random, *, ruling: bool = False) -> Action:
    """A correction of the latest throw or an amendment; that something did not happen is always legal."""
    dice = game.turn.faces or getattr(game.log[-1], "faces", None) or (1,) * 6
    tried: list[Action] = [any_amendment(game, random, ruling=ruling) for _ in range(3)]
    tried.insert(random.randint(0, 3), Correct(tuple(random.choices(range(1, 7), k=len(dice)))))
    removable = next(entry for entry in game.history.entries if not isinstance(entry.action, Join))
    return next(filter(partial(can, game), tried), Amend(removable.place, None))


def amendable(game: Game) -> bool:
    return any(not isinstance(entry.action, Join) for entry in game.history.entries)


def step(
    game: Game, random: Random, *, amending: bool = False, ruling: bool = False
) -> tuple[Action, Game, tuple[Event, ...]]:
    """Try a blind action now and then, or amend and rule on what happened; play on sensibly otherwise."""
    blind, ruled = any_action(random), any_ruling(random)
    if ruling and random.random() < 0.15 and can(game, ruled):
        action: Action = ruled
    elif amending and amendable(game) and (game.over or random.random() < 0.15):
        action = legal_correction(game, random, ruling=ruling)
    else:
        action = blind if random.random() < 0.2 and can(game, blind) else sensible_action(game, random)
    return action, *apply(game, action)


def play(
    game: Game, random: Random, steps: int = 60, *, amending: bool = False, ruling: bool = False
) -> Game:
    now = game
    for _ in range(steps):
        if now.over and not amending:
            break
        _, now, _ = step(now, random, amending=amending, ruling=ruling)
    return now


def bare(game: Game) -> Game:
    """The game without how it came to be."""
    return replace(game, log=(), history=History())


@untimed
@given(games, seeds)
def test_totals_are_the_sum_of_what_was_banked_and_lost(game: Game, random: Random) -> None:
    """Without amendments the books are kept by the events that the game tells."""
    books, now = Recorder(game), game
    for _ in range(150):
        action, now, events = step(now, random)
        books.note(action)
        assert now.totals == books.books
        if now.over:
            assert events[-1] == GameOver(tuple(game.players[seat] for seat in now.winners), now.totals)
            break


@untimed
@given(games, seeds)
def test_totals_are_the_sum_of_the_log_with_amendments_worked_in(game: Game, random: Random) -> None:
    books, now = Recorder(game), game
    for _ in range(60):
        action, now, _ = step(now, random, amending=True, ruling=True)
        books.note(action)
        assert now.totals == books.books
        assert bare(now) == bare(books.now)
        struck = {place for place, line in books.lines.items() if line.action is not None and not line.counts}
        assert now.history.impossible_places == struck


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
                assert allowed == may_bank(now, known)
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


def may_bank(game: Game, known: dict) -> bool:
    """The rules on banking, written out once more."""
    rules, turn, tally = game.ruleset, game.turn, game.tallies[game.turn.seat]
    if game.over or not isinstance(last_deed(game), PutAside):
        return False
    confirmed = confirmed_points(turn.last_set_aside.faces, to_record(rules), known)
    if rules.confirmation and confirmed is None:
        return False
    points = turn.points - turn.last_set_aside.points + confirmed if rules.confirmation else turn.points
    return not (
        points < rules.least_banking
        or (not tally.opened and points < rules.opening)
        or (rules.hot_dice == "must" and turn.dice_left == 6)
        or (rules.over_limit and tally.total > rules.over_limit and tally.total + points < rules.target)
    )


def confirmed_points(faces: tuple[int, ...], rules: dict, known: dict) -> int | None:
    """The most that `faces` are worth with a single 1 or 5 standing alone, None when none can."""
    best = []
    for single, points in ((1, 100), (5, 50)):
        if single in faces:
            place = faces.index(single)
            rest = worth((*faces[:place], *faces[place + 1 :]), rules, known)
            best += [] if rest is None else [points + rest]
    return max(best, default=None)


def last_deed(game: Game) -> Action | None:
    """The last action, unless it ended the turn."""
    if not game.log or game.turn.points == 0:
        return None
    return game.log[-1]


@untimed
@given(games, seeds)
def test_who_only_hears_the_events_knows_whose_turn_it_is_and_what_lies(game: Game, random: Random) -> None:
    now, player, offered = game, game.player, None
    for _ in range(60):
        _, now, events = step(now, random, amending=True, ruling=True)
        for event in events:
            if isinstance(event, TurnStarted | Corrected | GameOver):
                player = None if isinstance(event, GameOver) else event.player
            elif isinstance(event, Options):
                offered = event
        assert player == (None if now.over else now.player)
        assert options(now) in ((), (offered,))


@untimed
@given(games, seeds)
def test_replay_reproduces_the_state(game: Game, random: Random) -> None:
    now = play(game, random, amending=True, ruling=True)
    assert start_of(now) == game
    assert replay(game, now.log) == now


@untimed
@given(games, seeds)
def test_undo_is_exact_at_every_step(game: Game, random: Random) -> None:
    now = game
    for _ in range(25):
        _, following, _ = step(now, random, amending=True, ruling=True)
        assert undo(following) == now
        now = following
        if now.over and random.random() < 0.5:
            break


@untimed
@given(games, seeds)
def test_order_of_dice_never_matters(game: Game, random: Random) -> None:
    now = play(game, random, amending=True, ruling=True)
    shuffled = replay(game, (reordered(action, random) for action in now.log))
    assert bare(shuffled) == bare(now)
    assert shuffled.history.impossible_places == now.history.impossible_places
    assert shuffled.history.closed == now.history.closed


def reordered(action: Action | None, random: Random) -> Action | None:
    if isinstance(action, Amend):
        return replace(action, action=reordered(action.action, random))
    faces = getattr(action, "faces", None)
    return replace(action, faces=tuple(random.sample(faces, len(faces)))) if faces else action


@untimed
@given(games, seeds)
def test_amending_to_what_stands_there_changes_nothing_but_the_log(game: Game, random: Random) -> None:
    now = play(game, random, steps=40, amending=True, ruling=True)
    for entry in now.history.entries:
        if entry.place not in now.history.impossible_places and not isinstance(entry.action, Join):
            after, events = apply(now, Amend(entry.place, entry.action))
            assert replace(after, log=now.log) == now
            assert (events[0].impossible, events[0].restored, events[0].closed) == ((), (), ())
            assert [event.kind for event in events[1:]] == ["game_over"] * now.over


@untimed
@given(games, seeds)
def test_amending_back_restores_everything_but_the_log(game: Game, random: Random) -> None:
    now = play(game, random, steps=40, amending=True, ruling=True)
    for _ in now.history.entries:
        there = any_amendment(now, random, ruling=True)
        before = now.history.entry_at(there.place)
        if before.place not in now.history.impossible_places and can(now, there):
            amended, lost = apply(now, there)
            back, found = apply(amended, Amend(before.place, before.action))
            assert replace(back, log=now.log) == now
            assert {each.place for each in lost[0].impossible} - {there.place} == {*found[0].restored}


@untimed
@given(games, seeds)
def test_what_counts_after_amendments_is_a_legal_game(game: Game, random: Random) -> None:
    now = play(game, random, amending=True, ruling=True)
    assert bare(played_again(game, now.history)) == bare(now)


def played_again(now: Game, history: History) -> Game:
    """The actions that count, turn by turn, each begun by who began it; and an end where one was closed."""
    last = max((entry.turn for entry in history.entries), default=-1)
    for turn in range(last + 1):
        seat = history.seat_of(turn)
        if seat is not None and now.finished_turns == turn and not now.over:
            now = replace(now, turn=replace(now.turn, seat=seat))
        for entry in history.entries:
            if entry.turn == turn and entry.action and entry.place not in history.impossible_places:
                now, _ = apply(now, entry.action)
        if turn in history.closed:
            now, _ = apply(now, EndTurn())
    return now


@untimed
@given(games, seeds)
def test_a_correction_is_as_if_the_throw_had_been_read_right(game: Game, random: Random) -> None:
    now = play(game, random, steps=20)
    if now.over or not can(now, throw := Throw(tuple(random.choices(range(1, 7), k=now.turn.dice_left)))):
        return
    right = tuple(random.choices(range(1, 7), k=now.turn.dice_left))
    misread, _ = apply(now, throw)
    corrected, _ = apply(misread, Correct(right))
    assert bare(corrected) == bare(apply(now, Throw(right))[0])


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
