"""The tally that survives: every change of a game is on the disk before it is shown."""
