"""Runs and their games: the first version of the store."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Makes both tables."""
    op.create_table(
        "runs",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("identity", sa.String(64), nullable=False, unique=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("plan", sa.Text, nullable=False),
        sa.Column("command", sa.Text, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("hardware", sa.Text, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("finished", sa.DateTime),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("done", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "games",
        sa.Column("run", sa.Integer, sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("deal", sa.BigInteger, nullable=False),
        sa.Column("seating", sa.Text, nullable=False),
        sa.Column("payoffs", sa.Text, nullable=False),
        sa.Column("plies", sa.BigInteger, nullable=False),
        sa.Column("choices", sa.BigInteger, nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("seconds", sa.Text, nullable=False),
        sa.Column("slowest", sa.Text, nullable=False),
        sa.Column("events", sa.Text),
        sa.Column("metrics", sa.Text),
        sa.Column("actions", sa.LargeBinary),
    )


def downgrade() -> None:
    """Removes both tables with all they hold."""
    op.drop_table("games")
    op.drop_table("runs")
