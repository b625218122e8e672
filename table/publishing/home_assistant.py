"""What Home Assistant needs to show the table by itself: MQTT discovery, one message an entity.

Topics and keys: https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scoring import events as game_events
from table.publishing.event_hub import STANDING

PREFIX = "homeassistant"
ONLINE, OFFLINE = "online", "offline"
OF_TABLE = ("throw_started", "throw_settled", "table_cleared", "paused", "resumed", "dropped")
OF_GAME = tuple(sorted({kind.kind for kind in game_events.Event.__subclasses__() if hasattr(kind, "kind")}))


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics below `base`."""

    base: str

    @property
    def state(self) -> str:
        """Retained: what stands now."""
        return f"{self.base}/state"

    @property
    def event(self) -> str:
        """Every event."""
        return f"{self.base}/event"

    @property
    def availability(self) -> str:
        """Retained: `online` or `offline`, the latter also said by the broker when the table falls silent."""
        return f"{self.base}/availability"


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity of Home Assistant's `component`; `template` finds its value in what stands."""

    component: str
    key: str
    name: str
    icon: str
    template: str
    extra: Mapping[str, object] = field(default_factory=dict)


POINTS: Mapping[str, object] = {"unit_of_measurement": "points", "state_class": "measurement"}
ENTITIES = (
    Entity("sensor", "player", "At turn", "mdi:account", "{{ value_json.player }}"),
    Entity(
        "sensor", "turn_points", "Turn points", "mdi:dice-multiple", "{{ value_json.turn_points }}", POINTS
    ),
    Entity(
        "sensor", "highest", "Highest total", "mdi:trophy", "{{ value_json.totals.values() | max }}", POINTS
    ),
    Entity("sensor", "phase", "Waits for", "mdi:timer-sand", "{{ value_json.phase }}"),
    Entity("sensor", "winner", "Winner", "mdi:crown", "{{ value_json.winners | join(', ') }}"),
    Entity(
        "binary_sensor",
        "paused",
        "Asks",
        "mdi:help-circle",
        "{{ 'ON' if value_json.paused else 'OFF' }}",
    ),
)


def discovery(topics: Topics, version: str) -> dict[str, dict[str, object]]:
    """Return the messages of discovery by topic."""
    own = topics.base.replace("/", "_")
    shared = {
        "availability_topic": topics.availability,
        "device": {
            "identifiers": [f"titusind_{own}"],
            "name": "titusind",
            "model": "10.000",
            "sw_version": version,
        },
        "origin": {"name": "titusind", "sw_version": version},
    }
    told: dict[str, dict[str, object]] = {}
    for entity in ENTITIES:
        told[f"{PREFIX}/{entity.component}/{own}/{entity.key}/config"] = {
            **shared,
            **entity.extra,
            "unique_id": f"titusind_{own}_{entity.key}",
            "name": entity.name,
            "icon": entity.icon,
            "state_topic": topics.state,
            "value_template": entity.template,
            "json_attributes_topic": topics.state,
        }
    told[f"{PREFIX}/event/{own}/event/config"] = {
        **shared,
        "unique_id": f"titusind_{own}_event",
        "name": "Event",
        "icon": "mdi:dice-5",
        "state_topic": topics.event,
        "event_types": [*OF_TABLE, *OF_GAME, STANDING],
        "value_template": "{{ dict(value_json, event_type=value_json.event) | to_json }}",
    }
    return told
