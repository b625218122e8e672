"""Recordings of the table: clips, the ring of the latest seconds, reports of a throw that replay anywhere."""
