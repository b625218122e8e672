"""Publishing to a real Mosquitto, which is started for the test, killed, and started again."""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from table.commands.play import DEMO
from table.publishing.home_assistant import Topics
from table.publishing.mqtt import MqttPublisher
from table.publishing.mqtt_address import MqttAddress
from tests.table.test_publishing import SIX, Table

PATIENCE_S = 30.0  # of a test that fails; none waits so long otherwise
TOPICS = Topics("home/dice")
PLAYER_CONFIG = "homeassistant/sensor/home_dice/player/config"
USER, PASSWORD = "ada", "open sesame"
PATH = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin"))  # where Debian puts it
MOSQUITTO, MOSQUITTO_PASSWD = (
    shutil.which("mosquitto", path=PATH),
    shutil.which("mosquitto_passwd", path=PATH),
)

if MOSQUITTO is None or MOSQUITTO_PASSWD is None:
    pytest.skip("no Mosquitto here: sudo apt-get install mosquitto", allow_module_level=True)


def free_port() -> int:
    with closing(socket.socket()) as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


class Broker:
    """Mosquitto on a port of its own; it wants a password."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._settings, passwords = folder / "mosquitto.conf", folder / "passwords"
        subprocess.run([str(MOSQUITTO_PASSWD), "-b", "-c", passwords, USER, PASSWORD], check=True)
        user = f"user {os.environ.get('USER', 'root')}\n" if os.geteuid() == 0 else ""
        self._settings.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous false\npassword_file {passwords}\n{user}"
        )
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            [str(MOSQUITTO), "-c", str(self._settings)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_until(self._answers)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(PATIENCE_S)

    @property
    def address(self) -> MqttAddress:
        return MqttAddress("127.0.0.1", self.port, False, TOPICS.base, USER, PASSWORD)

    def _answers(self) -> bool:
        with closing(socket.socket()) as trial:
            return trial.connect_ex(("127.0.0.1", self.port)) == 0


class Link:
    """A way to a port of this machine that can be cut and mended."""

    def __init__(self, to: int) -> None:
        self.port, self._to = free_port(), to
        self._open: list[socket.socket] = []
        self.mend()

    def mend(self) -> None:
        listener = socket.create_server(("127.0.0.1", self.port))
        self._open.append(listener)
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def cut(self) -> None:
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._open.clear()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                ends = (listener.accept()[0], socket.create_connection(("127.0.0.1", self._to)))
                self._open += ends
                for one, other in (ends, ends[::-1]):
                    threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while some := one.recv(4096):
                other.sendall(some)
            other.shutdown(socket.SHUT_RDWR)


class Subscriber:
    """Gets all that is published."""

    def __init__(self, broker: Broker) -> None:
        self.messages: queue.Queue[MQTTMessage] = queue.Queue()
        ready = threading.Event()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.username_pw_set(USER, PASSWORD)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self._client.on_subscribe = lambda *_: ready.set()
        self._client.on_message = lambda _client, _data, message: self.messages.put(message)
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()
        assert ready.wait(PATIENCE_S)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def next(self, topic: str) -> MQTTMessage:
        while (message := self.messages.get(timeout=PATIENCE_S)).topic != topic:
            pass
        return message

    def wait_for(self, topic: str, wanted: Callable[[str], bool]) -> str:
        while not wanted(text := self.next(topic).payload.decode()):
            pass
        return text

    def events(self, count: int) -> list[object]:
        return [json.loads(self.next(TOPICS.event).payload) for _ in range(count)]


def wait_until(there: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not there():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    started = Broker(tmp_path)
    yield started
    started.kill()


@pytest.fixture
def subscriber(broker: Broker) -> Iterator[Subscriber]:
    opened = Subscriber(broker)
    yield opened
    opened.close()


@pytest.fixture
def complaints() -> list[object]:
    return []


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def publisher(broker: Broker, table: Table, complaints: list[object]) -> Iterator[MqttPublisher]:
    opened = MqttPublisher(table.hub, broker.address, complaints.append)
    yield opened
    opened.close()


def test_events_are_published_in_order_and_what_stands_after_them(
    subscriber: Subscriber, table: Table, publisher: MqttPublisher, complaints: list[object]
) -> None:
    subscriber.wait_for(TOPICS.availability, lambda text: text == "online")
    table.play()
    published = subscriber.events(len(table.told))
    assert published[0]["event"] == "standing"  # type: ignore[index]
    assert published[1:] == table.records()[1:]
    standing = subscriber.wait_for(TOPICS.state, lambda text: json.loads(text)["totals"]["Ada"] == 250)
    assert standing == table.hub.standing()
    assert complaints == []


def test_who_comes_later_gets_what_stands_and_how_to_show_it(
    broker: Broker, subscriber: Subscriber, table: Table, publisher: MqttPublisher
) -> None:
    table.throw(SIX)
    subscriber.wait_for(TOPICS.state, lambda text: json.loads(text)["phase"] == "set_aside")
    late = Subscriber(broker)
    try:
        found = {
            TOPICS.state: "",
            TOPICS.availability: "",
            PLAYER_CONFIG: "",
        }
        while not all(found.values()):
            message = late.messages.get(timeout=PATIENCE_S)
            assert message.topic != TOPICS.event
            found[message.topic] = message.payload.decode()
        assert found[TOPICS.availability] == "online"
        assert json.loads(found[TOPICS.state])["faces"] == [1, 1, 2, 3, 5, 6]
    finally:
        late.close()


def test_closing_says_offline(broker: Broker, subscriber: Subscriber, table: Table) -> None:
    publisher = MqttPublisher(table.hub, broker.address, lambda _: None)
    subscriber.wait_for(TOPICS.availability, lambda text: text == "online")
    publisher.close()
    subscriber.wait_for(TOPICS.availability, lambda text: text == "offline")


def test_what_happens_while_the_way_to_the_broker_is_cut_is_published_once_it_is_mended(
    broker: Broker, subscriber: Subscriber, table: Table, complaints: list[object]
) -> None:
    link = Link(broker.port)
    address = MqttAddress("127.0.0.1", link.port, False, TOPICS.base, USER, PASSWORD)
    publisher = MqttPublisher(table.hub, address, complaints.append)
    try:
        subscriber.wait_for(TOPICS.availability, lambda text: text == "online")
        subscriber.events(1)
        link.cut()
        wait_until(lambda: bool(complaints))
        before = len(table.told)
        table.play()  # returns, with nobody to take it
        subscriber.wait_for(TOPICS.availability, lambda text: text == "offline")
        link.mend()
        subscriber.wait_for(TOPICS.availability, lambda text: text == "online")
        assert subscriber.events(len(table.told) - before) == table.records()[before:]
    finally:
        publisher.close()
        link.cut()
    assert "the table plays on" in str(complaints[0])


def test_a_broker_that_has_forgotten_all_is_told_again(
    broker: Broker, table: Table, publisher: MqttPublisher, complaints: list[object]
) -> None:
    first = Subscriber(broker)
    first.wait_for(TOPICS.state, lambda text: True)
    first.close()
    broker.kill()
    wait_until(lambda: bool(complaints))
    table.play()
    broker.start()
    back = Subscriber(broker)
    missing = {TOPICS.availability, TOPICS.state, PLAYER_CONFIG}
    while missing:
        missing.discard(back.messages.get(timeout=PATIENCE_S).topic)
    back.close()


def test_a_wrong_password_is_complained_of_once_and_the_table_plays_on(
    broker: Broker, table: Table, complaints: list[object]
) -> None:
    address = MqttAddress("127.0.0.1", broker.port, False, TOPICS.base, USER, "wrong")
    publisher = MqttPublisher(table.hub, address, complaints.append)
    wait_until(lambda: bool(complaints))
    table.play()
    publisher.close()
    assert "refuses the table" in str(complaints[0])
    assert len(complaints) == 1


def test_where_no_broker_is_the_table_plays_and_closes(table: Table, complaints: list[object]) -> None:
    publisher = MqttPublisher(table.hub, MqttAddress("127.0.0.1", free_port(), False), complaints.append)
    wait_until(lambda: bool(complaints))
    table.play()
    publisher.close()
    assert "does not answer" in str(complaints[0])


def test_a_table_that_is_killed_is_said_to_be_offline(broker: Broker, subscriber: Subscriber) -> None:
    command = [
        sys.executable,
        "-m",
        "table.cli",
        "play",
        "--camera",
        str(DEMO / "demo.mp4"),
        "--voice",
        "off",
    ]
    beyond_pytest = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    url = f"mqtt://{USER}@127.0.0.1:{broker.port}/{TOPICS.base}"
    played = subprocess.Popen(
        [*command, "--port", str(free_port()), "--mqtt", url],
        env={**beyond_pytest, "TITUSIND_MQTT_PASSWORD": PASSWORD},
        stdout=subprocess.DEVNULL,
    )
    try:
        subscriber.wait_for(TOPICS.availability, lambda text: text == "online")
        subscriber.wait_for(TOPICS.event, lambda text: json.loads(text)["event"] == "throw_settled")
    finally:
        with suppress(ProcessLookupError):
            played.send_signal(signal.SIGKILL)
        played.wait(PATIENCE_S)
    subscriber.wait_for(TOPICS.availability, lambda text: text == "offline")
