"""Lockstep with OpenSpiel."""
