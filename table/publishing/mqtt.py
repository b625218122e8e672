"""Publishes to an MQTT broker: what stands, retained, every event, and whether the table is there.

One thread of its own sends, one message after the other, each until the broker has it; the table only fills a
mailbox. While no broker answers it is tried again and again, ever less often.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import ExitStack
from importlib.metadata import version

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessageInfo
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from table.publishing.event_hub import EventHub
from table.publishing.home_assistant import OFFLINE, ONLINE, Topics, discovery
from table.publishing.mqtt_address import MqttAddress

SURE = 1  # quality of service: at least once
RETRY_S = (1, 60)
KEEPALIVE_S = 20  # a broker calls the table offline once it has heard nothing for half as long again
PARTING_S = 2.0  # at most, for the last word


class MqttPublisher:
    """Publishes the events of `hub` at `address` until it is closed; `complain`s once of each trouble."""

    def __init__(self, hub: EventHub, address: MqttAddress, complain: Callable[[object], None]) -> None:
        self._hub, self._address, self._complain = hub, address, complain
        self._topics = Topics(address.topic)
        self._news = threading.Condition()
        self._connected = self._greets = self._stopped = False
        self._acknowledged: set[int] = set()
        self._complained = ""
        self._open = ExitStack()
        self._mailbox = self._open.enter_context(hub.listening(self._wake))
        self._client = self._new_client()
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)
        self._client.connect_async(address.host, address.port, keepalive=KEEPALIVE_S)
        self._client.loop_start()
        self._thread.start()

    def close(self) -> None:
        """Say goodbye, for which there is not much time, and stop."""
        with self._news:
            self._stopped, connected = True, self._connected
            self._news.notify_all()
        self._thread.join(PARTING_S)
        if connected:
            self._published(self._topics.availability, OFFLINE, retain=True, patience_s=PARTING_S)
        self._client.disconnect()
        self._client.loop_stop()
        self._open.close()

    def _new_client(self) -> Client:
        client = Client(CallbackAPIVersion.VERSION2)
        if self._address.user is not None:
            client.username_pw_set(self._address.user, self._address.password)
        if self._address.tls:
            client.tls_set()
        client.will_set(self._topics.availability, OFFLINE, qos=SURE, retain=True)
        client.reconnect_delay_set(*RETRY_S)
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        client.on_connect_fail, client.on_publish = self._on_connect_fail, self._on_publish
        return client

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(self._has_work)
                if self._stopped:
                    return
                greets, self._greets = self._greets, False
            if greets:
                self._greet()
            for line in self._mailbox.take():
                self._published(self._topics.event, line)
            standing = self._hub.standing()
            if standing is not None:
                self._published(self._topics.state, standing, retain=True)

    def _has_work(self) -> bool:
        return self._stopped or (self._connected and (self._greets or self._mailbox.waiting))

    def _greet(self) -> None:
        for topic, message in discovery(self._topics, version("titusind")).items():
            self._published(topic, json.dumps(message, ensure_ascii=False), retain=True)
        self._published(self._topics.availability, ONLINE, retain=True)

    def _published(
        self, topic: str, text: str, *, retain: bool = False, patience_s: float | None = None
    ) -> None:
        """Publish `text` and wait until the broker has it, however often the connection breaks."""
        message: MQTTMessageInfo = self._client.publish(topic, text.encode(), qos=SURE, retain=retain)
        with self._news:
            self._news.wait_for(
                lambda: message.mid in self._acknowledged or (self._stopped and patience_s is None),
                patience_s,
            )
            self._acknowledged.discard(message.mid)

    def _wake(self) -> None:
        with self._news:
            self._news.notify_all()

    def _on_connect(
        self, _client: Client, _data: object, _flags: ConnectFlags, code: ReasonCode, _: Properties | None
    ) -> None:
        if code.is_failure:
            self._complain_once(f"refuses the table: {code}")
            return
        with self._news:
            self._connected = self._greets = True
            self._complained = ""
            self._news.notify_all()

    def _on_disconnect(
        self, _client: Client, _data: object, _flags: DisconnectFlags, code: ReasonCode, _: Properties | None
    ) -> None:
        with self._news:
            was_connected, self._connected = self._connected, False
        if was_connected and not self._stopped:
            self._complain_once(f"is lost: {code}")

    def _on_connect_fail(self, _client: Client, _data: object) -> None:
        self._complain_once("does not answer")

    def _on_publish(
        self, _client: Client, _data: object, mid: int, _code: ReasonCode, _: Properties | None
    ) -> None:
        with self._news:
            self._acknowledged.add(mid)
            self._news.notify_all()

    def _complain_once(self, trouble: str) -> None:
        if trouble != self._complained:
            self._complained = trouble
            self._complain(f"MQTT broker {self._address} {trouble}; the table plays on, and tries again")
