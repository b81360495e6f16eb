"""Golden playthroughs: one recorded game per case."""
