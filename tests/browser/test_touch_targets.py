"""Buttons are large enough for fingers, and nothing is covered or cut off, whatever the table's state."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenScreen
from tests.browser.layout import layout_faults
from tests.browser.screen import SIZES
from tests.browser.staged_tables import FEW, LANGUAGE_OF, MANY, STATES


@pytest.mark.parametrize("players", [FEW, MANY])
@pytest.mark.parametrize("state", STATES)
def test_fingers_find_all_buttons(
    state: str, players: int, staged_tables: str, open_screen: OpenScreen
) -> None:
    screen = open_screen(f"{staged_tables}/{state}-{players}", language=LANGUAGE_OF[players])
    faults = [fault for size in SIZES for fault in layout_faults(screen.page, size)]
    assert not faults, "\n".join(faults)
