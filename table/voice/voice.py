"""Says what happens at the table, newest first: what a newer word has overtaken is not said any more."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from scoring.announcer import announce
from scoring.events import TurnStarted
from scoring.languages import Language
from table.errors import VoiceError
from table.events import TableEvent
from table.voice.lines import Narrator
from table.voice.loudspeaker import Loudspeaker, Playback
from table.voice.speech_engines import SpeechEngine
from table.voice.volume import FULL, at_volume

LAST_WORD_S = 3.0  # that ending waits for at most


class Voice:
    """Speaks in its own thread, so that nobody waits for it.

    One text waits at most: newer words take its place and cut off what is being said. A correction silences
    what is being said, with or without words of its own. A fault is told once by `complain`, then the voice
    tries again with the next words.
    """

    def __init__(
        self,
        narrator: Narrator,
        engine: SpeechEngine | None,
        loudspeaker: Loudspeaker | None,
        complain: Callable[[object], None],
        volume: int = FULL,
    ) -> None:
        self.volume = volume  # percent, of what is said from now on
        self._narrator = narrator
        self._engine = engine
        self._loudspeaker = loudspeaker
        self._complain = complain
        self._complained = False
        self._changed = threading.Condition()
        self._words = ""  # still to be said
        self._spoken = 0  # grows with all that is to be said, and with every hush
        self._playback: Playback | None = None
        self._closed = False
        self._muted = not self.can_speak
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    @property
    def can_speak(self) -> bool:
        """Whether there is something to speak by; else it is muted until `equip` brings it."""
        return self._engine is not None and self._loudspeaker is not None

    def equip(self, engine: SpeechEngine, loudspeaker: Callable[[], Loudspeaker]) -> None:
        """Speak by `engine` from now on, through `loudspeaker` where there is none yet; raises VoiceError."""
        with self._changed:
            self._loudspeaker = self._loudspeaker or loudspeaker()
            self._engine, self._complained = engine, False

    @property
    def muted(self) -> bool:
        """Whether a person has turned the voice off."""
        return self._muted

    def mute(self, *, muted: bool) -> None:
        """Turn the voice off, at once, or on again."""
        self._muted = muted
        self._replace("")

    def speak_by(self, language: Language, engine: SpeechEngine | None) -> None:
        """Speak `language` by `engine` from now on, and say no more of what was to be said before.

        None: by none, until `equip` brings one.
        """
        with self._changed:
            self._narrator = replace(self._narrator, language=language)
            self._engine, self._complained = engine, False
            self._replace("")

    def hear(self, events: Sequence[TableEvent]) -> None:
        """Say what came of one frame or touch."""
        with self._changed:
            speech, self._narrator = self._narrator.narrate(events)
            if speech.text or speech.hushes:
                self.say(speech.text)

    def say_turn(self, player: str) -> None:
        """Say whose turn it is, told before or not."""
        self.say(announce(TurnStarted(player), self._narrator.language).spoken)

    def say(self, text: str) -> None:
        """Say `text` in the place of all that is said or waits to be; an empty one hushes."""
        if not self._muted:
            self._replace(text)

    def close(self) -> None:
        """Be silent and end the thread."""
        self._closed = True
        self._replace("")
        self._thread.join(LAST_WORD_S)

    def _replace(self, text: str) -> None:
        with self._changed:
            self._words, self._spoken = text, self._spoken + 1
            if self._playback is not None:
                self._playback.stop()
            self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._words or self._closed)
                if self._closed:
                    return
                text, number, self._words = self._words, self._spoken, ""
            try:
                self._speak(text, number)
            except VoiceError as error:
                self._tell_once(error)

    def _speak(self, text: str, number: int) -> None:
        engine, loudspeaker = self._engine, self._loudspeaker
        if engine is None or loudspeaker is None:
            return
        sound = at_volume(engine.sound_of(text), self.volume)
        with self._changed:
            if number != self._spoken:  # overtaken while it was made
                return
            playback = self._playback = loudspeaker.start(sound)
        try:
            playback.wait()
        finally:
            with self._changed:
                self._playback = None

    def _tell_once(self, error: VoiceError) -> None:
        if not self._complained:
            self._complained = True
            self._complain(f"the voice: {error}")
