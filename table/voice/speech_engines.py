"""Text to sound: espeak-ng, which speaks all our languages, or piper where it and a voice are installed.

Both are programs of the system; a sound is a WAV file in memory.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from scoring.languages import Language
from table.errors import VoiceError

ESPEAK, PIPER = "espeak-ng", "piper"
ESPEAK_VOICE, NO_VOICE = "espeak", "off"  # as `--voice` names them
WORDS_A_MINUTE = 160
LONGEST_S = 10.0  # that making one sound may take
ACCEPTED = "espeak, piper:VOICE.onnx, off"


class SpeechEngine(Protocol):
    """Makes speech of text."""

    def sound_of(self, text: str) -> bytes:
        """Return `text` spoken, as a WAV file; raises VoiceError."""
        ...


@dataclass(frozen=True, slots=True)
class Espeak:
    """espeak-ng, the program `program`."""

    language: Language
    program: str = ESPEAK

    def sound_of(self, text: str) -> bytes:
        """Return `text` spoken, as a WAV file; raises VoiceError."""
        return _run(
            [self.program, "-v", self.language, "-s", str(WORDS_A_MINUTE), "--stdin", "--stdout"], text
        )


@dataclass(frozen=True, slots=True)
class Piper:
    """piper with a voice of its own, which speaks the language it was trained on."""

    voice: Path
    program: str = PIPER

    def sound_of(self, text: str) -> bytes:
        """Return `text` spoken, as a WAV file; raises VoiceError."""
        return _run([self.program, "--model", str(self.voice), "--output_file", "-"], text)


def engine_named(name: str, language: Language) -> SpeechEngine | None:
    """Return the engine that `--voice` names, None for `off`; raises VoiceError, saying what to install."""
    kind, _, voice = name.partition(":")
    if name == NO_VOICE:
        return None
    if name == ESPEAK_VOICE:
        return Espeak(language, _found(ESPEAK, "sudo apt-get install espeak-ng"))
    if kind == PIPER and voice:
        if not Path(voice).is_file():
            raise VoiceError(f"--voice: {voice}: no such file; accepted is a voice of piper, VOICE.onnx")
        return Piper(Path(voice), _found(PIPER, "pip install piper-tts"))
    raise VoiceError(f"--voice: found {name!r}; accepted: {ACCEPTED}")


def _found(program: str, remedy: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise VoiceError(f"{program} is not installed: {remedy}, or --voice off")
    return path


def _run(command: list[str], text: str) -> bytes:
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, timeout=LONGEST_S, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", None) or str(error).encode()
        raise VoiceError(f"{command[0]}: {said.decode(errors='replace').strip()}") from error
    if not done.stdout:
        raise VoiceError(f"{command[0]}: made no sound; accepted is a voice that speaks")
    return done.stdout
