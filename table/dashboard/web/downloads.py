"""Answers with a file to look at, or to save where the address asks for that (`?save`)."""

from __future__ import annotations

from codecs import BOM_UTF8

from flask import Response, request


def csv_separator() -> str:
    """Returns what separates the cells of a CSV file by the request's address: a semicolon with `?semicolons`."""
    return ";" if "semicolons" in request.args else ","


def file_response(text: str, mimetype: str, name: str) -> Response:
    """Returns a response with a text of this type; saved, it is a file of this name.

    A saved CSV file begins with a byte-order mark: without it, spreadsheets take the names for another encoding.
    """
    if "save" not in request.args:
        return Response(text, mimetype=mimetype)
    mark = BOM_UTF8 if mimetype == "text/csv" else b""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(mark + text.encode(), mimetype=mimetype, headers=headers)
