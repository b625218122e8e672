"""`titusind play`: the table itself, with the touchscreen page, on a camera or a clip."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.errors import GameError
from scoring.game import Game
from table.command_line import EXIT_DONE, EXIT_FAILED, EXIT_USAGE
from table.errors import (
    OwnThrowsError,
    PublishingError,
    RecordingError,
    StoreRefusedError,
    TableError,
    VoiceError,
)
from table.events import TableEvent
from table.game_arguments import (
    add_empty_banks_argument,
    add_game_arguments,
    chosen_calibration,
    chosen_game,
)
from table.judging import add_detector_argument, judge_with
from table.loop import TableLoop
from table.output import complain
from table.own_throws import OwnThrows
from table.preferences import FILE_NAME, Preferences, RememberedPreferences
from table.publishing.event_hub import EventHub
from table.publishing.mqtt_address import MqttAddress, add_mqtt_arguments, chosen_mqtt
from table.recording.kept import MOST_FILES, KeptReports
from table.recording.recorder import Recorder
from table.source_arguments import CAMERA, add_fps_argument
from table.store.arguments import Beginning, add_games_arguments, begin_or_resume
from table.store.journal import Journal
from table.store.past_games import PastGames
from table.table_place import found_table, kept_place
from table.telling import told
from table.throw_pictures import ThrowPictures, pictures_beside
from table.throw_watch import ThrowWatch
from table.touches import TimedTouch, read_touches
from table.voice.choosing import usable_engine
from table.voice.lines import Narrator
from table.voice.loudspeaker import SystemLoudspeaker
from table.voice.speech_engines import NO_VOICE, SpeechEngine, engine_named
from table.voice.voice import Voice
from vision.calibration import load_calibration
from vision.domain import Frame, FrameSource, TableCalibration
from vision.errors import CalibrationError, VisionError
from vision.sources import ClipSource, RenewableSource, first_camera, open_source, unbroken
from vision.ultralytics_detector import DetectorError

if TYPE_CHECKING:
    from table.page.session import TableSession

DEMO = Path(__file__).parents[1] / "demo"
PORTS = (1, 65535)
NO_CAMERA = "none"
ANY_HOST = ("0.0.0.0", "::")


@dataclass(frozen=True, slots=True, eq=False)
class _Scene:
    """What is watched; the bundled clip brings its calibration, and taps that show how a game goes."""

    source: FrameSource | None  # None: no camera
    camera: str = ""  # its name, by which it is opened again
    calibration: TableCalibration | None = None
    touches: Sequence[TimedTouch] = ()

    @property
    def live(self) -> bool:
        """Whether a game is played here and now."""
        return self.source is None or self.source.live

    @property
    def watched_live(self) -> bool:
        """Whether pictures come from a camera."""
        return self.source is not None and self.source.live


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `titusind play`."""
    parser.add_argument(
        "--camera",
        metavar=f"{CAMERA}|{NO_CAMERA}",
        help="Raspberry Pi camera (pi:1: the second), webcam, clip, or folder of pictures; none: throws are "
        "entered by hand (default: the first Pi camera, else the first webcam, else the bundled clip)",
    )
    add_fps_argument(parser)
    add_game_arguments(parser)
    add_games_arguments(parser)
    add_empty_banks_argument(parser)
    parser.add_argument(
        "--port", type=_port, default=8080, metavar="N", help="port of the page (default 8080)"
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to serve on (default 127.0.0.1, this machine alone; 0.0.0.0 lets phones in)",
    )
    parser.add_argument(
        "--known-as",
        action="append",
        default=[],
        metavar="NAME",
        help="a further name by which browsers may call this machine, beside its addresses and its own name",
    )
    add_mqtt_arguments(parser)
    add_detector_argument(parser)
    parser.add_argument(
        "--voice",
        metavar="espeak|piper:VOICE.onnx|off",
        help="what speaks, in the language of --language (default: espeak-ng where it is installed)",
    )
    parser.add_argument(
        "--keep-throws",
        type=_folder,
        metavar="DIR",
        help="write the throws you correct, with their pictures, into DIR on this machine (default: none)",
    )
    parser.add_argument(
        "--keep-recordings",
        type=_folder,
        metavar="DIR",
        help="write each judged throw, with the clip of it, into DIR on this machine (default: none)",
    )


def _folder(word: str) -> Path:
    if not word:
        raise argparse.ArgumentTypeError("an empty name; a folder is accepted")
    return Path(word)


