"""The committed accuracy figures may only get better; `make accuracy` renews them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from benchmarks.accuracy import DEFINITION, EVERY, FILE, SHARED, groups, measure_groups, worse
from table.workers import Workers

ROOT = Path(__file__).parents[1]
COMMITTED: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
SHARED_PICTURES = (SHARED / "real").is_dir() and (SHARED / "bench").is_dir()
needs_pictures = pytest.mark.skipif(
    not SHARED_PICTURES, reason="needs the shared pictures beside the checkout"
)


def git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no history to compare with: git {words[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def figures(right: float, wrong: float) -> dict[str, dict[str, float | None]]:
    return {
        "a": {"dice_right": right, "images_right": right, "wrong_and_not_unsure": wrong, "invented": wrong}
    }


def test_worse_is_a_right_share_fallen_a_wrong_share_risen_or_a_folder_gone() -> None:
    assert not worse(figures(0.9, 0.1), figures(0.9, 0.1))
    assert not worse(figures(0.9, 0.1), figures(1.0, 0.0) | {"b": {}})
    assert len(worse(figures(0.9, 0.1), figures(0.8, 0.1))) == 2
    assert len(worse(figures(0.9, 0.1), figures(0.9, 0.2))) == 2
    assert len(worse(figures(0.9, 0.1), {})) == 4


def test_what_was_never_measured_cannot_get_worse() -> None:
    assert not worse({"a": {"dice_right": None}}, {"a": {"dice_right": 0.0}})


def test_the_committed_figures_never_got_worse() -> None:
    if git("rev-parse", "--is-shallow-repository") == "true":
        pytest.skip("no history to compare with: a shallow clone")
    path = FILE.relative_to(ROOT).as_posix()
    for commit in git("log", "--format=%H", "--", path).split():
        before = json.loads(git("show", f"{commit}:{path}"))
        if before["definition"] == COMMITTED["definition"]:
            for part in ("folders", "sample"):
                assert not worse(before[part], COMMITTED[part]), f"worse than at {commit}; `make accuracy`"


@needs_pictures
def test_every_folder_has_its_committed_figures() -> None:
    names = set(groups(SHARED))
    assert COMMITTED["definition"] == DEFINITION
    assert set(COMMITTED["folders"]) == set(COMMITTED["sample"]) == names


@needs_pictures
def test_a_sample_measured_now_is_no_worse_than_committed() -> None:
    assert not worse(COMMITTED["sample"], measure_groups(SHARED, Workers(), every=EVERY))


def test_the_readme_shows_the_committed_figures() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name, figures in COMMITTED["folders"].items():
        row = next(line for line in readme.splitlines() if line.startswith(f"| {name.split('/')[1]}"))
        shares = ("dice_right", "images_right", "images_right_and_sure", "unsure", "wrong_and_not_unsure")
        cells = [f"{100 * figures[key]:.1f} %" if figures[key] is not None else "-" for key in shares]
        counts = [str(figures["images"]), str(figures["dice"])]
        assert [cell.strip() for cell in row.split("|")[2:-1]] == [*counts, *cells, str(figures["invented"])]
