from __future__ import annotations

import json
import math
from importlib.resources import files

import pytest

from vision.evidence import AGAINST, FOR, SIGNS

TABLE = json.loads(files("vision").joinpath("evidence.json").read_text(encoding="utf-8"))


def test_every_face_has_a_weight_for_every_sign_and_no_other() -> None:
    assert sorted(TABLE) == ["1", "2", "3", "4", "5", "6"]
    assert len(set(SIGNS)) == len(SIGNS)
    for face, weights in TABLE.items():
        assert sorted(weights) == sorted(SIGNS), face


@pytest.mark.parametrize("face", "123456")
def test_no_sign_speaks_against_what_it_is_a_sign_for(face: str) -> None:
    weights = TABLE[face]
    assert all(math.isfinite(weight) for weight in weights.values())
    assert all(weights[name] >= 0 for name in FOR)
    assert all(weights[name] <= 0 for name in AGAINST)
