"""What a sequential test said that ended a run."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Makes the column; runs from before have none."""
    op.add_column("runs", sa.Column("test", sa.Text))


def downgrade() -> None:
    """Removes the column."""
    op.drop_column("runs", "test")
