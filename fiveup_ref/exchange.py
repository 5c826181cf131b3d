"""Matches as files for another installation: one with its whole log as JSON, or any number in one archive."""

from __future__ import annotations

import hashlib
import io
import json
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from types import MappingProxyType, NoneType
from typing import Any, Final, NamedTuple, get_args, get_type_hints

from .engine.course import apply
from .engine.events import Event, from_row, to_row
from .engine.faults import Fault, RulesError
from .engine.match import Match
from .engine.record import LARGEST_FILE, Record, read, write
from .engine.record_values import Problem, check_name
from .engine.rules import PRESETS, Rules, Settling, TargetCheck
from .store import EntryInfo, Saved

VERSION: Final = 1
LARGEST_MATCH: Final = 4 * 1024**2
"""Bytes of a match as JSON."""
LARGEST_ARCHIVE: Final = 64 * 1024**2
"""Bytes of all the files of an archive together, unpacked."""
MOST_FILES: Final = 2_000
MOST_ENTRIES: Final = 5_000

TURNS: Final = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Embeddings, overrides and isolates that one name could leave open for all the text after it."""

_UID: Final = re.compile(r"[0-9a-f]{32}", re.ASCII)
_ZONE: Final = re.compile(r"(?:[+-](?:[01]\d|2[0-3]):[0-5]\d)?", re.ASCII)
_NONE: Final[Mapping[str, object]] = MappingProxyType({})
_ZIP_TIME: Final = (1980, 1, 1, 0, 0, 0)  # the same matches make the same bytes


def _(sentence: str) -> str:
    """Marks a sentence for the catalogues of translations."""
    return sentence


class Flaw(StrEnum):
    """What can be wrong with a file beyond the faults of a record, and its English sentence."""

    JSON_BROKEN = _("The file is cut off or damaged from here on, so nothing of it can be used.")
    JSON_OTHER = _("This file is not a match of this app.")
    JSON_VERSION = _("This file was written by a newer version of the app (its format is {text}).")
    JSON_TOO_BIG = _("The file is larger than {limit}, the most a match may have.")
    JSON_ENTRIES = _("The match has more than {highest} entries, the most a file may have.")
    JSON_FIELD = _("{field} is missing or cannot be read.")
    JSON_ENTRY = _("This entry cannot be read.")
    ZIP_BROKEN = _("The archive is cut off or damaged, so nothing of it can be used.")
    ZIP_EMPTY = _("There is no match in this archive.")
    ZIP_TOO_BIG = _("The files of the archive are larger than {limit} together, the most it may have.")
    ZIP_FILES = _("The archive has more than {highest} files, the most it may have.")
    TWICE = _("This match is in the archive twice, with different entries.")


class Trouble(NamedTuple):
    """What is wrong, and where: in which file of an archive (''), at which line or entry (0: in the whole)."""

    sentence: str
    values: Mapping[str, object]
    file: str = ""
    line: int = 0
    entry: int = 0


@dataclass(frozen=True)
class Parcel:
    """What a file brings: matches that are fit to be stored (their ids are '') or else all that is wrong with it."""

    matches: tuple[Saved, ...] = ()
    troubles: tuple[Trouble, ...] = ()


class _FlawError(ValueError):
    """A flaw with the values of its sentence, and the line or entry where it is (0: in the whole)."""

    def __init__(self, flaw: str, values: Mapping[str, object] = _NONE, *, line: int = 0, entry: int = 0) -> None:
        super().__init__(flaw)
        self.trouble = Trouble(flaw, values, line=line, entry=entry)


# Writing


def to_json(saved: Saved) -> bytes:
    """A match with its whole log, one line an entry; the same match gives the same bytes.

    The id is not in it: who has the id may enter.
    """
    head = {
        "fiveup_ref": VERSION,
        "uid": saved.uid,
        "title": saved.title,
        "started": saved.started.isoformat(timespec="microseconds"),
        "zone": saved.zone,
        "date": saved.date,
        "rules": asdict(saved.match.rules),
        "players": saved.match.players,
    }
    log = [
        {"time": info.time.isoformat(timespec="microseconds"), "who": info.who, "event": to_row(event)}
        for info, event in zip(saved.entries, saved.match.log, strict=True)
    ]
    lines = [f"{_json(name)}: {_json(value)}" for name, value in head.items()]
    entries = ",\n".join(map(_json, log))
    return ("{\n" + ",\n".join([*lines, f'"log": [\n{entries}\n]']) + "\n}\n").encode()


def archive(matches: Iterable[tuple[str, Saved]]) -> bytes:
    """Matches in one file, each under a name without its ending; the same matches give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as files:
        for name, saved in sorted(matches, key=lambda one: (one[1].started, one[1].uid)):
            info = zipfile.ZipInfo(f"{name} {saved.uid[:8]}.json", _ZIP_TIME)
            info.create_system = 3  # else it depends on the computer that packs it
            info.external_attr = 0o600 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            files.writestr(info, to_json(saved))
    return packed.getvalue()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


