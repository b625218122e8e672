"""Makes the clips a table is held to: `python -m datasets.table_clips [--out datasets/clips] [NAME...]`.

OUT/NAME gets `clip.mp4` with its truth `clip.json`, `table.json`, `empty.jpg`, and in `expect.jsonl` the
events that `titusind replay --table table.json --expect expect.jsonl` has to print, written from the truth
alone; what it is called with besides, and how every clip came about, stands in OUT/manifest.json. Where
nothing leans, light matters little: such clips are drawn flat.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from datasets.expected_events import expected_events
from datasets.filming import film_clip
from datasets.library import library_versions
from datasets.rig_maker import Order
from scoring.game import Game, new_game
from scoring.ruleset import load_preset, with_overrides
from table.command_line import EXIT_DONE, EXIT_FAILED, OneLineParser
from table.output import complain
from vision.calibration import CLIP_TRUTH_KEYS
from vision.opencv import cv2
from vision.sources import ClipSource

OUT: Final = Path(__file__).parent / "clips"
PLAYERS: Final = ("Ada", "Bo")
FLAT: Final = "flat"
OUTLINE: Final = ("image_size", "area_px")


@dataclass(frozen=True, slots=True)
class TableClip:
    """A clip to make: its story, its seed, and what the rules have otherwise than the preset.

    `outline_only`: its `table.json` knows the tray's outline and no camera, so that no lean is measured.
    """

    story: str
    seed: int
    rules: str = "danish"
    overrides: dict[str, str] = field(default_factory=dict)
    renderer: str = "mitsuba"
    outline_only: bool = False

    @property
    def arguments(self) -> list[str]:
        """What `titusind replay` is called with."""
        chosen = [word for key, value in self.overrides.items() for word in ("--set", f"{key}={value}")]
        return ["--rules", self.rules, *chosen, "--dice", "6"]

    def game(self) -> Game:
        """Return the game that the clip begins."""
        return new_game(with_overrides(load_preset(self.rules), self.overrides), list(PLAYERS))


CLIPS: Final[dict[str, TableClip]] = {
    "valid": TableClip("valid", 1),
    "leaning": TableClip("leaning", 1),
    "stacked": TableClip("stacked", 1),
    "outside": TableClip("outside", 1, renderer=FLAT),
    "missing": TableClip("missing", 1),
    "cup": TableClip("under-cup", 1, renderer=FLAT),
    "knock": TableClip("knocked", 1, overrides={"knock_relief": "yes"}),
    "two-throws": TableClip("two-throws", 1, renderer=FLAT, outline_only=True),
    "hot-dice": TableClip("hot-dice", 1, renderer=FLAT),
    "banked": TableClip("banked", 1, renderer=FLAT),
    "nudged": TableClip("nudged", 1, renderer=FLAT),
    "lights": TableClip("lights", 1, renderer=FLAT),
    "hand-rests": TableClip("hand-rests", 1, renderer=FLAT),
}


def make(name: str, folder: Path) -> None:
    """Film clip `name` into `folder` and write what has to be told of it."""
    clip = CLIPS[name]
    made = film_clip(Order(clip.seed, clip.story, 1, 1, clip.renderer), 0)
    film = made.files[f"{made.name}.mp4"]
    truth, record = (json.loads(made.files[f"{made.name}{end}"]) for end in (".json", ".rig.json"))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "clip.mp4").write_bytes(film)
    (folder / "empty.jpg").write_bytes(_first_picture(film))
    table = {key: value for key, value in truth.items() if key not in CLIP_TRUTH_KEYS}
    if clip.outline_only:
        table = {key: table[key] for key in OUTLINE}
    _write_lines(folder / "table.json", [table])
    _write_lines(folder / "clip.json", [truth])
    _write_lines(folder / "expect.jsonl", expected_events(record["told"], clip.game()))


def _first_picture(film: bytes) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "clip.mp4"
        path.write_bytes(film)
        frame = next(ClipSource(path).frames())
    done, data = cv2.imencode(".jpg", frame.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 95])
    if not done:
        raise ValueError("the empty tray cannot be written as JPEG")
    return bytes(data.tobytes())


def _write_lines(path: Path, records: Sequence[Any] | Iterator[Any]) -> None:
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")


def manifest(out: Path, made: dict[str, dict[str, Any]]) -> None:
    """Write how the clips in `out` came about, those of earlier runs kept."""
    path = out / "manifest.json"
    before = json.loads(path.read_text(encoding="utf-8"))["clips"] if path.is_file() else {}
    clips = dict(sorted((before | made).items()))
    record = {"licence": "CC0-1.0", "made_by": "python -m datasets.table_clips", "clips": clips}
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Read the command line and make the clips named, all without names."""
    parser = OneLineParser(prog="python -m datasets.table_clips", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CLIPS))
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args(argv)
    unknown = [name for name in args.names if name not in CLIPS]
    if unknown:
        parser.error(f"no clip {', '.join(unknown)}; accepted are {', '.join(CLIPS)}")
    for name in args.names or CLIPS:
        clip = CLIPS[name]
        try:
            make(name, args.out / name)
        except ImportError as error:
            complain(f"{error}; install what making needs: pip install -e '.[datasets]'")
            return EXIT_FAILED
        how = {"story": clip.story, "seed": clip.seed, "renderer": clip.renderer, "replay": clip.arguments}
        manifest(args.out, {name: how | {"versions": library_versions()}})
        print(name, flush=True)
    return EXIT_DONE


if __name__ == "__main__":
    sys.exit(main())
