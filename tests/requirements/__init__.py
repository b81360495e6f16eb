"""Tests named after the requirement they prove."""
