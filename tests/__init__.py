"""The tests. A package, so that tests can share helpers by absolute imports."""
