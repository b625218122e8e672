"""Every word of the page, in one place. Names and numbers come in as arguments."""

from __future__ import annotations

from collections.abc import Sequence

TITLE, THIS_TURN = "titusind", "this turn"

BANK, MISROLL, UNDO, NEW_GAME = "Bank", "Misroll", "Undo", "New game"
COUNT_IT, NO_DIE, CLOSE, BACK = "Count it", "Not a die", "Close", "Back"
THROW, PASS, STILL_LEANS = "Throw", "No, pass on", "It still leans"
ENTER_THROW, ENTER_BY_HAND, WHICH_FACE = "Enter a throw", "tap to enter", "What does this die show?"
COUNT_ANYWAY = "Count it anyway"
CORRECT_FIRST = "tap the die without a face"

VALID, NOT_SURE, BY_HAND = "Valid throw", "Not sure", "Entered by hand"
COUNTED_BY_HAND = "Counted by hand"
NO_PICTURE = "No picture yet"
MOVING = "Dice are moving"
CLIP_ENDED, CAMERA_FAILED = "The clip is over", "No picture any more"
TABLE_MOVED_ON = "The table has changed meanwhile, look again"

REASONS = {
    "outside": "a die lies outside",
    "missing": "dice are missing",
    "tilted": "a die leans",
    "stacked": "a die lies on another",
    "extra": "too many dice",
    "unreadable": "a die cannot be read",
    "disagree": "the readers disagree",
    "occluded": "something covers the tray",
    "uncertain": "a die is not certain",
}


def more(count: int) -> str:
    """Name the button to further choices."""
    return f"{count} more"


def misroll(kinds: Sequence[str]) -> str:
    """Name a misroll with its reasons."""
    return ": ".join(filter(None, ("Misroll", reasons(kinds))))


def reasons(kinds: Sequence[str]) -> str:
    """Spell out reasons, each once."""
    return ", ".join(REASONS[kind] for kind in dict.fromkeys(kinds))


def dice(count: int) -> str:
    """Count dice."""
    return "1 die" if count == 1 else f"{count} dice"


def throw(count: int) -> str:
    """Name the throw to come."""
    return f"Throw {count}"


def bust_risk(probability: float) -> str:
    """Say how likely a bust is."""
    return f"bust {probability:.0%}"


PASSES_TARGET = "passes the target: no points"


def dice_left(count: int, hot: bool) -> str:
    """Say how many dice a set-aside leaves."""
    return "6 new dice" if hot else f"{count} left"


def to_throw(player: str, count: int) -> str:
    """Ask for a throw."""
    return f"{player}, throw {dice(count)}"


def to_set_aside(player: str) -> str:
    """Ask what is set aside."""
    return f"{player}, set dice aside"


TAP_WHAT_YOU_TAKE = "Tap what you take"


def to_decide(player: str, count: int) -> str:
    """Ask for banking or throwing."""
    return f"{player}, bank or throw {dice(count)}"


RELIEF, RELIEF_DETAIL = "Nothing. Throw again?", "The first throw may be repeated until you have opened"
KNOCK, KNOCK_DETAIL = "One knock on the table", "If the die falls flat, the throw counts"
UNSURE = "Is this what lies there?"
UNSURE_DETAIL = "Tap a die to correct it, then count it, or throw again"
NOT_COUNTED, NOT_COUNTED_DETAIL = "Count this throw?", "Or throw again"
NOT_THROWN = "A misroll is thrown again"
NOT_THROWN_DETAIL = "Throw all its dice, or count it as it lies"
WHICH_SET_ASIDE = "What was set aside?"
BANKED_OR_THROWN = "Banked, or thrown on?"
BANKED_OR_THROWN_DETAIL = "Six new dice lie there. Tap Bank, or count them as thrown on"
DICE_DO_NOT_FIT = "These dice do not fit the turn"
COVERED, COVERED_DETAIL = "Something covers the tray", "The throw is read once it is gone"
VIEW_MOVED = "The camera or the tray was moved"
VIEW_MOVED_DETAIL = "Put it back or calibrate anew; a throw counts once you confirm it"
LIGHT_CHANGED = "The light has changed too much"
LIGHT_CHANGED_DETAIL = "Light the tray as before; a throw counts once you confirm it"
VIEW_UNCLEAR = "The picture is not clear"
VIEW_UNCLEAR_DETAIL = "Clean or focus the camera; a throw counts once you confirm it"


def which_set_aside(before: str, count: int) -> str:
    """Say what is not known of the throw before."""
    return f"From {before}; now {dice(count)} lie there"


def wins(winners: Sequence[str]) -> str:
    """Name the winners."""
    return f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} win"


def busts(player: str, lost: int) -> str:
    """Tell of a bust."""
    return f"{player} busts and loses {lost}" if lost else f"{player} busts"


def banks(player: str, points: int) -> str:
    """Tell of a banking."""
    return f"{player} banks {points}"


def set_aside(faces: str, points: int) -> str:
    """Tell of dice set aside."""
    return f"{faces} set aside: {points}"


def passes_target(player: str) -> str:
    """Tell of a turn that would have passed a target to be met exactly."""
    return f"{player} would pass the target: no points"


def obstacle(text: str) -> str:
    """Spell an obstacle to banking, as scoring words it, as a line of its own."""
    return text[:1].upper() + text[1:]


def die_shows(face: int) -> str:
    """Name a face for those who hear the page."""
    return f"Face {face}"


def die_in_row(number: int, face: int | None) -> str:
    """Name a die of the throw for those who hear the page; `number`: from 1, as the row shows them."""
    return f"Die {number}: {face or 'not read'}. Tap to correct"


VOICE_ON, VOICE_OFF = "The voice is on. Tap to turn it off", "The voice is off. Tap to turn it on"
