"""Rule sets of a table's own: a game with its house rules under a name, kept and as files."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from .database import Connections
from .engine.faults import Fault, RulesError, _
from .engine.rules import FIELDS, PRESETS, Rules
from .exchange_flaws import Flaw

LONGEST_NAME: Final = 40
MOST: Final = 50
_VERSION: Final = 1
_LARGEST: Final = 16 * 1024


class RuleSetError(ValueError):
    """A rule set that cannot be kept or read; `sentence` says why, with fields in braces."""

    NOT_ONE = _("This file is no rule set that was saved here.")
    UNNAMED = _("Give the rules a name.")
    BOUNDS = _("{field} is {text} in this file, but can only be from {lowest} to {highest}.")
    TAKEN = _("Other rules have this name already.")
    FULL = _("There are {highest} rule sets already. Delete one first.")

    def __init__(self, sentence: str, **fields: object) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.fields = fields


class RuleSet(NamedTuple):
    """A game and the settings that differ from it, as a record writes them; `id` is '' until it is kept."""

    id: str
    name: str
    preset: str
    changes: Mapping[str, str]

    def rules(self, players: int, *, partners: bool | None = None) -> Rules:
        """The rules for so many players. Raises RulesError."""
        return PRESETS[self.preset].rules(players, partners=partners).changed(self.changes)


class RuleSets:
    """The rule sets kept in a database.

    >>> import tempfile, pathlib
    >>> from .store import Store
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(pathlib.Path(folder))
    ...     kept = store.rule_sets.keep(RuleSet("", "Friday", "all-fives", {"target": "300"}))
    ...     listed = store.rule_sets.all()
    ...     store.close()
    >>> [(one.name, one.preset, one.rules(2).target) for one in listed]
    [('Friday', 'all-fives', 300)]
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def all(self) -> list[RuleSet]:
        """Every one that is kept, by name."""
        rows = self._connections.here().execute("SELECT id, name, preset, changes FROM rule_sets").fetchall()
        found = [RuleSet(id_, name, preset, json.loads(changes)) for id_, name, preset, changes in rows]
        return sorted(found, key=lambda one: one.name.casefold())

    def keep(self, one: RuleSet) -> RuleSet:
        """Keep a rule set; the same again is kept once. Raises RuleSetError, RulesError where it fits no players."""
        check(one)
        with self._connections.writing() as db:
            kept = self.all()
            for other in kept:
                if other.name == one.name:
                    if (other.preset, other.changes) == (one.preset, one.changes):
                        return other
                    raise RuleSetError(RuleSetError.TAKEN)
            if len(kept) >= MOST:
                raise RuleSetError(RuleSetError.FULL, highest=MOST)
            made = one._replace(id=secrets.token_urlsafe(8))
            db.execute(
                "INSERT INTO rule_sets (id, name, preset, changes) VALUES (?, ?, ?, ?)",
                (made.id, made.name, made.preset, json.dumps(made.changes)),
            )
        return made

    def drop(self, id_: str) -> None:
        """Delete one; matches keep the rules they were made with."""
        with self._connections.writing() as db:
            db.execute("DELETE FROM rule_sets WHERE id = ?", (id_,))


def check(one: RuleSet) -> None:
    """Refuse a rule set without a name, and one that no number of players can use. Raises RuleSetError, RulesError."""
    if not one.name:
        raise RuleSetError(RuleSetError.UNNAMED)
    if len(one.name) > LONGEST_NAME:
        raise RuleSetError(Fault.NAME_TOO_LONG, highest=LONGEST_NAME)
    refusal: RulesError | None = None
    for players in PRESETS[one.preset].hands:
        try:
            one.rules(players)
        except RulesError as error:
            refusal = refusal or error
        else:
            return
    if refusal:
        raise refusal


def to_json(one: RuleSet) -> bytes:
    """The rule set as a file.

    >>> from_json(to_json(RuleSet("", "Friday", "muggins", {"hand": "7"}))).changes
    {'hand': '7'}
    """
    value = {"fiveup_rules": _VERSION, "name": one.name, "rules": one.preset, "set": dict(one.changes)}
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def from_json(data: bytes) -> RuleSet:
    """The rule set of a file; its name as it was written. Raises RuleSetError, and nothing else whatever the file.

    >>> from_json(b'{"fiveup_rules": 1, "name": "Friday", "rules": "muggins", "set": {"reserve": "3"}}')
    Traceback (most recent call last):
    fiveup_ref.rule_sets.RuleSetError: {field} is {text} in this file, but can only be from {lowest} to {highest}.
    """
    try:
        if len(data) > _LARGEST:
            raise ValueError(len(data))
        value: Any = json.loads(data.decode("utf-8-sig"))
        version = value["fiveup_rules"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RuleSetError(RuleSetError.NOT_ONE) from error
    if version != _VERSION:
        raise RuleSetError(Flaw.JSON_VERSION, text=str(version)[:20])
    name, preset, changes = value.get("name"), value.get("rules"), value.get("set")
    if not isinstance(name, str):
        raise RuleSetError(Flaw.JSON_FIELD, field="name")
    if not isinstance(preset, str):
        raise RuleSetError(Flaw.JSON_FIELD, field="rules")
    if preset not in PRESETS:
        raise RuleSetError(Fault.NO_SUCH_GAME, game=preset[:40], games=", ".join(PRESETS))
    if not isinstance(changes, dict):
        raise RuleSetError(Flaw.JSON_FIELD, field="set")
    one = RuleSet("", name, preset, {field[:40]: str(text) for field, text in changes.items()})
    try:
        check(one._replace(name="-"))
    except RulesError as error:
        fields = dict(error.fields)
        if error.fault is not Fault.FIELD_BOUNDS:
            raise RuleSetError(error.fault, **fields) from error
        raise RuleSetError(RuleSetError.BOUNDS, **fields, text=one.changes[str(fields["field"])]) from error
    return one._replace(changes={field: one.changes[field] for field in FIELDS if field in one.changes})
