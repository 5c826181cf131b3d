"""Rule sets of the table's own: kept, read from files, refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.rule_sets import MOST, RuleSet, RuleSetError, from_json, to_json
from fiveup_ref.store import Store

FRIDAY = RuleSet("", "Jumat", "all-fives", {"target": "300", "exact": "yes"})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path)
    yield store
    store.close()


def test_they_are_kept_by_name_and_deleted(store: Store, tmp_path: Path) -> None:
    zoo = store.rule_sets.keep(RuleSet("", "zoo", "muggins", {}))
    friday = store.rule_sets.keep(FRIDAY)
    assert store.rule_sets.keep(FRIDAY) == friday
    again = Store(tmp_path)
    assert again.rule_sets.all() == [friday, zoo]
    again.rule_sets.drop(zoo.id)
    again.close()
    assert store.rule_sets.all() == [friday]


def test_a_name_stands_for_one(store: Store) -> None:
    store.rule_sets.keep(FRIDAY)
    for other in (FRIDAY._replace(changes={}), FRIDAY._replace(preset="muggins")):
        with pytest.raises(RuleSetError) as caught:
            store.rule_sets.keep(other)
        assert caught.value.sentence == RuleSetError.TAKEN
    assert len(store.rule_sets.all()) == 1


@pytest.mark.parametrize(("name", "sentence"), [("", RuleSetError.UNNAMED), ("N" * 41, str(Fault.NAME_TOO_LONG.value))])
def test_names_that_cannot_be(store: Store, name: str, sentence: str) -> None:
    with pytest.raises(RuleSetError) as caught:
        store.rule_sets.keep(FRIDAY._replace(name=name))
    assert str(caught.value.sentence) == sentence


def test_there_are_not_endlessly_many(store: Store) -> None:
    for number in range(MOST):
        store.rule_sets.keep(FRIDAY._replace(name=f"{number}"))
    with pytest.raises(RuleSetError) as caught:
        store.rule_sets.keep(FRIDAY)
    assert caught.value.sentence == RuleSetError.FULL
    assert len(store.rule_sets.all()) == MOST


def test_rules_that_no_table_can_play_are_refused(store: Store) -> None:
    with pytest.raises(RulesError) as caught:
        store.rule_sets.keep(FRIDAY._replace(changes={"hand": "15"}))
    assert caught.value.fault is Fault.FIELD_BOUNDS
    kept = store.rule_sets.keep(FRIDAY._replace(changes={"hand": "14"}))  # two can
    assert kept.rules(2).hand == 14
    with pytest.raises(RulesError):
        kept.rules(3)


def test_a_match_keeps_the_rules_it_was_made_with(store: Store) -> None:
    kept = store.rule_sets.keep(FRIDAY)
    match_id = store.create(title="", rules=kept.rules(2), players=("Ani", "Budi"))
    store.rule_sets.drop(kept.id)
    assert store.load(match_id).match.rules.target == 300


def test_a_file_is_what_was_kept() -> None:
    assert from_json(to_json(FRIDAY)) == FRIDAY
    assert from_json(b"\xef\xbb\xbf" + to_json(FRIDAY)) == FRIDAY


def changed(**fields: object) -> bytes:
    return json.dumps(json.loads(to_json(FRIDAY)) | fields).encode()


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 9000, b'{"fiveup_ref": 1}', b" " * 20_000),
        *(changed(fiveup_rules=2), changed(name=None), changed(rules="whist"), changed(rules=[]), changed(set=[])),
        *(changed(set={"colour": "red"}), changed(set={"target": "-1"}), changed(set={"hand": "15"})),
        *(changed(set={"target": {}}), changed(set={"target": "9" * 5000}), changed(set={"exact": True})),
    ],
)
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(RuleSetError):
        from_json(data)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"{}", RuleSetError.NOT_ONE),
        (changed(fiveup_rules=2), "This file was written by a newer version of the app (its format is 2)."),
        (changed(name=7), "name is missing or cannot be read."),
        (changed(rules=[]), "rules is missing or cannot be read."),
        (changed(rules="whist"), "There is no game whist. The games are five-up, all-fives, muggins."),
        (changed(set=[]), "set is missing or cannot be read."),
        (changed(set={"target": "-1"}), "-1 is not a value of target."),
        (changed(set={"exact": True}), "True is not a value of exact."),
        (changed(set={"reserve": 3}), "reserve is 3 in this file, but can only be from 0 to 2."),
        (changed(set={"best_of": "7"}), "best_of is 7 in this file, but can only be from 1 to 5."),
        (
            changed(set={"hand": "14", "reserve": "1"}),
            "The set has 28 tiles: 2 hands of 14 and a reserve of 1 are too many.",
        ),
    ],
)
def test_what_is_wrong_is_named(data: bytes, sentence: str) -> None:
    with pytest.raises(RuleSetError) as caught:
        from_json(data)
    assert caught.value.sentence.format(**caught.value.fields) == sentence


def test_a_setting_that_is_not_known_is_named() -> None:
    with pytest.raises(RuleSetError) as caught:
        from_json(changed(set={"colour": "red"}))
    assert caught.value.sentence == Fault.NO_SUCH_FIELD
    assert caught.value.fields["field"] == "colour"


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_no_file_breaks_it(data: bytes) -> None:
    with pytest.raises(RuleSetError):
        from_json(data)
