"""Trainings of nets beside the runs that play games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Makes the column; runs from before have none."""
    op.add_column("runs", sa.Column("training", sa.Text))


def downgrade() -> None:
    """Removes the column."""
    op.drop_column("runs", "training")
