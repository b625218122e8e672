"""The page of the rules: those of the game that is played, in every language."""

from __future__ import annotations

import pytest
from nicegui.testing import User

from scoring.game import new_game
from scoring.languages import Language
from scoring.ruleset import load_preset, with_overrides
from table.loop import TableLoop
from table.page import rules
from table.page.listeners import Listeners
from table.page.session import TableSession
from table.throw_watch import ThrowWatch
from table.touches import BeginGame
from tests.table.browsing import browse

PLAYERS = ("Ada", "Bo")


def session_of(language: Language = Language.ENGLISH) -> TableSession:
    loop = TableLoop(new_game(load_preset("danish"), PLAYERS), ThrowWatch())
    loop.begin()
    return TableSession(loop, Listeners(lambda _: None), language=language)


def row(user: User, marker: str) -> list[str]:
    element = next(iter(user.find(marker=marker).elements))
    return [text for each in element.descendants() if (text := getattr(each, "text", ""))]


def test_the_rules_follow_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "REFRESH_S", 0.02)
    session = session_of()

    async def scene(user: User) -> None:
        await user.should_see("Danish rules")
        assert row(user, "alike-1") == ["100", "1,000", "2,000", "3,000", "4,000"]
        assert row(user, "alike-6") == ["–", "600", "1,200", "1,800", "2,400"]
        await user.should_see("takes 750 points in one turn")
        changed = with_overrides(load_preset("danish"), {"opening": "500", "straight": "0"})
        session.touch(BeginGame(new_game(changed, PLAYERS)), session.state.version)
        await user.should_see("takes 500 points in one turn")
        await user.should_not_see(marker="straight")

    browse(session, "/rules", scene)


@pytest.mark.parametrize("language", Language)
def test_every_language_has_the_rules(language: Language) -> None:
    async def scene(user: User) -> None:
        await user.should_see(marker="three_pairs")
        assert row(user, "three_pairs")[-1] in ("1,000", "1.000", "1\u00a0000")

    browse(session_of(language), "/rules", scene)
