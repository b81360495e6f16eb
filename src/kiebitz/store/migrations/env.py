"""What Alembic runs to migrate: the caller passes the connection and holds the transaction."""

from __future__ import annotations

from alembic import context

from kiebitz.store.schema import METADATA

if __name__ == "env_py":  # the name under which Alembic loads this file; any other import runs nothing
    context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
    with context.begin_transaction():
        context.run_migrations()
