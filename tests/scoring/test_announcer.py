"""What is said of a game, in four languages: lines for every event, and aloud only what is new."""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given

from scoring.actions import (
    MISROLL_KINDS,
    Bank,
    CountAs,
    DeclineRelief,
    EndTurn,
    Join,
    Knock,
    Misroll,
    MisrollReason,
    PutAside,
    SetTotal,
    TakeIn,
    TakeOut,
    Throw,
    TurnTo,
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
    PlayerIn,
    PlayerJoined,
    PlayerOut,
    Relief,
    Ruled,
    SetAsideMade,
    TargetPassed,
    TotalRuled,
    TurnEnded,
    TurnRuled,
    TurnStarted,
)
from scoring.game import Game, apply
from scoring.history import Impossible, ImpossibleKind
from scoring.languages import Language
from scoring.numerals import LIMIT, in_digits
from scoring.ruleset import PRESETS
from tests.scoring.playing import after, game, misroll, throw
from tests.scoring.strategies import untimed
from tests.scoring.test_random_games import games, seeds, sensible_action

DA, NB, FI, EN = Language
ADA, BO = "Qqada", "Qqbo"  # words of no language
LONGEST = 24  # words on one event: the third bust in a row, with all its numbers


def options(faces: str, rules: str = "danish") -> Options:
    _, events = apply(game(rules), throw(faces))
    assert isinstance(events[0], Options)
    return events[0]


def misrolled(*reasons: MisrollReason, relief: str | None = None, bust: bool = False) -> Misrolled:
    return Misrolled(reasons, relief, bust)


def near_the_target(faces: str, total: int, rules: str = "exact_target=yes") -> Options:
    """The options of a throw for a player with `total` of 1000 points."""
    start = after(game(f"norwegian opening=0 target=1000 {rules}"), EndTurn(total), EndTurn())
    _, events = apply(start, throw(faces))
    assert isinstance(events[0], Options)
    return events[0]


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
    CountAs((1, 1, 4), (4,)),
    TurnTo(BO),
    SetTotal(BO, 2350),
    TakeOut(BO),
    TakeIn(BO),
    Join(BO),
    None,
)
TOTALS = {ADA: 10150, BO: -1000}
NOTHING_ON_SIX = SetAsideMade((2, 2, 3, 4, 4, 6), 500, 500, "seen", 6, hot_dice=True)


