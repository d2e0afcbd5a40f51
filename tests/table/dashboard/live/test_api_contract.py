"""The API as its document says: every route is in it, and what is sent by it never finds the server at a loss."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, settings
from jsonschema import Draft202012Validator
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from table import dashboard
from table.appliance import table_server
from table.appliance.appliance import run_appliance
from table.config import CameraConfig
from table.dashboard import create_app
from table.dashboard.server import serve
from table.dashboard.web.security import TOKEN_HEADER
from table.dashboard.web.static_files import PATH
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table, TableLoop
from table.records import contracts
from table.rulebook.play_presets import HOME
from table.runtime.clock import LogicalClock
from tests.fakes.desks import PIN, join, token
from tests.table.appliance.configured import make_config

DOCUMENT: dict[str, Any] = contracts.contract("openapi.json")
CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
OF_THE_APPLIANCE = (
    "/api/health",
    "/api/flag",
    "/api/clips/remove",
    "/api/taps/forget",
    "/api/begin/{step}",
    "/device/sharpness",
    "/device/update",
)
"""What only a table has that runs as an appliance."""
README = Path(dashboard.__file__).parent / "README.md"
FORMS_OF_PAGES = {"/game", "/season/people", "/staff/pin", "/broadcast", "/health", "/device", "/begin/{step}"}
"""Forms that the document leaves to their pages, as its introduction says."""
contract = schemathesis.openapi.from_dict(DOCUMENT).exclude(path=["/api/stream", *OF_THE_APPLIANCE])

bounded = settings(
    max_examples=25,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    with Journal(None) as journal:
        table = Table(journal=journal, referee=Referee(), ruleset=HOME, clock=LogicalClock())
        with TableLoop(table) as loop:
            yield create_app(table.board, loop, rules=tmp_path_factory.mktemp("rules"))


@pytest.fixture(scope="module")
def owner(app: Flask) -> tuple[str, str]:
    """Cookie and token of a browser that may do everything."""
    client = app.test_client()
    join(client, "owner", pin=PIN)
    owner_token = token(client)[TOKEN_HEADER]
    cookie = client.get_cookie("tachiai")
    assert cookie is not None
    return cookie.value, owner_token


@contract.parametrize()
@bounded
def test_whatever_is_sent_is_answered_as_documented(case: Any, app: Flask, owner: tuple[str, str]) -> None:
    case.cookies["tachiai"], case.headers[TOKEN_HEADER] = owner
    response = case.call(app=app)
    case.validate_response(response, checks=CHECKS)


@pytest.fixture(scope="module")
def appliance_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """The application of an appliance that has all that there is: its camera is not there, and its pages are."""
    served: list[Flask] = []

    def store_app(app: Flask, *args: Any, **options: Any) -> Any:
        served.append(app)
        return serve(app, *args, **options)

    no_camera = CameraConfig(source="video", file="none.mp4")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(table_server, "serve", store_app)
        with run_appliance(make_config(tmp_path_factory.mktemp("appliance"), camera=no_camera)):
            return served[0]


def routes(app: Flask) -> set[tuple[str, str]]:
    """Every path that answers JSON or takes a form, besides the forms of pages, and how it is asked."""
    owner = app.test_client()
    join(owner, "owner", pin=PIN)
    methods = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.endpoint != "api.openapi"
    }
    return {
        (path, method)
        for path, method in methods
        if path.startswith("/api/")
        or (method == "post" and path not in FORMS_OF_PAGES)
        or (method == "get" and is_json(owner, path))
    }


def is_json(client: FlaskClient, path: str) -> bool:
    """Whether a path answers JSON, by its name or when it is asked."""
    address = path.replace("{style}", "json").replace("{number}", "1").replace("{game}", "1")
    return address.endswith(".json") or client.get(address).mimetype == "application/json"


def test_the_document_names_every_route_that_answers_json_or_takes_a_form(appliance_app: Flask) -> None:
    assert routes(appliance_app) == {
        (path, method) for path, methods in DOCUMENT["paths"].items() for method in methods
    }


def test_what_is_not_asked_above_is_what_only_an_appliance_has(app: Flask, appliance_app: Flask) -> None:
    assert {path for path, _ in routes(appliance_app) - routes(app)} == set(OF_THE_APPLIANCE)


def test_the_readme_names_the_address_of_everything_that_is_served(appliance_app: Flask) -> None:
    readme = README.read_text(encoding="utf-8")
    stems = {re.split(r"/?<", rule.rule)[0] or "/" for rule in appliance_app.url_map.iter_rules()}
    assert {stem for stem in stems if f"`{stem}" not in readme and not stem.startswith(PATH)} == set()


def test_the_document_is_served_as_it_is(app: Flask) -> None:
    assert app.test_client().get("/api/openapi.json").get_json() == DOCUMENT


def test_the_schemas_are_schemas() -> None:
    for schema in DOCUMENT["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
