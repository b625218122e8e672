"""Rule on a throw as a strict Danish referee: every reason at once, each with its die.

A die outside the area, not flat, on top of another, or missing makes a misroll. What cannot be said for
certain is told as such and makes the throw unsure: a person is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from vision.domain import MISROLL_KINDS, DieReading, DieState, Reason, ReasonKind, Ruling, Verdict
from vision.measure import Measures
from vision.pose_reader import SURE_FIT

SURE_CONFIDENCE = 0.6  # below, the face is a question
LIKELY_A_DIE = 0.5  # confidence below which it may be none
EDGE_BAND_MM = 2.0  # nearer to the area's edge than this, inside or outside is a question
# Log odds, chosen on made throws that were not trained on; between is a question.
SURE_LEAN, SURE_FLAT = 4.0, 1.0
SURE_RAISED, SURE_LOW = 4.0, 1.5
LEAST_LEAN_DEG = 2.0  # a smaller tilt is a question, however likely
HIDES = {ReasonKind.TILTED: 1, ReasonKind.STACKED: 2}  # dice that one may hide: three may be piled up


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of one die besides its reading.

    `measures` of how it lies. `by_pips` and `rival`: which reader reads the face, and what the other one
    does, as in `Detection`.
    """

    measures: Measures
    by_pips: bool = True
    rival: int | None = None


def rule(
    dice: Sequence[DieReading],
    evidence: Sequence[Evidence],
    unread: Sequence[str] = (),
    expected_dice: int | None = None,
) -> Verdict:
    """Rule on dice whose state is still open; `unread`: what looks like a die and was not read."""
    short = 0 if expected_dice is None else expected_dice - len(dice) - len(unread)
    reasons = [
        r
        for index, (die, known) in enumerate(zip(dice, evidence, strict=True))
        for r in _of_die(index, die, known, one_lacks=short > 0)
    ]
    hiding = short if unread else sum(HIDES.get(reason.kind, 0) for reason in reasons)
    reasons += _of_number(len(dice), short, hiding, expected_dice)
    if unread:
        reasons.append(
            Reason(
                ReasonKind.UNREADABLE, None, f"{', '.join(sorted(set(unread)))} seen where no die was read"
            )
        )
    return ruled(dice, reasons)


def ruled(dice: Sequence[DieReading], reasons: Sequence[Reason]) -> Verdict:
    """Return the verdict that these `reasons` make, each die in the state that they say."""
    states = (_with_state(die, [r for r in reasons if r.die == index]) for index, die in enumerate(dice))
    return Verdict(_ruling(reasons), tuple(reasons), tuple(states))


def without_dice(verdict: Verdict, gone: Iterable[int], expected_dice: int | None = None) -> Verdict:
    """Rule anew when the dice at the places `gone` are not of the throw; the others are as they were."""
    left = [place for place in range(len(verdict.dice)) if place not in set(gone)]
    places = {None: None} | {old: new for new, old in enumerate(left)}
    reasons = [
        replace(reason, die=places[reason.die])
        for reason in verdict.reasons
        if reason.die in places and reason.kind not in (ReasonKind.EXTRA, ReasonKind.MISSING)
    ]
    short = 0 if expected_dice is None else expected_dice - len(left)
    reasons += _of_number(len(left), short, 0, expected_dice)
    return Verdict(_ruling(reasons), tuple(reasons), tuple(verdict.dice[place] for place in left))


def _of_die(index: int, die: DieReading, known: Evidence, *, one_lacks: bool) -> Iterable[Reason]:
    unlikely = die.face is None or die.confidence < LIKELY_A_DIE
    yield from _of_place(index, known.measures, unlikely=unlikely)
    placed = known.rival is None and _is_placed(known)
    yield from _of_lie(index, known.measures, sure=placed and not unlikely, one_lacks=one_lacks)
    if known.rival is not None:
        told = f"a {die.face}", f"a {known.rival}" if known.rival else "no top of a die"
        by_pips, trained = told if known.by_pips else told[::-1]
        yield Reason(ReasonKind.DISAGREE, index, f"{by_pips} by its pips, {trained} to the trained reader")
    elif not placed and known.measures.lean is not None:
        yield Reason(ReasonKind.UNCERTAIN, index, "it is not clear how it lies")
    if die.face is None:
        yield Reason(ReasonKind.UNREADABLE, index, "its face cannot be read")
    elif die.confidence < SURE_CONFIDENCE:
        yield Reason(ReasonKind.UNCERTAIN, index, f"read as {die.face} with confidence {die.confidence:.2f}")


def _is_placed(known: Evidence) -> bool:
    """Whether it is known where the die is and how turned; where nothing was measured, by its pips."""
    fits = known.measures.fits
    return known.by_pips if fits is None else fits > SURE_FIT


def _of_place(index: int, known: Measures, *, unlikely: bool) -> Iterable[Reason]:
    """Outside, or too near to the edge to say; what may be no die at all is only asked about."""
    margin = known.margin_mm
    if margin is not None and abs(margin) < EDGE_BAND_MM:
        yield Reason(ReasonKind.UNCERTAIN, index, f"its middle lies {margin:+.1f} mm from the area's edge")
    elif known.edge_open:
        yield Reason(ReasonKind.UNCERTAIN, index, "its top is seen just outside the area")
    elif not known.inside:
        how_far = "" if margin is None else f"{-margin:.0f} mm "
        kind = ReasonKind.UNCERTAIN if unlikely else ReasonKind.OUTSIDE
        yield Reason(kind, index, f"its middle lies {how_far}outside the area")


def _of_lie(index: int, known: Measures, *, sure: bool, one_lacks: bool) -> Iterable[Reason]:
    """Leaning, or else lying on another die, or how likely that is.

    Of what may be no die, or whose place and turn are not sure, a lean is but a question (not `sure`). Where
    a die lacks, the one that may lie on another hides it.
    """
    if known.lean is not None and known.tilt_deg is not None and known.lean > SURE_FLAT:
        if sure and known.lean > SURE_LEAN and known.tilt_deg > LEAST_LEAN_DEG:
            yield Reason(ReasonKind.TILTED, index, f"leans {_lean(known.tilt_deg, known.beside)}")
            return
        yield Reason(ReasonKind.UNCERTAIN, index, f"may lean {_lean(known.tilt_deg, known.beside)}")
    if known.raised is not None and known.height_mm is not None and known.raised > SURE_LOW:
        high = f"{known.height_mm:.0f} mm high"
        if known.raised > SURE_RAISED or one_lacks:
            yield Reason(ReasonKind.STACKED, index, f"lies on another die, {high}")
        else:
            yield Reason(ReasonKind.UNCERTAIN, index, f"may lie on another die, {high}")


def _lean(tilt_deg: float, beside: str | None) -> str:
    return f"{tilt_deg:.0f} degrees {beside}" if beside else f"{tilt_deg:.0f} degrees"


def _of_number(seen: int, short: int, hiding: int, expected: int | None) -> Iterable[Reason]:
    """`short`: dice neither seen nor suspected; `hiding`: as many as others may hide."""
    counted = f"{seen} dice seen, {expected} expected"
    if expected is not None and seen > expected:
        yield Reason(ReasonKind.EXTRA, None, counted)
    elif short > hiding:
        yield Reason(ReasonKind.MISSING, None, counted)
    elif short > 0:
        yield Reason(ReasonKind.UNCERTAIN, None, f"{counted}: what is unclear may hide them")


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
