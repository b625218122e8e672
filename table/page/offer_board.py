"""The buttons of the play page: what can be chosen, a few at a time, and the four actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from nicegui import ui

from scoring.faces import spell_faces
from scoring.game import Game, Phase
from table.page.drawing import dice_svg
from table.page.offers import Offer, actions, choices
from table.page.words import Words
from table.state import TableState

PLACES = 6  # buttons for choices that fit without scrolling
FEW, WIDE = 4, 2  # up to so many buttons are higher, or as wide as there is room
MANY_FACES = 4


class OfferBoard:
    """Builds buttons; `tapped` is given the offer of one, `refresh` shows the page as things stand."""

    def __init__(self, tapped: Callable[[Offer], object], refresh: Callable[[], None]) -> None:
        self._tapped, self._refresh = tapped, refresh
        self.first = 0  # of the choices that are shown

    def tells_choices(self, state: TableState, words: Words, *, advice: bool) -> object:
        """Return all that `build_choices` shows, to compare."""
        turn = state.game.turn
        return choices(state, words, advice=advice), self.first, turn.phase, turn.points

    def build_choices(self, container: ui.element, state: TableState, words: Words, *, advice: bool) -> None:
        """Build in `container` what can be chosen now, or what the turn has brought while dice are thrown."""
        offers = choices(state, words, advice=advice)
        few = 0 < len(offers) <= FEW
        container.classes(add="few" if few else "", remove="" if few else "few")
        if not offers and state.game.turn.phase in (Phase.THROW, Phase.DECIDE):
            _turn_total(state.game, words.this_turn)
        elif len(offers) > PLACES:
            self._build_some(offers, words)
        else:
            for offer in offers:
                self._button(offer).classes("wide" if len(offers) <= WIDE else "")

    def build_actions(self, state: TableState, words: Words, *, advice: bool) -> None:
        """Build the four actions that are always there."""
        for offer in actions(state, words, advice=advice):
            self._button(offer).classes(f"action action-{offer.name}")

    def _build_some(self, offers: tuple[Offer, ...], words: Words) -> None:
        """Build as many as there is room for, and a button that leads to the others."""
        following = self.first + PLACES - 1
        for offer in offers[self.first : following]:
            self._button(offer)
        left = len(offers) - len(offers[self.first : following])
        first = following if following < len(offers) else 0
        _offer_button(Offer("more", words.more(left), None)).on_click(partial(self._turn_to, first))

    def _turn_to(self, first: int) -> None:
        self.first = first
        self._refresh()

    def _button(self, offer: Offer) -> ui.button:
        return _offer_button(offer).on_click(partial(self._tapped, offer))


def _turn_total(game: Game, below: str) -> None:
    with ui.element("div").classes("turn-total"):
        ui.label(str(game.turn.points)).classes("points")
        ui.label(below).classes("below")


def _offer_button(offer: Offer) -> ui.button:
    button = ui.button(color=None).props("flat").mark(offer.name)
    button.classes("offer" + (" best" if offer.best else ""))
    button.set_enabled(offer.enabled)
    if offer.faces:  # drawn: said to those who hear the page
        said = (spell_faces(offer.faces), offer.title, offer.note)
        button.props["aria-label"] = ", ".join(filter(None, said))
    with button:
        with ui.element("div").classes("head"):
            ui.label(offer.title).classes("title")
            if offer.faces:
                many = " many" if len(offer.faces) > MANY_FACES else ""
                ui.html(dice_svg(offer.faces), sanitize=False).classes(f"faces{many}")
        if offer.note:
            ui.label(offer.note).classes("note")
    return button
