"""The page on which the table is calibrated: one step at a time, beside the picture that it is about.

What a person has done so far is the browser's own; the table waits meanwhile, and sees by what comes of it as
soon as they say so.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from nicegui import ui

from table.calibration_draft import Draft, Drafted, Way, drafted, lies_still
from table.page.calibrate_parts import Choice, Length, add_button, add_row, add_stepper
from table.page.calibrate_steps import NOT_HELD, STEPS, Step, is_done, said, why_not
from table.page.calibrate_words import CalibrateWords
from table.page.gate import may_touch
from table.page.outline_pad import OutlinePad
from table.page.places import TABLE_URL, beside_the_table
from table.page.session import TableSession
from table.table_place import write_anew
from vision.calibrate.board import find_board
from vision.calibrate.from_dice import LEAST_DICE
from vision.calibration import DIE_MM_RANGE
from vision.domain import Image, TableCalibration
from vision.errors import VisionError
from vision.judge import judge
from vision.opencv import cv2
from vision.overlay import draw_table

PICTURE_URL, SHEET_URL = "/calibrate/picture.jpg", "/calibrate/sheet.pdf"
REFRESH_S, HOLD_AGAIN_S = 0.1, 1.0
STILL_S = 0.4
LONGEST_PX, QUALITY = 1640, 85
INNER_MM, RULER_MM = (50.0, 2000.0), (80.0, 120.0)
INNER_STEPS, DIE_STEPS, RULER_STEPS = (1.0, 10.0), (0.5, 2.0), (0.5,)


def build_calibrate(session: TableSession) -> None:
    """Build the page."""
    CalibratePage(session)


class CalibratePage:
    """One browser's calibration. `draft`: what is known so far."""

    def __init__(self, session: TableSession) -> None:
        self._session = session
        self._words = CalibrateWords(session.words.language)
        self._name = ui.context.client.id
        self._step, self._fault, self._busy = Step.WAY, "", False
        self._frame = -1
        self._live: ui.interactive_image | None = None
        self._pad: OutlinePad | None = None
        self._result: Drafted | None = None
        self._written = ""
        known = session.sight.calibration
        self.draft = Draft() if known is None or known.die_mm is None else Draft(die_mm=known.die_mm)
        with beside_the_table("calibrate", session.words), ui.element("div").classes("calibrate"):
            self._picture = ui.element("section").classes("calibrate-picture")
            self._panel = ui.element("section").classes("calibrate-panel")
        ui.context.client.on_disconnect(lambda: session.let_go(self._name))
        self._show_picture()
        self._show_panel()
        ui.timer(REFRESH_S, self._refresh_live)
        ui.timer(HOLD_AGAIN_S, self._hold)

    @property
    def _steps(self) -> tuple[Step, ...]:
        return STEPS[self.draft.way]

    def _hold(self) -> None:
        """Let the table wait, as must be said again and again, or play on."""
        if self._step not in NOT_HELD:
            self._session.hold(self._name)

    def _go(self, by: int) -> None:
        """Go to a later or an earlier step."""
        self._turn_to(self._steps[self._steps.index(self._step) + by])

    def _turn_to(self, step: Step) -> None:
        self._step, self._fault = step, ""
        if step is not Step.DONE:
            self._result = None
        if step in NOT_HELD:
            self._session.let_go(self._name)
        self._hold()
        self._show_picture()
        self._show_panel()

    async def _next(self) -> None:
        self._go(1)
        if self._step is Step.RESULT:
            await self._at_work(self._measure)

    # The picture

    def _show_picture(self) -> None:
        self._picture.clear()
        self._live = self._pad = None
        with self._picture:
            if self._step is Step.OUTLINE:
                self._pad = OutlinePad(self.draft, _data_url, self._words, self._take_draft)
            elif self._step in (Step.RESULT, Step.DONE):
                self._show_check()
            else:
                self._live = ui.interactive_image().classes("still").props("aria-hidden=true")
                self._frame = -1
                self._refresh_live()

    def _show_check(self) -> None:
        empty, hand, result = self.draft.empty, self.draft.hand, self._result
        if empty is not None and hand is not None:
            table = TableCalibration(hand.area_px) if result is None else result.calibration
            drawn = draw_table(empty, table)
            ui.image(_data_url(drawn)).classes("still").props("no-spinner fit=contain").mark("check")

    def _refresh_live(self) -> None:
        frame = self._session.whole_picture.frame
        if self._live is None or frame is None or frame.index == self._frame:
            return
        self._frame = frame.index
        self._live.set_source(f"{PICTURE_URL}?{frame.index}")

    # The panel

    def _show_panel(self) -> None:
        self._panel.clear()
        with self._panel:
            with ui.element("div").classes("calibrate-text").props("role=status"):
                self._add_text()
            if not self._busy:
                self._add_controls()
                self._add_ways_on()

    def _add_text(self) -> None:
        words, draft = self._words, self.draft
        if self._step not in NOT_HELD:
            number, count = self._steps.index(self._step), len(self._steps) - len(NOT_HELD)
            ui.label(words.step(number, count)).classes("calibrate-step")
        lines = said(self._step, draft, self._result, words)
        title = ui.label(lines.title).classes("calibrate-title").mark("title")
        title.props("role=heading aria-level=2")
        for detail in filter(None, (*lines.details, self._written if self._step is Step.DONE else "")):
            ui.label(detail).classes("calibrate-detail")
        if self._step is Step.WAY and self._session.sight.live:
            ui.label(words.light).classes("calibrate-detail")
        if self._step is Step.OUTLINE:
            self._add_outline_faults()
        if self._busy:
            ui.label(words.working).classes("calibrate-working")
        elif self._fault:
            ui.label(self._fault).classes("calibrate-fault").mark("fault")

    def _add_outline_faults(self) -> None:
        fault, dice = self.draft.fault, self.draft.dice_inside
        if fault is not None:
            ui.label(self._words.faults[fault]).classes("calibrate-fault").mark("outline-fault")
        elif dice:
            ui.label(self._words.dice_in_the_tray(dice)).classes("calibrate-fault").mark("not-empty")

    def _add_controls(self) -> None:
        words, draft = self._words, self.draft
        match self._step:
            case Step.WAY:
                self._add_ways()
            case Step.OUTLINE if self._pad is not None:
                self._pad.add_controls()
            case Step.EMPTY | Step.DICE:
                take = self._take_empty if self._step is Step.EMPTY else self._take_dice
                add_button(Choice("take", words.take, take, best=True))
            case Step.SHEET:
                self._add_sheets()
            case Step.SIZE if draft.shape is not None:
                for side, name in enumerate(words.sides[draft.shape]):
                    length = Length(f"side-{side}", name, draft.inner_mm[side], INNER_MM, INNER_STEPS)
                    add_stepper(length, partial(self._set_inner, side), words)
            case Step.DIE:
                edge = Length("edge", words.edge, draft.die_mm, DIE_MM_RANGE, DIE_STEPS)
                add_stepper(edge, lambda mm: self._take_draft(replace(self.draft, die_mm=mm)), words)
            case Step.DONE:
                to_table = partial(ui.navigate.to, TABLE_URL)
                add_button(Choice("to-table", words.to_the_table, to_table, best=True))

    def _add_ways(self) -> None:
        with ui.element("div").classes("calibrate-ways"):
            for way, (title, note) in self._words.ways.items():
                best = way is Way.SHEET
                add_button(Choice(f"way-{way}", title, partial(self._begin, way), best=best, note=note))

    def _add_sheets(self) -> None:
        words, draft = self._words, self.draft
        take = Choice("take", words.take_more if draft.views else words.take, self._take_sheet, best=True)
        if draft.views:
            add_button(take)
            return
        ruler = Length("ruler", words.ruler, draft.ruler_mm, RULER_MM, RULER_STEPS)
        add_stepper(ruler, lambda mm: self._take_draft(replace(self.draft, ruler_mm=mm)), words)
        print_it = Choice("sheet", words.sheet_to_print, partial(ui.download.from_url, SHEET_URL))
        add_row([print_it, take])

    def _add_ways_on(self) -> None:
        """Build the ways back and on."""
        if self._step in NOT_HELD:
            return
        back = Choice("back", self._words.back, lambda: self._go(-1))
        on = Choice("next", self._words.next, self._next, there=is_done(self._step, self.draft))
        if self._step is Step.OUTLINE and self.draft.dice_inside:
            on = Choice("no-dice", self._words.no_dice, self._say_empty)
        if self._step is Step.RESULT:
            on = Choice("use", self._words.use, self._use, best=True, there=self._result is not None)
        add_row([back, on])

    # What a person says

    def _begin(self, way: Way) -> None:
        if not may_touch(self._session):
            return
        self.draft = replace(self.draft, way=way, empty=None, hand=None, views=())
        self._session.renew_camera()
        self._go(1)

    def _take_draft(self, draft: Draft) -> None:
        self.draft, self._fault = draft, ""
        self._show_panel()

    def _say_empty(self) -> None:
        self._take_draft(replace(self.draft, surely_empty=True))

    def _set_inner(self, side: int, millimetres: float) -> None:
        width, height = self.draft.inner_mm
        inner = (millimetres, height) if side == 0 else (width, millimetres)
        self._take_draft(replace(self.draft, inner_mm=inner))

    # What takes a while: each returns what is wrong, if anything is

    async def _at_work(self, work: Callable[[], Awaitable[str]]) -> None:
        self._busy, self._fault = True, ""
        self._show_panel()
        try:
            fault = await work()
        except VisionError as error:
            fault = why_not(error, self._words)
        finally:
            self._busy = False
        if not self._panel.is_deleted:
            self._fault = fault
            self._show_panel()

    async def _still(self) -> tuple[Image | None, str]:
        """Return a picture in which nothing moves, or what is wrong."""
        before = self._session.whole_picture.frame
        await asyncio.sleep(STILL_S)
        after = self._session.whole_picture.frame
        if before is None or after is None:
            return None, self._words.no_picture
        image, empty = after.image_bgr, self.draft.empty
        if self._step is not Step.EMPTY and empty is not None and image.shape != empty.shape:
            return None, self._words.another_size
        if before.image_bgr.shape != image.shape or not lies_still(before.image_bgr, image):
            return None, self._words.it_moved
        return image.copy(), ""

    async def _take_empty(self) -> None:
        await self._at_work(self._empty_taken)

    async def _empty_taken(self) -> str:
        image, fault = await self._still()
        if image is None:
            return fault
        if await asyncio.to_thread(find_board, image) is not None:
            return self._words.sheet_there
        self.draft = await asyncio.to_thread(self.draft.with_empty, image, judge)
        if not self._picture.is_deleted:
            self._go(1)
        return ""

    async def _take_sheet(self) -> None:
        await self._at_work(self._sheet_taken)

    async def _sheet_taken(self) -> str:
        image, fault = await self._still()
        if image is None:
            return fault
        if await asyncio.to_thread(find_board, image) is None:
            return self._words.no_sheet
        self.draft = replace(self.draft, views=(*self.draft.views, image))
        return ""

    async def _take_dice(self) -> None:
        await self._at_work(self._dice_taken)
        if self.draft.views and not self._fault:
            await self._next()

    async def _dice_taken(self) -> str:
        image, fault = await self._still()
        if image is None:
            return fault
        verdict = await asyncio.to_thread(judge, image)
        read = sum(die.face is not None for die in verdict.dice)
        if read < LEAST_DICE:
            return self._words.too_few_dice(read)
        self.draft = replace(self.draft, views=(image,))
        return ""

    async def _measure(self) -> str:
        self._result = await asyncio.to_thread(drafted, self.draft, judge)
        if not self._picture.is_deleted:
            self._show_picture()
        return ""

    async def _use(self) -> None:
        result = self._result
        if result is None or not may_touch(self._session):
            return
        calibration, place, words = result.calibration, self._session.sight.kept_at, self._words
        self._written = words.not_kept
        if place is not None:
            try:
                calibration = await asyncio.to_thread(write_anew, place, calibration)
                self._written = words.kept(str(place))
            except (OSError, VisionError) as error:
                why = error.strerror if isinstance(error, OSError) else None
                self._written = words.not_written(why or str(error))
        self._session.recalibrate(calibration, self._name)
        if not self._panel.is_deleted:
            self._turn_to(Step.DONE)


def _data_url(image: Image) -> str:
    """Return a picture (H, W, 3), made smaller if it is large, as a URL that holds it whole."""
    shrink = min(1.0, LONGEST_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    _, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return f"data:image/jpeg;base64,{base64.b64encode(jpeg.tobytes()).decode()}"
