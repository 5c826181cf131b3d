"""The command line: count a table, settle leftovers, check and show written records. Only the engine is needed."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from typing import Any, NamedTuple, NoReturn

from .engine.faults import Fault, RulesError
from .engine.layout import NAMED, Layout
from .engine.record import LARGEST_FILE, Kind, Problem, Reading, read, write
from .engine.record_problems import UNREADABLE
from .engine.record_writer import standing, winner
from .engine.rules import PRESETS
from .engine.scoring import Ends, Score, score_of
from .engine.tiles import Tile
from .judge_command import add_judge, answer, ruling_json, ruling_lines
from .settle_command import settled, settled_json, settled_lines

FINE, WRONG, NO_INPUT = 0, 1, 2


class Answer(NamedTuple):
    """What a command says: lines or one JSON object, one-line errors, and the exit status."""

    status: int
    lines: list[str]
    value: Mapping[str, Any]
    errors: list[str]


class _RefusedError(Exception):
    """The input cannot be used, with the exit status and the sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, as every other error."""
        raise _RefusedError(NO_INPUT, f"{self.prog}: {message}")


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status: 0 fine, 1 a difference or an illegal play, 2 no input."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a record is UTF-8 with LF wherever it is shown
            stream.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    try:
        asked = _parser().parse_args(arguments)
        answer: Answer = asked.command(asked)
    except _RefusedError as refused:
        answer = Answer(refused.status, [], {}, [str(refused)])
    except RulesError as error:
        answer = Answer(_status(error.fault), [], {}, [str(error)])
    else:
        _print(sys.stdout, [json.dumps(answer.value, ensure_ascii=False)] if asked.json else answer.lines)
    _print(sys.stderr, answer.errors)
    return answer.status


def _print(stream: Any, lines: Sequence[str]) -> None:
    try:
        stream.write("".join(f"{line}\n" for line in lines))
        stream.flush()
    except BrokenPipeError:
        # Whoever read it has seen enough; nothing may be left for Python to flush at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _status(fault: Fault) -> int:
    return NO_INPUT if fault in UNREADABLE else WRONG


def _parser() -> argparse.ArgumentParser:
    common = _Parser(add_help=False)
    common.add_argument("--rules", choices=tuple(PRESETS), help="the game (default: five-up, or what the record says)")
    common.add_argument(
        "--set", action="append", default=[], metavar="FIELD=VALUE", help="a house rule, as in a record; repeatable"
    )
    common.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser = _Parser(prog="fiveup_ref", description="Keeps score of Five Up, All Fives and Muggins.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    count = commands.add_parser("count", parents=[common], help="count the table")
    count.add_argument("--plays", action="store_true", help="the words are plays: '5-5 5-0>5-5', quoted for the shell")
    count.add_argument("words", nargs="+", metavar="END", help="the counting ends as they lie: 6-6 5 4")
    count.set_defaults(command=_count)
    settle = commands.add_parser("settle", parents=[common], help="settle leftovers")
    settle.add_argument("--partners", help="A+C,B+D, or none")
    settle.add_argument("hands", nargs="+", metavar="SEAT=LEFT", help="A=3-0,2-1 as tiles, B=6 as pips, C=- went out")
    settle.set_defaults(command=_settle)
    check = commands.add_parser("check", parents=[common], help="check records")
    check.add_argument("files", nargs="+", metavar="FILE", help="a record; - is standard input")
    check.set_defaults(command=_check)
    show = commands.add_parser("show", parents=[common], help="show a record with all results filled in")
    show.add_argument("file", metavar="FILE", help="a record; - is standard input")
    show.set_defaults(command=_show)
    add_judge(commands, common, _Parser)
    commands.choices["judge"].set_defaults(command=_judge)
    return parser


def _changes(asked: argparse.Namespace) -> dict[str, str]:
    changes = {}
    for word in asked.set:
        name, equals, value = word.partition("=")
        if not equals:
            raise _RefusedError(NO_INPUT, f"{word} is not a house rule. Expected FIELD=VALUE, such as target=100.")
        changes[name] = value
    return changes


def _count(asked: argparse.Namespace) -> Answer:
    rules = PRESETS[asked.rules or "five-up"].rules(2).changed(_changes(asked))
    words = " ".join(asked.words).split()
    if not asked.plays:
        ends = Ends.parse(" ".join(words))
        ends.check(rules)
        score = score_of(ends, rules)
        return Answer(FINE, [str(score)], {"rules": rules.preset, **_score_json(score)}, [])
    layout = Layout.empty(rules.spinners, spinner_counts=rules.spinner_counts)
    lines, plays = [], []
    for number, word in enumerate(words, 1):
        tile, joined, onto = word.partition(">")
        try:
            layout = layout.play(Tile.parse(tile), Tile.parse(onto) if joined else None)
        except RulesError as error:
            raise _RefusedError(_status(error.fault), f"Play {number}: {error}") from error
        score = score_of(layout, rules)
        place = layout.plays[-1]
        lines.append(f"{place.tile}>{place.onto}: {score}" if place.onto else f"{place.tile}: {score}")
        plays.append({"tile": str(place.tile), "onto": str(place.onto) if place.onto else None, **_score_json(score)})
    return Answer(FINE, lines, {"plays": plays}, [])


def _score_json(score: Score) -> dict[str, Any]:
    called = isinstance(score.of, Ends)
    ends = [
        {"tile": str(end.tile), "worth": end.worth}
        if end.kind in NAMED
        else {"tile": None if called else str(end.tile), "pip": end.pip, "worth": end.worth}
        for end in score.terms
    ]
    return {"ends": ends, "count": score.count, "raw": score.raw, "points": score.points}


def _settle(asked: argparse.Namespace) -> Answer:
    try:
        result = settled(asked.hands, asked.partners, PRESETS[asked.rules or "five-up"], _changes(asked))
    except RulesError:
        raise
    except ValueError as error:
        raise _RefusedError(NO_INPUT, str(error)) from error
    return Answer(FINE, settled_lines(result), settled_json(result), [])


def _judge(asked: argparse.Namespace) -> Answer:
    try:
        ruling = answer(asked, _changes(asked))
    except RulesError:
        raise
    except ValueError as error:
        raise _RefusedError(NO_INPUT, str(error)) from error
    status = WRONG if ruling.stands is False else FINE
    return Answer(status, ruling_lines(ruling), ruling_json(ruling), [])


def _read(asked: argparse.Namespace, file: str) -> Reading:
    try:
        if file == "-":
            data = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with open(file, "rb") as opened:  # noqa: PTH123 - pathlib takes longer to import than a record to check
                data = opened.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise _RefusedError(NO_INPUT, f"{file}: {getattr(error, 'strerror', None) or error}.") from error
    return read(data, game=asked.rules or "", changes=_changes(asked))


def _errors(file: str, problems: Sequence[Problem]) -> list[str]:
    return [f"{file}:{problem.line}: {problem.message}" for problem in problems]


def _problem_status(problems: Sequence[Problem]) -> int:
    if any(problem.kind is Kind.UNREADABLE for problem in problems):
        return NO_INPUT
    return WRONG if problems else FINE


def _check(asked: argparse.Namespace) -> Answer:
    status = FINE
    lines, errors, files = [], [], []
    for file in asked.files:
        try:
            reading = _read(asked, file)
        except _RefusedError as refused:
            status = NO_INPUT
            errors.append(str(refused))
            reading = Reading(None)
        else:
            status = max(status, _problem_status(reading.problems))
            errors += [] if asked.json else _errors(file, reading.problems)
        files.append(_file_json(file, reading))
        if reading.ok and reading.record:
            match = reading.record.match
            lines.append(f"{file}: ok, {standing(match.rules, match.scores)}, winner {winner(match)}")
    return Answer(status, lines, {"files": files}, errors)


def _file_json(file: str, reading: Reading) -> dict[str, Any]:
    match = reading.record.match if reading.record else None
    word = winner(match) if match else "open"
    return {
        "file": file,
        "ok": reading.ok,
        "problems": [
            {
                "line": problem.line,
                "kind": str(problem.kind),
                "written": problem.written,
                "right": problem.right,
                "message": problem.message,
            }
            for problem in reading.problems
        ],
        "scores": {str(team): points for team, points in zip(match.rules.teams, match.scores, strict=True)}
        if match
        else {},
        "status": word if word in ("open", "tie") else "won",
        "winner": None if word in ("open", "tie") else word,
    }


def _show(asked: argparse.Namespace) -> Answer:
    reading = _read(asked, asked.file)
    bad = [problem for problem in reading.problems if problem.kind is not Kind.DIFFERENCE]
    if bad or reading.record is None:
        return Answer(_problem_status(bad), [], {"file": asked.file, "record": None}, _errors(asked.file, bad))
    text = write(reading.record)
    return Answer(FINE, text.splitlines(), {"file": asked.file, "record": text}, [])
