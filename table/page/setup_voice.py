"""The part of the set-up page that says which language is spoken, by which voice, and how loud."""

from __future__ import annotations

from functools import partial

from nicegui import ui

from scoring.languages import Language
from table.errors import VoiceError
from table.page.setup_desk import Desk, Look, heading, tile
from table.page.setup_words import LANGUAGE_NAMES
from table.page.words import as_sentence
from table.preferences import VOLUMES
from table.voice.choosing import is_any_installed, title, voices
from table.voice.voice import Voice

LOUDER = 10  # percent a tap


def build_voice(desk: Desk) -> None:
    """Build the choice of the language and, where there is a voice, all about it."""
    now, words = desk.session.preferences.now, desk.words
    heading(words.table_language)
    with ui.element("div").classes("presets"):
        for language, name in LANGUAGE_NAMES.items():
            speak = partial(_speak, desk, language)
            tile(name, f"language-{language}", speak, Look(kind="small", chosen=language is now.language))
    heading(words.voice)
    voice, folder = desk.session.voice, desk.session.preferences.voices_folder
    if voice is None or not (voice.can_speak or is_any_installed(folder)):
        ui.label(words.no_voice).classes("setup-text")
        return
    _build_loudness(desk, voice)
    names = voices(now.language, folder, now.voice)
    if len(names) > 1:
        with ui.element("div").classes("presets"):
            for name in names:
                by = partial(_speak_by, desk, name)
                tile(title(name), f"by-{title(name)}", by, Look(kind="small", chosen=name == now.voice))


def _build_loudness(desk: Desk, voice: Voice) -> None:
    words, volume = desk.words, voice.volume
    say_sample = partial(desk.do, partial(voice.say, words.sample))
    with ui.element("div").classes("setup-row"):
        for text, name, muted in ((words.voice_on, "voice-on", False), (words.voice_off, "voice-off", True)):
            mute = partial(_mute, desk, muted=muted)
            tile(text, name, mute, Look(kind="small", chosen=voice.muted is muted))
        tile(words.try_voice, "try-voice", say_sample, Look(kind="small"))
    with ui.element("div").classes("setup-row"):
        for text, icon, step in ((words.quieter, "remove", -LOUDER), (words.louder, "add", LOUDER)):
            turn = partial(_set_volume, desk, volume + step)
            can = VOLUMES[0] <= volume + step <= VOLUMES[1]
            tile(text, f"volume-{icon}", turn, Look(icon=icon, kind="small", enabled=can))
            if step < 0:
                ui.label(f"{words.volume}: {volume} %").classes("setup-ask").mark("volume")


def _set_volume(desk: Desk, percent: int) -> None:
    def turn() -> None:
        desk.session.speech.set_volume(percent)
        if desk.session.voice is not None:
            desk.session.voice.say(desk.words.sample)

    desk.do(turn)


def _speak(desk: Desk, language: Language) -> None:
    desk.do(lambda: _try(partial(desk.session.speech.speak, language)))


def _mute(desk: Desk, *, muted: bool) -> None:
    desk.do(lambda: _try(partial(desk.session.speech.mute, muted=muted)))


def _speak_by(desk: Desk, name: str) -> None:
    desk.do(lambda: _try(partial(desk.session.speech.speak_by, name)))


def _try(change: partial[None]) -> None:
    try:
        change()
    except VoiceError as error:
        ui.notify(as_sentence(str(error)), type="warning", position="top")
