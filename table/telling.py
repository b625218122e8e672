"""The table's events as lines for people on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from table.events import TableEvent

Fields = Mapping[str, Any]
MOST_OPTIONS = 3


def told(event: TableEvent) -> str:
    """Return one line on `event`: `   3.20 s  Ada banks 350 and has 1100`."""
    return f"{event.at.t_s:7.2f} s  {_TELLERS[event.name](event.fields)}"


def spelled(faces: Iterable[object]) -> str:
    """Write faces as `1-1-5`."""
    return "-".join(map(str, faces))


def _throw_settled(fields: Fields) -> str:
    read = spelled(die["face"] or "?" for die in fields["dice"])
    reasons = "; ".join(dict.fromkeys(f"{each['kind']}: {each['detail']}" for each in fields["reasons"]))
    faces = spelled(fields["faces"]) if fields["faces"] else f"read as {read}"
    return f"{fields['verdict']} throw, {faces}" + (f" ({reasons})" if reasons else "")


def _misroll(fields: Fields) -> str:
    kinds = dict.fromkeys(reason["kind"] for reason in fields["reasons"])
    reasons = f" ({', '.join(kinds)})" if kinds else ""
    relief = "a knock may save the throw" if fields["relief"] else "the same dice are thrown again"
    return f"misroll{reasons}: {relief}"


def _options(fields: Fields) -> str:
    offers = list(map(_option, fields["set_asides"]))
    more = f" and {len(offers) - MOST_OPTIONS} more" if len(offers) > MOST_OPTIONS else ""
    return "may set aside " + ", ".join(offers[:MOST_OPTIONS]) + more


def _option(each: Fields) -> str:
    risk = f"{each['dice_left']} left, bust {each['bust_probability']:.0%}"
    return f"{spelled(each['faces'])} = {each['points']} ({risk})"


def _set_aside(fields: Fields) -> str:
    hot = ", all six dice again" if fields["hot_dice"] else f", {fields['dice_left']} dice left"
    return (
        f"set aside {spelled(fields['faces'])} for {fields['points']}: {fields['turn_points']} this turn{hot}"
    )


def _bust(fields: Fields) -> str:
    penalty = f", and {fields['penalty']} off for the third in a row" if fields["penalty"] else ""
    return f"bust: {fields['player']} loses {fields['lost']}{penalty} and has {fields['total']}"


def _game_over(fields: Fields) -> str:
    totals = ", ".join(f"{name} {total}" for name, total in fields["totals"].items())
    return f"{' and '.join(fields['winners'])} wins: {totals}"


def _corrected(fields: Fields) -> str:
    if "undone" in fields:
        return f"took back: {fields['undone'].replace('_', ' ')}"
    if "die" in fields:
        return f"die {fields['die'] + 1} is {fields['face'] or 'no die'}, was read as {fields['was'] or '?'}"
    if "place" in fields:
        return _amended(fields)
    return f"the throw shows {spelled(fields['faces'])}, was read as {spelled(fields['was'])}"


def _amended(fields: Fields) -> str:
    lost = "".join(
        f"; no longer counts: {each['player']}'s {_action(each['action'])} ({each['why']})"
        for each in fields["impossible"]
    )
    closed = "".join(f"; {player}'s turn ends with 0" for player in fields["closed"])
    again = f"; what followed counts again: {len(fields['restored'])}" if fields["restored"] else ""
    change = f"{_action(fields['now'])}, not {_action(fields['was'])}"
    return f"place {fields['place']}, {fields['player']}: {change}{lost}{closed}{again}"


def _action(record: Fields | None) -> str:
    if record is None:
        return "nothing"
    name = record["action"].replace("_", " ")
    if record.get("faces"):
        return f"{name} {spelled(record['faces'])}"
    return f"{name} {record['points']}" if "points" in record else name


_TELLERS: dict[str, Callable[[Fields], str]] = {
    "throw_started": lambda _: "dice are thrown",
    "throw_settled": _throw_settled,
    "misroll": _misroll,
    "options": _options,
    "bust": _bust,
    "set_aside": _set_aside,
    "banked": lambda fields: f"{fields['player']} banks {fields['points']} and has {fields['total']}",
    "relief": lambda fields: f"nothing in {fields['player']}'s first throw: may throw again",
    "target_passed": lambda fields: f"{fields['player']} would pass the target: the turn scores 0",
    "turn_ended": lambda fields: f"{fields['player']}'s turn ends without points: {fields['total']}",
    "turn_started": lambda fields: f"{fields['player']}'s turn",
    "table_cleared": lambda _: "the table is clear",
    "game_over": _game_over,
    "paused": lambda fields: f"waits: {fields['detail']}",
    "resumed": lambda _: "goes on",
    "corrected": _corrected,
}
