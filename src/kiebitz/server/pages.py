"""The built page, and a plain page that describes the interface for programs."""

from __future__ import annotations

import gzip
import mimetypes
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from jinja2 import Environment

from kiebitz.server.errors import TableError

_MISSING = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Kiebitz</title></head><body>
<h1>The page has not been built</h1>
<p>The server runs, but the page that people see is not there. With Node.js 20 installed, <code>make page</code> in a
checkout of Kiebitz builds it; then load this address again.</p>
<p>Programs can use <a href="/docs">the interface</a> in the meantime.</p></body></html>"""

_DOCS = Environment(autoescape=True).from_string(
    """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ title }}: interface</title></head><body>
<h1>{{ title }} {{ version }}</h1><p>{{ description }} The same as data: <a href="/api/openapi.json">OpenAPI</a>.</p>
<p>A seat is proved by the header <code>Authorization: Bearer TOKEN</code>. Refusals look like
<code>{"error": {"code": "...", "message": "..."}}</code>.</p>
{% for call in calls %}<h2><code>{{ call.method }} {{ call.path }}</code></h2>
<p>{{ call.summary }}. {{ call.description }}</p>
{% if call.parameters %}<p>Parameters:
{% for name in call.parameters %}<code>{{ name }}</code> {% endfor %}</p>{% endif %}
{% if call.request %}<p>Request, for example:</p><pre>{{ call.request }}</pre>{% endif %}
<p>Answers: {{ call.answers }}</p>{% endfor %}
<h2><code>WebSocket /api/tables/ID/live</code></h2>
<p>Send <code>{"type": "hello", "token": "..."}</code> (or <code>null</code>) first; snapshots follow, and pings
that want <code>{"type": "pong"}</code>.</p></body></html>"""
)


def router(folder: Path, services: Sequence[str] = ()) -> APIRouter:
    """Routes for the files of the page. It is one document: addresses inside it follow a #.

    ``services`` are the prefixes of routes for programs; no file is served below them.
    """
    routes = APIRouter(include_in_schema=False)
    taken = tuple(f"{prefix.strip('/').partition('/')[0]}/" for prefix in ("/api", *services))

    @routes.get("/")
    async def index() -> Response:
        document = folder / "index.html"
        if not document.is_file():
            return HTMLResponse(_MISSING, 503)
        return FileResponse(document, headers={"cache-control": "no-cache"})

    @routes.get("/docs")
    async def docs(request: Request) -> HTMLResponse:
        return HTMLResponse(describe(request.app.openapi()))

    @routes.get("/{path:path}")
    async def file(request: Request, path: str) -> Response:
        found = _inside(folder, path)
        if found is None or path.startswith(taken):
            raise TableError("not_found", "there is nothing at this address")
        if not path.startswith("assets/"):
            return FileResponse(found, headers={"cache-control": "no-cache"})
        headers = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}
        if found.suffix not in _TEXTS or not _takes_gzip(request.headers.get("accept-encoding", "")):
            return FileResponse(found, headers=headers)
        kind, _ = mimetypes.guess_type(found.name)
        return Response(_packed(found), media_type=kind, headers={**headers, "content-encoding": "gzip"})

    return routes


_TEXTS = {".js", ".css", ".svg"}


@lru_cache(maxsize=256)
def _packed(file: Path) -> bytes:
    """A file of the page, compressed once: its name changes with its contents."""
    return gzip.compress(file.read_bytes(), mtime=0)


def _takes_gzip(accepted: str) -> bool:
    """Whether a client takes gzip, by its header Accept-Encoding (RFC 9110).

    >>> _takes_gzip("br, gzip"), _takes_gzip("gzip; q=0.5"), _takes_gzip("gzip;q=0, br"), _takes_gzip("")
    (True, True, False, False)
    """
    for each in accepted.lower().split(","):
        coding, _, quality = each.replace(" ", "").partition(";q=")
        if coding == "gzip":
            return quality.strip("0.") != "" or quality == ""
    return False


def _inside(folder: Path, path: str) -> Path | None:
    """The file of the page at an address, if there is one."""
    root = folder.resolve()
    try:
        found = (root / path).resolve()
        return found if found.is_relative_to(root) and found.is_file() else None
    except (OSError, ValueError):  # too long for a file name, or not a valid one
        return None


def describe(schema: dict[str, Any]) -> str:
    """The interface as an HTML page."""
    calls = []
    for path, methods in schema["paths"].items():
        for method, call in methods.items():
            calls.append(
                {
                    "method": method.upper(),
                    "path": path,
                    "summary": call.get("summary", ""),
                    "description": call.get("description", ""),
                    "parameters": [each["name"] for each in call.get("parameters", [])],
                    "request": _example(schema, call),
                    "answers": ", ".join(sorted(call.get("responses", {}))),
                }
            )
    info = schema["info"]
    return _DOCS.render(
        title=info["title"], version=info["version"], description=info.get("description", ""), calls=calls
    )


def _example(schema: dict[str, Any], call: dict[str, Any]) -> str:
    import json

    content = call.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    name = content.get("$ref", "").rpartition("/")[2]
    model = schema.get("components", {}).get("schemas", {}).get(name, content)
    for example in model.get("examples", []):
        return json.dumps(example, indent=2)
    shown = {
        key: (each.get("examples") or [each.get("default")])[0] for key, each in model.get("properties", {}).items()
    }
    return json.dumps(shown, indent=2) if shown else ""
