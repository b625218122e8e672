"""What is said of a game: every event as a short line for the ear and a longer one for the eye.

Aloud only what is new is said: not the dice that a player has just named by touch, not the turn when it has
not changed, not what the next event of the same action says anyway.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import reduce
from gettext import NullTranslations
from typing import Any

from scoring.actions import CountAs, Knock, Throw
from scoring.events import (
    Amended,
    Banked,
    Bust,
    Corrected,
    Event,
    GameOver,
    Misrolled,
    Option,
    Options,
    PlayerIn,
    PlayerJoined,
    PlayerOut,
    Relief,
    Ruled,
    SetAsideMade,
    TargetPassed,
    TotalRuled,
    TurnEnded,
    TurnRuled,
    TurnStarted,
)
from scoring.faces import ALL_DICE, Faces, spell_faces
from scoring.languages import Language
from scoring.phrases import (
    Wording,
    action_in_words,
    capitalised,
    counted_dice,
    dice,
    is_nothing_on_six,
    misroll_reasons,
    obstacle,
    the_die,
)

MOST_SPOKEN = 3  # set-asides of one throw


@dataclass(frozen=True, slots=True)
class Line:
    """What to say: `spoken` aloud, numbers in words, empty when there is nothing new; `screen` to be read."""

    spoken: str
    screen: str


def announce(event: Event, language: Language) -> Line:
    """Return what to say of one event that came alone."""
    return announce_all((event,), language)


def announce_all(events: Iterable[Event], language: Language, turn_of: str | None = None) -> Line:
    """Return what to say of all that came of one action: `spoken` in one breath, `screen` a line an event.

    `turn_of`: whose turn was told last, so that it is not told again; None when none was.
    """
    told = tuple(events)
    scenes = (_Scene(language, told[place + 1 :], turn_of) for place in range(len(told)))
    lines = [_TELLERS[type(event)](event, scene) for event, scene in zip(told, scenes, strict=True)]
    spoken = " ".join(line.spoken for line in lines if line.spoken)
    return Line(spoken, "\n".join(line.screen for line in lines))


def worth_hearing(set_asides: Iterable[Option]) -> tuple[Option, ...]:
    """Return the set-asides that no other beats in points and dice left alike, best points first.

    One that cannot be banked beats none that can. Those that pass the target are left out unless all do.
    """
    offered = tuple(set_asides)
    usable = [each for each in offered if not each.passes_target] or offered
    worth: list[Option] = []
    for option in sorted(usable, key=lambda each: (-each.points, -each.dice_left, not each.may_bank)):
        if not any(_beats(other, option) for other in worth):
            worth.append(option)
    return tuple(worth)


def _beats(one: Option, other: Option) -> bool:
    more = one.points >= other.points and one.dice_left >= other.dice_left
    return more and (one.may_bank or not other.may_bank)


@dataclass(frozen=True, slots=True)
class _Scene:
    """Where an event is told: the language, what comes `after` it in the same breath, whose turn was told."""

    language: Language
    after: tuple[Event, ...]
    turn_of: str | None

    @property
    def aloud(self) -> Wording:
        return Wording(self.language, aloud=True)

    @property
    def shown(self) -> Wording:
        return Wording(self.language, aloud=False)

    @property
    def messages(self) -> NullTranslations:
        return self.aloud.messages

    def leads_to(self, *kinds: type[Event]) -> bool:
        return any(isinstance(event, kinds) for event in self.after)


def _filled(message: str, event: Event, wording: Wording, **others: str) -> str:
    """Put `event`'s numbers and names, and `others`, into `message`."""
    values = {field.name: getattr(event, field.name) for field in fields(event)}
    said = {name: wording.number(value) if type(value) is int else value for name, value in values.items()}
    return message.format(**{**said, **others})


def _turn_started(event: TurnStarted, scene: _Scene) -> Line:
    pgettext = scene.messages.pgettext
    spoken = _filled(pgettext("spoken", "Your turn, {player}."), event, scene.aloud)
    screen = _filled(pgettext("screen", "{player}'s turn"), event, scene.shown)
    return Line("" if event.player == scene.turn_of else spoken, screen)


def _misrolled(event: Misrolled, scene: _Scene) -> Line:
    pgettext = scene.messages.pgettext
    spoken, screen = f"{_misroll(event, scene.aloud)}.", _misroll(event, scene.shown)
    if event.relief is not None:
        spoken += " " + pgettext("spoken", "One knock on the table may save it.")
        screen += "; " + pgettext("screen", "one knock on the table may save it")
    elif not event.bust:
        spoken += " " + pgettext("spoken", "Throw again.")
        screen += "; " + pgettext("screen", "throw again")
    return Line(spoken, screen)


