"""A match with its whole log as JSON, both ways; what comes from outside is checked field by field."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import MISSING, fields
from datetime import UTC, datetime
from functools import cache
from types import NoneType
from typing import Any, Final, get_args, get_type_hints

from .engine.course import follow
from .engine.events import Event, from_row, to_row
from .engine.faults import Fault, RulesError
from .engine.match import Match
from .engine.record import Record
from .engine.record_values import check_name
from .engine.rules import PRESETS, Rules, Settling, TargetCheck
from .exchange_flaws import Flaw, FlawError
from .store import EntryInfo, Saved

VERSION: Final = 1
LARGEST_MATCH: Final = 4 * 1024**2
"""Bytes of a match as JSON."""
MOST_ENTRIES: Final = 5_000

TURNS: Final = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Embeddings, overrides and isolates that one name could leave open for all the text after it."""

_UID: Final = re.compile(r"[0-9a-f]{32}", re.ASCII)
_ZONE: Final = re.compile(r"(?:[+-](?:[01]\d|2[0-3]):[0-5]\d)?", re.ASCII)


def to_json(saved: Saved) -> bytes:
    """A match with its whole log, one line an entry; the same match gives the same bytes.

    Neither the id is in it, since who has the id may enter, nor which device entered what.
    """
    head = {
        "fiveup_ref": VERSION,
        "uid": saved.uid,
        "title": saved.title,
        "started": saved.started.isoformat(timespec="microseconds"),
        "zone": saved.zone,
        "date": saved.date,
        "rules": saved.match.start.rules.row(),
        "players": saved.match.start.players,
    }
    log = [
        {"time": info.time.isoformat(timespec="microseconds"), "event": to_row(event)}
        for info, event in zip(saved.entries, saved.match.log, strict=True)
    ]
    lines = [f"{_json(name)}: {_json(value)}" for name, value in head.items()]
    entries = ",\n".join(map(_json, log))
    return ("{\n" + ",\n".join([*lines, f'"log": [\n{entries}\n]']) + "\n}\n").encode()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def from_json(data: bytes) -> Saved:
    """The match of a file; its id is ''. Raises FlawError."""
    if len(data) > LARGEST_MATCH:
        raise FlawError(Flaw.JSON_TOO_BIG, {"limit": "4 MiB"})
    try:
        value = json.loads(data.decode("utf-8-sig"))
        value = _clean(value)
        _json(value).encode()
    except json.JSONDecodeError as error:
        raise FlawError(Flaw.JSON_BROKEN, line=error.lineno) from error
    except UnicodeError as error:
        raise FlawError(Fault.FILE_NOT_TEXT) from error
    except (ValueError, RecursionError) as error:  # a number or a nesting beyond all sense
        raise FlawError(Flaw.JSON_OTHER) from error
    if "fiveup_ref" not in value:
        raise FlawError(Flaw.JSON_OTHER)
    if value["fiveup_ref"] != VERSION:
        raise FlawError(Flaw.JSON_VERSION, {"text": str(value["fiveup_ref"])[:20]})
    return _saved(value)


def _clean(value: Any) -> Any:
    """The value with every text in it as one line, as forms read it: no control signs, no turns of direction."""
    if isinstance(value, str):
        line = "".join(" " if unicodedata.category(sign) == "Cc" else sign for sign in value)
        return " ".join(line.translate(TURNS).split())
    if isinstance(value, list):
        return [_clean(one) for one in value]
    if isinstance(value, dict):
        return {_clean(name): _clean(one) for name, one in value.items()}
    return value


