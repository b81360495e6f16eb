"""Schemathesis over the OpenAPI description: no 5xx, and every answer is as described. The requests are bounded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.server.running import WAIT, Running, running

EXAMPLES = 25
"""Requests for each call, half of them broken on purpose."""


@pytest.fixture(scope="module")
def app_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("schema") / "t.db") as server:
        yield server


def test_no_request_that_the_description_allows_or_forbids_breaks_the_server(app_server: Running) -> None:
    """Made-up requests, and requests that name a table, a seat and a record that are there."""
    person = app_server.open("nim", {"kind": "open"}, games=None)
    record = app_server.http.post("/api/records", json={"schema": 1, "game": {"name": "nim"}, "actions": []}).json()
    checks = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
    schema = schemathesis.openapi.from_url(f"http://{app_server.netloc}/api/openapi.json", timeout=WAIT)
    calls = 0
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        calls += 1

        @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
        @given(case=st.one_of(*[operation.as_strategy(generation_mode=mode) for mode in schemathesis.GenerationMode]))
        def ask(case: Any) -> None:
            case.call_and_validate(checks=checks, timeout=WAIT)
            if "id" in (case.path_parameters or {}):
                real = record["record"] if "/records/" in case.path else person.table
                case.path_parameters = {**case.path_parameters, "id": real}
                case.call_and_validate(checks=checks, headers=person.headers, timeout=WAIT)

        ask()
    assert calls >= 20
    assert app_server.http.get("/api/health").status_code == 200


def test_the_description_has_examples_and_a_page_to_read(app_server: Running) -> None:
    schema = app_server.http.get("/api/openapi.json").json()
    assert {"/api/tables", "/api/records", "/api/games", "/api/tables/{id}/actions"} <= schema["paths"].keys()
    assert "examples" in schema["components"]["schemas"]["NewTable"]
    page = app_server.http.get("/docs")
    assert page.status_code == 200
    assert "pimc(uct(iterations=500), worlds=20)" in page.text
    assert "<script" not in page.text
