"""Agents that play Connect Four only."""
