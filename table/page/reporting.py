"""The report of a throw that was read wrong: asked about, written, and handed out as a file."""

from __future__ import annotations

import time

from nicegui import run, ui

from table.page.dialogs import ask_for_report
from table.page.gate import may_touch
from table.page.session import TableSession

REPORT_URL = "/report.zip"


def offer_report(session: TableSession, page: ui.element) -> None:
    """Ask whether a report is to be written, and download it; `page` is what outlives the question."""

    async def report() -> None:
        await _report(session, page)

    if may_touch(session):
        ask_for_report(session.words, report)


async def _report(session: TableSession, page: ui.element) -> None:
    recorder = session.recorder
    report = None if recorder is None else await run.io_bound(recorder.report, session.state)
    with page:  # the dialog, in which it was tapped, is gone
        if report is None:
            ui.notify(session.words.nothing_to_report, type="warning", position="top")
        else:
            ui.download.from_url(REPORT_URL, f"titusind-{time.strftime('%Y%m%d-%H%M%S')}.zip")
