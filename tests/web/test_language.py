"""Languages: complete catalogues, no text outside them, the right language for each request."""

from __future__ import annotations

import ast
import html
import io
import random
import re
import threading
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter
from time import perf_counter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import Environment
from wtforms.i18n import get_translations

from fiveup_ref.engine.events import AGREED, Closed, Event, Played, RoundOpened, Settled
from fiveup_ref.engine.faults import Fault
from fiveup_ref.engine.rules import FIELDS, PRESETS, Settling, TargetCheck
from fiveup_ref.engine.scoring import Left
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store
from fiveup_ref.web import create_app
from fiveup_ref.web.language import (
    FORM_SENTENCES,
    LANGUAGES,
    WORDS,
    catalogue,
    in_zone,
    local_time,
    preferred,
    say_sentence,
)

from .device import Device

PROJECT = Path(__file__).resolve().parents[2]
TRANSLATIONS = PROJECT / "fiveup_ref" / "web" / "translations"
TRANSLATED = [language for language in LANGUAGES if language != "en"]
TEMPLATES = sorted((PROJECT / "templates").rglob("*.html"))


# Catalogues


@cache
def extracted() -> Catalog:
    """Every sentence of the code and the templates, as `pybabel extract -F pyproject.toml .` finds them."""
    mappings = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["babel"]["mappings"]
    methods = [(one["pattern"], one["method"]) for one in mappings]
    options = {
        one["pattern"]: {name: one[name] for name in one if name not in ("pattern", "method")} for one in mappings
    }
    found = Catalog()
    for _file, _line, sentence, _comments, context in extract_from_dir(PROJECT, methods, options):
        found.add(sentence, context=context)
    return found


def read(language: str) -> Catalog:
    with (TRANSLATIONS / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def sentences(messages: Catalog) -> list[Message]:
    return [message for message in messages if message.id]


def forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """The forms of a sentence: one, or one for each plural."""
    return (text,) if isinstance(text, str) else tuple(text or ())


def test_extraction_finds_code_and_templates() -> None:
    found = {forms(message.id)[0] for message in sentences(extracted())}
    assert len(found) > 200
    assert {Fault.NO_FIT.value, "Why?", "no score", "points_per_five", "Not a valid choice."} <= found


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_translated(language: str) -> None:
    ours = read(language)
    wanted = {message.id for message in sentences(extracted())}
    there = {message.id for message in sentences(ours)}
    assert sorted(map(forms, wanted - there)) == [], "not in the catalogue"
    assert sorted(map(forms, there - wanted)) == [], "not used any more"
    assert [message.id for message in sentences(ours) if message.fuzzy] == []
    assert list(ours.obsolete) == []
    for message in sentences(ours):
        said = forms(message.string)
        assert len(said) == (ours.num_plurals if message.pluralizable else 1), message.id
        assert all(said), message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_an_update_has_nothing_to_change(language: str) -> None:
    """No header, no places in the code, in the order of pybabel: a change shows only what was changed."""
    ours = read(language)
    ours.update(extracted(), no_fuzzy_matching=True)
    written = io.BytesIO()
    write_po(written, ours, no_location=True, omit_header=True, sort_output=True, ignore_obsolete=True)
    assert (TRANSLATIONS / f"{language}.po").read_text("utf-8") == written.getvalue().decode("utf-8")


def percent_fields(text: str) -> list[str]:
    """The `%(name)s` fields, and any other percent sign, which would break the sentence."""
    return sorted(set(re.findall(r"%\(\w+\)[a-z]|%%?", text)))


def brace_fields(text: str) -> list[str]:
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name is not None})


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_agree(language: str) -> None:
    for message in sentences(read(language)):
        written = forms(message.id)[-1]
        for said in forms(message.string):
            assert percent_fields(said) == percent_fields(written), written
            assert brace_fields(said) == brace_fields(written), written


@pytest.mark.parametrize("language", TRANSLATED)
def test_ends_of_sentences_agree(language: str) -> None:
    """Full stops, question marks and colons, and the spaces around a word that joins others."""
    for message in sentences(read(language)):
        written = forms(message.id)[-1]
        for said in forms(message.string):
            assert said[: -len(said.lstrip()) or None].isspace() == written[: -len(written.lstrip()) or None].isspace()
            assert re.findall(r"[\s.:?…]*$", said) == re.findall(r"[\s.:?…]*$", written), written