def _saved(value: Mapping[str, Any]) -> Saved:
    uid, zone = _text(value, "uid"), _text(value, "zone")
    if not _UID.fullmatch(uid):
        raise FlawError(Flaw.JSON_FIELD, {"field": "uid"})
    if not _ZONE.fullmatch(zone):
        raise FlawError(Flaw.JSON_FIELD, {"field": "zone"})
    date = None if value.get("date") is None else _text(value, "date")
    started = _time(value, "started")
    rules, players, log = _rules(value.get("rules")), value.get("players"), value.get("log")
    if not isinstance(players, list) or len(players) != rules.players or not all(isinstance(p, str) for p in players):
        raise FlawError(Flaw.JSON_FIELD, {"field": "players"})
    if not isinstance(log, list):
        raise FlawError(Flaw.JSON_FIELD, {"field": "log"})
    if len(log) > MOST_ENTRIES:
        raise FlawError(Flaw.JSON_ENTRIES, {"highest": f"{MOST_ENTRIES:,}"})
    match = Match.new(rules, tuple(players))
    try:
        for name in players:
            check_name(name)
        title = Record(match, _text(value, "title"), date or "").title
    except RulesError as error:
        raise FlawError(error.fault, error.fields) from error
    match, infos = _entered(match, log)
    return Saved("", title, started, zone, match, infos, uid, date)


def _entered(match: Match, log: list[Any]) -> tuple[Match, tuple[EntryInfo, ...]]:
    """The match after its entries, each checked as it was when it was entered."""
    infos = []
    for number, row in enumerate(log, 1):
        try:
            match = follow(match, _event(row["event"]))
            infos.append(EntryInfo(number, _time(row, "time"), ""))
        except RulesError as error:
            raise FlawError(error.fault, error.fields, entry=number) from error
        except FlawError as error:
            raise FlawError(error.trouble.sentence, error.trouble.values, entry=number) from error
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise FlawError(Flaw.JSON_ENTRY, entry=number) from error
    return match, tuple(infos)


def _text(value: Mapping[str, Any], field: str) -> str:
    text = value.get(field)
    if not isinstance(text, str):
        raise FlawError(Flaw.JSON_FIELD, {"field": field})
    return text


def _time(value: Mapping[str, Any], field: str) -> datetime:
    try:
        moment = datetime.fromisoformat(_text(value, field))
        if moment.utcoffset() is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise FlawError(Flaw.JSON_FIELD, {"field": field})


def _rules(row: Any) -> Rules:
    """The rules as `to_json` writes them, of an older version too: a game for so many players, and nothing else.

    Fields that came later are off where they are missing.
    """
    kinds = _kinds(Rules)
    needed = {field.name for field in fields(Rules) if field.default is MISSING}
    if not isinstance(row, dict) or not needed <= row.keys() <= kinds.keys():
        raise FlawError(Flaw.JSON_FIELD, {"field": "rules"})
    try:
        words = {"settlement": Settling(row["settlement"]), "target_check": TargetCheck(row["target_check"])}
        for name, value in row.items():
            _check_kind(words.get(name, value), kinds[name])
        rules = Rules(**{**row, **words})
        PRESETS[rules.preset].rules(rules.players, partners=rules.partners)
        return rules
    except RulesError as error:
        raise FlawError(error.fault, error.fields) from error
    except (KeyError, TypeError, ValueError) as error:
        raise FlawError(Flaw.JSON_FIELD, {"field": "rules"}) from error


def _event(row: Any) -> Event:
    """The event of a row from outside. Raises RulesError, KeyError, TypeError, ValueError, AttributeError."""
    event = from_row(row)
    _check_kinds(event)
    if json.loads(_json(to_row(event))) != row:
        raise ValueError(row)
    return event


def _check_kinds(event: Any) -> None:
    """Plain values are what the event says they are; all others have been read by their own readers."""
    kind_of: type = type(event)
    for name, kind in _kinds(kind_of).items():
        value = getattr(event, name)
        if name == "event":
            _check_kinds(value)
        elif set(get_args(kind) or (kind,)) <= {str, int, bool, NoneType}:
            _check_kind(value, kind)


@cache
def _kinds(of: type) -> dict[str, Any]:
    return get_type_hints(of)


def _check_kind(value: object, kind: Any) -> None:
    if type(value) not in (get_args(kind) or (kind,)):  # a bool is no int here
        raise TypeError(value)
