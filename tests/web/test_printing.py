"""PDF and PNG: names of files, the same bytes each time, letters that are missing, and what of a page is taken along."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from fiveup_ref.engine.events import Noted
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.store import Store
from fiveup_ref.web import create_app
from fiveup_ref.web.paper import Node, paper
from fiveup_ref.web.printing import LACKING, pdf, printable

from .device import Device
from .matches import ended_two, keep, opened, plays, settled

PROJECT: Final = Path(__file__).resolve().parents[2]
POLISH: Final = (
    'attachment; filename="Swietokrzyskie  2026-05-03.pdf"; '
    "filename*=UTF-8''%C5%9Awi%C4%99tokrzyskie%20%E7%8E%8B%202026-05-03.pdf"
)
PAGE: Final = "<body class='sheet'><h1>Friday</h1><main><p>so far</p></main></body>"


def as_file(markup: str) -> bytes:
    return pdf(markup, size="a4", across=False, language="en", lacking="Some letters are missing.")


# Files


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Friday table", 'attachment; filename="Friday table 2026-05-03.pdf"'),
        ("", 'attachment; filename="Five Up 2026-05-03.pdf"'),
        ("../../etc/passwd", 'attachment; filename="etc passwd 2026-05-03.pdf"'),
        ('a"b\\c:d*?<e>|\x07f', 'attachment; filename="a b c d e f 2026-05-03.pdf"'),
        ("Jumat\r\nX-Evil: 1", 'attachment; filename="Jumat X-Evil 1 2026-05-03.pdf"'),
        ("...", "attachment; filename=2026-05-03.pdf"),
        ("a" * 200, f'attachment; filename="{"a" * 80} 2026-05-03.pdf"'),
        ("Świętokrzyskie 王", POLISH),
    ],
)
def test_a_file_is_called_by_title_and_local_date(client: FlaskClient, store: Store, title: str, name: str) -> None:
    """RFC 6266, and K81: five past midnight at the table is still the day before in London."""
    match_id = store.create(
        title=title,
        rules=PRESETS["five-up"].rules(2),
        players=("Ani", "Budi"),
        zone="+07:00",
        now=datetime(2026, 5, 2, 17, 5, tzinfo=UTC),
    )
    answer = client.get(f"/m/{match_id}/sheet.pdf")
    assert (answer.status_code, answer.mimetype) == (200, "application/pdf")
    assert answer.headers["Content-Disposition"] == name
    assert answer.data[:5] == b"%PDF-"


@pytest.mark.parametrize("query", ["", "form=short&paper=us-letter&across=1&tally=plain&o=1"])
def test_the_same_match_gives_the_same_bytes(store: Store, client: FlaskClient, query: str) -> None:
    """Whatever was printed between, and in an app that was started anew."""
    path = keep(store, [*ended_two(), settled(B="3-2"), *opened("A", "out"), *plays("A", "5-5")])
    first = client.get(f"{path}/sheet.pdf?{query}").data
    assert client.get("/blank.pdf").data != first
    again = create_app(store, secret_key="another", everyone_here=True).test_client()
    assert again.get(f"{path}/sheet.pdf?{query}").data == first
    store.append(path.split("/")[2], Noted("tea"), seen=store.version(path.split("/")[2]), key="")
    assert client.get(f"{path}/sheet.pdf?{query}").data != first


def test_another_process_makes_the_same_bytes() -> None:
    code = (
        "import sys; from fiveup_ref.web.printing import pdf;"
        f"sys.stdout.buffer.write(pdf({PAGE!r}, size='a4', across=False, language='en', lacking=''))"
    )
    made = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, check=True, capture_output=True).stdout
    assert made == as_file(PAGE)


@pytest.mark.parametrize(
    "query",
    [
        "form=tall",
        "form=",
        "tally=x",
        "o=2",
        "paper=a0",
        "paper=/etc/passwd",
        "across=yes",
        "form=short&form=full",
        "x=%00",
    ],
)
def test_wishes_that_nobody_can_have_are_as_usual(client: FlaskClient, store: Store, query: str) -> None:
    path = keep(store, opened())
    usual = client.get(f"{path}/sheet.pdf").data
    answer = client.get(f"{path}/sheet.pdf?{query}")
    assert answer.status_code == 200
    assert (answer.data == usual) == (not query.startswith("form=short"))
    assert client.get(f"/blank.pdf?for={query}").data == client.get("/blank.pdf").data


# Letters


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("", ""),
        ("Ani −3 ± 5 × 2 → „So“ … ‘ok’ – —", "Ani −3 ± 5 × 2 → „So“ … ‘ok’ – —"),
        ("İpek Đorđević Świątek Nguyễn Þór Ψυχή Ёлка", "İpek Đorđević Świątek Nguyễn Þór Ψυχή Ёлка"),
        ("مريم", "مريم"),
        ("王小明", LACKING),
        ("王小明 Ming 李", f"{LACKING} Ming {LACKING}"),
        ("👨‍👩‍👧‍👦!", f"{LACKING}!"),
        ("Ani☺\N{VARIATION SELECTOR-16}", "Ani☺\N{VARIATION SELECTOR-16}"),
        ("ไทย", LACKING),
        ("\U000f0000x", f"{LACKING}x"),
        ("]^-\\[王", f"]^-\\[{LACKING}"),
    ],
)
def test_letters_that_the_fonts_lack(text: str, printed: str) -> None:
    assert printable(text) == printed
    assert printable(printed) == printed


def test_players_whose_letters_are_missing_are_still_told_apart(client: FlaskClient, store: Store) -> None:
    seen: list[str] = []
    path = keep(store, opened(), names=("王小明", "李小龙"))
    page = client.get(f"{path}/sheet").text
    assert page.count("王小明") > 2
    app = client.application
    with app.app_context():
        from fiveup_ref.web import sheets  # noqa: PLC0415 - looked at from inside

        with app.test_request_context():
            seen.append(sheets._sheet_page(store.load(path.split("/")[2]), sheets.wishes(), file=True))
    assert f"{LACKING} (A)" in seen[0]
    assert f"{LACKING} (B)" in seen[0]


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=40))
def test_any_text_can_be_printed(text: str) -> None:
    """Whatever is typed: typst reads no mark-up in it, and nothing makes it stop."""
    node = f"<bdi>{text.replace('&', '&amp;').replace('<', '&lt;')}</bdi>"
    made = as_file(f"<h1>{node}</h1><main><table><tr><td>{node}</td></tr></table><p>{node}</p></main>")
    assert made[:5] == b"%PDF-"


@pytest.mark.parametrize(
    "name", ["#panic()", "$x$", "*Ani*", "_a_", "\\", "@x", "<x>", "= Ani", "`x`", "https://x.y", "[", "#{"]
)
def test_a_name_is_never_read_as_mark_up(app: Flask, store: Store, name: str) -> None:
    device = Device(app)
    path = keep(store, [*ended_two(), settled(B="3-2")], names=(name, "Budi"), title=name)
    assert device.client.get(f"{path}/sheet.pdf").status_code == 200


# What of a page is taken along


def texts(node: Node) -> str:
    return "".join(kid if isinstance(kid, str) else texts(kid) for kid in node.kids)


def test_forms_and_what_is_for_the_screen_stay_behind() -> None:
    heading, main = paper(
        "<body class='sheet blank'><header><h1 class='x'>Friday</h1><a>Table</a></header><main><form>f<p>f</p></form>"
        "<p class='screen-only'>s<br>s</p>\n <section>\n<p>a &amp; b<br>c</p> </section></main><footer>foot</footer></body>"
    )
    assert (heading.classes, main.classes) == (["x", "sheet", "blank"], ["sheet", "blank"])
    assert texts(main) == "a & bc"


def test_a_picture_is_a_file_of_its_own() -> None:
    (main,) = paper(
        '<main><svg viewBox="0 0 1 1" aria-label="x"><title>&lt;b&gt;</title><g><path d="M0 0"/></g></svg></main>'
    )
    (picture,) = main.kids
    assert isinstance(picture, Node)
    assert picture.more == {
        "alt": "x",
        "svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" aria-label="x"><title>&lt;b&gt;</title>'
        '<g><path d="M0 0"/></g></svg>',
    }


@pytest.mark.parametrize(
    ("markup", "columns"),
    [
        ("<table><tr><td>1</td><td>2</td></tr></table>", 2),
        ("<table><thead><tr><th rowspan='2'>1</th><th colspan='3'>2</th></tr><tr></tr></thead></table>", 4),
        ("<table><tbody></tbody></table>", 0),
    ],
)
def test_a_table_knows_its_columns(markup: str, columns: int) -> None:
    (main,) = paper(f"<main>{markup}</main>")
    (table,) = main.kids
    assert isinstance(table, Node)
    assert table.more["columns"] == columns


def test_names_may_break_and_run_their_own_way() -> None:
    (main,) = paper(f"<main><p><bdi>{'W' * 20}</bdi> <bdi>مريم</bdi> <bdi>Ani</bdi></p></main>")
    text = texts(main)
    assert text.replace("\u200b", "").startswith("W" * 20)
    assert text.count("\u200b") == 13  # never before the fourth letter, nor after the last but three
    assert text.endswith("\u2068مريم\u2069 Ani")