def _misroll(event: Misrolled, wording: Wording) -> str:
    misroll = wording.messages.pgettext("misroll", "Misroll")
    return f"{misroll}: {misroll_reasons(event.reasons, wording)}" if event.reasons else misroll


def _options(event: Options, scene: _Scene) -> Line:
    scoring = reduce(operator.or_, (Counter(option.faces) for option in event.set_asides))
    spoken = f"{capitalised(dice(scoring.elements(), scene.aloud))}: {_offers_aloud(event, scene.aloud)}."
    offers = scene.shown.one_of([_offer(option, scene.shown) for option in event.set_asides])
    screen = scene.messages.pgettext("screen", "{throw}: set aside {offers}")
    return Line(spoken, screen.format(throw=spell_faces(event.faces), offers=offers))


def _offers_aloud(event: Options, wording: Wording) -> str:
    """Say the points on offer, best first."""
    if all(option.passes_target for option in event.set_asides):
        return wording.messages.pgettext("spoken", "past the target")
    ways = Counter(option.points for option in event.set_asides)
    heard = worth_hearing(event.set_asides)[:MOST_SPOKEN]
    return wording.one_of([_offer_aloud(each, ways[each.points], wording) for each in heard])


def _offer_aloud(option: Option, ways: int, wording: Wording) -> str:
    """Say the points, and with which dice where there are more `ways` to get as many and it stays short."""
    words = "{points}"
    if ways > 1 and len(set(option.faces)) == 1:
        words = wording.messages.pgettext("spoken", "{points} with {dice}")
    return words.format(points=wording.number(option.points), dice=dice(option.faces, wording))


def _offer(option: Option, wording: Wording) -> str:
    pgettext = wording.messages.pgettext
    words = pgettext("screen", "{faces} = {points} ({count} left, bust {percent}%)")
    if option.passes_target:
        words = pgettext("screen", "{faces} = {points} (past the target)")
    elif option.dice_left == ALL_DICE:
        words = pgettext("screen", "{faces} = {points} (six new dice, bust {percent}%)")
    return words.format(
        faces=spell_faces(option.faces),
        points=wording.number(option.points),
        count=option.dice_left,
        percent=round(100 * option.bust_probability),
    )


def _set_aside(event: SetAsideMade, scene: _Scene) -> Line:
    return Line(_set_aside_aloud(event, scene), _set_aside_shown(event, scene.shown))


def _set_aside_aloud(event: SetAsideMade, scene: _Scene) -> str:
    """Say the turn's points and, unless the player has thrown on, hot dice and what keeps from banking."""
    if scene.leads_to(Bust, TargetPassed):  # which tell what became of the points
        return ""
    thrown_on = bool(scene.after)
    hot = _six_new_dice(event, scene.messages) if event.hot_dice and not thrown_on else ""
    parts = [
        _seen_set_aside(event, scene.aloud, told=bool(hot)) if event.source == "seen" else "",
        scene.aloud.number(event.turn_points),
        *(obstacle(each, scene.aloud) for each in event.bank_obstacles if not thrown_on),
    ]
    return f"{hot} {capitalised(', '.join(filter(None, parts)))}.".strip()


def _six_new_dice(event: SetAsideMade, messages: NullTranslations) -> str:
    if is_nothing_on_six(event.faces):
        return messages.pgettext("spoken", "Nothing, so all six again!")
    return messages.pgettext("spoken", "Hot dice!")


def _seen_set_aside(event: SetAsideMade, wording: Wording, *, told: bool) -> str:
    """Name the dice; nobody sets aside nothing, and nothing need not be said twice."""
    if is_nothing_on_six(event.faces):
        return "" if told else dice(event.faces, wording)
    return wording.messages.pgettext("spoken", "{dice} set aside").format(dice=dice(event.faces, wording))


def _set_aside_shown(event: SetAsideMade, wording: Wording) -> str:
    pgettext, npgettext = wording.messages.pgettext, wording.messages.npgettext
    parts = [
        pgettext("screen", "Set aside {faces} for {points}: {turn_points} this turn"),
        pgettext("screen", "six new dice")
        if event.hot_dice
        else npgettext("screen", "one die left", "{dice_left} dice left", event.dice_left),
    ]
    filled = _filled(", ".join(parts), event, wording, faces=spell_faces(event.faces))
    return ", ".join([filled, *(obstacle(each, wording) for each in event.bank_obstacles)])


