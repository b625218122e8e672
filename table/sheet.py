"""The sheet to print for `titusind calibrate`: the board at true scale, a ruler to check it, what to do."""

from __future__ import annotations

import io
from pathlib import Path

import pydyf

from vision.calibrate.board import SIZE_MM, black_rectangles

PAPERS = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}  # mm, lying
POINTS_PER_MM = 72 / 25.4
RULER_MM = 100
TOP_MM = 8.0  # between the paper's edge, which printers leave white, and the board
TEXT_PT = 10
LINE_MM = 5.0
INSTRUCTIONS = (
    "Print at 100 % (actual size). The ruler must measure 100 mm; if not, say what it measures: --ruler 98.5",
    "Lay the sheet flat in the middle of the empty tray and take the picture with the table's own camera:",
    "titusind calibrate picture.jpg --empty empty.jpg --out table.json",
    "Too large to lie flat in the tray? Measure the ruler, then cut along the squares (210 x 150 mm).",
)


def write_sheet(path: Path, paper: str) -> None:
    """Write `sheet_pdf` to a file. Raises OSError."""
    path.write_bytes(sheet_pdf(paper))


def sheet_pdf(paper: str) -> bytes:
    """Return the sheet as a PDF of vectors on `paper`, a name in PAPERS, lying."""
    width, height = PAPERS[paper]
    page = pydyf.Stream(compress=True)
    page.set_matrix(POINTS_PER_MM, 0, 0, -POINTS_PER_MM, 0, height * POINTS_PER_MM)  # mm, y down
    left = (width - SIZE_MM[0]) / 2
    for x, y, across, down in black_rectangles():
        page.rectangle(left + x, TOP_MM + y, across, down)
    page.fill()
    below = TOP_MM + SIZE_MM[1] + 8
    _draw_ruler(page, left, below)
    for number, line in enumerate(INSTRUCTIONS):
        _write(page, left, below + 12 + number * LINE_MM, line)
    written = io.BytesIO()
    _document(page, width, height).write(written)
    return written.getvalue()


def _draw_ruler(page: pydyf.Stream, left: float, top: float) -> None:
    page.set_line_width(0.2)
    for mm in range(RULER_MM + 1):
        length = 5.0 if mm % 10 == 0 else 3.5 if mm % 5 == 0 else 2.0
        page.move_to(left + mm, top)
        page.line_to(left + mm, top + length)
    page.move_to(left, top)
    page.line_to(left + RULER_MM, top)
    page.stroke()
    _write(page, left + RULER_MM + 3, top + 4, "100 mm")


def _write(page: pydyf.Stream, x: float, y: float, text: str) -> None:
    size = TEXT_PT / POINTS_PER_MM
    page.begin_text()
    page.set_font_size("F", size)
    page.set_text_matrix(1, 0, 0, -1, x, y)
    page.show_text_string(text)
    page.end_text()


def _document(page: pydyf.Stream, width: float, height: float) -> pydyf.PDF:
    document = pydyf.PDF()
    font = pydyf.Dictionary({"Type": "/Font", "Subtype": "/Type1", "BaseFont": "/Helvetica"})
    document.add_object(font)
    document.add_object(page)
    document.info["Title"] = pydyf.String("titusind calibration sheet")
    box = pydyf.Array([0, 0, width * POINTS_PER_MM, height * POINTS_PER_MM])
    resources = pydyf.Dictionary({"Font": pydyf.Dictionary({"F": font.reference})})
    leaf = {
        "Type": "/Page",
        "Parent": document.pages.reference,
        "MediaBox": box,
        "Contents": page.reference,
        "Resources": resources,
    }
    document.add_page(pydyf.Dictionary(leaf))
    # Viewers that heed it print at true scale unless told otherwise.
    document.catalog["ViewerPreferences"] = pydyf.Dictionary({"PrintScaling": "/None"})
    return document
