"""Where events are published: `mqtt://user@host:port/topic`, its password from elsewhere."""

from __future__ import annotations

import argparse
import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from table.errors import PublishingError

PASSWORD_VARIABLE = "TITUSIND_MQTT_PASSWORD"
PORTS = {"mqtt": 1883, "mqtts": 8883}
TOPIC, TOPIC_FORM = "titusind", re.compile(r"[\w-]+(/[\w-]+)*")
FORM = "mqtt://user@host:port/topic, or mqtts:// for TLS"
PASSWORD_BYTES = 1000


@dataclass(frozen=True, slots=True)
class MqttAddress:
    """A broker, and the topic below which is published."""

    host: str
    port: int
    tls: bool
    topic: str = TOPIC
    user: str | None = None
    password: str | None = None

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def add_mqtt_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--mqtt` and `--mqtt-password-file`."""
    parser.add_argument(
        "--mqtt",
        metavar="mqtt://USER@HOST:PORT/TOPIC",
        help="publish state and events to this broker, with Home Assistant's discovery; the password comes "
        f"from {PASSWORD_VARIABLE} or --mqtt-password-file",
    )
    parser.add_argument(
        "--mqtt-password-file", type=Path, metavar="FILE", help="file that holds the password alone"
    )


def chosen_mqtt(args: argparse.Namespace) -> MqttAddress | None:
    """Return where `args` say to publish, None for nowhere; raises PublishingError."""
    if args.mqtt is None:
        return None
    password = os.environ.get(PASSWORD_VARIABLE)
    if args.mqtt_password_file is not None:
        password = _password_in(args.mqtt_password_file)
    return mqtt_address(args.mqtt, password)


def mqtt_address(url: str, password: str | None = None) -> MqttAddress:
    """Read an address; raises PublishingError, which never repeats a password."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise PublishingError(f"--mqtt: {error}; accepted is {FORM}") from error
    if parts.password is not None:
        raise PublishingError(
            f"--mqtt: a password on the command line can be read by all; put it into {PASSWORD_VARIABLE} or "
            "into a file, --mqtt-password-file"
        )
    if parts.scheme not in PORTS or not parts.hostname or set(url) & set("?#"):
        raise PublishingError(f"--mqtt: found {url!r}; accepted is {FORM}")
    topic = parts.path.strip("/") or TOPIC
    if not TOPIC_FORM.fullmatch(topic):
        raise PublishingError(f"--mqtt: topic {topic!r}; accepted are letters, digits, - and _, parted by /")
    user = unquote(parts.username) if parts.username else None
    return MqttAddress(
        parts.hostname, port or PORTS[parts.scheme], parts.scheme == "mqtts", topic, user, password
    )


def _password_in(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            lines = file.read(PASSWORD_BYTES).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise PublishingError(f"--mqtt-password-file: {path}: {error}") from error
    if not lines or not lines[0]:
        raise PublishingError(f"--mqtt-password-file: {path} is empty; accepted is a file with the password")
    return lines[0]
