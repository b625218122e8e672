"""Faces -> set-asides -> turn -> game -> tally. Knows no camera."""
