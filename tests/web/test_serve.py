"""Serving: where the data lies, its key, and the real server from its start to Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Final

import pytest

from fiveup_ref.store import Store
from fiveup_ref.web.options import data_folder, options
from fiveup_ref.web.serve import application, secret_key, serve

from .device import Page, read
from .matches import keep

PROJECT: Final = Path(__file__).resolve().parents[2]
POSIX: Final = os.name == "posix"


# The key


def test_the_key_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    key = secret_key(tmp_path)
    assert len(key) == 64
    assert secret_key(tmp_path) == key
    assert (tmp_path / "secret_key").read_text("ascii") == key
    if POSIX:
        assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_each_folder_has_its_own_key(tmp_path: Path) -> None:
    keys = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        keys.append(secret_key(tmp_path / name))
    assert len(set(keys)) == 2


def test_a_key_that_was_cut_off_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "secret_key").touch()
    key = secret_key(tmp_path)
    assert len(key) == 64
    assert secret_key(tmp_path) == key


# The folder


def test_the_usual_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert data_folder().name == "fiveup_ref"
    assert data_folder().is_absolute()
    if sys.platform == "linux":
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        assert data_folder() == tmp_path / "fiveup_ref"
        monkeypatch.setenv("XDG_DATA_HOME", "")
        monkeypatch.setenv("HOME", str(tmp_path))
        assert data_folder() == tmp_path / ".local" / "share" / "fiveup_ref"


def refused(*arguments: str) -> str:
    """The one line with which a start ends."""
    with pytest.raises(SystemExit) as ended:
        serve(arguments)
    line = str(ended.value.code)
    assert line
    assert "\n" not in line
    return line


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    line = refused("--data", str(tmp_path / "file"))
    assert line == f"The data folder {tmp_path / 'file'} cannot be used: File exists."
    line = refused("--data", str(tmp_path / "file" / "data"))
    assert line == f"The data folder {tmp_path / 'file' / 'data'} cannot be used: Not a directory."


def test_a_key_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "secret_key").mkdir()
    assert refused("--data", str(tmp_path)) == f"The data folder {tmp_path} cannot be used: Is a directory."


def test_a_database_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "fiveup.db").write_bytes(b"a photograph" * 1_000)
    line = refused("--data", str(tmp_path))
    assert line == f"The database in {tmp_path} is damaged: file is not a database. There is no good backup of it."


def test_a_database_of_a_newer_version(tmp_path: Path) -> None:
    Store(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "fiveup.db")) as db, db:
        db.execute("INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('fiveup_ref', 'z', '')")
    assert refused("--data", str(tmp_path)).startswith("This database was written by a newer version of fiveup_ref.")


@pytest.mark.parametrize("port", ["0", "-1", "65536", "99999999", "x", "1_0", "٨٠٨٠", ""])
def test_a_port_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str], port: str) -> None:
    with pytest.raises(SystemExit) as ended:
        serve(["--data", str(tmp_path / "data"), f"--port={port}"])
    assert ended.value.code == 2
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said == "app.py: error: argument --port: a port is a number from 1 to 65535"
    assert not (tmp_path / "data").exists()


def test_help_names_the_choices(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        serve(["--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert all(word in said for word in ("--data", "--port", "--lan", "8000"))


# The server itself


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as held:
        return int(held.getsockname()[1])


def launch(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "app.py", *arguments],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def served(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """The server with the lines it says once it is ready; stopped at the end, whatever happens."""
    process = launch(*arguments)
    try:
        assert process.stdout
        lines = [process.stdout.readline(), process.stdout.readline()]
        yield process, lines
    finally:
        process.kill()
        process.communicate()


class Browser:
    """A browser that keeps its cookies and takes no proxy."""

    def __init__(self, address: str) -> None:
        self.address = address
        follow = urllib.request.HTTPCookieProcessor(CookieJar())
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), follow)

    def open(self, path: str, fields: dict[str, str] | None = None) -> tuple[str, str, dict[str, str]]:
        data = urllib.parse.urlencode(fields).encode() if fields else None
        with self.opener.open(self.address + path, data, timeout=20) as answer:
            path = urllib.parse.urlsplit(answer.geturl()).path
            return path, answer.read().decode(), dict(answer.headers)


def test_from_the_start_to_ctrl_c_and_on_after_it_k19(tmp_path: Path) -> None:
    """A form that lay open while the server was started again is still good."""
    folder, port = tmp_path / "new" / "data", free_port()
    arguments = ("--port", str(port), "--data", str(folder))
    browser = Browser(f"http://127.0.0.1:{port}")
    with served(*arguments) as (process, lines):
        assert lines == [
            f"Five Up referee: http://127.0.0.1:{port}/\n",
            f"Data folder: {folder}   Stop: Ctrl-C\n",
        ]
        _, markup, headers = browser.open("/new")
        assert "Server" not in headers
        assert browser.open("/static/style.css")[2]["Content-Type"].startswith("text/css")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (0, "", "")
    hidden = Page.hidden(read(markup).one("form", "new"))
    names = {"players": "2", "deal": "5", "target": "61", "name_a": "Ani", "name_b": "Budi"}
    with served(*arguments) as (process, _):
        path, table, _ = browser.open("/new", hidden | names)
        assert re.fullmatch(r"/m/[\w-]{22}", path)
        assert "Who opens round 1?" in table
        process.send_signal(signal.SIGINT)
        assert (process.communicate(timeout=30)[1], process.returncode) == ("", 0)
    with closing(Store(folder)) as store:
        assert [f"/m/{one.id}" for one in store.recent(None)] == [path]
    if POSIX:
        modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in (folder, *folder.glob("*[!lm]"))}
        modes.pop("backups", None)  # the second start makes one, sooner or later
        assert modes == {"data": 0o700, "fiveup.db": 0o600, "secret_key": 0o600}


def test_a_match_of_the_folder_is_listed_on_this_machine_only(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        path = keep(store)
    port = free_port()
    with served("--port", str(port), "--data", str(tmp_path)):
        assert path in Browser(f"http://127.0.0.1:{port}").open("/")[1]
    port = free_port()
    with served("--port", str(port), "--data", str(tmp_path), "--lan") as (process, lines):
        assert re.fullmatch(rf"Five Up referee: http://[\d.]+:{port}/\n", lines[0])
        assert process.stdout
        here = f"On this computer, with every match and the backups: http://127.0.0.1:{port}/\n"
        assert process.stdout.readline() == here
        assert path in Browser(f"http://127.0.0.1:{port}").open("/")[1]
        assert path not in ask(port, "GET", "/", {"Host": f"192.168.1.20:{port}"})[2]


def test_a_port_in_use_is_said_in_one_line(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        process = launch("--port", str(port), "--data", str(tmp_path))
        out, err = process.communicate(timeout=50)
    assert (process.returncode, out) == (1, "")
    assert err == f"Port {port} is in use. Choose another, such as: python3 app.py --port 8080\n"


# Serving others


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--address", "192.168.1.20"), "--address is the one shown to phones, so it needs --lan"),
        (("--lan", "--address", "192.168.1.256"), "an address has four numbers up to 255"),
        (("--lan", "--address", "http://x/"), "a name or address stands alone"),
        (("--lan", "--address", ""), "a name or address stands alone"),
        (("--host", "a b"), "a name or address stands alone"),
        (("--host", "x" * 300), "a name or address stands alone"),
        (("--proxy",), "with --proxy say under which name people come: --host NAME"),
        (("--proxy", "0", "--host", "x"), "the number of proxies is one from 1 to 9"),
        (("--proxy", "٢", "--host", "x"), "the number of proxies is one from 1 to 9"),
        (("--prefix", "domino"), "a prefix is a path such as /domino"),
        (("--prefix", "/"), "a prefix is a path such as /domino"),
        (("--prefix", "//evil.example"), "a prefix is a path such as /domino"),
        (("--prefix", "/a/../b"), "a prefix is a path such as /domino"),
        (("--prefix", "/a?b"), "a prefix is a path such as /domino"),
    ],
)
def test_what_cannot_be_served_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        serve(["--data", str(tmp_path / "data"), *arguments])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_what_stands_on_the_command_line() -> None:
    wanted = options(
        ["--lan", "--address", "Laptop.local", "--prefix", "/a/domino/", "--proxy", "2", "--host", "X.org"]
    )
    assert (wanted.address, wanted.prefix, wanted.proxy, wanted.host) == ("laptop.local", "/a/domino", 2, ["x.org"])
    assert options(["--proxy", "--host", "x"]).proxy == 1
    plain = options([])
    assert (plain.address, plain.prefix, plain.proxy, plain.host) == ("", "", 0, [])


def test_the_address_that_is_fixed_is_printed_and_answered_to(tmp_path: Path) -> None:
    port = free_port()
    arguments = ("--port", str(port), "--data", str(tmp_path), "--lan", "--address", "laptop.local")
    with served(*arguments) as (_, lines):
        assert lines[0] == f"Five Up referee: http://laptop.local:{port}/\n"
        page = read(Browser(f"http://127.0.0.1:{port}").open("/phones")[1])
        assert page.one(of="url").text == f"http://laptop.local:{port}/"
        for host, status in (("laptop.local", 200), (f"192.168.1.20:{port}", 200), ("evil.example", 421)):
            assert ask(port, "GET", "/", {"Host": host})[0] == status


def ask(port: int, method: str, path: str, headers: dict[str, str]) -> tuple[int, str, str]:
    """Status, cookie and body of an answer to one request."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.getheader("Set-Cookie") or "", answer.read().decode()


