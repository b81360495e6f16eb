"""Measures Kiebitz against its peers and against bare loops: `python -m bench` (what `make bench` runs).

Every figure is a ratio measured in one run: ours, peer, ours, peer, at least five times, in CPU time, with one thread
and the extension as it ships. `kiebitz bench` gives a quick impression of your own machine, without peers.
"""
