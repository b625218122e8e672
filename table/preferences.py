"""What people set on the page - language, voice, colours of players - and the file that remembers it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from scoring.languages import Language
from table.voice.choosing import FOLDER
from table.voice.speech_engines import ESPEAK_VOICE
from vision.whole_file import write_whole

FILE_NAME = "settings.json"
VOLUMES = (10, 200)  # percent of what the engine makes
COLOURS = 10  # that a player can have, by number


@dataclass(frozen=True, slots=True)
class Preferences:
    """`voice` as `--voice` names it; `volume` in percent; `colours`: numbers by player's name.

    `advice`: whether risks and the best choice are shown."""

    language: Language = Language.ENGLISH
    voice: str = ESPEAK_VOICE
    muted: bool = False
    volume: int = 100
    advice: bool = True
    colours: Mapping[str, int] = field(default_factory=dict)


class RememberedPreferences:
    """The preferences at this table now, and in `path`; None: they are forgotten when the program ends.

    `named`: what the command line says, which counts before what the file says and is not written there.
    `complain` is told of a file that cannot be read or written; the table plays on all the same.
    """

    def __init__(
        self, path: Path | None = None, complain: Callable[[object], None] = print, **named: object
    ) -> None:
        self._path, self._complain = path, complain
        self._written = Preferences() if path is None else self._read(path)
        self.now = replace(self._written, **_fields(named))

    @property
    def voices_folder(self) -> Path | None:
        """Where voices of piper are found by themselves."""
        return None if self._path is None else self._path.with_name(FOLDER)

    def change(self, **changes: object) -> None:
        """Set what `changes` name, and remember it."""
        self._written = replace(self._written, **_fields(changes))
        self.now = replace(self.now, **_fields(changes))
        if self._path is None:
            return
        text = json.dumps(asdict(self._written), ensure_ascii=False, indent=1)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, text.encode())
        except OSError as error:
            self._complain(
                f"{self._path}: cannot be written ({error.strerror}); what was set counts until the end"
            )

    def _read(self, path: Path) -> Preferences:
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return Preferences()
        except (OSError, ValueError, RecursionError) as error:
            self._complain(f"{path}: cannot be read ({error}); accepted is what titusind wrote there")
            return Preferences()
        if not isinstance(record, dict):
            self._complain(f"{path}: cannot be read (no object); accepted is what titusind wrote there")
            return Preferences()
        return self._accepted(path, record)

    def _accepted(self, path: Path, record: dict[str, Any]) -> Preferences:
        """Return what can be used of a file; the rest is complained of and left out."""
        accepted = {}
        for key, fits in _FITS.items():
            if key not in record:
                continue
            if fits(record[key]):
                accepted[key] = record[key]
            else:
                self._complain(f"{path}: {key}: found {record[key]!r}; it is left out")
        return replace(Preferences(), **_fields(accepted))


def _fields(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values as they are kept."""
    return {key: Language(value) if key == "language" else value for key, value in changes.items()}


def _is_number(value: object, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _are_colours(value: object) -> bool:
    return isinstance(value, dict) and all(_is_number(each, 0, COLOURS - 1) for each in value.values())


_FITS: dict[str, Callable[[Any], bool]] = {
    "language": lambda value: value in list(Language),
    "voice": lambda value: isinstance(value, str) and value.isprintable(),
    "muted": lambda value: isinstance(value, bool),
    "volume": lambda value: _is_number(value, *VOLUMES),
    "advice": lambda value: isinstance(value, bool),
    "colours": _are_colours,
}
