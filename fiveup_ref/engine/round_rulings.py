"""Blocked or not, and one more tile or stop: from the open round of a match, or from what the table says (rules 3)."""

from __future__ import annotations

from enum import StrEnum

from .faults import _
from .match import Known, Match
from .rules import Rules, Settling
from .ruling import Rule, Ruling, Sentence, sentence


class Blocking(StrEnum):
    """The sentences of a ruling on blocked or not."""

    BLOCKED = _("Blocked: the round is over and is settled.")
    DRAW_FIRST = _("Not blocked: tiles can still be drawn.")
    CAN_PLAY = _("Not blocked: somebody can still play.")
    DEAD = _("Blocked: no tile that is left fits anywhere, and this game lets the round end at once.")
    DEAD_DRAWS = _("Not blocked yet: the player on turn draws what can be drawn, and then all pass.")
    UNKNOWN = _("The entries do not say: ask the table whether anybody can play.")
    DRAWABLE = _("Tiles that can still be drawn: {tiles}.")
    NONE_DRAWABLE = _("No tile can be drawn any more.")
    NOBODY = _("Nobody holds a tile that fits an open end or a branch.")
    SOMEBODY = _("Somebody holds a tile that fits: whoever can play must play.")
    MUST_HOLD = _("Tiles that are not on the table and fit: {tiles}. Not all of them can lie in the boneyard.")
    NOTHING_FITS = _("No tile that is not on the table fits anywhere.")
    ASK = _("What is not entered, or not known since then, cannot be checked.")
    IF_EMPTY = _("With nothing left to draw and nobody able to play it would be blocked.")
    IF_FITS = _("If any hand holds a tile that fits, on a branch too, the round goes on.")
    IF_STOPPED = _("In a game that lets such a round end at once it would be blocked.")
    IF_DRAWN = _("Without that house rule, what can be drawn would be drawn first.")
    NO_PENALTY = _("A blocked round has no winner, but the leftovers are settled all the same.")
    LOWEST = _("Nobody went out, so whoever has the fewest pips left takes what the others have.")


class Turn(StrEnum):
    """The sentences of a ruling on one more tile or stop."""

    PLAY = _("Play: whoever can play must play.")
    STOP = _("Stop drawing, and play that tile at once.")
    DRAW = _("Draw one more tile.")
    PASS = _("Pass: it is the next player's turn.")
    HAS_ONE = _("A tile in the hand fits, so nothing may be drawn and passing is not allowed.")
    DREW_ONE = _("Drawing ends with the first tile that fits; it may go on any place where it fits.")
    NONE_FITS = _("No tile in the hand fits, not on a branch either, and tiles can still be drawn: {tiles}.")
    EMPTY = _("No tile in the hand fits, and no tile can be drawn any more.")
    RESERVED = _("Tiles that stay in the boneyard and are never drawn: {tiles}.")
    IF_EMPTY = _("With nothing left to draw it would be a pass.")
    IF_DRAWABLE = _("While a tile can be drawn, passing is not allowed.")
    IF_FITS = _("As soon as a drawn tile fits, it is played.")
    IF_NONE = _("Only a player with no tile that fits draws.")


class Holding(StrEnum):
    """Who can play, as the table says it."""

    SOMEBODY = "somebody"
    NOBODY = "nobody"
    DEAD = "dead"  # no tile that is not on the table fits anywhere


