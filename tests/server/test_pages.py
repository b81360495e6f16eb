"""The files of the page: compressed for whoever takes that, whole for all others, and nothing from outside."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from kiebitz.server.pages import router

Get = Callable[..., httpx.Response]
SCRIPT = "const greeting = 'hello';\n" * 200


@pytest.fixture
def get(tmp_path: Path) -> Get:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>")
    (tmp_path / "assets" / "index-1.js").write_text(SCRIPT)
    app = FastAPI()
    app.include_router(router(tmp_path))

    async def ask(path: str, accepted: str) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://page") as client:
            return await client.get(path, headers={"accept-encoding": accepted})

    return lambda path, accepted="": asyncio.run(ask(path, accepted))


@pytest.mark.parametrize("accepted", ["gzip, deflate, br", "gzip;q=0", "identity", ""])
def test_scripts_are_sent_small_to_whoever_takes_that(get: Get, accepted: str) -> None:
    answer = get("/assets/index-1.js", accepted)
    small = accepted.startswith("gzip,")
    assert answer.text == SCRIPT  # unpacked by the client
    assert ("content-encoding" in answer.headers) == small
    assert (int(answer.headers["content-length"]) < len(SCRIPT) / 5) == small
    assert answer.headers["vary"] == "accept-encoding"
    assert "immutable" in answer.headers["cache-control"]
    assert "javascript" in answer.headers["content-type"]


def test_the_document_itself_is_asked_for_again_each_time(get: Get) -> None:
    assert get("/").headers["cache-control"] == "no-cache"
