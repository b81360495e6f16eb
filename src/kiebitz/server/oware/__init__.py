"""The web service of the Oware thesis under ``/oware/v1``."""

from kiebitz.server.oware.routes import router

__all__ = ["router"]
