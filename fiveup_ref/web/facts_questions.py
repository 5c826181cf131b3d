"""Leftovers, who has won, who opens, blocked, one more tile: a few answers of the table, put to the desk."""

from __future__ import annotations

from typing import Final, NamedTuple

from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.round_rulings import Fitting, Holding, rule_on_blocked, rule_on_turn
from fiveup_ref.engine.rules import MOST_POINTS, Rules
from fiveup_ref.engine.ruling import Pips
from fiveup_ref.engine.scoring import Left
from fiveup_ref.engine.seats import SEATS, Seat
from fiveup_ref.engine.settling_rulings import rule_on_leftovers
from fiveup_ref.engine.standing_rulings import rule_on_lot, rule_on_opener, rule_on_scores
from fiveup_ref.engine.tiles import DOUBLE_SIX, Tile

from .asking import Asked, game_of
from .language import amount
from .language import gettext as _

BLOCKED: Final = "blocked"
_MOST_DRAWABLE: Final = 26  # two players hold one tile each at least


class Hand(NamedTuple):
    """A hand on the form: what was ticked and what was typed."""

    seat: Seat
    ticked: list[str]
    typed: str


class Choice(NamedTuple):
    """A question with a few answers."""

    name: str
    legend: str
    options: list[tuple[str, str]]
    usual: str = ""


class Typed(NamedTuple):
    """A question for a number, or for a tile."""

    name: str
    label: str


def _table(asked: Asked) -> Rules:
    """The game with its sides, as chosen."""
    asked.more["sides"] = {
        "2": _("2 players"),
        "3": _("3 players"),
        "pairs": _("4 players, partners"),
        "4": _("4 players, each alone"),
        "5": _("5 players"),
    }
    asked.more["rules"] = rules = game_of(asked, "pairs")
    return rules


def left(asked: Asked) -> None:
    """What do these leftovers cost: `out`, and `left-A` … as tiles or pips."""
    rules = _table(asked)
    asked.more["all_tiles"] = DOUBLE_SIX
    asked.more["hands"] = [_hand(asked, seat) for seat in rules.seats]
    if not asked.has("out", "left-"):
        return
    out = asked.value("out")
    if out not in (*rules.seats, BLOCKED):
        asked.errors["out"] = _("Say who went out, or that the round was blocked.")
    hands = {hand.seat: held for hand in asked.more["hands"] if (held := _left(asked, hand, out)) is not None}
    if out in (*rules.seats, BLOCKED):
        asked.facts.append(_("Blocked") if out == BLOCKED else _("%(name)s went out") % {"name": out})
    asked.facts += [
        f"{seat}: {amount(Pips(held.pips)) if held.tiles is None else held}" for seat, held in hands.items()
    ]
    asked.rule(lambda: rule_on_leftovers(hands, rules, None if out == BLOCKED else out), "left")


def _hand(asked: Asked, seat: Seat) -> Hand:
    given = [" ".join(one[:100].split()) for one in asked.args.getlist(f"left-{seat}")[:30]]
    tiles = {str(tile) for tile in DOUBLE_SIX}
    typed = [one for one in given if one and (one not in tiles or len(given) == 1)]
    return Hand(seat, [one for one in given if one in tiles and one not in typed], " ".join(typed)[:100])


def _left(asked: Asked, hand: Hand, out: str) -> Left | None:
    """What a hand has left: one number is pips, everything else tiles."""
    name = f"left-{hand.seat}"
    words = [*hand.ticked, *hand.typed.split()]
    try:
        if hand.seat == out:
            if words:
                raise RulesError(Fault.LEFT_OF_OUT, seat=hand.seat)
            return None
        if not words:
            raise RulesError(Fault.LEFT_MISSING, seat=hand.seat)
        if len(words) == 1 and words[0].isdecimal():
            return Left.typed(words[0])
        return Left.parse(" ".join(words))
    except RulesError as error:
        asked.refuse(name, error)
        return None


