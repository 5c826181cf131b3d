"""What can be wrong with an entry: one sentence for each fault, with named fields."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


def _(sentence: str) -> str:
    """Marks a sentence for the catalogues of translations."""
    return sentence


class Fault(StrEnum):
    """A fault and its English sentence; the fields in braces are filled in by the error.

    `{seat}`, `{turn}` and `{opener}` are seats, so that a page can put names there.
    """

    # tiles and layout
    NOT_A_TILE = _("{text} is not a tile. Write a tile as two numbers from 0 to 6, such as 6-4.")
    NO_SUCH_TILE = _("There is no tile {tile}. The set goes from 0-0 to 6-6.")
    TILE_PLAYED = _("{tile} is already on the table. Every tile exists once.")
    SET_LIES = _("The first tile already lies on the table: say which tile {tile} is joined to.")
    NOTHING_LIES = _("There is no tile on the table yet, so {tile} cannot be joined to {onto}.")
    ONTO_NOT_PLAYED = _("{onto} is not on the table, so {tile} cannot be joined to it.")
    NO_FIT = _("{tile} does not fit {onto}: they have no number in common.")
    END_COVERED = _("The {pip} of {onto} is already covered.")
    SPINNER_FULL = _("All four edges of {onto} are covered.")
    DOUBLE_FULL = _("Both sides of {onto} are covered, and in this game it has no branches.")
    # counts and called points
    ENDS_NONE = _("Enter at least one counting end.")
    ENDS_NOT_DOUBLE = _("{tile} is not a double. Write an ordinary end as its number alone.")
    ENDS_DOUBLE_TWICE = _("{tile} cannot be an end twice. Every tile exists once.")
    ENDS_PIP = _("{text} is not an end. Ends are numbers from 0 to 6 and doubles such as 6-6.")
    ENDS_TOO_FEW = _("Only a double that lies alone is the one end of a layout. Enter every end.")
    ENDS_TOO_MANY = _("There cannot be more than {highest} counting ends in this game.")
    ENDS_DOUBLES = _(
        "Doubles that count here: {doubles}. Only the others can have branches, so there cannot be more than "
        "{highest} counting ends."
    )
    ENDS_PIP_TOO_OFTEN = _("The number {pip} cannot be an end more than six times.")
    ENDS_PIPS_TOO_OFTEN = _("Only {tiles} tiles have one of the numbers {pips}, so they cannot be ends so often.")
    COUNT_TOO_HIGH = _("No layout of this game counts {count}. The highest count is {highest}.")
    POINTS_UNIT = _("{points} cannot be scored at one go. Scores go in steps of {step}, up to {highest}.")
    # rules and players
    FIELD_BOUNDS = _("For {field}, enter a number from {lowest} to {highest}.")
    FIELD_VALUE = _("{text} is not a value of {field}.")
    NO_SUCH_FIELD = _("There is no setting {field}. The settings are {fields}.")
    NO_SUCH_GAME = _("There is no game {game}. The games are {games}.")
    PLAYERS = _("This game is for {lowest} to {highest} players.")
    FOUR_ARE_PARTNERS = _("In this game four players are two partnerships.")
    PARTNERS_NEED_FOUR = _("Only four players can play as partners.")
    PARTNERS_OPPOSITE = _("Partners sit opposite each other: A+C and B+D.")
    ONE_SPINNER = _("A spinner whose open edges count must be the only one: choose one spinner.")
    TOO_MANY_DEALT = _("The set has 28 tiles: {players} hands of {hand} and a reserve of {reserve} are too many.")
    NOT_A_SEAT = _("There is no seat {text} in this match.")
    NOT_A_TEAM = _("{text} is not a side of this match.")
    # the course of a match
    MATCH_WON = _("The match is over: it has been won.")
    MATCH_CLOSED = _("The match is closed.")
    NO_ROUND = _("No round is open yet: first say who opens.")
    ROUND_OPEN = _("Round {number} is not settled yet.")
    ROUND_ENDED = _("The round has ended. Enter the leftovers.")
    ROUND_SETTLED = _("The round is settled. Say who opens the next one.")
    ROUND_GOES_ON = _("The round has not ended yet.")
    NO_ONE_WENT_OUT = _("Nobody went out in the round before, so the opener is found by lot.")
    OUT_OPENS = _("{opener} went out and opens this round.")
    LOT_UNDECIDED = _("The lot is not decided: the highest tile must be one player's alone.")
    LOT_WRONG = _("The lot says that {opener} opens.")
    NOT_ON_TURN = _("It is {turn}'s turn, not {seat}'s.")
    DOUBLE_OPENS = _("By this house rule there is no lot: whoever holds the highest double opens.")
    SET_DOUBLE = _("By this house rule the round opens with a double, so {tile} cannot be set.")
    NO_MUGGINS = _("A missed score cannot be taken here: that is a house rule, and it is off.")
    NOTHING_MISSED = _("The last tile made no score that could be taken.")
    OWN_SCORE = _("Only an opponent can take a missed score.")
    MUST_SET = _("{seat} opens and can play any tile.")
    LAYOUT_UNKNOWN = _("This round is kept by counts or points now, so the app does not know where {tile} lies.")
    DREW_NONE = _("Enter how many tiles were drawn, at least one.")
    BONEYARD_EMPTY = _("No tile can be drawn any more.")
    BONEYARD_TOO_SMALL = _("Tiles that can still be drawn: {boneyard}.")
    MUST_DRAW = _("Passing is not allowed yet. Tiles that can still be drawn: {boneyard}.")
    OUT_BY_PLAYING = _("{seat} can only go out by playing the last tile.")
    STILL_HOLDS = _("{seat} has not gone out. Tiles still in the hand: {tiles}.")
    NOT_BLOCKED = _("The round is not blocked. Tiles that can still be drawn: {boneyard}.")
    CAN_PLAY = _("The round is not blocked: somebody still holds a tile that fits.")
    OTHER_ROUND = _("The round this was entered in is not open here any more.")
    LATER_WAIT = _(
        "Round {number} is being put right: later entries wait for it. "
        "Put in before them what is missing, or bring back what was taken out."
    )
    # leftovers and settlement
    LEFT_MISSING = _("Enter what {seat} has left.")
    LEFT_OF_OUT = _("{seat} went out and has nothing left.")
    LEFT_EMPTY = _("{seat} did not go out, so at least one tile must be left.")
    LEFT_TILE_COUNT = _("Tiles in the hand of {seat}: {tiles}, not {given}.")
    LEFT_ON_TABLE = _("{tile} is on the table, so {seat} cannot hold it.")
    LEFT_REPEATED = _("{seat} shows {tile} twice. Every tile exists once.")
    LEFT_TWICE = _("{tile} cannot be in two places: {seat} and {other} both show it.")
    LEFT_PIPS = _("{seat} cannot have {pips} pips left: with these tiles it is {lowest} to {highest}.")
    LEFT_TOTAL = _("The leftovers and the table make {pips} pips together, but the set has {total}.")
    LEFT_TOGETHER = _("All cannot have {pips} pips left together: with these tiles it is {lowest} to {highest}.")
    LEFT_NUMBER = _("Enter the pips as a whole number, such as 12.")
    LEFT_BOTH = _("Enter the tiles of {seat} or the pips, not both.")
    # entries about other entries
    NO_SUCH_ENTRY = _("There is no entry {entry}.")
    ENTRY_UNDONE = _("Entry {entry} has been taken back already.")
    NOT_AMENDABLE = _("Entry {entry} cannot be corrected. Take it back instead.")
    NO_PLACE = _("Nothing can be put in before entry {entry}: it is no part of a round.")
    NOTHING_CHANGED = _("That changes nothing.")
    NAMES = _("Names are needed for {players} players.")
    # written records
    FILE_TOO_BIG = _("The file is larger than 1 MiB, the most a record may have.")
    FILE_TOO_LONG = _("The file has more than {highest} lines, the most a record may have.")
    FILE_NOT_TEXT = _("This is not a text file in UTF-8, so it is no record.")
    FILE_EMPTY = _("There is nothing in this file. A record begins with the line: fiveup 1")
    FILE_OTHER = _("This is not a record of dominoes: a record begins with the line fiveup 1, not with {text}.")
    FILE_VERSION = _("Version {text} of the record format is not known. Expected: fiveup 1")
    FILE_FIRST = _("A record begins with the line fiveup 1. Expected it before {text}.")
    LINE_TOO_LONG = _("The line has more than {highest} characters.")
    LINE_WORD = _("{text} is not an entry. Expected a seat from A to E, or one of {words}.")
    LINE_FORM = _("{text} cannot be read. Expected: {form}")
    WRITTEN_TWICE = _("{text} has been written already.")
    LINE_LATE = _("{text} belongs before the first round.")
    LINE_AFTER_WINNER = _("The winner is the last entry of a record. Expected nothing but notes after it.")
    RULES_MISSING = _("The game is missing. Expected a line such as: rules five-up")
    PLAYERS_ORDER = _("{text} is not the next seat. Expected: player {seat}")
    NAME_MISSING = _("Enter a name.")
    NAME_TOO_LONG = _("Keep names to {highest} characters.")
    DATE_FORM = _("{text} is not a date. Expected a date as 2026-11-29 or 2026-11-29T20:15+07:00.")
    ROUND_MISSING = _("The line round {number} is missing before this entry.")
    ROUND_NUMBER = _("Round {number} comes next, not {text}.")
    DIFFERENT = _("Written is {written}, right is {right}.")
    DIFFERENT_SCORE = _("Written is {written}, right is {right}: {score}.")
    # free entries
    REASON_MISSING = _("Say why.")
    TEXT_TOO_LONG = _("Keep it to {highest} characters.")
    SCORE_ROSE = _("In this game the settlement only deducts, so {team} cannot have more points after it.")
    SCORE_FELL = _("In this game the settlement deducts nothing, so {team} cannot have fewer points after it.")
    SCORE_PAST = _("With an exact target nobody gets past {target}, so {team} cannot have {score}.")
    NUMBER_MISSING = _("This field is empty. Enter a whole number.")
    LOT_TILE = _("Write the tile with its dash, such as {tile}: {text} alone could also mean pips.")
    NUMBER_BOUNDS = _("Enter a whole number from {lowest} to {highest}.")
    ADJUSTED_BY_ZERO = _("A correction of 0 points changes nothing.")


class RulesError(ValueError):
    """An entry that cannot be, with its fault and the fields of the sentence.

    >>> str(RulesError(Fault.TILE_PLAYED, tile="6-4"))
    '6-4 is already on the table. Every tile exists once.'
    """

    def __init__(self, fault: Fault, **fields: object) -> None:
        super().__init__(fault)
        self.fault = fault
        self.fields: Mapping[str, object] = fields

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RulesError) and (self.fault, self.fields) == (other.fault, other.fields)

    def __hash__(self) -> int:
        return hash(self.fault)

    def __str__(self) -> str:
        return str(self.fault.value).format(**self.fields)
