"""Tests of Doppelkopf's rules and views; an independent referee to hold them against."""
