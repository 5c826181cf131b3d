"""Get the locked packages: where they are not, make `.venv` beside the project and start again inside it.

Standard library only, for it runs before anything is installed. State is kept in `.venv` alone: `stamp` names the
locks that are completely installed and is missing while an installation is under way, so a `.venv` without one is
half made; `turn` lets one start at a time work there. Deleting `.venv` is always safe.
"""

import hashlib
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

PROJECT = Path(__file__).resolve().parent.parent
RESTARTED = "FIVEUP_RESTARTED"
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)\s*(;)?", re.MULTILINE)


def ensure(*names: str) -> None:
    """Return only where the packages of the named lock files can be imported.

    Elsewhere the same command is started again inside `.venv`, which is made or brought up to date first. Ends the
    process with one line and status 1 where that cannot be done.
    """
    locks = [PROJECT / name for name in names]
    if has_packages(locks):
        os.environ.pop(RESTARTED, None)
        return
    home = PROJECT / ".venv"
    if os.environ.pop(RESTARTED, None):
        (home / "stamp").unlink(missing_ok=True)
        give_up("The packages in .venv are damaged. Start again: .venv will be made anew.")
    if not is_ready(home, locks):
        prepare(home, locks)
    restart(python_of(home), sys.orig_argv[1:])


def has_packages(locks: Sequence[Path]) -> bool:
    """Tell whether the running interpreter has every package of the locks, as locked or compatibly newer."""
    return all(
        any(is_compatible(version_of(name), wanted) for wanted in versions)
        for lock in locks
        for name, versions in pins_of(lock.read_text("utf-8")).items()
    )


def pins_of(lock: str) -> dict[str, list[str | None]]:
    """Read the pins of a lock file: for each package the versions of which one must be there.

    A pin with a marker may be meant for another system: then None, absent, is good as well.

    >>> pins_of("colorama==0.4.6 ; sys_platform == 'win32'")
    {'colorama': ['0.4.6', None]}
    """
    pins: dict[str, list[str | None]] = {}
    for name, wanted, marker in PIN.findall(lock):
        pins.setdefault(name, []).extend([wanted, None] if marker else [wanted])
    return pins


def version_of(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def is_compatible(found: str | None, wanted: str | None) -> bool:
    """Tell whether a version may stand in for the locked one: the same, or a later one of the same series.

    The series is the first number, and for 0.x the first two. Anything but a plain release must be the same.

    >>> is_compatible("3.2.1", "3.1.9"), is_compatible("4.0", "3.1"), is_compatible("0.18", "0.17")
    (True, False, False)
    """
    if found == wanted:
        return True
    if not (found and wanted and re.fullmatch(r"\d+(\.\d+)*/\d+(\.\d+)*", f"{found}/{wanted}")):
        return False
    have, want = ([int(part) for part in text.split(".")] for text in (found, wanted))
    series = 1 if want[0] else 2
    return have[:series] == want[:series] and have >= want


def is_ready(home: Path, locks: Sequence[Path]) -> bool:
    """Tell whether the virtual environment works and holds these locks as they are now."""
    return python_of(home).exists() and stamp_of(home, locks) <= read_stamp(home)


def prepare(home: Path, locks: Sequence[Path]) -> None:
    """Make the virtual environment ready for these locks, waiting for a start that is doing it already."""
    if not (find_spec("venv") and find_spec("ensurepip")):
        give_up("Python's venv module is missing. On Debian and Ubuntu: sudo apt install -y python3 python3-venv")
    names = " and ".join(lock.name for lock in locks)
    say(f"Installing the packages of {names} into .venv; the first time this usually takes 10 to 30 seconds …")
    try:
        home.mkdir(exist_ok=True)
        with turn(home):
            if not is_ready(home, locks):
                fill(home, locks)
    except (OSError, sqlite3.OperationalError) as error:
        give_up(f"{home} cannot be made: {error}")
    except KeyboardInterrupt:
        give_up("Interrupted. The next start begins anew.")


def fill(home: Path, locks: Sequence[Path]) -> None:
    """Install the locks, into a new environment unless the one that is there was finished once."""
    if not (python_of(home).exists() and read_stamp(home)):
        clear(home)
        # The base interpreter, for the running one may be the link in .venv that was just cleared away.
        run(getattr(sys, "_base_executable", sys.executable), "-m", "venv", str(home))
    (home / "stamp").unlink(missing_ok=True)
    files = [word for lock in locks for word in ("-r", str(lock))]
    quick = ["--quiet", "--no-input", "--disable-pip-version-check", "--retries", "2", "--timeout", "20"]
    run(str(python_of(home)), "-m", "pip", "install", *quick, "--require-hashes", *files)
    (home / "stamp").write_text("\n".join(sorted(stamp_of(home, locks))), "utf-8")


def stamp_of(home: Path, locks: Sequence[Path]) -> set[str]:
    # The interpreter belongs to it: when the system's python3 has become a newer one, .venv finds nothing of its own.
    return {os.path.realpath(python_of(home)), *(hashlib.sha256(lock.read_bytes()).hexdigest() for lock in locks)}


def read_stamp(home: Path) -> set[str]:
    try:
        return set((home / "stamp").read_text("utf-8").splitlines())
    except OSError:
        return set()


def python_of(home: Path) -> Path:
    return home / "Scripts" / "python.exe" if os.name == "nt" else home / "bin" / "python"


@contextmanager
def turn(home: Path) -> Iterator[None]:
    """Let one start at a time work there. SQLite's file lock does so on every system and ends with the process."""
    # One second, again and again: SQLite's own waiting does not hear Ctrl-C.
    with closing(sqlite3.connect(home / "turn", timeout=1, isolation_level=None)) as lock:
        while not takes(lock):
            pass
        yield


def takes(lock: sqlite3.Connection) -> bool:
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            return False
        raise
    return True


def clear(home: Path) -> None:
    for path in home.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != "turn":
            path.unlink()


def run(*command: str) -> None:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode == 0:
        return
    told = done.stderr or done.stdout
    if "connection broken by" in told:
        give_up("The packages could not be fetched: there is no connection. The first start needs the internet.")
    last = (told.strip().splitlines() or [f"it ended with status {done.returncode}"])[-1]
    give_up(f"{' '.join(command[1:4])} failed: {last}")


def restart(python: Path, arguments: Sequence[str]) -> NoReturn:
    """Go on as the same command under another interpreter."""
    os.environ[RESTARTED] = "1"
    if os.name != "nt":
        os.execv(python, [str(python), *arguments])  # noqa: S606 - no shell is wanted
    # On Windows exec returns to the prompt at once; so wait, and leave Ctrl-C to the process that does the work.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(subprocess.run([python, *arguments], check=False).returncode)


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - this is the one line the person waits with


def give_up(line: str) -> NoReturn:
    say(line)
    sys.exit(1)
