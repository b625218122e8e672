"""The lines that `replay` and `play` print: every event, in four languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

import pytest

from scoring.actions import Action, MisrollReason
from scoring.announcer import announce
from scoring.events import Banked, Misrolled, TurnStarted
from scoring.game import apply
from scoring.languages import Language
from table.events import Moment, TableEvent, Wait, WaitKind, game_events, paused
from table.telling import told
from tests.scoring.playing import game, throw
from vision.domain import ReasonKind, Ruling

AT = Moment(3.2, 96)
LEANS = MisrollReason("tilted", 0, 6, 17.3)
ALSO_ENGLISH = {Language.DANISH: set(), Language.NORWEGIAN: set(), Language.FINNISH: {"on"}}


def settled(ruling: Ruling, *kinds: ReasonKind) -> TableEvent:
    fields = {
        "verdict": ruling.value,
        "faces": [1, 5] if ruling is Ruling.VALID else None,
        "reasons": [{"kind": kind.value, "die": 0, "detail": "leans 17 degrees"} for kind in kinds],
        "dice": [{"face": 1}, {"face": None}],
    }
    return TableEvent(AT, "throw_settled", fields)


def gallery() -> Iterator[TableEvent]:
    """Every event of the table, in all ways it is told."""
    yield from (TableEvent(AT, name, {}) for name in ("throw_started", "table_cleared", "resumed"))
    yield from (settled(ruling) for ruling in Ruling)
    yield from (settled(Ruling.UNSURE, kind) for kind in ReasonKind)
    for relief, bust in (("knock", False), (None, True), (None, False)):
        yield from game_events(AT, [Misrolled((LEANS,), relief, bust)])
    yield from (paused(AT, Wait(kind, "it must be said")) for kind in WaitKind)
    for action in get_args(Action):
        yield TableEvent(AT, "corrected", {"undone": action.kind, "player": "Ada"})
    for face, was in ((2, 3), (None, 3), (2, None)):
        yield TableEvent(AT, "corrected", {"die": 4, "face": face, "was": was})


GALLERY = tuple(gallery())


def words(line: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{2,}", line.lower()))


@pytest.mark.parametrize("language", Language)
def test_every_event_is_one_line_with_its_time(language: Language) -> None:
    for event in GALLERY:
        line = told(event, language)
        assert re.fullmatch(r"   3\.20 s  \w[^{}\n]+", line), line


@pytest.mark.parametrize("language", ALSO_ENGLISH)
def test_no_english_is_left(language: Language) -> None:
    for event in GALLERY:
        assert words(told(event, language)) & words(told(event)) <= ALSO_ENGLISH[language], event


@pytest.mark.parametrize("language", Language)
def test_the_game_is_told_by_the_announcer(language: Language) -> None:
    came = (Banked("Ada", 1150, 2300), TurnStarted("Bo"))
    lines = [told(event, language) for event in game_events(AT, came)]
    assert lines == [f"   3.20 s  {announce(event, language).screen}" for event in came]


def test_what_was_read_is_told_with_each_reason_once() -> None:
    unsure = settled(Ruling.UNSURE, ReasonKind.UNREADABLE, ReasonKind.TILTED, ReasonKind.UNREADABLE)
    assert told(settled(Ruling.VALID)) == "   3.20 s  Valid throw, 1-5"
    assert told(unsure, Language.DANISH) == (
        "   3.20 s  Usikkert kast, læst som 1-? (en terning kan ikke læses, en terning står skråt)"
    )


def test_what_was_read_of_a_misroll_is_sorted() -> None:
    dice = [{"face": face} for face in (6, 5, None, 3, 2, 1)]
    fields = {"verdict": "misroll", "faces": None, "reasons": [], "dice": dice}
    line = told(TableEvent(AT, "throw_settled", fields), Language.FINNISH)
    assert line == "   3.20 s  Heitto ei kelpaa, luettiin: 1-2-3-5-6-?"


@pytest.mark.parametrize(
    ("misrolled", "line"),
    [
        (Misrolled((LEANS,), None), "The six leans 17°. Throw all these dice again"),
        (Misrolled((LEANS,), "knock"), "The six leans 17°. One knock on the table may save the throw"),
        (Misrolled((LEANS,), None, bust=True), "The six leans 17°. A misroll is a bust"),
        (Misrolled((), None), "Misroll; throw again"),  # by hand: no line of a throw has told it
    ],
)
def test_what_a_misroll_means_is_told_with_its_reasons(misrolled: Misrolled, line: str) -> None:
    assert [told(event) for event in game_events(AT, [misrolled])] == [f"   3.20 s  {line}"]


@pytest.mark.parametrize(
    ("faces", "line"),
    [
        (
            "123345",
            "1-2-3-3-4-5: set aside 1-5 = 150 (4 left, bust 16%) or 1 = 100 (5 left, bust 8%), and one more",
        ),
        ("223446", "2-2-3-4-4-6: set aside 2-2-3-4-4-6 = 500 (six new dice, bust 0%)"),
    ],
)
def test_set_asides_beyond_a_readable_line_are_counted(faces: str, line: str) -> None:
    _, events = apply(game("zilch"), throw(faces))
    assert [told(event) for event in game_events(AT, events)] == [f"   3.20 s  {line}"]


@pytest.mark.parametrize("language", Language)
def test_lines_on_options_stay_readable(language: Language) -> None:
    for faces in ("111555", "666666", "111155", "112255"):
        _, events = apply(game("danish"), throw(faces))
        assert len(told(*game_events(AT, events), language)) < 200
