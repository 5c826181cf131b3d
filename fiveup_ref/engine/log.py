"""The log of a match: which of its entries stand after undo and correction, and in which order."""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .events import (
    LONGEST_TEXT,
    Affair,
    Amended,
    Correction,
    Event,
    GameEvent,
    Inserted,
    RoundOpened,
    Shown,
    Undone,
)
from .faults import Fault, RulesError


@dataclass(frozen=True, slots=True)
class Standing:
    """An event that stands, with the number of the entry it came in as (1 is the first).

    It says what it said in entry `since`: its own, or that of its correction. A turn is not its seat's but, by so many
    forgotten `turns` before it, that of a player further on.
    """

    entry: int
    event: GameEvent | Affair
    since: int
    turns: int = 0


def standing(log: Sequence[Event]) -> list[Standing]:
    """The events that stand after every undo and correction, in the order of their places.

    A corrected event stands at the place of the entry it corrects, a forgotten one before its neighbour.

    >>> from .events import Noted
    >>> for one in standing([Noted("one"), Noted("two"), Undone(1), Amended(2, Noted("3")), Inserted(2, Noted("4"))]):
    ...     print(one)
    Standing(entry=5, event=Noted(text='4'), since=5, turns=0)
    Standing(entry=2, event=Noted(text='3'), since=4, turns=0)
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
        stands.append(Standing(number, event, since, sum(since < turn for turn in forgotten)))
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
    """The entry that one undo takes back: the newest step in force, be it a correction or what took an entry out.

    It never fell: what makes an entry fall is a newer step.

    >>> from .events import Noted
    >>> [last_undoable([Noted("one"), Noted("two"), Undone(entry)]) for entry in (1, 2)]
    [3, 1]
    """
    return next(reversed(_Walk.of(log).steps), None)


def last_redoable(log: Sequence[Event]) -> int | None:
    """The undo that is taken back to go forward again; None where something was entered after it."""
    walk = _Walk.of(log)
    return next(
        (n for n, entry in reversed(walk.undos.items()) if n not in walk.gone and entry not in walk.undos), None
    )


def last_taken_out(log: Sequence[Event]) -> int | None:
    """The newest undo in force that is itself a step: it took out an entry further back, and may be taken back."""
    steps = ((number, log[number - 1]) for number in reversed(_Walk.of(log).steps))
    return next((n for n, one in steps if isinstance(one, Undone) and not isinstance(log[one.entry - 1], Undone)), None)


@dataclass
class _Walk:
    """A log as undo and redo walk through it.

    An undo of the newest step in force, or of such an undo with nothing entered since, only walks. Any other undo
    takes something out further back and is itself a step, as every entry is that changes more than what pages show.
    `steps` are in force, oldest first; `undos` walked since the newest step, each with what it took back; `gone` is
    what is taken back.
    """

    log: Sequence[Event]
    steps: list[int] = field(default_factory=list)
    undos: dict[int, int] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    taken_out: set[int] = field(default_factory=set)  # steps that were in force and are not

    @staticmethod
    def of(log: Sequence[Event]) -> _Walk:
        walk = _Walk(log)
        for number, event in enumerate(log, 1):
            about = event
            if isinstance(event, Undone):
                walks = event.entry in walk.undos or event.entry in walk.steps[-1:]
                walk.turn(event.entry)
                if walks:
                    walk.undos[number] = event.entry
                    continue
                about = log[event.entry - 1]
            walk.undos = {}
            if not isinstance(about, Shown):
                walk.steps.append(number)
        return walk

    def turn(self, entry: int) -> None:
        """Take an entry back, or bring it back where it is gone; what it had taken back turns with it."""
        while True:
            if entry in self.gone:
                self.gone.remove(entry)
                if entry in self.taken_out:
                    self.taken_out.remove(entry)
                    insort(self.steps, entry)
            else:
                self.gone.add(entry)
                if entry in self.steps:
                    self.steps.remove(entry)
                    self.taken_out.add(entry)
            event = self.log[entry - 1]
            if not isinstance(event, Undone):
                return
            entry = event.entry