# Reading


def unpack(data: bytes, *, now: datetime, zone: str = "") -> Parcel:
    """The matches of a file: a written record, a match as JSON, or an archive of such. No file makes it raise.

    `now` is the time of the entries of a record, which has none of its own, and with `zone` of one without a date.
    """
    if not data.startswith(b"PK"):
        return _one(data, now, zone)
    try:
        return _archive(data, now, zone)
    except _FlawError as error:
        return Parcel(troubles=(error.trouble,))
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError):
        return Parcel(troubles=(Trouble(Flaw.ZIP_BROKEN, {}),))


def _archive(data: bytes, now: datetime, zone: str) -> Parcel:
    matches: dict[str, Saved] = {}
    troubles: list[Trouble] = []
    with zipfile.ZipFile(io.BytesIO(data)) as files:
        infos = [info for info in files.infolist() if not info.is_dir() and not info.filename.startswith("__MACOSX/")]
        if not infos:
            raise _FlawError(Flaw.ZIP_EMPTY)
        if len(infos) > MOST_FILES:
            raise _FlawError(Flaw.ZIP_FILES, {"highest": MOST_FILES})
        room = LARGEST_ARCHIVE
        for info in infos:
            with files.open(info) as file:
                packed = file.read(min(room, LARGEST_MATCH) + 1)
            room -= len(packed)
            if room < 0:
                raise _FlawError(Flaw.ZIP_TOO_BIG, {"limit": "64 MiB"})
            parcel = _one(packed, now, zone)
            troubles += [trouble._replace(file=info.filename) for trouble in parcel.troubles]
            for saved in parcel.matches:
                if matches.setdefault(saved.uid, saved).match != saved.match:
                    troubles.append(Trouble(Flaw.TWICE, {}, file=info.filename))
    return Parcel(troubles=tuple(troubles)) if troubles else Parcel(tuple(matches.values()))


def _one(data: bytes, now: datetime, zone: str) -> Parcel:
    if not data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return _record(data, now, zone)
    try:
        return Parcel((_from_json(data),))
    except _FlawError as error:
        return Parcel(troubles=(error.trouble,))


def _record(data: bytes, now: datetime, here: str) -> Parcel:
    """The match of a record. The same record, whatever its spaces and comments, always gets the same uid."""
    if len(data) <= LARGEST_FILE:
        data = data.decode(errors="surrogateescape").translate(TURNS).encode(errors="surrogateescape")
    reading = read(data)
    if not reading.ok or reading.record is None:
        return Parcel(troubles=tuple(_trouble(problem) for problem in reading.problems))
    record = reading.record
    uid = hashlib.sha256(write(record).encode()).hexdigest()[:32]
    started, zone = _started(record.date) if record.date else (now, here)
    infos = tuple(EntryInfo(number, now, "") for number, _ in enumerate(record.match.log, 1))
    return Parcel((Saved("", record.title, started, zone, record.match, infos, uid, record.date),))


def _trouble(problem: Problem) -> Trouble:
    return Trouble(problem.error.fault, problem.error.fields, line=problem.line)


def _started(date: str) -> tuple[datetime, str]:
    """The moment (UTC) and the zone of a date as a record has it; without a zone its clock is kept as it is."""
    written = datetime.fromisoformat(date)
    if written.tzinfo is None:
        return written.replace(tzinfo=UTC), ""
    try:
        return written.astimezone(UTC), written.isoformat()[-6:]
    except OverflowError:  # on the first or last day of the calendar
        return written.replace(tzinfo=UTC), ""


