"""Solvers, policies and measures."""
