"""Two readers on the same dice: where they agree, where they differ, and where only one sees a die."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from vision import second_look as module
from vision.crop_reader import NO_FACE
from vision.detection import Detection, Detections, Doubt
from vision.second_look import look_closer, second_look

PICTURE = np.zeros((400, 600, 3), dtype=np.uint8)
SIDE = 40.0
Opinion = Callable[[np.ndarray], np.ndarray]


def die(face: int, x: float, log_odds: float = 3.0) -> Detection:
    center = np.array([x, 100.0])
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * SIDE / 2
    none = np.zeros(0, dtype=np.intp)
    return Detection(face, log_odds, center, center + square, none, np.full((9, 2), np.nan), 4.0, 1.0)


def chances(face: int, chance: float = 0.98) -> np.ndarray:
    found = np.full(7, (1 - chance) / 6)
    found[face] = chance
    return found


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[float, np.ndarray]], None]:
    """Let the trained reader see, within 30 px of each x at y 100, what is said; elsewhere no face."""

    def says(seen: dict[float, np.ndarray]) -> None:
        def read(_picture: np.ndarray, centers: np.ndarray, _sides: np.ndarray) -> np.ndarray:
            near = ([x for x in seen if np.hypot(x - cx, 100 - cy) < 30] for cx, cy in centers)
            return np.array([seen[xs[0]] if xs else chances(NO_FACE, 0.999) for xs in near]).reshape(-1, 7)

        monkeypatch.setattr(module, "read_crops", read)

    return says


def test_agreement_makes_a_die_more_certain(reader) -> None:
    reader({100.0: chances(3)})
    (seen,) = second_look(PICTURE, Detections((die(3, 100, 0.3),), ())).dice
    assert (seen.face, seen.rival) == (3, None)
    assert seen.log_odds > 3


def test_another_face_is_a_question_and_not_a_guess(reader) -> None:
    reader({100.0: chances(5)})
    (seen,) = second_look(PICTURE, Detections((die(3, 100, 4.5),), ())).dice
    assert (seen.face, seen.rival, seen.by_pips, seen.log_odds) == (3, 5, True, 4.5)


def test_the_likelier_of_two_faces_comes_first(reader) -> None:
    reader({100.0: chances(4)})
    (seen,) = second_look(PICTURE, Detections((die(2, 100, 1.0),), ())).dice
    assert (seen.face, seen.rival, seen.by_pips) == (4, 2, False)
    assert seen.log_odds > 1.0


def test_what_both_believe_to_be_no_die_is_left_out_but_not_forgotten(reader) -> None:
    reader({200.0: chances(2)})
    found = second_look(PICTURE, Detections((die(4, 100, 1.5), die(2, 200)), ()))
    assert ([each.face for each in found.dice], found.doubts) == ([2], ())
    alone = second_look(PICTURE, Detections((die(4, 100, 1.5),), ()))
    assert (alone.dice, len(alone.doubts)) == ((), 1)
    (kept,) = second_look(PICTURE, Detections((die(4, 100, 6.0),), ())).dice
    assert kept.rival == NO_FACE


def test_a_doubt_beside_a_certain_die_is_read_by_the_trained_reader_alone(reader) -> None:
    reader({100.0: chances(3), 300.0: chances(6)})
    found = second_look(PICTURE, Detections((die(3, 100),), (Doubt((300.0, 100.0), "pips"),)))
    alone = found.dice[1]
    assert (alone.face, alone.by_pips, found.doubts) == (6, False, ())
    assert alone.log_odds < second_look(PICTURE, Detections((die(6, 300),), ())).dice[0].log_odds


def test_a_doubt_where_there_is_nothing_is_dropped_and_one_that_may_be_something_stays(reader) -> None:
    reader({100.0: chances(3), 300.0: chances(6, 0.3)})
    doubts = (Doubt((300.0, 100.0), "pips"), Doubt((500.0, 100.0), "pips"))
    found = second_look(PICTURE, Detections((die(3, 100),), doubts))
    assert (len(found.dice), found.doubts) == (1, doubts[:1])


def test_without_a_die_that_geometry_is_certain_of_every_doubt_stays(reader) -> None:
    reader({100.0: chances(3), 300.0: chances(6)})
    doubts = (Doubt((300.0, 100.0), "pips"),)
    found = second_look(PICTURE, Detections((die(3, 100, 0.5),), doubts))
    assert (len(found.dice), found.doubts) == (1, doubts)


def test_hints_add_dice_and_never_doubts(reader) -> None:
    reader({100.0: chances(3), 300.0: chances(6)})
    hints = (Doubt((300.0, 100.0), "spots"), Doubt((500.0, 100.0), "spots"))
    found = second_look(PICTURE, Detections((die(3, 100),), (), hints))
    assert ([each.face for each in found.dice], found.doubts) == ([3, 6], ())


def test_a_body_larger_than_the_die_read_in_it_stays_a_doubt(reader) -> None:
    reader({100.0: chances(3), 300.0: chances(6)})
    body = Doubt((320.0, 100.0), "a body that holds pips", radius_px=2 * SIDE)
    assert second_look(PICTURE, Detections((die(3, 100),), (body,))).doubts == (body,)


def test_a_place_far_larger_than_a_die_is_not_looked_all_over_and_stays_a_doubt(
    reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader({100.0: chances(3)})
    read, looked_at = module.read_crops, []

    def counting(picture: np.ndarray, centers: np.ndarray, sides: np.ndarray) -> np.ndarray:
        looked_at.append(len(centers))
        return read(picture, centers, sides)

    monkeypatch.setattr(module, "read_crops", counting)
    bowl = Doubt((300.0, 200.0), "what looks like a die", 12 * SIDE)
    assert second_look(PICTURE, Detections((die(3, 100),), (bowl,))).doubts == (bowl,)
    assert sum(looked_at) == 1


def test_pips_of_a_die_that_geometry_reads_wrongly_are_no_other_die(reader) -> None:
    """Of a four geometry reads two pips as a two: the other two are the four's, not a die nobody read."""
    reader({100.0: chances(4), 300.0: chances(2)})
    beside = Doubt((118.0, 100.0), "pips")
    found = second_look(PICTURE, Detections((die(2, 100, 1.0), die(2, 300)), (beside,)))
    assert [each.face for each in found.dice] == [4, 2]
    assert found.doubts == ()
    read = second_look(PICTURE, Detections((die(4, 100), die(2, 300)), (beside,)))
    assert read.doubts == (beside,)


@pytest.mark.parametrize("face", [4, 2])
def test_where_a_die_lies_for_certain_what_geometry_read_elsewhere_is_void(face: int, reader) -> None:
    reader({100.0: chances(face, 0.99)})
    doubtful = replace(die(4, 100, 0.5), rival=2, by_pips=False)
    seen = look_closer(PICTURE, doubtful)
    assert (seen.face, seen.rival, seen.by_pips) == (face, None, False)
    assert seen.log_odds > 2


@pytest.mark.parametrize("seen", [chances(6, 0.99), chances(NO_FACE, 0.99)])
def test_a_closer_look_that_sees_something_else_or_less_changes_nothing_for_the_better(seen, reader) -> None:
    reader({100.0: seen})
    doubtful = replace(die(4, 100, 0.5), rival=2, by_pips=False)
    closer = look_closer(PICTURE, doubtful)
    assert closer.log_odds == doubtful.log_odds
