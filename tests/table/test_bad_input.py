"""Bad input to any command: one line that says what was found and what is accepted, the right exit code.

Nothing else may reach standard error, neither from Python nor from C, and nothing may pass as a result.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from table.cli import main
from tests.table.staging import dice, write_clip
from vision.opencv import cv2

pytestmark = pytest.mark.filterwarnings("error")

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "table" / "demo"
CLIP = str(DEMO / "demo.mp4")
HEIGHT, WIDTH = 120, 160
AREA = [[0, 0], [159, 0], [159, 119], [0, 119]]
SCENE = np.random.default_rng(5).integers(60, 200, (HEIGHT, WIDTH, 3), dtype=np.uint8)
JPEG = cv2.imencode(".jpg", SCENE)[1].tobytes()
MIDDLE = len(JPEG) // 2

Capture = pytest.CaptureFixture[str]


def run(*words: str) -> int:
    """Exit code of the program."""
    try:
        return main(words)
    except SystemExit as stop:
        return int(str(stop.code))


def refusal(capture: Capture, code: int, *words: str) -> str:
    """Run the program, which must do nothing but complain in one line, and return that line."""
    assert run(*words) == code
    said = capture.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith("titusind: ")
    return said.err


def png(picture: np.ndarray) -> bytes:
    return bytes(cv2.imencode(".png", picture)[1].tobytes())


def oversized() -> bytes:
    """A JPEG whose header claims 100 megapixels."""
    size = JPEG.index(b"\xff\xc0") + 5
    return JPEG[:size] + (10_000).to_bytes(2) * 2 + JPEG[size + 4 :]


BAD_PICTURES = {
    "text": (b"1 1 5 3 2 6\n", "not a picture"),
    "zero": (b"", "zero bytes"),
    "tiny": (png(np.zeros((1, 1, 3), np.uint8)), "1x1"),
    "huge": (oversized(), "10000x10000"),
    "hole": (JPEG[:MIDDLE] + bytes(900) + JPEG[MIDDLE + 900 :], "damaged"),
    "gap": (JPEG[:MIDDLE] + JPEG[MIDDLE + 900 :], "damaged"),
    **{f"cut{percent}": (JPEG[: len(JPEG) * percent // 100], "cut off") for percent in (1, 30, 70, 99)},
}
GOOD_PICTURES = {
    "grey": SCENE[..., 0],
    "rgba": np.dstack([SCENE, np.full((HEIGHT, WIDTH), 200, np.uint8)]),
    "deep": SCENE.astype(np.uint16) * 257,
    "deepgrey": SCENE[..., 0].astype(np.uint16) * 257,
    "black": np.zeros_like(SCENE),
    "white": np.full_like(SCENE, 255),
    "thin": SCENE[:32],
}


@pytest.mark.parametrize("name", BAD_PICTURES)
def test_a_bad_picture(tmp_path: Path, capfd: Capture, name: str) -> None:
    data, found = BAD_PICTURES[name]
    path = tmp_path / "throw.jpg"
    path.write_bytes(data)
    said = refusal(capfd, 1, "judge", str(path), "--json")
    assert all(word in said for word in (str(path), found, "accepted"))


@pytest.mark.parametrize("name", GOOD_PICTURES)
def test_pictures_of_every_kind_are_judged_and_nothing_else_is_said(
    tmp_path: Path, capfd: Capture, name: str
) -> None:
    path = tmp_path / "throw.png"
    path.write_bytes(png(GOOD_PICTURES[name]))
    assert run("judge", str(path), "--json") == 0
    said = capfd.readouterr()
    assert json.loads(said.out)["image"] == str(path)
    assert said.err == ""


@pytest.mark.parametrize("command", [["judge"], ["replay"], ["play", "--camera"], ["evaluate"]])
@pytest.mark.parametrize("name", ["gone", "x" * 300, "file/within.jpg", "pipe"])
def test_a_path_to_nothing(tmp_path: Path, capfd: Capture, command: list[str], name: str) -> None:
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    assert str(tmp_path / name) in refusal(capfd, 1, *command, str(tmp_path / name))


@pytest.mark.parametrize("command", [["judge"], ["replay"], ["play", "--camera"]])
def test_a_directory_for_a_file(tmp_path: Path, capfd: Capture, command: list[str]) -> None:
    assert f"{tmp_path}: a directory" in refusal(capfd, 1, *command, str(tmp_path))


def test_names_of_every_kind(tmp_path: Path, capfd: Capture) -> None:
    raw = os.fsencode(tmp_path)
    names = [raw + name for name in (b"/two  spaces.jpg", "/ærø 骰.jpg".encode(), b"/a\nb.jpg", b"/\xff.jpg")]
    for name in names:
        Path(os.fsdecode(name)).write_bytes(JPEG)
    assert run("judge", "--json", *map(os.fsdecode, names)) == 0
    images = [json.loads(line)["image"] for line in capfd.readouterr().out.splitlines()]
    assert list(map(os.fsencode, images)) == names


def test_a_bad_name_is_told_in_one_line(tmp_path: Path, capfd: Capture) -> None:
    for name in (b"/a\nb", b"/\xff", b"/two  spaces"):
        for command in ("judge", "replay", "evaluate"):
            refusal(capfd, 1, command, os.fsdecode(os.fsencode(tmp_path) + name))
    assert "two  spaces" in refusal(capfd, 1, "judge", str(tmp_path / "two  spaces"))


def test_a_clip_whose_name_opencv_cannot_take(tmp_path: Path, capfd: Capture) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.mp4"))
    path.write_bytes(b"some video")
    assert "UTF-8" in refusal(capfd, 1, "replay", str(path))


def zero(whole: bytes) -> bytes:
    return whole[:0]


def first_half(whole: bytes) -> bytes:
    return whole[: len(whole) // 2]


def with_a_hole(whole: bytes) -> bytes:
    middle = len(whole) // 2
    return whole[:middle] + bytes(len(whole) // 8) + whole[middle + len(whole) // 8 :]


@pytest.mark.parametrize("damage", [zero, first_half, with_a_hole])
def test_a_bad_clip_is_played_as_far_as_it_goes_and_the_next_one_whole(
    tmp_path: Path, capfd: Capture, damage: Callable[[bytes], bytes]
) -> None:
    whole, bad = write_clip(tmp_path / "whole.mkv", dice(1, 2, 3)), tmp_path / "bad.mp4"
    bad.write_bytes(damage(Path(CLIP).read_bytes()))
    assert run("replay", str(bad), whole, "--json") == 1
    said = capfd.readouterr()
    assert whole in {json.loads(line)["clip"] for line in said.out.splitlines()}
    assert said.err.count("\n") == 1
    assert str(bad) in said.err


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"aera_px": AREA}, "unknown key 'aera_px'"),
        ({"area_px": [[0, 0], [1, 1]]}, "2 corners"),
        ({"area_px": "all of it"}, '"all of it"'),
        ({"die_mm": "16"}, '"16"'),
        ({"die_mm": -16}, "-16"),
        ({"die_mm": float("nan")}, "not finite"),
        ({"image_size": [640]}, "[640]"),
        ({"camera_matrix": [[1, 2], [3, 4]]}, "[[1, 2], [3, 4]]"),
        ({"floor_pose": {"rvec": [0, 0, 0]}}, "rvec"),
        ({"empty_image": "gone.jpg"}, "gone.jpg"),
        ({"empty_image": "table.json"}, "not a picture"),
        ("{", "not JSON"),
        ("[]", "[]"),
        ("", "not JSON"),
        (None, "No such file"),
    ],
)
@pytest.mark.parametrize("command", [["judge", "gone.jpg"], ["replay", CLIP], ["play", "--camera", CLIP]])
def test_a_bad_calibration(
    tmp_path: Path, capfd: Capture, command: list[str], change: object, found: str
) -> None:
    table = tmp_path / "table.json"
    if change is not None:
        text = change if isinstance(change, str) else json.dumps({"area_px": AREA, **dict(change)})  # type: ignore[call-overload]
        table.write_text(text)
    said = refusal(capfd, 2, *command, "--table", str(table))
    assert all(word in said for word in (str(table), found, "accepted"))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--rules", "martian"], "'martian'"),
        (["--rules", "gone.toml"], "gone.toml"),
        (["--rules", str(ROOT / "README.md")], "README.md"),
        (["--set", "straight"], "'straight'"),
        (["--set", "=0"], "'=0'"),
        (["--set", "straigth=0"], "straigth: found no such field"),
        (["--set", "target=1"], "target: found '1'"),
        (["--set", "hot_dice=never"], "hot_dice: found 'never'"),
    ],
)
@pytest.mark.parametrize("command", [["score", "115326"], ["replay", CLIP], ["play", "--camera", CLIP]])
def test_bad_rules(capfd: Capture, command: list[str], words: list[str], found: str) -> None:
    said = refusal(capfd, 2, *command, *words)
    assert found in said
    assert "accepted" in said


@pytest.mark.parametrize("text", ["straigth = 0\n", "target = 5\n", "target = 'x'\n", "target =\n", "\0"])
@pytest.mark.parametrize("command", [["rules"], ["score", "115326", "--rules"]])
def test_a_bad_file_of_rules(tmp_path: Path, capfd: Capture, command: list[str], text: str) -> None:
    (tmp_path / "house.toml").write_text(text)
    said = refusal(capfd, 2, *command, str(tmp_path / "house.toml"))
    assert "house.toml" in said
    assert "accepted" in said


@pytest.mark.parametrize(
    "names", ["Ada", "Ada,Ada", "Ada,", "", ",".join(map(str, range(30))), "Ada,B\no", f"Ada,{'o' * 99}"]
)
@pytest.mark.parametrize("command", [["replay", CLIP], ["play", "--camera", CLIP]])
def test_bad_players(capfd: Capture, command: list[str], names: str) -> None:
    said = refusal(capfd, 2, *command, "--players", names)
    assert "players: found" in said
    assert "accepted" in said


@pytest.mark.parametrize("option", ["--touches", "--expect"])
@pytest.mark.parametrize("data", [b"{", b"\xff", b"[1]\n", b"[" * 100_000, None])
def test_a_bad_file_of_events(tmp_path: Path, capfd: Capture, option: str, data: bytes | None) -> None:
    if data is not None:
        (tmp_path / "events.jsonl").write_bytes(data)
    said = refusal(capfd, 2, "replay", CLIP, option, str(tmp_path / "events.jsonl"))
    assert "events.jsonl" in said
    assert "accepted" in said


def test_a_touch_that_cannot_be_done_names_clip_and_time(tmp_path: Path, capfd: Capture) -> None:
    (tmp_path / "touches.jsonl").write_text('{"t_s": 0.5, "action": "bank"}\n')
    assert run("replay", CLIP, "--touches", str(tmp_path / "touches.jsonl"), "--json") == 1
    assert f"{CLIP}: touch at 0.5 s: " in capfd.readouterr().err


@pytest.mark.parametrize("host", ["x" * 300, "a..b", "203.0.113.1", ""])
def test_a_host_that_cannot_be_served_on(capfd: Capture, host: str) -> None:
    assert "--host" in refusal(capfd, 1, "play", "--camera", CLIP, "--host", host)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("readings.csv", b"\xff\xfe"),
        ("readings.csv", b"image,dice,faces\na.jpg,1,9\n"),
        ("table.json", b"{}"),
        ("table.json", b'{"image_size": 3}'),
        ("a.json", b'{"dice": [{"in_frame": true, "corners_px": [[1, 2]]}]}'),
        ("a.json", b'{"verdict": "fine", "reasons": [], "n_expected": 6, "dice": []}'),
        ("a.json", b'{"verdict": "valid", "reasons": [], "n_expected": "6", "dice": []}'),
        ("a.json", b"["),
    ],
)
def test_bad_labels(tmp_path: Path, capfd: Capture, name: str, data: bytes) -> None:
    (tmp_path / "a.jpg").write_bytes(JPEG)
    if name != "readings.csv":
        (tmp_path / "table.json").write_text('{"image_size": [160, 120]}')
        (tmp_path / "a.json").write_text("{}")
    (tmp_path / name).write_bytes(data)
    said = refusal(capfd, 1, "evaluate", str(tmp_path), "--json")
    assert str(tmp_path / name) in said
    assert "accepted" in said


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["jugde"],
        ["judge"],
        ["judge", "a.jpg", "--expect", "six"],
        ["replay", "a.mp4", "--dice", "7"],
        ["play", "--port", "0"],
        ["evaluate", ".", "--workers", "0"],
        ["score", "117"],
        ["score", "1111111"],
        ["rules", "--set", "straight=0"],
    ],
)
def test_wrong_usage(capfd: Capture, words: list[str]) -> None:
    refusal(capfd, 2, *words)


@pytest.mark.parametrize(
    ("library", "words", "cure"),
    [
        ("cv2", ["judge", "a.jpg"], "apt-get install libgl1"),
        ("cv2", ["replay", "a.mp4"], "apt-get install libgl1"),
        ("cv2", ["play"], "apt-get install libgl1"),
        ("cv2", ["evaluate", "."], "apt-get install libgl1"),
        ("nicegui", ["play", "--camera", CLIP], "cannot load nicegui"),
    ],
)
def test_a_library_that_cannot_be_loaded(tmp_path: Path, library: str, words: list[str], cure: str) -> None:
    (tmp_path / f"{library}.py").write_text(
        f"raise ImportError('libGL.so.1: cannot open shared object file', name={library!r})"
    )
    done = subprocess.run(
        [sys.executable, "-m", "table.cli", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert cure in done.stderr


def test_a_full_disk_behind_standard_output() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "table.cli", "rules"],
            cwd=ROOT,
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "No space left" in done.stderr
