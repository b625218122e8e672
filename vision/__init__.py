"""Camera frame -> settled throw -> measured dice -> verdict. Knows no game."""
