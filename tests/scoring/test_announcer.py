"""What is said of a game, in four languages: lines for every event, and aloud only what is new."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given

from scoring.actions import (
    Bank,
    DeclineRelief,
    EndTurn,
    Knock,
    Misroll,
    MisrollReason,
    PutAside,
    Throw,
)
from scoring.announcer import MOST_SPOKEN, announce, announce_all, worth_hearing
from scoring.banking import BankObstacle, BankObstacleKind
from scoring.events import (
    Amended,
    Banked,
    Bust,
    Corrected,
    Event,
    GameOver,
    Misrolled,
    Options,
    Relief,
    SetAsideMade,
    TargetPassed,
    TurnEnded,
    TurnStarted,
)
from scoring.game import Game, apply
from scoring.history import Impossible, ImpossibleKind
from scoring.languages import Language
from scoring.ruleset import PRESETS
from tests.scoring.playing import game, throw
from tests.scoring.strategies import untimed
from tests.scoring.test_random_games import games, seeds, sensible_action

DA, NB, FI, EN = Language
ADA, BO = "Qqada", "Qqbo"  # words of no language
LONGEST = 24  # words on one event: the third bust in a row, with all its numbers


def options(faces: str, rules: str = "danish") -> Options:
    _, events = apply(game(rules), throw(faces))
    assert isinstance(events[0], Options)
    return events[0]


def misrolled(*reasons: MisrollReason, relief: str | None = None) -> Misrolled:
    return Misrolled(reasons, relief)


def set_aside(
    points: int = 350, turn_points: int = 350, *, hot: bool = False, **fields: object
) -> SetAsideMade:
    made = {"source": "touch", "dice_left": 6 if hot else 2, "bank_obstacles": ()} | fields
    return SetAsideMade((1, 1, 1, 5), points, turn_points, hot_dice=hot, **made)  # type: ignore[arg-type]


def short_of(missing: int, kind: BankObstacleKind = BankObstacleKind.OPENING) -> BankObstacle:
    return BankObstacle(kind, missing, 9000)


TILTED = MisrollReason("tilted", 4, 6, 17.3, "leans 17 degrees")
OUTSIDE = MisrollReason("outside", 2, 3, 12.0)
ACTIONS = (
    Throw((1, 1, 2)),
    Misroll(),
    Knock((1, 2)),
    Knock(None),
    PutAside((1, 1)),
    Bank(),
    DeclineRelief(),
    EndTurn(400),
    None,
)
TOTALS = {ADA: 10150, BO: -1000}


def gallery() -> Iterator[Event]:
    """Every event, in all ways it is told."""
    yield TurnStarted(ADA)
    yield misrolled()
    yield misrolled(TILTED, relief="knock")
    for kind, face, amount in itertools.product(
        ("tilted", "outside", "stacked"), (None, 1, 2), (None, 0.3, 1.2, 25)
    ):
        yield misrolled(MisrollReason(kind, 0, face, amount))
    for kind in ("tilted", "outside", "stacked"):
        yield misrolled(*(MisrollReason(kind, 0, face, 12) for face in (3, 4, 5, 6)), OUTSIDE, OUTSIDE)
        yield misrolled(MisrollReason(kind, 0, 3, 12), MisrollReason(kind))
    yield misrolled(MisrollReason("missing"), TILTED, OUTSIDE)
    for faces in ("115326", "123456", "114455", "222233", "111555", "446666", "333336"):
        yield options(faces)
    yield options("223446", "zilch")  # nothing on six dice
    for kind in BankObstacleKind:
        yield set_aside(bank_obstacles=(short_of(400, kind),))
    yield set_aside(hot=True)
    yield set_aside(source="seen", dice_left=1)
    yield Bust(ADA, 350, 0, 2300)
    yield Bust(ADA, 0, 1000, -1000)
    yield Relief(ADA)
    yield TargetPassed(ADA, 1150, 9000)
    for opened, final_round in itertools.product((False, True), repeat=2):
        yield Banked(ADA, 1150, 2300, opened, final_round)
    yield TurnEnded(ADA, 2300)
    yield Corrected(ADA, (1, 1, 6), (1, 1, 2))
    yield Corrected(ADA, (1, 1, 6), (1, 2, 3))
    for was, now in itertools.product(ACTIONS, repeat=2):
        lost = (Impossible(7, BO, PutAside((5,)), ImpossibleKind.FOLLOWS, "it follows"),)
        yield Amended(3, ADA, was, now, (), (), (), TOTALS)
        yield Amended(3, ADA, was, now, lost, (5, 6), (BO,), TOTALS)
        yield Amended(3, ADA, was, now, lost * 2, (), (ADA, BO), TOTALS)
    yield GameOver((ADA,), TOTALS)
    yield GameOver((ADA, BO), TOTALS)


GALLERY = tuple(gallery())


def kinds_of(event: type[Event]) -> set[str]:
    """The names of all events below `event`; a slotted dataclass leaves its first self behind as one more."""
    below = event.__subclasses__()
    return {each.__name__ for each in below}.union(*map(kinds_of, below))


def test_no_event_is_forgotten() -> None:
    assert {type(event).__name__ for event in GALLERY} == kinds_of(Event)


@pytest.mark.parametrize("language", Language)
def test_every_event_has_its_lines(language: Language) -> None:
    for event in GALLERY:
        line = announce(event, language)
        assert line.spoken, event
        assert line.screen.splitlines() == [line.screen], event
        assert not re.search(r"[{}]", line.spoken + line.screen), line


@pytest.mark.parametrize("language", Language)
def test_numbers_are_spoken_in_words(language: Language) -> None:
    assert not [line for event in GALLERY if re.search(r"\d", line := announce(event, language).spoken)]


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", text.lower()))


ALSO_ENGLISH = {  # words of the other languages that English has too
    DA: {"for", "over", "minus", "mm"},
    NB: {"for", "over", "minus", "mm", "hot", "dice"},
    FI: {"on", "mm"},
}


@pytest.mark.parametrize("language", ALSO_ENGLISH)
def test_no_english_is_left(language: Language) -> None:
    names = words(f"{ADA} {BO}")
    for event in GALLERY:
        said, english = announce(event, language), announce(event, EN)
        left = words(f"{said.spoken} {said.screen}") & words(f"{english.spoken} {english.screen}")
        assert left - names <= ALSO_ENGLISH[language], said


OPTIONS, AT_750 = options("115326"), set_aside(bank_obstacles=(short_of(400),))
FINAL = Banked("Ada", 1150, 10150, final_round=True)
TIED = {"Ada": 10150, "Bo": 10150, "Cy": 9000}
SAID: list[tuple[tuple[Event, ...], dict[Language, str]]] = [
    (
        (OPTIONS,),
        {
            DA: "To enere og en femmer: to hundrede og halvtreds, to hundrede eller hundrede.",
            NB: "To enere og en femmer: to hundre og femti, to hundre eller hundre.",
            FI: "Kaksi ykköstä ja viitonen: kaksisataaviisikymmentä, kaksisataa tai sata.",
            EN: "Two ones and a five: two hundred and fifty, two hundred or a hundred.",
        },
    ),
    (
        (options("123456"),),
        {
            DA: "Trappe: femten hundrede.",
            NB: "Stige: femten hundre.",
            FI: "Suora: tuhat viisisataa.",
            EN: "Straight: fifteen hundred.",
        },
    ),
    (
        (Bust("Ada", 350, 0, 2300), TurnStarted("Bo")),
        {
            DA: "Ingen point, tre hundrede og halvtreds tabt. Din tur, Bo.",
            NB: "Bom, tre hundre og femti tapt. Din tur, Bo.",
            FI: "Nollaheitto, kolmesataaviisikymmentä menetetty. Bo, sinun vuorosi.",
            EN: "Bust, three hundred and fifty lost. Your turn, Bo.",
        },
    ),
    (
        (misrolled(TILTED),),
        {
            DA: "Fejlkast: sekseren hælder sytten grader. Slå om.",
            NB: "Ugyldig kast: sekseren heller sytten grader. Kast på nytt.",
            FI: "Heitto ei kelpaa: kuutonen on seitsemäntoista astetta vinossa. Heitä uudelleen.",
            EN: "Misroll: the six leans seventeen degrees. Throw again.",
        },
    ),
    (
        (AT_750,),
        {
            DA: "Tre hundrede og halvtreds, mangler fire hundrede for at åbne.",
            NB: "Tre hundre og femti, mangler fire hundre for å åpne.",
            FI: "Kolmesataaviisikymmentä, aloitusrajaan puuttuu neljäsataa.",
            EN: "Three hundred and fifty, four hundred short of opening.",
        },
    ),
    (
        (set_aside(1500, 1500, hot=True),),
        {
            DA: "Alle seks! Femten hundrede.",
            NB: "Hot dice! Femten hundre.",
            FI: "Kaikki kuusi! Tuhat viisisataa.",
            EN: "Hot dice! Fifteen hundred.",
        },
    ),
    (
        (Banked("Ada", 1150, 2300), TurnStarted("Bo")),
        {
            DA: "Gemt, to tusind tre hundrede i alt. Din tur, Bo.",
            NB: "Notert, to tusen tre hundre i alt. Din tur, Bo.",
            FI: "Kirjattu, yhteensä kaksituhatta kolmesataa. Bo, sinun vuorosi.",
            EN: "Banked, two thousand three hundred in all. Your turn, Bo.",
        },
    ),
    (
        (FINAL, TurnStarted("Bo")),
        {
            DA: "Gemt, ti tusind et hundrede og halvtreds i alt. Sidste runde! Din tur, Bo.",
            NB: "Notert, ti tusen ett hundre og femti i alt. Sluttrunde! Din tur, Bo.",
            FI: "Kirjattu, yhteensä kymmenentuhatta sataviisikymmentä. Viimeinen kierros! Bo, sinun vuorosi.",
            EN: "Banked, ten thousand one hundred and fifty in all. Final round! Your turn, Bo.",
        },
    ),
    (
        (Banked("Bo", 1150, 10150), GameOver(("Ada", "Bo"), TIED)),
        {
            DA: "Ada og Bo deler sejren, ti tusind et hundrede og halvtreds hver!",
            NB: "Ada og Bo deler seieren, ti tusen ett hundre og femti hver!",
            FI: "Ada ja Bo jakavat voiton, kymmenentuhatta sataviisikymmentä pistettä!",
            EN: "Ada and Bo share the win, ten thousand one hundred and fifty each!",
        },
    ),
]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(("events", "said"), SAID)
def test_what_is_said_aloud(events: tuple[Event, ...], said: dict[Language, str], language: Language) -> None:
    assert announce_all(events, language).spoken == said[language]


def test_all_set_asides_are_shown() -> None:
    risk = "{} tilbage, risiko {}\u00a0%"
    assert announce(OPTIONS, DA).screen == (
        f"1-1-2-3-5-6: til side 1-1-5 = 250 ({risk.format(3, 28)}), 1-1 = 200 ({risk.format(4, 16)}), "
        f"1-5 = 150 ({risk.format(4, 16)}), 1 = 100 ({risk.format(5, 8)}) eller 5 = 50 ({risk.format(5, 8)})"
    )


def test_the_screen_has_a_line_for_every_event() -> None:
    assert announce_all((FINAL, TurnStarted("Bo")), NB).screen == (
        "Ada noterer 1\u00a0150, 10\u00a0150 i alt; sluttrunde for de andre\nTuren går til Bo"
    )


SEEN = set_aside(1000, 1000, source="seen", bank_obstacles=(short_of(400),))
NO_LONGER_NEWS = [
    ("a turn that was told", (TurnStarted("Bo"),), ""),
    (
        "a turn that was told before a correction",
        (Corrected("Ada", (1,), (2,)), Bust("Ada", 0, 0, 0), TurnStarted("Bo")),
        "Correction, Ada: the one is a two. Bust.",
    ),
    ("the dice that a player touched", (set_aside(),), "Three hundred and fifty."),
    (
        "what keeps from banking, once thrown on",
        (SEEN, options("335556")),
        "Three ones and a five set aside, a thousand. Three fives: five hundred, a hundred or fifty.",
    ),
    ("points that are lost at once", (SEEN, Bust("Ada", 1000, 0, 0)), "Bust, a thousand lost."),
    ("points past the target", (set_aside(), TargetPassed("Ada", 1150, 9000)), "Past the target, no points."),
    (
        "the winner's total",
        (Banked("Ada", 1150, 10150), GameOver(("Ada",), TIED)),
        "Ada wins with ten thousand one hundred and fifty!",
    ),
    ("throwing again, when a misroll is a bust", (misrolled(), Bust("Ada", 0, 0, 0)), "Misroll. Bust."),
    (
        "throwing again, while a knock may help",
        (misrolled(TILTED, relief="knock"),),
        "Misroll: the six leans seventeen degrees. One knock on the table may save it.",
    ),
    ("a total that a bust leaves alone", (Bust("Ada", 350, 0, 2300),), "Bust, three hundred and fifty lost."),
    ("a correction that changes nothing", (Corrected("Ada", (1,), (1,)),), ""),
    ("nothing", (), ""),
]


@pytest.mark.parametrize(
    ("events", "spoken"), [rest for _, *rest in NO_LONGER_NEWS], ids=[name for name, *_ in NO_LONGER_NEWS]
)
def test_only_what_is_new_is_said(events: tuple[Event, ...], spoken: str) -> None:
    assert announce_all(events, EN, turn_of="Bo").spoken == spoken


def test_a_total_is_news_where_it_is_not_that_of_the_winner() -> None:
    events = (Banked("Cy", 9000, 9000), GameOver(("Ada", "Bo"), TIED))
    assert announce_all(events, EN).spoken.startswith("Banked, nine thousand in all. Ada and Bo share")


def test_dice_with_one_fault_are_named_together_and_measured_on_the_screen() -> None:
    line = announce(misrolled(TILTED, OUTSIDE, MisrollReason("outside", 5, 3, 40.0)), DA)
    assert line.spoken == "Fejlkast: sekseren hælder sytten grader og to treere ligger udenfor. Slå om."
    assert line.screen.endswith("treeren ligger 12\u00a0mm udenfor og treeren ligger 40\u00a0mm udenfor")


@pytest.mark.parametrize("rules", PRESETS)
def test_what_is_worth_hearing_is_what_nothing_beats(rules: str) -> None:
    for faces in itertools.combinations_with_replacement("123456", 6):
        _, (event, *_) = apply(game(rules), throw("".join(faces)))
        for offered in [event.set_asides] if isinstance(event, Options) else []:
            worth = {(each.points, each.dice_left) for each in offered}
            beaten = {(p, d) for p, d in worth for q, e in worth if (q, e) != (p, d) and q >= p and e >= d}
            heard = [(each.points, each.dice_left) for each in worth_hearing(offered)]
            assert heard == sorted(worth - beaten, reverse=True)


def test_of_many_set_asides_the_best_are_spoken() -> None:
    event = options("111552")
    assert len(worth_hearing(event.set_asides)) > MOST_SPOKEN
    assert announce(event, EN).spoken == (
        "Three ones and two fives: eleven hundred, a thousand and fifty or a thousand."
    )


@untimed
@given(start=games, random=seeds)
def test_events_of_one_action_are_short_and_say_no_more_than_each_alone(start: Game, random: Random) -> None:
    now = start
    for _ in range(60):
        if now.over:
            break
        turn_of = now.player
        now, events = apply(now, sensible_action(now, random))
        for language in Language:
            line = announce_all(events, language, turn_of)
            alone = [len(announce(event, language).spoken.split()) for event in events]
            assert max(alone, default=0) <= LONGEST, line
            assert len(line.spoken.split()) <= sum(alone), line
            assert len(line.screen.splitlines()) == len(events)
            assert not re.search(r"[\d{}]", line.spoken), line
