"""Rule on a throw as a strict Danish referee: every reason at once, each with its die.

A die outside the area, not flat, on top of another, or missing makes a misroll. What cannot be said for
certain is told as such and makes the throw unsure: a person is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from vision.domain import MISROLL_KINDS, DieReading, DieState, Reason, ReasonKind, Ruling, Verdict

SURE_CONFIDENCE = 0.6  # below, the face is a question
EDGE_BAND_MM = 2.0  # nearer to the area's edge than this, inside or outside is a question
SURE_TILT_DEG = 27.0  # fours and fives are printed square to a tenth only, which looks like up to 24 degrees
DOUBTFUL_TILT_DEG = 22.0
DOUBTFUL_CORNERS_DEG = 30.0  # by a die's corners alone
SLANT_SLACK_DEG = 10.0  # single pips show a lean only roughly
SURE_RISE, DOUBTFUL_RISE, HIGHEST_RISE = 0.8, 0.6, 2.6  # in dice; far larger is a larger die


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of one die besides its reading.

    `inside` the area; `slant_deg` by the shape of each of its pips; `by_layout`: its tilt is that of the
    pips' square, not of its corners; `rise` in dice over another that shows the same number, `set_rise` over
    most of the throw; None where there is none to compare. `by_pips` and `rival`: which reader reads the
    face, and what the other one does, as in `Detection`. `how_it_lies`: as in `Measures`.
    """

    inside: bool
    slant_deg: float
    by_layout: bool = False
    rise: float | None = None
    set_rise: float | None = None
    by_pips: bool = True
    rival: int | None = None
    how_it_lies: bool = True


def rule(
    dice: Sequence[DieReading],
    evidence: Sequence[Evidence],
    unread: Sequence[str] = (),
    expected_dice: int | None = None,
) -> Verdict:
    """Rule on dice whose state is still open; `unread`: what looks like a die and was not read."""
    reasons = [
        r
        for index, (die, known) in enumerate(zip(dice, evidence, strict=True))
        for r in _of_die(index, die, known)
    ]
    reasons += _of_number(len(dice), len(unread), expected_dice)
    if unread:
        reasons.append(
            Reason(
                ReasonKind.UNREADABLE, None, f"{', '.join(sorted(set(unread)))} seen where no die was read"
            )
        )
    ruled = tuple(_with_state(die, [r for r in reasons if r.die == index]) for index, die in enumerate(dice))
    return Verdict(_ruling(reasons), tuple(reasons), ruled)


def _of_die(index: int, die: DieReading, known: Evidence) -> Iterable[Reason]:
    margin, tilt = die.margin_mm, die.tilt_deg
    if margin is not None and abs(margin) < EDGE_BAND_MM:
        yield Reason(ReasonKind.UNCERTAIN, index, f"its middle lies {margin:+.1f} mm from the area's edge")
    elif not known.inside:
        how_far = "" if margin is None else f"{-margin:.0f} mm "
        yield Reason(ReasonKind.OUTSIDE, index, f"its middle lies {how_far}outside the area")
    yield from _of_lean(index, tilt, known)
    yield from _of_rise(index, known.rise, known.set_rise)
    if known.rival is not None:
        told = f"a {die.face}", f"a {known.rival}" if known.rival else "no top of a die"
        by_pips, trained = told if known.by_pips else told[::-1]
        yield Reason(ReasonKind.DISAGREE, index, f"{by_pips} by its pips, {trained} to the trained reader")
    if not known.how_it_lies:
        yield Reason(ReasonKind.UNCERTAIN, index, "its pips are not clear enough to tell how it lies")
    if die.face is None:
        yield Reason(ReasonKind.UNREADABLE, index, "its face cannot be read")
    elif die.confidence < SURE_CONFIDENCE:
        yield Reason(ReasonKind.UNCERTAIN, index, f"read as {die.face} with confidence {die.confidence:.2f}")


def _of_lean(index: int, tilt_deg: float | None, known: Evidence) -> Iterable[Reason]:
    """By the tilt, as far as the shape of the single pips bears it out."""
    lean = 0.0 if tilt_deg is None else min(tilt_deg, known.slant_deg + SLANT_SLACK_DEG)
    if known.by_layout and lean > SURE_TILT_DEG:
        yield Reason(ReasonKind.TILTED, index, f"leans {lean:.0f} degrees")
    elif lean > (DOUBTFUL_TILT_DEG if known.by_layout else DOUBTFUL_CORNERS_DEG):
        yield Reason(ReasonKind.UNCERTAIN, index, f"may lean {lean:.0f} degrees")


def _of_rise(index: int, rise: float | None, set_rise: float | None) -> Iterable[Reason]:
    """By how much larger its pattern of pips is; only the same number is surely printed alike on all dice."""
    if rise is not None and SURE_RISE < rise < HIGHEST_RISE:
        yield Reason(ReasonKind.STACKED, index, f"lies {rise:.1f} dice above one that shows the same number")
        return
    above = max((height for height in (rise, set_rise) if height is not None), default=0.0)
    if DOUBTFUL_RISE < above < HIGHEST_RISE:
        yield Reason(
            ReasonKind.UNCERTAIN, index, f"may lie on another die, {above:.1f} dice above the others"
        )


def _of_number(seen: int, unread: int, expected: int | None) -> Iterable[Reason]:
    if expected is None:
        return
    if seen > expected:
        yield Reason(ReasonKind.EXTRA, None, f"{seen} dice seen, {expected} expected")
    elif seen + unread < expected:
        yield Reason(ReasonKind.MISSING, None, f"{seen} dice seen, {expected} expected")


def _ruling(reasons: Sequence[Reason]) -> Ruling:
    if any(reason.kind in MISROLL_KINDS for reason in reasons):
        return Ruling.MISROLL
    return Ruling.UNSURE if reasons else Ruling.VALID


def _with_state(die: DieReading, reasons: Sequence[Reason]) -> DieReading:
    kinds = {reason.kind for reason in reasons}
    states = {
        ReasonKind.OUTSIDE: DieState.OUTSIDE,
        ReasonKind.STACKED: DieState.STACKED,
        ReasonKind.TILTED: DieState.TILTED,
    }
    named = [state for kind, state in states.items() if kind in kinds]
    return replace(die, state=named[0] if named else DieState.UNSURE if kinds else DieState.FLAT)
