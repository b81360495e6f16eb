"""Tic-tac-toe, declared for the layers above the rules."""

from kiebitz.games.declaration import Declaration

DECLARATION = Declaration()
