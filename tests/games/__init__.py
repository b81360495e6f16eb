"""Tests of single games and of the files games are read from."""
