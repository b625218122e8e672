"""`titusind calibrate`: the sheet as a PDF at true scale, a table.json from pictures, and what is refused."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import table.commands.calibrate
from table.cli import main
from table.sheet import TOP_MM
from table.throw_watch import Judge
from tests.vision.calibrate.drawn_tray import Tray
from tests.vision.calibrate.known_camera import DICTIONARY, SIZE, board_picture, camera, noisy
from tests.vision.sources.pi_camera_stand_in import Sensor, mode, plug_in
from vision.calibrate.board import PAPER_MM
from vision.calibration import load_calibration
from vision.camera import Camera
from vision.domain import DieReading, DieState, Frame, Image, Ruling, TableCalibration, Verdict
from vision.opencv import cv2

PX_PER_MM = 6
PAPERS_MM = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}
KNOWN = camera(over_mm=(105, -75), tilt_deg=(4, -3))
FLOOR = np.array([[-40, 35], [250, 35], [250, -185], [-40, -185.0]])
INNER = 0.75 * camera(over_mm=(150, -100), tilt_deg=(4, -3)).sees(
    np.array([[0, 0], [300, 0], [300, -200], [0, -200.0]])
)  # of a tray of 300x200 in a drawn picture
PAPER = np.array([[-30, 8], [240, 8], [240, -160], [-30, -160.0]])  # as much of it as the tray has room for
AREA = [f"{x:.2f},{y:.2f}" for x, y in KNOWN.sees(FLOOR)]

Capture = pytest.CaptureFixture[str]


def run(*words: object) -> int:
    try:
        return main([str(word) for word in words])
    except SystemExit as stop:
        return int(str(stop.code))


def refusal(capture: Capture, code: int, *words: object) -> str:
    assert run("calibrate", *words) == code
    said = capture.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    return said.err


def saved(path: Path, picture: np.ndarray) -> Path:
    assert cv2.imwrite(str(path), picture)
    return path


def sees_dice(*places: tuple[float, float]) -> Judge:
    def sees(
        image: Image, calibration: TableCalibration | None = None, expected: int | None = None
    ) -> Verdict:
        dice = [DieReading(6, 0.99, place, np.zeros((4, 2)), DieState.FLAT) for place in places]
        return Verdict(Ruling.VALID, (), tuple(dice))

    return sees


def scene_with_a_tray(seed: int = 3) -> Image:
    """A floor of felt as AREA has it, its wall, and a table whose grain tells where it is."""
    chance = np.random.default_rng(seed)
    grain = cv2.resize(chance.uniform(60, 180, (60, 80)), SIZE, interpolation=cv2.INTER_CUBIC)
    scene = np.repeat(grain[..., None], 3, axis=2)
    for wider, colour in ((1.15, (60, 95, 140)), (1.0, (60, 110, 50))):
        corners = KNOWN.sees(FLOOR.mean(axis=0) + wider * (FLOOR - FLOOR.mean(axis=0)))
        cv2.fillPoly(scene, [np.rint(corners).astype(int)], colour)
    return noisy(scene, seed, 2)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pictures")
    grey = noisy(np.full((SIZE[1], SIZE[0], 3), 120.0), 1, 2)
    return {
        "sheet": saved(folder / "sheet.png", board_picture(KNOWN)),
        "grey": saved(folder / "grey.png", grey),
        "grey jpeg": saved(folder / "grey.jpg", grey),
        "small": saved(folder / "small.png", grey[:300]),
        "tray": saved(folder / "tray.png", Tray(INNER).picture()),
    }


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_the_sheet_is_the_board_at_true_scale(paper: str, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "sheet.pdf"
    assert run("calibrate", "--sheet", path, "--paper", paper) == 0
    assert "100 %" in capsys.readouterr().out
    data = path.read_bytes()
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data)
    assert box
    assert np.array([float(box[1]), float(box[2])]) * 25.4 / 72 == pytest.approx(PAPERS_MM[paper], abs=0.01)
    stream = zlib.decompress(re.search(rb"stream\n(.*?)\nendstream", data, re.DOTALL)[1]).decode()
    scale, *_, rise = [float(word) for word in re.search(r"^(.*) cm$", stream, re.MULTILINE)[1].split()]
    assert (scale, rise) == pytest.approx((72 / 25.4, float(box[2])), rel=1e-5)
    boxes = np.array(
        [list(map(float, line.split()[:4])) for line in re.findall(r"^.* re$", stream, re.MULTILINE)]
    )
    corner = boxes[:, :2].min(axis=0)
    assert corner.min() > 5  # what printers leave white
    assert (corner + np.array([210, 150]) < np.array(PAPERS_MM[paper]) - 5).all()
    drawn = np.full((150 * PX_PER_MM, 210 * PX_PER_MM), 255, np.uint8)
    for x, y, width, height in np.rint((boxes - (*corner, 0, 0)) * PX_PER_MM).astype(int):
        drawn[y : y + height, x : x + width] = 0
    board = cv2.aruco.CharucoBoard((7, 5), 30.0, 22.0, DICTIONARY)
    assert (drawn == board.generateImage(drawn.shape[::-1])).all()
    ruler = [float(x) for x in re.findall(r"^([\d.]+) [\d.]+ m$", stream, re.MULTILINE)]
    assert max(ruler) - min(ruler) == pytest.approx(100)


def test_the_sheet_in_the_tray_gives_a_table(
    pictures: dict[str, Path], tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "table.json"
    words = (pictures["sheet"], "--out", out, "--empty", pictures["grey jpeg"], "--die", 16, "--json")
    assert run("calibrate", *words, "--area", *AREA) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["table"], said["way"], said["outline"]) == (str(out), "printed sheet", "given")
    assert re.fullmatch(r"error \d+\.\d mm, tilt good to \d+ degrees?", said["quality"])
    calibration = load_calibration(out)
    assert (calibration.die_mm, calibration.image_size) == (16.0, SIZE)
    assert (tmp_path / "empty.jpg").read_bytes() == pictures["grey jpeg"].read_bytes()
    found = Camera.of(calibration)
    assert found is not None
    area = found.on_plane(calibration.area_px, 0.0)
    sides = np.linalg.norm(area - np.roll(area, -1, axis=0), axis=1)
    assert sides == pytest.approx([290, 220, 290, 220], abs=2 * said["floor_error_mm"])
    assert abs(found.height_mm - KNOWN.height_mm) < 1.5 * said["height_error_mm"]


def test_the_trays_inner_size_gives_a_table(
    pictures: dict[str, Path], tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "table.json"
    assert run("calibrate", pictures["tray"], "--inner", "300x200", "--out", out) == 0
    said = capsys.readouterr().out
    assert "tilt good to" in said
    low, high = map(int, re.search(r"camera (\d+) to (\d+) mm above the floor", said).groups())
    assert low < 480 < high
    calibration = load_calibration(out)
    assert calibration.die_mm is None
    assert calibration.empty_image is not None
    assert (calibration.empty_image == cv2.imread(str(pictures["tray"]))).all()
    assert cv2.imread(str(tmp_path / "table-check.png")).shape == calibration.empty_image.shape


def test_a_table_is_never_overwritten_unasked(
    pictures: dict[str, Path], tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "table.json"
    out.write_text("mine")
    words = (pictures["tray"], "--inner", "300x200", "--out", out)
    assert "--force" in refusal(capsys, 2, *words)
    assert out.read_text() == "mine"
    assert run("calibrate", *words, "--force") == 0
    assert load_calibration(out).image_size is not None


def test_a_sheet_is_never_overwritten_unasked(tmp_path: Path, capsys: Capture) -> None:
    sheet = tmp_path / "sheet.pdf"
    sheet.write_bytes(b"mine")
    assert "--force" in refusal(capsys, 2, "--sheet", sheet)
    assert sheet.read_bytes() == b"mine"
    assert run("calibrate", "--sheet", sheet, "--force") == 0
    assert sheet.read_bytes().startswith(b"%PDF")


def test_a_place_that_cannot_be_written_is_one_line_that_says_so(
    pictures: dict[str, Path], tmp_path: Path, capsys: Capture
) -> None:
    nowhere = tmp_path / "file"
    nowhere.write_text("")
    tray = (pictures["tray"], "--inner", "300x200", "--out")
    for words in (
        ("--sheet", nowhere / "x.pdf"),
        (*tray, nowhere / "table.json"),
        (*tray, "/proc/table.json"),
    ):
        said = refusal(capsys, 1, *words)
        assert f"{words[-1]}: cannot be written (" in said
        assert "Errno" not in said
    (tmp_path / "dir.pdf").mkdir()
    assert "found a folder" in refusal(capsys, 2, "--sheet", tmp_path / "dir.pdf", "--force")
    assert "found a folder" in refusal(capsys, 2, *tray, tmp_path)


@pytest.mark.parametrize("name", ["empty.png", "table-check.png"])
def test_another_picture_is_never_overwritten_unasked(
    name: str, pictures: dict[str, Path], tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / name).write_bytes(b"mine")
    words = (pictures["tray"], "--inner", "300x200", "--out", tmp_path / "table.json")
    assert name in refusal(capsys, 2, *words)
    assert (tmp_path / name).read_bytes() == b"mine"


def test_what_cannot_be_told_is_said_and_nothing_written(
    pictures: dict[str, Path], tmp_path: Path, capsys: Capture
) -> None:
    out = ("--out", tmp_path / "table.json")
    sheet, grey = pictures["sheet"], pictures["grey"]
    assert "no printed sheet" in refusal(capsys, 1, grey, *out)
    assert "--empty" in refusal(capsys, 1, sheet, *out)
    assert "not certain" in refusal(capsys, 1, sheet, "--empty", grey, *out)
    assert "not certain" in refusal(capsys, 1, grey, "--inner", "300x200", *out)
    assert "found 0 dice" in refusal(capsys, 1, grey, "--die", 16, *out)
    assert str(grey) in refusal(capsys, 1, sheet, grey, "--empty", grey, *out)
    assert "1280x300" in refusal(capsys, 1, sheet, "--empty", pictures["small"], *out)
    assert "leaves the picture" in refusal(capsys, 1, sheet, *out, "--area", "0,0", "5000,0", "9,900")
    assert "pi:0" in refusal(capsys, 1, "--camera", "pi", *out)
    assert "no such file" in refusal(capsys, 1, tmp_path / "none.jpg", *out)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("inner", ["300", "300x300", "200", "330x200", "300x225"])
def test_a_size_by_which_no_camera_sees_the_tray_is_refused(
    inner: str, pictures: dict[str, Path], tmp_path: Path, capsys: Capture
) -> None:
    said = refusal(capsys, 1, pictures["tray"], "--inner", inner, "--out", tmp_path / "table.json")
    assert re.search(r"found a (lens that sees|camera) \d+", said)
    assert "--inner WIDTHxHEIGHT" in said
    assert not list(tmp_path.iterdir())


def test_dice_left_in_the_empty_tray_are_counted_and_refused(
    pictures: dict[str, Path], tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table.commands.calibrate, "judge", sees_dice((480, 360), (400, 300), (20, 20)))
    words = (pictures["tray"], "--inner", "300x200", "--out", tmp_path / "table.json")
    assert "found 2 dice in the tray; accepted is" in refusal(capsys, 1, *words)
    assert not list(tmp_path.iterdir())
    assert run("calibrate", *words, "--surely-empty") == 0


def test_the_sheet_left_in_the_empty_tray_is_refused(
    pictures: dict[str, Path], tmp_path: Path, capsys: Capture
) -> None:
    sheet, out = pictures["sheet"], tmp_path / "table.json"
    said = refusal(capsys, 1, sheet, "--empty", sheet, "--area", *AREA, "--out", out)
    assert "found the printed sheet in the tray" in said


@pytest.mark.parametrize("moved_px", [0, 15])
def test_an_empty_picture_from_elsewhere_is_refused(moved_px: int, tmp_path: Path, capsys: Capture) -> None:
    scene = scene_with_a_tray()
    sheet = board_picture(KNOWN)
    paper = cv2.fillPoly(np.zeros(SIZE[::-1], np.uint8), [np.rint(KNOWN.sees(PAPER)).astype(int)], 1)
    with_sheet = saved(tmp_path / "sheet.png", np.where(paper[..., None] > 0, sheet, scene))
    empty = saved(tmp_path / "bare.png", noisy(np.roll(scene, moved_px, axis=1).astype(float), 5, 2))
    words = (with_sheet, "--empty", empty, "--area", *AREA, "--out", tmp_path / "table.json")
    if moved_px:
        assert f"the tray {moved_px} px from where it is" in refusal(capsys, 1, *words)
        other = saved(tmp_path / "other.png", scene_with_a_tray(seed=9))
        assert "another tray" in refusal(capsys, 1, *words[:2], other, *words[3:])
    else:
        assert run("calibrate", *words) == 0


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_the_sheets_paper_is_never_held_against_the_empty_tray(paper: str) -> None:
    (width, height), corners = PAPERS_MM[paper], np.array(PAPER_MM)
    left = (width - 210) / 2
    assert (corners.min(axis=0) <= (-left, -TOP_MM)).all()
    assert (corners.max(axis=0) >= (width - left, height - TOP_MM)).all()


def test_the_picture_may_come_from_the_pi_camera_or_a_folder(
    pictures: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = cv2.imread(str(pictures["sheet"]))
    sensor = Sensor(lambda number, size: cv2.resize(seen, size), modes=[mode(SIZE, 40.0, (0, 0, *SIZE))])
    plug_in(monkeypatch, sensor)
    folder = tmp_path / "stills"
    folder.mkdir()
    saved(folder / "1.png", seen)
    saved(folder / "2.png", seen[:300])
    told = []
    for source in ("pi", folder):
        out = tmp_path / f"{Path(source).name}.json"
        assert run("calibrate", "--camera", source, "--area", *AREA, "--out", out) == 0
        told.append(load_calibration(out).floor_pose)
    assert told[0] == told[1]
    assert not sensor.in_use


def test_a_webcam_that_ends_before_its_exposure_has_settled_is_one_line(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Brief:
        live = True

        def frames(self) -> Iterator[Frame]:
            yield Frame(0, 0.1, np.zeros((64, 64, 3), np.uint8))

    monkeypatch.setattr(table.commands.calibrate, "open_source", lambda name: Brief())
    assert "usb:0" in refusal(capsys, 1, "--camera", "usb:0", "--out", tmp_path / "table.json")


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["x.jpg", "--camera", "usb:0"],
        ["x.jpg", "--sheet", "y.pdf"],
        ["--sheet", "y.png"],
        ["x.jpg", "--inner", "300x200x100"],
        ["x.jpg", "--inner", "3"],
        ["x.jpg", "--inner", "300x200", "--shape", "round"],
        ["x.jpg", "--shape", "octagon"],
        ["x.jpg", "y.jpg", "--inner", "300"],
        ["x.jpg", "--die", "big"],
        ["x.jpg", "--area", "1,2", "3,4"],
        ["x.jpg", "--area", "1;2"],
        ["x.jpg", "--ruler", "10"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_one_line(words: list[str], capsys: Capture) -> None:
    assert "accepted" in refusal(capsys, 2, *words, "--out", "no-such-table.json") or words[:1] == ["x.jpg"]
