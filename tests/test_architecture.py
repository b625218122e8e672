"""Holds the one-way rule by reading every import in the source, also those inside functions."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RUN_TIME = ("vision", "scoring", "table")
WORK_BENCHES = ("models", "datasets", "tests", "benchmarks", "deploy")
SOLVER = "scoring/solver.py"
ADVICE = {"scoring.aims", "scoring.advice", "table.commands.advise", "table.commands.odds"}
ONE_DOOR = {
    "sqlite3": "table/store/database.py",
    "cv2": "vision/opencv.py",
    "onnxruntime": "vision/inference.py",
    "pydyf": "table/sheet.py",
}
AT_MOST_ONE_DOOR = ("picamera2", "libcamera", "ultralytics")
MAY_IMPORT = {  # which of our own packages each may import
    "vision": {"vision"},
    "scoring": {"scoring"},
    "table": {"vision", "scoring", "table"},
}


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """Dotted names of what the module at `path` imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "import_module":
            yield from (str(each.value) for each in node.args if isinstance(each, ast.Constant))


def tops(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imported(path)}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def dotted(path: Path) -> str:
    return name(path).removesuffix(".py").replace("/", ".")


ALL = [path for package in RUN_TIME for path in modules(package)]


def test_there_is_something_to_hold() -> None:
    assert all(modules(package) for package in RUN_TIME)


@pytest.mark.parametrize("path", ALL, ids=name)
def test_packages_import_one_way(path: Path) -> None:
    package = name(path).split("/")[0]
    forbidden = {*RUN_TIME, *WORK_BENCHES} - MAY_IMPORT[package]
    assert not tops(path) & forbidden


@pytest.mark.parametrize("path", modules("scoring"), ids=name)
def test_scoring_imports_the_standard_library_only_but_for_its_solver(path: Path) -> None:
    allowed = {"numpy"} if name(path) == SOLVER else set()
    assert tops(path) - {"scoring"} - allowed <= sys.stdlib_module_names


def test_the_solver_is_loaded_by_those_who_ask_for_advice_only() -> None:
    loads_it = {"scoring.solver"}
    asked_by: set[str] = set()
    while asked_by != loads_it:
        asked_by = set(loads_it)
        loads_it |= {dotted(path) for path in ALL if asked_by & set(imported(path))}
    assert loads_it == {"scoring.solver", *ADVICE}


def test_domain_types_of_vision_import_numpy_only() -> None:
    assert tops(ROOT / "vision" / "domain.py") - {"numpy"} <= sys.stdlib_module_names


def test_opencv_comes_in_by_one_door() -> None:
    for library, door in ONE_DOOR.items():
        assert [name(path) for path in ALL if library in tops(path)] == [door]


@pytest.mark.parametrize("library", AT_MOST_ONE_DOOR)
def test_a_device_or_runtime_comes_in_by_one_door(library: str) -> None:
    assert len([path for path in ALL if library in tops(path)]) <= 1


def test_no_module_is_called_what_says_nothing() -> None:
    banned = {"utils", "util", "helpers", "common", "misc", "manager", "processor"}
    assert not [name(path) for path in ALL if path.stem in banned]
