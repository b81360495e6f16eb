"""Tests of the game contract, run over every game."""
