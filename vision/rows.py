"""What `Pips`, `Faces` and `Bodies` share: N things of one kind, each array one of their properties."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import NDArray


class Rows:
    """Base of frozen, slotted dataclasses whose fields are all arrays (N, ...), one row each."""

    __slots__: tuple[str, ...] = ()

    def pick(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Self:
        """Those of `rows` only."""
        return type(self)(*(getattr(self, name)[rows] for name in self.__slots__))

    @classmethod
    def join(cls, *parts: Self) -> Self:
        """All of one or more parts, in order."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__))
