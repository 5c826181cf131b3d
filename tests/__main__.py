"""Every check in one command: `python3 -m tests`. With arguments: only pytest, with them."""

import sys

if sys.version_info < (3, 11):
    sys.exit("fiveup_ref needs Python 3.11 or newer; this is Python " + sys.version.split()[0] + ".")

import subprocess
from time import monotonic
from typing import TYPE_CHECKING

from fiveup_ref.bootstrap import PROJECT, ensure

if TYPE_CHECKING:
    import pytest

STEPS = {
    "format": ["ruff", "format", "--check", "--diff", "--quiet", "."],
    "lint": ["ruff", "check", "--quiet", "."],
    "types": ["mypy"],
    "templates": ["djlint", "templates", "--lint", "--quiet"],
}


def passes(name: str) -> bool:
    """Run one step and show it as one line; what it has to say follows only where it found something."""
    began = monotonic()
    command = [sys.executable, "-m", *STEPS[name]]
    done = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    word = "FAILED" if done.returncode else "ok"
    print(f"{name:10} {word:6} {monotonic() - began:5.1f} s   {' '.join(STEPS[name])}", flush=True)
    if done.returncode:
        sys.stdout.buffer.write(done.stdout)
        sys.stdout.flush()
    return done.returncode == 0


class Reminder:
    """Says above pytest's closing line which of the earlier steps failed; they have scrolled away by then."""

    def __init__(self, failed: list[str]) -> None:
        self.failed = failed

    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        if self.failed:
            terminalreporter.write_line("Failed before the tests, see above: " + ", ".join(self.failed), red=True)


def main(arguments: list[str]) -> int:
    """Run the steps, or with arguments only pytest; the exit status tells whether all passed."""
    ensure("requirements.txt", "requirements-dev.txt")
    import pytest  # noqa: PLC0415 - can be imported only from here on

    if arguments:
        return pytest.main(arguments)
    failed = [name for name in STEPS if not passes(name)]
    status = pytest.main(["-n", "auto", "--dist", "loadgroup", "--cov"], plugins=[Reminder(failed)])
    return int(status) or int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
