"""Reports that may come from anywhere: whatever is wrong with one is told in a line, and none does harm."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import table.commands.judge
import table.commands.replay
from table.cli import main
from table.errors import ReportError
from table.recording import report_reading
from table.recording.report import CLIP, META, PICTURE, RULES
from table.recording.report_reading import opened_report
from table.recording.report_replay import replay_report
from tests.table.reporting import SIX, Table, changed, repacked
from tests.table.staging import staged_judge


@pytest.fixture
def staged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table.commands.replay, "judge_with", lambda _: staged_judge)


@cache
def sound() -> bytes:
    at_table = Table().throw(SIX)
    report = at_table.recorder.report(at_table.loop.state)
    assert report is not None
    return report


@pytest.fixture
def report_path(tmp_path: Path) -> Path:
    path = tmp_path / "report.zip"
    path.write_bytes(sound())
    return path


def refusal(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["replay", str(path)]) == 1
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert str(path) in printed.err
    assert gettempdir() + "/titusind-" not in printed.err
    return printed.err


@pytest.mark.usefixtures("staged")
@pytest.mark.parametrize(
    ("content", "found"),
    [(None, "No such file"), (b"", "no zip"), (b"1 1 5 3 2 6", "no zip"), (b"PK\x05\x06" + bytes(18), META)],
)
def test_what_is_no_report_is_one_line(
    content: bytes | None, found: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "report.zip"
    if content is not None:
        path.write_bytes(content)
    assert found in refusal(path, capsys)


@pytest.mark.usefixtures("staged")
def test_a_folder_is_no_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "report.zip").mkdir()
    refusal(tmp_path / "report.zip", capsys)


@pytest.mark.usefixtures("staged")
@pytest.mark.parametrize("name", [META, CLIP, PICTURE, RULES])
def test_a_file_that_is_missing_or_nonsense_is_one_line(
    name: str, report_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for data in (None, b"\xff\x00nonsense"):
        report_path.write_bytes(sound())
        repacked(report_path, {name: data})
        assert name in refusal(report_path, capsys)


@pytest.mark.usefixtures("staged")
def test_a_file_that_unpacks_to_too_much_is_refused(
    report_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repacked(report_path, {META: b" " * (report_reading.MOST_BYTES[META] + 1)}, compressed=True)
    assert report_path.stat().st_size < 2_000_000
    assert "more than 4 MiB" in refusal(report_path, capsys)


@pytest.mark.usefixtures("staged")
@pytest.mark.parametrize("name", ["../evil.txt", "/evil.txt", "a/../../evil.txt", "..\\evil.txt", "x" * 999])
def test_nothing_is_written_but_what_is_known(
    name: str, report_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    write = Path.write_bytes

    def seen(path: Path, data: bytes) -> int:
        written.append(path.name)
        return write(path, data)

    repacked(report_path, {name: b"evil"})
    monkeypatch.setattr(Path, "write_bytes", seen)
    assert main(["replay", str(report_path)]) == 0
    assert set(written) <= report_reading.MOST_BYTES.keys()


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_damage_is_told_in_one_line_or_does_not_matter(data: st.DataObject) -> None:
    broken = bytearray(sound())
    if data.draw(st.booleans()):
        del broken[data.draw(st.integers(0, len(broken))) :]
    else:
        place = data.draw(
            st.integers(0, len(sound()) - 1) | st.integers(len(sound()) - 700, len(sound()) - 1)
        )
        broken[place] ^= data.draw(st.integers(1, 255))
    read(bytes(broken))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_a_record_of_nonsense_is_one_line(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "report.zip"
        path.write_bytes(sound())

        def spoil(record: dict[str, Any]) -> None:
            inside: Any = record
            while True:
                keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
                key = data.draw(st.sampled_from(keys))
                deeper = isinstance(inside[key], dict | list) and inside[key]
                if not deeper or data.draw(st.booleans()):
                    inside[key] = data.draw(JSON)
                    return
                inside = inside[key]

        changed(path, spoil)
        read(path.read_bytes())


def read(content: bytes) -> None:
    """Read and replay a report; whatever is wrong with it must be one line of ours."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "report.zip"
        path.write_bytes(content)
        try:
            with opened_report(path) as report:
                replay_report(report, staged_judge)
        except ReportError:
            return
