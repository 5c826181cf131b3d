"""Numbers in addresses."""

from __future__ import annotations

from werkzeug.routing import BaseConverter


class Number(BaseConverter):
    """A number from 1 to 99999 in ordinary digits; what is none makes another address (`int` reads any digits)."""

    regex = "[1-9][0-9]{0,4}"

    def to_python(self, value: str) -> int:
        """The number."""
        return int(value)
