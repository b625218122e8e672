"""Label formats: small folders written here, and the shared ones where they are present."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from table.evaluation.formats import read_folder
from table.evaluation.labels import Box, LabelError, TrueVerdict
from vision.domain import ReasonKind, Ruling

NO_FACES = (0, 7, 9, "x", 3.0, None, True)
SHARED = Path(__file__).parents[3] / "shared"


def write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def rig(folder: Path, **truth: object) -> Path:
    write(folder / "table.json", json.dumps({"image_size": [200, 100]}))
    write(folder / "empty.jpg")
    write(folder / "000.jpg")
    write(folder / "000.json", json.dumps(truth))
    return folder


def rig_die(**changes: object) -> dict[str, object]:
    corners = [[20, 10], [40, 10], [40, 30], [20, 30]]
    die = {
        "face": 4,
        "state": "flat",
        "tilt_deg": 0.0,
        "visible": 1.0,
        "in_frame": True,
        "corners_px": corners,
    }
    return die | changes


def one_die(**changes: object) -> dict[str, object]:
    return {"verdict": "valid", "reasons": [], "n_expected": 1, "dice": [rig_die(**changes)]}


def test_readings(tmp_path: Path) -> None:
    rows = 'image,dice,faces,condition,notes\na.jpg,3,1-3-3,flat,"x, y"\nb.jpg,0,,flat,\nc.jpg,1,6,leaning,\n'
    write(tmp_path / "readings.csv", rows)
    (tmp_path / "images").mkdir()
    folder = read_folder(tmp_path)
    a, b, c = folder.stills
    assert folder.labels == "readings"
    assert a.path == tmp_path / "images" / "a.jpg"
    assert [die.face for die in a.dice] == [1, 3, 3]
    assert a.verdict == TrueVerdict(Ruling.VALID)
    assert (b.dice, b.verdict) == ((), None)
    assert c.verdict is None


def test_yolo(tmp_path: Path) -> None:
    write(tmp_path / "images" / "a.jpg")
    write(tmp_path / "images" / "b.PNG")
    write(tmp_path / "labels" / "a.txt", "0 0.5 0.5 0.2 0.4\n\n5 0.25 0.25 0.5 0.5\n")
    folder = read_folder(tmp_path)
    a, b = folder.stills
    assert folder.labels == "yolo"
    assert [die.face for die in a.dice] == [1, 6]
    assert a.dice[1].box == Box(0.0, 0.0, 0.5, 0.5)
    assert b.dice == ()


def test_a_rig_leaves_the_empty_tray_out_and_open_what_the_picture_cannot_show(tmp_path: Path) -> None:
    gone = rig_die(state="outside", in_frame=False)
    reasons = ["missing", "outside"]
    rig(tmp_path, verdict="misroll", reasons=reasons, n_expected=6, dice=[rig_die(), gone])
    (still,) = read_folder(tmp_path).stills
    assert still.expected_dice == 6
    assert still.table == tmp_path / "table.json"
    assert [(die.face, die.box) for die in still.dice] == [(4, Box(0.1, 0.1, 0.2, 0.3))]
    assert still.verdict == TrueVerdict(
        Ruling.MISROLL, frozenset({ReasonKind.MISSING, ReasonKind.OUTSIDE}), frozenset({ReasonKind.OUTSIDE})
    )


@pytest.mark.parametrize(
    ("changes", "required"),
    [({}, True), ({"visible": 0.4}, False), ({"tilt_deg": 40}, False), ({"readable": False}, False)],
)
def test_a_die_hidden_or_too_steep_is_not_required(
    tmp_path: Path, changes: dict[str, object], required: bool
) -> None:
    rig(tmp_path, verdict="valid", reasons=[], n_expected=1, dice=[rig_die(**changes)])
    (still,) = read_folder(tmp_path).stills
    assert [die.required for die in still.dice] == [required]


def test_crops(tmp_path: Path) -> None:
    write(tmp_path / "2" / "a.png")
    write(tmp_path / "6" / "b.png")
    assert [still.dice[0].face for still in read_folder(tmp_path).stills] == [2, 6]


def test_pictures_without_labels_are_empty_only_on_the_callers_word(tmp_path: Path) -> None:
    write(tmp_path / "a.jpg")
    with pytest.raises(LabelError, match="--empty"):
        read_folder(tmp_path)
    (still,) = read_folder(tmp_path, unlabelled_is_empty=True).stills
    assert (still.dice, still.verdict) == ((), None)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("readings.csv", "image,faces\na.jpg,1\n", "column dice"),
        ("readings.csv", "", "column dice, faces, image"),
        ("readings.csv", "image,dice,faces\n", "no pictures"),
        ("table.json", "{}", "image_size"),
    ],
)
def test_folders_that_cannot_be_read_are_told_in_one_line(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    if name.endswith("json"):
        rig(tmp_path, verdict="valid", reasons=[], n_expected=0, dice=[])
    write(tmp_path / name, text)
    with pytest.raises(LabelError, match=said) as caught:
        read_folder(tmp_path)
    assert "\n" not in str(caught.value)


def left_out(folder: Path) -> str:
    """The one line of a folder of two pictures, of which one has wrong labels and the other is read."""
    read = read_folder(folder)
    (still,) = read.stills
    assert still.path.stem in ("b", "001")
    (line,) = read.left_out
    assert "\n" not in line
    return line


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("a.jpg,1,7", r"readings.csv:2: faces '7'"),
        ("a.jpg,3,1-2", r"readings.csv:2: '3' dice but 2 faces"),
        ("a.jpg", r"readings.csv:2: "),
    ],
)
def test_a_row_that_is_wrong_leaves_its_picture_out(tmp_path: Path, row: str, said: str) -> None:
    write(tmp_path / "readings.csv", f"image,dice,faces\n{row}\nb.jpg,1,1\n")
    assert re.search(said, left_out(tmp_path))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("6 0.5 0.5 0.1 0.1", r"a.txt:1: class 6"),
        ("0 0.5 0.5 0.1", r"a.txt:1: '0 0.5 0.5 0.1'"),
        ("1 0.5 7 0.1 0.1", r"a\.txt:1: .* fractions"),
        ("1 nan 0.5 0.1 0.1", r"a\.txt:1: .* fractions"),
        ("1 0.5 0.5 inf 0.1", r"a\.txt:1: .* fractions"),
        ("1 -0.1 0.5 0.1 0.1", r"a\.txt:1: .* fractions"),
        ("1 0.5 0.5 0.1 -0.1", r"a\.txt:1: .* fractions"),
    ],
)
def test_a_box_that_is_wrong_leaves_its_picture_out(tmp_path: Path, line: str, said: str) -> None:
    for name, text in (("a", line), ("b", "0 0.5 0.5 0.2 0.2")):
        write(tmp_path / "images" / f"{name}.jpg")
        write(tmp_path / "labels" / f"{name}.txt", f"{text}\n")
    assert re.search(said, left_out(tmp_path))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "000.json: not JSON"),
        ("[]", "000.json: list"),
        ('{"dice": []}', "000.json: found no 'n_expected'|found no 'reasons'"),
        *(
            (json.dumps(one_die(face=face)), r"000\.json: found face")
            for face in (0, 7, 9, "x", 3.0, None, True)
        ),
    ],
)
def test_a_truth_that_is_wrong_leaves_its_picture_out(tmp_path: Path, text: str, said: str) -> None:
    rig(tmp_path, verdict="valid", reasons=[], n_expected=0, dice=[])
    write(tmp_path / "000.json", text)
    write(tmp_path / "001.jpg")
    write(tmp_path / "001.json", json.dumps(one_die(face=1)))
    assert re.search(said, left_out(tmp_path))


@pytest.mark.skipif(not (SHARED / "real").is_dir(), reason="needs the shared photographs")
def test_shared_photographs_are_all_there() -> None:
    for folder in ("autoyahtzee", "damiantab", "llkadenll", "nellbyler", "tomek", "wiktoria"):
        stills = read_folder(SHARED / "real" / "dev" / folder).stills
        pictures = set((SHARED / "real" / "dev" / folder / "images").iterdir())
        assert {still.path for still in stills} == pictures


@pytest.mark.skipif(not (SHARED / "bench").is_dir(), reason="needs the shared rendered rigs")
def test_shared_rigs_hold_seven_valid_throws_and_nine_misrolls_each() -> None:
    for folder in sorted((SHARED / "bench" / "rigs").iterdir()):
        verdicts = [still.verdict for still in read_folder(folder).stills]
        assert [verdict.ruling for verdict in verdicts if verdict].count(Ruling.VALID) == 7
        assert len(verdicts) == 16


def test_labels_without_a_picture_and_the_other_way_round_are_told(tmp_path: Path) -> None:
    yolo = tmp_path / "yolo"
    write(yolo / "images" / "a.jpg")
    for name in ("a", "b"):
        write(yolo / "labels" / f"{name}.txt", "0 0.5 0.5 0.2 0.4\n")
    assert [line.split(":")[0] for line in read_folder(yolo).left_out] == [str(yolo / "labels" / "b.txt")]
    made = rig(tmp_path / "rig", verdict="valid", reasons=[], n_expected=1, dice=[rig_die()])
    write(made / "001.jpg")
    write(made / "002.json", "{}")
    folder = read_folder(made)
    assert [line.split(":")[0] for line in folder.left_out] == [str(made / "001"), str(made / "002")]
    assert len(folder.stills) == 1
