"""Labels of dice go where they hide no die and no other label, as long as there is room."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vision.label_places import Box, free_places

cells = st.lists(st.tuples(st.integers(1, 8), st.integers(1, 5)), min_size=1, max_size=6, unique=True)


@given(cells)
def test_on_dice_with_room_around_them_nothing_is_hidden_and_nothing_cut_off(places: list) -> None:
    dice = [Box(100 * x, 100 * y, 100 * x + 40, 100 * y + 40) for x, y in places]
    labels = free_places(dice, [(30.0, 25.0)] * len(dice), (1000.0, 700.0))
    for number, label in enumerate(labels):
        others = [*dice, *labels[:number], *labels[number + 1 :]]
        assert not any(label.shared_with(other) for other in others)
        assert 0 <= label.x0 < label.x1 <= 1000
        assert 0 <= label.y0 < label.y1 <= 700


def test_a_neighbour_on_the_right_sends_the_label_to_the_left_and_so_on() -> None:
    middle = Box(100, 100, 140, 140)
    right, left, above = Box(145, 100, 185, 140), Box(55, 100, 95, 140), Box(100, 55, 140, 95)
    size, picture = (20.0, 20.0), (400.0, 400.0)

    def goes(*neighbours: Box) -> Box:
        dice = (middle, *neighbours)
        return free_places(dice, [size] * len(dice), picture)[0]

    assert goes().x0 > 140
    assert goes(right).x1 < 100
    assert goes(right, left).y1 < 100
    assert goes(right, left, above).y0 > 140
