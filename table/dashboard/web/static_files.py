"""The static files. Their addresses contain a version of all files, so that browsers request each only once."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from flask import Flask, Response, request

CACHED_FOREVER: Final = "public, max-age=31536000, immutable"
"""The `Cache-Control` of an answer that never changes under its address."""
PATH: Final = "/static"
"""Every file is also served here without a version; browsers then request it again each time."""
_ENDPOINT: Final = "static"
_FOLDER: Final = Path(__file__).parents[1] / "static"


def versioned_path() -> str:
    """Returns the path of the present files; scripts find each other from there by relative addresses."""
    return f"{PATH}/{_version()}"


def serve_static_files(app: Flask) -> None:
    """Lets browsers keep files under `versioned_path`, and adds their addresses without a version."""
    app.add_url_rule(f"{PATH}/<path:filename>", endpoint="unversioned", view_func=app.send_static_file)
    app.after_request(_cached)


def _cached(response: Response) -> Response:
    if request.endpoint == _ENDPOINT and response.status_code < 400:
        response.headers["Cache-Control"] = CACHED_FOREVER
    return response


@cache
def _version() -> str:
    """Returns the version of all files, which changes whenever one of them does."""
    digest = sha256()
    for path in sorted(path for path in _FOLDER.rglob("*") if path.is_file()):
        digest.update(path.relative_to(_FOLDER).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:10]