@pytest.mark.parametrize("language", LANGUAGES)
def test_identifiers_are_said_in_words(language: str) -> None:
    assert set(FIELDS) | set(PRESETS) | set(Settling) | set(TargetCheck) | {"players", "yes", "no"} == WORDS
    said = {word: catalogue(language).gettext(word) for word in WORDS}
    assert {word: text for word, text in said.items() if re.search(r"[_-]", text)} == {}
    assert len(set(said.values())) == len(WORDS)


def test_english_has_only_words_of_its_own() -> None:
    assert {forms(message.id)[0] for message in sentences(read("en"))} <= WORDS
    assert catalogue("en").gettext("Why?") == "Why?"
    assert [catalogue("en").ngettext("%(num)s tile", "%(num)s tiles", number) for number in (0, 1, 2)] == [
        "%(num)s tiles",
        "%(num)s tile",
        "%(num)s tiles",
    ]


@pytest.mark.parametrize("number", [0, 1, 2, 5, 28])
def test_indonesian_has_one_form_for_every_number(number: int) -> None:
    assert catalogue("id").ngettext("%(num)s tile", "%(num)s tiles", number) == "%(num)s ubin"


def test_wtforms_says_the_sentences_listed_for_it() -> None:
    """A sentence that WTForms words otherwise would never be found; its German file knows those it says."""
    german = get_translations(["de"])
    for one in FORM_SENTENCES:
        singular = one.replace("characters", "character")
        assert (german.gettext(one), german.ngettext(singular, one, 2)) != (one, one)


# Text in templates

SPOKEN = {"alt", "aria-description", "aria-label", "aria-roledescription", "label", "placeholder", "title"}
WORD = re.compile(r"[^\W\d_]{2,}")


class BareText(HTMLParser):
    """Collects what a page would show or say in words that are not in a catalogue."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        if self.cdata_elem is None and WORD.search(data):
            self.found.append(data.strip())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        button = tag == "input" and ("type", "submit") in attrs
        for name, value in attrs:
            if (name in SPOKEN or (button and name == "value")) and WORD.search(value or ""):
                self.found.append(f"{name}={value}")


@pytest.mark.parametrize("path", sorted((PROJECT / "static").glob("*.js")), ids=lambda path: path.name)
def test_scripts_hold_no_sentence(path: Path) -> None:
    """What a script shows comes from the page, in its language; a comment may speak English."""
    code = re.sub(r"(?m)//.*$|/\*[\s\S]*?\*/", "", path.read_text("utf-8"))
    assert re.findall(r"""["'`>][A-Z][a-z]+ [a-z]+""", code) == []


CLASSES = re.compile(r"\{% block (?:body_class|body_data|main_data) %\}.*?\{% endblock %\}")


def bare_text(template: str) -> list[str]:
    """The text of a template outside its expressions, statements and comments; the block of CSS classes is none."""
    tokens = Environment(autoescape=True).lex(CLASSES.sub("", template))
    parser = BareText()
    parser.feed("".join(value for _line, kind, value in tokens if kind == "data"))
    parser.close()
    return parser.found


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_hold_no_text_outside_the_catalogues(path: Path) -> None:
    assert bare_text(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("<p>Pass</p>", ["Pass"]),
        ('<p>{{ _("Pass") }}</p>', []),
        ("<p>{# Pass #}{% if page %}Pass{% endif %}</p>", ["Pass"]),
        ('<button aria-label="Draw a tile">+</button>', ["aria-label=Draw a tile"]),
        ('<button aria-label="{{ _("Draw") }}">+</button>', []),
        ('<input{% if x %} title="Nama"{% endif %}>', ["title=Nama"]),
        ('<input type="submit" value="Save"><input type="hidden" value="five-up">', ["value=Save"]),
        ("<p>A · 5 → −1 × {{ x }}</p>", []),
        ("<style>p { color: red }</style><p>&eacute;t&eacute;</p>", ["été"]),
    ],
)
def test_bare_text(template: str, found: list[str]) -> None:
    assert bare_text(template) == found


# Which language

