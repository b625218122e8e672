"""The voice: which words, that the newest win, that a correction hushes, and that sound is heard."""

from __future__ import annotations

import io
import os
import shutil
import threading
import wave
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue

import numpy as np
import pytest

from scoring.events import Event, TurnStarted
from scoring.game import apply
from scoring.languages import Language
from table.errors import VoiceError
from table.events import Moment, TableEvent, Wait, WaitKind, game_events, paused
from table.voice.lines import Narrator
from table.voice.loudspeaker import SystemLoudspeaker
from table.voice.speech_engines import Espeak, Piper, engine_named
from table.voice.voice import Voice
from tests.scoring.playing import BANK, after, aside, game, throw

AT = Moment(3.2, 96)
SOON_S = 10.0
MUTE = frozenset({WaitKind.GAME_OVER, WaitKind.NOT_COUNTED})  # a person at the screen has just done it


def told(*events: Event) -> list[TableEvent]:
    return list(game_events(AT, events))


def corrected() -> TableEvent:
    return TableEvent(AT, "corrected", {"undone": "throw", "player": "Ada"})


class Shouting:
    """An engine whose sound is the text itself; the ones in `fails` cannot be made."""

    def __init__(self, *fails: str) -> None:
        self.fails = fails

    def sound_of(self, text: str) -> bytes:
        if text in self.fails:
            raise VoiceError(f"no sound of {text}")
        return text.encode()


@dataclass
class Playback:
    """Plays until it is stopped, or let go."""

    text: str
    ended: threading.Event = field(default_factory=threading.Event)
    stopped: bool = False

    def wait(self) -> None:
        assert self.ended.wait(SOON_S), f"nobody ended {self.text!r}"

    def stop(self) -> None:
        self.stopped = True
        self.ended.set()


