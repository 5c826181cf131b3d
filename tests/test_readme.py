"""What the README promises is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
TESTS = re.findall(r"`(tests/[^`]+\.py)(?:::(\w+))?`", README)
LINKS = re.findall(r"\]\(([^)#:]+)\)", README)


@pytest.mark.parametrize(("path", "test"), TESTS)
def test_a_named_test_exists(path: str, test: str) -> None:
    text = (ROOT / path).read_text("utf-8")
    assert not test or f"\ndef {test}(" in text


@pytest.mark.parametrize("link", LINKS)
def test_a_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()
