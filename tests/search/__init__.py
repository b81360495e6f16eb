"""Tests of the searches through Python; those of C++ are in tests/core."""
