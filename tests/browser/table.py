"""The pages of a match as a player uses them: what there is to tap, and what there is to read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from playwright.sync_api import Browser, Locator, Page

from fiveup_ref.engine.scoring import Left
from fiveup_ref.engine.tiles import Tile

PHONE: Final = (360, 740)
PATIENCE: Final = 20_000  # milliseconds; it is only ever waited out where something is wrong
# Everything that is compared after a step, in one round trip; innerText is only what can be seen.
_READ: Final = """() => {
  const text = one => one ? one.innerText.replace(/\\s+/g, " ").trim() : null;
  const read = selector => text(document.querySelector(selector));
  const last = document.querySelector(".result");
  const status = document.querySelector("[data-status]");
  const rows = selector => [...document.querySelectorAll(`.card ${selector}`)];
  return {
    phase: document.body.className.match(/phase-(\\w+)/)?.[1] ?? "",
    heading: read("h1"),
    refusal: read(".refusal"),
    scores: [...document.querySelectorAll(".box")].map(
      box => [box.dataset.team, text(box.querySelector("[data-score]")), text(box.querySelector(".names"))]),
    turn: read(".turn-name bdi"),
    asked: read(".ask"),
    last: last && {
      count: last.dataset.count, points: last.dataset.points,
      who: text(last.querySelector(".who")), sum: text(last.querySelector(".sum b")),
      made: text(last.querySelector(".made")),
    },
    status: status && [status.dataset.status, text(status)],
    boneyard: read(".actions small"),
    hands: rows(".working tbody tr").map(row => [...row.children].map(text)),
    teams: rows(".together li").map(text),
  };
}"""


def as_number(text: str) -> int:
    """A number as a page shows it, with a sign or without: `−2`, `+3`, `± 0`."""
    return int(text.replace("\N{MINUS SIGN}", "-").replace("± ", ""))


@dataclass(frozen=True)
class Last:
    """The last play: what its attributes say, and what can be read."""

    count: str
    points: str
    who: str
    sum: str | None
    made: str


@dataclass(frozen=True)
class Hand:
    """A line of a settlement; pips and points are None for who went out."""

    name: str
    tiles: str
    pips: int | None
    rounded: int | None
    points: int | None


@dataclass(frozen=True)
class Standing:
    """A team's line of a settlement: `Ani + Citra: 3 −1 = 2`."""

    name: str
    before: int
    change: int
    after: int


@dataclass(frozen=True)
class Shown:
    """All that a table page shows of a match; None where it shows no such thing."""

    phase: str
    heading: str
    refusal: str | None
    scores: Mapping[str, int]
    names: Mapping[str, str]
    turn: str | None
    asked: str | None
    last: Last | None
    status: tuple[str, str] | None
    boneyard: str | None
    hands: Sequence[Hand]
    teams: Sequence[Standing]


@contextmanager
def phone(
    browser: Browser,
    address: str,
    *,
    size: tuple[int, int] = PHONE,
    script: bool = True,
    dark: bool = False,
    language: str = "en",
    sharp: int = 1,
    worker: bool = False,
) -> Iterator[Page]:
    """A page of the app on a phone with a touch screen, or in a window of another size; `worker`: a service worker may run."""
    with browser.new_context(
        base_url=address,
        viewport={"width": size[0], "height": size[1]},
        device_scale_factor=sharp,
        has_touch=True,
        is_mobile=size[0] < 600,
        java_script_enabled=script,
        color_scheme="dark" if dark else "light",
        locale={"en": "en-GB", "id": "id-ID"}[language],
        service_workers="allow" if worker else "block",  # what goes through one, a test cannot hold up
    ) as context:
        context.set_default_timeout(PATIENCE)
        yield context.new_page()


def hurry(page: Page, pace: float = 100) -> None:
    """Let animations pass at another pace, on this page and those that follow.

    A new page takes no taps for a third of a second, since they may be the second half of a double tap.
    """
    session = page.context.new_cdp_session(page)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": pace})


def wait_until(page: Page, holds: str) -> None:
    """Wait until this expression holds on the page."""
    # Bare, it would be evaluated at each look, which the policy of the pages forbids; a function is evaluated once.
    page.wait_for_function(f"() => {holds}")


def takes_taps(page: Page) -> None:
    """Wait until the page takes taps and keys, which it does not just after an entry, refused or not."""
    wait_until(page, "document.querySelector('main').getAnimations().length === 0")


