"""Makes a sound louder or quieter, whatever plays it."""

from __future__ import annotations

import io
import wave

import numpy as np

from table.errors import VoiceError

FULL = 100  # percent: as the engine made it
DEEPEST = 2  # bytes a sample


def at_volume(wav: bytes, percent: int) -> bytes:
    """Return a WAV file of 16-bit samples at `percent` of its loudness, clipped where it would be too loud.

    Raises VoiceError for what is no such file.
    """
    if percent == FULL:
        return wav
    try:
        with wave.open(io.BytesIO(wav)) as sound:
            channels, depth, rate = sound.getnchannels(), sound.getsampwidth(), sound.getframerate()
            if depth != DEEPEST:
                raise VoiceError(f"a sound of {8 * depth} bits; accepted: 16 bits")
            samples = np.frombuffer(sound.readframes(sound.getnframes()), "<i2")
    except (wave.Error, EOFError, ValueError) as error:
        raise VoiceError(f"no sound ({error}); accepted is a WAV file") from error
    limits = np.iinfo(np.int16)
    scaled = np.clip(samples * (percent / FULL), limits.min, limits.max).astype("<i2")
    return _wav(scaled.tobytes(), channels, rate)


def _wav(samples: bytes, channels: int, rate: int) -> bytes:
    made = io.BytesIO()
    with wave.open(made, "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(DEEPEST)
        sound.setframerate(rate)
        sound.writeframes(samples)
    return made.getvalue()
