"""Which voices there are, how loud they are, and that a voice may be changed while it speaks."""

from __future__ import annotations

import io
import wave
from pathlib import Path

import numpy as np
import pytest

from scoring.languages import Language
from table.errors import VoiceError
from table.voice import choosing, speech_engines
from table.voice.choosing import engine_of, speaks, voices
from table.voice.speech_engines import Espeak
from table.voice.volume import at_volume


def sound(samples: list[int], depth: int = 2) -> bytes:
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(depth)
        file.setframerate(22050)
        file.writeframes(np.array(samples, {1: "u1", 2: "<i2"}[depth]).tobytes())
    return made.getvalue()


def samples(wav: bytes) -> list[int]:
    with wave.open(io.BytesIO(wav)) as file:
        assert file.getframerate() == 22050
        return [int(each) for each in np.frombuffer(file.readframes(file.getnframes()), "<i2")]


def test_a_sound_is_made_louder_and_quieter_and_never_wraps_around() -> None:
    wav = sound([0, 100, -100, 30000, -30000])
    assert at_volume(wav, 100) == wav
    assert samples(at_volume(wav, 50)) == [0, 50, -50, 15000, -15000]
    assert samples(at_volume(wav, 200)) == [0, 200, -200, 32767, -32768]


@pytest.mark.parametrize("wav", [b"", b"no sound at all", sound([1, 2], depth=1)])
def test_what_is_no_such_sound_is_refused(wav: bytes) -> None:
    with pytest.raises(VoiceError, match="accepted"):
        at_volume(wav, 50)


@pytest.mark.parametrize(
    ("name", "languages"),
    [
        ("espeak", set(Language)),
        ("piper:/a/da_DK-talesyntese-medium.onnx", {Language.DANISH}),
        ("piper:/a/no_NO-talesyntese-medium.onnx", {Language.NORWEGIAN}),
        ("piper:/fi_x/my own voice.onnx", set(Language)),
    ],
)
def test_a_voice_speaks_the_language_its_name_tells(name: str, languages: set[Language]) -> None:
    assert {language for language in Language if speaks(name, language)} == languages


def test_the_voices_of_a_language_are_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing.shutil, "which", lambda program: f"/usr/bin/{program}")
    for name in ("da_DK-talesyntese-medium", "fi_FI-harri-low"):
        (tmp_path / f"{name}.onnx").touch()
    danish = f"piper:{tmp_path}/da_DK-talesyntese-medium.onnx"
    assert voices(Language.DANISH, tmp_path, "espeak") == ("espeak", danish)
    assert voices(Language.ENGLISH, tmp_path, danish) == ("espeak",)
    assert voices(Language.DANISH, None, danish) == ("espeak", danish)
    monkeypatch.setattr(choosing.shutil, "which", lambda _: None)
    assert voices(Language.DANISH, tmp_path, "espeak") == ("espeak",)


def test_a_voice_of_another_language_gives_way_to_espeak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech_engines.shutil, "which", lambda program: f"/usr/bin/{program}")
    assert engine_of("piper:/fi_FI-harri-low.onnx", Language.DANISH) == Espeak(
        Language.DANISH, "/usr/bin/espeak-ng"
    )
    with pytest.raises(VoiceError, match="no such file"):
        engine_of("piper:/fi_FI-harri-low.onnx", Language.FINNISH)
    assert engine_of("off", Language.FINNISH) is None
