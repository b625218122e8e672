"""Which voices there are to choose from, and the engine of the one that is chosen."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from scoring.languages import Language
from table.errors import VoiceError
from table.voice.speech_engines import ESPEAK, ESPEAK_VOICE, PIPER, SpeechEngine, engine_named

FOLDER = "voices"  # beside the games: voices of piper that are found by themselves
_LANGUAGE = re.compile(r"([a-z]{2})[_-]")  # that piper's voices begin with, as in da_DK-talesyntese-medium
_CODES = {Language.NORWEGIAN: ("nb", "no")}


def voices(language: Language, folder: Path | None, chosen: str) -> tuple[str, ...]:
    """Return the names, as `--voice` takes them, of the installed voices that speak `language`.

    Those of piper lie in `folder`, but for the one that is `chosen`.
    """
    found = (*_installed(folder), chosen)
    return tuple(dict.fromkeys(name for name in found if speaks(name, language)))


def is_any_installed(folder: Path | None) -> bool:
    """Return whether there is any voice to speak by; those of piper lie in `folder`."""
    return any(True for _ in _installed(folder))


def speaks(name: str, language: Language) -> bool:
    """Return whether the voice `name` speaks `language`, as far as its name tells."""
    told = _LANGUAGE.match(Path(name.removeprefix(f"{PIPER}:")).name) if name.startswith(PIPER) else None
    return told is None or told[1] in _CODES.get(language, (language.value,))


def title(name: str) -> str:
    """Return what the voice `name` is called on the page."""
    return Path(name).stem if name.startswith(PIPER) else ESPEAK


def engine_of(name: str, language: Language) -> SpeechEngine | None:
    """Return the engine of the voice `name`, or espeak-ng where that is of another language.

    None for `off`; raises VoiceError, saying what to install.
    """
    return engine_named(name if speaks(name, language) else ESPEAK_VOICE, language)


def usable_engine(name: str, language: Language) -> SpeechEngine | None:
    """Return the engine of the voice `name`, or espeak-ng where that is not there; raises VoiceError."""
    try:
        return engine_of(name, language)
    except VoiceError:
        return engine_named(ESPEAK_VOICE, language)


def _installed(folder: Path | None) -> Iterator[str]:
    if shutil.which(ESPEAK):
        yield ESPEAK_VOICE
    if folder is not None and shutil.which(PIPER):
        yield from (f"{PIPER}:{voice}" for voice in sorted(folder.glob("*.onnx")))
