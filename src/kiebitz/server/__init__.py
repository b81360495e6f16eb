"""The table in the browser: a server for people and programs; ``kiebitz serve`` starts it (docs/server.md)."""

from kiebitz.server.app import create_app
from kiebitz.server.settings import Settings

__all__ = ["Settings", "create_app"]
