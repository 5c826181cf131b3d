"""Is that count right: the count, what was claimed, and what usually leads to a wrong claim (rules 2)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from .faults import Fault, RulesError, _
from .layout import NAMED, EndKind, Layout, OpenEnd
from .rules import Rules
from .ruling import NOTHING, Gain, Points, Raw, Rule, Ruling, Sentence, sentence
from .scoring import Ends, Score, score_of
from .tiles import Tile

HIGHEST_CLAIM: Final = 1000
"""Beyond any count or score; figures from outside are bounded by it before use."""


class Unit(StrEnum):
    """What a claimed figure stands for: the count itself, or points on the sheet."""

    RAW = "raw"
    POINTS = "points"


class Claim(NamedTuple):
    """A figure that was called, 0 to `HIGHEST_CLAIM`; 0 says that the placement scores nothing."""

    figure: int
    unit: Unit

    @property
    def amount(self) -> Points | Raw:
        """The figure with its unit."""
        return Points(self.figure) if self.unit is Unit.POINTS else Raw(self.figure)

    def agrees(self, score: Score) -> bool:
        """Whether this is what the score counts, or what it scores."""
        if self.unit is Unit.POINTS or not self.figure:
            return self.figure == score.points
        return self.figure == score.count


class Counting(StrEnum):
    """The sentences of a ruling on a count."""

    # the ruling
    COUNTS = _("The count is {count}: {gain}.")
    STANDS = _("The claim of {claim} stands: the count is {count}, {gain}.")
    STANDS_UNSCORED = _("The count of {count} is right, but it scores nothing.")
    FALLS = _("The claim of {claim} does not stand: the count is {count}, {gain}.")
    # the working
    SUM = _("Added up: {terms} = {count}.")
    HALF = _("The free half of {tile} counts {worth}.")
    DOUBLE = _("{tile} counts both halves, {worth}, while at most one of its sides is covered.")
    SPINNER = _("{tile} is the spinner: its open edges count, {worth} now.")
    SILENT = _("{tile} counts nothing: both its sides are covered.")
    TIP = _("A branch of {tile} is open, but it counts nothing until a tile lies on it.")
    FIVES = _("{count} is a multiple of five: {raw} are {points} on the sheet.")
    NO_FIVE = _("{count} is not a multiple of five, so it scores nothing.")
    ZERO = _("Zero scores nothing: only a positive multiple of five does.")
    TOO_HIGH = _("No layout of this game counts more than {highest}.")
    # what usually leads to the claim
    INSIDE = _("With {tile} counted although both its sides are covered, it would be {count}.")
    INSIDE_ALL = _("With every double counted whose sides are both covered, it would be {count}.")
    ONCE = _("With only one half of {tile} counted, it would be {count}.")
    ONCE_ALL = _("With only one half of every double counted, it would be {count}.")
    BRANCH = _("With an open branch of {tile} counted, it would be {count}.")
    COVERED = _("With the covered {pip} of {tile} counted, it would be {count}.")
    MISSED = _("With the {pip} of {tile} left out, it would be {count}.")
    MISSED_DOUBLE = _("With {tile} left out, it would be {count}.")
    MISSED_END = _("With an end of {pip} left out, it would be {count}.")
    TWICE = _("With the {pip} of {tile} added twice, it would be {count}.")
    TWICE_END = _("With an end of {pip} added twice, it would be {count}.")
    RAW_AS_POINTS = _("{figure} is the raw figure. On the sheet {raw} are {points}.")
    COUNT_AS_POINTS = _("{figure} is the count itself, not points: no multiple of five, so on the sheet it is nothing.")
    POINTS_AS_RAW = _("{figure} is the figure on the sheet. {points} are {raw}.")
    # what would make it different
    IF_COVERED = _("If both sides of {tile} are covered, it counts nothing: then the count is {count}, {gain}.")
    IF_DOUBLE = _("If the end of {pip} is the double {tile}, both halves count: then the count is {count}, {gain}.")
    IF_FREE = _("If a side of {tile} were free, it would count {worth}.")
    IF_LATER = _("Once both sides of {tile} are covered, it counts nothing.")
    NEAREST = _("The nearest counts that score are {lower} and {higher}.")
    LOWEST = _("The lowest count that scores is {higher}.")
    HIGHEST = _("The highest count that scores in this game is {lower}.")
    ONE_PIP = _("One pip more or less, and it would score nothing.")


def rule_on_count(counted: Layout | Ends, rules: Rules, claim: Claim | None = None) -> Ruling:
    """What the table counts, and whether a claim stands.

    Raises RulesError where no layout of this game shows such ends: ENDS_TOO_FEW, or as `Ends.check`.

    >>> from .rules import PRESETS
    >>> five_up = PRESETS["five-up"].rules(2)
    >>> ruling = rule_on_count(Layout.read("6-4 4-4>6-4", spinners=7), five_up, Claim(18, Unit.RAW))
    >>> str(ruling.ruling), [str(one) for one in ruling.mistakes]
    ('The claim of 18 raw points does not stand: the count is 14, no score.', \
['With the covered 4 of 6-4 counted, it would be 18.'])
    """
    if isinstance(counted, Ends):
        _check(counted, rules)
    score = score_of(counted, rules)
    stands = None if claim is None else claim.agrees(score)
    return Ruling(
        _ruling(score, claim),
        tuple(_working(score, rules, claim)),
        _rule(score, claim),
        tuple(_otherwise(score, rules)),
        tuple(_mistakes(score, rules, claim)) if claim and not stands else NOTHING,
        stands,
    )


def _check(ends: Ends, rules: Rules) -> None:
    ends.check(rules)
    called = ends.open_ends()
    if len(called) == 1 and called[0].kind is EndKind.HALF:
        raise RulesError(Fault.ENDS_TOO_FEW)


def _ruling(score: Score, claim: Claim | None) -> Sentence:
    if claim is None:
        return sentence(Counting.COUNTS, count=score.count, gain=Gain(score.points))
    if not claim.agrees(score):
        return sentence(Counting.FALLS, claim=claim.amount, count=score.count, gain=Gain(score.points))
    if claim.figure and not score.raw:
        return sentence(Counting.STANDS_UNSCORED, count=score.count)
    return sentence(Counting.STANDS, claim=claim.amount, count=score.count, gain=Gain(score.points))


def _rule(score: Score, claim: Claim | None) -> Rule:
    if claim and not claim.agrees(score) and _confused(score, claim):
        return Rule.UNITS
    return Rule.DOUBLES if score.silent or any(end.kind in NAMED for end in score.terms) else Rule.COUNT


def terms_of(score: Score) -> str:
    """The sum's terms written out, as in `6-6 12 + 3`.

    >>> from .rules import PRESETS
    >>> terms_of(score_of(Ends.parse("6-6 3"), PRESETS["five-up"].rules(2)))
    '6-6 12 + 3'
    """
    return str(score).partition(" = ")[0]


def _working(score: Score, rules: Rules, claim: Claim | None) -> Iterator[Sentence]:
    yield sentence(Counting.SUM, terms=terms_of(score), count=score.count)
    for end in score.terms:
        if end.kind is EndKind.DOUBLE:
            yield sentence(Counting.DOUBLE, tile=end.tile, worth=end.worth)
        elif end.kind is EndKind.SPINNER:
            yield sentence(Counting.SPINNER, tile=end.tile, worth=end.worth)
        elif isinstance(score.of, Layout):
            yield sentence(Counting.HALF, tile=end.tile, worth=end.worth)
    for tile in score.silent:
        yield sentence(Counting.SILENT, tile=tile)
    for end in score.of.open_ends():
        if end.kind is EndKind.TIP:
            yield sentence(Counting.TIP, tile=end.tile)
    if score.raw:
        yield sentence(Counting.FIVES, count=score.count, raw=Raw(score.raw), points=Points(score.points))
    else:
        yield sentence(Counting.NO_FIVE if score.count else Counting.ZERO, count=score.count)
    if claim and _beyond(claim, rules):
        yield sentence(Counting.TOO_HIGH, highest=rules.highest_count)


def _beyond(claim: Claim, rules: Rules) -> bool:
    highest = rules.highest_count
    return claim.figure > (highest if claim.unit is Unit.RAW else rules.points(highest))


def _mistakes(score: Score, rules: Rules, claim: Claim) -> Iterator[Sentence]:
    """What the claim equals: the same figure in the other unit, or a count with one thing wrong."""
    if _confused(score, claim):
        says = Counting.POINTS_AS_RAW
        if claim.unit is Unit.POINTS:
            says = Counting.RAW_AS_POINTS if score.raw else Counting.COUNT_AS_POINTS
        yield sentence(says, figure=claim.figure, raw=Raw(score.raw), points=Points(score.points))
    for one in (*_of_doubles(score), *_of_ends(score)):
        count = score.count + one.more
        if count >= 0 and claim.figure and claim.agrees(_counting(count, score, rules)):
            yield sentence(one.says, **one.fields, count=count)


def _confused(score: Score, claim: Claim) -> bool:
    """Whether the figure is right in the other unit only."""
    other = score.count if claim.unit is Unit.POINTS else score.points
    return bool(claim.figure) and claim.figure == other


def _counting(count: int, score: Score, rules: Rules) -> Score:
    raw = 0 if count % 5 else count
    return score._replace(count=count, raw=raw, points=rules.points(raw))


class _Slip(NamedTuple):
    """One thing counted wrongly, and by how many pips that changes the count."""

    says: Counting
    more: int
    fields: dict[str, object]


def _of_doubles(score: Score) -> Iterator[_Slip]:
    silent = score.silent
    for tile in silent:
        yield _Slip(Counting.INSIDE, tile.pips, {"tile": tile})
    if sum(tile.pips > 0 for tile in silent) > 1:
        yield _Slip(Counting.INSIDE_ALL, sum(tile.pips for tile in silent), {})
    doubles = [end for end in score.terms if end.kind is EndKind.DOUBLE]
    for end in doubles:
        yield _Slip(Counting.ONCE, -end.pip, {"tile": end.tile})
    if sum(end.pip > 0 for end in doubles) > 1:
        yield _Slip(Counting.ONCE_ALL, -sum(end.pip for end in doubles), {})
    for end in score.of.open_ends():
        if end.kind is EndKind.TIP:
            yield _Slip(Counting.BRANCH, end.pip, {"tile": end.tile})


def _of_ends(score: Score) -> Iterator[_Slip]:
    called = isinstance(score.of, Ends)
    for end in dict.fromkeys(score.terms):
        if end.kind in NAMED:
            yield _Slip(Counting.MISSED_DOUBLE, -end.worth, {"tile": end.tile})
        elif called:
            yield _Slip(Counting.MISSED_END, -end.worth, {"pip": end.pip})
            yield _Slip(Counting.TWICE_END, end.worth, {"pip": end.pip})
        else:
            yield _Slip(Counting.MISSED, -end.worth, {"pip": end.pip, "tile": end.tile})
            yield _Slip(Counting.TWICE, end.worth, {"pip": end.pip, "tile": end.tile})
    if isinstance(score.of, Layout):
        yield from _covered(score.of, score.terms)


def _covered(layout: Layout, terms: tuple[OpenEnd, ...]) -> Iterator[_Slip]:
    free = {(end.tile, end.pip) for end in terms}
    for tile, _onto in layout.plays:
        if not tile.is_double:
            for pip in (tile.heavy, tile.light):
                if pip and (tile, pip) not in free:
                    yield _Slip(Counting.COVERED, pip, {"pip": pip, "tile": tile})


def _otherwise(score: Score, rules: Rules) -> Iterator[Sentence]:
    if isinstance(score.of, Ends) and rules.spinner_counts:
        pass  # the ends as called do not say which double is the spinner
    elif isinstance(score.of, Ends):
        yield from _if_called_otherwise(score, rules)
    else:
        for tile in score.silent:
            if tile.pips and not score.of.counts_on(tile):
                yield sentence(Counting.IF_FREE, tile=tile, worth=tile.pips)
        for end in score.terms:
            if end.kind is EndKind.DOUBLE and end.worth:
                yield sentence(Counting.IF_LATER, tile=end.tile)
    if score.raw:
        yield sentence(Counting.ONE_PIP)
        return
    lower = score.count // 5 * 5
    says = Counting.NEAREST if lower else Counting.LOWEST
    if lower + 5 > rules.highest_count:
        says = Counting.HIGHEST
    yield sentence(says, lower=lower, higher=lower + 5)


def _if_called_otherwise(score: Score, rules: Rules) -> Iterator[Sentence]:
    """Ends as called may name a double that is covered, or an end that is a double."""
    doubles = {end.tile for end in score.terms if end.kind is EndKind.DOUBLE}
    for end in dict.fromkeys(score.terms):
        double = Tile.of(end.pip, end.pip)
        if end.kind is EndKind.DOUBLE and len(score.terms) > 1:
            other = _counting(score.count - end.worth, score, rules)
            yield sentence(Counting.IF_COVERED, tile=double, count=other.count, gain=Gain(other.points))
        elif end.kind is EndKind.HALF and end.pip and double not in doubles:
            other = _counting(score.count + end.pip, score, rules)
            yield sentence(Counting.IF_DOUBLE, pip=end.pip, tile=double, count=other.count, gain=Gain(other.points))
