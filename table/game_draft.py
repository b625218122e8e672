"""A game that is being set up: who plays, in which order, by which rules, and who begins. Frozen, pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.game import Game, new_game
from scoring.ruleset import Ruleset, load_preset
from scoring.ruleset_edits import differing, edited, named_after, nearest_preset
from scoring.starting import Starting, new_starting

FEWEST_PLAYERS, MOST_PLAYERS = 2, 10
LONGEST_NAME = 20  # letters that the tally has room for


class NameFault(StrEnum):
    """Why a name cannot be a player's."""

    EMPTY = "empty"
    TAKEN = "taken"
    TOO_LONG = "too_long"
    UNPRINTABLE = "unprintable"


@dataclass(frozen=True, slots=True)
class GameDraft:
    """What is chosen so far.

    `players` in playing order; `preset`: the rules that `rules` were changed from; `starting`: where the
    throwing for who begins stands, None: the first of `players` begins. It starts anew when they change.
    """

    players: tuple[str, ...]
    preset: str
    rules: Ruleset
    starting: Starting | None = None

    @property
    def changed(self) -> tuple[str, ...]:
        """Keys of the fields that differ from the preset's."""
        return differing(self.rules, load_preset(self.preset))

    @property
    def ready(self) -> bool:
        """Whether a game can begin: enough players, and known who begins."""
        decided = self.starting is None or self.starting.first_seat is not None
        return FEWEST_PLAYERS <= len(self.players) <= MOST_PLAYERS and decided

    @property
    def first_seat(self) -> int:
        """Who begins, as far as it is known."""
        thrown = None if self.starting is None else self.starting.first_seat
        return 0 if thrown is None else thrown

    def game(self) -> Game:
        """Return the game that begins; raises GameError unless `ready`."""
        return new_game(named_after(self.rules, self.preset), self.players, self.first_seat)

    def fault_of(self, name: str, seat: int | None = None) -> NameFault | None:
        """Return why `name` cannot be that of `seat`, or of one more player; None when it can."""
        trimmed = name.strip()
        others = [each.casefold() for place, each in enumerate(self.players) if place != seat]
        faults = {
            NameFault.EMPTY: not trimmed,
            NameFault.TOO_LONG: len(trimmed) > LONGEST_NAME,
            NameFault.UNPRINTABLE: not trimmed.isprintable(),
            NameFault.TAKEN: trimmed.casefold() in others,
        }
        return next((fault for fault, found in faults.items() if found), None)

    def with_player(self, name: str) -> GameDraft:
        """Return it with one more player, last; as it is where the name cannot be or the table is full."""
        if self.fault_of(name) is not None or len(self.players) >= MOST_PLAYERS:
            return self
        return self._of((*self.players, name.strip()))

    def renamed(self, seat: int, name: str) -> GameDraft:
        """Return it with another name for the player at `seat`; as it is where the name cannot be."""
        if self.fault_of(name, seat) is not None:
            return self
        return self._of((*self.players[:seat], name.strip(), *self.players[seat + 1 :]))

    def without_player(self, seat: int) -> GameDraft:
        """Return it without the player at `seat`."""
        return self._of((*self.players[:seat], *self.players[seat + 1 :]))

    def moved(self, seat: int, by: int) -> GameDraft:
        """Return it with the player at `seat` moved `by` places, as far as there are any."""
        order = list(self.players)
        order.insert(max(0, seat + by), order.pop(seat))
        return self._of(tuple(order))

    def by_preset(self, preset: str) -> GameDraft:
        """Return it by the rules of `preset`, unchanged."""
        return replace(self, preset=preset, rules=load_preset(preset))

    def by_rule(self, key: str, value: object) -> GameDraft:
        """Return it with one field of the rules changed; what clashes then gives way, as in `edited`."""
        return replace(self, rules=edited(self.rules, key, value))

    def by_preset_rule(self, key: str) -> GameDraft:
        """Return it with one field of the rules as the preset has it, as far as the others let it."""
        return self.by_rule(key, getattr(load_preset(self.preset), key))

    def in_order(self) -> GameDraft:
        """Return it with the first of the players beginning."""
        return replace(self, starting=None)

    def throwing(self) -> GameDraft:
        """Return it with the players about to throw one die each; raises GameError for too few players."""
        return replace(self, starting=new_starting(self.players))

    def thrown(self, face: int) -> GameDraft:
        """Return it after the next player's throw of one die; as it is when none is to be thrown."""
        if self.starting is None or self.starting.next_seat is None:
            return self
        return replace(self, starting=self.starting.throw(face))

    def throw_taken_back(self) -> GameDraft:
        """Return it before the latest throw for who begins; as it is before the first."""
        if self.starting is None or not self.starting.throws:
            return self
        return replace(self, starting=self.starting.undo())

    def _of(self, players: tuple[str, ...]) -> GameDraft:
        again = None if self.starting is None or len(players) < FEWEST_PLAYERS else new_starting(players)
        return replace(self, players=players, starting=again)


def draft_like(game: Game, *, players: bool = True) -> GameDraft:
    """Return the draft of a game like `game`, without its `players` where they are not wanted."""
    return GameDraft(game.players if players else (), nearest_preset(game.ruleset), game.ruleset)
