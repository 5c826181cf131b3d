"""Style sheets, scripts and pictures packed for browsers that unpack them, which is nearly all of them.

Pages are not packed: their size would tell something about the tokens in them.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import Final

from flask import Response, request

_TEXTS: Final = ("text/css", "text/javascript", "application/javascript", "image/svg+xml")


def packed(response: Response) -> Response:
    """The answer, packed if it is a text of the static folder."""
    if request.endpoint != "static" or response.status_code != 200 or response.mimetype not in _TEXTS:
        return response
    response.vary.add("Accept-Encoding")
    if request.accept_encodings.quality("gzip"):
        response.direct_passthrough = False
        etag, _weak = response.get_etag()
        response.set_data(_pack(response.get_data()))
        response.content_encoding = "gzip"
        if etag:
            response.set_etag(etag, weak=True)  # the same file, in other bytes
    return response


@lru_cache(maxsize=64)
def _pack(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)
