"""`titusind play`: what it plays on, how it ends, and what it refuses."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from scoring.game import Game, new_game
from scoring.languages import Language
from scoring.ruleset import load_preset
from table.cli import main
from table.commands import play
from table.errors import VoiceError
from table.game_arguments import chosen_game
from table.loop import TableLoop
from table.pacing import paced
from table.page.speech import Speech
from table.preferences import Preferences, RememberedPreferences
from table.state import TableState
from table.store.arguments import Beginning, begin_or_resume, default_path
from table.store.database import GameDatabase
from table.store.journal import Journal
from table.throw_watch import ThrowWatch
from table.touches import BeginGame, EnterThrow, read_touches
from table.voice import speech_engines
from table.voice.speech_engines import Espeak, Piper
from tests.table.staging import Still, frames
from tests.vision.sources.pi_camera_stand_in import Sensor, plug_in
from tests.vision.sources.views import view
from vision.errors import NoCameraError
from vision.sources import ClipSource, opening

ROOT = Path(__file__).parents[2]
SEEN_BY_NICEGUI = ("PYTEST_CURRENT_TEST", "NICEGUI_SCREEN_TEST_PORT")  # it serves differently under test
DEMO = ROOT / "table" / "demo"


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def answers(url: str) -> bool:
    """Whether a page is there, once the server has had time to start."""
    for _ in range(300):
        try:
            with urllib.request.urlopen(url) as page:
                return bool(page.status == 200)
        except urllib.error.URLError:
            time.sleep(0.1)
    return False


def test_the_table_plays_a_clip_serves_its_page_and_ends_at_ctrl_c(port: int) -> None:
    command = [sys.executable, "-m", "table.cli", "play", "--camera", str(DEMO / "demo.mp4")]
    command += [
        "--table",
        str(DEMO / "table.json"),
        "--port",
        str(port),
        "--players",
        "Eva,Ib",
        "--voice",
        "off",
    ]
    not_under_test = {key: value for key, value in os.environ.items() if key not in SEEN_BY_NICEGUI}
    with subprocess.Popen(
        command, cwd=ROOT, env=not_under_test, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as played:
        assert played.stdout is not None
        assert str(port) in played.stdout.readline()
        assert "Eva's turn" in played.stdout.readline()
        assert any("Valid throw" in line for line in played.stdout)  # printed as it happens
        assert answers(f"http://127.0.0.1:{port}/")
        played.send_signal(signal.SIGINT)
        _, said = played.communicate(timeout=60)
    assert (played.returncode, said) == (0, "")


def played_until(line: str, *arguments: str) -> list[str]:
    """Play in a process until it prints `line`, kill it, and return all that it had printed."""
    not_under_test = {key: value for key, value in os.environ.items() if key not in SEEN_BY_NICEGUI}
    command = [sys.executable, "-m", "table.cli", "play", *arguments]
    with subprocess.Popen(command, cwd=ROOT, env=not_under_test, stdout=subprocess.PIPE, text=True) as played:
        assert played.stdout is not None
        printed = []
        for said in played.stdout:
            printed.append(said.strip())
            if line in said:
                break
        played.kill()
    return printed


def test_a_game_that_was_killed_goes_on(port: int, tmp_path: Path) -> None:
    clip = ["--camera", str(DEMO / "demo.mp4"), "--table", str(DEMO / "table.json"), "--port", str(port)]
    clip += ["--games", str(tmp_path / "games.sqlite"), "--voice", "off"]
    first = played_until("set aside", *clip)
    assert not any("goes on" in line for line in first)
    again = played_until("set aside", *clip)
    assert any(line.startswith("The game begun on") for line in again)
    assert "Ada 0, Bo 0" in again[1]
    offered = first[-1].split("s  ")[1]
    assert again[-1].split("s  ")[1] == offered  # the throw lies as it lay
    anew = played_until("Ada's turn", *clip, "--new-game")
    assert not any("goes on" in line for line in anew)


def test_a_clip_is_kept_nowhere_and_a_camera_where_data_belongs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    parser = argparse.ArgumentParser()
    play.configure(parser)
    args, game = parser.parse_args([]), new_game(load_preset("danish"), ("Ada", "Bo"))
    assert begin_or_resume(args, game, live=False, complain=pytest.fail).journal is None
    begun = begin_or_resume(args, game, live=True, complain=pytest.fail)
    assert begun.journal is not None
    begun.journal.close()
    assert (tmp_path / "titusind" / "games.sqlite").is_file()
    monkeypatch.setenv("XDG_DATA_HOME", "not/absolute")
    assert default_path() == Path.home() / ".local" / "share" / "titusind" / "games.sqlite"


def test_the_bundled_clip_is_the_same_each_time(tmp_path: Path) -> None:
    parser, path = argparse.ArgumentParser(), tmp_path / "games.sqlite"
    play.configure(parser)
    args, game = parser.parse_args(["--games", str(path)]), new_game(load_preset("danish"), ("Ada", "Bo"))
    bundled = play._Scene(ClipSource(DEMO / "demo.mp4"), touches=read_touches(DEMO / "touches.jsonl"))
    assert play._beginning(game, bundled, args) == Beginning(game)
    assert not path.exists()


def test_games_in_use_are_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path, port: int) -> None:
    path = tmp_path / "games.sqlite"
    other = GameDatabase(path)
    other.games()
    arguments = ["--camera", str(DEMO / "demo.mp4"), "--port", str(port), "--games", str(path)]
    assert main(["play", *arguments]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert f"{path}: in use by another titusind" in said.err
    other.close()


def test_a_port_in_use_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = str(taken.getsockname()[1])
        assert main(["play", "--camera", str(DEMO / "demo.mp4"), "--port", number]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert number in said.err


@pytest.mark.parametrize("camera", ["pi", "usb:77", "usb:x", "gone.mp4", str(ROOT / "README.md")])
def test_a_camera_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str], camera: str) -> None:
    assert main(["play", "--camera", camera]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert camera in said.err


@pytest.mark.parametrize("there", [{"pi", "usb:0"}, {"usb:0"}, set()])
def test_without_a_word_the_first_camera_that_is_there_is_watched(
    monkeypatch: pytest.MonkeyPatch, there: set[str]
) -> None:
    def opened(name: str) -> str:
        if name not in there:
            raise NoCameraError(f"{name}: not there")
        return name

    monkeypatch.setattr(opening, "open_source", opened)
    watched = play._scene(None, None)
    expected = min(there, default=None)
    assert watched.camera == (expected or "")
    assert isinstance(watched.source, ClipSource) is (expected is None)


def test_a_camera_that_is_there_and_cannot_be_used_is_told_not_passed_over(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plug_in(monkeypatch, Sensor(view, in_use=True))
    assert main(["play"]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "busy" in said.err


@pytest.mark.parametrize("word", ["0", "0.01", "1001", "x", "-1"])
def test_a_pace_out_of_range_is_wrong_usage(capsys: pytest.CaptureFixture[str], word: str) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["play", f"--fps={word}"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [["--players", "Ada"], ["--rules", "martian"], ["--table", "gone.json"], ["--set", "opening=x"]],
)
def test_bad_settings_are_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(["play", "--camera", str(DEMO / "demo.mp4"), *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("word", ["0", "65536", "http", "-80"])
def test_a_port_out_of_range_is_wrong_usage(capsys: pytest.CaptureFixture[str], word: str) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["play", f"--port={word}"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_clip_is_shown_at_its_own_speed_without_dropping_frames() -> None:
    now, waited = [100.0], []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        now[0] += seconds

    shown = []
    for frame in paced(frames(Still({}, 0.5)), lambda: now[0], sleep):
        shown.append(frame.index)
        now[0] += 0.2 if frame.index == 3 else 0.01  # one frame is slow to judge
    assert shown == list(range(15))
    assert waited[4:9] == [0, 0, 0, 0, 0]  # it catches up
    assert now[0] == pytest.approx(100 + 14 / 30 + 0.01, abs=0.001)


def test_throws_are_kept_only_where_a_person_allows_it() -> None:
    parser = argparse.ArgumentParser()
    play.configure(parser)
    assert parser.parse_args([]).keep_throws is None
    assert parser.parse_args([]).keep_recordings is None
    assert parser.parse_args(["--keep-throws", "own"]).keep_throws == Path("own")


@pytest.mark.parametrize("keep", ["--keep-throws", "--keep-recordings"])
def test_throws_that_cannot_be_kept_are_one_line(
    keep: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, port: int
) -> None:
    folder = tmp_path / "file"
    folder.write_text("")
    arguments = ["--camera", str(DEMO / "demo.mp4"), "--port", str(port), keep, str(folder)]
    assert main(["play", *arguments]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert str(folder) in said.err


def test_without_a_camera_the_table_is_kept_and_goes_on(port: int, tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    arguments = ("--camera", "none", "--games", str(path), "--port", str(port), "--voice", "off")
    assert played_until("Ada's turn", *arguments)
    journal = Journal(GameDatabase(path), pytest.fail)
    found = journal.resume()
    assert found.state is not None
    begun = TableLoop(found.state, ThrowWatch(), keep=journal.keep)
    begun.touch(BeginGame(new_game(load_preset("finnish"), ("Åse", "Ib"), 1)))
    begun.touch(EnterThrow((1, 1, 1, 2, 3, 4)))
    journal.close()
    RememberedPreferences(tmp_path / "settings.json", pytest.fail).change(language=Language.DANISH)
    again = played_until("Turen går til Ib", *arguments)
    assert any("goes on: Åse 0, Ib 0" in line for line in again)
    english = played_until("Ib's turn", *arguments, "--language", "en")
    assert not any("Turen" in line for line in english)


def test_nobody_has_chosen_until_a_game_is_named_or_goes_on(tmp_path: Path) -> None:
    def beginning(*arguments: str) -> Beginning:
        parser = argparse.ArgumentParser()
        play.configure(parser)
        args = parser.parse_args(["--games", str(tmp_path / "games.sqlite"), *arguments])
        begun = begin_or_resume(args, chosen_game(args), live=True, complain=pytest.fail)
        if begun.journal is not None:
            loop = TableLoop(begun.start, ThrowWatch(), keep=begun.keep)
            loop.begin()
            if throws and begun.unchosen:
                loop.touch(EnterThrow((1, 1, 1, 2, 3, 4)))
            begun.journal.close()
        return begun

    throws = False
    assert beginning().unchosen
    assert beginning().unchosen  # nothing has happened in the one before
    assert not beginning("--players", "Eva,Ib").unchosen
    throws = True
    assert beginning().unchosen
    going_on = beginning()
    assert not going_on.unchosen
    assert isinstance(going_on.start, TableState)
    assert going_on.start.game.players == ("Eva", "Ib")
    anew = beginning("--new-game")
    assert anew.unchosen
    assert isinstance(anew.start, Game)
    assert anew.start.players == ("Eva", "Ib")


def test_a_table_started_without_a_voice_can_be_given_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    programs = {"espeak-ng": "/usr/bin/espeak-ng", "aplay": "/usr/bin/aplay"}
    monkeypatch.setattr(speech_engines.shutil, "which", programs.get)
    monkeypatch.setattr(Espeak, "sound_of", lambda *_: b"")
    preferences = RememberedPreferences(tmp_path / "settings.json", print, muted=True)
    voice = play._voice("off", preferences.now)
    speech = Speech(voice, preferences, lambda: "Ada")
    assert (voice.can_speak, voice.muted) == (False, True)
    del programs["espeak-ng"]
    with pytest.raises(VoiceError, match="apt-get install espeak-ng"):
        speech.mute(muted=False)
    assert (voice.muted, preferences.now.muted) == (True, True)
    programs["espeak-ng"] = "/usr/bin/espeak-ng"
    speech.mute(muted=False)
    voice.close()
    assert (voice.can_speak, voice.muted) == (True, False)
    assert not RememberedPreferences(tmp_path / "settings.json").now.muted


def test_what_speaks_is_what_was_asked_for_then_what_is_remembered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(speech_engines.shutil, "which", lambda program: f"/usr/bin/{program}")
    remembered = Preferences(voice=f"piper:{tmp_path}/gone.onnx", language=Language.DANISH)
    assert play._engine(None, remembered) == Espeak(Language.DANISH, "/usr/bin/espeak-ng")
    with pytest.raises(VoiceError, match="no such file"):
        play._engine(remembered.voice, remembered)
    assert play._engine("off", remembered) is None
    (tmp_path / "gone.onnx").touch()
    assert isinstance(play._engine(None, remembered), Piper)
    assert capsys.readouterr().out == ""
