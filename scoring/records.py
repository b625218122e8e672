"""Actions read back from the plain values that `scoring.actions.action_record` makes of them."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping
from typing import cast

from scoring.actions import (
    Action,
    Amend,
    Bank,
    Correct,
    CountAs,
    DeclineRelief,
    EndTurn,
    Join,
    Knock,
    Misroll,
    MisrollReason,
    PutAside,
    SetTotal,
    TakeIn,
    TakeOut,
    Throw,
    TurnTo,
)
from scoring.errors import RecordError
from scoring.faces import Faces, is_face

Fields = Mapping[str, object]


def action_of(record: object) -> Action:
    """Return the action that `record` was made of, also after JSON; raises `RecordError`."""
    if not isinstance(record, Mapping):
        raise _unfit("an action", record, "an object")
    kind = record.get("action")
    if not isinstance(kind, str) or kind not in _READERS:
        raise _unfit("action", kind, ", ".join(_READERS))
    names, read = _READERS[kind]
    fields = {name: value for name, value in record.items() if name != "action"}
    if fields.keys() != set(names):
        raise _unfit(f"{kind}: fields", ", ".join(fields), ", ".join(names) or "none")
    return read(fields)


def _unfit(what: str, found: object, accepted: str) -> RecordError:
    return RecordError(f"{what}: found {reprlib.repr(found)}; accepted: {accepted}")


def _faces(fields: Fields, name: str = "faces") -> Faces:
    faces = fields[name]
    if not isinstance(faces, list | tuple) or not all(map(is_face, faces)):
        raise _unfit(name, faces, "a list of faces 1 to 6")
    return tuple(faces)


def _knock(fields: Fields) -> Knock:
    return Knock(None if fields["faces"] is None else _faces(fields))


def _whole(fields: Fields, name: str) -> int:
    if type(fields[name]) is not int:
        raise _unfit(name, fields[name], "a whole number")
    return cast(int, fields[name])


def _text(fields: Fields, name: str) -> str:
    if not isinstance(fields[name], str):
        raise _unfit(name, fields[name], "text")
    return cast(str, fields[name])


def _misroll(fields: Fields) -> Misroll:
    reasons = fields["reasons"]
    if not isinstance(reasons, list | tuple):
        raise _unfit("reasons", reasons, "a list")
    return Misroll(tuple(map(_reason, reasons)))


def _reason(fields: object) -> MisrollReason:
    names = set(MisrollReason.__dataclass_fields__)
    if not isinstance(fields, Mapping) or fields.keys() != names:
        raise _unfit("reason", fields, f"an object of {', '.join(sorted(names))}")
    die, face = (None if fields[name] is None else _whole(fields, name) for name in ("die", "face"))
    amount = fields["amount"]
    if amount is not None and (isinstance(amount, bool) or not isinstance(amount, int | float)):
        raise _unfit("amount", amount, "a number")
    return MisrollReason(_text(fields, "kind"), die, face, amount, _text(fields, "detail"))


def _amend(fields: Fields) -> Amend:
    really = None if fields["really"] is None else action_of(fields["really"])
    if isinstance(really, Correct | Amend):
        raise _unfit("really", really.kind, "any action but a correction")
    return Amend(_whole(fields, "place"), really)


_READERS: dict[str, tuple[tuple[str, ...], Callable[[Fields], Action]]] = {
    Throw.kind: (("faces",), lambda fields: Throw(_faces(fields))),
    Misroll.kind: (("reasons",), _misroll),
    Knock.kind: (("faces",), _knock),
    PutAside.kind: (("faces", "source"), lambda fields: PutAside(_faces(fields), _text(fields, "source"))),
    Bank.kind: ((), lambda _: Bank()),
    DeclineRelief.kind: ((), lambda _: DeclineRelief()),
    EndTurn.kind: (("points",), lambda fields: EndTurn(_whole(fields, "points"))),
    CountAs.kind: (("faces", "ruled"), lambda fields: CountAs(_faces(fields), _faces(fields, "ruled"))),
    TurnTo.kind: (("player",), lambda fields: TurnTo(_text(fields, "player"))),
    SetTotal.kind: (
        ("player", "total"),
        lambda fields: SetTotal(_text(fields, "player"), _whole(fields, "total")),
    ),
    TakeOut.kind: (("player",), lambda fields: TakeOut(_text(fields, "player"))),
    TakeIn.kind: (("player",), lambda fields: TakeIn(_text(fields, "player"))),
    Join.kind: (("player",), lambda fields: Join(_text(fields, "player"))),
    Correct.kind: (("faces",), lambda fields: Correct(_faces(fields))),
    Amend.kind: (("place", "really"), _amend),
}