class Table:
    """A match on a phone. Every action taps what a player would tap."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def begin(
        self,
        names: Sequence[str],
        *,
        game: str = "five-up",
        alone: bool = False,
        house: Mapping[str, str] | None = None,
        title: str = "",
    ) -> None:
        """Make a match through the page for it and come to its table; `house` are settings as a record has them."""
        page = self.page
        page.goto("/")
        page.get_by_role("link", name="New match").tap()
        page.locator(f"#game-{game}").tap()
        page.locator("#players-single" if alone else f"#players-{len(names)}").tap()
        for field, name in zip("abcde", names, strict=False):
            page.locator(f"#name_{field}").fill(name)
        if house:
            page.locator("details.house summary").tap()
        for field, value in (house or {}).items():
            setting = page.locator(f"#{field}")
            if setting.evaluate("one => one.tagName") == "SELECT":
                setting.select_option(value)
            else:
                setting.fill(value)
        page.locator("#title").fill(title)
        page.get_by_role("button", name="Start the match").tap()
        page.wait_for_url("**/m/*")

    def enter(self, button: Locator) -> None:
        """Tap what makes an entry, and wait for what follows: a page, or its parts put in place by the script."""
        self.page.locator("main").evaluate("main => main.setAttribute('data-old', '')")
        button.tap()
        self.page.locator("main[data-old]").wait_for(state="detached")
        self.page.locator("main").wait_for()
        self.page.wait_for_load_state()  # a page with its styles, which say what can be read

    def seen(self) -> int:
        """How many entries the page knows of."""
        return int(self.page.locator('input[name="seen"]').first.input_value())

    def open(self, seat: str, by: str) -> None:
        """Who opens, and why: `lot` is a lot drawn by hand."""
        if by == "agreed":
            self.unfold('button[value$=" agreed"]')
        self.enter(self.page.locator(f'button[name="opener"][value="{seat} {by}"]'))

    def play(self, tile: Tile, onto: Tile | None) -> None:
        """One tap on the set's triangle, or on the grid."""
        self.enter(self.cell(f"{tile}>{onto}" if onto else f"{tile}"))

    def cell(self, play: str) -> Locator:
        """The cell of a play such as `5-0>5-5`."""
        return self.page.locator(f'button[name="play"][value="{play}"]')

    def draw(self, tiles: int | None) -> None:
        """One tap for each tile; None: nobody counted."""
        if tiles is None:
            self.unfold('button[name="tiles"]')
            self.enter(self.page.locator('button[name="tiles"][value="?"]'))
        for _ in range(tiles or 0):
            self.enter(self.page.locator('.actions form[action$="/draw"] button'))

    def pass_turn(self) -> None:
        """One tap."""
        self.enter(self.page.locator('.actions form[action$="/pass"] button'))

    def undo(self) -> None:
        """One tap."""
        self.enter(self.page.locator("button.undo"))

    def end(self, out: str | None) -> None:
        """Say that the round is over, where the page cannot know."""
        self.unfold('button[name="out"]')
        self.enter(self.page.locator(f'button[name="out"][value="{out or "blocked"}"]'))

    def unfold(self, inside: str) -> None:
        """Show what is seldom needed and therefore folded away."""
        self.page.locator("details.more", has=self.page.locator(inside)).locator("summary").tap()

    def leave(self, seat: str, left: Left) -> None:
        """Enter what a hand had left: its tiles by ticking, or else its pips by typing."""
        hand = self.page.locator(f'fieldset[data-seat="{seat}"]')
        if left.tiles is None:
            hand.locator('input[type="text"]').fill(str(left.pips))
        for tile in left.tiles or ():
            hand.locator(f'input[value="{tile}"]').tap()

    def work(self) -> tuple[list[str], list[str]]:
        """Ask for the working, which comes by itself where scripts run: the line of each hand, those of the teams."""
        self.page.locator('button[name="do"][value="work"]').tap()
        self.page.locator("form.settle .together").wait_for()
        hands, teams = self.page.locator("fieldset .work"), self.page.locator("form.settle .together li")
        return hands.all_inner_texts(), teams.all_inner_texts()

    def settle(self) -> None:
        """Settle with the leftovers entered."""
        self.enter(self.page.locator('button[name="do"][value="settle"]'))

    def shown(self) -> Shown:
        """What the page shows now."""
        read = self.page.evaluate(_READ)
        return Shown(
            phase=read["phase"],
            heading=read["heading"],
            refusal=read["refusal"],
            scores={team: as_number(score) for team, score, _ in read["scores"]},
            names={team: names for team, _, names in read["scores"]},
            turn=read["turn"],
            asked=read["asked"],
            last=read["last"] and Last(**read["last"]),
            status=read["status"] and tuple(read["status"]),
            boneyard=read["boneyard"],
            hands=[_hand(cells) for cells in read["hands"]],
            teams=[_standing(line) for line in read["teams"]] if read["phase"] != "settle" else [],
        )


def _hand(cells: Sequence[str]) -> Hand:
    if len(cells) < 5:  # who went out, or a hand that a winner takes
        pips = as_number(cells[2]) if len(cells) > 2 else None
        return Hand(cells[0], cells[1], pips, None, None)
    name, tiles, *numbers = cells
    return Hand(name, tiles, *map(as_number, numbers))


def _standing(line: str) -> Standing:
    written = re.fullmatch(r"(.+): (\S+) (± 0|\S+) = (\S+)", line)
    if written is None:
        raise ValueError(f"not the standing of a team: {line}")
    return Standing(written[1], *map(as_number, written.groups()[1:]))
