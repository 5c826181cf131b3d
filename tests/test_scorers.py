"""What is kept beside the logs: scorers, names of devices, seats and agreements."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fiveup_ref.agreements import RESULT, Agreements, OtherSideError, standings
from fiveup_ref.device_names import DeviceNames
from fiveup_ref.engine.events import Adjusted, Closed, Counted, Event, RoundEnded, Settled, Undone
from fiveup_ref.engine.scoring import Ends, Left
from fiveup_ref.engine.seats import Team
from fiveup_ref.scorers import Scorers
from fiveup_ref.store import Store

from .storing import OPENED, SET, Clock, fill, new, raw

SETTLED: tuple[Event, ...] = (
    OPENED,
    SET,
    Counted("B", Ends.parse("5 5")),
    RoundEnded("A"),
    Settled((("B", Left.parse("12 pips")),)),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path, clock=Clock())) as store:
        yield store


@pytest.fixture
def scorers(store: Store) -> Scorers:
    return Scorers(store.connections, clock=Clock())


def test_a_token_counts_for_its_match_until_it_is_withdrawn(store: Store, scorers: Scorers, tmp_path: Path) -> None:
    match_id, other = new(store), new(store)
    first, second = scorers.make(match_id, None), scorers.make(match_id, "Dewi's phone")
    assert len({first, second}) == 2
    assert min(map(len, (first, second))) >= 22  # 128 bits
    maker, handed = scorers.of(match_id)
    assert [(one.label, one.withdrawn) for one in (maker, handed)] == [(None, None), ("Dewi's phone", None)]
    assert scorers.holder(match_id, [second, first]) == maker.number
    assert scorers.holder(match_id, [second]) == handed.number
    assert scorers.holder(other, [first, second]) is None
    assert scorers.holder(match_id, []) is None
    assert scorers.holder(match_id, ["", "\ud800", first + "x"]) is None
    scorers.withdraw(other, handed.number)  # another match's page cannot
    assert scorers.match_of(second) == match_id
    with closing(Store(tmp_path)) as elsewhere:
        Scorers(elsewhere.connections).withdraw(match_id, handed.number)
    assert scorers.match_of(second) is None
    assert scorers.holder(match_id, [second]) is None
    assert scorers.match_of(first) == match_id
    gone = scorers.of(match_id)[1].withdrawn
    scorers.withdraw(match_id, handed.number)
    assert scorers.of(match_id)[1].withdrawn == gone is not None


def test_nothing_that_grants_writing_is_in_the_database(store: Store, scorers: Scorers, tmp_path: Path) -> None:
    token = scorers.make(new(store), "phone")
    DeviceNames(store.connections).call("device-id-in-a-cookie", "kitchen tablet")
    store.close()
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert b"kitchen tablet" in kept
    assert token.encode() not in kept
    assert b"device-id-in-a-cookie" not in kept


def test_a_device_is_called_what_it_was_called_last(store: Store) -> None:
    names = DeviceNames(store.connections)
    assert names.name("one") == ""
    for name in ("kitchen tablet", "Ani's phone", ""):
        names.call("one", name)
        assert names.name("one") == name
    assert names.name("other") == ""


def test_an_agreement_stands_while_its_standing_does(store: Store) -> None:
    agreements = Agreements(store.connections, clock=Clock())
    match_id = new(store)
    fill(store, match_id, SETTLED)
    match = store.load(match_id).match
    assert list(standings(match)) == [1]
    agreements.take_seat(match_id, "phone", "B")
    assert agreements.seat_of(match_id, "phone") == "B"
    assert agreements.seat_of(match_id, "another") is None
    for _ in range(2):
        agreements.agree(match_id, match, round_=1, seat="B", device="phone")
    (agreed,) = agreements.of(match_id, match)
    assert (agreed.round, agreed.team, agreed.seat, agreed.scores, agreed.stands) == (
        1,
        Team(("B",)),
        "B",
        (2, 0),
        True,
    )
    assert agreements.count(match_id) == 1

    def after(*events: Event) -> list[bool]:
        for event in events:
            seen = store.version(match_id)
            store.append(match_id, event, seen=seen, key="")
        return [one.stands for one in agreements.of(match_id, store.load(match_id).match)]

    log = len(match.log)
    assert after(Adjusted(Team(("A",)), -1, "later")) == [True]  # what comes after the round is not of its standing
    assert after(Undone(2)) == [False]
    assert after(Undone(log + 2)) == [True]  # the correction was itself taken back
    assert after(Closed("late")) == [True]
    with pytest.raises(KeyError):
        agreements.agree(match_id, match, round_=RESULT, seat="B", device="phone")
    ended = store.load(match_id).match
    agreements.agree(match_id, ended, round_=RESULT, seat="A", device="phone")
    with pytest.raises(OtherSideError):
        agreements.agree(match_id, ended, round_=RESULT, seat="B", device="phone")
    assert after(Undone(len(ended.log))) == [True, False]


def test_all_of_it_goes_with_its_match(tmp_path: Path) -> None:
    with closing(Store(tmp_path, clock=lambda: datetime.now(UTC) - timedelta(days=31))) as old:
        match_id = new(old)
        fill(old, match_id, SETTLED)
        Scorers(old.connections).make(match_id, None)
        agreements = Agreements(old.connections)
        agreements.take_seat(match_id, "phone", "A")
        agreements.agree(match_id, old.load(match_id).match, round_=1, seat="A", device="phone")
        old.delete(match_id)
    with closing(Store(tmp_path)) as store:
        assert store.purge() == 1
    with raw(tmp_path) as db:
        for table in ("scorers", "seats", "agreements"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
