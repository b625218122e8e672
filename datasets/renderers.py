"""What every renderer does, and the renderers there are by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final, Protocol

import numpy as np

from datasets.flat_renderer import FlatRenderer
from datasets.lens import Radiance
from datasets.rig import Instant, Poses, Props, Rig

NO_DICE: Final = Poses(np.zeros((0, 3)), np.zeros((0, 3, 3)))


class Renderer(Protocol):
    """Draws one rig, again and again."""

    def draw(self, instants: Sequence[Instant], seed: int) -> Radiance:
        """Return the pinhole picture `film_of` the rig's lens: linear RGB float32 (H, W, 3).

        Several instants blur into each other as in a long exposure.
        """
        ...

    def colours(self, instant: Instant, seed: int) -> Radiance:
        """Return the same picture without any light or shadow: what everything is painted with."""
        ...


def _mitsuba(rig: Rig, threads: int, props: Props) -> Renderer:
    module = import_module("datasets.mitsuba_renderer")  # only those who ask for it need it
    renderer: Renderer = module.MitsubaRenderer(rig, threads=threads, props=props)
    return renderer


RENDERERS: Final[dict[str, Callable[[Rig, int, Props], Renderer]]] = {
    "mitsuba": _mitsuba,
    "flat": lambda rig, _threads, props: FlatRenderer(rig, props),
}
"""`flat` paints polygons without light or shadow, in hundredths of the time: for trying the plumbing."""
