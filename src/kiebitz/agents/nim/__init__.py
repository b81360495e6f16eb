"""Agents that play Nim only."""
