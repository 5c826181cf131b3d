"""The screen on the wall, as the server sends it."""

from __future__ import annotations

import pytest
from flask import Flask

from fiveup_ref.agreements import RESULT, Agreements
from fiveup_ref.engine.events import Amended, Drew, Event, RoundEnded, Undone
from fiveup_ref.engine.seats import Team
from fiveup_ref.store import Store

from .device import Device
from .matches import ended_two, keep, lead, opened, plays, settled


@pytest.mark.parametrize(
    ("log", "last", "status"),
    [
        ([], "", ""),
        (opened(), "", ""),
        ([*opened(), *plays("AB", "5-5 5-0>5-5")], "Budi 5-0 on 5-5 +2 5-5 10 + 0 = 10", ""),
        (
            [*ended_two(A=60), settled(B="3-2")],
            "Settlement of round 1",
            "won",
        ),
    ],
)
def test_it_shows_all_that_is_asked_for_across_a_room(
    lan: Flask, store: Store, log: list[Event], last: str, status: str
) -> None:
    path = keep(store, log)
    page = Device(lan, path, address="192.168.1.30").get(f"{path}/board")
    table = Device(lan, path).get()
    assert [team.one(of="team-score").text for team in page.tree.all(of="team")] == list(table.scores.values())
    assert "target 61 points" in page.tree.one("h1").text
    assert page.tree.texts(of="turn-name") == table.tree.texts(of="turn-name")
    assert [text.startswith(last) for text in page.tree.texts("section", of="last-play")] == [True] * bool(last)
    assert page.status_line[0] == status
    assert page.tree.one("main").all("form") == []
    assert page.tree.one("main").get("data-seen") == str(len(log))
    refresh = page.tree.one("noscript").one("meta")
    assert (refresh.get("http-equiv"), refresh.get("content")) == ("refresh", "2")


@pytest.mark.parametrize(
    ("log", "changes", "said", "said_id"),
    [
        ([], {}, "Round 1 is opened by lot.", "Pembuka ronde 1 ditentukan dengan undian."),
        ([], {"double_opens": "yes"}, "Who holds the highest double?", "Siapa "),
        (opened("B"), {}, "B<udi sets the first tile.", "B<udi memasang ubin pertama."),
        ([*opened(), *plays("AB", "5-5 5-0>5-5")], {}, "", ""),
        (
            ended_two(),
            {},
            "Ani went out. The others count what they have left.",
            "Ani habis. Yang lain menghitung sisa ubinnya.",
        ),
        (
            [*opened(), *plays("A", "5-5"), Drew("B", None), RoundEnded(None)],
            {},
            "The round is blocked. Everybody counts what is left.",
            "Ronde buntu. Semua menghitung sisa ubinnya.",
        ),
        ([*ended_two(), settled(B="3-2")], {}, "Ani opens round 2.", "Ani membuka ronde 2."),
        ([*ended_two(A=60), settled(B="3-2")], {}, "", ""),
    ],
)
def test_what_everybody_waits_for_is_said_as_to_those_who_watch(
    lan: Flask, store: Store, log: list[Event], changes: dict[str, str], said: str, said_id: str
) -> None:
    path = keep(store, log, changes=changes, names=("Ani", "B<udi"))
    for language, words in (("en", said), ("id", said_id)):
        viewer = Device(lan, path, address="192.168.1.30", language=language)
        found = [viewer.get(f"{path}{view}").tree.texts("p", of="ask") for view in ("", "/board")]
        assert found[0] == found[1]
        assert [text[: len(words)] for text in found[1]] == [words] * bool(words)


def test_who_has_agreed_and_who_no_longer_does(lan: Flask, store: Store) -> None:
    agreements = Agreements(store.connections)
    screen = Device(lan, address="192.168.1.30")

    def said() -> list[str]:
        return screen.get(f"{path}/board").tree.texts("p", of="agreed")

    for log, round_ in (([*ended_two(), settled(B="3-2")], 1), ([*ended_two(A=60), settled(B="3-2")], RESULT)):
        path = keep(store, log)
        match_id, match = path[3:], store.load(path[3:]).match
        assert said() == []
        for seat in "AB":
            agreements.agree(match_id, match, round_=round_, seat=seat, device=seat)
        assert said() == ["✓ Agreed: Ani · Budi"]
        agreements.take_back(match_id, match, round_=round_, team=Team(("A",)), device="A")
        assert said() == ["✓ Agreed: Budi", "✗ No longer agreed: Ani"]
        store.append(match_id, Amended(len(log), settled(B="6-6")), seen=len(log), key="")
        assert said() == ["✗ No longer agreed: Ani · Budi"]
        agreements.agree(match_id, store.load(match_id).match, round_=round_, seat="B", device="B")
        assert said() == ["✓ Agreed: Budi", "✗ No longer agreed: Ani"]
        store.append(match_id, Undone(len(log) + 1), seen=len(log) + 1, key="")  # to what both had agreed to
        assert said() == ["✓ Agreed: Budi", "✗ No longer agreed: Ani"]
        store.append(match_id, Undone(len(log)), seen=len(log) + 2, key="")
        assert said() == []


def test_why_a_score_does_not_count_is_said_as_at_the_table(lan: Flask, store: Store) -> None:
    path = keep(store, [*opened(), *plays("A", "5-0")], changes={"get_in": "10"})
    page = Device(lan, path).get(f"{path}/board")
    assert page.tree.texts(of="last-why")[-1] == "It is too little to get in, so it is not scored."


@pytest.mark.parametrize("before", [[], opened(), [*ended_two(), settled(B="3-2")]])
@pytest.mark.parametrize("view", ["", "/board", "/facing"])
def test_scores_that_were_adjusted_have_their_adjustments_beside_them(
    lan: Flask, store: Store, before: list[Event], view: str
) -> None:
    path = keep(store, [*before, *lead(A=5), *lead(B=-2)])
    text = Device(lan, path).get(path + view).tree.one("main").text
    assert "Ani +5: head start" in text
    assert "Budi −2: head start" in text


def test_an_adjustment_is_old_once_there_is_a_score(lan: Flask, store: Store) -> None:
    path = keep(store, [*opened(), *lead(A=5), *plays("AB", "5-5 5-0>5-5")])
    assert "head start" not in Device(lan, path).get(f"{path}/board").tree.one("main").text
