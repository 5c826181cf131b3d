"""The layout: where a tile may go and what the table counts (rules 2)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple

from .faults import Fault, RulesError
from .tiles import DOUBLE_SIX, PIPS, Tile


class EndKind(StrEnum):
    """What kind of place an open end is."""

    HALF = "half"  # the free half of a tile that is not a double
    DOUBLE = "double"  # a side of a double with at most one side covered
    TIP = "tip"  # a short edge of a spinner with both sides covered
    SPINNER = "spinner"  # an edge of a spinner whose open edges count


NAMED: Final = frozenset({EndKind.DOUBLE, EndKind.SPINNER})
"""The kinds of end that a sum names by their tile."""


class OpenEnd(NamedTuple):
    """A place, or two equal ones, where a tile with `pip` can be joined to `tile`.

    `worth` is what it adds to the count, in pips: 0 for a tip; of a spinner that goes on counting both halves while at
    most two edges are covered, then one. `places` is 2 where two equal places are open (the sides of a lone double,
    the two tips), else 1.
    """

    tile: Tile
    pip: int
    worth: int
    kind: EndKind
    places: int


class Place(NamedTuple):
    """A play that fits: this tile joined to that one; `onto` is None for the set."""

    tile: Tile
    onto: Tile | None


# What is open is kept as 49 bits: bit 7 * pip + other is on while the half with `pip` of the tile
# pip-other can be joined. A tile is so found from either half, and the ends that show one number lie together.
def _slot(pip: int, tile: Tile) -> int:
    return 1 << (7 * pip + tile.other(pip))


_DOUBLES: Final = sum(1 << tile.index for tile in DOUBLE_SIX if tile.is_double)
_EVERY_SLOT: Final = tuple(
    _slot(tile.heavy, tile) | _slot(tile.light, tile)  # one and the same for a double
    for tile in DOUBLE_SIX
)


class _Joint(NamedTuple):
    """All that is fixed about joining one tile to another; worked out once for each pair."""

    onto_slot: int
    onto_shift: int  # where the joins of a double are counted in `joins`; -1: not a double
    pip: int
    opens: int  # slots that the new tile brings
    brings: int  # pips its outer end counts
    own_shift: int  # as onto_shift, for the new tile
    own_branch: int


def _joint(tile: Tile, onto: Tile) -> _Joint | None:
    shared = [pip for pip in PIPS if tile.has(pip) and onto.has(pip)]
    if tile is onto or not shared:
        return None
    pip = shared[0]  # two different tiles share one number at most
    return _Joint(
        onto_slot=_slot(pip, onto),
        onto_shift=3 * pip if onto.is_double else -1,
        pip=pip,
        opens=_slot(tile.other(pip), tile),
        brings=tile.pips if tile.is_double else tile.other(pip),
        own_shift=3 * pip if tile.is_double else -1,
        own_branch=1 << pip if tile.is_double else 0,
    )


_JOINTS: Final = tuple(tuple(_joint(tile, onto) for onto in DOUBLE_SIX) for tile in DOUBLE_SIX)
_SHOWN: Final = tuple(
    tuple(tuple(Tile.of(pip, other) for other in PIPS if bits >> other & 1) for bits in range(128)) for pip in PIPS
)


class _Facts(NamedTuple):
    """What a layout is, in the form that `play` moves forward."""

    plays: tuple[Place, ...]
    table: int  # bit tile.index: the tile lies on the table
    open: int  # see _slot
    joins: int  # three bits for each double, at 3 * pip: tiles that touch it
    branching: int  # bit pip: that double is a spinner
    total: int  # the count
    spinners: int
    counting: bool  # the open edges of a spinner count


class Layout:
    """All tiles on the table, joined as they lie; a play makes a new one.

    `Layout.empty(spinners)` is the table before the set; `spinners` doubles, in order of play,
    take four tiles.

    >>> layout = Layout.read("5-5 5-0>5-5 5-6>5-5", spinners=7)
    >>> layout.count(), [str(end.tile) for end in layout.open_ends()]
    (6, ['5-5', '5-0', '6-5'])
    """

    __slots__ = ("_facts",)
    _facts: _Facts

    def __init__(self) -> None:
        raise TypeError("a layout begins as Layout.empty(spinners)")

    @staticmethod
    def empty(spinners: int, *, spinner_counts: bool = False) -> Layout:
        """No tile yet; `spinners` from 0 to 7, `spinner_counts` as in `Rules`."""
        return _layout(_Facts((), 0, 0, 0, 0, 0, spinners, spinner_counts))

    @staticmethod
    def read(plays: str, *, spinners: int, spinner_counts: bool = False) -> Layout:
        """The layout of plays written as `5-5 5-0>5-5`; raises RulesError at the first that cannot be."""
        layout = Layout.empty(spinners, spinner_counts=spinner_counts)
        for written in plays.split():
            tile, joined, onto = written.partition(">")
            layout = layout.play(Tile.parse(tile), Tile.parse(onto) if joined else None)
        return layout

    def play(self, tile: Tile, onto: Tile | None = None) -> Layout:
        """The layout after `tile` was joined to `onto` (None: the set).

        Sides before tips follows by itself: a double's first tiles lie on its sides. Raises RulesError:
        TILE_PLAYED, SET_LIES, NOTHING_LIES, ONTO_NOT_PLAYED, NO_FIT, END_COVERED, SPINNER_FULL, DOUBLE_FULL.
        Source: rules 2.

        >>> str(Layout.empty(7).play(Tile.of(5, 5)).play(Tile.of(5, 0), Tile.of(5, 5)))
        '5-5 5-0>5-5'
        """
        plays, table, open_, joins, branching, count, spinners, counting = self._facts
        if onto is None:
            return self._set(tile)
        joint = _JOINTS[tile.index][onto.index]
        if joint is None:
            raise self._refusal(tile, onto)
        slot, shift, pip, opens, brings, own_shift, own_branch = joint
        if table >> tile.index & 1 or not open_ & slot:
            raise self._refusal(tile, onto)
        if shift < 0:
            open_ ^= slot
            count += brings - pip
        else:
            before = joins >> shift & 7
            joins += 1 << shift
            if counting and branching >> pip & 1:
                count += brings - (pip if before > 1 else 0)  # of a spinner the third and the fourth edge take a half
            else:
                count += brings - (2 * pip if before == 1 else 0)  # the second side is now covered
            if before == 3 or (before == 1 and not branching >> pip & 1):
                open_ ^= slot
        if own_shift >= 0:
            joins += 1 << own_shift  # its own join covers one side
            if (table & _DOUBLES).bit_count() < spinners:
                branching |= own_branch
        after = _new(Layout)
        _put(
            after,
            _new_facts(
                _Facts,
                (
                    (*plays, _new_place(Place, (tile, onto))),
                    table | 1 << tile.index,
                    open_ | opens,
                    joins,
                    branching,
                    count,
                    spinners,
                    counting,
                ),
            ),
        )
        return after

    def _set(self, tile: Tile) -> Layout:
        facts = self._facts
        if facts.plays:
            raise RulesError(Fault.TILE_PLAYED if self.has(tile) else Fault.SET_LIES, tile=tile)
        slots = _EVERY_SLOT[tile.index]
        branching = 1 << tile.heavy if tile.is_double and facts.spinners else 0
        return _layout(
            _Facts(
                (Place(tile, None),), 1 << tile.index, slots, 0, branching, tile.pips, facts.spinners, facts.counting
            )
        )

    def _refusal(self, tile: Tile, onto: Tile) -> RulesError:
        """The reason why this play cannot be, for a play that was found not to fit."""
        if self.has(tile):
            return RulesError(Fault.TILE_PLAYED, tile=tile)
        if not self._facts.plays:
            return RulesError(Fault.NOTHING_LIES, tile=tile, onto=onto)
        if not self.has(onto):
            return RulesError(Fault.ONTO_NOT_PLAYED, tile=tile, onto=onto)
        joint = _JOINTS[tile.index][onto.index]
        if joint is None:
            return RulesError(Fault.NO_FIT, tile=tile, onto=onto)
        if not onto.is_double:
            return RulesError(Fault.END_COVERED, onto=onto, pip=joint.pip)
        if self.is_spinner(onto):
            return RulesError(Fault.SPINNER_FULL, onto=onto)
        return RulesError(Fault.DOUBLE_FULL, onto=onto)

    @property
    def plays(self) -> tuple[Place, ...]:
        """The tiles in order of play, each with the one it was joined to."""
        return self._facts.plays

    @property
    def spinners(self) -> int:
        """How many doubles, in order of play, take four tiles."""
        return self._facts.spinners

    def has(self, tile: Tile) -> bool:
        """Whether the tile lies on the table."""
        return bool(self._facts.table >> tile.index & 1)

    def is_spinner(self, tile: Tile) -> bool:
        """Whether the tile lies on the table as a double that takes four tiles."""
        return tile.is_double and bool(self._facts.branching >> tile.heavy & 1)

    @property
    def spinner_counts(self) -> bool:
        """Whether the open edges of a spinner count."""
        return self._facts.counting

    def counts_on(self, tile: Tile) -> bool:
        """Whether the tile lies on the table as a spinner whose open edges count."""
        return self._facts.counting and self.is_spinner(tile)

    def touching(self, double: Tile) -> int:
        """How many tiles touch a double that lies on the table: 0 to 4."""
        return self._facts.joins >> 3 * double.heavy & 7

    def count(self) -> int:
        """The sum of all worths, in pips."""
        return self._facts.total

    def pips(self) -> int:
        """All pips on the table."""
        return sum(tile.pips for tile, _ in self._facts.plays)

    def open_ends(self) -> tuple[OpenEnd, ...]:
        """Every place where a tile may be joined, in order of play, the heavier half of a tile first.

        Those with a worth make up the count; tips are open and worth 0.

        >>> [(str(end.tile), end.kind.value, end.places) for end in Layout.read("5-5", spinners=7).open_ends()]
        [('5-5', 'double', 2)]
        """
        return tuple(end for tile, _ in self._facts.plays for end in self._ends_of(tile))

    def _ends_of(self, tile: Tile) -> Iterable[OpenEnd]:
        open_ = self._facts.open
        if not tile.is_double:
            for pip in (tile.heavy, tile.light):
                if open_ & _slot(pip, tile):
                    yield OpenEnd(tile, pip, pip, EndKind.HALF, 1)
        elif open_ & _slot(tile.heavy, tile):
            touching = self.touching(tile)
            if self.counts_on(tile):
                worth = tile.pips if touching <= 2 else tile.heavy
                yield OpenEnd(tile, tile.heavy, worth, EndKind.SPINNER, 2 - touching if touching < 2 else 4 - touching)
            elif touching < 2:
                yield OpenEnd(tile, tile.heavy, tile.pips, EndKind.DOUBLE, 2 - touching)
            else:
                yield OpenEnd(tile, tile.heavy, 0, EndKind.TIP, 4 - touching)

    def is_branch(self, end: OpenEnd) -> bool:
        """Whether a tile that is joined there lies on a short edge of its double."""
        return end.tile.is_double and self.touching(end.tile) >= 2

    def legal_places(self, hand: Iterable[Tile]) -> list[Place]:
        """Every play that fits with the tiles of `hand`, in the order of the hand.

        >>> [str(place.tile) for place in Layout.read("6-4", spinners=7).legal_places([Tile.of(4, 1), Tile.of(5, 5)])]
        ['4-1']
        """
        facts = self._facts
        table, open_ = facts.table, facts.open
        if not table:
            return [Place(tile, None) for tile in hand]
        places: list[Place] = []
        for tile in hand:
            if table >> tile.index & 1:
                continue
            heavy, light = tile.heavy, tile.light
            if shown := open_ >> 7 * heavy & 127:
                places += [_new_place(Place, (tile, onto)) for onto in _SHOWN[heavy][shown]]
            if heavy != light and (shown := open_ >> 7 * light & 127):
                places += [_new_place(Place, (tile, onto)) for onto in _SHOWN[light][shown]]
        return places

    def fits(self, tile: Tile) -> bool:
        """Whether the tile could be played somewhere."""
        return bool(self.legal_places((tile,)))

    def unplayed(self) -> tuple[Tile, ...]:
        """The tiles of the set that do not lie on the table."""
        return tuple(tile for tile in DOUBLE_SIX if not self.has(tile))

    def is_dead(self) -> bool:
        """Whether no unplayed tile fits anywhere (rules 6, dead layout)."""
        return not any(self.fits(tile) for tile in self.unplayed())

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a layout does not change: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a layout does not change: {name}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self._facts == other._facts

    def __hash__(self) -> int:
        return hash(self._facts)

    def __reduce__(self) -> tuple[object, tuple[_Facts]]:
        return _layout, (self._facts,)

    def __str__(self) -> str:
        return " ".join(f"{tile}>{onto}" if onto else str(tile) for tile, onto in self._facts.plays)

    def __repr__(self) -> str:
        counting = ", spinner_counts=True" if self.spinner_counts else ""
        return f"Layout.read('{self}', spinners={self.spinners}{counting})"


# The three ways round a class's own __new__ and frozen __setattr__ that make `play` quick.
_new: Final = object.__new__
_new_facts: Final = tuple.__new__
_new_place: Final = tuple.__new__
_put: Final = Layout.__dict__["_facts"].__set__


def _layout(facts: _Facts) -> Layout:
    layout = _new(Layout)
    _put(layout, facts)
    return layout
