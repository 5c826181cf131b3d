"""The address shown to phones: which of a machine's many it is, and the page with its code."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from fiveup_ref.store import Store
from fiveup_ref.web import create_app
from fiveup_ref.web.network import Network
from fiveup_ref.web.phones import Phones, announce, firewall, in_container, qr
from fiveup_ref.web.reach import Found, Kind, best, interfaces, kind_of, ranked

from .device import Device, Page

LOOPBACK = "lo 127.0.0.1"


def found(text: str) -> list[Found]:
    """Written `wlan0 192.168.1.20, ? 10.0.0.5`; `?` is an interface the system does not tell."""
    pairs = (one.split() for one in text.split(",") if one.strip())
    return [Found("" if name == "?" else name, address) for name, address in pairs]


@pytest.mark.parametrize(
    ("cards", "chosen"),
    [
        (f"{LOOPBACK}, docker0 172.17.0.1, tun0 10.8.0.2, wlan0 192.168.1.20", "192.168.1.20"),  # S42
        ("? 172.17.0.1, ? 10.8.0.2, ? 192.168.1.20", "192.168.1.20"),
        ("wg0 10.66.66.2, wlp3s0 10.0.0.7", "10.0.0.7"),  # S44
        ("utun4 192.168.77.2, en0 10.1.2.3", "10.1.2.3"),  # a VPN with numbers of a home network
        ("tailscale0 100.101.102.103, eth0 172.20.1.5", "172.20.1.5"),
        ("br-4f2a 172.18.0.1, veth12 172.19.0.1, wlan0 172.16.0.9", "172.16.0.9"),
        ("virbr0 192.168.122.1, eth0 10.0.0.7", "10.0.0.7"),
        ("eth0 10.0.0.7, wlan0 192.168.1.20", "192.168.1.20"),
        ("eth0 172.20.0.7, wlan0 10.0.0.2", "10.0.0.2"),
        ("wlan0 192.168.1.20, eth0 192.168.2.20", "192.168.1.20"),  # alike: in the order of the system
        ("eth0 203.0.113.9, wlan0 192.168.1.20", "192.168.1.20"),
        ("eth0 203.0.113.9, tun0 10.8.0.2", "203.0.113.9"),
        ("wlan0 169.254.3.4, eth0 10.0.0.7", "10.0.0.7"),
        ("wlan0 10.8.0.5", "10.8.0.5"),  # a Wi-Fi may have those numbers, a card without a name is more likely a VPN
        ("br0 192.168.1.20", "192.168.1.20"),  # a bridge of real cards
        ("? 10.8.0.5", None),
        ("eth0 172.17.0.2", None),  # inside a container
        ("wlan0 169.254.3.4", None),
        (f"{LOOPBACK}, tun0 10.8.0.2, docker0 172.17.0.1", None),
        (LOOPBACK, None),
        ("", None),
    ],
)
def test_the_address_that_phones_reach(cards: str, chosen: str | None) -> None:
    for order in (found(cards), found(cards)[::-1]):
        if "order of the system" not in cards and cards.count("192.168.") < 2:
            assert best(order) == chosen
    assert best(found(cards)) == chosen
    listed = [one.address for one in ranked(found(cards))]
    assert sorted(listed) == sorted(one.address for one in found(cards) if one.address != "127.0.0.1")
    assert listed[:1] == ([chosen] if chosen else listed[:1])


@pytest.mark.parametrize(
    ("card", "kind"),
    [
        ("wlan0 192.168.1.20", Kind.HOME),
        ("? 172.31.255.254", Kind.HOME),
        ("? 172.32.0.1", Kind.OTHER),
        ("eth0 8.8.8.8", Kind.OTHER),
        ("podman1 192.168.5.1", Kind.CONTAINER),
        ("eth0 172.17.0.2", Kind.CONTAINER),
        ("tap0 192.168.5.1", Kind.VPN),
        ("? 100.64.0.1", Kind.VPN),
        ("eth0 169.254.1.1", Kind.ALONE),
    ],
)
def test_kinds_of_addresses(card: str, kind: Kind) -> None:
    assert kind_of(found(card)[0]) is kind


@pytest.mark.parametrize(
    ("printed", "cards"),
    [
        ('[{"ifname":"lo","addr_info":[{"local":"127.0.0.1"}]},{},{"ifname":"w","addr_info":[{"local":"10.0.0.1"},{"local":"10.0.0.2"}]}]', "lo 127.0.0.1, w 10.0.0.1, w 10.0.0.2"),
        ('[{"ifname":"w"}]', None),
        ("not json", None),
        ('{"ifname":1}', None),
        ('[{"ifname":"w","addr_info":[{"local":"x"}]}]', None),
    ],
)  # fmt: skip
def test_what_the_system_prints_is_read(monkeypatch: pytest.MonkeyPatch, printed: str, cards: str | None) -> None:
    """Where it prints nothing of use the machine's own name is asked, which gives no interfaces."""

    def run(command: Sequence[str], **_: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 0, printed)

    monkeypatch.setattr(subprocess, "run", run)
    if cards is None:
        assert {one.interface for one in interfaces()} <= {""}
    else:
        assert interfaces() == found(cards)


