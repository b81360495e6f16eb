"""Tests named after the requirement they prove; README.md lists which file proves which."""
