"""The table's voice: what is said of its events, made into sound, played, and dropped once it is stale."""
