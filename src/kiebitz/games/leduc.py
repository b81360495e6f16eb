"""Leduc hold'em, declared for the layers above the rules."""

from kiebitz.games.declaration import Bounds, Declaration

DECLARATION = Declaration(bounds=Bounds(place=3))