def _port(word: str) -> int:
    if not word.isdecimal() or not PORTS[0] <= int(word) <= PORTS[1]:
        raise argparse.ArgumentTypeError(f"{word!r}; a port from {PORTS[0]} to {PORTS[1]} is accepted")
    return int(word)


def run(args: argparse.Namespace) -> int:
    """Play until interrupted; 1 when there is no camera, clip or port to play with, 2 for bad settings."""
    try:
        game, calibration = chosen_game(args), chosen_calibration(args)
        judge_with(args.detector)
        broker = chosen_mqtt(args)
    except (GameError, CalibrationError, DetectorError, PublishingError) as error:
        complain(error)
        return EXIT_USAGE
    try:
        scene = _scene(args.camera, args.fps)
        if calibration is None and scene.watched_live:
            calibration = found_table(args.games, complain)
        if calibration is not None:
            scene = replace(scene, calibration=calibration)
        _serve(_beginning(game, scene, args), scene, broker, args)
    except (OwnThrowsError, RecordingError, StoreRefusedError, VoiceError) as error:
        complain(error)
        return EXIT_USAGE
    except (VisionError, TableError) as error:
        complain(error)
        return EXIT_FAILED
    except KeyboardInterrupt:  # how a table is closed
        print()
    return EXIT_DONE


def _scene(camera: str | None, fps: float | None) -> _Scene:
    """Return what `camera` shows; without one, the first camera that is there, else the bundled clip."""
    if camera == NO_CAMERA:
        return _Scene(None)
    if camera is not None:
        return _Scene(open_source(camera, fps), camera)
    found = first_camera()
    if found is not None:
        name, source = found
        return _Scene(source, name)
    print("No camera found: playing the bundled clip.", flush=True)
    touches = read_touches(DEMO / "touches.jsonl")
    calibration = load_calibration(DEMO / "table.json")
    return _Scene(ClipSource(DEMO / "demo.mp4"), calibration=calibration, touches=touches)


def _beginning(game: Game, scene: _Scene, args: argparse.Namespace) -> Beginning:
    """Return the game to play; the bundled clip's is the same each time, and nobody's own."""
    if scene.touches:
        return Beginning(game)
    return begin_or_resume(args, game, live=scene.live, complain=complain)


def _serve(begun: Beginning, scene: _Scene, broker: MqttAddress | None, args: argparse.Namespace) -> None:
    # NiceGUI takes a second to load: only once there is something to show, and for no other command.
    from table.page.door import own_names  # noqa: PLC0415
    from table.page.server import check_port, serve  # noqa: PLC0415

    check_port(args.host, args.port)
    judge = judge_with(args.detector)
    own = OwnThrows(args.keep_throws, complain, judge) if args.keep_throws else None
    kept = KeptReports(args.keep_recordings, complain) if args.keep_recordings else None
    preferences = _preferences(args, begun)
    voice = _voice(args.voice, preferences.now)
    _announce(begun, args)
    pictures = _pictures(begun.journal, args)
    recorder = Recorder(scene.calibration, own.judge if own else judge, kept, pictures=pictures)
    hub = EventHub()
    session = _session(begun, scene, args, _Ears(preferences, voice, own, recorder, hub))
    signal.signal(
        signal.SIGTERM, signal.default_int_handler
    )  # a service is told to stop so: end as by Ctrl-C
    with ExitStack() as closing:  # the session first, the journal last
        for opened in (begun.journal, own, voice, recorder):
            if opened is not None:
                closing.callback(opened.close)
        _publish(hub, broker, closing)
        closing.callback(session.stop)
        _start(session, scene)
        serve(session, args.host, args.port, own_names(args.known_as))


def _announce(begun: Beginning, args: argparse.Namespace) -> None:
    """Say where the page is, what is written where, and which game goes on."""
    host = "localhost" if args.host in ANY_HOST else args.host
    print(f"The table: http://{host}:{args.port} (Ctrl-C ends)", flush=True)
    if args.keep_throws:
        print(f"Throws that you correct are written into {args.keep_throws}", flush=True)
    if args.keep_recordings:
        print(f"Throws are recorded into {args.keep_recordings}, the latest {MOST_FILES}", flush=True)
    if begun.resumed:
        print(begun.resumed, flush=True)


@dataclass(frozen=True, slots=True, eq=False)
class _Ears:
    """Who hears what happens at the table, and how it is said."""

    preferences: RememberedPreferences
    voice: Voice | None
    own: OwnThrows | None
    recorder: Recorder
    hub: EventHub


