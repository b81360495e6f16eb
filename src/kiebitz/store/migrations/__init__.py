"""Migrations of the store by Alembic: how an older database is brought up to date.

`versions` has one file for each step. A step that was released is never changed: a new one follows it.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def configuration() -> Config:
    """Alembic's settings; no configuration file is needed.

    >>> from alembic.script import ScriptDirectory
    >>> from kiebitz.store.schema import VERSION
    >>> ScriptDirectory.from_config(configuration()).get_current_head() == VERSION
    True
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config


def upgrade(connection: Connection) -> None:
    """Brings a database, empty or of an older version, to this version, inside the open transaction."""
    config = configuration()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
