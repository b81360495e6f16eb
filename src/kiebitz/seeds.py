"""Seeds: many seeds derived from one."""

from __future__ import annotations

import hashlib


def derive_seed(*parts: int | str) -> int:
    """A seed for one purpose, derived from a general one and the same on every machine.

    >>> derive_seed(1, "chance", 0) == derive_seed(1, "chance", 0), derive_seed(1, "chance", 0) == derive_seed(2)
    (True, False)
    """
    text = "\0".join(map(str, parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1
