"""Whether the table can be heard."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.languages import Language
from table.doctor.finding import Finding, good, warning
from table.errors import VoiceError
from table.voice.loudspeaker import SystemLoudspeaker
from table.voice.speech_engines import engine_named

SAID = "1, 2, 3"


def voice(name: str, language: Language) -> Iterator[Finding]:
    """Make a sound, look for a player; nothing is played."""
    try:
        engine = engine_named(name, language)
        if engine is None:
            yield good("voice", "off")
            return
        sound = engine.sound_of(SAID)
        SystemLoudspeaker()
    except VoiceError as error:
        yield warning("voice", str(error), "the table plays on in silence")
    else:
        yield good("voice", f"{name} in {language}, {len(sound) // 1000} kB for {SAID!r}")
