"""The events of the table for other programs: over a WebSocket, and over MQTT."""
