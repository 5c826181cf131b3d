"""The rule book: its sections in our own words, with examples of which the engine makes the drawing and the sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from fiveup_ref.engine.faults import _
from fiveup_ref.engine.rules import PRESETS, Rules


@dataclass(frozen=True, slots=True)
class Example:
    """A layout by its plays, in a game, with or without the house rule of Sniff, and what it shows."""

    plays: str
    caption: str
    game: str = "five-up"
    sniff: bool = False

    @property
    def rules(self) -> Rules:
        """The rules it is laid and counted by."""
        return PRESETS[self.game].rules(4).changed({"spinner_counts": "yes"} if self.sniff else {})


@dataclass(frozen=True, slots=True)
class Section:
    """A section: its anchor and title, paragraphs, examples, and the name of a table that the engine fills in.

    `further` are the paragraphs below the table.
    """

    anchor: str
    title: str
    paragraphs: tuple[str, ...]
    examples: tuple[Example, ...] = ()
    table: str = ""
    further: tuple[str, ...] = ()


GAMES: Final[Mapping[str, str]] = {
    "five-up": _(
        "Every double takes four tiles. Everybody's own leftovers are deducted, and the target counts after the settlement."
    ),
    "all-fives": _(
        "Only the first double takes four tiles. Whoever goes out takes the opponents' leftovers, and the raw figure is written."
    ),
    "muggins": _("No double takes more than two tiles. Otherwise as All Fives."),
}
"""What differs in each game, in a line."""

SECOND_DOUBLE: Final = "6-6 6-2>6-6 6-3>6-6 3-3>6-3 3-1>3-3"
"""A layout by which the games are told apart: two doubles, both with their sides covered."""

BOOK: Final = (
    Section(
        "count",
        _("Counting the open ends"),
        (
            _("After every tile that is laid, add up what is open on the whole table."),
            _("A tile that is not a double counts the pips of each half that nothing is joined to."),
            _(
                "If the sum is 5, 10, 15 and so on, whoever laid the tile scores it. Any other sum scores nothing, and neither does 0."
            ),
            _("The first tile of a round scores like any other, and so does the one that empties a hand."),
            _(
                "The score is a fact of the layout. Nobody has to call it in time, and a wrong call changes nothing about it."
            ),
        ),
        (
            Example("6-4 6-1>6-4", _("One half of each tile is free.")),
            Example("5-5 5-0>5-5", _("A blank end counts 0, and the double still counts both halves.")),
        ),
    ),
    Section(
        "doubles",
        _("Doubles, spinners and branches"),
        (
            _(
                "A double lies across the line. It counts both halves, 12 for 6-6, while at most one of its two long sides is covered."
            ),
            _(
                "Once both sides are covered it counts nothing any more, although tiles may still go on its short edges."
            ),
            _(
                "In Five Up every double is a spinner: when both its sides are covered, its two short edges open as branches. A branch counts nothing until a tile lies on it; then the outer end of that tile counts."
            ),
            _(
                "Sides come before branches. A double that is joined to the line has one side covered by that; the next tile goes on the opposite side. The first two tiles on a double that was set go on its two sides."
            ),
            _(
                "The same tile can count differently at an ordinary end, at a double or on a branch of the same number. So say, and record, which tile it is joined to."
            ),
        ),
        (
            Example("6-6 6-3>6-6", _("One side covered: 6-6 still counts 12.")),
            Example("5-5 5-0>5-5 5-6>5-5", _("Both sides covered: 5-5 counts nothing, and its branches are open.")),
            Example("5-5 5-0>5-5 5-6>5-5 5-4>5-5", _("A tile on a branch: its outer end counts.")),
            Example(
                "3-6 6-6>3-6 6-1>6-6",
                _("Without spinners (Muggins) a double takes two tiles only."),
                game="muggins",
            ),
        ),
    ),
    Section(
        "units",
        _("Pips, raw points and points"),
        (
            _("Pips are the dots. Raw points are the count itself, when it scores: 5, 10, 15 …"),
            _(
                "Points are what stands on the score sheet. In Five Up five raw points make one point, so a count of 15 is 3 points and the match goes to 61 points, which is 305 raw."
            ),
            _("In All Fives and Muggins the raw figure itself is usually written down: 15 scores 15."),
            _("Whoever calls a figure says which of the two it is. Ten called as raw is two points, not ten."),
        ),
    ),
    Section(
        "places",
        _("Where a tile may go"),
        (
            _("A tile goes on any open place that shows one of its numbers: a free half, a side, or an open branch."),
            _("Every tile exists once. What has been covered stays covered."),
            _("Which of two equal sides or branches is taken makes no difference to the count."),
            _(
                "A tile laid on the short edge of a lone double is simply moved to a side: the first tile decides which edges are the sides."
            ),
        ),
        (Example("1-1 6-1>1-1 5-1>1-1", _("Four places: the 6, the 5 and both branches of 1-1.")),),
    ),
    Section(
        "turns",
        _("Turns, drawing and passing"),
        (
            _("Turns go clockwise. Whoever can play must play; an open branch is a place to play, too."),
            _(
                "Whoever cannot play draws one tile at a time, stops at the first one that fits and plays that tile at once, on any place where it fits."
            ),
            _("Passing is allowed only with no tile that fits and nothing left to draw."),
            _(
                "A reserve, where the table keeps one, stays in the boneyard: one or two tiles that are never drawn. Then passing begins when only the reserve is left."
            ),
            _("The player who lays the last tile of the hand goes out. That ends the round at once."),
        ),
    ),
    Section(
        "opening",
        _("Who opens"),
        (
            _(
                "The first round is opened by lot: everybody draws a tile, the most pips open. Those who tie repeat it among themselves only."
            ),
            _("Whoever goes out opens the next round. After a blocked round there is a new lot among all."),
            _("The opener may set any tile. Holding a double, even the highest, gives no right to open."),
        ),
    ),
    Section(
        "blocked",
        _("Blocked rounds"),
        (
            _("A round is blocked when nothing can be drawn and nobody can play, on a branch either."),
            _(
                "The table sees it when everybody has passed in turn since the last tile was laid, or says so together. The app takes the word of the table only where the tiles do not speak against it."
            ),
            _("In Five Up a blocked round has no winner; everybody's leftovers are still deducted."),
        ),
    ),
    Section(
        "settlement",
        _("Settlement: what leftovers cost"),
        (
            _(
                "Five Up: each hand on its own. Add up its pips, round them to the nearest five (1 or 2 over: down, 3 or 4 over: up), and take one point off for each five."
            ),
            _(
                "Partners are rounded apart and both are deducted: 3 and 3 cost one point each, two together, not the one point that their sum of 6 would cost."
            ),
            _("The partner of the player who went out pays too. Nobody gains anything."),
            _(
                "All Fives and Muggins: whoever went out, or the lowest hand of a blocked round, takes what the opponents have left: added up first, then rounded once. The partner's hand and one's own are left out."
            ),
            _("A round is settled whole or not at all, and a settlement can take a score below zero."),
        ),
        table="rounding",
    ),
    Section(
        "target",
        _("Target, winner and ties"),
        (
            _(
                "Five Up is played to 61 points. Reaching it during a round ends nothing: the round is finished and settled, and what counts is the score after that."
            ),
            _("After the settlement the highest score wins if it is at the target and nobody else has as much."),
            _(
                "If the highest is shared, everybody plays one more ordinary round, also those further back, and the same test is made again."
            ),
            _(
                "In All Fives and Muggins the target is looked at as soon as a score is made, unless the table says otherwise."
            ),
            _("With an exact target, a score that would go past it is not scored at all and play goes on."),
        ),
    ),
    Section(
        "corrections",
        _("Mistakes and corrections"),
        (
            _(
                "A count that was missed or called wrongly is corrected whenever it is proved, until the match is closed."
            ),
            _(
                "Calling too much is corrected and costs nothing. A penalty exists only where the table enters one with its reason."
            ),
            _(
                "A tile that does not fit goes back. If it really lies there and the next player has acted, the table may let it stand; from then on that round is kept by counts."
            ),
            _(
                "A draw or pass that the tiles prove wrong later is reported with its proof. No points change by themselves."
            ),
            _("If a tile is missing from the set or is in it twice, the round is void."),
        ),
    ),
    Section(
        "tally",
        _("Tally marks"),
        (
            _(
                "One stroke is one point of Five Up, five raw. A figure holds ten: a large X of two strokes, then a small x in each of the four spaces around it, from the top clockwise."
            ),
            _("Marks are drawn from the score after each settlement. Below zero there are none, only the number."),
            _(
                "A table may want a small o for 10 raw scored at one go, in a space that is free. Marks can only grow, so such a tally has what was scored, and what was deducted stands beside it."
            ),
        ),
    ),
    Section(
        "pegboard",
        _("Scoring on a cribbage board"),
        (
            _(
                "A cribbage board has 61 holes for each side: two lengths of 30 and the game hole. Five Up to 61 points is once around; a higher score begins another lap."
            ),
            _(
                "Each side has two pegs. For a score the back peg jumps past the front peg by so many holes, so the front peg shows the score and the back peg the one before, and everybody can check the last step."
            ),
            _(
                "Where leftovers are deducted, better keep the score on paper: on the board pegs only go forward. The board of this app is drawn from the score, so after a deduction it moves the front peg back, behind the back peg."
            ),
        ),
    ),
    Section(
        "games",
        _("Five Up, All Fives and Muggins side by side"),
        (_("The games count alike. They differ in these points:"),),
        table="games",
    ),
    Section(
        "house",
        _("House rules"),
        (_("What a table may choose otherwise, with its usual value in each game for four players:"),),
        (
            Example(
                "6-6 6-3>6-6 6-0>6-6",
                _("Sniff: both sides of 6-6 are covered, and it still counts both halves."),
                game="all-fives",
                sniff=True,
            ),
            Example(
                "6-6 6-3>6-6 6-0>6-6 6-1>6-6",
                _("Sniff: with three edges covered 6-6 counts one half."),
                game="all-fives",
                sniff=True,
            ),
        ),
        table="house",
        further=(
            _("These are beyond our sources and off unless the table wants them:"),
            _(
                "To get in: a side scores nothing in play until it makes at least so many raw points at one go. From then on all its scores count. A settlement is always applied and lets nobody in."
            ),
            _(
                "The highest double opens: where a lot would decide, whoever holds the highest double opens with it. If nobody holds a double, deal again. The app does not see the hands, so it only asks for a double."
            ),
            _(
                "The call of muggins: a score that its player has missed goes to the opponent who points it out before the next tile is laid. The app counts every score by itself, so the table says when one was missed and who takes it."
            ),
            _(
                "Sniff: the first double is the only spinner, and it goes on counting: both halves while at most two of its edges are covered, one half with three, nothing with four. Choose one spinner with it."
            ),
            _(
                "Best of three or five: a series of matches, each made as a rematch of the one before. Whoever first wins more than half of them wins the series. Match wins are counted for those who play together, wherever they sit and also under a new name."
            ),
            _(
                "False claim: a claim that does not stand costs so many points, each time the table enters one. The sheet names it as an adjustment."
            ),
        ),
    ),
    Section(
        "decisions",
        _("Where the sources are silent"),
        (
            _("These points are not settled by the sources. They are decisions of this rule book, and named as such."),
            _("Decision: a score may fall below zero; there is no floor."),
            _("Decision: a wrong claim costs nothing by itself."),
            _(
                "Decision: a misplay may stand only if the next player has acted and the table agrees. This is borrowed law."
            ),
            _("Decision: on a lone double the first tile defines which edges are its sides."),
            _(
                "Decision: when no unplayed tile fits anywhere but some can be drawn, they are drawn and then all pass. A table may choose to end the round at once."
            ),
            _("Decision: all hands are settled at the same time."),
            _("Decision: if after a tie nobody is at the target any more, the match simply goes on."),
            _(
                "Decision, All Fives with three players, two of them lowest in a blocked round: the third hand is rounded, halved, and each half cut down to a multiple of five."
            ),
            _("Decision: with an exact target a settlement is always applied; only gains that go past it are dropped."),
            _("Decision: the next match is opened by lot."),
        ),
    ),
    Section(
        "openings",
        _("First tiles that score"),
        (_("Of the 28 tiles only these score when they are set:"),),
        table="openings",
    ),
    Section(
        "highest",
        _("The highest counts"),
        (_("No layout can count more, whatever is laid. A higher claim cannot be right."),),
        table="highest",
    ),
)
