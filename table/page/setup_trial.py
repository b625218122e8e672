"""The part of the set-up page on which a throw is read, and counts for nothing."""

from __future__ import annotations

from nicegui import ui

from table.page.drawing import die_svg, overlay_svg
from table.page.gate import only_looks
from table.page.picture import PICTURE_URL
from table.page.prompts import verdict_of
from table.page.setup_desk import Desk
from table.state import LyingThrow
from vision.domain import Verdict


class Trial:
    """The live picture, and what is read of the dice that lie."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._frame = -1
        self._shown: tuple[object, ...] | None = None
        ui.label(desk.words.nothing_counts).classes("setup-text")
        with ui.element("div").classes("trial"):
            with ui.element("section").classes("view"):
                self._picture = ui.interactive_image(sanitize=False).classes("picture")
                self._picture.style("--aspect: 1.5").props("aria-hidden=true").mark("trial-picture")
            self._told = ui.element("div").classes("trial-told")
        self.refresh()

    def refresh(self) -> None:
        """Show the newest picture and what is read in it; throws count for nothing meanwhile."""
        session = self._desk.session
        if not only_looks(session):
            session.try_out()
        frame, seen = session.picture.frame, session.in_view
        if frame is not None and frame.index != self._frame and not session.judges_soon:
            if self._frame < 0:
                self._picture.style(f"--aspect: {session.picture.cutout(frame).aspect:.4f}")
            self._frame = frame.index
            self._picture.set_source(f"{PICTURE_URL}?{frame.index}")
        shown = (seen, session.moving, frame is None)
        if shown != self._shown:
            self._shown = shown
            self._tell(seen)

    def _tell(self, seen: Verdict | None) -> None:
        session, words = self._desk.session, self._desk.words
        frame = session.picture.frame
        self._told.clear()
        faces = () if seen is None else tuple(die.face for die in seen.dice)
        drawn = "" if frame is None or seen is None else overlay_svg(seen.dice, session.picture.cutout(frame))
        self._picture.set_content(drawn)
        with self._told:
            if frame is None:
                ui.label(words.no_camera).classes("setup-ask")
            elif session.moving:
                ui.label(words.moving).classes("setup-ask")
            elif seen is None:
                ui.label(words.nothing_lies).classes("setup-ask")
            else:
                line = verdict_of(LyingThrow(faces, seen), session.words)
                with ui.element("div").classes(f"verdict {line.tone}"):
                    ui.label(line.symbol).classes("symbol")
                    ui.label(line.text).mark("trial-verdict")
                known = sorted(faces, key=lambda face: face or 7)
                ui.html("".join(map(die_svg, known)), sanitize=False).classes("trial-dice")