def won(asked: Asked) -> None:
    """Who has won: `before-A` … or `after-A` … or both for each side, and the `target`."""
    rules = _table(asked)
    seats = [team[0] for team in rules.teams]
    if not asked.has("before-", "after-"):
        return
    said = {name for name in ("before", "after") if any(asked.value(f"{name}-{seat}") for seat in seats)} or {"before"}
    before, after = (
        [asked.needed(f"{moment}-{seat}", -MOST_POINTS, MOST_POINTS) for seat in seats] if moment in said else None
        for moment in ("before", "after")
    )
    asked.rule(lambda: rule_on_scores(rules, before, after), "after")


def opens(asked: Asked) -> None:
    """Who opens: how the round before ended (`last`), `who` went out, and the tiles of a lot (`lot-A` …)."""
    last = Choice(
        "last",
        _("How did the round before end?"),
        [("first", _("There was none: this is the first")), ("out", _("Somebody went out")), (BLOCKED, _("Blocked"))],
    )
    who = Choice("who", _("Who went out?"), [(seat, seat) for seat in SEATS])
    asked.more["fields"] = [last, who]
    rules = game_of(asked)
    asked.more["lots"] = [] if rules.double_opens else [Typed(f"lot-{seat}", seat) for seat in SEATS]
    if not asked.has("last", "who", "lot-"):
        return
    ended = asked.choice("last", ("first", "out", BLOCKED), "")
    out = asked.choice("who", SEATS, "") if ended == "out" else None
    lots = () if rules.double_opens else SEATS
    drawn = {seat: asked.read(f"lot-{seat}", _lot_tile) for seat in lots if asked.value(f"lot-{seat}")}
    draws = tuple((seat, tile) for seat, tile in drawn.items() if tile is not None)
    if drawn and ended in ("first", BLOCKED):
        asked.rule(lambda: rule_on_lot(draws), "lot")
    else:
        first, double_opens = ended == "first", rules.double_opens
        asked.rule(lambda: rule_on_opener(out, first=first, double_opens=double_opens), "last")


def _lot_tile(typed: str) -> Tile:
    """A tile as it is written with a dash: elsewhere on the desk a bare number is pips."""
    tile = Tile.parse(typed)
    if typed.isdecimal():
        raise RulesError(Fault.LOT_TILE, text=typed, tile=tile)
    return tile


def blocked(asked: Asked) -> None:
    """Blocked or not: `drawable` tiles, and who can play (`holding`)."""
    holding = Choice(
        "holding",
        _("Can anybody play, on a branch too?"),
        [
            (Holding.NOBODY, _("No, nobody")),
            (Holding.SOMEBODY, _("Yes, somebody")),
            (Holding.DEAD, _("No tile that is not on the table fits anywhere")),
        ],
    )
    rules = game_of(asked)
    usual = "yes" if rules.stop_when_dead else "no"
    stop = Choice(
        "stop",
        _("When no tile fits anywhere any more, but some can be drawn:"),
        [("no", _("they are drawn first (usual)")), ("yes", _("the round ends at once (house rule)"))],
        usual,
    )
    asked.more["fields"] = [Typed("drawable", _("Tiles that can still be drawn")), holding, stop]
    if not {"drawable", "holding", "stop"} & set(asked.args):
        return
    drawable = asked.needed("drawable", 0, _MOST_DRAWABLE)
    held = asked.choice("holding", tuple(Holding), "")
    asked.rules = rules = rules.changed({"stop_when_dead": asked.choice("stop", ("no", "yes"), usual)})
    asked.rule(lambda: rule_on_blocked(rules, drawable, Holding(held)), "holding")


def turn(asked: Asked) -> None:
    """One more tile or stop: `drawable` tiles, and which tile fits (`fitting`)."""
    fitting = Choice(
        "fitting",
        _("Does a tile of the player on turn fit, on a branch too?"),
        [
            (Fitting.NONE, _("No, none")),
            (Fitting.DRAWN, _("Yes, the one just drawn")),
            (Fitting.HAND, _("Yes, one held before drawing")),
        ],
    )
    asked.more["fields"] = [Typed("drawable", _("Tiles that can still be drawn")), fitting]
    rules = game_of(asked)
    if "fitting" not in asked.args:  # the page of a match fills in the rest
        return
    drawable = asked.needed("drawable", 0, _MOST_DRAWABLE)
    fits = asked.choice("fitting", tuple(Fitting), "")
    asked.rule(lambda: rule_on_turn(rules, drawable, Fitting(fits)), "fitting")