def _from_json(data: bytes) -> Saved:
    if len(data) > LARGEST_MATCH:
        raise _FlawError(Flaw.JSON_TOO_BIG, {"limit": "4 MiB"})
    try:
        value = json.loads(data.decode("utf-8-sig"))
        value = _clean(value)
        _json(value).encode()
    except json.JSONDecodeError as error:
        raise _FlawError(Flaw.JSON_BROKEN, line=error.lineno) from error
    except UnicodeError as error:
        raise _FlawError(Fault.FILE_NOT_TEXT) from error
    except (ValueError, RecursionError) as error:  # a number or a nesting beyond all sense
        raise _FlawError(Flaw.JSON_OTHER) from error
    if "fiveup_ref" not in value:
        raise _FlawError(Flaw.JSON_OTHER)
    if value["fiveup_ref"] != VERSION:
        raise _FlawError(Flaw.JSON_VERSION, {"text": str(value["fiveup_ref"])[:20]})
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
        raise _FlawError(Flaw.JSON_FIELD, {"field": "uid"})
    if not _ZONE.fullmatch(zone):
        raise _FlawError(Flaw.JSON_FIELD, {"field": "zone"})
    date = None if value.get("date") is None else _text(value, "date")
    started = _time(value, "started")
    rules, players, log = _rules(value.get("rules")), value.get("players"), value.get("log")
    if not isinstance(players, list) or len(players) != rules.players or not all(isinstance(p, str) for p in players):
        raise _FlawError(Flaw.JSON_FIELD, {"field": "players"})
    if not isinstance(log, list):
        raise _FlawError(Flaw.JSON_FIELD, {"field": "log"})
    if len(log) > MOST_ENTRIES:
        raise _FlawError(Flaw.JSON_ENTRIES, {"highest": f"{MOST_ENTRIES:,}"})
    match = Match.new(rules, tuple(players))
    try:
        for name in players:
            check_name(name)
        title = Record(match, _text(value, "title"), date or "").title
    except RulesError as error:
        raise _FlawError(error.fault, error.fields) from error
    infos = []
    for number, row in enumerate(log, 1):
        try:
            match = apply(match, _event(row["event"]))
            infos.append(EntryInfo(number, _time(row, "time"), _text(row, "who")[:200]))
        except RulesError as error:
            raise _FlawError(error.fault, error.fields, entry=number) from error
        except _FlawError as error:
            raise _FlawError(error.trouble.sentence, error.trouble.values, entry=number) from error
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise _FlawError(Flaw.JSON_ENTRY, entry=number) from error
    return Saved("", title, started, zone, match, tuple(infos), uid, date)


def _text(value: Mapping[str, Any], field: str) -> str:
    text = value.get(field)
    if not isinstance(text, str):
        raise _FlawError(Flaw.JSON_FIELD, {"field": field})
    return text


def _time(value: Mapping[str, Any], field: str) -> datetime:
    try:
        moment = datetime.fromisoformat(_text(value, field))
        if moment.utcoffset() is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise _FlawError(Flaw.JSON_FIELD, {"field": field})


def _rules(row: Any) -> Rules:
    """The rules as `to_json` writes them: every field, and nothing else, and a game for so many players."""
    kinds = _kinds(Rules)
    if not isinstance(row, dict) or row.keys() != kinds.keys():
        raise _FlawError(Flaw.JSON_FIELD, {"field": "rules"})
    try:
        words = {"settlement": Settling(row["settlement"]), "target_check": TargetCheck(row["target_check"])}
        for name, kind in kinds.items():
            _check_kind(words.get(name, row[name]), kind)
        rules = Rules(**{**row, **words})
        PRESETS[rules.preset].rules(rules.players, partners=rules.partners)
        return rules
    except RulesError as error:
        raise _FlawError(error.fault, error.fields) from error
    except (KeyError, TypeError, ValueError) as error:
        raise _FlawError(Flaw.JSON_FIELD, {"field": "rules"}) from error


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
