"""How soon after its event a throw's set-asides are heard: `python -m benchmarks.voice`.

From the event to the first sample handed to the player, which adds its own buffer: some 0.1 s with ALSA's.
"""

from __future__ import annotations

import statistics
import threading
import time

from scoring.actions import Throw
from scoring.game import apply, new_game
from scoring.languages import Language
from scoring.ruleset import load_preset
from table.events import Moment, game_events
from table.output import complain
from table.voice.lines import Narrator
from table.voice.speech_engines import ESPEAK_VOICE, engine_named
from table.voice.voice import Voice

THROWS = ((1, 1, 5, 2, 3, 6), (1, 2, 3, 4, 5, 6), (2, 2, 2, 3, 4, 6), (5, 5, 5, 1, 1, 4))
ROUNDS = 10


class _Ear:
    """A loudspeaker that notes when it is given a sound, and is through with it at once."""

    def __init__(self) -> None:
        self.heard = threading.Event()

    def start(self, wav: bytes) -> _Ear:
        """Take the sound."""
        assert wav
        self.heard.set()
        return self

    def wait(self) -> None:
        """Nothing is played."""

    def stop(self) -> None:
        """Nothing is played."""


def main() -> None:
    """Print median and worst for every language."""
    for language in Language:
        engine = engine_named(ESPEAK_VOICE, language)
        assert engine is not None
        ear = _Ear()
        voice = Voice(Narrator(language), engine, ear, complain)
        times = sorted(_time_ms(voice, ear, throw) for throw in THROWS * ROUNDS)
        voice.close()
        median_ms, worst_ms = statistics.median(times), times[-1]
        print(f"{language}: median {median_ms:.0f} ms, worst {worst_ms:.0f} ms of {len(times)}")


def _time_ms(voice: Voice, ear: _Ear, faces: tuple[int, ...]) -> float:
    _, events = apply(new_game(load_preset("danish"), ("Ada", "Bo")), Throw(faces))
    told = tuple(game_events(Moment(0.0, 0), events))
    ear.heard.clear()
    start_s = time.perf_counter()
    voice.hear(told)
    ear.heard.wait()
    return 1000 * (time.perf_counter() - start_s)


if __name__ == "__main__":
    main()
