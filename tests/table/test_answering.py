"""How many taps it takes to answer what the referee is not sure of: each test makes as few as it may take."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from nicegui.testing import User

from table.events import Wait, WaitKind
from table.state import LyingThrow
from tests.table.browsing import Table, act
from tests.table.staging import Hand, Still, dice, frames
from vision.domain import DieReading, DieState, Reason, ReasonKind, Ruling, Verdict

FACES = (1, 1, 5, 3, 2, 6)


def reading(face: int, rival: int | None = None) -> DieReading:
    return DieReading(face, 0.6, (50.0, 50.0), np.zeros((4, 2)), DieState.UNSURE, rival=rival)


def unsure(table: Table, kind: ReasonKind, die: int | None, *faces: int, rival: int | None = None) -> None:
    """Let a throw lie of which the referee is not sure, by one reason."""
    read = tuple(reading(face, rival if place == die else None) for place, face in enumerate(faces))
    verdict = Verdict(Ruling.UNSURE, (Reason(kind, die, "dim"),), read)
    state = table.loop.state
    table.loop.state = replace(
        state, lying=LyingThrow(faces, verdict), wait=Wait(WaitKind.UNSURE, "dim"), version=state.version + 1
    )


def counted(table: Table) -> tuple[int, ...] | None:
    return table.session.state.game.turn.faces


def test_a_die_between_two_faces_takes_one_tap_for_either() -> None:
    async def scene(table: Table, user: User) -> None:
        unsure(table, ReasonKind.DISAGREE, 2, *FACES, rival=4)
        await user.should_see("with a 4, not a 5")
        user.find(marker="instead-4").click()
        await user.should_see(marker="set-aside-1-1")
        assert counted(table) == (1, 1, 2, 3, 4, 6)
        user.find(marker="undo").click()
        user.find(marker="undo").click()
        await user.should_see(marker="instead-4")
        user.find(marker="confirm").click()
        await user.should_see(marker="set-aside-1-1-5")

    act(Table(), scene)


def test_a_die_without_a_face_takes_two_taps() -> None:
    async def scene(table: Table, user: User) -> None:
        unsure(table, ReasonKind.DISAGREE, 2, *FACES, rival=4)
        await user.should_see("Not sure")
        user.find(marker="die-2").click()
        user.find(marker="face-6").click()
        await user.should_see(marker="set-aside-1-1")
        assert counted(table) == (1, 1, 2, 3, 6, 6)

    act(Table(), scene)


def test_saying_that_a_die_shows_what_was_read_counts_the_throw() -> None:
    async def scene(table: Table, user: User) -> None:
        unsure(table, ReasonKind.UNCERTAIN, 2, *FACES)
        await user.should_see("Not sure")
        user.find(marker="die-2").click()
        user.find(marker="face-5").click()
        await user.should_see(marker="set-aside-1-1-5")

    act(Table(), scene)


def test_a_die_that_perhaps_leans_takes_one_tap_to_lie_flat_and_one_for_a_misroll() -> None:
    async def scene(table: Table, user: User) -> None:
        unsure(table, ReasonKind.UNCERTAIN, 2, *FACES)
        await user.should_see(marker="confirm")
        user.find(marker="confirm").click()
        await user.should_see(marker="set-aside-1-1-5")
        user.find(marker="undo").click()
        await user.should_see(marker="confirm")
        user.find(marker="misroll").click()
        await user.should_see("Ada, throw 6 dice")
        assert [action.kind for action in table.session.state.game.log] == ["misroll"]

    act(Table(), scene)


def test_a_die_too_many_takes_two_taps() -> None:
    async def scene(table: Table, user: User) -> None:
        unsure(table, ReasonKind.EXTRA, None, *FACES, 4)
        await user.should_see("Not sure")
        user.find(marker="die-6").click()
        user.find(marker="no-die").click()
        await user.should_see(marker="set-aside-1-1-5")

    act(Table(), scene)


def test_what_was_set_aside_takes_one_tap() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(dice(1, 1, 5, 3, 2, 6))
        table.show(frames(Hand({}), Still({}), Hand({}), Still(dice(1, 3, 4, 4, first_cell=9))))
        await user.should_see("What was set aside?")
        user.find(marker="set-aside-1-1").click()
        await user.should_not_see("What was set aside?")
        assert [action.kind for action in table.session.state.game.log] == ["throw", "set_aside", "throw"]

    act(Table(), scene)
