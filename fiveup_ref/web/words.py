"""A match in words: what an entry, a count, a status and a proof say in the language of the request."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from fiveup_ref.engine import events
from fiveup_ref.engine.claims import Unit
from fiveup_ref.engine.events import Event
from fiveup_ref.engine.layout import NAMED, EndKind, OpenEnd
from fiveup_ref.engine.match import Known, Match, Move, Round, Status
from fiveup_ref.engine.rules import PRESETS, Rules
from fiveup_ref.engine.ruling import Points, Raw
from fiveup_ref.engine.rulings import audit
from fiveup_ref.engine.scoring import Ends, Left, Score, Settlement
from fiveup_ref.engine.seats import Seat, Team
from fiveup_ref.store import Saved

from .language import amount, ngettext, number, say_sentence, signed
from .language import gettext as _


def shown_names(match: Match) -> Mapping[Seat, str]:
    """The names by seat; equal names are told apart by their seat."""
    seats = match.rules.seats
    return {
        seat: f"{name} ({seat})" if match.players.count(name) > 1 else name
        for seat, name in zip(seats, match.players, strict=True)
    }


def team_name(team: Team, names: Mapping[Seat, str]) -> str:
    """The names of a team, joined."""
    return " + ".join(names[seat] for seat in team)


def points_text(points: int) -> str:
    """Points with their word, as in `3 points`."""
    return ngettext("%(num)s point", "%(num)s points", points) % {"num": number(points)}


def strokes(points: int, match: Match) -> int:
    """Tally strokes of a score: one for each five raw, none below zero (rules 7)."""
    return max(0, points // match.rules.points_per_five)


def net(match: Match, team: int) -> int:
    """The net score of a team, which the tally is drawn from: without what an open round has made (rules 7)."""
    goes_on = match.in_round and not match.over
    return match.scores[team] - (match.rounds[-1].scored[team] if goes_on else 0)


def tally_text(points: int, match: Match) -> str:
    """The tally in words, for those who cannot see it."""
    drawn = strokes(points, match)
    return ngettext("Tally: %(num)s stroke", "Tally: %(num)s strokes", drawn) % {"num": drawn}


class Term(NamedTuple):
    """One worth of a count, and why."""

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Reason:
    """A count written out: its terms and the doubles that count nothing."""

    terms: list[Term]
    silent: list[str]
    count: int
    result: str
    scores: bool


def taken_text(settlement: Settlement) -> str:
    """What a winner takes: the pips of the others together, rounded once; '' where nobody takes anything."""
    if not settlement.takers:
        return ""
    takers = {seat for team in settlement.takers for seat in team}
    pips = sum(hand.pips for seat, hand in settlement.hands.items() if seat not in takers)
    return _("The others have %(pips)s together, rounded once to %(raw)s.") % {
        "pips": ngettext("%(num)s pip", "%(num)s pips", pips) % {"num": number(pips)},
        "raw": amount(Raw(settlement.raw)),
    }


def reason_of(score: Score) -> Reason:
    """The sum in words and numbers."""
    return Reason(
        [Term(_term(end), _why(end, score)) for end in score.terms],
        [_("%(tile)s counts nothing: both its sides are covered.") % {"tile": tile} for tile in score.silent],
        score.count,
        points_text(score.points) if score.raw else _("no score"),
        bool(score.raw),
    )


def _term(end: OpenEnd) -> str:
    return f"{end.tile} {end.worth}" if end.kind in NAMED else str(end.worth)


def _why(end: OpenEnd, score: Score) -> str:
    if end.kind is EndKind.DOUBLE:
        return _("%(tile)s: a double with an uncovered side counts both halves, %(worth)s.") % {
            "tile": end.tile,
            "worth": end.worth,
        }
    if end.kind is EndKind.SPINNER:
        return _("%(tile)s is the spinner: its open edges count, %(worth)s now.") % {
            "tile": end.tile,
            "worth": end.worth,
        }
    if isinstance(score.of, Ends):
        return _("An end with %(pip)s.") % {"pip": end.pip}
    return _("%(tile)s: its free half counts %(worth)s.") % {"tile": end.tile, "worth": end.worth}


@dataclass(frozen=True, slots=True)
class MoveLine:
    """A move in words: who, what, its count and points.

    `points` are what they add to a score; those that another side took are in `lost` instead. `note` says why points
    that were made do not count; `taking` that the move takes what another missed.
    """

    entry: int
    who: str
    what: str
    sum: str
    count: int | None
    points: int | None
    lost: int
    note: str
    taking: bool


def move_line(move: Move, names: Mapping[Seat, str]) -> MoveLine:
    """One entry as a line of a list."""
    seat = None if isinstance(move.event, events.RoundOpened) else getattr(move.event, "seat", None)
    scored = isinstance(move.event, events.Played | events.Counted | events.Scored | events.PointedOut)
    written = str(move.score).split(":")[0] if move.score else ""
    taken = move.taken_by is not None
    return MoveLine(
        move.entry,
        names.get(seat, "") if seat else "",
        _taking(move.took, names) if move.took else describe(move.event, names),
        written,
        move.score.count if move.score else None,
        (0 if taken else move.points) if scored else None,
        move.points if taken else 0,
        _note(move, names),
        move.took is not None,
    )


def _taking(missed: Move, names: Mapping[Seat, str]) -> str:
    event = missed.event
    play = points_text(event.points) if isinstance(event, events.Scored) else describe(event, names)
    return _("muggins, %(play)s by %(name)s") % {"play": play, "name": names[event.seat]}  # type: ignore[union-attr]


def _note(move: Move, names: Mapping[Seat, str]) -> str:
    if move.taken_by:
        return _("taken by %(name)s") % {"name": names[move.taken_by]}
    if move.too_low:
        return _("It is too little to get in, so it is not scored.")
    return _("It would overshoot the exact target, so it is not scored.") if move.unscored else ""


def move_lines(moves: Sequence[Move], names: Mapping[Seat, str]) -> list[MoveLine]:
    """The entries of a round as lines, the draws of one turn added up."""
    added: list[Move] = []
    for move in moves:
        before = added[-1].event if added else None
        drew = move.event
        if isinstance(drew, events.Drew) and isinstance(before, events.Drew) and drew.seat == before.seat:
            unknown = drew.tiles is None or before.tiles is None
            together = events.Drew(drew.seat, None if unknown else (drew.tiles or 0) + (before.tiles or 0))
            added[-1] = move._replace(event=together)
        else:
            added.append(move)
    return [move_line(move, names) for move in added]


def describe(event: Event, names: Mapping[Seat, str]) -> str:
    """What an entry says, without who did it."""
    return _SAID[type(event)](event, names)


def _said_opened(event: events.RoundOpened, names: Mapping[Seat, str]) -> str:
    sentences = {
        events.OUT: _("%(name)s opens after going out"),
        events.LOT: _("%(name)s opens by lot"),
        events.AGREED: _("%(name)s opens, as agreed"),
    }
    return sentences[event.by] % {"name": names.get(event.seat, event.seat)}


def _said_played(event: events.Played, names: Mapping[Seat, str]) -> str:
    del names
    return _("%(tile)s on %(onto)s") % {"tile": event.tile, "onto": event.onto} if event.onto else str(event.tile)


def _said_drew(event: events.Drew, names: Mapping[Seat, str]) -> str:
    del names
    if event.tiles is None:
        return _("drew, number unknown")
    return ngettext("drew %(num)s tile", "drew %(num)s tiles", event.tiles) % {"num": event.tiles}


def _said_ended(event: events.RoundEnded, names: Mapping[Seat, str]) -> str:
    if event.out is None:
        return _("the round is blocked")
    return _("%(name)s goes out") % {"name": names.get(event.out, event.out)}


def _said_disputed(event: events.Disputed, names: Mapping[Seat, str]) -> str:
    said = [f"{team_name(team, names)}: “{words}”" for team, words in event.words]
    about = _("dispute about entry %(entry)s: %(text)s") % {"entry": event.entry, "text": event.text}
    return " · ".join([f"{about} ({claim_text(event.claim)})" if event.claim else about, *said])


def claim_text(claim: str) -> str:
    """A figure with its unit as it was called, such as `16 raw`."""
    figure, _unit, unit = claim.partition(" ")
    return amount(Raw(figure) if unit == Unit.RAW else Points(figure))


def _said_adjusted(event: events.Adjusted, names: Mapping[Seat, str]) -> str:
    name = team_name(event.team, names)
    return _("%(name)s %(points)s: %(reason)s") % {
        "name": name,
        "points": signed(event.points),
        "reason": event.reason,
    }


def _said_inserted(event: events.Inserted, names: Mapping[Seat, str]) -> str:
    return _("puts in before entry %(entry)s: %(what)s") % {"entry": event.before, "what": said(event.event, names)}


def _said_rules(event: events.RulesChanged, _names: Mapping[Seat, str]) -> str:
    return _("new rules: %(rules)s") % {"rules": rules_text(dict(event.changes))}


def game_text(rules: Rules) -> str:
    """The game of a match, and what differs in it from the usual one; said on every page and sheet of the match."""
    differs, house = house_rules(rules), _("House rules:")
    return f"{_(rules.preset)}. {house} {', '.join(differs)}" if differs else _(rules.preset)


def house_rules(rules: Rules) -> list[str]:
    """What differs from the usual game; four who could be partners and are not differ as well."""
    usual = PRESETS[rules.preset].rules(rules.players)
    differs = [] if rules.partners == usual.partners else [_("4 players, each alone")]
    if changes := rules.changes():
        differs.append(rules_text(changes))
    return differs


def shown_title(saved: Saved) -> str:
    """What a match is called wherever it is named: its title, or its game where it has none."""
    return saved.title or _(saved.match.rules.preset)


def rules_text(changes: Mapping[str, str]) -> str:
    """Settings with their values, as in `target 100, exact target`; what is on is only named.

    A value in words stands behind a colon.
    """
    return ", ".join(
        _(field) if value == "yes" else f"{_(field)}{'' if value.isdigit() else ':'} {_(value)}"
        for field, value in changes.items()
    )


_SAID: Final[Mapping[type[Event], Callable[[Any, Mapping[Seat, str]], str]]] = {
    events.RoundOpened: _said_opened,
    events.Played: _said_played,
    events.Counted: lambda event, _names: _("ends %(ends)s") % {"ends": event.ends},
    events.Scored: lambda event, _names: _("called %(points)s") % {"points": points_text(event.points)},
    events.Drew: _said_drew,
    events.Passed: lambda _event, _names: _("passes"),
    events.RoundEnded: _said_ended,
    events.Settled: lambda _event, _names: _("the settlement"),
    events.Adjusted: _said_adjusted,
    events.Disputed: _said_disputed,
    events.Noted: lambda event, _names: _("note: %(text)s") % {"text": event.text},
    events.PointedOut: lambda _event, _names: _("points out a missed score and takes it"),
    events.Closed: lambda event, _names: _("closed: %(text)s") % {"text": event.reason},
    events.Previewed: lambda event, _names: (
        _("points shown beforehand: on") if event.on else _("points shown beforehand: off")
    ),
    events.Ringed: lambda event, _names: _("small o in the tally: on") if event.on else _("small o in the tally: off"),
    events.Renamed: lambda event, _names: _("new names: %(names)s") % {"names": ", ".join(event.players)},
    events.RulesChanged: _said_rules,
    events.Inserted: _said_inserted,
    events.Undone: lambda event, _names: _("takes back entry %(entry)s") % {"entry": event.entry},
    events.Amended: lambda event, _names: _("corrects entry %(entry)s") % {"entry": event.entry},
}


def said(event: Event, names: Mapping[Seat, str]) -> str:
    """What an entry says, with who did it."""
    seat = getattr(event, "seat", None)
    text = describe(event, names)
    return f"{names.get(seat, seat)} {text}" if seat and not isinstance(event, events.RoundOpened) else text


def said_in_full(event: Event, names: Mapping[Seat, str]) -> str:
    """What an entry says, with the values that lists of plays have in columns of their own."""
    match event:
        case events.Scored(seat, points):
            return f"{names[seat]} {signed(points)}"
        case events.Settled(left):
            hands = (f"{names[seat]} {_held(hand)}" for seat, hand in left)
            return f"{describe(event, names)}: {', '.join(hands)}"
        case _:
            return said(event, names)


def _held(hand: Left) -> str:
    if hand.tiles is None:
        return ngettext("%(num)s pip", "%(num)s pips", hand.pips) % {"num": hand.pips}
    return " ".join(map(str, hand.tiles)) or "–"


def told(event: Event, match: Match) -> str:
    """What an entry says to who did not see it come: of one that changes another, what that one said too."""
    names = shown_names(match)
    match event:
        case events.Undone(entry=entry):
            return _("takes back: %(what)s") % {"what": said_in_full(match.log[entry - 1], names)}
        case events.Amended(entry=entry, event=now):
            was, now_said = said_in_full(match.log[entry - 1], names), said_in_full(now, names)
            return _("corrects: %(what)s; now: %(now)s") % {"what": was, "now": now_said}
        case _:
            return said(event, names)


def status_text(match: Match, names: Mapping[Seat, str]) -> str:
    """Where the match stands, in a sentence; empty while there is nothing to say."""
    people = sum(map(len, match.leaders))
    fields = {
        "target": match.rules.target,
        "name": _(" and ").join(team_name(team, names) for team in match.leaders),
        "score": number(max(match.scores)),
    }
    match match.status:
        case Status.REACHED:
            return (
                ngettext(
                    "%(name)s has reached %(target)s. Finish the round: what counts is the score after settlement.",
                    "%(name)s have reached %(target)s. Finish the round: what counts is the score after settlement.",
                    people,
                )
                % fields
            )
        case Status.FELL_BACK:
            return _("%(target)s was reached in play, but not any more after settlement. The match goes on.") % fields
        case Status.TIE:
            return _("Tie at %(score)s: %(name)s. Everybody plays one more round.") % fields
        case Status.WON:
            return (
                ngettext("%(name)s wins the match with %(score)s.", "%(name)s win the match with %(score)s.", people)
                % fields
            )
        case Status.CLOSED:
            return _("The match was closed without a winner.")
        case _:
            return ""


def checks_off(round_: Round) -> str:
    """Which checks are off in this round, in a sentence; empty while all are on."""
    if round_.known is Known.ALL:
        return ""
    if Known.LAYOUT not in round_.known:
        return _("This round is kept by counts or points: tiles, draws, passes and turns are not checked.")
    return _("The number of tiles in the hands is not known: draws, passes and going out are not checked.")


def lot_lines(round_: Round, names: Mapping[Seat, str]) -> list[str]:
    """Each drawing of the lot that the app held: who drew what, the most pips first."""
    opened = round_.moves[0].event
    if not isinstance(opened, events.RoundOpened):
        return []
    return [
        ", ".join(f"{names[seat]} {tile} ({tile.pips})" for seat, tile in sorted(draws, key=lambda one: -one[1].pips))
        for draws in opened.lots
    ]


def proofs(round_: Round, match: Match, names: Mapping[Seat, str]) -> list[list[str]]:
    """What the tiles shown at settlement prove about passes and draws: each finding with its proof, step by step."""
    if match.fallen:
        return []  # the tiles of entries that fell are missing from the moves
    return [
        [say_sentence(step.because, step.fields, names) for step in finding.proof]
        for finding in audit(round_, match.rules)
    ]


def standing_text(match: Match, names: Mapping[Seat, str]) -> str:
    """The standing in one sentence, to be read out: what it is the standing of, who leads, every score."""
    people = sum(map(len, match.leaders))
    order = sorted(range(len(match.scores)), key=lambda index: -match.scores[index])
    teams = match.rules.teams
    scores = ", ".join(f"{team_name(teams[index], names)} {number(match.scores[index])}" for index in order)
    fields = {
        "number": len(match.rounds),
        "name": _(" and ").join(team_name(team, names) for team in match.leaders),
        "scores": scores,
        "target": match.rules.target,
    }
    if match.status is Status.WON:
        return ngettext("%(name)s wins the match: %(scores)s.", "%(name)s win the match: %(scores)s.", people) % fields
    if match.status is Status.CLOSED:
        return _("The match is closed: %(scores)s.") % fields
    if not match.rounds:
        return _("Before the first round: %(scores)s. The target is %(target)s.") % fields
    if match.in_round:
        return _("Round %(number)s, before settlement: %(scores)s.") % fields
    if len(match.leaders) == 1:
        return (
            ngettext(
                "After round %(number)s %(name)s leads: %(scores)s.",
                "After round %(number)s %(name)s lead: %(scores)s.",
                people,
            )
            % fields
        )
    if len(match.leaders) == len(teams):
        return _("After round %(number)s all are level: %(scores)s.") % fields
    return _("After round %(number)s %(name)s share the lead: %(scores)s.") % fields
