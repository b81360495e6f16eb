"""Oware, declared for the layers above the rules."""

from kiebitz.games.declaration import Bounds, Declaration

DECLARATION = Declaration(bounds=Bounds(place=2, most={"max_plies": 1000}))
