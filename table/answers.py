"""What people at the table have said of the throw that was seen: pure, from the table's state alone.

A person answers by correcting a die, by confirming a throw that was not valid as it was read, and by entering
by hand the faces of one that waits. Taken back, an answer is gone: the state then is as it was before.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from scoring.faces import Faces
from table.lying_dice import entered_faces
from table.state import LyingThrow, TableState
from vision.domain import DieReading, DieState, Ruling, Verdict


@dataclass(frozen=True, slots=True)
class Answer:
    """The right answer on the throw of a verdict, as far as it is known.

    `faces`: by die of the verdict, None where neither a person said nor the reading was sure. `by_person`:
    places of the dice whose face a person said. `no_dice`: places of what is no die. `missed`: faces of dice
    that lay there and were not found. `counted`: the throw counts by a person's word: all its dice are known.
    """

    faces: tuple[int | None, ...]
    by_person: frozenset[int]
    no_dice: frozenset[int]
    missed: Faces = ()
    counted: bool = False


def answer_of(state: TableState) -> tuple[Verdict, Answer | None] | None:
    """Return the latest throw seen and what a person has said of it, None for nothing that can be placed.

    None when no throw was seen, or the table has gone back to one whose reading is no longer known.
    """
    after = [*(step.lying for step in state.steps), state.lying]
    for place in reversed(range(len(after))):
        lying = after[place]
        if lying is not None and lying.verdict is not None:
            names = [step.name for step in state.steps]
            if names[place : place + 1] == ["throw"] and not lying.counted:
                return lying.verdict, _entered(lying, lying.verdict, after[place + 1])
            return lying.verdict, _corrected(lying, lying.verdict, "throw" in names[:place])
    return None


def what_was_said(before: TableState, after: TableState) -> tuple[Verdict, tuple[DieReading, ...]] | None:
    """Return the verdict on a throw that counts now and its dice as a person said them, if all are known."""
    lying, read = after.lying, before.lying
    verdict = None if read is None else read.verdict
    if lying is None or read is None or verdict is None or not lying.counted or lying.added_px:
        return None
    places = [place for place in range(len(verdict.dice)) if place not in read.removed | lying.removed]
    faces = lying.faces if lying.verdict is verdict else entered_faces(read.faces, lying.faces, places)
    if faces is None:
        return None
    dice = (replace(verdict.dice[place], face=faces[place], state=DieState.FLAT) for place in places)
    return verdict, tuple(dice)


def _corrected(lying: LyingThrow, verdict: Verdict, confirmed: bool) -> Answer | None:
    """The answer by correcting dice one by one; when `confirmed`, by having the throw counted as it is."""
    places = frozenset(range(lying.seen)) - lying.removed
    said = frozenset(place for place in places if lying.faces[place] != verdict.dice[place].face)
    if confirmed and lying.counted and verdict.ruling is not Ruling.VALID:
        said = places
    missed = sorted(face for face in lying.faces[lying.seen :] if face is not None)
    removed = frozenset(place for place in lying.removed if place < lying.seen)
    if not said and not removed and not missed:
        return None
    return Answer(_known(lying, verdict, said), said, removed, tuple(missed), lying.counted)


def _entered(seen: LyingThrow, verdict: Verdict, entered: LyingThrow | None) -> Answer | None:
    """The answer when faces were entered for a throw that waited, if they hold all that was read.

    Which die shows which face is then what was read; what is left over are dice that were not found.
    """
    places = frozenset(range(len(seen.faces))) - seen.removed
    read = Counter(seen.faces[place] for place in places)
    if entered is None or not read <= Counter(entered.faces):
        return None
    missed = Counter(entered.faces) - read
    missed_faces = tuple(sorted(face for face in missed.elements() if face is not None))
    return Answer(_known(seen, verdict, places), places, seen.removed, missed_faces, counted=True)


def _known(lying: LyingThrow, verdict: Verdict, said: frozenset[int]) -> tuple[int | None, ...]:
    """Faces that a person said, or that were read without a doubt."""
    doubted = {reason.die for reason in verdict.reasons} - said
    unknown = doubted | lying.removed
    return tuple(None if place in unknown else lying.faces[place] for place in range(lying.seen))