def _bust(event: Bust, scene: _Scene) -> Line:
    pgettext = scene.messages.pgettext
    if event.lost:
        spoken = pgettext("spoken", "Bust, {lost} lost.")
        screen = pgettext("screen", "Bust: {player} loses {lost}")
    else:
        spoken = pgettext("spoken", "Bust.")
        screen = pgettext("screen", "Bust: {player} loses nothing")
    if event.penalty:
        spoken += " " + pgettext("spoken", "Third in a row: minus {penalty}, {total} in all.")
        screen += ", " + pgettext("screen", "minus {penalty} for the third in a row")
    screen += ", " + pgettext("screen", "{total} in all")
    return Line(_filled(spoken, event, scene.aloud), _filled(screen, event, scene.shown))


def _relief(event: Relief, scene: _Scene) -> Line:
    pgettext = scene.messages.pgettext
    spoken = pgettext("spoken", "Nothing, but you may throw again.")
    screen = pgettext("screen", "Nothing in the first throw: {player} may throw again")
    return Line(spoken, _filled(screen, event, scene.shown))


def _target_passed(event: TargetPassed, scene: _Scene) -> Line:
    pgettext = scene.messages.pgettext
    spoken = pgettext("spoken", "Past the target, no points.")
    screen = pgettext("screen", "{points} would pass the target: no points for {player}, {total} in all")
    return Line(spoken, _filled(screen, event, scene.shown))


def _banked(event: Banked, scene: _Scene) -> Line:
    pgettext = scene.messages.pgettext
    if event.opened:
        spoken = pgettext("spoken", "Opened, {total} in all.")
        screen = pgettext("screen", "{player} opens with {points}, {total} in all")
    else:
        spoken = pgettext("spoken", "Banked, {total} in all.")
        screen = pgettext("screen", "{player} banks {points}, {total} in all")
    if event.final_round:
        spoken += " " + pgettext("spoken", "Final round!")
        screen += "; " + pgettext("screen", "final round for the others")
    wins = any(isinstance(then, GameOver) and event.player in then.winners for then in scene.after)
    return Line("" if wins else _filled(spoken, event, scene.aloud), _filled(screen, event, scene.shown))


def _turn_ended(event: TurnEnded, scene: _Scene) -> Line:
    pgettext = scene.messages.pgettext
    screen = pgettext("screen", "{player}'s turn ends without points, {total} in all")
    return Line(pgettext("spoken", "The turn ends without points."), _filled(screen, event, scene.shown))


def _ruled(event: Ruled, scene: _Scene) -> Line:
    pgettext = scene.messages.pgettext
    spoken = pgettext("spoken", "Ruled: {ruled}.")
    screen = pgettext("screen", "Ruled by a person: the throw counts as {faces}, with {ruled}")
    ruled = counted_dice(Counter(event.ruled), scene.shown)
    return Line(
        spoken.format(ruled=counted_dice(Counter(event.ruled), scene.aloud)),
        screen.format(faces=spell_faces(event.faces), ruled=ruled),
    )


def _turn_ruled(event: TurnRuled, scene: _Scene) -> Line:
    pgettext = scene.messages.pgettext
    screen = pgettext("screen", "Correction: the turn is {player}'s, and not {turn_was_of}'s")
    return Line(pgettext("spoken", "Correction."), _filled(screen, event, scene.shown))


def _total_ruled(event: TotalRuled, scene: _Scene) -> Line:
    pgettext = scene.messages.pgettext
    spoken = pgettext("spoken", "Correction, {player}: {total} in all.")
    screen = pgettext("screen", "Correction: {player} has {total} in all, had {total_was}")
    return Line(_filled(spoken, event, scene.aloud), _filled(screen, event, scene.shown))


def _player_out(event: PlayerOut, scene: _Scene) -> Line:
    pgettext = scene.messages.pgettext
    spoken = pgettext("spoken", "{player} plays no further.")
    screen = pgettext("screen", "{player} plays no further, {total} in all")
    return Line(_filled(spoken, event, scene.aloud), _filled(screen, event, scene.shown))


def _player_in(event: PlayerIn, scene: _Scene) -> Line:
    pgettext = scene.messages.pgettext
    spoken = pgettext("spoken", "{player} plays again, {total} in all.")
    screen = pgettext("screen", "{player} plays again, {total} in all")
    return Line(_filled(spoken, event, scene.aloud), _filled(screen, event, scene.shown))


def _player_joined(event: PlayerJoined, scene: _Scene) -> Line:
    pgettext = scene.messages.pgettext
    spoken = pgettext("spoken", "{player} joins the game.")
    screen = pgettext("screen", "{player} joins the game")
    return Line(_filled(spoken, event, scene.aloud), _filled(screen, event, scene.shown))


