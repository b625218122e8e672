"""What people at the table have said of the throw that was seen: pure, from the table's state alone.

A person answers by correcting a die, by confirming a throw that was not valid as it was read, and by entering
by hand the faces of one that waits. Taken back, an answer is gone: the state then is as it was before.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from scoring.faces import Faces
from table.loop import LyingThrow, TableState
from vision.domain import Ruling, Verdict


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


def _corrected(lying: LyingThrow, verdict: Verdict, confirmed: bool) -> Answer | None:
    """The answer by correcting dice one by one; when `confirmed`, by having the throw counted as it is."""
    places = frozenset(range(len(lying.faces))) - lying.removed
    said = frozenset(place for place in places if lying.faces[place] != verdict.dice[place].face)
    if confirmed and lying.counted and verdict.ruling is not Ruling.VALID:
        said = places
    if not said and not lying.removed:
        return None
    return Answer(_known(lying, verdict, said), said, lying.removed, counted=lying.counted)


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
    return tuple(None if place in unknown else face for place, face in enumerate(lying.faces))
