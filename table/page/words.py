"""Every word of the page, in the language they play in. Names and numbers come in as arguments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scoring.banking import BankObstacle
from scoring.languages import Language, catalogue
from scoring.phrases import Wording, capitalised
from scoring.phrases import obstacle as obstacle_in_words
from table.page.disk_words import disk_fault_in_words
from table.reason_words import reasons_in_words

TITLE = "titusind"


class Words:
    """The page in one language; what never changes is an attribute, what depends on the game a method."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._wording = Wording(language, aloud=False)
        self._messages = catalogue("table", language)
        self._name_buttons()
        self._offer_report()
        self._tell_verdicts()
        self._ask()

    def _name_buttons(self) -> None:
        pgettext = self._messages.pgettext
        self.this_turn = pgettext("page", "this turn")
        self.bank = pgettext("page", "Bank")
        self.misroll_button = pgettext("page", "Misroll")
        self.undo = pgettext("page", "Undo")
        self.new_game = pgettext("page", "New game")
        self.players_and_rules = pgettext("page", "Players and rules")
        self.count_it = pgettext("page", "Count it")
        self.count_anyway = pgettext("page", "Count it anyway")
        self.correct_first = pgettext("page", "tap the die without a face")
        self.set_aside_first = pgettext("page", "first say what was set aside")
        self.no_die = pgettext("page", "Not a die")
        self.close = pgettext("page", "Close")
        self.back = pgettext("page", "Back")
        self.throw_button = pgettext("page", "Throw")
        self.pass_on = pgettext("page", "No, pass on")
        self.still_leans = pgettext("page", "It still leans")
        self.enter_throw = pgettext("page", "Enter a throw")
        self.enter_by_hand = pgettext("page", "tap to enter")
        self.which_face = pgettext("page", "What does this die show?")
        self.voice_on = pgettext("page", "The voice is on. Tap to turn it off")
        self.voice_off = pgettext("page", "The voice is off. Tap to turn it on")

    def _offer_report(self) -> None:
        pgettext = self._messages.pgettext
        self.report = pgettext("page", "Report this throw")
        self.report_holds = pgettext(
            "page",
            "One file with all that it takes to see again how this throw was judged: up to 40 seconds of what"
            " the camera saw, the picture that was judged, the calibration, the rules, the game without"
            " names. Nothing is sent anywhere.",
        )
        self.download = pgettext("page", "Download")
        self.nothing_to_report = pgettext("page", "The camera has shown nothing yet")

    def _tell_verdicts(self) -> None:
        pgettext = self._messages.pgettext
        self.passes_target = pgettext("page", "passes the target: no points")
        self.tap_what_you_take = pgettext("page", "Tap what you take")
        self.valid = pgettext("page", "Valid throw")
        self.not_sure = pgettext("page", "Not sure")
        self.by_hand = pgettext("page", "Entered by hand")
        self.counted_by_hand = pgettext("page", "Counted by hand")
        self.no_picture = pgettext("page", "No picture yet")
        self.moving = pgettext("page", "Dice are moving")
        self.camera_lost = pgettext("page", "Camera lost: enter throws by hand")
        self.clip_ended = pgettext("page", "The clip is over")
        self.trying = pgettext("page", "A test throw: nothing counts now")
        self.camera_failed = pgettext("page", "No picture any more")
        self.game_goes_on = pgettext("page", "The game goes on where it stood")

    def _ask(self) -> None:
        pgettext = self._messages.pgettext
        self.relief = pgettext("page", "Nothing. Throw again?")
        self.relief_detail = pgettext("page", "The first throw may be repeated until you have opened")
        self.knock = pgettext("page", "One knock on the table")
        self.knock_detail = pgettext("page", "If the die falls flat, the throw counts")
        self.unsure = pgettext("page", "Is this what lies there?")
        self.unsure_detail = pgettext("page", "Tap a die to correct it, then count it, or throw again")
        self.not_counted = pgettext("page", "Count this throw?")
        self.not_counted_detail = pgettext("page", "Or throw again")
        self.unseen_detail = pgettext("page", "Only if it was thrown while the camera was away")
        self.not_thrown = pgettext("page", "A misroll is thrown again")
        self.not_thrown_detail = pgettext("page", "Throw all its dice, or count it as it lies")
        self.which_set_aside = pgettext("page", "What was set aside?")
        self.banked_or_thrown = pgettext("page", "Banked, or thrown on?")
        self.banked_or_thrown_detail = pgettext(
            "page", "Six new dice lie there. Tap Bank, or count them as thrown on"
        )
        self.not_banked = pgettext("page", "Thrown on after all?")
        self.not_banked_detail = pgettext("page", "The tray was empty for long, so the turn was banked")
        self.nudged = pgettext("page", "The dice were moved")
        self.nudged_detail = pgettext(
            "page", "Tap what you take of the throw as it fell, or count what they show now"
        )
        self.dice_do_not_fit = pgettext("page", "These dice do not fit the turn")
        self.covered = pgettext("page", "Something covers the tray")
        self.covered_detail = pgettext("page", "The throw is read once it is gone")
        self.view_moved = pgettext("page", "The camera or the tray was moved")
        self.view_moved_detail = pgettext(
            "page", "Put it back or calibrate anew; a throw counts once you confirm it"
        )
        self.light_changed = pgettext("page", "The light has changed too much")
        self.light_changed_detail = pgettext(
            "page", "Light the tray as before; a throw counts once you confirm it"
        )
        self.view_unclear = pgettext("page", "The picture is not clear")
        self.view_unclear_detail = pgettext(
            "page", "Clean or focus the camera; a throw counts once you confirm it"
        )
        self.table_moved_on = pgettext("page", "The table has changed meanwhile, look again")

    def tally_not_written(self, why: str) -> str:
        """Say that the disk does not take the tally; `why` as SQLite tells it."""
        pgettext = self._messages.pgettext
        words = pgettext("page", "The tally cannot be written to disk ({why}); it goes on in memory")
        return words.format(why=disk_fault_in_words(why, self._messages))

    def more(self, count: int) -> str:
        """Name the button to further choices."""
        return self._messages.npgettext("page", "{count} more", "{count} more", count).format(count=count)

    def misroll(self, kinds: Sequence[str]) -> str:
        """Name a misroll with its reasons."""
        return ": ".join(filter(None, (self.misroll_button, self.reasons(kinds))))

    def reasons(self, kinds: Iterable[str]) -> str:
        """Spell out reasons, each once."""
        return reasons_in_words(kinds, self._messages)

    def dice(self, count: int) -> str:
        """Count dice."""
        return self._messages.npgettext("page", "1 die", "{count} dice", count).format(count=count)

    def throw(self, count: int) -> str:
        """Name the throw to come."""
        return self._messages.pgettext("page", "Throw {count}").format(count=count)

    def bust_risk(self, probability: float) -> str:
        """Say how likely a bust is."""
        return self._messages.pgettext("page", "bust {percent}%").format(percent=f"{100 * probability:.0f}")

    def dice_left(self, count: int, *, hot: bool) -> str:
        """Say how many dice a set-aside leaves."""
        pgettext = self._messages.pgettext
        return pgettext("page", "6 new dice") if hot else pgettext("page", "{count} left").format(count=count)

    def to_throw(self, player: str, count: int) -> str:
        """Ask for a throw."""
        ask = self._messages.pgettext("page", "{player}, throw {dice}")
        return ask.format(player=player, dice=self.dice(count))

    def to_set_aside(self, player: str) -> str:
        """Ask what is set aside."""
        return self._messages.pgettext("page", "{player}, set dice aside").format(player=player)

    def to_decide(self, player: str, count: int) -> str:
        """Ask for banking or throwing."""
        ask = self._messages.pgettext("page", "{player}, bank or throw {dice}")
        return ask.format(player=player, dice=self.dice(count))

    def from_throw(self, before: str, count: int) -> str:
        """Say what is not known of the throw before."""
        told = self._messages.pgettext("page", "From {before}; now {dice} there")
        return told.format(before=before, dice=self.dice(count))

    def taken(self, faces: str, points: int, count: int) -> str:
        """Say what has been lifted out so far, and what that is worth."""
        told = self._messages.pgettext("page", "Taken: {faces} = {points}; {dice} left to throw")
        return told.format(faces=faces, points=points, dice=self.dice(count))

    def not_to_be_taken(self, faces: str) -> str:
        """Say that what has been lifted out so far is no set-aside."""
        return self._messages.pgettext("page", "Taken: {faces}; that cannot be set aside").format(faces=faces)

    def not_as_many(self, there: int, expected: int) -> str:
        """Say how many dice lie there and how many should."""
        told = self._messages.pgettext("page", "{dice} there, {expected} to be thrown")
        return told.format(dice=self.dice(there), expected=expected)

    def leaves_none(self, before: str, count: int) -> str:
        """Say that no set-aside leaves as many dice as lie there."""
        told = self._messages.pgettext(
            "page", "{dice} there: nothing that can be set aside of {before} leaves as many"
        )
        return told.format(before=before, dice=self.dice(count))

    def wins(self, winners: Sequence[str]) -> str:
        """Name the winners."""
        told = self._messages.npgettext("page", "{winners} wins", "{winners} win", len(winners))
        return told.format(winners=self._wording.all_of(winners))

    def busts(self, player: str, lost: int) -> str:
        """Tell of a bust."""
        pgettext = self._messages.pgettext
        told = (
            pgettext("page", "{player} busts and loses {lost}")
            if lost
            else pgettext("page", "{player} busts")
        )
        return told.format(player=player, lost=lost)

    def banks(self, player: str, points: int) -> str:
        """Tell of a banking."""
        return self._messages.pgettext("page", "{player} banks {points}").format(player=player, points=points)

    def set_aside(self, faces: str, points: int) -> str:
        """Tell of dice set aside."""
        told = self._messages.pgettext("page", "{faces} set aside: {points}")
        return told.format(faces=faces, points=points)

    def target_passed(self, player: str) -> str:
        """Tell of a turn that would have passed a target to be met exactly."""
        told = self._messages.pgettext("page", "{player} would pass the target: no points")
        return told.format(player=player)

    def obstacles(self, found: Iterable[BankObstacle]) -> str:
        """Say what keeps the player from banking."""
        return "; ".join(obstacle_in_words(each, self._wording) for each in found)

    def die_shows(self, face: int) -> str:
        """Name a face for those who hear the page."""
        return self._messages.pgettext("page", "Face {face}").format(face=face)

    def die_in_row(self, number: int, face: int | None) -> str:
        """Name a die of the throw for those who hear the page; `number`: from 1, as the row shows them."""
        pgettext = self._messages.pgettext
        shown = pgettext("page", "not read") if face is None else face
        return pgettext("page", "Die {number}: {face}. Tap to correct").format(number=number, face=shown)


def as_sentence(text: str) -> str:
    """Spell what the game or the table objects, which is in English, as a line of its own."""
    return capitalised(text)
