"""Liar's Dice, declared for the layers above the rules."""

from kiebitz.games.declaration import Bounds, Declaration

DECLARATION = Declaration(bounds=Bounds(place=5, most={"players": 6, "dice": 5, "sides": 10}))
