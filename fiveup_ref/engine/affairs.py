"""What holds for a whole match: its names, its rules and what its pages show, as the log has changed them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from .events import Affair, Event, Previewed, Renamed, Ringed, RulesChanged, Undone
from .faults import Fault, RulesError
from .log import Standing, standing
from .match import Fallen, Match, Start, changed
from .record_values import check_name
from .rules import Rules

_UNIT: Final = "points_per_five"


def begun(start: Start, stands: Iterable[Standing]) -> Match:
    """The match before its first entry, by the names and rules that stand at the end of its log.

    A change that cannot be is left out and listed as fallen.
    """
    rules, players = start
    previews = rings = False
    fallen = []
    for entry, event in ((one.entry, one.event) for one in stands):
        try:
            match event:
                case RulesChanged(changes):
                    rules = rules.changed(dict(changes))
                case Renamed(names):
                    check_names(names, rules)
                    players = names
                case Previewed(on):
                    previews = on
                case Ringed(on):
                    rings = on
        except RulesError as error:
            fallen.append(Fallen(entry, event, error.with_traceback(None)))
    new = Match.new(rules, players)
    return changed(new, start=start, previews=previews, rings=rings, fallen=tuple(fallen))


def units(start: Start, log: Sequence[Event]) -> Sequence[int]:
    """What five raw were worth on the sheet when each entry was made, by its number; there is none with number 0.

    >>> from .events import Scored, Undone
    >>> from .rules import PRESETS
    >>> start = Start(PRESETS["five-up"].rules(2), ("Ani", "Budi"))
    >>> units(start, [Scored("A", 3), RulesChanged((("points_per_five", "5"),)), Scored("A", 15), Undone(2)])
    [1, 1, 1, 5, 5]
    """
    unit = start.rules.points_per_five
    found = [unit] * (len(log) + 1)
    if not any(isinstance(event, RulesChanged) and _UNIT in dict(event.changes) for event in log):
        return found
    for number, event in enumerate(log, 1):
        found[number] = unit
        if isinstance(event, RulesChanged | Undone):
            unit = begun(start, standing(log[:number])).rules.points_per_five
    return found


def check_names(names: tuple[str, ...], rules: Rules) -> None:
    """Refuse names that do not fill the seats. Raises RulesError: NAMES, NAME_MISSING, NAME_TOO_LONG."""
    if len(names) != rules.players:
        raise RulesError(Fault.NAMES, players=rules.players)
    for name in names:
        check_name(name)


def check_changes(before: Match, after: Match, event: Affair) -> None:
    """Refuse what changes nothing, and new rules for a match that is closed.

    Raises RulesError: NOTHING_CHANGED, MATCH_CLOSED.
    """
    if _affairs(before) == _affairs(after):
        raise RulesError(Fault.NOTHING_CHANGED)
    if before.closed and isinstance(event, RulesChanged):
        raise RulesError(Fault.MATCH_CLOSED)


def _affairs(match: Match) -> tuple[object, ...]:
    return match.rules, match.players, match.previews, match.rings
