"""The part of the set-up page that says who plays, in which order and colour, and who begins."""

from __future__ import annotations

from functools import partial

from nicegui import ui

from scoring.starting import Starting
from table.game_draft import FEWEST_PLAYERS, MOST_PLAYERS, GameDraft
from table.page.colours import COLOURS, colours_of, next_free
from table.page.dialogs import faces_grid
from table.page.drawing import die_svg
from table.page.name_pad import ask_for_name
from table.page.setup_desk import Desk, Look, heading, tile

MOST_KNOWN = 12  # names that are offered


def build_players(desk: Desk) -> None:
    """Build the list of players, and beside it who else may play, or the throwing for who begins."""
    draft = desk.draft
    with ui.element("div").classes("setup-columns"):
        with ui.element("div").classes("seats"):
            colours = colours_of(draft.players, desk.session.preferences.now.colours)
            for seat, colour in enumerate(colours):
                _build_seat(desk, draft, seat, colour)
            if not draft.players:
                ui.label(desk.words.nobody_yet).classes("setup-text")
        with ui.element("div").classes("setup-beside"):
            if len(draft.players) >= FEWEST_PLAYERS:
                _build_who_begins(desk, draft)
            if draft.starting is None:
                _build_newcomers(desk, draft)


def _build_seat(desk: Desk, draft: GameDraft, seat: int, colour: int) -> None:
    name, words, last = draft.players[seat], desk.words, len(draft.players) - 1
    begins = draft.ready and seat == draft.first_seat
    with ui.element("div").classes("seat" + (" begins" if begins else "")).mark(f"seat-{seat}"):
        dot = tile(
            words.recolour(name),
            f"colour-{seat}",
            partial(_recolour, desk, seat),
            Look(icon="circle", kind="bare"),
        )
        dot.style(f"--colour: {COLOURS[colour]}").classes("dot")
        named = tile(name, f"name-{seat}", partial(_rename, desk, seat), Look(kind="bare seat-name"))
        named.props["aria-label"] = words.rename(name)
        if draft.starting is not None:
            _build_thrown(draft.starting, seat)
            return
        for label, way, by, end in (
            (words.move_up(name), "up", -1, 0),
            (words.move_down(name), "down", 1, last),
        ):
            move = partial(desk.change, draft.moved(seat, by))
            tile(
                label, f"{way}-{seat}", move, Look(icon=f"arrow_{way}ward", kind="bare", enabled=seat != end)
            )
        away = partial(desk.change, draft.without_player(seat))
        tile(words.remove(name), f"remove-{seat}", away, Look(icon="close", kind="bare"))


def _build_thrown(starting: Starting, seat: int) -> None:
    with ui.element("div").classes("seat-thrown").mark(f"thrown-{seat}"):
        for face in [throw.face for throw in starting.throws if throw.seat == seat]:
            ui.html(die_svg(face), sanitize=False).classes("drawn")


def _recolour(desk: Desk, seat: int) -> None:
    """Give the player at `seat` the next colour that nobody else at the table has."""
    preferences, players = desk.session.preferences, desk.draft.players
    own = colours_of(players, preferences.now.colours)
    chosen = dict(zip(players, own, strict=True))
    chosen[players[seat]] = next_free(own[seat], own)
    desk.do(lambda: preferences.change(colours={**preferences.now.colours, **chosen}))


def _rename(desk: Desk, seat: int) -> None:
    ask_for_name(
        desk.words,
        desk.draft.players[seat],
        lambda name: desk.draft.fault_of(name, seat),
        lambda name: desk.change(desk.draft.renamed(seat, name)),
    )


def _build_who_begins(desk: Desk, draft: GameDraft) -> None:
    words, thrown = desk.words, draft.starting is not None
    heading(words.begins(draft.players[draft.first_seat]) if draft.ready else words.who_begins)
    with ui.element("div").classes("setup-row"):
        in_order, throwing = partial(desk.change, draft.in_order()), partial(_throw, desk)
        tile(words.in_order, "in-order", in_order, Look(kind="small", chosen=not thrown))
        tile(words.by_throwing, "by-throwing", throwing, Look(kind="small", chosen=thrown))
    if draft.starting is not None:
        _build_throwing(desk, draft, draft.starting)


def _throw(desk: Desk) -> None:
    desk.change(desk.draft.throwing())


def _build_throwing(desk: Desk, draft: GameDraft, starting: Starting) -> None:
    words, seat = desk.words, starting.next_seat
    if seat is not None:
        again = len(starting.contenders) < len(starting.players)
        ui.label(words.throws(starting.players[seat])).classes("setup-ask").mark("next-throw")
        if again:
            tied = [starting.players[each] for each in starting.contenders]
            ui.label(words.tied(tied)).classes("setup-text")
        elif desk.session.picture.frame is not None:
            ui.label(words.die_is_read).classes("setup-text")
        faces_grid(desk.session.words, lambda face: desk.change(desk.draft.thrown(face)))
    undo = partial(desk.change, draft.throw_taken_back())
    tile(words.take_back, "take-back", undo, Look(kind="small", enabled=bool(starting.throws)))


def _build_newcomers(desk: Desk, draft: GameDraft) -> None:
    words, full = desk.words, len(draft.players) >= MOST_PLAYERS
    tile(words.add, "add-player", partial(_add, desk), Look(kind="small", chosen=not full, enabled=not full))
    known = [name for name in desk.session.known_players if draft.fault_of(name) is None][:MOST_KNOWN]
    if full or not known:
        return
    heading(words.played_before)
    with ui.element("div").classes("known"):
        for name in known:
            tile(name, f"known-{name}", partial(desk.change, draft.with_player(name)), Look(kind="small"))


def _add(desk: Desk) -> None:
    ask_for_name(
        desk.words,
        "",
        desk.draft.fault_of,
        lambda name: desk.change(desk.draft.with_player(name)),
    )