class Room:
    """A loudspeaker and who listens to it."""

    def __init__(self) -> None:
        self.heard: list[Playback] = []
        self._changed = threading.Condition()

    def start(self, wav: bytes) -> Playback:
        with self._changed:
            self.heard.append(Playback(wav.decode()))
            self._changed.notify_all()
            return self.heard[-1]

    def hears(self, count: int) -> Playback:
        """Wait until so many texts have begun; return the last of them."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.heard) >= count, SOON_S)
            return self.heard[count - 1]


class Talk:
    """A voice in a room."""

    def __init__(self, *fails: str) -> None:
        self.room = Room()
        self.complaints: Queue[object] = Queue()
        self.voice = Voice(Narrator(Language.ENGLISH), Shouting(*fails), self.room, self.complaints.put)


@pytest.fixture
def talk() -> Iterator[Talk]:
    talking = Talk("nonsense")
    yield talking
    talking.voice.close()


def test_a_throw_is_told_with_its_best_set_asides_in_every_language() -> None:
    _, events = apply(game("danish"), throw("115236"))
    for language in Language:
        speech, _ = Narrator(language).narrate(told(*events))
        assert speech.text
        assert not any(letter.isdigit() for letter in speech.text)


def test_whose_turn_it_is_is_said_once_and_again_when_it_has_changed() -> None:
    narrator = Narrator(Language.ENGLISH)
    speech, narrator = narrator.narrate(told(TurnStarted("Ada")))
    assert "Ada" in speech.text
    speech, narrator = narrator.narrate(told(TurnStarted("Ada")))
    assert speech.text == ""
    speech, narrator = narrator.narrate(told(TurnStarted("Bo")))
    assert "Bo" in speech.text


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("kind", [kind for kind in WaitKind if kind not in MUTE])
def test_every_question_is_asked_aloud_in_every_language(kind: WaitKind, language: Language) -> None:
    english, _ = Narrator(Language.ENGLISH).narrate([paused(AT, Wait(kind, "for a reason"))])
    speech, _ = Narrator(language).narrate([paused(AT, Wait(kind, "for a reason"))])
    assert speech.text
    assert (speech.text == english.text) is (language is Language.ENGLISH)


def test_a_correction_hushes_and_anything_else_does_not() -> None:
    assert Narrator(Language.ENGLISH).narrate([corrected()])[0].hushes
    assert not Narrator(Language.ENGLISH).narrate(told(TurnStarted("Ada")))[0].hushes


def test_newer_words_cut_off_what_is_being_said_and_what_waited_is_never_said(talk: Talk) -> None:
    talk.voice.say("the first")
    first = talk.room.hears(1)
    talk.voice.say("the second")
    assert first.stopped
    second = talk.room.hears(2)
    assert (second.text, second.stopped) == ("the second", False)
    second.ended.set()
    talk.voice.close()
    assert [each.text for each in talk.room.heard] == ["the first", "the second"]


def test_a_correction_silences_the_voice_at_once(talk: Talk) -> None:
    talk.voice.hear(told(TurnStarted("Ada")))
    saying = talk.room.hears(1)
    talk.voice.hear([corrected()])
    assert saying.stopped
    talk.voice.close()
    assert len(talk.room.heard) == 1


def test_events_without_words_let_it_speak_on(talk: Talk) -> None:
    talk.voice.hear(told(TurnStarted("Ada")))
    saying = talk.room.hears(1)
    talk.voice.hear([TableEvent(AT, "throw_started", {})])
    assert not saying.stopped


def test_a_voice_turned_off_is_silent_at_once_and_says_nothing_until_it_is_on(talk: Talk) -> None:
    talk.voice.say("out loud")
    saying = talk.room.hears(1)
    talk.voice.mute(muted=True)
    assert saying.stopped
    talk.voice.say("unheard")
    talk.voice.mute(muted=False)
    talk.voice.say_turn("Bo")
    assert "Bo" in talk.room.hears(2).text


def test_what_cannot_be_said_is_told_once_in_one_line_and_the_next_words_are_tried(talk: Talk) -> None:
    talk.voice.say("nonsense")
    assert str(talk.complaints.get(timeout=SOON_S)) == "the voice: no sound of nonsense"
    talk.voice.say("nonsense")
    talk.voice.say("sense")
    assert talk.room.hears(1).text == "sense"
    assert talk.complaints.empty()


def test_a_banking_is_told_with_whose_turn_comes_next() -> None:
    _, events = apply(after(game("danish opening=0"), throw("115236"), aside("115")), BANK)
    speech, _ = Narrator(Language.ENGLISH, "Ada").narrate(told(*events))
    assert "two hundred" in speech.text
    assert "Bo" in speech.text


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
@pytest.mark.parametrize("language", Language)
def test_espeak_speaks_every_language_aloud(language: Language) -> None:
    with wave.open(io.BytesIO(Espeak(language).sound_of("1 - Ada, 10.000 - ja nei on"))) as sound:
        samples = np.frombuffer(sound.readframes(1 << 22), dtype=np.int16)
        assert len(samples) > sound.getframerate()
    assert np.abs(samples.astype(float)).mean() > 100


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
def test_the_languages_do_not_sound_alike() -> None:
    assert len({Espeak(language).sound_of("seks terninger tilbage") for language in Language}) == len(
        Language
    )


@pytest.fixture
def player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A player of sound that writes what it is given beside itself, then goes on playing."""
    script = tmp_path / "player"
    script.write_text('#!/bin/sh\nhead -c 5 > "$0.heard"\ntouch "$0.ready"\nexec sleep "${1:-0}"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    return script


def test_the_loudspeaker_gives_the_sound_to_the_first_player_there_is(player: Path) -> None:
    SystemLoudspeaker([("no-such-player",), ("player",)]).start(b"sound").wait()
    assert player.with_suffix(".heard").read_bytes() == b"sound"


def test_a_sound_that_is_stopped_ends_without_complaint(player: Path) -> None:
    playing = SystemLoudspeaker([("player", "60")]).start(b"sound")
    playing.stop()
    playing.wait()


def test_a_player_that_fails_is_told_with_its_own_words(tmp_path: Path) -> None:
    failing = tmp_path / "failing"
    failing.write_text("#!/bin/sh\ncat > /dev/null\necho no sound card >&2\nexit 1\n")
    failing.chmod(0o755)
    with pytest.raises(VoiceError, match="no sound card"):
        SystemLoudspeaker([(str(failing),)]).start(b"sound").wait()


def test_no_player_at_all_says_what_to_install() -> None:
    with pytest.raises(VoiceError, match="apt-get install alsa-utils"):
        SystemLoudspeaker([("no-such-player",)])


@pytest.mark.parametrize("name", ["", "flute", "piper", "piper:", "espeak:da"])
def test_a_voice_that_is_none_is_refused_with_those_accepted(name: str) -> None:
    with pytest.raises(VoiceError, match=r"accepted: espeak, piper:VOICE\.onnx, off"):
        engine_named(name, Language.DANISH)


def test_no_voice_is_no_engine_and_a_voice_of_piper_is_the_file_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert engine_named("off", Language.DANISH) is None
    with pytest.raises(VoiceError, match=r"da\.onnx: no such file"):
        engine_named(f"piper:{tmp_path / 'da.onnx'}", Language.DANISH)
    (tmp_path / "da.onnx").touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(VoiceError, match="pip install piper-tts"):
        engine_named(f"piper:{tmp_path / 'da.onnx'}", Language.DANISH)
    piper = tmp_path / "piper"
    piper.write_text('#!/bin/sh\n/bin/cat\necho " by $2"\n')
    piper.chmod(0o755)
    engine = engine_named(f"piper:{tmp_path / 'da.onnx'}", Language.DANISH)
    assert isinstance(engine, Piper)
    assert engine.sound_of("Hej").decode().strip() == f"Hej by {tmp_path / 'da.onnx'}"


def test_an_engine_that_makes_no_sound_is_a_fault() -> None:
    with pytest.raises(VoiceError, match="made no sound"):
        Espeak(Language.DANISH, "true").sound_of("Hej")


def test_another_language_is_spoken_from_the_next_words_on(talk: Talk) -> None:
    talk.voice.say("a long story")
    story = talk.room.hears(1)
    talk.voice.speak_by(Language.DANISH, Shouting())
    assert story.ended.wait(SOON_S)
    talk.voice.say_turn("Ada")
    assert talk.room.hears(2).text == "Din tur, Ada."