def gallery() -> Iterator[Event]:
    """Every event, in all ways it is told."""
    yield TurnStarted(ADA)
    yield misrolled()
    yield misrolled(TILTED, relief="knock")
    yield misrolled(TILTED, bust=True)
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
    yield near_the_target("115226", 800)  # some pass the target
    yield near_the_target("115226", 950)  # all but one do
    yield near_the_target("122446", 950)  # all do
    yield NOTHING_ON_SIX
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
    yield Ruled(ADA, (1, 1, 2, 3, 4, 6), (4, 6))
    yield TurnRuled(BO, ADA)
    yield TotalRuled(ADA, 2300, -500)
    yield PlayerOut(ADA, 2300)
    yield PlayerIn(ADA, 2300)
    yield PlayerJoined(ADA)
    yield Corrected(ADA, (1, 1, 6), (1, 1, 2))
    yield Corrected(ADA, (1, 1, 6), (1, 2, 3))
    for was, now in itertools.product(ACTIONS, repeat=2):
        lost = (Impossible(7, BO, PutAside((5,)), ImpossibleKind.FOLLOWS, "it follows"),)
        yield Amended(3, ADA, was, now, (), (), (), TOTALS)
        yield Amended(3, ADA, was, now, lost, (5, 6), (BO,), TOTALS)
        yield Amended(3, ADA, was, now, lost * 2, (), (ADA, BO), TOTALS)
    yield GameOver((ADA,), TOTALS)
    yield GameOver((ADA, BO), TOTALS)
    yield GameOver((ADA, BO, ADA), TOTALS)


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
            FI: "Ada ja Bo jakavat voiton, kymmenentuhatta sataviisikymmentä pistettä kumpikin!",
            EN: "Ada and Bo share the win, ten thousand one hundred and fifty each!",
        },
    ),
    (
        (GameOver(("Ada", "Bo", "Cy"), {"Ada": 10150, "Bo": 10150, "Cy": 10150}),),
        {
            DA: "Ada, Bo og Cy deler sejren, ti tusind et hundrede og halvtreds hver!",
            NB: "Ada, Bo og Cy deler seieren, ti tusen ett hundre og femti hver!",
            FI: "Ada, Bo ja Cy jakavat voiton, kymmenentuhatta sataviisikymmentä pistettä kukin!",
            EN: "Ada, Bo and Cy share the win, ten thousand one hundred and fifty each!",
        },
    ),
    (  # 1-1 and 1-5-5 both give two hundred
        (options("115523"),),
        {
            DA: "To enere og to femmere: tre hundrede, to hundrede og halvtreds"
            " eller to hundrede for to enere.",
            NB: "To enere og to femmere: tre hundre, to hundre og femti eller to hundre for to enere.",
            FI: "Kaksi ykköstä ja kaksi viitosta: kolmesataa, kaksisataaviisikymmentä"
            " tai kaksisataa eli kaksi ykköstä.",
            EN: "Two ones and two fives: three hundred, two hundred and fifty or two hundred with two ones.",
        },
    ),
    (
        (NOTHING_ON_SIX,),
        {
            DA: "Ingenting, så alle seks igen! Fem hundrede.",
            NB: "Ingenting, så alle seks på nytt! Fem hundre.",
            FI: "Ei mitään, kaikki kuusi uudelleen! Viisisataa.",
            EN: "Nothing, so all six again! Five hundred.",
        },
    ),
    (
        (near_the_target("122446", 950),),
        {
            DA: "En ener: over målet.",
            NB: "En ener: over målet.",
            FI: "Ykkönen: yli tavoitteen.",
            EN: "A one: past the target.",
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


def test_set_asides_that_pass_the_target_say_so() -> None:
    assert announce(near_the_target("115226", 850), FI).screen == (
        "1-1-2-2-5-6: sivuun 1-1-5 = 250 (yli tavoitteen), 1-1 = 200 (yli tavoitteen), "
        "1-5 = 150 (jää 4, nollaheitto 16\u00a0%), 1 = 100 (jää 5, nollaheitto 8\u00a0%)"
        " tai 5 = 50 (jää 5, nollaheitto 8\u00a0%)"
    )


@pytest.mark.parametrize(
    ("event", "screen"),
    [
        (misrolled(), "Misroll; throw again"),
        (misrolled(TILTED), "Misroll: the six leans 17°; throw again"),
        (misrolled(TILTED, relief="knock"), "Misroll: the six leans 17°; one knock on the table may save it"),
        (misrolled(TILTED, bust=True), "Misroll: the six leans 17°"),
    ],
)
def test_the_screen_says_what_follows_a_misroll(event: Misrolled, screen: str) -> None:
    assert announce(event, EN).screen == screen


def test_a_knock_in_vain_is_told() -> None:
    _, events = apply(after(game("danish knock_relief=yes"), misroll("tilted")), Knock(None))
    assert announce_all(events, EN).spoken == "Misroll. Throw again."


def test_amended_throws_are_sorted_like_all_others() -> None:
    amended = Amended(0, "Ada", Throw((6, 5, 1, 3, 2, 6)), Throw((1, 1, 1, 3, 2, 6)), (), (), (), {"Ada": 0})
    assert announce(amended, DA).screen.startswith("Rettelse, Ada: kast 1-1-1-2-3-6, var kast 1-2-3-5-6-6;")


@pytest.mark.parametrize("language", Language)
def test_no_points_are_too_many_to_be_told(language: Language) -> None:
    """Totals without words are told in digits: rules with a million for six alike may reach them."""
    for points in (LIMIT, -LIMIT, 10**12):
        line = announce(Banked("Ada", points, points), language)
        assert in_digits(points, language) in line.spoken


@pytest.mark.parametrize("language", Language)
def test_every_legal_misroll_can_be_told(language: Language) -> None:
    for kind, amount in itertools.product(MISROLL_KINDS, (None, -3.0, 0.0, 1e300)):
        for face in (None, *range(1, 7)):
            _, events = apply(game("danish"), Misroll((MisrollReason(kind, 0, face, amount),)))
            assert announce_all(events, language).screen


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
    (
        "six new dice, once they are thrown; but what happened to them is",
        (NOTHING_ON_SIX, options("335556")),
        "Nothing on six dice, five hundred. Three fives: five hundred, a hundred or fifty.",
    ),
    ("points that are lost at once", (SEEN, Bust("Ada", 1000, 0, 0)), "Bust, a thousand lost."),
    ("points past the target", (set_aside(), TargetPassed("Ada", 1150, 9000)), "Past the target, no points."),
    (
        "the winner's total",
        (Banked("Ada", 1150, 10150), GameOver(("Ada",), TIED)),
        "Ada wins with ten thousand one hundred and fifty!",
    ),
    (
        "throwing again, when a misroll is a bust",
        (misrolled(bust=True), Bust("Ada", 0, 0, 0)),
        "Misroll. Bust.",
    ),
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
    assert line.screen == (
        "Fejlkast: sekseren hælder 17° og 2 treere ligger udenfor (12\u00a0mm og 40\u00a0mm); slå om"
    )


VARIANTS = ("danish hot_dice=must", "danish confirmation=yes", "zilch hot_dice=must confirmation=yes")


@pytest.mark.parametrize("rules", [*PRESETS, *VARIANTS])
def test_what_is_worth_hearing_is_what_nothing_beats(rules: str) -> None:
    for faces in itertools.combinations_with_replacement("123456", 6):
        _, (event, *_) = apply(game(rules), throw("".join(faces)))
        for offered in [event.set_asides] if isinstance(event, Options) else []:
            worth = {(each.points, each.dice_left, each.may_bank) for each in offered}
            beaten = {a for a in worth for b in worth if a != b and all(map(operator.le, a, b))}
            heard = [(each.points, each.dice_left, each.may_bank) for each in worth_hearing(offered)]
            assert heard == sorted(worth - beaten, reverse=True)


def test_what_cannot_be_banked_leaves_what_can_worth_hearing() -> None:
    hot = options("111555", "danish hot_dice=must")
    heard = [(each.points, each.may_bank) for each in worth_hearing(hot.set_asides)]
    assert heard[:2] == [(1500, False), (1100, True)]


def test_what_passes_the_target_is_worth_hearing_only_where_all_do() -> None:
    some, every = near_the_target("115226", 850), near_the_target("122446", 950)
    assert [each.points for each in worth_hearing(some.set_asides)] == [150, 100]
    assert [each.points for each in worth_hearing(every.set_asides)] == [100]


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
