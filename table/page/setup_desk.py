"""What the parts of the set-up page share: the draft of the next game, which all screens see, and buttons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nicegui import ui

from table.game_arguments import DEFAULT_PLAYERS
from table.game_draft import GameDraft, draft_like
from table.page.gate import may_touch
from table.page.rule_words import RuleWords
from table.page.session import TableSession
from table.page.setup_words import SetupWords


class Desk:
    """`refresh` shows the page as things stand; `pads`: where pads lie that outlive a refresh."""

    def __init__(self, session: TableSession, refresh: Callable[[], None]) -> None:
        self.session, self.refresh = session, refresh
        self.words = SetupWords(session.words.language)
        self.rule_words = RuleWords(session.words.language)
        self.pads = ui.element("div")

    @property
    def draft(self) -> GameDraft:
        """The draft as it stands; the first to look begins one like the game at the table."""
        session = self.session
        if session.draft is None:
            game = session.state.game
            nobody = session.unchosen and ",".join(game.players) == DEFAULT_PLAYERS
            session.draft = draft_like(game, players=not nobody)
        return session.draft

    def change(self, draft: GameDraft) -> None:
        """Take `draft` for the one that stands, unless whoever tapped may not."""
        self.do(lambda: setattr(self.session, "draft", draft))

    def do(self, work: Callable[[], object]) -> None:
        """Do what was tapped, unless whoever tapped may not, and show what came of it."""
        if may_touch(self.session):
            work()
            self.refresh()


@dataclass(frozen=True, slots=True)
class Look:
    """How a button looks: `kind` a class of the style sheet; `icon` in the place of its text."""

    kind: str = ""
    icon: str = ""
    note: str = ""
    chosen: bool = False
    enabled: bool = True


def tile(text: str, name: str, tapped: Callable[[], object], look: Look | None = None) -> ui.button:
    """Build a button that says `text`, or is called so."""
    look = look or Look()
    button = ui.button(color=None, on_click=tapped).props("flat").classes(f"offer {look.kind}").mark(name)
    button.classes("best" if look.chosen else "").props["aria-pressed"] = str(look.chosen).lower()
    button.set_enabled(look.enabled)
    with button:
        if look.icon:
            ui.icon(look.icon).classes("tile-icon")
            button.props["aria-label"] = text
        else:
            ui.label(text).classes("title")
        if look.note:
            ui.label(look.note).classes("note")
    return button


def heading(text: str) -> None:
    """Build a small heading."""
    ui.label(text).classes("setup-heading").props("role=heading aria-level=2")