GARBAGE = random.Random(5)


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("id-ID, en-US;q=0.7, en;q=0.3", "id"),
        ("id-ID,id;q=0.9,en-US;q=0.8,en;q=0.7", "id"),
        ("id-ID, en;q=0.5", "id"),
        ("in-ID", "id"),
        ("ID", "id"),
        ("en;q=0.5, id", "id"),
        ("en ; q=0.5 , id ; q=0.6", "id"),
        ("fr, id;q=0.2", "id"),
        ("nl, en;q=0.5, id;q=0.4", "en"),
        ("en, id", "en"),
        ("en-GB, id", "en"),
        ("id;q=0", "en"),
        ("id;q=0.0, en;q=0.1", "en"),
        ("id;q=2", "en"),
        ("id;q=-1", "en"),
        ("id;q=nan", "en"),
        ("id;q=inf", "en"),
        ("id;q=", "en"),
        ("id;q=much", "en"),
        ("*", "en"),
        ("*;q=0.5", "en"),
        ("fr", "en"),
        ("idn, ind", "en"),
        ("", "en"),
        (",;=,q=;;\x00\u20ac,-,;q", "en"),
    ],
)
def test_preferred(header: str, language: str) -> None:
    assert preferred(header) == language


@pytest.mark.parametrize(
    "header",
    [
        "," * 10_000,
        ";" * 10_000,
        "id-" * 3_333,
        "id;q=" + "9" * 10_000,
        "id;q=0." + "0" * 10_000,
        "fr;q=0.1," * 1_111,
        "".join(GARBAGE.choices("idenq=;,.0123456789-* \u0660\xb2", k=10_000)),
        "".join(map(chr, GARBAGE.choices(range(0x11000), k=10_000))),
    ],
    ids=["commas", "semicolons", "hyphens", "nines", "zeros", "wishes", "nearly", "anything"],
)
def test_preferred_reads_ten_kilobytes_quickly(header: str) -> None:
    began = perf_counter()
    assert preferred(header) in LANGUAGES
    assert perf_counter() - began < 0.5


# The app


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path)
    yield store
    store.close()


@pytest.fixture
def app(store: Store) -> Flask:
    return create_app(store, secret_key="for tests", everyone_here=True)


def tile(text: str) -> Tile:
    return Tile.parse(text)


OPENED: list[Event] = [RoundOpened("A", AGREED)]
PLAYED: list[Event] = [*OPENED, Played("A", tile("5-5")), Played("B", tile("5-0"), tile("5-5"))]
ENDED: list[Event] = [
    *PLAYED,
    Played("A", tile("5-4"), tile("5-5")),
    Played("B", tile("4-4"), tile("5-4")),
    Played("A", tile("0-0"), tile("5-0")),
    Played("B", tile("4-1"), tile("4-4")),
    Played("A", tile("1-1"), tile("4-1")),
    Played("B", tile("1-0"), tile("1-1")),
    Played("A", tile("6-5"), tile("5-5")),
]
SETTLED: list[Event] = [*ENDED, Settled((("B", Left.of([tile("3-2")])),))]
PHASES: dict[str, list[Event]] = {
    "open": [],
    "set": OPENED,
    "play": PLAYED,
    "settle": ENDED,
    "open again": SETTLED,
    "over": [*SETTLED, Closed("late")],
}


def match_with(store: Store, log: Sequence[Event]) -> str:
    match_id = store.create(title="", rules=PRESETS["five-up"].rules(2), players=("Ani", "Budi"), zone="+07:00")
    for seen, event in enumerate(log):
        store.append(match_id, event, seen=seen, key="")
    return match_id


def token(page: str) -> str:
    found = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page)
    assert found
    return found[1]


def language_of(page: str) -> str:
    found = re.findall(r"<html[^>]*\blang=\"([^\"]*)\"", page)
    assert len(found) == 1
    return str(found[0])


def asks_for(language: str) -> dict[str, str]:
    return {"Accept-Language": f"{language}, *;q=0.1"}


def choose(client: FlaskClient, language: str) -> None:
    page = client.get("/").text
    answer = client.post("/language", data={"csrf_token": token(page), "language": language, "back": "/"})
    assert answer.status_code == 303