FORWARDED: Final = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "club.example", "X-Forwarded-For": "198.51.100.7"}


@pytest.mark.parametrize("told", [True, False])
def test_the_real_server_believes_a_proxy_only_when_told_s48(tmp_path: Path, told: bool) -> None:
    with closing(Store(tmp_path)) as store:
        path = keep(store)
    port = free_port()
    arguments = ["--port", str(port), "--data", str(tmp_path), "--host", "club.example", "--prefix", "/domino"]
    with served(*arguments, *(["--proxy"] if told else [])) as (_, lines):
        assert lines[0] == f"Five Up referee: http://127.0.0.1:{port}/domino/\n"
        status, cookie, body = ask(port, "GET", "/domino/judge/count?ends=5-5", FORWARDED)
        assert status == 200
        assert ("Secure" in cookie, "https://club.example/domino/judge" in body) == (told, told)
        assert "Path=/domino" in cookie
        assert path not in ask(port, "GET", "/domino/", {})[2]  # whoever comes by a proxy may be anyone


@pytest.mark.parametrize("header", ["X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "Via"])
def test_who_comes_by_a_proxy_that_nobody_spoke_of_is_not_the_host(tmp_path: Path, header: str) -> None:
    with closing(Store(tmp_path)) as store:
        path = keep(store)
    port = free_port()
    with served("--lan", "--port", str(port), "--data", str(tmp_path)):
        assert path in ask(port, "GET", "/", {})[2]
        assert path not in ask(port, "GET", "/", {header: "for=198.51.100.7"})[2]


def test_more_than_the_server_takes_is_refused_and_it_goes_on(tmp_path: Path) -> None:
    port = free_port()
    with served("--port", str(port), "--data", str(tmp_path)) as (process, _):
        assert ask(port, "GET", "/", {"Cookie": "x" * 60_000})[0] == 431
        half_open = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
        for one in half_open:
            one.sendall(b"POST /new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\nti")
        with closing(socket.create_connection(("127.0.0.1", port), timeout=20)) as heavy:
            heavy.sendall(b"POST /new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000000\r\n\r\n")
            assert heavy.recv(12) == b"HTTP/1.1 413"  # before any of it has been sent
        assert ask(port, "GET", "/", {})[0] == 200
        for one in half_open:
            one.close()
        process.send_signal(signal.SIGINT)
        assert (process.communicate(timeout=30)[1], process.returncode) == ("", 0)


@pytest.mark.skipif(not POSIX, reason="elsewhere it takes fewer connections")
def test_a_hall_of_connections_is_let_in_and_each_gets_its_answer(tmp_path: Path) -> None:
    """Above the number from which the server rests between looks."""
    with closing(Store(tmp_path)) as store:
        path = keep(store)
    port = free_port()
    with served("--port", str(port), "--data", str(tmp_path), "--lan") as (process, _), ExitStack() as held:
        phones = [held.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20)) for _ in range(300)]
        for _round in range(2):  # each connection is kept
            for phone in phones:
                phone.sendall(f"GET {path}/version HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            for phone in phones:
                told = b""
                while not told.endswith(b"\r\n\r\n0"):
                    came = phone.recv(4096)
                    assert came
                    told += came
                assert told.startswith(b"HTTP/1.1 200 OK\r\n")
        process.send_signal(signal.SIGINT)
        assert (process.communicate(timeout=30)[1], process.returncode) == ("", 0)


def test_other_servers_get_the_app_with_the_same_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVEUP_OPTIONS", f"--data '{tmp_path}' --prefix /domino")
    for app in (application(), application("--data", str(tmp_path), "--prefix", "/domino")):
        assert 'href="/domino/new"' in app.test_client().get("/domino/").text
        app.extensions["store"].close()
