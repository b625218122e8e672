"""What the announcer's lines are made of: dice by name, lists, obstacles to banking, misroll reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from gettext import NullTranslations

from scoring.actions import (
    Bank,
    CountAs,
    DeclineRelief,
    EndTurn,
    Join,
    Knock,
    Misroll,
    MisrollReason,
    PlainAction,
    PutAside,
    SetTotal,
    TakeIn,
    TakeOut,
    Throw,
    TurnTo,
)
from scoring.banking import BankObstacle, BankObstacleKind
from scoring.combinations import SINGLE_POINTS
from scoring.faces import ALL_DICE, spell_faces
from scoring.languages import Language, catalogue
from scoring.numerals import LIMIT, in_digits, in_words


@dataclass(frozen=True, slots=True)
class Wording:
    """How things are said in `language`: `aloud`, with numbers in words, or else to be read, in digits."""

    language: Language
    aloud: bool

    @property
    def messages(self) -> NullTranslations:
        """The catalogue of the language."""
        return catalogue("scoring", self.language)

    def number(self, number: int) -> str:
        """Return `number` in words or digits; in digits, too, where no words reach."""
        in_reach = self.aloud and abs(number) < LIMIT
        return in_words(number, self.language) if in_reach else in_digits(number, self.language)

    def all_of(self, items: Sequence[str]) -> str:
        """Join `items` as in `a, b and c`."""
        return _joined(items, self.messages.pgettext("list", "{first} and {last}"))

    def one_of(self, items: Sequence[str]) -> str:
        """Join `items` as in `a, b or c`."""
        return _joined(items, self.messages.pgettext("list", "{first} or {last}"))


def capitalised(text: str) -> str:
    """Let `text` begin a sentence."""
    return text[:1].upper() + text[1:]


def dice(faces: Iterable[int], wording: Wording) -> str:
    """Name dice that count as people do: `two ones and a five`, `three pairs`, `straight`."""
    counted = Counter(faces)
    return _whole_throw(counted, wording.messages) or counted_dice(counted, wording)


def counted_dice(counted: Counter[int], wording: Wording) -> str:
    """Name dice by how many show each face, three and more alike first: `three sixes and a one`."""
    order = sorted(counted, key=lambda face: (-counted[face] if counted[face] >= 3 else 0, face))
    return wording.all_of([_alike(face, counted[face], wording) for face in order])


def _whole_throw(counted: Counter[int], messages: NullTranslations) -> str | None:
    """Name six dice that are one thing, or nothing; None when it is the dice that are named."""
    pattern = sorted(counted.values())
    if pattern == [1] * ALL_DICE:
        return messages.pgettext("dice", "straight")
    if pattern == [2, 2, 2]:
        return messages.pgettext("dice", "three pairs")
    if is_nothing_on_six(counted.elements()):
        return messages.pgettext("dice", "nothing on six dice")
    return None


def is_nothing_on_six(faces: Iterable[int]) -> bool:
    """Return whether six dice are no combination, so that they can only have been taken for nothing."""
    counted = Counter(faces)
    return sorted(counted.values()) == [1, 1, 2, 2] and not counted.keys() & SINGLE_POINTS.keys()


def _alike(face: int, count: int, wording: Wording) -> str:
    npgettext = wording.messages.npgettext
    names = {
        1: npgettext("dice", "a one", "{count} ones", count),
        2: npgettext("dice", "a two", "{count} twos", count),
        3: npgettext("dice", "a three", "{count} threes", count),
        4: npgettext("dice", "a four", "{count} fours", count),
        5: npgettext("dice", "a five", "{count} fives", count),
        6: npgettext("dice", "a six", "{count} sixes", count),
    }
    return names[face].format(count=wording.number(count))


def the_die(face: int | None, messages: NullTranslations) -> str:
    """Name the one die that shows `face`: `the six`; a die when its face is not known."""
    pgettext = messages.pgettext
    names = {
        None: pgettext("which die", "a die"),
        1: pgettext("which die", "the one"),
        2: pgettext("which die", "the two"),
        3: pgettext("which die", "the three"),
        4: pgettext("which die", "the four"),
        5: pgettext("which die", "the five"),
        6: pgettext("which die", "the six"),
    }
    return names[face]


def action_in_words(action: PlainAction | None, wording: Wording) -> str:
    """Name what was done, as a correction does; None: nothing."""
    pgettext = wording.messages.pgettext
    names = {
        None: pgettext("action", "nothing"),
        Throw.kind: pgettext("action", "throw {faces}"),
        Misroll.kind: pgettext("action", "misroll"),
        Knock.kind: pgettext("action", "knock {faces}"),
        PutAside.kind: pgettext("action", "{faces} set aside"),
        Bank.kind: pgettext("action", "banked"),
        DeclineRelief.kind: pgettext("action", "first throw not repeated"),
        EndTurn.kind: pgettext("action", "turn ended with {points}"),
        CountAs.kind: pgettext("action", "throw {faces} by a person's ruling"),
        TurnTo.kind: pgettext("action", "turn of {player}"),
        SetTotal.kind: pgettext("action", "{player} has {points} in all"),
        TakeOut.kind: pgettext("action", "{player} taken out"),
        TakeIn.kind: pgettext("action", "{player} taken in"),
        Join.kind: pgettext("action", "{player} joined"),
    }
    if action == Knock(None):
        return pgettext("action", "knock in vain")
    faces, points = getattr(action, "faces", ()), getattr(action, "points", getattr(action, "total", 0))
    said = dice(faces, wording) if wording.aloud else spell_faces(sorted(faces))
    return names[None if action is None else action.kind].format(
        faces=said, points=wording.number(points), player=getattr(action, "player", "")
    )


def obstacle(found: BankObstacle, wording: Wording) -> str:
    """Say what keeps the player from banking, and how many points are missing."""
    pgettext = wording.messages.pgettext
    target = pgettext("obstacle", "{missing} short of the target")
    over_limit = pgettext("obstacle", "over {limit} and {missing} short of the target")
    words = {
        BankObstacleKind.HOT_DICE: pgettext("obstacle", "all six must be thrown again"),
        BankObstacleKind.CONFIRMATION: pgettext("obstacle", "a single one or five must confirm it"),
        BankObstacleKind.OVER_LIMIT: target if wording.aloud else over_limit,
        BankObstacleKind.OPENING: pgettext("obstacle", "{missing} short of opening"),
        BankObstacleKind.LEAST_BANKING: pgettext("obstacle", "{missing} short of banking"),
    }
    numbers = {"missing": wording.number(found.missing or 0), "limit": wording.number(found.limit or 0)}
    return words[found.kind].format(**numbers)


def misroll_reasons(reasons: Sequence[MisrollReason], wording: Wording) -> str:
    """Say which dice make the throw a misroll and why.

    Dice with the same fault are named together: aloud all of them, on the screen those of one face.
    """
    groups: dict[tuple[object, ...], list[MisrollReason]] = {}
    for reason in reasons:
        key = (reason.kind,) if wording.aloud else (reason.kind, reason.face)
        groups.setdefault(key, []).append(reason)
    return wording.all_of([_fault(group, wording) for group in groups.values()])


def _fault(group: Sequence[MisrollReason], wording: Wording) -> str:
    words = _fault_words(wording.messages)[group[0].kind]
    rounded = [round(reason.amount or 0) for reason in group]
    amounts = [words.measure(amount, wording) for amount in rounded if amount >= 1]
    if len(group) > 1:
        several = words.several.format(dice=_all_the_dice(group, wording))
        return f"{several} ({wording.all_of(amounts)})" if amounts and not wording.aloud else several
    die = the_die(group[0].face, wording.messages)
    return words.measured.format(die=die, amount=amounts[0]) if amounts else words.one.format(die=die)


def _all_the_dice(group: Sequence[MisrollReason], wording: Wording) -> str:
    faces = [reason.face for reason in group if reason.face is not None]
    if len(faces) == len(group):
        return counted_dice(Counter(faces), wording)
    npgettext = wording.messages.npgettext
    return npgettext("dice", "a die", "{count} dice", len(group)).format(count=wording.number(len(group)))


@dataclass(frozen=True, slots=True)
class _FaultWords:
    """What is said of one die, of one with a measure, and of several dice."""

    one: str
    measured: str
    several: str
    measure: Callable[[int, Wording], str]


def _fault_words(messages: NullTranslations) -> dict[str, _FaultWords]:
    pgettext = messages.pgettext
    missing = pgettext("misroll", "dice are missing")
    return {
        "tilted": _FaultWords(
            pgettext("misroll", "{die} leans"),
            pgettext("misroll", "{die} leans {amount}"),
            pgettext("misroll", "{dice} lean"),
            _degrees,
        ),
        "stacked": _FaultWords(
            pgettext("misroll", "{die} lies on another"),
            pgettext("misroll", "{die} lies {amount} up on another"),
            pgettext("misroll", "{dice} lie on others"),
            _millimetres,
        ),
        "outside": _FaultWords(
            pgettext("misroll", "{die} lies outside"),
            pgettext("misroll", "{die} lies {amount} outside"),
            pgettext("misroll", "{dice} lie outside"),
            _millimetres,
        ),
        "missing": _FaultWords(missing, missing, missing, _millimetres),
    }


def _degrees(amount: int, wording: Wording) -> str:
    if not wording.aloud:
        return f"{amount}°"
    words = wording.messages.npgettext("amount", "one degree", "{amount} degrees", amount)
    return words.format(amount=wording.number(amount))


def _millimetres(amount: int, wording: Wording) -> str:
    if not wording.aloud:
        return f"{wording.number(amount)}\u00a0mm"
    words = wording.messages.npgettext("amount", "one millimetre", "{amount} millimetres", amount)
    return words.format(amount=wording.number(amount))


def _joined(items: Sequence[str], last_two: str) -> str:
    """Join with commas, the last two by the pattern `last_two`."""
    if len(items) < 2:
        return "".join(items)
    return last_two.format(first=", ".join(items[:-1]), last=items[-1])
