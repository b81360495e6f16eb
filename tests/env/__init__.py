"""Environments for other people's learners."""
