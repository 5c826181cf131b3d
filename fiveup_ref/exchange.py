"""Matches as files for another installation: one as a record or as JSON, or any number in one archive."""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from .engine.record import LARGEST_FILE, read, write
from .engine.record_values import Problem
from .exchange_flaws import Flaw, FlawError, Trouble
from .exchange_json import LARGEST_MATCH, TURNS, from_json, to_json
from .store import EntryInfo, Saved

LARGEST_ARCHIVE: Final = 64 * 1024**2
"""Bytes of all the files of an archive together, unpacked."""
MOST_FILES: Final = 2_000

_ZIP_TIME: Final = (1980, 1, 1, 0, 0, 0)  # the same matches make the same bytes


@dataclass(frozen=True)
class Parcel:
    """What a file brings: matches that are fit to be stored (their ids are '') or else all that is wrong with it."""

    matches: tuple[Saved, ...] = ()
    troubles: tuple[Trouble, ...] = ()


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


def unpack(data: bytes, *, now: datetime, zone: str = "") -> Parcel:
    """The matches of a file: a written record, a match as JSON, or an archive of such. No file makes it raise.

    `now` is the time of the entries of a record, which has none of its own, and with `zone` of one without a date.
    """
    if not data.startswith(b"PK"):
        return _one(data, now, zone)
    try:
        return _archive(data, now, zone)
    except FlawError as error:
        return Parcel(troubles=(error.trouble,))
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError):
        return Parcel(troubles=(Trouble(Flaw.ZIP_BROKEN, {}),))


def _archive(data: bytes, now: datetime, zone: str) -> Parcel:
    matches: dict[str, Saved] = {}
    troubles: list[Trouble] = []
    with zipfile.ZipFile(io.BytesIO(data)) as files:
        infos = [info for info in files.infolist() if not info.is_dir() and not info.filename.startswith("__MACOSX/")]
        if not infos:
            raise FlawError(Flaw.ZIP_EMPTY)
        if len(infos) > MOST_FILES:
            raise FlawError(Flaw.ZIP_FILES, {"highest": MOST_FILES})
        room = LARGEST_ARCHIVE
        for info in infos:
            with files.open(info) as file:
                packed = file.read(min(room, LARGEST_MATCH) + 1)
            room -= len(packed)
            if room < 0:
                raise FlawError(Flaw.ZIP_TOO_BIG, {"limit": "64 MiB"})
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
        return Parcel((from_json(data),))
    except FlawError as error:
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