def rule_on_blocked(rules: Rules, drawable: int, holding: Holding) -> Ruling:
    """Whether the round is blocked, `drawable` tiles can still be drawn.

    >>> from .rules import PRESETS
    >>> print(rule_on_blocked(PRESETS["five-up"].rules(2), 3, Holding.NOBODY).ruling)
    Not blocked: tiles can still be drawn.
    """
    facts = [sentence(Blocking.DRAWABLE, tiles=drawable) if drawable else sentence(Blocking.NONE_DRAWABLE)]
    says = {Holding.SOMEBODY: Blocking.SOMEBODY, Holding.NOBODY: Blocking.NOBODY, Holding.DEAD: Blocking.NOTHING_FITS}
    facts.append(sentence(says[holding]))
    if holding is Holding.SOMEBODY:
        return _blocking(Blocking.CAN_PLAY, facts, Blocking.IF_EMPTY)
    if drawable and holding is Holding.NOBODY:
        return _blocking(Blocking.DRAW_FIRST, facts, Blocking.IF_EMPTY)
    if drawable:
        if rules.stop_when_dead:
            return _blocking(Blocking.DEAD, facts, Blocking.IF_DRAWN)
        return _blocking(Blocking.DEAD_DRAWS, facts, Blocking.IF_STOPPED)
    settled = Blocking.NO_PENALTY if rules.settlement is Settling.DEDUCT_OWN else Blocking.LOWEST
    return _blocking(Blocking.BLOCKED, facts, Blocking.IF_FITS, settled)


def rule_on_round(match: Match) -> Ruling | None:
    """Whether the open round of a match is blocked, as far as its entries say; None: no round is open."""
    round_, rules = match.round, match.rules
    if round_ is None or round_.settlement is not None or round_.out is not None:
        return None
    if round_.ended:
        return rule_on_blocked(rules, 0, Holding.NOBODY)
    drawable = round_.boneyard - rules.reserve
    if Known.HANDS | Known.LAYOUT not in round_.known:
        return _blocking(Blocking.UNKNOWN, [sentence(Blocking.ASK)], Blocking.IF_FITS, Blocking.IF_EMPTY)
    fitting = [tile for tile in round_.layout.unplayed() if round_.layout.fits(tile)]
    if not fitting:
        return rule_on_blocked(rules, drawable, Holding.DEAD)
    facts = [sentence(Blocking.DRAWABLE, tiles=drawable) if drawable else sentence(Blocking.NONE_DRAWABLE)]
    if len(fitting) > round_.boneyard:
        facts.append(sentence(Blocking.MUST_HOLD, tiles=len(fitting)))
        return _blocking(Blocking.CAN_PLAY, facts, Blocking.IF_EMPTY)
    return _blocking(Blocking.DRAW_FIRST if drawable else Blocking.UNKNOWN, facts, Blocking.IF_EMPTY)


def _blocking(says: Blocking, facts: list[Sentence], *otherwise: Blocking) -> Ruling:
    stands = None if says is Blocking.UNKNOWN else says in (Blocking.BLOCKED, Blocking.DEAD)
    return Ruling(sentence(says), tuple(facts), Rule.BLOCKED, tuple(map(sentence, otherwise)), stands=stands)


class Fitting(StrEnum):
    """Which tile of the player on turn fits."""

    HAND = "hand"
    DRAWN = "drawn"  # the one just drawn
    NONE = "none"


def rule_on_turn(rules: Rules, drawable: int, fitting: Fitting) -> Ruling:
    """One more tile or stop: `drawable` tiles can still be drawn.

    >>> from .rules import PRESETS
    >>> print(rule_on_turn(PRESETS["five-up"].rules(2), 3, Fitting.DRAWN).ruling)
    Stop drawing, and play that tile at once.
    """
    kept = [sentence(Turn.RESERVED, tiles=rules.reserve)] if rules.reserve else []
    if fitting is Fitting.HAND:
        return _turn(Turn.PLAY, [sentence(Turn.HAS_ONE)], Turn.IF_NONE)
    if fitting is Fitting.DRAWN:
        return _turn(Turn.STOP, [sentence(Turn.DREW_ONE)], Turn.IF_NONE)
    if drawable:
        return _turn(Turn.DRAW, [sentence(Turn.NONE_FITS, tiles=drawable), *kept], Turn.IF_FITS, Turn.IF_EMPTY)
    return _turn(Turn.PASS, [sentence(Turn.EMPTY), *kept], Turn.IF_DRAWABLE)


def _turn(says: Turn, why: list[Sentence], *otherwise: Turn) -> Ruling:
    return Ruling(sentence(says), tuple(why), Rule.TURNS, tuple(map(sentence, otherwise)))
