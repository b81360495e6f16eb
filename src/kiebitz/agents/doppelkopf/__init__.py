"""Agents that play Doppelkopf only."""
