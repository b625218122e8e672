"""How a table speaks: the language, by which voice, how loud. What is set is remembered."""

from __future__ import annotations

from collections.abc import Callable

from scoring.languages import Language
from table.preferences import VOLUMES, RememberedPreferences
from table.voice.choosing import engine_of, usable_engine
from table.voice.loudspeaker import SystemLoudspeaker
from table.voice.voice import Voice


class Speech:
    """Sets how `voice`, where there is one, speaks, in `preferences`; `player` tells whose turn it is."""

    def __init__(
        self, voice: Voice | None, preferences: RememberedPreferences, player: Callable[[], str]
    ) -> None:
        self._voice, self._preferences, self._player = voice, preferences, player

    def speak(self, language: Language) -> None:
        """Go over to `language`, on all pages, aloud and in print; raises VoiceError if it has no voice."""
        self._preferences.change(language=language)
        self._give_voice()

    def speak_by(self, voice: str) -> None:
        """Speak by the voice of that name; raises VoiceError, saying what is missing."""
        if self._voice is not None and engine_of(voice, self._preferences.now.language) is not None:
            self._preferences.change(voice=voice)
            self._give_voice()

    def mute(self, *, muted: bool) -> None:
        """Turn the voice off, at once, or on again; there it says whose turn it is.

        Raises VoiceError, saying what to install, where there is nothing to speak by.
        """
        if self._voice is not None and not muted and not self._voice.can_speak:
            self._find_voice(self._voice)
        self._preferences.change(muted=muted)
        if self._voice is not None:
            self._voice.mute(muted=muted)
            self._voice.say_turn(self._player())

    def set_volume(self, percent: int) -> None:
        """Speak so loud, in percent of what the voice is by itself, between VOLUMES."""
        least, most = VOLUMES
        self._preferences.change(volume=min(max(percent, least), most))
        if self._voice is not None:
            self._voice.volume = self._preferences.now.volume

    def _give_voice(self) -> None:
        now = self._preferences.now
        if self._voice is not None:
            engine = engine_of(now.voice, now.language) if self._voice.can_speak else None
            self._voice.speak_by(now.language, engine)

    def _find_voice(self, voice: Voice) -> None:
        now = self._preferences.now
        engine = usable_engine(now.voice, now.language)
        if engine is not None:
            voice.equip(engine, SystemLoudspeaker)
