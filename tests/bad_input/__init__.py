"""Tests of refusals: bad input of every kind."""
