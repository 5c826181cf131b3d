"""The log of a match: which of its entries stand after undo and correction, and in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .events import (
    LONGEST_TEXT,
    Affair,
    Amended,
    Correction,
    Event,
    GameEvent,
    Inserted,
    Previewed,
    RoundOpened,
    Undone,
)
from .faults import Fault, RulesError


@dataclass(frozen=True, slots=True)
class Standing:
    """An event that stands, with the number of the entry it came in as (1 is the first).

    A turn is not its seat's but, by so many forgotten `turns` before it, that of a player further on.
    """

    entry: int
    event: GameEvent | Affair
    turns: int = 0


def standing(log: Sequence[Event]) -> list[Standing]:
    """The events that stand after every undo and correction, in the order of their places.

    A corrected event stands at the place of the entry it corrects, a forgotten one before its neighbour.

    >>> from .events import Noted
    >>> standing([Noted("one"), Noted("two"), Undone(1), Amended(2, Noted("three")), Inserted(2, Noted("four"))])
    [Standing(entry=5, event=Noted(text='four'), turns=0), Standing(entry=2, event=Noted(text='three'), turns=0)]
    """
    undone = taken_back(log)
    right = {event.entry: (number, event.event) for number, event in amendments(log)}
    stands = []
    forgotten: list[int] = []  # the turns put in later in this round; what was entered after that knew of them
    for number in places(log):
        if number in undone:
            continue
        entered: Any = log[number - 1]
        put_in = isinstance(entered, Inserted)
        since, event = right.get(number, (number, entered.event if put_in else entered))
        if isinstance(event, RoundOpened):
            forgotten = []
        stands.append(Standing(number, event, sum(since < turn for turn in forgotten)))
        if put_in and entered.moves_turns:
            forgotten.append(number)
    return stands


def amendments(log: Sequence[Event]) -> list[tuple[int, Amended]]:
    """The corrections that are not taken back, with their numbers; of several of one entry the last holds."""
    undone = taken_back(log)
    return [(n, event) for n, event in enumerate(log, 1) if isinstance(event, Amended) and n not in undone]


def places(log: Sequence[Event]) -> list[int]:
    """The numbers of the entries that are not about another one, in the order in which they stand if they do.

    >>> from .events import Noted
    >>> places([Noted("one"), Noted("two"), Undone(1), Inserted(2, Noted("three"))])
    [1, 4, 2]
    """
    order: list[int] = []
    for number, event in enumerate(log, 1):
        if isinstance(event, Inserted):
            order.insert(order.index(event.before), number)
        elif not isinstance(event, Undone | Amended):
            order.append(number)
    return order


def taken_back(log: Sequence[Event]) -> Mapping[int, int]:
    """The numbers of the entries that are taken back at the end of the log, each with that of its undo.

    An undo that is itself taken back does nothing, so the log is read from its end.

    >>> from .events import Noted
    >>> taken_back([Noted("one"), Undone(1), Undone(2)])
    {2: 3}
    """
    undone: dict[int, int] = {}
    for number in range(len(log), 0, -1):
        event = log[number - 1]
        if isinstance(event, Undone) and number not in undone:
            undone[event.entry] = number
    return undone


def check_reference(log: Sequence[Event], event: Correction) -> None:
    """Refuse a correction, about to follow `log`, of what is not there to correct.

    Raises RulesError: NO_SUCH_ENTRY, ENTRY_UNDONE, NOT_AMENDABLE, NO_PLACE, TEXT_TOO_LONG.
    """
    entry = event.before if isinstance(event, Inserted) else event.entry
    if not 1 <= entry <= len(log):
        raise RulesError(Fault.NO_SUCH_ENTRY, entry=entry)
    if entry in taken_back(log):
        raise RulesError(Fault.ENTRY_UNDONE, entry=entry)
    if not isinstance(event, Undone) and isinstance(log[entry - 1], Undone | Amended | Affair):
        raise RulesError(Fault.NO_PLACE if isinstance(event, Inserted) else Fault.NOT_AMENDABLE, entry=entry)
    if len(event.reason) > LONGEST_TEXT:
        raise RulesError(Fault.TEXT_TOO_LONG, highest=LONGEST_TEXT)


def last_undoable(log: Sequence[Event]) -> int | None:
    """The entry that one undo takes back: the newest that stands, is no undo, and changes more than what pages show."""
    undone = taken_back(log)
    newest = range(len(log), 0, -1)
    return next((n for n in newest if n not in undone and not isinstance(log[n - 1], Undone | Previewed)), None)
