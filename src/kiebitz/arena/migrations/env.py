"""What Alembic runs to migrate: the connection comes from the caller, who also holds the transaction."""

from __future__ import annotations

from alembic import context

from kiebitz.arena.store_schema import METADATA

if __name__ == "env_py":  # the name under which Alembic loads this file: whoever else imports it only looks
    context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
    with context.begin_transaction():
        context.run_migrations()