def test_without_the_tool_the_machine_is_asked_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    for one in interfaces():
        assert one.interface == ""
        assert re.fullmatch(r"\d+(\.\d+){3}", one.address)


# The page

CARDS = found("lo 127.0.0.1, docker0 172.17.0.1, tun0 10.8.0.2, wlan0 192.168.1.20, eth0 10.0.0.4")
DOZEN = [Found(f"eth{number}", f"10.0.0.{number}") for number in range(12)]


def served(store: Store, cards: Sequence[Found], *, given: str = "") -> Flask:
    network = Network(phones=Phones(8000, given, look=lambda: cards))
    return create_app(store, secret_key="for tests", everyone_here=False, network=network)


def code_of(page: Page) -> str:
    return page.tree.one(of="qr").get("aria-label").removeprefix("QR code of ")


def test_one_short_address_in_letters_and_as_a_code_s42_s45(store: Store) -> None:
    device = Device(served(store, CARDS))
    assert device.get("/").tree.one("ul", "more-pages").all("a", href="/phones")
    page = device.get("/phones")
    assert page.tree.one(of="url").text == code_of(page) == "http://192.168.1.20:8000/"
    assert len(page.tree.all("svg")) == 1
    view = re.search(r'viewBox="0 0 (\d+) (\d+)"', page.markup)
    assert view
    assert int(view[1]) <= 37  # modules with the quiet zone: 5 px each and more at 200 px
    listed = [node.text for node in page.tree.one("ul", "addresses").all("a")]
    assert listed == ["192.168.1.20", "10.0.0.4", "172.17.0.1", "10.8.0.2"]
    assert "style=" not in page.markup.partition("<svg")[2].partition("</svg>")[0]
    for other in listed:
        assert code_of(device.get("/phones", at=other)) == f"http://{other}:8000/"
    for nobody in ("8.8.8.8", "evil.example", "127.0.0.1", "", "\x00"):
        assert code_of(device.get("/phones", at=nobody)) == "http://192.168.1.20:8000/"


def test_a_dozen_addresses_are_a_list_and_one_code_s45(store: Store) -> None:
    page = Device(served(store, DOZEN)).get("/phones")
    assert len(page.tree.one("ul", "addresses").all("a")) == 12
    assert len(page.tree.all("svg")) == 1


def test_a_fixed_address_is_shown_whatever_is_found(store: Store) -> None:
    for cards in (CARDS, ()):
        assert code_of(Device(served(store, cards, given="laptop.local")).get("/phones")) == "http://laptop.local:8000/"


def test_where_none_is_likely_no_code_pretends_to_work(store: Store) -> None:
    device = Device(served(store, found("lo 127.0.0.1, tun0 10.8.0.2")))
    page = device.get("/phones")
    assert page.tree.all(of="qr") == []
    assert "phones are likely to reach" in page.refusal
    assert code_of(device.get("/phones", at="10.8.0.2")) == "http://10.8.0.2:8000/"  # chosen all the same


def test_strangers_are_not_told_the_networks_of_this_machine(store: Store) -> None:
    client = served(store, CARDS).test_client()
    for address, told in (("192.168.1.55", False), ("192.168.1.20", True), ("127.0.0.1", True)):
        text = client.get("/phones?at=10.8.0.2", environ_overrides={"REMOTE_ADDR": address}).text
        assert ("172.17.0.1" in text, "http://10.8.0.2:8000/" in text) == (told, told)


def test_where_only_this_machine_is_served_there_is_no_such_page(device: Device) -> None:
    assert device.get("/phones").status == 404
    assert "/phones" not in device.get("/").markup


def test_the_code_is_the_address() -> None:
    from segno import make_qr  # noqa: PLC0415

    code = make_qr("http://192.168.1.20:8000/", error="m")
    assert (code.version, code.error) == (2, "M")
    assert str(qr("http://192.168.1.20:8000/")).startswith("<svg ")


# What may hinder


def test_a_firewall_is_told_of_only_where_it_is_known(tmp_path: Path) -> None:
    assert firewall(tmp_path) is None
    (tmp_path / "etc/ufw").mkdir(parents=True)
    for text, name in (("# x\nENABLED=no\n", None), ("LOGLEVEL=low\nENABLED=yes\n", "ufw"), ("\xff", None)):
        (tmp_path / "etc/ufw/ufw.conf").write_text(text, "latin-1")
        assert firewall(tmp_path) == name


def test_a_container_knows_itself(tmp_path: Path) -> None:
    assert not in_container(tmp_path)
    (tmp_path / ".dockerenv").touch()
    assert in_container(tmp_path)


def test_the_terminal_names_what_there_is_where_nothing_is_likely(capsys: pytest.CaptureFixture[str]) -> None:
    announce(Phones(8000, look=lambda: found("tun0 10.8.0.2, docker0 172.17.0.1")))
    said = capsys.readouterr().out
    assert "--address: 172.17.0.1, 10.8.0.2" in said
    announce(Phones(8000, "10.8.0.2", look=lambda: found("tun0 10.8.0.2")))
    assert capsys.readouterr().out == ""
