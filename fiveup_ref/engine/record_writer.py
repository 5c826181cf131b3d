"""Writing a record: one canonical text for what stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .events import (
    Adjusted,
    Closed,
    Counted,
    Disputed,
    Drew,
    Noted,
    Passed,
    Played,
    PointedOut,
    RoundEnded,
    RoundOpened,
    Scored,
    Settled,
)
from .match import Match, Move, Round, Status
from .record_values import Record, one_line
from .rules import Rules
from .seats import Seat


def write(record: Record) -> str:
    """The record as text, with all results, LF at every line's end.

    What was taken back or corrected is not in it, nor are the tiles of a lot; a match that was closed
    has its reason as a note.
    """
    match = record.match
    lines = [*_header(record), *_moves(match.preamble, match)]
    for round_ in match.rounds:
        lines += ["", f"round {round_.number}", *_moves(round_.moves, match, round_)]
    lines += ["", f"winner {winner(match)}"]
    return "\n".join(lines) + "\n"


def winner(match: Match) -> str:
    """The last line's word: the team that has won, `tie` at the target, or `open`."""
    if match.winner is not None:
        return str(match.winner)
    return "tie" if match.status is Status.TIE and not match.in_round else "open"


def standing(rules: Rules, scores: Iterable[int], *, sign: bool = False) -> str:
    """The points of each team in one line, changes with their sign.

    >>> from .rules import PRESETS
    >>> standing(PRESETS["five-up"].rules(4), (-1, 35), sign=True)
    'A+C -1 B+D +35'
    """
    written = (f"{points:+d}" if sign and points else f"{points}" for points in scores)
    return " ".join(f"{team} {points}" for team, points in zip(rules.teams, written, strict=True))


def results(count: int | None, points: int | None) -> str:
    """What stands behind a placement, as `10 +2`; what is None is left out."""
    return " ".join([*([] if count is None else [str(count)]), *([] if points is None else [f"+{points}"])])


def _header(record: Record) -> Iterator[str]:
    rules = record.match.rules
    yield "fiveup 1"
    yield f"rules {rules.preset}"
    if changes := rules.changes():
        yield "set " + " ".join(f"{name}={value}" for name, value in changes.items())
    if title := one_line(record.title):
        yield f"title {title}"
    if record.date:
        yield f"date {record.date}"
    for seat, name in zip(rules.seats, record.match.players, strict=True):
        yield f"player {seat} {one_line(name)}"
    if rules.partners:
        yield "partners " + " ".join(map(str, rules.teams))
    elif rules.players == 4:
        yield "partners none"


def _moves(moves: tuple[Move, ...], match: Match, round_: Round | None = None) -> Iterator[str]:
    ends = _last_by_itself(round_) if round_ else -1
    for index, move in enumerate(moves):
        match move.event:
            case RoundOpened(seat, by):
                yield f"opens {seat} {by}"
            case RoundEnded(out):
                yield _end(out)
            case Settled(left) if round_:
                yield from (f"left {seat} {hand}" for seat, hand in left)
                before, after = round_.before_settlement, round_.after_settlement
                changes = (new - old for new, old in zip(after, before, strict=True))
                yield f"settle {standing(match.rules, changes, sign=True)}"
                yield f"score {standing(match.rules, after)}"
            case Adjusted(team, points, reason):
                yield f"adjust {team} {points:+d} {one_line(reason)}"
            case PointedOut(seat):
                yield f"taken {seat}"
            case Disputed(text, entry, claim, words):
                yield one_line(f"note entry {entry} disputed: {text} {claim}")
                yield from (f"note {team}: {one_line(said)}" for team, said in words)
            case Noted(text) | Closed(text):
                yield f"note {one_line(text)}"
            case _:
                yield from _turn(moves, index)
        if round_ and index == ends:
            yield _end(round_.out)


def _turn(moves: tuple[Move, ...], index: int) -> Iterator[str]:
    move = moves[index]
    match move.event:
        case Played(seat, tile, onto):
            placed = f"{tile}>{onto}" if onto else f"{tile}"
            yield f"{seat} {placed} = {_results(move)}"
        case Counted(seat, called):
            yield f"{seat} ends {called} = {_results(move)}"
        case Scored(seat, points):
            yield f"{seat} points {points}"
        case Drew(seat):
            if (draws := _draws_of_turn(moves, index)) is not None:
                yield f"{seat} draw {draws}"
        case Passed(seat):
            yield f"{seat} pass"


def _results(move: Move) -> str:
    return results(move.score.count if move.score else None, move.points)


def _end(out: Seat | None) -> str:
    return f"out {out}" if out else "blocked"


def _last_by_itself(round_: Round) -> int:
    """Where among the moves the round ended without an entry that says so; -1: it did not."""
    if not round_.ended or any(isinstance(move.event, RoundEnded) for move in round_.moves):
        return -1
    acts = (index for index, move in enumerate(round_.moves) if isinstance(move.event, Played | Passed))
    return max(acts, default=-1)


def _draws_of_turn(moves: tuple[Move, ...], index: int) -> int | str | None:
    """All that was drawn in the turn whose first draw is at `index`, added up; None: it is not the first."""
    seat = moves[index].event.seat  # type: ignore[union-attr]
    drew: dict[int, int | None] = {}
    for step in (-1, 1):
        at = index
        while 0 <= at < len(moves):
            event = moves[at].event
            if isinstance(event, Drew) and event.seat == seat:
                drew[at] = event.tiles
            elif not isinstance(event, Noted | Adjusted):
                break
            at += step
    if min(drew) != index:
        return None
    tiles = [number for number in drew.values() if number is not None]
    return sum(tiles) if len(tiles) == len(drew) else "?"
