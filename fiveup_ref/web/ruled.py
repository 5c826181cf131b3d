"""A ruling of the engine as a page prints it and as JSON says it, in the language of the request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from flask import url_for

from fiveup_ref.engine.ruling import Ruling, Sentence
from fiveup_ref.engine.seats import Seat

from .language import say_sentence
from .rulebook import title_of


@dataclass(frozen=True)
class Ruled:
    """The four parts in words; `rule` is an anchor of the rule book and `title` its heading."""

    ruling: str
    stands: bool | None
    working: list[str]
    mistakes: list[str]
    rule: str
    title: str
    otherwise: list[str]


def ruled(ruling: Ruling, names: Mapping[Seat, str]) -> Ruled:
    """The ruling in words; `names` stand for seats, which are said as they are where none is given."""
    return Ruled(
        said(ruling.ruling, names),
        ruling.stands,
        lines(ruling.working, names),
        lines(ruling.mistakes, names),
        str(ruling.rule),
        title_of(ruling.rule),
        lines(ruling.otherwise, names),
    )


def said(sentence: Sentence, names: Mapping[Seat, str]) -> str:
    """One sentence of the engine."""
    return say_sentence(sentence.says, sentence.fields, names)


def lines(sentences: Sequence[Sentence], names: Mapping[Seat, str]) -> list[str]:
    """Several of them."""
    return [said(one, names) for one in sentences]


def as_json(one: Ruled) -> dict[str, Any]:
    """The same words as plain values, the rule with its title and address."""
    value = asdict(one)
    value["rule"] = {"title": value.pop("title"), "address": f"{url_for('rulebook.rules')}#{one.rule}"}
    return value
