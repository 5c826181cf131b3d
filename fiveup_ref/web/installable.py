"""What lets a browser install the app and keep its files: its manifest and its service worker."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, current_app, request, url_for

from .language import gettext as _

_WORKER: Final = "sw.js"
_KEPT: Final = (".css", ".js", ".svg")
_DIGEST: Final = "X-Files"


def blueprint() -> Blueprint:
    """The manifest, the worker, and on every page which files it was made for."""
    pages = Blueprint("installable", __name__)
    pages.add_url_rule("/manifest.webmanifest", "manifest", _manifest)
    pages.add_url_rule("/sw.js", "worker", _worker)
    pages.record_once(lambda state: state.app.extensions.update(files=Files(Path(str(state.app.static_folder)))))
    pages.after_app_request(_mark)
    return pages


class Files:
    """The static files that a worker keeps, and a digest of all they hold."""

    def __init__(self, folder: Path) -> None:
        kept = sorted(path for path in folder.iterdir() if path.suffix in _KEPT and path.name != _WORKER)
        self.names = [path.name for path in kept]
        self.worker = (folder / _WORKER).read_text("utf-8")
        held = hashlib.sha256(self.worker.encode())
        for path in kept:
            held.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
        self.digest = held.hexdigest()[:16]


def _files() -> Files:
    files: Files = current_app.extensions["files"]
    return files


def _manifest() -> Response:
    icons = [
        {"src": url_for("static", filename=f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ]
    told = {
        "name": _("Five Up referee"),
        "short_name": _("Five Up"),
        "id": url_for("matches.home"),
        "start_url": url_for("matches.home"),
        "scope": url_for("matches.home"),
        "display": "standalone",
        "background_color": "#12503d",
        "theme_color": "#12503d",
        "icons": icons,
    }
    return Response(json.dumps(told, ensure_ascii=False), mimetype="application/manifest+json")


def _worker() -> Response:
    """The worker, with the files it keeps and their digest: a change of any file makes it another worker."""
    files = _files()
    begin = f"const DIGEST = {json.dumps(files.digest)};\nconst FILES = {json.dumps(files.names)};\n"
    return Response(begin + files.worker, mimetype="text/javascript")


def _mark(response: Response) -> Response:
    """So that a worker that keeps other files drops them at once, and no page gets those of another version."""
    if request.endpoint == "matches.table" and response.status_code == 200:
        response.headers[_DIGEST] = _files().digest
    return response
