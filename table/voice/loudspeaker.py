"""Plays a sound through the system's own player, and stops it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from typing import Protocol

from table.errors import VoiceError

PLAYERS = (("aplay", "-q"), ("paplay",))  # both play a WAV file from standard input


class Playback(Protocol):
    """A sound that is being played."""

    def wait(self) -> None:
        """Return when it has ended or was stopped; raises VoiceError if it could not be played."""
        ...

    def stop(self) -> None:
        """Be silent at once; from any thread, also when it has ended."""
        ...


class Loudspeaker(Protocol):
    """Plays sounds."""

    def start(self, wav: bytes) -> Playback:
        """Begin to play a WAV file; raises VoiceError."""
        ...


class SystemLoudspeaker:
    """The first of PLAYERS that is installed; raises VoiceError where none is."""

    def __init__(self, players: Sequence[tuple[str, ...]] = PLAYERS) -> None:
        installed = [player for player in players if shutil.which(player[0])]
        if not installed:
            names = ", ".join(player[0] for player in players)
            raise VoiceError(
                f"no player for sound found ({names}): sudo apt-get install alsa-utils, or --voice off"
            )
        self._command = installed[0]

    def start(self, wav: bytes) -> Playback:
        """Begin to play a WAV file; raises VoiceError."""
        try:
            player = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
        except OSError as error:
            raise VoiceError(f"{self._command[0]}: {error.strerror}") from error
        return _Playing(self._command[0], player, wav)


class _Playing:
    def __init__(self, name: str, player: subprocess.Popen[bytes], wav: bytes) -> None:
        self._name = name
        self._player = player
        self._wav = wav
        self._stopped = False

    def wait(self) -> None:
        _, said = self._player.communicate(self._wav)
        if self._player.returncode and not self._stopped:
            raise VoiceError(f"{self._name}: {said.decode(errors='replace').strip() or 'failed'}")

    def stop(self) -> None:
        self._stopped = True
        self._player.terminate()
