"""Services of single games: each subpackage of the server that has a ``router`` brings addresses of its own."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from pathlib import Path

from fastapi import APIRouter


def services() -> list[APIRouter]:
    """New routers of all services; each declares its prefix.

    >>> [service.prefix for service in services()]
    ['/oware/v1']
    """
    names = [each.name for each in pkgutil.iter_modules([str(Path(__file__).parent)]) if each.ispkg]
    found = [import_module(f"{__package__}.{name}").router() for name in sorted(names)]
    assert all(isinstance(each, APIRouter) for each in found)
    return found
