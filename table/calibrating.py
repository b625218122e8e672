"""Calibrate a table from pictures: which way, by which outline, and whether it is good enough to write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from table.calibration_checks import check_camera, check_empty, check_same_view
from table.throw_watch import Judge
from vision.calibrate.board import LEAST_CORNERS, BoardView, find_board
from vision.calibrate.fitting import CameraFit, calibration_of
from vision.calibrate.from_dice import LEAST_DICE, fit_to_dice
from vision.calibrate.from_sheet import fit_to_sheet
from vision.calibrate.from_tray import SIDE_COUNTS, InnerSize, fit_to_tray
from vision.calibrate.outline import Outline, OutlineError, find_outline, given_outline
from vision.calibrate.quality import Quality, quality_of
from vision.calibrate.standpoint import hides_an_edge
from vision.domain import FloatArray, Image, TableCalibration
from vision.errors import CalibrationError

# What is worse tells less of a die than a glance does: the rules call a die tilted from about 6 degrees on.
MOST_FLOOR_ERROR_MM, MOST_TILT_ERROR_DEG = 8.0, 15.0
SHEET_WAY = "printed sheet"
ONE_OF = "accepted is a picture of the printed sheet, --inner WIDTHxHEIGHT, or --die MM with dice laid flat"


class TooRoughError(CalibrationError):
    """A calibration that tells less than a glance does; `quality` says how little."""

    def __init__(self, said: str, quality: Quality) -> None:
        super().__init__(said)
        self.quality = quality


class TooFewDiceError(CalibrationError):
    """Fewer dice were seen than it takes: `found`."""

    def __init__(self, said: str, found: int) -> None:
        super().__init__(said)
        self.found = found


class NoSheetError(CalibrationError):
    """The printed sheet was not seen in the picture of this `number`, from 0."""

    def __init__(self, said: str, number: int) -> None:
        super().__init__(said)
        self.number = number


@dataclass(frozen=True, slots=True, eq=False)
class NamedPicture:
    """A picture and what it is called in messages."""

    name: str
    image: Image

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        height, width = self.image.shape[:2]
        return width, height


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """What to calibrate from: `pictures`, the first of the tray itself; `empty`: the tray, bare.

    `inner`, `die_mm`: as stated; `area_px` (N, 2): the outline given by hand, or `drawn`: the same with bent
    sides; `scale` of the printed sheet; `surely_empty`: what looks like dice in `empty` is none.
    """

    pictures: Sequence[NamedPicture]
    empty: NamedPicture | None = None
    inner: InnerSize | None = None
    die_mm: float | None = None
    area_px: FloatArray | None = None
    scale: float = 1.0
    drawn: Outline | None = None
    surely_empty: bool = False

    @property
    def bare(self) -> NamedPicture | None:
        """The picture of the tray with nothing in it."""
        return self.empty or (self.pictures[0] if self.inner is not None else None)

    @property
    def outline_given(self) -> bool:
        """Whether the outline need not be found."""
        return self.area_px is not None or self.drawn is not None


@dataclass(frozen=True, slots=True, eq=False)
class Calibrated:
    """A calibration, the `way` it was come by, and how good it is."""

    calibration: TableCalibration
    way: str
    outline_given: bool
    quality: Quality


def calibrate(request: Request, judge: Judge) -> Calibrated:
    """Return the calibration; raises CalibrationError saying what is missing or not certain."""
    _check_sizes(request)
    first, size = request.pictures[0], request.pictures[0].size
    way, fit, outline = _fitted(request, judge, size)
    calibration = calibration_of(fit, outline.area_px, size, request.die_mm)
    lens_told = way == SHEET_WAY and len(request.pictures) > 1
    check_camera(f"{first.name}: from the {way}", calibration, lens_told)
    quality = quality_of(fit, outline.area_px)
    if quality.floor_error_mm > MOST_FLOOR_ERROR_MM or quality.tilt_error_deg > MOST_TILT_ERROR_DEG:
        raise TooRoughError(
            f"{first.name}: from the {way} found {in_words(quality)}, which is too little; "
            f"accepted are at most {MOST_FLOOR_ERROR_MM:g} mm and {MOST_TILT_ERROR_DEG:g} degrees: "
            "the printed sheet tells more (titusind calibrate --sheet sheet.pdf)",
            quality,
        )
    # A tray whose size is misstated by a hundredth seems to be seen from elsewhere: only the sheet tells.
    if way == SHEET_WAY and not request.outline_given:
        _check_edges(request, fit, outline, quality)
    _check_bare(request, outline, judge)
    return Calibrated(calibration, way, request.outline_given, quality)


def _check_edges(request: Request, fit: CameraFit, outline: Outline, quality: Quality) -> None:
    """Raise OutlineError if a wall hides the edge of the floor whose outline was found."""
    if hides_an_edge(fit.camera, outline.area_px, quality.tilt_error_deg):
        raise OutlineError(
            f"{(request.empty or request.pictures[0]).name}: the tray's outline is not certain: the camera "
            "stands beside the floor, and the wall on its side hides the floor's edge; accepted is a camera "
            "over the tray, or the floor's corners named: --area x,y x,y ..."
        )


def _check_bare(request: Request, outline: Outline, judge: Judge) -> None:
    """Raise CalibrationError if the picture of the empty tray is none, or one of another view."""
    bare = request.bare
    if bare is None:
        return
    if not request.surely_empty:
        check_empty(bare.name, bare.image, outline.area_px, judge)
    if request.inner is None:
        first = request.pictures[0]
        check_same_view((first.name, first.image), (bare.name, bare.image), outline.area_px, judge)


def in_words(quality: Quality) -> str:
    """How good a calibration is, as a person reads it."""
    degrees = max(1, round(quality.tilt_error_deg))
    return f"error {quality.floor_error_mm:.1f} mm, tilt good to {degrees} degree{'s' * (degrees > 1)}"


def _check_sizes(request: Request) -> None:
    first = request.pictures[0]
    for other in [*request.pictures[1:], *([request.empty] if request.empty else [])]:
        if other.size != first.size:
            raise CalibrationError(
                f"{other.name}: found {other.size[0]}x{other.size[1]} pixels; accepted is the size of "
                f"{first.name}, {first.size[0]}x{first.size[1]}"
            )


def _fitted(request: Request, judge: Judge, size: tuple[int, int]) -> tuple[str, CameraFit, Outline]:
    first = request.pictures[0]
    if request.inner is not None:
        sides = SIDE_COUNTS[request.inner.shape]
        outline = _outline(request, request.empty or first, sides)
        return "tray's inner size", fit_to_tray(outline, request.inner, size), outline
    views = _views(request.pictures)
    if views:
        fit, way = fit_to_sheet(views, size, request.scale), SHEET_WAY
    elif request.die_mm is not None:
        fit, way = _fit_to_dice(first, request.die_mm, judge), "dice"
    else:
        raise NoSheetError(f"{first.name}: found no printed sheet; {ONE_OF}", 0)
    if request.empty is None and not request.outline_given:
        raise CalibrationError(
            f"{first.name}: found nothing that shows the tray's outline; accepted is --empty PICTURE, of the "
            "tray with nothing in it, or --area x,y x,y ..."
        )
    return way, fit, _outline(request, request.empty or first, None)


def _views(pictures: Sequence[NamedPicture]) -> list[BoardView]:
    """The sheet in every picture; nothing when it is not in the first."""
    found = [find_board(picture.image) for picture in pictures]
    if found[0] is None and len(pictures) == 1:
        return []
    for number, (picture, view) in enumerate(zip(pictures, found, strict=True)):
        if view is None:
            raise NoSheetError(
                f"{picture.name}: found no printed sheet; accepted of several pictures is the sheet in each, "
                f"with {LEAST_CORNERS} of its inner corners or more in view",
                number,
            )
    return [view for view in found if view is not None]


def _fit_to_dice(picture: NamedPicture, die_mm: float, judge: Judge) -> CameraFit:
    faces = [die.corners_px for die in judge(picture.image).dice if die.face is not None]
    if len(faces) < LEAST_DICE:
        raise TooFewDiceError(
            f"{picture.name}: found {len(faces)} dice; accepted are six laid flat and apart, "
            f"{LEAST_DICE} at least",
            len(faces),
        )
    return fit_to_dice(faces, die_mm, picture.size)


def _outline(request: Request, empty: NamedPicture, side_count: int | None) -> Outline:
    if request.drawn is not None:
        return request.drawn
    if request.area_px is not None:
        return given_outline(request.area_px, empty.size, side_count)
    try:
        return find_outline(empty.image, side_count)
    except CalibrationError as error:
        raise CalibrationError(f"{empty.name}: {error}") from error