@cache
def english_only() -> list[str]:
    """Sentences that would be seen on an Indonesian page only by mistake."""
    return [
        html.escape(message.id)
        for message in sentences(read("id"))
        if isinstance(message.id, str) and len(message.id) > 11 and not re.search(r"[{%]", message.id)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_says_its_language(language: str, app: Flask, store: Store) -> None:
    client = app.test_client()
    matches = [match_with(store, log) for log in PHASES.values()]
    paths = [
        "/",
        "/new",
        "/blank",
        "/nowhere",
        "/m/nobody",
        "/judge",
        "/rules",
        "/judge/sheet",
        "/display",
        "/rule-sets",
    ]
    parts = ("", "/sheet", "/judge", "/pictures", "/history", "/manage", "/facing", "/what-if?game=muggins")
    paths += [f"/m/{one}{part}" for one in matches for part in parts]
    answers = [client.get(path, headers=asks_for(language)) for path in paths]
    answers.append(client.post("/new", headers=asks_for(language)))
    assert sorted({answer.status_code for answer in answers}) == [200, 400, 404]
    for answer in answers:
        assert language_of(answer.text) == language
        assert "Accept-Language" in answer.vary
        if language == "id":
            text = re.sub(
                r'(?<![-\w])(?:name|id|for|value|href|action|class|aria-describedby)="[^"]*"', "", answer.text
            )
            assert [one for one in english_only() if one in text] == []


@pytest.mark.parametrize("phase", PHASES)
def test_pages_differ_in_nothing_but_their_language(phase: str, app: Flask, store: Store) -> None:
    """The same fields and buttons, whichever the language: the forms of one work in the other."""
    client = app.test_client()
    path = f"/m/{match_with(store, PHASES[phase])}"
    english, indonesian = (client.get(path, headers=asks_for(language)).text for language in ("en", "id"))
    assert english != indonesian
    fields = r'(?<![-\w])(?:name|action|id|class)="([^"]*)"'
    assert re.findall(fields, english) == re.findall(fields, indonesian)


@pytest.mark.parametrize(("asked", "chosen"), [("en", "id"), ("id", "en")])
def test_what_was_chosen_on_the_device_counts_before_what_the_browser_asks(asked: str, chosen: str, app: Flask) -> None:
    client = app.test_client()
    assert language_of(client.get("/", headers=asks_for(asked)).text) == asked
    choose(client, chosen)
    assert language_of(client.get("/", headers=asks_for(asked)).text) == chosen
    choose(client, "tlh")
    assert language_of(client.get("/", headers=asks_for(asked)).text) == chosen


def test_a_language_never_leaks_into_another_request(app: Flask, store: Store) -> None:
    """200 requests, eight at a time: half by header, half by what was chosen on the device."""
    path = f"/m/{match_with(store, PLAYED)}"
    together = threading.Barrier(8)
    undo = {"en": "Undo: Budi 5-0 on 5-5", "id": "Batalkan: Budi 5-0 ke 5-5"}

    def ask(worker: int) -> list[tuple[str, str]]:
        client = app.test_client()
        mine = "id" if worker % 2 else "en"
        other = "en" if mine == "id" else "id"
        if worker < 4:
            choose(client, mine)
        together.wait(20)
        wrong = []
        for _ in range(25):
            page = client.get(path, headers=asks_for(other if worker < 4 else mine)).text
            if language_of(page) != mine or undo[mine] not in page or undo[other] in page:
                wrong.append((mine, page))
        return wrong

    with ThreadPoolExecutor(8) as pool:
        assert [wrong for one in pool.map(ask, range(8)) for wrong in one] == []


def test_forms_complain_in_the_language_of_the_page(app: Flask) -> None:
    client = app.test_client()
    sent = {"players": "9", "deal": "5", "target": "61", "title": "x" * 61, "key": "0123456789"}
    for language, complaints in {
        "en": ["Not a valid choice.", "Field cannot be longer than 60 characters.", "Enter a name."],
        "id": ["Pilihan ini tidak ada.", "Paling panjang 60 karakter.", "Isi nama."],
    }.items():
        data = {**sent, "csrf_token": token(client.get("/new").text)}
        answer = client.post("/new", data=data, headers=asks_for(language))
        assert answer.status_code == 422
        assert [one for one in complaints if one not in answer.text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_the_engine_can_be_said(language: str, app: Flask) -> None:
    """With names for seats, and every field filled in."""
    engine = [text for message in sentences(extracted()) for text in forms(message.id)[:1] if brace_fields(text)]
    assert len(engine) > 60
    names = {"A": "Ani", "B": "Budi"}
    with app.test_request_context(headers=asks_for(language)):
        for sentence in engine:
            fields = {name: {"seat": "A", "other": "B"}.get(name, f"<{name}>") for name in brace_fields(sentence)}
            filled = {name: names.get(value, value) for name, value in fields.items()}
            said = say_sentence(sentence, fields, names)
            assert [value for value in filled.values() if value not in said] == [], sentence
            assert not re.search(r"[{}]", said)
            assert (said == sentence.format(**filled)) == (language == "en"), sentence


@pytest.mark.parametrize(
    ("field", "language", "said"),
    [
        ("points_per_five", "en", "points for five raw"),
        ("points_per_five", "id", "poin tampilan per 5 poin mentah"),
        ("Draw", "id", "Draw"),
        ("", "id", ""),
    ],
)
def test_only_identifiers_are_put_into_words(field: str, language: str, said: str, app: Flask) -> None:
    """What somebody typed stays as it is, even where it happens to be a sentence of the app."""
    with app.test_request_context(headers=asks_for(language)):
        sentence = catalogue(language).gettext(Fault.NO_SUCH_FIELD)
        shown = say_sentence(Fault.NO_SUCH_FIELD, {"field": field, "fields": "target"}, {})
    assert shown == sentence.format(field=said, fields="target")


# Dates


@pytest.mark.parametrize(
    ("language", "moment", "zone", "shown"),
    [
        ("id", "2026-05-03T05:05", "+07:00", "3 Mei 2026, 12.05"),
        ("id", "2026-05-02T17:05", "+07:00", "3 Mei 2026, 00.05"),
        ("en", "2026-05-03T05:05", "+07:00", "3 May 2026, 12:05 PM"),
        ("en", "2026-05-02T17:05", "+07:00", "3 May 2026, 12:05 AM"),
        ("id", "2026-08-17T23:30", "-03:30", "17 Agustus 2026, 20.00"),
        ("en", "2026-08-17T23:30", "-03:30", "17 August 2026, 8:00 PM"),
        ("id", "2026-12-31T23:59", "", "31 Desember 2026, 23.59"),
        ("en", "2026-12-31T23:59", "", "31 December 2026, 11:59 PM"),
    ],
)
def test_dates(language: str, moment: str, zone: str, shown: str, app: Flask) -> None:
    with app.test_request_context(headers=asks_for(language)):
        assert local_time(datetime.fromisoformat(moment).replace(tzinfo=UTC), zone) == shown


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("+07:00", "2026-11-30T03:15:00+07:00"),
        ("-03:30", "2026-11-29T16:45:00-03:30"),
        ("+00:00", "2026-11-29T20:15:00+00:00"),
        ("", "2026-11-29T20:15:00+00:00"),
    ],
)
def test_in_zone(zone: str, shown: str) -> None:
    moment = datetime(2026, 11, 29, 20, 15, tzinfo=UTC)
    assert in_zone(moment, zone).isoformat() == shown
    assert in_zone(moment, zone) == moment


