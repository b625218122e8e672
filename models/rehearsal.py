"""Throws to rehearse on, so that a reader that learns one table's dice does not forget all others.

Flat pictures of dice laid on tables drawn by chance (`datasets/`, no physics, no ray tracing): nothing that a
reader could learn to read photographs from, but every face, on dice of many looks, in a few seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from datasets.rig_maker import Order, make_rig
from models.reader_pictures import Picture, rig_folder

THROWS_OF_A_RIG = 2


def laid_throws(count: int, seed: int) -> Iterator[Picture]:
    """Pictures of `count` throws, two of each table, the same for the same seed."""
    order = Order(seed, "laid", count, THROWS_OF_A_RIG, "flat")
    for number in range(order.rigs):
        with TemporaryDirectory() as folder:
            for name, data in make_rig(order, number).files.items():
                (Path(folder) / name).write_bytes(data)
            yield from rig_folder(Path(folder))
