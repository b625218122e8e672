"""`titusind judge`: what it prints and when it fails, with a judge that says what the test tells it to."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import table.judging
from table.cli import main
from vision.domain import DieReading, DieState, Reason, ReasonKind, Ruling, TableCalibration, Verdict
from vision.opencv import cv2

CORNERS = np.array([[10.04, 10], [30, 10], [30, 30], [10, 30]])
TILTED = Verdict(
    Ruling.MISROLL,
    (Reason(ReasonKind.TILTED, 1, "12 degrees"),),
    (
        DieReading(5, 0.98765, (20.0, 20.0), CORNERS, DieState.FLAT),
        DieReading(
            None, 0.1, (50.0, 20.0), CORNERS + 30, DieState.TILTED, 12.3456, 0.0, np.float64(-4.0), 0.98765
        ),
    ),
)
VALID = Verdict(Ruling.VALID, (), tuple(DieReading(n, 1, (0, 0), CORNERS, DieState.FLAT) for n in (6, 1)))


class FakeJudge:
    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self.expected: list[int | None] = []

    def __call__(
        self, image: object, calibration: TableCalibration | None = None, expected_dice: int | None = None
    ) -> Verdict:
        self.expected.append(expected_dice)
        return self.verdict


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> FakeJudge:
    fake = FakeJudge(TILTED)
    monkeypatch.setattr(table.judging, "judge", fake)
    return fake


@pytest.fixture
def picture(tmp_path: Path) -> str:
    path = tmp_path / "throw.png"
    cv2.imwrite(str(path), np.full((40, 60, 3), 120, np.uint8))
    return str(path)


def test_json_has_the_fields_of_the_contract(
    judge: FakeJudge, picture: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judge", picture, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record.pop("ms") >= 0
    assert record == {
        "image": picture,
        "verdict": "misroll",
        "faces": None,
        "reasons": [{"kind": "tilted", "die": 1, "detail": "12 degrees"}],
        "dice": [
            {
                "face": 5,
                "confidence": 0.988,
                "center_px": [20.0, 20.0],
                "corners_px": [[10.0, 10.0], [30.0, 10.0], [30.0, 30.0], [10.0, 30.0]],
                "state": "flat",
                "tilt_deg": None,
                "height_mm": None,
                "margin_mm": None,
                "lean_chance": None,
                "raised_chance": None,
                "rival": None,
            },
            {
                "face": None,
                "confidence": 0.1,
                "center_px": [50.0, 20.0],
                "corners_px": [[40.0, 40.0], [60.0, 40.0], [60.0, 60.0], [40.0, 60.0]],
                "state": "tilted",
                "tilt_deg": 12.35,
                "height_mm": 0.0,
                "margin_mm": -4.0,
                "lean_chance": 0.988,
                "raised_chance": None,
                "rival": None,
            },
        ],
    }


def test_a_person_reads_verdict_reasons_and_dice(
    judge: FakeJudge, picture: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judge", picture]) == 0
    head, *rest = capsys.readouterr().out.splitlines()
    assert head.startswith(f"{picture}: misroll (")
    assert rest == [
        "  tilted: 12 degrees",
        "  5 at (20, 20), flat, confidence 0.99",
        "  ? at (50, 20), tilted, confidence 0.10, tilt 12.3 degrees, height 0.0 mm, margin -4.0 mm",
    ]


def test_valid_faces_are_sorted(judge: FakeJudge, picture: str, capsys: pytest.CaptureFixture[str]) -> None:
    judge.verdict = VALID
    main(["judge", picture, "--json"])
    assert json.loads(capsys.readouterr().out)["faces"] == [1, 6]
    main(["judge", picture])
    assert ": valid 1 6 (" in capsys.readouterr().out


def test_a_bad_picture_is_one_line_and_the_others_are_done(
    judge: FakeJudge, picture: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.jpg").write_text("no picture")
    assert main(["judge", str(tmp_path / "text.jpg"), picture, str(tmp_path / "gone.jpg"), "--json"]) == 1
    said = capsys.readouterr()
    assert [json.loads(line)["image"] for line in said.out.splitlines()] == [picture]
    assert ["text.jpg" in said.err.splitlines()[0], "gone.jpg" in said.err.splitlines()[1]] == [True, True]
    assert len(said.err.splitlines()) == 2


def test_expect_reaches_the_judge(judge: FakeJudge, picture: str) -> None:
    main(["judge", picture])
    main(["judge", picture, "--expect", "6"])
    assert judge.expected == [None, 6]


@pytest.mark.parametrize("word", ["0", "-3", "six", "2.5", "100", "²"])
def test_expect_out_of_range_is_wrong_usage(capsys: pytest.CaptureFixture[str], word: str) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["judge", "a.jpg", f"--expect={word}"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_bad_calibration_is_a_bad_configuration(
    judge: FakeJudge, picture: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "table.json").write_text('{"area_px": [[0, 0], [1, 1]]}')
    for name in ("table.json", "gone.json"):
        assert main(["judge", picture, "--table", str(tmp_path / name)]) == 2
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1)
        assert name in said.err


def test_a_calibration_for_another_size_is_told_with_both_sizes(
    judge: FakeJudge, picture: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    area = [[0, 0], [600, 0], [600, 400], [0, 400]]
    (tmp_path / "table.json").write_text(json.dumps({"image_size": [640, 480], "area_px": area}))
    assert main(["judge", picture, "--table", str(tmp_path / "table.json")]) == 1
    said = capsys.readouterr().err
    assert "60x40" in said
    assert "640x480" in said


def test_an_overlay_of_every_picture_is_written_under_a_name_of_its_own(
    judge: FakeJudge, picture: str, tmp_path: Path
) -> None:
    other = tmp_path / "rig" / "throw.png"
    other.parent.mkdir()
    other.write_bytes(Path(picture).read_bytes())
    folder = tmp_path / "drawn" / "here"
    assert main(["judge", picture, str(other), "--overlay", str(folder)]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["rig-throw.png", "throw.png"]
    drawn = cv2.imread(str(folder / "throw.png"))
    assert drawn is not None
    assert (drawn != 120).any()


def test_a_folder_that_overlays_cannot_be_written_to_is_a_wrong_setting(
    judge: FakeJudge, picture: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judge", picture, "--overlay", picture]) == 2
    assert picture in capsys.readouterr().err


def test_an_overlay_folder_that_is_a_file_is_a_bad_configuration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = tmp_path / "notes.txt"
    taken.write_text("1 1 5")
    assert main(["judge", str(tmp_path / "any.png"), "--overlay", str(taken)]) == 2
    told = capsys.readouterr().err
    assert str(taken) in told
    assert "accepted is a folder" in told
