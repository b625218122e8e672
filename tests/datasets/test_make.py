"""Sets are a function of their seed, can be stopped and grown, and are in the format measured with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from datasets import rig_maker
from datasets.command import outcomes
from datasets.make import main
from datasets.pip_check import Pips
from datasets.progress import progress_line
from datasets.rig_maker import GLARED_SHARE, MadeRig, Order, make_rig
from table.evaluation.formats import read_folder
from table.workers import opened_workers
from vision.calibration import load_calibration

ORDER = Order(seed=3, recipe="laid", count=5, throws=2, renderer="flat")


def make(out: Path, *more: str, count: int = 5, seed: int = 3) -> int:
    fixed = ["--recipe", "laid", "--renderer", "flat", "--throws-per-rig", "2"]
    return main(["--out", str(out), "--count", str(count), "--seed", str(seed), *fixed, *more])


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    assert make(folder) == 0
    return folder


def test_it_is_read_as_a_labelled_rig_with_its_calibration(made: Path) -> None:
    rigs = sorted((made / "rigs").iterdir())
    assert [rig.name for rig in rigs] == ["rig-00000", "rig-00001", "rig-00002"]
    stills = [still for rig in rigs for still in read_folder(rig).stills]
    assert len(stills) == 5
    for still in stills:
        assert still.verdict is not None
        assert len(still.dice) == still.expected_dice
    for rig in rigs:
        assert load_calibration(rig / "table.json").empty_image is not None


def test_the_manifest_counts_what_is_there_and_names_every_source(made: Path) -> None:
    manifest = json.loads((made / "manifest.json").read_text())
    truths = [json.loads(path.read_text()) for path in made.glob("rigs/*/[0-9]*.json")]
    assert (manifest["rigs"], manifest["pictures"], manifest["verdicts"]) == (3, 5, {"valid": 5})
    assert sum(manifest["faces"].values()) == sum(len(truth["dice"]) for truth in truths)
    assert [(source["licence"], source["pictures"], source["outside"]) for source in manifest["sources"]] == [
        ("CC0-1.0", 5, False)
    ]
    assert manifest["sources"][0]["program_licence"] == "AGPL-3.0-or-later"
    assert (made / "sheet-0.jpg").is_file()


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(made: Path, tmp_path: Path) -> None:
    assert make(tmp_path / "again") == 0
    assert contents(tmp_path / "again") == contents(made)
    assert make(tmp_path / "other", seed=4) == 0
    assert contents(tmp_path / "other")["rigs/rig-00000/000.jpg"] != contents(made)["rigs/rig-00000/000.jpg"]


def test_what_was_stopped_goes_on_to_the_same_set(made: Path, tmp_path: Path) -> None:
    assert make(tmp_path, count=2) == 0
    kept = (tmp_path / "rigs/rig-00000/000.jpg").stat().st_mtime_ns
    half_written = tmp_path / "rigs/.rig-00001"
    half_written.mkdir()
    (half_written / "000.jpg").write_bytes(b"half")
    assert make(tmp_path) == 0
    assert (tmp_path / "rigs/rig-00000/000.jpg").stat().st_mtime_ns == kept
    assert contents(tmp_path) == contents(made)


def test_a_last_rig_that_was_too_small_is_made_anew(made: Path, tmp_path: Path) -> None:
    assert make(tmp_path, count=3) == 0
    assert make(tmp_path) == 0
    assert contents(tmp_path) == contents(made)


def test_a_folder_begun_otherwise_is_refused_in_one_line(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(made)
    assert make(made, seed=4) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "seed" in said
    assert "accepted" in said
    assert contents(made) == before


@pytest.mark.parametrize("wrong", [["--count", "0"], ["--recipe", "juggled"], ["--renderer", "crayon"]])
def test_wrong_usage_exits_with_two(wrong: list[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--out", str(tmp_path), "--count", "1", *wrong])
    assert stop.value.code == 2


def unlucky(order: Order, number: int) -> MadeRig:
    if number == 1:
        raise ValueError("no luck")
    return make_rig(order, number)


def test_cores_make_the_same_rigs_and_one_that_fails_does_not_stop_the_others() -> None:
    with opened_workers(2) as workers:
        made = dict(outcomes(workers, unlucky, ORDER, [0, 1, 2]))
    assert str(made[1]) == "no luck"
    assert made[0] == make_rig(ORDER, 0)
    assert made[2] == make_rig(ORDER, 2)


def test_a_cluster_of_two_workers_makes_the_same_rigs() -> None:
    distributed = pytest.importorskip("distributed", reason="needs dask[distributed] of the datasets extra")
    two = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with two as cluster, opened_workers(1, cluster.scheduler_address) as workers:
        made = dict(outcomes(workers, make_rig, ORDER, [0, 2]))
    assert made == {number: make_rig(ORDER, number) for number in (0, 2)}


def test_the_bar_tells_the_time_left_by_the_pace_of_what_was_made_now() -> None:
    line = progress_line("throws", done=60, total=100, fresh=10, elapsed_s=20.0)
    assert line.endswith("60/100, 2.0 s each, 0:01:20 left")
    assert progress_line("throws", 0, 100, 0, 0.0).endswith("0/100")


@pytest.mark.parametrize("throws", [1, 3, 7, 40])
def test_pictures_with_glare_are_a_bounded_share_of_a_set_spread_over_its_rigs(throws: int) -> None:
    order = Order(1, "laid", 400, throws, "flat")
    allowed = [order.glared_of(number) for number in range(order.rigs)]
    assert sum(allowed) == GLARED_SHARE * order.count
    assert max(allowed) <= 1 + GLARED_SHARE * throws


def glaring(monkeypatch: pytest.MonkeyPatch, without_light: Pips) -> dict[str, bytes]:
    """The files of a rig that may show one die wiped by glare, whose first picture has one."""
    looks = iter([Pips.WIPED, without_light])
    seen = rig_maker.pips_seen

    def first_wiped(*asked: Any) -> list[Pips]:
        return [next(looks, Pips.SHOWN), *seen(*asked)[1:]]

    monkeypatch.setattr(rig_maker, "pips_seen", first_wiped)
    order = Order(seed=3, recipe="laid", count=25, throws=25, renderer="flat")
    monkeypatch.setattr(Order, "pictures_of", lambda *_: 2)
    monkeypatch.setattr(Order, "glared_of", lambda *_: 1)
    return make_rig(order, 0).files


def test_a_die_wiped_by_glare_is_kept_and_marked_when_without_light_it_shows_its_label(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = glaring(monkeypatch, Pips.SHOWN)
    first, second = (json.loads(files[f"00{number}.json"])["dice"] for number in (0, 1))
    assert not first[0]["readable"]
    assert all(die["readable"] for die in [*first[1:], *second])
    assert json.loads(files["rig.json"])["glared"] == 1


def test_a_die_that_does_not_show_its_label_without_light_either_is_thrown_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = glaring(monkeypatch, Pips.WRONG)
    record = json.loads(files["rig.json"])
    assert (record["glared"], record["rejected"]["unreadable pips"]) == (0, 1)
    assert all(die["readable"] for number in (0, 1) for die in json.loads(files[f"00{number}.json"])["dice"])


def test_a_file_in_the_place_of_the_folder_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").write_text("")
    assert main(["--out", str(tmp_path / "taken"), "--count", "1", "--renderer", "flat"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "accepted is a folder" in said


@pytest.mark.parametrize("content", ["{", "[]", '"natural"'])
def test_an_order_that_cannot_be_read_is_one_line(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "order.json").write_text(content)
    assert main(["--out", str(tmp_path), "--count", "1", "--renderer", "flat"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "order.json" in said


def test_a_start_that_made_nothing_binds_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> MadeRig:
        raise ImportError("No module named 'mitsuba'")

    start = ["--out", str(tmp_path), "--count", "1", "--recipe", "laid", "--sheets", "0"]
    with monkeypatch.context() as without:
        without.setattr("datasets.command._made", missing)
        assert main([*start, "--renderer", "mitsuba"]) == 1
    assert main([*start, "--renderer", "flat"]) == 0
    assert main([*start, "--renderer", "mitsuba"]) == 2
