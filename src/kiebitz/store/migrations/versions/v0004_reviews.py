"""Reviews kept with shared games, the table that a game comes from, and games that go on from a position."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Makes the table and the columns; games from before have none of it."""
    op.create_table(
        "reviews",
        sa.Column("record_id", sa.String(40), sa.ForeignKey("shared_records.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("effort", sa.String(20), primary_key=True),
        sa.Column("review", sa.Text, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
    )
    op.add_column("shared_records", sa.Column("table_id", sa.String(40)))
    op.add_column("shared_records", sa.Column("game", sa.BigInteger))
    op.create_index("shared_records_by_table", "shared_records", ["table_id", "game"])
    op.add_column("table_games", sa.Column("start", sa.Text))


def downgrade() -> None:
    """Removes them with all they hold."""
    op.drop_column("table_games", "start")
    op.drop_index("shared_records_by_table", "shared_records")
    op.drop_column("shared_records", "game")
    op.drop_column("shared_records", "table_id")
    op.drop_table("reviews")