# What stays English on an Indonesian page


def test_every_sentence_the_code_asks_for_is_extracted() -> None:
    """A call inside an f-string is not: its sentence would stay English without a word from anybody."""
    known = {forms(message.id)[0] for message in sentences(extracted())}
    asked = {
        call.args[0].value
        for path in (PROJECT / "fiveup_ref").rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in {"_", "gettext", "ngettext"}
        if call.args and isinstance(call.args[0], ast.Constant)
    }
    assert len(asked) > 300
    assert asked - known == set()


@cache
def english_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Each sentence of two words or more, or of a word and what is filled in, whose Indonesian is another."""
    found = []
    for message in sentences(read("id")):
        for text in forms(message.id):
            parts = [re.escape(part) for part in re.split(r"%\(\w+\)[a-z]|\{\w+\}", text)]
            words = re.findall(r"[A-Za-z]{2,}", " ".join(re.split(r"%\(\w+\)[a-z]|\{\w+\}", text)))
            if text in forms(message.string) or not words or (len(words) < 2 and len(parts) < 2):
                continue
            found.append((text, re.compile(r"(?<!\w)" + r".{1,40}?".join(parts) + r"(?!\w)")))
    return tuple(found)


def left_in_english(text: str) -> list[str]:
    return [sentence for sentence, pattern in english_patterns() if pattern.search(text)]


WRONG_SHEET = "A ends 6-6 5 4 = 21 +1\nB ends 5 5 = 10 +3\nA 7-8\nB 5-4\nleft B 6 pips\nscore A 2 B -2"


def test_the_indonesian_rule_book_and_comparison_have_no_english(app: Flask) -> None:
    seeded = left_in_english("ubin awal (with 2 / 3 players), hitungan 21: no score")
    assert {"no score", "with %(players)s players"} <= set(seeded)
    device = Device(app, language="id")
    assert left_in_english(device.get("/rules").tree.one("main").text) == []
    form = device.get("/judge/sheet")
    for sides in ("2", "pairs"):
        sent = {"csrf_token": form.csrf, "record": WRONG_SHEET, "sides": sides}
        ruling = device.page("/judge/sheet", sent).tree.one("section", "ruling")
        assert len(ruling.one("tbody").all("tr")) >= 3
        assert left_in_english(ruling.text) == []
