"""A person overrules the referee on the page, in two taps at most: the pads of dice, players and turns."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from nicegui.testing import User

from scoring.actions import Bank, PutAside
from table.touches import Play
from tests.table.browsing import SIX, Table, act, closed
from tests.table.staging import TILTED, Hand, Still, dice, frames
from vision.opencv import cv2


def test_a_leaning_die_counts_as_what_it_would_have_been_in_two_taps() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(dice(1, 1, TILTED, 3, 2, 6))
        await user.should_see("Misroll: a die leans")
        await user.should_see("Ada, throw 6 dice")
        await user.should_not_see("Count it anyway")
        user.find(marker="die-2").click()
        await user.should_see("It leans. What would it have been?")
        user.find(marker="face-5").click()
        await user.should_see(marker="set-aside-1-1-5")
        await user.should_see("Ruled by a person: the throw counts as 1-1-2-3-5-6, with a five")

    act(Table(), scene)


def test_a_die_is_said_to_lean_and_to_lie_flat_after_all_in_two_taps_each() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(SIX)
        await user.should_see("Valid throw")
        for lies, told in (("tilted", "Misroll: a die leans"), ("flat", "Valid throw")):
            closed(user)
            user.find(marker="die-2").click()
            await user.should_see(marker=f"lies-{lies}")
            user.find(marker=f"lies-{lies}").click()
            await user.should_see(told)
        await user.should_see(marker="set-aside-1-1-5")

    act(Table(), scene)


@pytest.mark.parametrize("by", ["picture", "add-die"])
def test_a_die_that_was_not_seen_is_added_in_two_taps(by: str) -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(dice(1, 1, 5, 3, 2))
        await user.should_see(marker="add-die")
        if by == "picture":
            tap = {"mouse_event_type": "click", "image_x": 260, "image_y": 100}
            user.find(marker="picture").trigger("mouse", tap)
        else:
            user.find(marker="add-die").click()
        await user.should_see("A die that was not seen: what does it show?")
        user.find(marker="face-6").click()
        await user.should_see(marker="set-aside-1-1-5")
        assert table.session.state.lying.added_px == ((260.0, 100.0) if by == "picture" else None,)

    act(Table(), scene)


def test_the_pad_shows_the_die_as_it_was_judged() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(SIX)
        table.show(frames(Hand({}), Still({})))  # the dice are gone, their picture is not
        await user.should_see("Valid throw")
        user.find(marker="die-2").click()
        await user.should_see("What does this die show?")
        (image,) = [each for each in user.current_layout.descendants() if "die-picture" in each.classes]
        response = await user.http_client.get(image.props["src"])
        shown = cv2.imdecode(np.frombuffer(response.content, np.uint8), cv2.IMREAD_GRAYSCALE)
        assert abs(int(shown[180, 180]) - 200) < 12  # the grey of a five on the make-believe table
        assert (await user.http_client.get("/die.jpg?x=9999&y=5&side=40")).status_code == 204

    act(Table(recorded=True), scene)


def test_a_players_pad_rules_on_the_turn_the_total_and_who_plays() -> None:
    async def scene(table: Table, user: User) -> None:
        closed(user)
        user.find(marker="player-1").click()
        await user.should_see("It is the turn of Bo")
        user.find(marker="turn-to").click()
        await user.should_see("Bo, throw 6 dice")
        await user.should_see("Correction: the turn is Bo's, and not Ada's")
        closed(user)
        user.find(marker="player-1").click()
        await user.should_see(marker="correct-total")
        user.find(marker="correct-total").click()
        for key in ("key-1", "key-2", "key-00", "set"):
            await user.should_see(marker=key)
            user.find(marker=key).click()
        await user.should_see("Correction: Bo has 1,200 in all, had 0")
        closed(user)
        user.find(marker="player-1").click()
        await user.should_see(marker="take_out")
        user.find(marker="take_out").click()
        await user.should_see("Bo plays no further, 1,200 in all")
        await user.should_see("Ada, throw 6 dice")
        for _ in range(3):
            user.find(marker="undo").click()
            await asyncio.sleep(0.2)
        assert table.session.state.game.log == ()

    act(Table(), scene)


def test_a_banking_of_a_turn_before_is_put_right_from_the_menu() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(SIX)
        table.loop.touch(Play(PutAside((1, 1, 5))))
        table.loop.touch(Play(Bank()))
        await user.should_see("Bo, throw 6 dice")
        user.find(marker="menu").click()
        await user.should_see(marker="turns")
        user.find(marker="turns").click()
        await user.should_see("Ada: Banked")
        user.find(marker="done-2").click()
        await user.should_see(marker="other-points")
        user.find(marker="other-points").click()
        for key in ("key-3", "key-00", "set"):
            await user.should_see(marker=key)
            user.find(marker=key).click()
        await user.should_see("Correction, Ada: turn ended with 300, was banked")
        assert table.session.state.game.totals == {"Ada": 300, "Bo": 0}

    act(Table(opening="0"), scene)
