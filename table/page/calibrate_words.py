"""The words of the page on which the table is calibrated, in the language they play in."""

from __future__ import annotations

from scoring.languages import Language, catalogue
from table.calibration_draft import Way
from vision.calibrate.from_tray import Shape
from vision.calibrate.hand_outline import HandFault
from vision.calibrate.quality import Quality

DECIMAL_POINT = frozenset({Language.ENGLISH})


class CalibrateWords:
    """`ways`: title and note of each."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._messages = catalogue("table", language)
        pgettext = self._messages.pgettext
        self.calibrating = pgettext("calibrate", "The table is being calibrated")
        self.calibrating_detail = pgettext("calibrate", "No throw counts until that is done.")
        self.not_calibrated = pgettext("calibrate", "The calibration does not fit this camera")
        self.not_calibrated_detail = pgettext(
            "calibrate", "Choose Calibrate in the menu. Until then enter throws by hand."
        )
        self.back = pgettext("calibrate", "Back")
        self.next = pgettext("calibrate", "Next")
        self.take = pgettext("calibrate", "Take the picture")
        self.take_more = pgettext("calibrate", "Take another")
        self.use = pgettext("calibrate", "Use it")
        self.no_picture = pgettext("calibrate", "No picture comes from the camera.")
        self.it_moved = pgettext("calibrate", "Something moved. Take your hands away and try again.")
        self.another_size = pgettext("calibrate", "The camera's picture has another size now. Begin anew.")
        self.did_not_work = pgettext("calibrate", "That did not work. Go back and take the pictures again.")
        self.working = pgettext("calibrate", "One moment ...")
        self._name_ways(language)
        self._name_pictures(language)
        self._name_outline(language)
        self._name_sizes(language)
        self._name_results(language)

    def _name_ways(self, language: Language) -> None:
        pgettext = catalogue("table", language).pgettext
        self.which_way = pgettext("calibrate", "What do you have at hand?")
        self.which_way_detail = pgettext("calibrate", "It takes a minute. The game waits and is not lost.")
        self.light = pgettext(
            "calibrate",
            "Leave some dice in the tray as yet: the camera finds light and focus anew when you choose.",
        )
        self.ways = {
            Way.SHEET: (
                pgettext("calibrate", "Printed sheet"),
                pgettext("calibrate", "the most exact"),
            ),
            Way.SIZE: (
                pgettext("calibrate", "Tray's size"),
                pgettext("calibrate", "measured with a ruler"),
            ),
            Way.DICE: (pgettext("calibrate", "Six dice"), pgettext("calibrate", "rough")),
            Way.OUTLINE: (
                pgettext("calibrate", "Outline alone"),
                pgettext("calibrate", "no lean is measured"),
            ),
        }

    def _name_pictures(self, language: Language) -> None:
        pgettext = catalogue("table", language).pgettext
        self.empty = pgettext("calibrate", "Empty the tray")
        self.empty_detail = pgettext(
            "calibrate", "Take all dice out and your hands away. The whole tray must be in the picture."
        )
        self.sheet = pgettext("calibrate", "Lay the sheet in the tray")
        self.sheet_detail = pgettext(
            "calibrate",
            "Printed at 100 %, flat, all squares in the picture. In a small tray cut off the margin.",
        )
        self.sheet_to_print = pgettext("calibrate", "The sheet")
        self.ruler = pgettext("calibrate", "Its ruler measures")
        self.more_sheets = pgettext("calibrate", "Now hold it at a slant")
        self.more_sheets_detail = pgettext(
            "calibrate", "Two or three such pictures tell the lens. Or go on with what there is."
        )
        self.sheet_there = pgettext("calibrate", "The sheet lies in the tray. Take it out first.")
        self.no_sheet = pgettext("calibrate", "The sheet was not seen. All of it, sharp and without glare.")
        self.dice = pgettext("calibrate", "Lay six dice flat")
        self.dice_detail = pgettext("calibrate", "Spread over the tray, not touching. Then hands away.")

    def _name_outline(self, language: Language) -> None:
        pgettext = catalogue("table", language).pgettext
        self.outline_found = pgettext("calibrate", "Is this the floor's edge?")
        self.outline_found_detail = pgettext(
            "calibrate", "The line must run where floor and wall meet. Drag the rings until it does."
        )
        self.outline_sought = pgettext("calibrate", "Show the floor's edge")
        self.outline_sought_detail = pgettext(
            "calibrate", "It was not found for certain. Drag the rings to the corners of the floor."
        )
        self.outline_changed_detail = pgettext(
            "calibrate", "The line must run where floor and wall meet. The arrows move the chosen corner."
        )
        self.no_dice = pgettext("calibrate", "These are no dice")
        self.another_shape = pgettext("calibrate", "Other shape")
        self.more_corners = pgettext("calibrate", "Corner")
        self.add_corner = pgettext("calibrate", "Add a corner after the chosen one")
        self.remove_corner = pgettext("calibrate", "Remove the chosen corner")
        self.arrows = (
            pgettext("calibrate", "Corner to the left"),
            pgettext("calibrate", "Corner to the right"),
            pgettext("calibrate", "Corner up"),
            pgettext("calibrate", "Corner down"),
        )
        self.faults = {
            HandFault.OUTSIDE: pgettext("calibrate", "The outline leaves the picture."),
            HandFault.TOGETHER: pgettext("calibrate", "Two corners lie in one place."),
            HandFault.CROSSING: pgettext("calibrate", "The lines cross: drag a corner back."),
            HandFault.SMALL: pgettext("calibrate", "The outline is too small for a tray."),
        }

    def _name_sizes(self, language: Language) -> None:
        pgettext = catalogue("table", language).pgettext
        self.size = pgettext("calibrate", "How large is the floor?")
        self.size_detail = pgettext("calibrate", "Measured inside, on the floor, from wall to wall.")
        self.no_such_shape = pgettext(
            "calibrate",
            "This way is for trays of four or eight corners and round ones. Go back to the outline,"
            " or choose another way.",
        )
        self.sides = {
            Shape.RECTANGLE: (pgettext("calibrate", "One side"), pgettext("calibrate", "Other side")),
            Shape.OCTAGON: (pgettext("calibrate", "Side to side"),),
            Shape.ROUND: (pgettext("calibrate", "Across"),),
        }
        self.die = pgettext("calibrate", "How large are your dice?")
        self.die_detail = pgettext("calibrate", "One edge. Most are 16 mm; measure three in a row.")
        self.edge = pgettext("calibrate", "Edge")

    def _name_results(self, language: Language) -> None:
        pgettext = catalogue("table", language).pgettext
        self.what_came = pgettext("calibrate", "How good it is")
        self.unlikely = pgettext(
            "calibrate", "No camera sees the tray so. Go back and check the outline and what was measured."
        )
        self.other_view = pgettext(
            "calibrate", "Camera or tray were moved since the picture of the empty tray. Take that one again."
        )
        self.look = pgettext(
            "calibrate", "The green line must run along the floor's edge, the cubes be as large as your dice."
        )
        self.hidden = pgettext(
            "calibrate",
            "The camera stands beside the tray: the wall on its side may hide the floor's edge. Go back and"
            " drag it there, or hang the camera over the tray.",
        )
        self.look_at_outline = pgettext("calibrate", "The green line must run along the floor's edge.")
        self.outline_alone = pgettext("calibrate", "Lean and height of dice are not measured.")
        self.done = pgettext("calibrate", "The table sees by this now")
        self.not_kept = pgettext("calibrate", "It is of a clip, and is not written to a file.")
        self.to_the_table = pgettext("calibrate", "To the table")

    def step(self, number: int, count: int) -> str:
        """Say which step this is, from 1."""
        told = self._messages.pgettext("calibrate", "Step {number} of {count}")
        return told.format(number=number, count=count)

    def corner(self, number: int) -> str:
        """Name a corner for those who hear the page, from 1."""
        return self._messages.pgettext("calibrate", "Corner {number}").format(number=number)

    def less(self, what: str, millimetres: float) -> str:
        """Name a button that makes a length smaller, for those who hear the page."""
        told = self._messages.pgettext("calibrate", "{what}: {mm} mm less")
        return told.format(what=what, mm=self.number(millimetres))

    def more(self, what: str, millimetres: float) -> str:
        """Name a button that makes a length larger, for those who hear the page."""
        told = self._messages.pgettext("calibrate", "{what}: {mm} mm more")
        return told.format(what=what, mm=self.number(millimetres))

    def pictures_taken(self, count: int) -> str:
        """Say how many pictures of the sheet there are."""
        npgettext = self._messages.npgettext
        return npgettext("calibrate", "{count} picture", "{count} pictures", count).format(count=count)

    def too_few_dice(self, count: int) -> str:
        """Say that more dice must lie there."""
        told = self._messages.pgettext("calibrate", "Dice seen: {count}. It takes four, better six.")
        return told.format(count=count)

    def dice_in_the_tray(self, count: int) -> str:
        """Say that the tray is not empty."""
        told = self._messages.pgettext("calibrate", "Dice seen in the tray: {count}. Take them out.")
        return told.format(count=count)

    def quality(self, quality: Quality) -> str:
        """How good a calibration is."""
        degrees = max(1, round(quality.tilt_error_deg))
        told = self._messages.npgettext(
            "calibrate",
            "Error {mm} mm, tilt good to {degrees} degree",
            "Error {mm} mm, tilt good to {degrees} degrees",
            degrees,
        )
        return told.format(mm=self.number(quality.floor_error_mm, 1), degrees=degrees)

    def too_rough(self, quality: Quality) -> str:
        """Say that it is not good enough."""
        told = self._messages.pgettext("calibrate", "Too rough: {quality}. The printed sheet tells more.")
        return told.format(quality=self.quality(quality))

    def height(self, height_mm: float, quality: Quality) -> str:
        """Where the camera is; a person sees whether that is so."""
        if quality.height_is_rough(height_mm):
            told = self._messages.pgettext(
                "calibrate",
                "The camera is {low} to {high} cm above the floor: sheets at a slant tell it closer.",
            )
            low, high = quality.heights_mm(height_mm)
            return told.format(low=round(low / 10), high=round(high / 10))
        told = self._messages.pgettext("calibrate", "The camera is {cm} cm above the floor.")
        return told.format(cm=round(height_mm / 10))

    def kept(self, path: str) -> str:
        """Say where it was written."""
        return self._messages.pgettext("calibrate", "Kept in {path}").format(path=path)

    def not_written(self, why: str) -> str:
        """Say that it lasts no longer than the program."""
        told = self._messages.pgettext("calibrate", "Not written ({why}): it is lost when the program ends.")
        return told.format(why=why)

    def millimetres(self, length: float) -> str:
        """A length as a person reads it."""
        return f"{self.number(length)} mm"

    def number(self, value: float, digits: int | None = None) -> str:
        """A number as it is written in the language: `digits` after the point, None: as many as it has."""
        spelled = f"{value:g}" if digits is None else f"{value:.{digits}f}"
        return spelled if self._language in DECIMAL_POINT else spelled.replace(".", ",")
