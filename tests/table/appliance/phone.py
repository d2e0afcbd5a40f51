"""A browser that asks an appliance over the network."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode

from table.appliance.appliance import Appliance
from table.dashboard.web.security import TOKEN_HEADER
from tests.fakes.waiting import PATIENCE_S


class Phone:
    """A browser with its cookies."""

    def __init__(self, appliance: Appliance) -> None:
        self._host = f"http://127.0.0.1:{appliance.port}"
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> Any:
        with self._opener.open(self._host + path, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def join(self, seat: int) -> None:
        form = urlencode({"role": "seat", "seat": seat, "token": self.get("/api/session")["token"]})
        self._opener.open(f"{self._host}/join", form.encode(), timeout=PATIENCE_S).close()

    def post(self, path: str, body: dict[str, Any], language: str = "en") -> tuple[int, Any]:
        headers = {
            TOKEN_HEADER: self.get("/api/session")["token"],
            "Content-Type": "application/json",
            "Accept-Language": language,
        }
        request = urllib.request.Request(f"{self._host}{path}", json.dumps(body).encode(), headers)  # noqa: S310 - our own
        try:
            with self._opener.open(request, timeout=PATIENCE_S) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.load(refused)

    @property
    def scores(self) -> list[int]:
        return [seat["score"] for seat in self.get("/api/table")["seats"]]

    def status(self, path: str) -> int:
        try:
            with self._opener.open(self._host + path, timeout=PATIENCE_S) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code
