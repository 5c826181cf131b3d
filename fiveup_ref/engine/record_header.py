"""The header of a record: from its lines to the rules, the players, the title and the date."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from .faults import Fault, RulesError
from .record_entries import FORMS, HEADER, Header, Line
from .record_values import LONGEST_NAME, check_date, check_name, shortened
from .rules import PRESETS, Preset, Rules
from .seats import SEATS, Team

Report = Callable[[Line, RulesError], None]

_OPPOSITE: Final = {Team(("A", "C")), Team(("B", "D"))}
_HARMLESS: Final = ("title", "date", "note")


@dataclass
class HeaderReader:
    """Takes the header's lines one by one and then makes the rules of them.

    `doubtful` becomes True where a bad line may have decided the game, so that nothing after it can be
    checked; `fewer` where it may have named a player, so that the seats are not sure.
    """

    report: Report
    title: str = ""
    date: str = ""
    players: list[str] = field(default_factory=list)
    doubtful: bool = False
    fewer: bool = False
    _preset: Preset | None = None
    _named: bool = False
    _changes: dict[str, tuple[str, Line]] = field(default_factory=dict)
    _partners: bool | None = None
    _partners_line: Line | None = None
    _last: dict[str, Line] = field(default_factory=dict)

    def take(self, line: Line, entry: Header) -> None:
        """One line of the header."""
        again = entry.word in self._last and entry.word not in ("player", "set")
        self._last[entry.word] = line
        if again:
            self.report(line, RulesError(Fault.WRITTEN_TWICE, text=entry.word))
            return
        try:
            _TAKERS[entry.word](self, line, entry.words)
        except RulesError as error:
            self.report(line, error)
            self.doubtful = self.doubtful or entry.word in ("rules", "set", "partners")
        except ValueError:
            self.report(line, RulesError(Fault.LINE_FORM, text=shortened(line.text), form=HEADER[entry.word]))
            self.doubtful = self.doubtful or entry.word in ("rules", "set", "partners")

    def bad(self, line: Line) -> None:
        """A line of the header that cannot be read at all, already reported: what may it have been?"""
        near = difflib.get_close_matches(line.word.lower(), FORMS, n=1)
        if near == ["player"]:
            self.fewer = True
            self.players.append("?")
        elif "=" in line.text or (near and near[0] in HEADER and near[0] not in _HARMLESS):
            self._named = self._named or near == ["rules"]
            self.doubtful = True
        elif not near:
            self.fewer = True

    def rules(self, end: Line, game: str, changes: Mapping[str, str]) -> Rules | None:
        """The rules these lines make; None where they make none. `end` is the first line after the header.

        `game` ("": as written) and `changes` take the place of what is written.
        """
        if game:
            self._preset, self._named = PRESETS[game], True
        if self._preset is None:
            if not self._named:
                self.report(end, RulesError(Fault.RULES_MISSING))
            return None
        try:
            rules = self._preset.rules(len(self.players), partners=self._partners)
        except RulesError as error:
            if not self.fewer:
                partners = None if error.fault is Fault.PLAYERS else self._partners_line
                self.report(partners or end, error)
            return None
        try:
            return rules.changed({name: text for name, (text, _) in self._changes.items()} | dict(changes))
        except RulesError as error:
            _, at = self._changes.get(str(error.fields.get("field")), ("", self._last.get("set", end)))
            self.report(at, error)
            self.doubtful = True
            return rules

    def _fiveup(self, line: Line, _: tuple[str, ...]) -> None:
        raise RulesError(Fault.WRITTEN_TWICE, text=line.text)

    def _rules(self, _: Line, words: tuple[str, ...]) -> None:
        self._named = True
        (name,) = words
        if name not in PRESETS:
            raise RulesError(Fault.NO_SUCH_GAME, game=shortened(name), games=", ".join(PRESETS))
        self._preset = PRESETS[name]

    def _set(self, line: Line, words: tuple[str, ...]) -> None:
        for word in words:
            name, equals, text = word.partition("=")
            if not equals or not text:
                raise ValueError(word)
            if name in self._changes:
                raise RulesError(Fault.WRITTEN_TWICE, text=name)
            # Any preset reads a value alike: what the fields make together is seen when all are known.
            check_value(name, text)
            self._changes[name] = (text, line)

    def _title(self, _: Line, words: tuple[str, ...]) -> None:
        self.title = " ".join(words)

    def _date(self, _: Line, words: tuple[str, ...]) -> None:
        text = " ".join(words)
        check_date(text)
        self.date = text

    def _player(self, _: Line, words: tuple[str, ...]) -> None:
        seat, name = words[0], " ".join(words[1:])
        if seat not in SEATS:
            self.fewer = True
            self.players.append("?")
            raise ValueError(seat)
        try:
            check_name(name)
            if not self.fewer and (len(self.players) == len(SEATS) or seat != SEATS[len(self.players)]):
                self.fewer = True
                expected = SEATS[min(len(self.players), len(SEATS) - 1)]
                raise RulesError(Fault.PLAYERS_ORDER, text=seat, seat=expected)
        finally:
            self.players.append(name[:LONGEST_NAME] or "?")

    def _pairs(self, line: Line, words: tuple[str, ...]) -> None:
        self._partners_line = line
        if words == ("none",):
            self._partners = False
        elif len(words) == 2 and {Team.parse(word) for word in words} == _OPPOSITE:
            self._partners = True
        else:
            raise RulesError(Fault.PARTNERS_OPPOSITE)


_OF_A_VALUE: Final = (Fault.NO_SUCH_FIELD, Fault.FIELD_VALUE, Fault.FIELD_BOUNDS)


def check_value(name: str, text: str) -> None:
    """Refuse a field of `set` that does not exist or whose value has another form. Raises RulesError."""
    try:
        next(iter(PRESETS.values())).rules(2).changed({name: text})
    except RulesError as error:
        if error.fault in _OF_A_VALUE:
            raise


_TAKERS: Final[dict[str, Callable[[HeaderReader, Line, tuple[str, ...]], None]]] = {
    "fiveup": HeaderReader._fiveup,
    "rules": HeaderReader._rules,
    "set": HeaderReader._set,
    "title": HeaderReader._title,
    "date": HeaderReader._date,
    "player": HeaderReader._player,
    "partners": HeaderReader._pairs,
}
