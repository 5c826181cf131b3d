"""Imports point inwards only, and the engine stays pure (design: folders)."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "fiveup_ref"
MODULES = sorted(PACKAGE.rglob("*.py"))
GAMES = ("five-up", "all-fives", "muggins")

# What brings a clock, chance, the outside world or another program's state into a pure module.
IMPURE = """
    asyncio calendar concurrent contextvars ctypes datetime email ftplib getpass glob http importlib inspect io
    locale logging multiprocessing os pathlib platform random runpy secrets select shutil signal site smtplib socket
    socketserver sqlite3 ssl subprocess sys sysconfig syslog tempfile threading time tkinter traceback urllib uuid
    warnings weakref webbrowser zoneinfo
"""
# Each part of the package, and which others it may import.
INWARDS: dict[str, frozenset[str]] = {
    "engine": frozenset({"engine"}),
    "drawing": frozenset({"engine", "drawing"}),
    "store": frozenset({"engine", "store"}),
    "web": frozenset({"engine", "drawing", "store", "web", "bootstrap"}),
    "command line": frozenset({"engine", "command line"}),
    "bootstrap": frozenset({"bootstrap"}),
}
PARTS = {
    "store": "store",
    "agreements": "store",
    "backups": "store",
    "copies": "store",
    "database": "store",
    "device_names": "store",
    "exchange": "store",
    "exchange_flaws": "store",
    "exchange_json": "store",
    "migrations": "store",
    "rule_sets": "store",
    "scorers": "store",
    "__init__": "command line",
    "__main__": "command line",
    "cli": "command line",
    "settle_command": "command line",
    "judge_command": "command line",
    "bootstrap": "bootstrap",
}
PURE = frozenset({"engine", "drawing"})


def part_of(dotted: str) -> str:
    """The part a module of ours belongs to, by its name inside the package."""
    first = dotted.split(".", maxsplit=1)[0] or "__init__"
    return PARTS.get(first, first)


def imported(path: Path) -> Iterator[str]:
    """The full names of what a module imports, wherever in it."""
    here = path.relative_to(ROOT).with_suffix("").parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(here[: -node.level]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            if module in ("fiveup_ref", "fiveup_ref.web"):
                yield from (f"{module}.{name.name}" for name in node.names)
            else:
                yield module


def ours(path: Path) -> set[str]:
    """The parts of the package that a module imports."""
    names = (name.partition(".") for name in imported(path))
    return {part_of(rest) for first, _, rest in names if first == "fiveup_ref"}


def others(path: Path) -> set[str]:
    """The top names of everything else it imports."""
    return {name.partition(".")[0] for name in imported(path)} - {"fiveup_ref"}


def module_part(path: Path) -> str:
    return part_of(".".join(path.relative_to(PACKAGE).with_suffix("").parts))


def written(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=written)
def test_imports_point_inwards(path: Path) -> None:
    part = module_part(path)
    assert part in INWARDS, "a new part of the package: say here what it may import"
    assert ours(path) <= INWARDS[part]


@pytest.mark.parametrize("path", [path for path in MODULES if module_part(path) in PURE], ids=written)
def test_pure_modules_use_the_standard_library_only(path: Path) -> None:
    assert others(path) <= sys.stdlib_module_names - set(IMPURE.split())


@pytest.mark.parametrize("path", [path for path in MODULES if module_part(path) in PURE], ids=written)
def test_pure_modules_neither_open_print_nor_ask(path: Path) -> None:
    calls = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert calls.isdisjoint({"open", "print", "input", "eval", "exec", "compile", "globals", "__import__", "id"})


@pytest.mark.parametrize("path", [path for path in MODULES if module_part(path) == "store"], ids=written)
def test_the_store_needs_only_sqlite(path: Path) -> None:
    assert others(path) <= sys.stdlib_module_names | {"sqlite_utils"}


def test_only_the_composition_root_imports_the_web() -> None:
    outside = [path for path in MODULES if module_part(path) != "web"]
    assert [written(path) for path in outside if "web" in ours(path)] == []
    assert "web" in ours(ROOT / "app.py")


@pytest.mark.parametrize(
    "path", [path for path in MODULES if module_part(path) == "engine" and path.name != "rules.py"], ids=written
)
def test_no_module_but_the_rules_knows_a_game_by_name(path: Path) -> None:
    """In code; docstrings and comments may speak of the games, a sentence may show a line of a record."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    ]
    assert [text for text in texts if text in GAMES] == []


def test_the_walk_sees_what_is_there() -> None:
    """The reader of imports itself: relative, absolute and inside functions."""
    steps = PACKAGE / "engine" / "steps.py"
    assert "fiveup_ref.engine.scoring" in set(imported(steps))
    assert ours(steps) == {"engine"}
    assert "collections" in others(steps)
    assert module_part(steps) == "engine"
