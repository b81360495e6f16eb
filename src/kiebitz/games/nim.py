"""Nim, declared for the layers above the rules."""

from kiebitz.games.declaration import Bounds, Declaration

DECLARATION = Declaration(bounds=Bounds(place=8, most={"heaps": 32}, lengths={"heaps": (1, 12)}))
