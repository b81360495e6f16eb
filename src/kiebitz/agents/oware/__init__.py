"""Agents that play Oware only."""