def _corrected(event: Corrected, scene: _Scene) -> Line:
    pgettext = scene.messages.pgettext
    screen = pgettext("screen", "Correction: the throw shows {faces}, was read as {was}")
    shown = {"faces": spell_faces(event.faces), "was": spell_faces(event.was)}
    change = _dice_amended(event.was, event.faces, scene.aloud)
    if scene.turn_of in (None, event.player):
        spoken = pgettext("spoken", "Correction: {change}.")
    else:  # the turn had passed on
        spoken = pgettext("spoken", "Correction, {player}: {change}.")
    return Line(
        _filled(spoken, event, scene.aloud, change=change) if change else "",
        _filled(screen, event, scene.shown, **shown),
    )


def _dice_amended(was: Faces, now: Faces, wording: Wording) -> str:
    """Name the dice that are not what they were read as; empty when there are none."""
    come, gone = Counter(now) - Counter(was), Counter(was) - Counter(now)
    if not come:
        return ""
    if (come.total(), gone.total()) != (1, 1):
        return counted_dice(come, wording)
    words = wording.messages.pgettext("spoken", "{die} is {dice}")
    return words.format(die=the_die(next(iter(gone)), wording.messages), dice=counted_dice(come, wording))


def _amended(event: Amended, scene: _Scene) -> Line:
    return Line(_amended_aloud(event, scene.aloud), _amended_shown(event, scene.shown))


def _amended_aloud(event: Amended, wording: Wording) -> str:
    messages, lost, change = wording.messages, len(event.impossible), ""
    match event.was, event.now:
        case (
            Throw(was) | CountAs(was) | Knock(tuple(was)),
            Throw(now) | CountAs(now) | Knock(tuple(now)),
        ):
            change = _dice_amended(was, now, wording)
    spoken = messages.pgettext("spoken", "Correction, {player}: {change}, {total} in all.")
    no_more = messages.npgettext(
        "spoken", "One action no longer counts.", "{lost} actions no longer count.", lost
    )
    return (f"{spoken} {no_more}" if lost else spoken).format(
        player=event.player,
        change=change or action_in_words(event.now, wording),
        total=wording.number(event.totals[event.player]),
        lost=wording.number(lost),
    )


def _amended_shown(event: Amended, wording: Wording) -> str:
    pgettext = wording.messages.pgettext
    lost = [f"{each.player}, {action_in_words(each.action, wording)}" for each in event.impossible]
    parts = [
        pgettext("screen", "Correction, {player}: {now}, was {was}"),
        pgettext("screen", "no longer counts: {lost}") if lost else "",
        pgettext("screen", "counts again: {restored}") if event.restored else "",
        pgettext("screen", "turn ended with 0: {closed}") if event.closed else "",
        "{totals}",
    ]
    return "; ".join(filter(None, parts)).format(
        player=event.player,
        now=action_in_words(event.now, wording),
        was=action_in_words(event.was, wording),
        lost=wording.all_of(lost),
        restored=len(event.restored),
        closed=wording.all_of(event.closed),
        totals=_totals(event.totals, wording),
    )


def _totals(totals: Mapping[str, int], wording: Wording) -> str:
    return "; ".join(f"{name} {wording.number(total)}" for name, total in totals.items())


def _game_over(event: GameOver, scene: _Scene) -> Line:
    pgettext = scene.messages.pgettext
    if len(event.winners) == 1:
        spoken = pgettext("spoken", "{winners} wins with {total}!")
        screen = pgettext("screen", "{winners} wins: {totals}")
    else:
        two = pgettext("spoken of two", "{winners} share the win, {total} each!")
        more = pgettext("spoken of three or more", "{winners} share the win, {total} each!")
        spoken = two if len(event.winners) == 2 else more
        screen = pgettext("screen", "{winners} share the win: {totals}")
    winners = scene.aloud.all_of(event.winners)
    most = scene.aloud.number(event.totals[event.winners[0]])
    totals = _totals(event.totals, scene.shown)
    return Line(spoken.format(winners=winners, total=most), screen.format(winners=winners, totals=totals))


_TELLERS: dict[type[Event], Callable[[Any, _Scene], Line]] = {
    TurnStarted: _turn_started,
    Misrolled: _misrolled,
    Options: _options,
    SetAsideMade: _set_aside,
    Bust: _bust,
    Relief: _relief,
    TargetPassed: _target_passed,
    Banked: _banked,
    TurnEnded: _turn_ended,
    Ruled: _ruled,
    TurnRuled: _turn_ruled,
    TotalRuled: _total_ruled,
    PlayerOut: _player_out,
    PlayerIn: _player_in,
    PlayerJoined: _player_joined,
    Corrected: _corrected,
    Amended: _amended,
    GameOver: _game_over,
}
