"""The project's own files agree with one another."""

import ast
import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from fiveup_ref.bootstrap import PROJECT, is_compatible, pins_of

LOCKS = ["requirements.txt", "requirements-dev.txt"]
TOP_LEVEL = {
    "app.py", "fiveup_ref", "templates", "static", "tests", "bench", "docs", ".ci", ".gitignore", "pyproject.toml",
    "requirements.txt", "requirements-dev.txt", "README.md", "LICENSE",
}  # fmt: skip
# What git and the tools put there is not part of the project.
NEIGHBOURS = [".git", *(line.strip("/") for line in (PROJECT / ".gitignore").read_text("utf-8").split())]


def pyproject() -> tuple[list[str], list[str], str]:
    """The dependencies at run time, those of the development, and the Python that is needed."""
    read = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    return read["project"]["dependencies"], read["dependency-groups"]["dev"], read["project"]["requires-python"]


def lock(name: str) -> dict[str, list[str | None]]:
    return pins_of((PROJECT / name).read_text("utf-8"))


def inline_metadata(script: Path) -> dict[str, object]:
    """The block of a script that tells a runner what it needs (PEP 723)."""
    block = re.search(r"^# /// script\n((?:#.*\n)*?)# ///$", script.read_text("utf-8"), re.MULTILINE)
    assert block
    return tomllib.loads("".join(line[2:] + "\n" for line in block[1].splitlines()))


def test_app_py_names_the_dependencies_of_the_project() -> None:
    run_time, _, python = pyproject()
    assert inline_metadata(PROJECT / "app.py") == {"requires-python": python, "dependencies": run_time}


def test_the_locks_hold_every_dependency_in_its_range() -> None:
    run_time, development, _ = pyproject()
    for wanted, pins in ((run_time, lock(LOCKS[0])), (run_time + development, lock(LOCKS[1]))):
        for requirement in wanted:
            name, lowest = requirement.split(",")[0].split(">=")
            assert any(is_compatible(pin, lowest) for pin in pins[name]), requirement


def test_the_development_lock_holds_the_run_time_lock() -> None:
    assert lock(LOCKS[0]).items() <= lock(LOCKS[1]).items()


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_address_and_hashes_everything(name: str) -> None:
    text = (PROJECT / name).read_text("utf-8")
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE)
    for entry in re.split(r"\n(?=[a-z])", text)[1:]:
        assert "--hash=sha256:" in entry, entry


@pytest.mark.parametrize("name", ["app.py", "tests/__init__.py", "tests/__main__.py"])
def test_an_old_python_can_read_as_far_as_the_version_check(name: str) -> None:
    script = ast.parse((PROJECT / name).read_text("utf-8"), feature_version=(3, 7))
    docstring, *body = script.body
    assert isinstance(docstring, ast.Expr)
    assert [ast.unparse(statement).split(":")[0] for statement in body[:2]] in (
        [],
        ["import sys", "if sys.version_info < (3, 11)"],
    )


def test_the_top_level_holds_nothing_else() -> None:
    found = {path.name for path in PROJECT.iterdir()}
    assert not {name for name in found - TOP_LEVEL if not any(fnmatch(name, pattern) for pattern in NEIGHBOURS)}
