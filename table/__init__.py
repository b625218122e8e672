"""Puts vision and scoring together: commands, table loop, touchscreen."""
