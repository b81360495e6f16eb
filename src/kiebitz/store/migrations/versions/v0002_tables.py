"""Tables of the browser, their games and what happened in them, and shared records."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Makes the four tables."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("secret", sa.BigInteger, nullable=False),
        sa.Column("owner", sa.String(64)),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("used", sa.DateTime, nullable=False),
    )
    op.create_table(
        "table_games",
        sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("returns", sa.Text),
        sa.Column("record", sa.Text),
        sa.Column("curve", sa.Text),
    )
    op.create_table(
        "table_events",
        sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("game", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("action", sa.BigInteger),
        sa.Column("data", sa.Text),
    )
    op.create_table(
        "shared_records",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
    )


def downgrade() -> None:
    """Removes the four tables with all they hold."""
    for name in ("shared_records", "table_events", "table_games", "tables"):
        op.drop_table(name)
