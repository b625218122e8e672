"""What speaks against the throw that lies, once a person has said of its dice what they have. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scoring.actions import MisrollReason
from table.rulings import misroll_reasons
from table.state import LyingThrow
from vision.domain import MISROLL_KINDS, DieState, Reason, ReasonKind

ASKEW = frozenset({DieState.TILTED, DieState.STACKED, DieState.OUTSIDE})  # what makes a misroll
SAID_SO = "a person says so"
OPEN_UNTIL_ADDED = frozenset({ReasonKind.UNREADABLE, ReasonKind.UNCERTAIN})  # of no one die: one may lack


def faults(lying: LyingThrow) -> tuple[MisrollReason, ...]:
    """Return why the throw is a misroll as it stands; none when nothing makes it one."""
    return tuple(_faults(lying))


def _faults(lying: LyingThrow) -> Iterator[MisrollReason]:
    read = () if lying.verdict is None else tuple(misroll_reasons(lying.verdict))
    said = dict(lying.lies)
    for place in lying.places:
        state, face = said.get(place), lying.faces[place]
        if place in lying.ruled:
            continue
        if state is None:
            yield from (replace(each, face=face) for each in read if each.die == place)
        elif state in ASKEW:
            yield MisrollReason(state.value, place, face, detail=SAID_SO)
    if not lying.added_px:
        yield from (each for each in read if each.die is None)


def is_doubted(lying: LyingThrow, said: int | None = None) -> bool:
    """Whether anything that the readers doubted is still open, so that a person must confirm the throw.

    `said`: place of a die of which a person has just said what it shows.
    """
    return any(each.die is None or each.die != said for each in _open_reasons(lying))


def is_settled(lying: LyingThrow, said: int) -> bool:
    """Whether the throw may count now that a person has said what the die at `said` shows."""
    return lying.known_faces is not None and not is_doubted(lying, said) and not faults(lying)


def doubted_dice(lying: LyingThrow) -> frozenset[int | None]:
    """Return the places of the dice that are doubted, with None where more than single dice is."""
    return frozenset(each.die for each in _open_reasons(lying))


def candidates(lying: LyingThrow, place: int) -> tuple[int, ...]:
    """Return the faces a die may show, the likelier first: as it stands, as read, and by the other reader."""
    read = lying.verdict.dice[place] if lying.verdict and place < lying.seen else None
    faces = (lying.faces[place], read and read.face, read and read.rival)
    return tuple(dict.fromkeys(face for face in faces if face))


def _open_reasons(lying: LyingThrow) -> Iterator[Reason]:
    reasons = () if lying.verdict is None else lying.verdict.reasons
    return (each for each in reasons if each.kind not in MISROLL_KINDS and _is_open(each, lying))


def _is_open(reason: Reason, lying: LyingThrow) -> bool:
    if reason.die is None:
        said = lying.added_px if reason.kind in OPEN_UNTIL_ADDED else lying.removed
        return reason.kind is ReasonKind.OCCLUDED or not said
    read = lying.verdict is not None and lying.faces[reason.die] == lying.verdict.dice[reason.die].face
    return reason.die in lying.places and reason.die not in dict(lying.lies) and read
