"""Sets one file with typst, as a program of its own: what typst keeps in memory goes when the file is done."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

import typst

_HERE: Final = Path(__file__).parent


def main() -> None:
    """Read a job from standard input, `{"template", "kind", "inputs"}`, and write the file to standard output."""
    job = json.load(sys.stdin)
    made = typst.compile(
        _HERE / job["template"],
        root=_HERE,
        ignore_system_fonts=True,
        format=job["kind"],
        ppi=72,
        sys_inputs=job["inputs"],
        timestamp=0,
    )
    sys.stdout.buffer.write(made)


if __name__ == "__main__":
    main()
