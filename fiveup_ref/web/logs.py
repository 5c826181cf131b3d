"""What the app writes into the log of the server: which page, never whose."""

from __future__ import annotations

from types import TracebackType

from flask import Flask, request


def page_asked() -> str:
    """The pattern of the address that is asked for, such as `/m/<match_id>`: the address itself grants something."""
    return request.url_rule.rule if request.url_rule else "an unknown address"


class App(Flask):
    """A Flask app that logs an error with the pattern of the address."""

    def log_exception(
        self, exc_info: tuple[type, BaseException, TracebackType] | tuple[None, None, None] | None
    ) -> None:
        """Log an error that no page answers."""
        self.logger.error("%s %s", request.method, page_asked(), exc_info=exc_info)