def _session(begun: Beginning, scene: _Scene, args: argparse.Namespace, ears: _Ears) -> TableSession:
    """Put the table together: what it watches, the game that is played, and who is told."""
    from table.page.listeners import Listeners  # noqa: PLC0415
    from table.page.session import TableSession  # noqa: PLC0415
    from table.page.sight import Sight  # noqa: PLC0415

    watch = ThrowWatch(scene.calibration, ears.recorder.judge, begun.seen)
    keep = ears.hub.told_after(begun.keep)
    loop = TableLoop(begun.start, watch, keep=keep, empty_banks_s=args.empty_banks)
    if begun.resumed:
        loop.ask_about_what_lies_first()
    listeners = Listeners(
        partial(_tell, ears.preferences),
        ears.own.follow if ears.own else None,
        ears.voice,
        ears.recorder,
        begun.journal,
        ears.hub,
        None if begun.journal is None else PastGames(begun.journal.reading),
        ears.recorder.pictures,
    )
    kept_at = kept_place(args.table, args.games, live=scene.watched_live)
    session = TableSession(loop, listeners, Sight(scene.calibration, kept_at, scene.watched_live))
    session.preferences, session.unchosen = ears.preferences, begun.unchosen
    return session


def _pictures(journal: Journal | None, args: argparse.Namespace) -> ThrowPictures | None:
    """Return what keeps a picture of each throw with the games, where they are kept and it is wanted."""
    if journal is None or args.no_pictures:
        return None
    return ThrowPictures(pictures_beside(journal.path), complain)


def _publish(hub: EventHub, broker: MqttAddress | None, closing: ExitStack) -> None:
    """Publish to the MQTT `broker`, if there is one, until `closing` closes."""
    if broker is None:
        return
    from table.publishing.mqtt import MqttPublisher  # noqa: PLC0415  its library is for those who ask for it

    closing.callback(MqttPublisher(hub, broker, complain).close)
    print(f"Events are published at {broker}, topic {broker.topic}", flush=True)


def _start(session: TableSession, scene: _Scene) -> None:
    """Begin the game on what is watched, if anything is."""
    from table.pacing import paced  # noqa: PLC0415

    if scene.source is None:
        session.start_without_camera()
    elif scene.source.live:
        session.start(_kept_open(scene.source, scene.camera, session), complain)
    else:
        session.start(paced(scene.source.frames()), complain, scene.touches)


def _kept_open(source: FrameSource, camera: str, session: TableSession) -> Iterator[Frame]:
    """Yield a camera's frames as long as the session runs, whatever happens to the camera."""

    def lost(error: VisionError) -> None:
        session.lose(error)
        complain(f"camera lost, the game goes on by hand until it is back: {error}")

    def renewable(source: FrameSource) -> FrameSource:
        return RenewableSource(source, partial(open_source, camera), session.camera_to_renew)

    def reopen() -> FrameSource:
        return renewable(open_source(camera))

    return unbroken(renewable(source), reopen, lost, session.stopped_within)


def _preferences(args: argparse.Namespace, begun: Beginning) -> RememberedPreferences:
    """Return what was set on the page, remembered where games are kept, but for what the arguments say."""
    path = None if begun.journal is None else begun.journal.path.with_name(FILE_NAME)
    named: dict[str, object] = {"language": args.language} if args.language else {}
    if args.voice == NO_VOICE:
        named["muted"] = True
    elif args.voice:
        named |= {"voice": args.voice, "muted": False}
    return RememberedPreferences(path, complain, **named)


def _voice(asked_for: str | None, now: Preferences) -> Voice:
    """Return what speaks, or can once it is turned on and what it needs is there.

    Raises VoiceError only when a voice that was asked for here and now cannot.
    """
    engine, loudspeaker = None, None
    try:
        engine = _engine(asked_for, now)
        loudspeaker = None if engine is None else SystemLoudspeaker()
    except VoiceError as error:
        if asked_for:
            raise
        print(f"No voice: {error}", flush=True)
    voice = Voice(Narrator(now.language), engine, loudspeaker, complain, now.volume)
    voice.mute(muted=now.muted or not voice.can_speak)
    return voice


def _engine(asked_for: str | None, now: Preferences) -> SpeechEngine | None:
    """Return the engine that was asked for, else the remembered one, else espeak-ng; raises VoiceError."""
    if asked_for:
        return engine_named(asked_for, now.language)
    return usable_engine(now.voice, now.language)


def _tell(preferences: RememberedPreferences, event: TableEvent) -> None:
    print(told(event, preferences.now.language), flush=True)
