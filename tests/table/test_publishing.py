"""Events for other programs: in order, none missed, none twice, and the table never waits for a listener."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from scoring.actions import Bank, PutAside
from scoring.game import new_game
from scoring.ruleset import load_preset, with_overrides
from table.errors import PublishingError
from table.events import TableEvent
from table.loop import TableLoop, keep_nothing
from table.output import json_line
from table.publishing.event_hub import EventHub
from table.publishing.home_assistant import OF_GAME, OF_TABLE, Topics, discovery
from table.publishing.mailbox import Mailbox
from table.publishing.mqtt_address import PASSWORD_VARIABLE, add_mqtt_arguments, chosen_mqtt, mqtt_address
from table.publishing.websocket import EVENTS_URL, MOST_LISTENERS, add_events
from table.state import TableState
from table.throw_watch import ThrowWatch
from table.touches import Play
from tests.table.staging import TILTED, UNREADABLE, Dice, Hand, Still, dice, frames, staged_judge

SIX = dice(1, 1, 5, 3, 2, 6)


class Table:
    """A loop whose changes are told to a hub."""

    def __init__(self) -> None:
        rules = with_overrides(load_preset("danish"), {"first_throw_relief": "no", "opening": "0"})
        self.hub, self.told = EventHub(), list[TableEvent]()
        game = new_game(rules, ("Ada", "Bo & <b>co</b>"))
        self.loop = TableLoop(game, ThrowWatch(judge=staged_judge), keep=self.hub.told_after(keep_nothing))
        self.told += self.loop.begin()

    def throw(self, thrown: Dice) -> None:
        for frame in frames(Still({}), Hand({}), Still(thrown)):
            self.told += self.loop.step(frame)

    def touch(self, action: PutAside | Bank) -> None:
        self.told += self.loop.touch(Play(action))

    def play(self) -> None:
        self.throw(SIX)
        self.touch(PutAside((1, 1, 5)))
        self.touch(Bank())

    def records(self) -> list[object]:
        return [json.loads(json_line(event.record())) for event in self.told]


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def client(table: Table) -> Iterator[TestClient]:
    app = FastAPI()
    add_events(app, table.hub)
    with TestClient(app) as opened:
        yield opened


@given(st.lists(st.one_of(st.integers(1, 9), st.none()), max_size=60), st.integers(1, 5))
def test_a_mailbox_gives_the_latest_in_order_and_says_how_many_it_dropped(
    doings: list[int | None], most: int
) -> None:
    mailbox, put, taken = Mailbox(lambda: None, most), 0, 0
    for doing in [*doings, None]:
        if doing is not None:
            for _ in range(doing):
                put += 1
                mailbox.put(str(put))
            continue
        lines = mailbox.take()
        dropped = json.loads(lines.pop(0))["count"] if lines and lines[0].startswith("{") else 0
        assert lines == [str(number) for number in range(taken + dropped + 1, put + 1)]
        assert len(lines) <= most
        assert dropped == max(0, put - taken - most)
        taken = put


def test_a_listener_gets_what_stands_and_then_every_event(table: Table, client: TestClient) -> None:
    table.throw(SIX)
    before = len(table.told)
    with client.websocket_connect(EVENTS_URL) as listener:
        standing = listener.receive_json()
        table.touch(PutAside((1, 1, 5)))
        table.touch(Bank())
        got = [listener.receive_json() for _ in table.told[before:]]
    assert got == table.records()[before:]
    assert [event["event"] for event in got][:2] == ["set_aside", "banked"]
    assert standing["event"] == "standing"
    assert standing["faces"] == [1, 1, 2, 3, 5, 6]
    assert (standing["player"], standing["phase"], standing["turn_points"]) == ("Ada", "set_aside", 0)
    assert standing["totals"] == {"Ada": 0, "Bo & <b>co</b>": 0}


def test_two_listeners_get_the_same_and_one_that_leaves_disturbs_nobody(
    table: Table, client: TestClient
) -> None:
    with client.websocket_connect(EVENTS_URL) as stays:
        with client.websocket_connect(EVENTS_URL) as leaves:
            assert leaves.receive_json() == stays.receive_json()
        table.play()
        told = [stays.receive_json() for _ in table.told[1:]]
    assert told == table.records()[1:]


def test_what_a_listener_says_is_left_unread(table: Table, client: TestClient) -> None:
    with client.websocket_connect(EVENTS_URL) as listener:
        listener.receive_json()
        for said in ("bank", "{}", "{" * 1000):
            listener.send_text(said)
        state = table.loop.state
        table.throw(SIX)
        assert listener.receive_json()["event"] == "throw_started"
    assert table.loop.state is not state


def test_there_is_room_for_so_many_listeners_and_no_more(client: TestClient) -> None:
    opened = [client.websocket_connect(EVENTS_URL) for _ in range(MOST_LISTENERS)]
    for listener in opened:
        listener.__enter__()
        listener.receive_json()
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(EVENTS_URL):
        pass
    for listener in opened:
        listener.__exit__(None, None, None)


def test_the_tally_is_kept_before_anybody_is_told() -> None:
    hub, order = EventHub(), list[str]()

    def keep(before: TableState, after: TableState, events: tuple[TableEvent, ...]) -> None:
        order.append("kept")

    rules = load_preset("danish")
    loop = TableLoop(
        new_game(rules, ("Ada", "Bo")), ThrowWatch(judge=staged_judge), keep=hub.told_after(keep)
    )
    with hub.listening(lambda: order.append("told")):
        loop.begin()
    assert order == ["kept", "told"]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("mqtt://broker", ("broker", 1883, False, "titusind", None)),
        ("mqtts://ada@broker.local:8884/home/dice", ("broker.local", 8884, True, "home/dice", "ada")),
        ("mqtt://a%40b@[fd00::2]/x/", ("fd00::2", 1883, False, "x", "a@b")),
    ],
)
def test_an_address_of_a_broker(url: str, expected: tuple[object, ...]) -> None:
    found = mqtt_address(url, "secret")
    assert (found.host, found.port, found.tls, found.topic, found.user) == expected
    assert found.password == "secret"
    assert "secret" not in str(found)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "broker",
        "http://broker",
        "mqtt://",
        "mqtt://broker:port",
        "mqtt://broker:99999",
        "mqtt://broker/a/#",
        "mqtt://broker/+/b",
        "mqtt://broker//a//b",
        "mqtt://broker/a?b=c",
        "mqtt://[fd00",
    ],
)
def test_an_address_that_is_none_is_one_line(url: str) -> None:
    with pytest.raises(PublishingError, match="--mqtt") as raised:
        mqtt_address(url)
    assert "\n" not in str(raised.value)


def test_a_password_on_the_command_line_is_refused_and_not_repeated() -> None:
    with pytest.raises(PublishingError, match=PASSWORD_VARIABLE) as raised:
        mqtt_address("mqtt://ada:opensesame@broker")
    assert "opensesame" not in str(raised.value)


def test_the_password_comes_from_the_environment_or_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    parser = argparse.ArgumentParser()
    add_mqtt_arguments(parser)
    file, empty = tmp_path / "password", tmp_path / "empty"
    file.write_text("from file\n")
    empty.touch()
    monkeypatch.setenv(PASSWORD_VARIABLE, "from environment")
    url = ["--mqtt", "mqtt://ada@broker"]
    for words, expected in (
        (url, "from environment"),
        ([*url, "--mqtt-password-file", str(file)], "from file"),
    ):
        found = chosen_mqtt(parser.parse_args(words))
        assert found is not None
        assert found.password == expected
    assert chosen_mqtt(parser.parse_args([])) is None
    for path in (empty, tmp_path / "absent"):
        with pytest.raises(PublishingError, match=path.name):
            chosen_mqtt(parser.parse_args([*url, "--mqtt-password-file", str(path)]))


def test_home_assistant_finds_a_value_for_every_entity(table: Table) -> None:
    table.play()
    standing = json.loads(table.hub.standing() or "")
    environment = Environment(autoescape=False)
    environment.filters["to_json"] = json.dumps
    topics = Topics("home/dice")
    values = {
        topic.split("/")[3]: environment.from_string(str(entity["value_template"])).render(
            value_json=standing
        )
        for topic, entity in discovery(topics, "1").items()
        if entity["state_topic"] == topics.state
    }
    assert values == {
        "player": "Bo & <b>co</b>",
        "turn_points": "0",
        "highest": "250",
        "phase": "throw",
        "winner": "",
        "paused": "OFF",
    }
    event = discovery(topics, "1")["homeassistant/event/home_dice/event/config"]
    for record in table.records():
        rendered = environment.from_string(str(event["value_template"])).render(value_json=record)
        assert json.loads(rendered)["event_type"] in event["event_types"]  # type: ignore[operator]


def test_no_two_entities_of_home_assistant_share_an_id() -> None:
    both = [discovery(Topics(base), "1") for base in ("dice", "other")]
    ids = sorted(str(entity["unique_id"]) for told in both for entity in told.values())
    assert all(one != other for one, other in pairwise(ids))
    assert len({topic for told in both for topic in told}) == len(ids)


def test_every_event_of_the_contract_has_its_type() -> None:
    named = (
        "throw_started throw_settled misroll options bust set_aside banked relief turn_started table_cleared "
        "game_over paused resumed corrected"
    )
    assert set(named.split()) <= {*OF_TABLE, *OF_GAME}
    table = Table()
    for thrown in (dice(1, 1, TILTED, 3, 2, 6), dice(1, 1, UNREADABLE, 3, 2, 6), SIX):
        table.throw(thrown)
    assert {event.name for event in table.told} <= {*OF_TABLE, *OF_GAME}
