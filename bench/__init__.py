"""Kiebitz side by side with its peers and with bare loops: `python -m bench` (what `make bench` runs).

Every figure is a ratio measured in one run: ours, peer, ours, peer, at least five times, CPU time, one thread, the
installed extension as it ships. `kiebitz bench` is the quick look at one's own machine without peers.
"""
